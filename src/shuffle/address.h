/* address.h -- which rank owns a record, which bucket that is, and how the child's
 * number travels.
 *
 * Buckets of the first hop are groups of `width` ranks, of the second hop the columns
 * of a group; with direct routing width is 1 and a bucket is a rank. On the first hop
 * the column of the owner rides above the child's number:
 *
 *      | column | child's number at its owner |     32 bits
 *               '-- local_bits --------------'
 *
 * relay/groups.h alone knows the shape behind `width`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ADDRESS_H
#define MW_ADDRESS_H

#include "base/base.h"

#define MW_FAR UINT32_MAX /* owner's memory is not within reach */

struct mw_address {
    uint32_t rank, n_ranks;
    uint32_t width;         /* ranks per group */
    uint32_t local_bits;    /* of a child's number; column and child fit 32 bits */
    const uint32_t *bucket; /* [n_ranks] owner -> bucket of the first hop */
    const uint32_t *above;  /* [n_ranks] owner -> column << local_bits */
    const uint32_t *near;   /* [n_ranks] owner -> its number on this host, or MW_FAR */
};

MW_FN uint32_t mw_column_of(const struct mw_address *a, uint32_t child)
{
    return (uint32_t)((uint64_t)child >> a->local_bits);
}

MW_FN uint32_t mw_child_of(const struct mw_address *a, uint32_t child)
{
    return child & (uint32_t)((UINT64_C(1) << a->local_bits) - 1);
}

#endif
