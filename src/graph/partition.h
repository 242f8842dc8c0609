/* partition.h -- which rank owns a vertex, and where it stands there.
 *
 * Vertices are dealt to ranks like cards: v belongs to rank v mod P, where its place is v / P,
 * the order of the input. This is the only file that computes an owner (the test `layers` looks
 * for others), so another partition is another version of it. Which ranks are near each other,
 * the rows and columns of the two-hop route, says relay/groups.h.
 *
 * *Blocks* of 2^k vertices that follow each other may be dealt so instead: where neighbours have
 * numbers near each other, as on a grid, most edges then stay at one rank (dealing.h says when).
 * Each rank gets as many blocks. What is left, less than a block a rank, is dealt in one stretch to
 * each. So a rank owns as many vertices as by cards, in the same order, whatever k is.
 *
 * *Shuffled* vertices are dealt in stretches of another numbering: real graphs often have their hubs first, or at
 * multiples of something. That numbering is v times an odd factor near the golden ratio, modulo the
 * smallest power of two that holds n; what falls beyond n is multiplied again until it does not. So vertices
 * that follow each other, or that have a stride in common, lie as far apart as can be (Knuth, vol. 3, 6.4:
 * Fibonacci hashing), a stretch of each size has its fair share of them, and no table of all vertices is needed.
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
    uint32_t block_bits; /* of a place in its block; 0: single vertices are dealt */
    uint64_t
        places_in_turn; /* a rank's that are dealt in blocks, all but its last ones */
    uint32_t bits;      /* of the other numbering; 0: there is none */
    uint64_t factor, inverse; /* modulo 2^bits */
};

MW_FN struct mw_partition mw_partition_of(uint64_t n_vertices, uint32_t rank,
                                          uint32_t n_ranks)
{
    const struct mw_partition p = {
        n_vertices, n_ranks > 1 ? UINT64_MAX / n_ranks + 1 : 0, n_ranks, rank, 0, 0, 0, 1,
        1};
    return p;
}

/* Blocks of 2^block_bits vertices; 0 bits: single ones. With one rank there is nothing to deal. */
MW_FN struct mw_partition mw_partition_in_blocks(struct mw_partition p,
                                                 uint32_t block_bits)
{
    if (p.n_ranks == 1 || block_bits == 0)
        return p;
    p.block_bits = block_bits;
    p.places_in_turn = (p.n_vertices >> block_bits) / p.n_ranks << block_bits;
    return p;
}

/* The same of another numbering. */
MW_FN struct mw_partition mw_partition_shuffled(struct mw_partition p)
{
    if (p.n_ranks == 1)
        return p;
    p.bits = (uint32_t)mw_max(2, mw_bits_for(p.n_vertices));
    p.factor = UINT64_C(0x9e3779b97f4a7c15) >> (64 - p.bits) | 1;
    p.inverse = p.factor; /* right in three bits; each step doubles them (Newton) */
    for (int i = 0; i < 5; i++)
        p.inverse *= 2 - p.factor * p.inverse;
    return p;
}

/* The other number of v < n, or with the inverse v again. Of another v it may not come to
 * an end. */
MW_FN uint64_t mw_renumber(const struct mw_partition *p, uint64_t v, uint64_t factor)
{
    do
        v = v * factor & ((UINT64_C(1) << p->bits) - 1);
    while (v >= p->n_vertices);
    return v;
}

/* Where n vertices are dealt in one stretch to each rank, the first n mod P have one more than the
 * rest: what the x-th is at its owner. */
MW_FN uint64_t mw_locate_in_stretch(uint64_t n, uint32_t n_ranks, uint64_t x,
                                    uint32_t *owner)
{
    const uint64_t each = n / n_ranks, n_longer = n - each * n_ranks;
    const uint64_t longer = n_longer * (each + 1);
    const uint64_t at = x < longer ? x : x - longer, size = each + (x < longer);
    *owner = (uint32_t)(at / size + (x < longer ? 0 : n_longer));
    return at - at / size * size;
}

/* Which one that is. */
MW_FN uint64_t mw_stretch_begins(uint64_t n, uint32_t n_ranks, uint32_t owner)
{
    const uint64_t each = n / n_ranks;
    return owner * each + mw_min(owner, n - each * n_ranks);
}

