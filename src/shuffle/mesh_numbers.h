/* mesh_numbers.h -- what shuffle/numbers.h has, on cores of a mesh: each number has one writer.
 *
 * C99 plus base.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NUMBERS_H
#define MW_NUMBERS_H

#include "shuffle/words.h"

MW_FN bool mw_claim(void *table, uint64_t i, uint64_t old, uint64_t value, bool wide)
{
    if (mw_load(table, i, wide) != old)
        return false;
    mw_store(table, i, value, wide);
    return true;
}

MW_FN void mw_lower(void *table, uint64_t i, uint64_t value, bool wide)
{
    if (value < mw_load(table, i, wide))
        mw_store(table, i, value, wide);
}

MW_FN void mw_add(uint64_t *at, uint64_t n)
{
    MW_STORE_RELAXED(at, *at + n);
}

MW_FN void mw_add_number(void *table, uint64_t i, uint64_t n, bool wide)
{
    mw_store(table, i, mw_load(table, i, wide) + n, wide);
}

MW_FN void mw_or(uint64_t *at, uint64_t bits)
{
    MW_STORE_RELAXED(at, *at | bits);
}

MW_FN void mw_take_room(uint64_t *n, uint64_t *sum, uint64_t n_more, uint64_t sum_more,
                        uint64_t *at, uint64_t *before)
{
    *at = *n;
    *before = *sum;
    *n += n_more;
    *sum += sum_more;
}

/* ---- reals ---------------------------------------------------------------------------------- */

MW_FN void mw_add_real(void *table, uint64_t i, double x, bool wide)
{
    mw_store(table, i, mw_real_sum(mw_load(table, i, wide), x, wide), wide);
}

/* ---- bits: of a word, too, there is one writer ---------------------------------------------- */

MW_FN void mw_set_bit(uint64_t *bitmap, uint64_t i)
{
    MW_TOUCH(bitmap, i / 64 * 8);
    bitmap[i / 64] |= UINT64_C(1) << (i % 64);
}

MW_FN bool mw_take_bit(uint64_t *bitmap, uint64_t i)
{
    const bool is_set = mw_bit(bitmap, i);
    mw_set_bit(bitmap, i);
    return !is_set;
}

MW_FN uint32_t mw_lowest_bit(uint64_t x)
{
    return mw_count_bits(~x & (x - 1));
}

/* Nothing to be done by cores of this kind. */
MW_FN void mw_prefetch(const void *p)
{
    (void)p;
}

#endif
