/* contract.h -- how many components an edge list has, by another way than cc.h: what validation
 * compares with.
 *
 * By contraction (Boruvka 1926): every component-to-be chooses its smallest neighbour, the
 * forest of these choices is collapsed by doubling, the edges are renamed and those within a
 * component dropped. Each round at least halves how many have an edge left, so there are at most
 * log2(n) rounds, whatever the graph's diameter. A rank holds two numbers per vertex of its own and
 * two per edge that is left; nobody holds them all.
 *
 * Before the first round a rank drops what closes a circle among its own edges, if one number
 * for each vertex of the whole graph is no more than it holds of edges anyway.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CONTRACT_H
#define MW_CONTRACT_H

#include "graph/edges.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

/* Collective. Isolated vertices are components; directions do not count. */
int mw_contract_count(struct mw_comm *comm, const struct mw_edges *edges,
                      uint64_t *n_components) MW_NODISCARD;

/* Local: what it takes, if every rank holds at least half as many edges as there are vertices. */
void mw_contract_sizes(uint64_t n_vertices, uint64_t n_places, struct mw_sizes *out);

MW_END_DECLS
#endif