MW_FN uint64_t mw_locate_shuffled(const struct mw_partition *p, uint64_t v,
                                  uint32_t *owner)
{
    return mw_locate_in_stretch(p->n_vertices, p->n_ranks, mw_renumber(p, v, p->factor),
                                owner);
}

MW_FN uint64_t mw_vertex_shuffled(const struct mw_partition *p, uint32_t owner,
                                  uint64_t place)
{
    const uint64_t x = mw_stretch_begins(p->n_vertices, p->n_ranks, owner) + place;
    return mw_renumber(p, x, p->inverse);
}

MW_FN uint64_t mw_in_block(const struct mw_partition *p, uint64_t number)
{
    return number & ((UINT64_C(1) << p->block_bits) - 1);
}

/* A rank's blocks, or its vertices where these are dealt singly, are every P-th. */
MW_FN uint64_t mw_locate_in_turn(const struct mw_partition *p, uint64_t v,
                                 uint32_t *owner)
{
    const uint64_t block = v >> p->block_bits;
    uint64_t nth;
    if (p->n_ranks == 1)
        nth = block;
    else if (MW_LIKELY(block <= UINT32_MAX))
        nth = mw_high_word(block, p->magic);
    else
        nth = block / p->n_ranks;
    *owner = (uint32_t)(block - nth * p->n_ranks);
    return nth << p->block_bits | mw_in_block(p, v);
}

/* The place of a vertex at its owner. */
MW_FN uint64_t mw_locate(const struct mw_partition *p, uint64_t v, uint32_t *owner)
{
    if (p->bits > 0)
        return mw_locate_shuffled(p, v, owner);
    const uint64_t in_turn = p->places_in_turn * p->n_ranks;
    if (MW_LIKELY(p->block_bits == 0 || v < in_turn))
        return mw_locate_in_turn(p, v, owner);
    return p->places_in_turn +
           mw_locate_in_stretch(p->n_vertices - in_turn, p->n_ranks, v - in_turn, owner);
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
    if (p->bits > 0)
        return mw_vertex_shuffled(p, owner, place);
    if (MW_LIKELY(p->block_bits == 0 || place < p->places_in_turn))
        return ((place >> p->block_bits) * p->n_ranks + owner) << p->block_bits |
               mw_in_block(p, place);
    const uint64_t in_turn = p->places_in_turn * p->n_ranks;
    return in_turn + mw_stretch_begins(p->n_vertices - in_turn, p->n_ranks, owner) +
           (place - p->places_in_turn);
}

/* Each vertex is dealt by itself, as it is numbered. */
MW_FN bool mw_deals_singly(const struct mw_partition *p)
{
    return p->bits == 0 && p->block_bits == 0;
}

/* A *column* names a vertex of any rank that has edges: its owner above its label there, which has
 * `label_bits`, enough for the labels of any rank and for whole cache lines of bitmaps. */
MW_FN uint32_t mw_label_bits(uint64_t most_labels)
{
    return mw_bits_for(mw_max(most_labels, 8 * MW_CACHE_LINE));
}

MW_FN uint64_t mw_column(uint64_t owner, uint64_t label, uint32_t label_bits)
{
    return owner << label_bits | label;
}

MW_FN uint32_t mw_column_owner(uint64_t column, uint32_t label_bits)
{
    return (uint32_t)(column >> label_bits);
}

MW_FN uint32_t mw_column_label(uint64_t column, uint32_t label_bits)
{
    return (uint32_t)(column & ((UINT64_C(1) << label_bits) - 1));
}

/* How many so many ranks have; so it is the first of the rank behind them. */
MW_FN uint64_t mw_columns_of(uint64_t n_ranks, uint32_t label_bits)
{
    return n_ranks << label_bits;
}

/* Places from..to - 1 of all ranks, to look for their vertices: where single ones are dealt,
 * these follow each other, and nothing has to be divided. */
struct mw_places {
    uint64_t from, n, first_vertex, n_vertices;
};

MW_FN struct mw_places mw_places_of(const struct mw_partition *p, uint64_t from,
                                    uint64_t to)
{
    const struct mw_places x = {from, to - from, from * p->n_ranks,
                                (to - from) * p->n_ranks};
    return x;
}

MW_FN bool mw_stands_in(const struct mw_partition *p, const struct mw_places *x,
                        uint64_t v)
{
    uint32_t owner;
    return mw_deals_singly(p) ? v - x->first_vertex < x->n_vertices
                              : mw_locate(p, v, &owner) - x->from < x->n;
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
