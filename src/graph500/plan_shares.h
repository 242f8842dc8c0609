/* plan_shares.h -- what a rank will have of a graph that nobody has seen yet; see plan.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PLAN_SHARES_H
#define MW_PLAN_SHARES_H

#include "graph500/plan.h"

MW_BEGIN_DECLS

/* All local. Cores of a rank, for a way. */
uint32_t mw_plan_threads(const struct mw_plan_conf *c, uint32_t way);
/* Tuples at the vertex of a Kronecker graph that has most, estimated. */
uint64_t mw_plan_largest_degree(uint64_t n_vertices, uint64_t n_edges);

/* Does a way's algorithm build a thin graph? Do all, and with which weights do the others search all rows? */
bool mw_plan_is_thin(const struct mw_plan_conf *c, uint32_t way);
bool mw_plan_are_thin(const struct mw_plan_conf *c, enum mw_weights *of_others);

/* Of a thin graph, or of one of all rows. */
struct mw_plan_shares mw_plan_shares_of(const struct mw_plan_conf *c, bool thin,
                                        enum mw_weights weights);

MW_END_DECLS
#endif
