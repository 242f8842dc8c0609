/* edges.h -- one rank's share of an edge list, as generated or read.
 *
 * Vertices are 0 .. n_vertices - 1, in the order of the input's names. A list is narrow, two 32-bit
 * numbers an edge, while all vertices fit; otherwise wide. It is the ground truth
 * for the whole run: construction reads it, and so does validation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_EDGES_H
#define MW_EDGES_H

#include "base/sizes.h"
#include "graph/partition.h"

MW_BEGIN_DECLS

struct mw_names;

struct mw_edges {
    uint64_t n_vertices; /* of the whole graph */
    uint64_t n;          /* edges here */
    uint64_t room;       /* edges that fit */
    bool directed;       /* (u, v) leads from u to v only */
    bool shuffled;       /* ranks own them by shuffled numbers: partition.h */
    uint32_t block_bits; /* else in blocks of so many bits; 0: each by itself */
    uint32_t *narrow;    /* [2 * room]: u0 v0 u1 v1 ...; exactly one of the two ... */
    uint64_t *wide;      /* ... is not NULL once room > 0 */
    void *
        of_cores; /* [2 * n] as narrow, where the cores of a device reach it, whoever placed it there
                            gives it back; then narrow may be NULL. NULL: it is not there */
    float *weight; /* [room], one a tuple, none of them negative; NULL: there are none */
    float *weight_of_cores; /* [n] beside of_cores; NULL: there are none */
    const struct mw_names
        *names; /* for messages (names.h); NULL: counted from 0. Borrowed */
};

/* What an algorithm wants of weights: none, or one for each entry of a row. Tuples that join the
 * same two vertices become one entry, and their weights one weight. */
enum mw_weights {
    MW_WEIGHTS_NONE,
    MW_WEIGHTS_MINIMUM,
    MW_WEIGHTS_FIRST, /* of the tuple that stands first in the input */
    MW_WEIGHTS_SUM    /* added in double precision, the least first; then rounded */
};

/* Up to this many vertices a list is narrow: the last 32-bit number is kept free
 * to mean "none". */
#define MW_NARROW_VERTICES UINT64_C(0xFFFFFFFF)

/* What a list with room for `room` edges takes. */
void mw_edges_sizes(uint64_t n_vertices, uint64_t room, bool weighted,
                    struct mw_sizes *out);

/* Empty, with room for `room` edges of a graph of n_vertices. */
int mw_edges_init(struct mw_edges *e, uint64_t n_vertices, uint64_t room) MW_NODISCARD;
void mw_edges_fini(struct mw_edges *e);

/* From now on edges have weights; those that are there get 1. Nothing if they have some. */
int mw_edges_weigh(struct mw_edges *e) MW_NODISCARD;

/* How its vertices are dealt to ranks. */
MW_FN struct mw_partition mw_edges_partition(const struct mw_edges *e, uint32_t rank,
                                             uint32_t n_ranks)
{
    const struct mw_partition p = mw_partition_of(e->n_vertices, rank, n_ranks);
    return e->shuffled ? mw_partition_shuffled(p)
                       : mw_partition_in_blocks(p, e->block_bits);
}

/* Makes room for `room` edges in all; never less than there is. */
int mw_edges_reserve(struct mw_edges *e, uint64_t room) MW_NODISCARD;

/* Gives back what was reserved and not used. */
void mw_edges_trim(struct mw_edges *e);

/* The rare half of mw_edges_add(): the list is full, wide, or has to become so. */
int mw_edges_add_slowly(struct mw_edges *e, mw_vid u, mw_vid v) MW_NODISCARD;

/* Appends; grows by half when full (a reader may not know the count beforehand).
 * Widens the list when a number does not fit. Does not touch n_vertices. */
MW_FN int mw_edges_add(struct mw_edges *e, mw_vid u, mw_vid v)
{
    if (MW_UNLIKELY(e->n >= e->room || e->narrow == NULL ||
                    mw_max(u, v) >= MW_NARROW_VERTICES))
        return mw_edges_add_slowly(e, u, v);
    e->narrow[2 * e->n] = (uint32_t)u;
    e->narrow[2 * e->n + 1] = (uint32_t)v;
    e->n++;
    return MW_OK;
}

/* The same with a weight, which a list without weights drops. To a list with weights all edges are
 * added this way. */
MW_FN int mw_edges_add_weighted(struct mw_edges *e, mw_vid u, mw_vid v, float weight)
{
    const int rc = mw_edges_add(e, u, v);
    if (e->weight != NULL && rc >= MW_OK)
        e->weight[e->n - 1] = weight;
    return rc;
}

MW_FN float mw_edges_weight(const struct mw_edges *e, uint64_t i)
{
    return e->weight != NULL ? e->weight[i] : 1;
}

MW_FN void mw_edges_get(const struct mw_edges *e, uint64_t i, mw_vid *u, mw_vid *v)
{
    if (e->narrow != NULL) {
        *u = e->narrow[2 * i];
        *v = e->narrow[2 * i + 1];
    } else {
        *u = e->wide[2 * i];
        *v = e->wide[2 * i + 1];
    }
}

MW_END_DECLS
#endif
