/* arrivals.h -- when a source has its next message, and the patterns that say for whom.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_ARRIVALS_H
#define MW_LAYOUT_ARRIVALS_H

#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

/* ---- when --------------------------------------------------------------------------------- */

/* All have the same mean interval. EVEN: always that. BERNOULLI: each cycle with the same
 * chance, whatever was before (BookSim's default). BURSTY: bursts as fast as the source can,
 * with geometrically many messages, and exponential pauses between them: an on-off process. */
enum mw_arrivals {
    MW_ARRIVALS_EVEN,
    MW_ARRIVALS_BERNOULLI,
    MW_ARRIVALS_BURSTY,
    MW_N_ARRIVALS
};
extern const char *const mw_arrivals_names[MW_N_ARRIVALS + 1]; /* ends in NULL */

enum { MW_CLOCK_BITS = 16 }; /* times are in 2^-16 cycles */

struct mw_clock {
    enum mw_arrivals arrivals;
    uint64_t random;
    uint64_t interval, cost; /* of messages: the mean; within a burst */
    double burst;            /* messages, the mean; 1 and more */
};

/* Its random numbers are apart from those that choose sinks. */
void mw_clock_init(struct mw_clock *c, enum mw_arrivals arrivals, double burst,
                   uint64_t seed, mw_core v, uint64_t interval, uint64_t cost);
/* When the message after the one of `due` is due. */
uint64_t mw_clock_next(struct mw_clock *c, uint64_t due);

/* ---- for whom -------------------------------------------------------------------------------- */

/* Each source but those of UNIFORM has one sink. Sources and sinks are numbered row by row;
 * source i of n looks from position x = i * sinks / n, and its sink has the number that the
 * pattern gives x. Where that is the source itself, it sends nothing. */
enum mw_pattern {
    MW_PATTERN_UNIFORM,
    MW_PATTERN_TRANSPOSE,  /* the halves of x's bits change places */
    MW_PATTERN_COMPLEMENT, /* the last less x: all bits are turned */
    MW_PATTERN_REVERSAL,   /* the first bit becomes the last, and so on */
    MW_PATTERN_SHUFFLE,    /* the first bit goes to the end */
    MW_PATTERN_NEIGHBOUR,  /* x + 1, behind the last the first */
    MW_N_PATTERNS
};
extern const char *const mw_pattern_names[MW_N_PATTERNS + 1]; /* ends in NULL */

/* MW_ERR_USAGE: this many sinks have no such pattern (bits need a power of two, and transpose
 * an even number of them). */
int mw_pattern_check(enum mw_pattern p, uint32_t n_sinks) MW_NODISCARD;
/* Of position x below n_sinks. */
uint32_t mw_pattern_sink(enum mw_pattern p, uint32_t x, uint32_t n_sinks);

/* ---- recorded ---------------------------------------------------------------------------------- */

struct mw_recorded {
    uint64_t cycle;
    mw_core source, sink;
};

struct mw_recording {
    uint64_t n;
    struct mw_recorded *record; /* owned; in time order */
};

/* From text: a line "cycle,source,sink" first, then such lines; a core is "R,C" in quotes or its
 * number, row by row. MW_ERR_DATA names `title` and the line. */
int mw_recording_parse(const struct mw_layout *l, const char *title, const char *text,
                       size_t bytes, struct mw_recording *out) MW_NODISCARD;
void mw_recording_fini(struct mw_recording *r);

MW_END_DECLS
#endif
