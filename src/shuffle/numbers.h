/* numbers.h -- numbers of 32 or 64 bits that several cores may read and change at a time, and
 * counts: on cores that share memory. Kinds of core that do it otherwise have the same functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NUMBERS_H
#define MW_NUMBERS_H

#include "base/base.h"

MW_FN uint64_t mw_load(const void *table, uint64_t i, bool wide)
{
    return wide ? MW_LOAD_RELAXED((const uint64_t *)table + i)
                : MW_LOAD_RELAXED((const uint32_t *)table + i);
}

MW_FN void mw_store(void *table, uint64_t i, uint64_t value, bool wide)
{
    if (wide)
        MW_STORE_RELAXED((uint64_t *)table + i, value);
    else
        MW_STORE_RELAXED((uint32_t *)table + i, (uint32_t)value);
}

/* table[i] becomes `value` if it is `old`: true. */
MW_FN bool mw_claim(void *table, uint64_t i, uint64_t old, uint64_t value, bool wide)
{
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

#endif
