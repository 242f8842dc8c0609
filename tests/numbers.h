/* numbers.h -- the smallest algorithm of patterns: named operations on few numbers by many units.
 *
 *      giver  --forward--> [relay] --> receiver      a float to a vertex: the sum
 *      caller --forward--> [relay] --> hearer        the same float: the least, and of whom; bits; counts
 *      sweep: every operation, at numbers of this rank
 *
 * Units of a rank name vertices of all ranks, of which there are few, so that cores meet. Floats are small
 * multiples of 1/8, whose sums have no error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "graph/graph.h"
#include "shuffle/job.h"

MW_BEGIN_DECLS

struct numbers {
    const struct mw_graph *g; /* its partition only */
    uint64_t seed, n_units;   /* of this rank */
    float *sum;               /* by place, as all */
    uint64_t *least;          /* a float above the rank that has called with it */
    uint64_t *called;         /* a bitmap */
    uint64_t *count;
    uint64_t *row_end;         /* [1]: one row of all units */
    struct numbers_lane *lane; /* [n_lanes] of both */
    /* Of the sweep: one number of each kind for all units; and bits that units take. */
    uint32_t *low32, *claimed32;
    uint64_t *low64, *claimed64;
    uint32_t *grown32; /* what is added, without what 32 bits do not hold */
    uint64_t *grown64, *united;
    double *sum64;
    uint64_t *taken, *n_taken, *n_claimed;
    /* Of sweeps over words: bits that are drawn, and what is said of each; a list of some. */
    uint64_t *in, *yes, *second; /* [NUMBERS_WORDS] */
    uint32_t *list;              /* [64 * NUMBERS_WORDS] */
    uint64_t *list_end;
    struct numbers_listed *listed; /* [1], of both */
};

struct numbers_lane {
    uint64_t n_sent; /* calls that are records */
    char fill[56];
};

struct numbers_listed {
    uint64_t n, total, n_kept, total_kept;
};

struct numbers_kernels {
    mw_kernel *give, *given, *call, *hear;
};
struct numbers_sweeps {
    mw_kernel *all, *words, *list, *keep;
};

MW_FN uint64_t numbers_mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 29;
}

/* What unit i of a rank draws. */
MW_FN uint64_t numbers_drawn(uint64_t seed, uint32_t rank, uint64_t i)
{
    return numbers_mix(seed ^ numbers_mix((uint64_t)rank << 32 | i));
}

/* Every ninth gives nothing. */
MW_FN mw_vid numbers_vertex(uint64_t drawn, uint64_t n_vertices)
{
    return drawn % 9 == 0 ? MW_NO_VERTEX : drawn / 16 % n_vertices;
}

MW_FN float numbers_amount(uint64_t drawn)
{
    return (float)(1 + drawn / 1024 % 512) / 8;
}

enum { NUMBERS_BITS = 200, NUMBERS_WORDS = 130 }; /* three parts, the last one short */

/* What is said of bit i of a word: 0, 1 or 2; its size; and whether it stays in a list. */
MW_FN uint32_t numbers_said(uint64_t seed, uint64_t i)
{
    return (uint32_t)(numbers_drawn(seed, 7, i) % 3);
}

MW_FN uint64_t numbers_size(uint64_t seed, uint64_t i)
{
    return numbers_drawn(seed, 8, i) % 4;
}

MW_FN bool numbers_stays(uint64_t seed, uint64_t i)
{
    return numbers_drawn(seed, 9, i) % 3 > 0;
}

MW_END_DECLS
#endif
