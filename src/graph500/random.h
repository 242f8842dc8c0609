/* random.h -- the random numbers of Graph500: a multiple recursive generator
 * (L'Ecuyer, Blouin and Couture 1993, table 3) with p = 2^31 - 1:
 *
 *     t = (107374182 z1 + 104480 z5) mod p;   (z1 .. z5) <- (t, z1, z2, z3, z4)
 *
 * A step is a 5 x 5 matrix A over the integers mod p, so n steps at once are one
 * product with A^n: that gives every edge, and the roots, streams of their own
 * which any rank can enter anywhere. Everything here is local and exact.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RANDOM_H
#define MW_RANDOM_H

#include "base/base.h"

MW_BEGIN_DECLS

#define MW_RANDOM_P  UINT32_C(0x7FFFFFFF) /* the modulus, 2^31 - 1 */
#define MW_RANDOM_X1 UINT32_C(107374182)  /* multiplies z1 */
#define MW_RANDOM_X5 UINT32_C(104480)     /* multiplies z5 */
enum { MW_RANDOM_WORDS = 5 };

struct mw_random {
    uint32_t z[MW_RANDOM_WORDS]; /* z1, the newest, first; each below p */
};

/* A power of A, the matrix of one step. */
struct mw_jump {
    uint32_t m[MW_RANDOM_WORDS][MW_RANDOM_WORDS];
};

/* One step of the recurrence for arguments below 2^32: the result is below
 * 2^31 + 2^28 and congruent mod p, because 2^31 is congruent to 1. */
MW_FN uint32_t mw_random_step(uint32_t z1, uint32_t z5)
{
    const uint64_t sum = (uint64_t)z1 * MW_RANDOM_X1 + (uint64_t)z5 * MW_RANDOM_X5;
    return ((uint32_t)sum & MW_RANDOM_P) + (uint32_t)(sum >> 31);
}

/* Below 2p to below p: the difference wraps around exactly when it must not count. */
MW_FN uint32_t mw_random_reduce(uint32_t t)
{
    const uint32_t less = t - MW_RANDOM_P;
    return less < t ? less : t;
}

/* A row of a power of A times a state. Four products of numbers below 2^31 fit 64
 * bits, five do not: the first two are folded before the others join them. */
MW_FN uint32_t mw_jump_row(const uint32_t m[MW_RANDOM_WORDS], uint32_t z1, uint32_t z2,
                           uint32_t z3, uint32_t z4, uint32_t z5)
{
    uint64_t sum = (uint64_t)z1 * m[0] + (uint64_t)z2 * m[1];
    sum = (sum & MW_RANDOM_P) + (sum >> 31);
    sum += (uint64_t)z3 * m[2] + (uint64_t)z4 * m[3] + (uint64_t)z5 * m[4];
    sum = (sum & MW_RANDOM_P) + (sum >> 31);
    return mw_random_reduce(((uint32_t)sum & MW_RANDOM_P) + (uint32_t)(sum >> 31));
}

void mw_random_init(struct mw_random *r, const uint64_t seed[2]);

/* The next output, 0 .. p - 1. */
uint32_t mw_random_next(struct mw_random *r);

/* The next two outputs as a number in [0, 1]. */
double mw_random_real(struct mw_random *r);

void mw_jump_init(struct mw_jump *j, uint32_t log2_steps); /* A^(2^log2_steps) */
void mw_jump_square(struct mw_jump *j);
void mw_random_jump(struct mw_random *r, const struct mw_jump *j);

MW_END_DECLS
#endif
