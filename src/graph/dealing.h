/* dealing.h -- how many vertices of an edge list are dealt to ranks at a time.
 *
 * Dealt singly, all but one in P neighbours of a vertex are another rank's, whatever the graph is. Where
 * neighbours have numbers near each other, as on a grid, on roads, or on a web in the order of its
 * addresses, blocks of vertices (partition.h) keep most edges at one rank. What blocks may spoil is the
 * shares: there are few of them, and hubs may be neighbours. So a sample of the list is asked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DEALING_H
#define MW_DEALING_H

#include "graph/graph.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

enum {
    MW_DEALING_SAMPLE = 1 << 14, /* edges of a rank that are asked */
    MW_DEALING_BLOCKS =
        16, /* each rank has so many, so that a frontier is several ranks' */
    MW_DEALING_SMALLEST = 6, /* bits of a block: a word of a bitmap */
    MW_DEALING_CUT = 4,  /* edges between ranks become fewer by this factor, or vertices
                                  * are dealt singly */
    MW_DEALING_STEPS = 3 /* sizes that are tried, each a quarter of the one before */
};

/* Collective, before the graph is built: the same rule at all ranks, each with its share of the list,
 * which says from now on how its vertices are dealt. As the rule says; else in the largest blocks
 * that meet the above and leave no rank more than 1.1 times the mean of the ends. Where the list is
 * at a device only, singly. */
int mw_edges_deal(struct mw_comm *comm, const struct mw_graph_rule *rule,
                  struct mw_edges *e) MW_NODISCARD;

MW_END_DECLS
#endif
