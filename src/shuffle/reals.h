/* reals.h -- reals as what numbers and records are made of: their bits.
 *
 * Of reals that are not negative the larger one has the larger bits. So a word of a float's bits above
 * a number is least where the float is, and of equal ones where the number is: one mw_lower() keeps a
 * distance and whom it leads over.
 *
 * C99 plus base.h: slave compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_REALS_H
#define MW_REALS_H

#include "base/base.h"

#include <string.h>

#define MW_BITS_OF_INFINITY                                                              \
    UINT32_C(0x7F800000) /* of a float; those of all finite ones are less */

MW_FN uint32_t mw_bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

MW_FN float mw_float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

MW_FN uint64_t mw_bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

MW_FN double mw_double_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* x of 0 .. 8 in whole parts: sums of such numbers do not depend on their order, and ranks add them up. */
MW_FN uint64_t mw_fixed_of(double x)
{
    return (uint64_t)(x * 2305843009213693952.0 + 0.5); /* 2^61 */
}

MW_FN double mw_real_of_fixed(uint64_t parts)
{
    return (double)parts / 2305843009213693952.0;
}

/* x, which is not negative, above a number. */
MW_FN uint64_t mw_word_of_float(float x, uint32_t number)
{
    return (uint64_t)mw_bits_of_float(x) << 32 | number;
}

MW_FN float mw_float_of_word(uint64_t word)
{
    return mw_float_of_bits((uint32_t)(word >> 32));
}

/* The bits of a real with bits `is`, and x. */
MW_FN uint64_t mw_real_sum(uint64_t is, double x, bool wide)
{
    return wide ? mw_bits_of_double(mw_double_of_bits(is) + x)
                : mw_bits_of_float(mw_float_of_bits((uint32_t)is) + (float)x);
}

#endif
