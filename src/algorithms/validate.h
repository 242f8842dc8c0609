/* validate.h -- is a parent array a breadth-first tree of the edge list?
 *
 * Distributed, in memory proportional to a rank's share, and independent of kernel 1: the
 * tuples as generated or read are the truth, and depths are walked from the root. The
 * specification's five rules, and the reference's holes closed (graph500.md section 8 of
 * the project's notes: cycles and foreign components are found):
 *
 *      1  it is a tree: the root is its own parent, every parent is a vertex, and every
 *         reached vertex hangs on the root
 *      2  tree edges join consecutive levels
 *      3  the ends of every edge are on levels that differ by at most one
 *      4  the tree spans the whole component of the root: no edge leaves it
 *      5  every parent is a neighbour in the edge list
 *
 * In a directed graph a tree edge leads from the parent to its child, rules 3 and 4 become one
 * for each edge out of a reached vertex: its other end is reached, at most one level further
 * down. Where an edge comes from that enters the tree is nobody's business.
 *
 * (2 holds because depths are defined by 1; a wrong tree then breaks 3.) Two module
 * tables on the pipeline:
 *
 *      walk    child generator --> [relay] --> depth handler        level by level
 *      edges   tuple generator --> [relay] --> depth teller --> [relay] --> depth judge
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_VALIDATE_H
#define MW_VALIDATE_H

#include "graph/edges.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

enum { MW_RULE_TREE = 1, MW_RULE_LEVELS = 3, MW_RULE_SPANS = 4, MW_RULE_EDGES = 5 };
MW_STATIC_ASSERT((int)MW_RULE_EDGES < (int)MW_CHECK_RULES, "a verdict counts them");

struct mw_validator;

/* Local: what it takes, also while it validates. */
void mw_validator_sizes(const struct mw_check_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out);

/* Collective. Borrows world and edges. */
int mw_validator_new(struct mw_world *world, const struct mw_edges *edges,
                     struct mw_validator **out) MW_NODISCARD;
void mw_validator_free(struct mw_validator *v); /* collective */

/* Local, the same at all ranks. From now on trees are of searches that ended at this level: no
 * vertex is further down, and edges may leave the tree there. UINT32_MAX, as at first: of
 * searches that reached all they could. */
void mw_validator_end_at(struct mw_validator *v, uint32_t last);

/* Collective. `parent` is this rank's part, by place (vertex = place * n_ranks + rank), 32
 * or 64 bits each, all ones for unreached. MW_ERR_INVALID with a text that names rule, root
 * and the first offending edge or vertex; *out is filled in either way. */
int mw_validate(struct mw_validator *v, mw_vid root, const void *parent, bool wide,
                struct mw_verdict *out) MW_NODISCARD;

/* The same for the harness: as mw_algorithm_bfs.check. */
extern const struct mw_check mw_check_bfs;

/* Local, after mw_validate(): the level of a place, UINT32_MAX if not reached. */
uint32_t mw_validator_level(const struct mw_validator *v, uint64_t place);

MW_END_DECLS
#endif
