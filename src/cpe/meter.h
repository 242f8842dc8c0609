/* meter.h -- what kernels touch in memory, counted where time is emulated.
 *
 * Elements read and write rows and state in place. A real kernel would fetch what it reads in order by DMA,
 * a line after the other while it works on the one before, and load a word that lies anywhere. So a meter
 * remembers the last few lines that its core has touched, by table and number:
 *
 *      a line that is in its store, or the same word again    nothing
 *      the line behind one that is in its store               a line, by DMA
 *      any other                                              a word, by a load; once the words of a line have
 *                                                             cost as much as it, it is in the store
 *
 * On a cluster a line costs the core's share of the bandwidth and a word the latency of memory. The management
 * core has all its bandwidth for itself, so that a word brings its line, as with a cache.
 *
 * The verbs of elements (shuffle/words.h, graph.h) say what they touch, and BFS's own loops do: MW_TOUCH().
 * It is nothing but in kernels of emulated cores (cpe_emul.h) and in those that an emulation's management
 * core runs (shuffle/skeleton_counted.h). Tables are told apart by where they begin, and lines count from
 * there, so that the count does not depend on where memory lies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_METER_H
#define MW_METER_H

#include "base/base.h"

MW_BEGIN_DECLS

enum { MW_METER_LINES = 16, MW_METER_LINE = 128 /* bytes, as DMA splits requests */ };

struct mw_meter {
    struct {
        const void *table;
        uint64_t line;
        uint64_t word; /* the one loaded last; MW_METER_ALL: the line is here */
        uint64_t paid; /* cycles for words of it */
    } known[MW_METER_LINES];
    uint32_t oldest;
    uint64_t n_lines, n_words; /* by DMA, and by loads */
    uint64_t *clock; /* grows at once by what they cost; NULL: they are only counted */
    uint64_t line_cycles, word_cycles;
};
#define MW_METER_ALL UINT64_MAX

/* Of the core that this thread is at the moment; NULL: nothing is counted. */
extern MW_SHOWN MW_THREAD_LOCAL struct mw_meter *mw_meter;

MW_SHOWN void mw_meter_count(struct mw_meter *m, const void *table, uint64_t byte);

/* Byte `byte` of a table was read or written. */
MW_FN void mw_meter_note(const void *table, uint64_t byte)
{
    if (MW_UNLIKELY(mw_meter != NULL))
        mw_meter_count(mw_meter, table, byte);
}

MW_END_DECLS
#endif
