/* components.h -- connected components, on all ranks together.
 *
 * By contraction (Boruvka 1926): every component-to-be chooses its smallest neighbour, the
 * forest of these choices is collapsed by doubling, the edges are renamed and those within a
 * component dropped. Each round at least halves how many have an edge left, so there are at most
 * log2(n) rounds, whatever the graph's diameter. A rank holds two numbers per vertex of its own and
 * two per edge that is left; nobody holds them all.
 *
 * One large component costs the most and is found cheaper by a search, so it can be left out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_COMPONENTS_H
#define MW_COMPONENTS_H

#include "graph/graph.h"

MW_BEGIN_DECLS

struct mw_components {
    uint64_t n;         /* of two vertices or more */
    uint64_t n_largest; /* vertices of the largest one; 0: there is none */
    mw_vid largest;     /* a vertex of it: the least one of the smallest number */
    uint32_t n_rounds;
};

/* Collective, on a graph without directions. `left_out`, or NULL, is a bitmap of places: whole components that do not count.
 * Isolated vertices do not either: the graph knows them (n_vertices - n_connected). */
int mw_components_find(const struct mw_graph *g, const uint64_t *left_out,
                       struct mw_components *out) MW_NODISCARD;

MW_END_DECLS
#endif
