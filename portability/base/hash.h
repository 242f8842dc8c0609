/* hash.h -- FNV-1a, 64 bits (Fowler, Noll and Vo): of texts and files that are compared, not of what
 * somebody may forge. And the step of splitmix64 (Steele, Lea, Flood 2014), which makes numbers by chance
 * from a counter.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_HASH_H
#define MW_HASH_H

#include "base/base.h"

#include <stddef.h>

MW_BEGIN_DECLS

#define MW_HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* Goes on with `hash`: that of nothing, or of what stands before. */
MW_FN uint64_t mw_hash(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *p = (const unsigned char *)bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* What splitmix64 draws in state x: x + MW_MIX_STEP is its next state. */
#define MW_MIX_STEP UINT64_C(0x9e3779b97f4a7c15)
MW_FN uint64_t mw_mix(uint64_t x)
{
    x += MW_MIX_STEP;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A hash as a number: 0 <= it < 1. */
MW_FN double mw_hash_share(uint64_t hash)
{
    return (double)(hash >> 11) * (1.0 / 9007199254740992.0);
}

MW_END_DECLS
#endif
