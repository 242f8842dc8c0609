/* generator.h -- the Kronecker generator of Graph500, bit for bit.
 *
 * Edge i is a pure function of (scale, seed, i): any rank or thread makes any
 * piece of the list, at any time, and gets what the official code puts there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GENERATOR_H
#define MW_GENERATOR_H

#include "base/status.h"
#include "graph500/random.h"

MW_BEGIN_DECLS

enum { MW_SCALE_MAX = 60 };

struct mw_kronecker {
    uint32_t scale;             /* 2^scale vertices */
    uint64_t n_edges;           /* of the whole list */
    uint64_t val[2];            /* the two numbers of the scramble */
    struct mw_random seed;      /* where edge 0 starts */
    struct mw_jump forward[64]; /* [k]: 2^k edges on */
};

/* For who makes edges: outputs of the random numbers below REJECT are drawn again, for
 * they would favour small remainders (p mod UNIT is REJECT). The initiator in parts of
 * UNIT, cumulated in the order of tests. */
enum {
    MW_KRONECKER_REJECT = 3647,
    MW_KRONECKER_UNIT = 10000,
    MW_KRONECKER_BELOW_B = 1900,
    MW_KRONECKER_BELOW_C = 3800,
    MW_KRONECKER_BELOW_A = 9500
};

/* Of the scramble. */
MW_FN uint64_t mw_kronecker_factor0(const struct mw_kronecker *k)
{
    return k->val[0] | UINT64_C(0x4519840211493211);
}
MW_FN uint64_t mw_kronecker_factor1(const struct mw_kronecker *k)
{
    return k->val[1] | UINT64_C(0x3050852102C843A5);
}

/* The benchmark's own seeds are {2, 3}. Local; holds no memory. */
int mw_kronecker_init(struct mw_kronecker *k, uint32_t scale, uint64_t n_edges,
                      const uint64_t seed[2]) MW_NODISCARD;

/* Edges first .. first + n - 1 as u0 v0 u1 v1 ...; exactly one of `narrow` (scale
 * 32 at most) and `wide` is not NULL. Local, thread-safe, no allocation. Entering
 * the list costs as much as some hundred edges: ask for thousands at a time. */
void mw_kronecker_edges(const struct mw_kronecker *k, uint64_t first, uint64_t n,
                        uint32_t *narrow, uint64_t *wide);

/* The same with the weights of the benchmark's kernel 3, from 0 to 1, unless `weight` is NULL. They
 * change nothing about the edges. */
void mw_kronecker_weighted_edges(const struct mw_kronecker *k, uint64_t first, uint64_t n,
                                 uint32_t *narrow, uint64_t *wide, float *weight);

/* Edge i alone, written down as the definition reads: the oracle of the tests, and
 * about a hundred times slower than an edge of mw_kronecker_edges(). */
void mw_kronecker_edge(const struct mw_kronecker *k, uint64_t i, mw_vid *u, mw_vid *v);
float mw_kronecker_weight(const struct mw_kronecker *k, uint64_t i);

/* The weight that output r of the random numbers stands for: rounded to a float, and so is the
 * product, which is made in double precision. */
MW_FN float mw_kronecker_weight_of(uint32_t r)
{
    return (float)((double)(float)r * 4.65661287524579692e-10);
}

MW_END_DECLS
#endif
