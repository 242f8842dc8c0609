/* words.h -- what numbers.h and mesh_numbers.h share: numbers are read and written, and bits are read, in
 * one way by cores of hosts and of a mesh.
 *
 * C99 plus base.h: slave compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_WORDS_H
#define MW_WORDS_H

#include "shuffle/reals.h"
#include "shuffle/touch.h"

MW_FN uint64_t mw_load(const void *table, uint64_t i, bool wide)
{
    MW_TOUCH(table, i * (wide ? 8 : 4));
    return wide ? MW_LOAD_RELAXED((const uint64_t *)table + i)
                : MW_LOAD_RELAXED((const uint32_t *)table + i);
}

MW_FN void mw_store(void *table, uint64_t i, uint64_t value, bool wide)
{
    MW_TOUCH(table, i * (wide ? 8 : 4));
    if (wide)
        MW_STORE_RELAXED((uint64_t *)table + i, value);
    else
        MW_STORE_RELAXED((uint32_t *)table + i, (uint32_t)value);
}

/* The bits of a bitmap that a core takes at a time: word w of them. */
typedef uint64_t mw_word;
enum { MW_WORD_BITS = 64 };

MW_FN mw_word mw_word_of(const uint64_t *bitmap, uint64_t w)
{
    MW_TOUCH(bitmap, 8 * w);
    return bitmap[w];
}

/* The bits of word w that stand for numbers below n. */
MW_FN mw_word mw_word_below(uint64_t w, uint64_t n)
{
    const uint64_t first = MW_WORD_BITS * w;
    return n >= first + MW_WORD_BITS ? ~(mw_word)0
           : n > first               ? ((mw_word)1 << (n - first)) - 1
                                     : 0;
}

/* A word has one writer. */
MW_FN void mw_put_word(uint64_t *bitmap, uint64_t w, mw_word bits)
{
    MW_TOUCH(bitmap, 8 * w);
    bitmap[w] = bits;
}

MW_FN bool mw_bit(const uint64_t *bitmap, uint64_t i)
{
    MW_TOUCH(bitmap, i / 64 * 8);
    return bitmap[i / 64] >> (i % 64) & 1;
}

#endif
