/* random.c -- the recurrence in its plainest form. Speed is needed in one place
 * only, and generator.c has its own loops for that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/random.h"

enum { WORDS = MW_RANDOM_WORDS };

/* `n` bits of x from bit `from` on. */
static uint32_t bits(uint64_t x, unsigned from, unsigned n)
{
    return (uint32_t)(x >> from & ((UINT64_C(1) << n) - 1));
}

void mw_random_init(struct mw_random *r, const uint64_t seed[2])
{
    const uint64_t a = seed[0], b = seed[1];
    r->z[0] = bits(a, 0, 30) + 1;
    r->z[1] = bits(a, 30, 30) + 1;
    r->z[2] = bits(b, 0, 30) + 1;
    r->z[3] = bits(b, 30, 30) + 1;
    r->z[4] = 16 * bits(b, 60, 4) + bits(a, 60, 4) + 1;
}

uint32_t mw_random_next(struct mw_random *r)
{
    const uint64_t sum =
        (uint64_t)MW_RANDOM_X1 * r->z[0] + (uint64_t)MW_RANDOM_X5 * r->z[4];
    for (int i = WORDS - 1; i > 0; i--)
        r->z[i] = r->z[i - 1];
    return r->z[0] = (uint32_t)(sum % MW_RANDOM_P);
}

/* Both products are rounded before they are added: a fused multiply-add would
 * move a root, hence -ffp-contract=off for the whole build. The factors are 1/p
 * and about 1/p^2, and r1 is drawn first. */
double mw_random_real(struct mw_random *r)
{
    const double high = (double)mw_random_next(r) * 4.65661287524579692e-10;
    const double low = (double)mw_random_next(r) * 2.168404346990492787e-19;
    return high + low;
}

static uint32_t dot(const uint32_t *row, const uint32_t *column, int stride)
{
    uint64_t sum = 0;
    for (int k = 0; k < WORDS; k++)
        sum = (sum + (uint64_t)row[k] * column[k * stride]) % MW_RANDOM_P;
    return (uint32_t)sum;
}

void mw_jump_square(struct mw_jump *j)
{
    const struct mw_jump a = *j;
    for (int row = 0; row < WORDS; row++)
        for (int column = 0; column < WORDS; column++)
            j->m[row][column] = dot(a.m[row], &a.m[0][column], WORDS);
}

void mw_jump_init(struct mw_jump *j, uint32_t log2_steps)
{
    *j = (struct mw_jump){{{MW_RANDOM_X1, 0, 0, 0, MW_RANDOM_X5},
                           {1, 0, 0, 0, 0},
                           {0, 1, 0, 0, 0},
                           {0, 0, 1, 0, 0},
                           {0, 0, 0, 1, 0}}};
    for (uint32_t i = 0; i < log2_steps; i++)
        mw_jump_square(j);
}

void mw_random_jump(struct mw_random *r, const struct mw_jump *j)
{
    const struct mw_random from = *r;
    for (int row = 0; row < WORDS; row++)
        r->z[row] = dot(j->m[row], from.z, 1);
}
