/* cc_validate.h -- are these the components of the edge list?
 *
 * The tuples as generated or read are the truth, not the rows that the search went over. With
 * comp[v] the component that v is said to be of:
 *
 *      1  the ends of every tuple are said to be of one component
 *      2  a component is called after a vertex of it, and no vertex of it is smaller:
 *         comp[v] <= v, and comp[comp[v]] = comp[v]
 *      3  there are as many as contraction counts (contract.h)
 *
 * By 1 every component said is one or several that are; by 2 they are as many as vertices with
 * comp[v] = v; so by 3 it is one each.
 *
 * Distributed, and in memory proportional to a rank's share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CC_VALIDATE_H
#define MW_CC_VALIDATE_H

#include "traversal/traversal.h"

MW_BEGIN_DECLS

enum { MW_CC_EDGES = 1, MW_CC_MEMBERS = 2, MW_CC_COUNT = 3, MW_CC_RULES };

struct mw_cc_validator {
    struct mw_world *world;
    const struct mw_edges *edges;
    uint64_t n_components; /* of the edges; UINT64_MAX: not counted yet */
};

/* Local. Borrows world and edges; there is nothing to give back. */
static inline struct mw_cc_validator mw_cc_validator_of(struct mw_world *world,
                                                        const struct mw_edges *edges)
{
    return (struct mw_cc_validator){world, edges, UINT64_MAX};
}

/* Local: what it takes while it validates. */
void mw_cc_validator_sizes(const struct mw_check_shape *shape,
                           const struct mw_world_shape *world, struct mw_sizes *out);

/* Collective; the edges are at home. `comp` is this rank's part, by place (mw_edges_partition()),
 * 32 or 64 bits each. MW_ERR_INVALID with a text that names rule and the first offending vertex; *out is
 * filled in either way. */
int mw_cc_validate(struct mw_cc_validator *v, const void *comp, bool wide,
                   struct mw_verdict *out) MW_NODISCARD;

/* The same for the harness, and where the search's cores can, by them: cc_check.c. */
extern const struct mw_check mw_check_cc;

/* ---- for its kernels --------------------------------------------------------------------- */

struct cc_checking_lane {
    uint64_t n_wrong[MW_CC_RULES];
    uint64_t n_said, n_edges, n_self_loops;
    uint32_t rule; /* of the first fault; 0: none */
    mw_vid vertex, is, other;
    char fill[56];
};

struct cc_checking {
    const struct mw_edges *edges;
    const void *comp;
    bool wide;
    struct mw_partition deal;
    struct cc_checking_lane *lane;
};

struct cc_validate_kernels {
    mw_kernel *tuple, *tell, *judge; /* rule 1 */
    mw_kernel *member, *name;        /* rule 2 */
};

/* All that it runs on cores. */
extern const struct mw_row_table cc_checking_table;

MW_END_DECLS
#endif
