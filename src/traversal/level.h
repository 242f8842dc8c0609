/* level.h -- what one step of a traversal did: counted the same way for every algorithm.
 *
 * Counts that only one algorithm knows stand in own[], in the order of its table of counters
 * (algorithm.h), which says what each is called and how ranks add it up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LEVEL_H
#define MW_LEVEL_H

#include "mpe/pipeline.h"
#include "shuffle/reals.h"

MW_BEGIN_DECLS

enum { MW_ROWS_MAX = 32, MW_COUNTERS_MAX = 20, MW_TRAITS_MAX = 20, MW_FACTS_MAX = 12 };
#define MW_COUNT_NONE UINT64_MAX /* there is no such number */

/* What a rank does with the time of a step; it adds up to all of it. */
enum {
    MW_SPENT_MOVING,   /* batches, in a pipeline while no job runs */
    MW_SPENT_IDLE,     /* there, with nothing to do: for batches of others */
    MW_SPENT_TOGETHER, /* in collectives, which end when all ranks have come */
    MW_SPENT_REST,     /* between rows: lists, bitmaps, choosing what to do */
    MW_SPENT_ROW,      /* from here on: jobs of a module, or a sweep; by row */
    MW_SPENT_MAX = MW_SPENT_ROW + MW_ROWS_MAX
};
extern const char *const mw_spent_names[MW_SPENT_ROW]; /* in result files */

/* Of the rank that spent least on something and of the one that spent most; seconds. Floats, since
 * levels are kept by the thousand. */
struct mw_spent {
    float least, mean, most;
};

/* Sums over all ranks once mw_traversal_levels() has been called; time_s is this rank's. */
struct mw_level {
    uint8_t step;            /* which of the algorithm's kinds of step */
    uint64_t n_active;       /* vertices that it starts from */
    uint64_t n_active_edges; /* edges out of them */
    uint64_t n_found;        /* vertices that are active after it */
    uint64_t n_records;      /* sent between ranks, first hop and second */
    uint64_t n_batches;
    uint64_t n_bytes;                    /* of all that was sent between ranks */
    uint64_t n_of_size[MW_SIZE_CLASSES]; /* of n_batches */
    uint64_t n_coded;                    /* of n_batches */
    uint64_t saved_bytes;                /* that these would have taken besides */
    uint64_t coding_ns;                  /* of all ranks */
    struct mw_job_count jobs;
    double time_s;
    /* A rank's work: its time without what it waits for others, in a pipeline that has nothing to
     * do or in a collective. Of the rank that has most of it, and of all on average. */
    double longest_work_s, mean_work_s;
    uint64_t own[MW_COUNTERS_MAX];
    struct mw_spent spent[MW_SPENT_MAX];
};

enum mw_counter_kind {
    MW_COUNT_SUM,     /* each rank's own, to be added */
    MW_COUNT_SAME,    /* the same at all ranks */
    MW_COUNT_FLAG,    /* the same, 0 or 1 */
    MW_COUNT_SECONDS, /* the same, in nanoseconds, shown in seconds */
    MW_COUNT_REAL,    /* the same, a double: mw_bits_of_double() */
    MW_COUNT_WORD,    /* the same, which of `word` */
    MW_COUNT_TEXT     /* the same, the address of a static text */
};

struct mw_counter {
    const char *name; /* in result files */
    enum mw_counter_kind kind;
    const char *const *word;
    bool always; /* shown where it is 0, too */
};

/* Of n_batches, those below so many bytes, a power of two from 32 on. */
MW_FN uint64_t mw_level_batches_below(const struct mw_level *l, uint64_t bytes)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < mw_size_class(bytes); k++)
        n += l->n_of_size[k];
    return n;
}

enum { MW_LEVELS_KEPT = 256 }; /* of a run; of a longer one the first ones */

MW_END_DECLS
#endif
