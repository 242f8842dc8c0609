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
