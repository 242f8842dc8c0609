/* digits.h -- numbers to text, for files of millions of lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DIGITS_H
#define MW_DIGITS_H

#include "base/base.h"

#include <string.h>

/* Writes x at p, at most 20 bytes, and returns the place behind. */
MW_FN char *mw_put_digits(char *p, uint64_t x)
{
    char digits[20];
    size_t n = 0;
    do
        digits[sizeof digits - ++n] = (char)('0' + x % 10);
    while ((x /= 10) != 0);
    memcpy(p, digits + sizeof digits - n, n);
    return p + n;
}

#endif
