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
    /* Of the sweep: one number of each kind for all units; and bits that units take. */
    uint32_t *low32, *claimed32;
    uint64_t *low64, *claimed64;
    double *sum64;
    uint64_t *taken, *n_taken, *n_claimed;
};

struct numbers_kernels {
    mw_kernel *give, *given, *call, *hear;
};
struct numbers_sweeps {
    mw_kernel *all;
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

enum { NUMBERS_BITS = 200 };

MW_END_DECLS
#endif
