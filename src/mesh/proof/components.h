/* components.h -- the strongly connected components of a graph, of which a cycle never leaves one, and the ranks of a
 * graph without cycles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_COMPONENTS_H
#define MW_COMPONENTS_H

#include "base/base.h"

MW_BEGIN_DECLS

/* An edge of `node` of a graph that the caller knows: the first whose number is `from` or more. Returns its number, and
 * in *to where it leads; MW_NO_EDGE: there is none. */
#define MW_NO_EDGE UINT32_MAX
typedef uint32_t mw_edge_at(const void *graph, uint32_t node, uint32_t from,
                            uint32_t *to);

/* Local, in time of nodes and edges (Tarjan 1972). knot[n]: 0 where no cycle goes through a node, else the number of its
 * component, from 1; *n_knots: how many there are. rank[n]: the longest way from a node to a sink, where
 * no knot is on it. MW_ERR_NOMEM. */
int mw_components(const void *graph, mw_edge_at *edge, uint32_t n, uint32_t *knot,
                  uint32_t *rank, uint32_t *n_knots) MW_NODISCARD;

/* Local. A shortest cycle, of these the one whose lowest node is lowest, which comes first; `cycle` has room for n.
 * *n_cycle: its nodes; 0: there is none. The search starts at every node of a knot in turn, lowest first, and looks
 * only at nodes above the start: each cycle is found from its lowest node, and what has been searched is never
 * searched again. A start is given up where it cannot beat the best any more. MW_ERR_NOMEM. */
int mw_shortest_cycle(const void *graph, mw_edge_at *edge, uint32_t n,
                      const uint32_t *knot, uint32_t *cycle, uint32_t *n_cycle)
    MW_NODISCARD;

MW_END_DECLS
#endif
