/* partition.h -- which rank owns a vertex, and where it stands there.
 *
 * Vertices are dealt to ranks like cards: v belongs to rank v mod P, where its place is v / P,
 * the order of the input. This is the only file that computes an owner (the test `layers` looks
 * for others), so another partition is another version of it. Which ranks are near each other,
 * the rows and columns of the two-hop route, says relay/groups.h.
 *
 * Every end of every edge is dealt once or more, so the division by P is a multiplication: for
 * operands below 2^32 the quotient is the high word of x * (floor(2^64 / P) + 1), exactly
 * (Granlund and Montgomery 1994); larger operands take the division.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PARTITION_H
#define MW_PARTITION_H

#include "base/base.h"

MW_BEGIN_DECLS

/* Immutable, and but for `rank` the same at all ranks. */
struct mw_partition {
    uint64_t n_vertices;
    uint64_t magic;
    uint32_t n_ranks, rank;
};

MW_FN struct mw_partition mw_partition_of(uint64_t n_vertices, uint32_t rank,
                                          uint32_t n_ranks)
{
    const struct mw_partition p = {n_vertices, n_ranks > 1 ? UINT64_MAX / n_ranks + 1 : 0,
                                   n_ranks, rank};
    return p;
}

/* The place of a vertex at its owner. */
MW_FN uint64_t mw_locate(const struct mw_partition *p, uint64_t v, uint32_t *owner)
{
    uint64_t place;
    if (p->n_ranks == 1)
        place = v;
    else if (MW_LIKELY(v <= UINT32_MAX))
        place = mw_high_word(v, p->magic);
    else
        place = v / p->n_ranks;
    *owner = (uint32_t)(v - place * p->n_ranks);
    return place;
}

MW_FN uint32_t mw_owner(const struct mw_partition *p, uint64_t v)
{
    uint32_t owner;
    (void)mw_locate(p, v, &owner);
    return owner;
}

/* Whether this rank owns it; then *place is where. */
MW_FN bool mw_is_mine(const struct mw_partition *p, uint64_t v, uint64_t *place)
{
    uint32_t owner;
    *place = mw_locate(p, v, &owner);
    return owner == p->rank;
}

/* The inverse. */
MW_FN uint64_t mw_vertex(const struct mw_partition *p, uint32_t owner, uint64_t place)
{
    return place * p->n_ranks + owner;
}

/* How many vertices a rank owns; this rank; and any rank at most. */
MW_FN uint64_t mw_places_at(const struct mw_partition *p, uint32_t rank)
{
    return p->n_vertices / p->n_ranks + (rank < p->n_vertices % p->n_ranks);
}
MW_FN uint64_t mw_my_places(const struct mw_partition *p)
{
    return mw_places_at(p, p->rank);
}
MW_FN uint64_t mw_most_places(const struct mw_partition *p)
{
    return mw_places_at(p, 0);
}

MW_END_DECLS
#endif
