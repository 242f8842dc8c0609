/* numbers.h -- numbers of 32 or 64 bits that several cores may read and change at a time, counts,
 * reals, and bits: on cores that share memory. Kinds of core that do it otherwise have the same
 * functions, in place of this file: shuffle/mesh_numbers.h, kokkos/numbers.hpp.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NUMBERS_H
#define MW_NUMBERS_H

#include "shuffle/words.h"

/* table[i] becomes `value` if it is `old`: true. */
MW_FN bool mw_claim(void *table, uint64_t i, uint64_t old, uint64_t value, bool wide)
{
    MW_TOUCH(table, i * (wide ? 8 : 4));
    uint32_t old32 = (uint32_t)old;
    return wide ? MW_SWAP_RELAXED((uint64_t *)table + i, &old, value)
                : MW_SWAP_RELAXED((uint32_t *)table + i, &old32, (uint32_t)value);
}

/* table[i] becomes `value` if that is less. */
MW_FN void mw_lower(void *table, uint64_t i, uint64_t value, bool wide)
{
    uint64_t is = mw_load(table, i, wide);
    while (value < is && !mw_claim(table, i, is, value, wide))
        is = mw_load(table, i, wide);
}

MW_FN void mw_add(uint64_t *at, uint64_t n)
{
    MW_ADD_RELAXED(at, n);
}

/* The number of the lowest bit that is set; there is one. */
MW_FN uint32_t mw_lowest_bit(uint64_t x)
{
    return (uint32_t)__builtin_ctzll(x);
}

/* What is there will be asked for soon. */
MW_FN void mw_prefetch(const void *p)
{
    __builtin_prefetch(p);
}

/* table[i] grows by n. */
MW_FN void mw_add_number(void *table, uint64_t i, uint64_t n, bool wide)
{
    MW_TOUCH(table, i * (wide ? 8 : 4));
    if (wide)
        MW_ADD_RELAXED((uint64_t *)table + i, n);
    else
        MW_ADD_RELAXED((uint32_t *)table + i, (uint32_t)n);
}

MW_FN void mw_or(uint64_t *at, uint64_t bits)
{
    MW_OR_RELAXED(at, bits);
}

/* A list of *n items, whose sizes add up to *sum, gets n_more of size sum_more: from *at on, after *before.
 * Both grow at once, for the highest bit of *n keeps others out meanwhile. */
MW_FN void mw_take_room(uint64_t *n, uint64_t *sum, uint64_t n_more, uint64_t sum_more,
                        uint64_t *at, uint64_t *before)
{
    const uint64_t taken = UINT64_C(1) << 63;
    uint64_t is = MW_LOAD_RELAXED(n) & ~taken;
    while (!MW_SWAP_ACQ_REL(n, &is, is | taken))
        is &= ~taken;
    *at = is;
    *before = *sum;
    *sum += sum_more;
    MW_STORE_RELEASE(n, is + n_more);
}

/* ---- reals ---------------------------------------------------------------------------------- */

/* table[i] grows by x: float, or where it is wide double. */
MW_FN void mw_add_real(void *table, uint64_t i, double x, bool wide)
{
    uint64_t is = mw_load(table, i, wide);
    while (!mw_claim(table, i, is, mw_real_sum(is, x, wide), wide))
        is = mw_load(table, i, wide);
}

/* ---- bits ----------------------------------------------------------------------------------- */

MW_FN void mw_set_bit(uint64_t *bitmap, uint64_t i)
{
    MW_TOUCH(bitmap, i / 64 * 8);
    MW_OR_RELAXED(&bitmap[i / 64], UINT64_C(1) << (i % 64));
}

/* Sets it; true for one of all who try. Most are set already, so the first look is a plain one. */
MW_FN bool mw_take_bit(uint64_t *bitmap, uint64_t i)
{
    const uint64_t one = UINT64_C(1) << (i % 64);
    MW_TOUCH(bitmap, i / 64 * 8);
    return !(MW_LOAD_RELAXED(&bitmap[i / 64]) & one) &&
           !(MW_OR_RELAXED(&bitmap[i / 64], one) & one);
}

#endif
