/* address.h -- which rank owns a record, which bucket that is, and how the child's
 * number travels.
 *
 * Buckets of the first hop are groups of `width` ranks, of the second hop the columns
 * of a group; with direct routing width is 1 and a bucket is a rank. On the first hop
 * the column of the owner rides above the child's number, and what finds no room there, the
 * upper bits of a column of a wide group, above the value:
 *
 *      | column | child's number at its owner |     32 bits
 *               '-- local_bits --------------'
 *      | rest of the column | value           |     32 or 64 bits
 *                           '-- value_bits --'
 *
 * A record is the smaller of the two kinds that have room for all of it. relay/groups.h alone
 * knows the shape behind `width`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ADDRESS_H
#define MW_ADDRESS_H

#include "base/base.h"

#define MW_FAR UINT32_MAX /* owner's memory is not within reach */

/* Bits of what records of a pipeline carry, the same at all ranks. */
struct mw_record_bits {
    uint32_t child, value;
    /* 32: a record has an extra number beside the value. Such records are wide, relays of meshes do
     * not pass them on, and coders do not code them. 0: it has none. */
    uint32_t extra;
};

/* Bits of a group's columns that find no room above a child's number. */
MW_FN uint32_t mw_rest_bits(uint32_t child_bits, uint32_t width)
{
    const uint32_t bits = child_bits + mw_bits_for(width);
    return bits > 32 ? bits - 32 : 0;
}

/* Bits of a value with what rides above it: a record has 32 of them, or 64. */
MW_FN uint32_t mw_value_room(struct mw_record_bits bits, uint32_t width)
{
    return bits.value + mw_rest_bits(bits.child, width);
}

struct mw_address {
    uint32_t rank, n_ranks;
    uint32_t width;         /* ranks per group */
    uint32_t local_bits;    /* of a child's number, 32 at most */
    uint32_t value_bits;    /* of a value; only of use where the column is split */
    bool split;             /* a part of the column rides above the value */
    const uint32_t *bucket; /* [n_ranks] owner -> bucket of the first hop */
    const uint32_t
        *above;           /* [n_ranks] owner -> column << local_bits, as far as it fits */
    const uint32_t *near; /* [n_ranks] owner -> its number on this host, or MW_FAR */
};

/* What rides above the number of a child of this owner, ... */
MW_FN uint32_t mw_above_for(const struct mw_address *a, uint32_t owner)
{
    const uint64_t column = owner - (uint64_t)a->bucket[owner] * a->width;
    return (uint32_t)(column << a->local_bits);
}

/* ... and above the value, where the column is split. */
MW_FN uint64_t mw_rest_for(const struct mw_address *a, uint32_t owner)
{
    const uint64_t column = owner - (uint64_t)a->bucket[owner] * a->width;
    return column >> (32 - a->local_bits) << a->value_bits;
}

/* Of a record on its first hop: the column, the child's number and the value. */
MW_FN uint32_t mw_column_in_group(const struct mw_address *a, uint32_t child,
                                  uint64_t value)
{
    const uint64_t column = (uint64_t)child >> a->local_bits;
    return (uint32_t)(a->split ? column | value >> a->value_bits << (32 - a->local_bits)
                               : column);
}

MW_FN uint64_t mw_value_of(const struct mw_address *a, uint64_t value)
{
    return a->split ? value & ((UINT64_C(1) << a->value_bits) - 1) : value;
}

MW_FN uint32_t mw_child_of(const struct mw_address *a, uint32_t child)
{
    return child & (uint32_t)((UINT64_C(1) << a->local_bits) - 1);
}

#endif
