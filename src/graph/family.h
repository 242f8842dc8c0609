/* family.h -- graphs that people know, made from a few numbers: grids, roads, points that are near each
 * other, pairs by chance.
 *
 * A list of edges is made by *origins*, one after the other. An origin gives a few edges, which follow
 * from the family's numbers, its seeds and the origin's number alone: any rank makes any part of the
 * list, at any time, and parts that follow each other are the list.
 *
 *     kind        an origin is     and gives
 *     grid        a vertex         an edge to the next vertex along each side, where there is one
 *     roads       a vertex         of these edges the ones that a hash keeps
 *     geometric   a vertex         an edge to each later vertex that is near (points.h)
 *     uniform     an edge          itself; both ends are drawn by a hash
 *
 * How many edges roads and points have is known once they are made. An edge names its lesser vertex
 * first. Weights are whole numbers from 1 to 255, by a hash of the edge, as GAP's have that range
 * (Beamer, Asanovic, Patterson 2015); uniform graphs are GAP's "urand". Geometric graphs: Penrose 2003.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FAMILY_H
#define MW_FAMILY_H

#include "graph/edges.h"
#include "graph/points.h"

MW_BEGIN_DECLS

enum mw_family_kind {
    MW_FAMILY_GRID,
    MW_FAMILY_ROADS,
    MW_FAMILY_GEOMETRIC,
    MW_FAMILY_UNIFORM
};
enum { MW_FAMILY_SIDES = 3, MW_FAMILY_WEIGHT_MOST = 255 };
#define MW_FAMILY_VERTICES (UINT64_C(1) << 48) /* at most */

struct mw_family_conf {
    enum mw_family_kind kind;
    /* Vertices along each side, 1 where there is no such side; of points and pairs all in the first. */
    uint64_t side[MW_FAMILY_SIDES];
    uint64_t edgefactor; /* UNIFORM: edges per vertex */
    double keep;         /* ROADS: the share of the grid's edges that stay, 0 to 1 */
    double degree;       /* GEOMETRIC: neighbours of a vertex, on average */
    uint64_t seed[2];
};

struct mw_family {
    struct mw_family_conf conf;
    uint64_t n_vertices, n_origins;
    uint64_t n_edges;    /* of the whole list; 0: known once it is made, or none */
    uint64_t per_origin; /* about how many edges an origin gives; 1 or more */
    uint64_t edge_key, weight_key;
    struct mw_points points; /* GEOMETRIC */
};

/* Local. MW_ERR_REFUSED: beyond MW_FAMILY_VERTICES, or 2^63 edges. Points take memory (points.h); nothing
 * else does. */
int mw_family_init(struct mw_family *f, const struct mw_family_conf *conf) MW_NODISCARD;
void mw_family_fini(struct mw_family *f);

/* Local, thread-safe. Appends the edges of origins first .. first + n - 1, with weights if `out` has
 * some. MW_ERR_NOMEM: `out` cannot grow. */
int mw_family_edges(const struct mw_family *f, uint64_t first, uint64_t n,
                    struct mw_edges *out) MW_NODISCARD;

/* The weight of the edge (u, v), u <= v: the same however often it stands in the list. */
float mw_family_weight(const struct mw_family *f, mw_vid u, mw_vid v);

MW_END_DECLS
#endif
