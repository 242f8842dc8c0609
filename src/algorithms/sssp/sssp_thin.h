/* sssp_thin.h -- a graph without most of the edges that pruning would leave out, before rows are made of them.
 *
 * Where searches by this algorithm alone are asked for, a host need not build rows of all tuples, of which pruning
 * (sssp_prune.c) leaves a twentieth:
 *
 *      light    rows of the tuples lighter than a fifth of the mean weight; a search from the landmark along them
 *      choose   tuples that are no longer than the way by the landmark; all that join whom the search has not reached
 *      reach    who was not reached takes the least way by a neighbour, as pruning does: until all have one
 *      fill     rows of what was chosen
 *
 * Rows of that are pruned as any graph's. Nothing but time and memory follows from it: no shortest path has what was left
 * out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_THIN_H
#define SSSP_THIN_H

#include "graph/graph.h"

MW_BEGIN_DECLS

/* Collective, as mw_algorithm.build. */
int sssp_build(struct mw_world *world, const struct mw_edges *edges,
               const struct mw_graph_rule *rule, const void *options,
               struct mw_graph **out) MW_NODISCARD;
/* Local, as mw_algorithm.thins: rows of all tuples would be long. */
bool sssp_thins(const struct mw_graph_shape *list, uint32_t n_hosts, const void *options);

/* ---- for its kernels --------------------------------------------------------------------- */

/* Bits of a way's length. Those that are news of this round have the sign's bit as well. */
#define SSSP_NO_WAY UINT32_MAX
#define SSSP_NEWS   UINT32_C(0x80000000)

enum { SSSP_THIN_CHUNK = 1 << 16 }; /* tuples */

/* Of tuples 65536 i and on. */
struct sssp_chunk {
    uint64_t n, first; /* chosen; where they go */
    float heaviest;
};

struct sssp_thinning {
    const struct mw_edges *edges; /* whose tuples are looked at */
    struct mw_partition partition;
    uint64_t most_places;
    uint32_t *way;    /* [n_ranks * most_places], owner by owner; NULL: none is known */
    float limit;      /* then tuples of less weight are chosen */
    float margin;     /* for what sums round */
    uint64_t *chosen; /* bitmap of tuples */
    struct sssp_chunk *chunk; /* of tuples */
    struct mw_edges part;     /* those chosen */
    uint64_t n_reached;       /* of my places, in this round */
    /* What the search from the landmark says of my places; all ones less the most of either. */
    const float *distance;
    const void *n_hops; /* as parents */
    bool wide;
    uint64_t hops_left, bits_left;
};

extern const struct mw_row_table sssp_thin_table;

MW_END_DECLS
#endif
