/* divide.h -- division by a number that is fixed at run time, as a multiplication.
 *
 * Dealing vertices to P ranks divides every end of every edge by P. For operands below
 * 2^32 the quotient is the high word of x * (floor(2^64 / P) + 1), exactly (Granlund and
 * Montgomery 1994); larger operands take the division.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DIVIDE_H
#define MW_DIVIDE_H

#include "base/base.h"

struct mw_divider {
    uint64_t magic;
    uint32_t by;
};

MW_FN struct mw_divider mw_divider_of(uint32_t by)
{
    const struct mw_divider d = {by > 1 ? UINT64_MAX / by + 1 : 0, by};
    return d;
}

MW_FN uint64_t mw_divide(const struct mw_divider *d, uint64_t x, uint32_t *remainder)
{
    uint64_t q;
    if (d->by == 1)
        q = x;
    else if (MW_LIKELY(x <= UINT32_MAX))
        q = mw_high_word(x, d->magic);
    else
        q = x / d->by;
    *remainder = (uint32_t)(x - q * d->by);
    return q;
}

#endif
