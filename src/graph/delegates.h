/* delegates.h -- the rows of hubs, dealt out to those they lead to.
 *
 * A row belongs to its vertex's owner, so whoever goes along a long row alone makes all others
 * wait. A *delegated* vertex is one with a long row; the *piece* of its row that leads to
 * vertices of rank r is stored at r, as r's own labels:
 *
 *      owner's row   | r1 r0 r2 r0 r1 r1 r2 ... |      columns of any rank
 *      at r0         |    .     .           ... |      labels, rising
 *
 * Then each rank goes along its pieces and finds nothing but vertices of its own: no record is
 * made, and hubs' neighbours are dealt to ranks as evenly as all vertices are. (Cao et al. 2022,
 * PPoPP, delegate their class E like this.) The owner keeps its row, for those who search other
 * ways; the pieces are a second copy, 4 bytes an entry or 8 with weights, which is why there is a share of all
 * entries that they may take.
 *
 * Delegated are the first labels of a rank, up to the last one with a row of `bound` entries or
 * more. No rank sends anything for that: whom a hub leads to stands in r's own rows (directed: in
 * those inwards), which begin with the hubs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DELEGATES_H
#define MW_DELEGATES_H

#include "base/sizes.h"
#include "graph/graph.h"
#include "mpe/row.h"

MW_BEGIN_DECLS

/* Which rows: of at least so many entries; or one of these. */
enum { MW_DELEGATE_AUTO = 0, MW_DELEGATE_OFF = -1 };

enum {
    MW_DELEGATE_SHARE = 2,    /* auto: of all entries at most one in so many */
    MW_DELEGATE_LEAST = 1024, /* auto: no row shorter than that ... */
    MW_DELEGATE_PER_RANK = 8  /* ... nor than this for every rank */
};

/* Transparent: kernels look into it. */
struct mw_delegates {
    uint64_t bound;
    uint64_t n_entries; /* of the pieces of all ranks */
    uint32_t most;      /* delegated vertices of a rank, at most */
    uint64_t *first;    /* [n_ranks + 1] delegated vertices of the ranks before */
    uint64_t *start;    /* [first[n_ranks] + 1] of my pieces */
    uint32_t *label;    /* [start[first[n_ranks]]]; NULL with g->of_cores, as g->column */
    float *weight;      /* [as label]; NULL: the graph has none */
    void *name; /* [n_ranks * most] their numbers in the input, where no table has them */
};

/* Collective. Makes g->delegates, or leaves it NULL where that is of no use: one rank, whose cores
 * share all rows anyway; a mesh, whose modules deal with records; no row that is so long. `least` is
 * its length, or one of the two above. */
int mw_graph_delegate(struct mw_world *world, struct mw_graph *g, int64_t least)
    MW_NODISCARD;

/* The same in parts, for who has the rows elsewhere (devices/building.h). Lengths are in classes, eight for each
 * power of two. */
enum { MW_DELEGATES_STEPS = 8, MW_DELEGATES_CLASSES = 64 * MW_DELEGATES_STEPS };
MW_FN uint32_t mw_delegates_class(uint64_t length)
{
    uint32_t log2 = 0;
    if (length < MW_DELEGATES_STEPS)
        return 0;
    while (length >> log2 > 1)
        log2++;
    return MW_DELEGATES_STEPS * log2 +
           (uint32_t)(length >> (log2 - 3)) % MW_DELEGATES_STEPS;
}
/* Collective: the bound that MW_DELEGATE_AUTO stands for, UINT64_MAX: there is none. in[k]: entries
 * of my rows of class k, which become those of all; n_entries: of all rows of all. */
int mw_delegates_bound(struct mw_comm *comm, uint64_t n_entries,
                       uint64_t in[MW_DELEGATES_CLASSES], uint64_t *out) MW_NODISCARD;
/* Collective: how many each rank has, of whom the first `here` are mine; no pieces yet. */
int mw_delegates_new(struct mw_comm *comm, uint64_t bound, uint64_t here,
                     struct mw_delegates **out) MW_NODISCARD;

/* What its memory follows from. All zero: there are none. */
struct mw_delegates_shape {
    uint64_t n_ranks;
    uint64_t n_vertices; /* of all ranks */
    uint64_t most;       /* of a rank */
    uint64_t n_entries;  /* of my pieces */
    bool weighted;
    bool named, wide; /* there is no table of all names; numbers of 64 bits */
};

/* Local: of a graph's; and what mw_graph_delegate() takes. */
struct mw_delegates_shape mw_delegates_shape_of(const struct mw_graph *g);
void mw_delegates_sizes(const struct mw_delegates_shape *shape, uint32_t n_lanes,
                        struct mw_sizes *out);

/* The shortest row that MW_DELEGATE_AUTO may delegate. */
MW_FN uint64_t mw_delegates_least(uint64_t n_ranks)
{
    return mw_max(MW_DELEGATE_LEAST, MW_DELEGATE_PER_RANK * n_ranks);
}

/* Its sweeps. */
enum { MW_DELEGATES_ROWS = 2 };
extern const struct mw_row mw_delegates_row[MW_DELEGATES_ROWS];

void mw_delegates_free(struct mw_delegates *d); /* local; of mw_graph_free() */

MW_FN uint64_t mw_delegates_here(const struct mw_delegates *d, uint32_t rank)
{
    return d->first[rank + 1] - d->first[rank];
}

/* The input's number of a delegated vertex. */
MW_FN mw_vid mw_delegate_name(const struct mw_graph *g, uint64_t rank, uint64_t label)
{
    return g->name != NULL
               ? mw_number(g->name, mw_column(rank, label, g->label_bits), g->wide)
               : mw_number(g->delegates->name, rank * g->delegates->most + label,
                           g->wide);
}

MW_END_DECLS
#endif
