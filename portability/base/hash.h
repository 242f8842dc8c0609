/* hash.h -- FNV-1a, 64 bits (Fowler, Noll and Vo): of texts and files that are compared, not of what
 * somebody may forge.
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

MW_END_DECLS
#endif
