/* sssp_validate.h -- are these shortest paths of the edge list?
 *
 * The tuples as generated or read, and their weights, are the truth. The rules are the specification's,
 * for kernel 3, with the reference's holes closed (a cycle of parents, a foreign component):
 *
 *      1  the parents are a tree: the root is its own parent at distance 0, every reached vertex hangs on
 *         it, and it has a distance, which is no negative number
 *      3  of the ends of every edge neither is further away than the other one and the edge
 *      4  no edge leaves the tree
 *      5  every parent is a neighbour, and its distance and the weight of an edge to it add up to the
 *         vertex's, as floats, bit for bit
 *
 * By 1 and 5 a path of each said length is there; by 3 and 4 none is shorter, as far as floats can tell:
 * any path's sum, made from the root on, is at least as large. In a directed graph 3 and 4 are about the
 * edge's direction, and so is 5.
 *
 *      tree     the validator of breadth-first search: children, and a walk down from the root
 *      above    every vertex asks its parent's owner for the parent's distance
 *      tuples   each end hears of the other and of the weight; it confirms its parent, and tells the other
 *               one what the way through it would be, who judges
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SSSP_VALIDATE_H
#define MW_SSSP_VALIDATE_H

#include "shuffle/reals.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

enum {
    MW_SSSP_TREE = 1,
    MW_SSSP_EDGES = 3,
    MW_SSSP_SPANS = 4,
    MW_SSSP_PARENTS = 5,
    MW_SSSP_RULES
};
MW_STATIC_ASSERT((int)MW_SSSP_RULES <= (int)MW_CHECK_RULES, "a verdict counts them");

struct mw_sssp_validator;

/* Collective. Borrows world and edges. */
int mw_sssp_validator_new(struct mw_world *world, const struct mw_edges *edges,
                          struct mw_sssp_validator **out) MW_NODISCARD;
void mw_sssp_validator_free(struct mw_sssp_validator *v); /* collective */

/* Collective; the edges are at home and have weights. Parents, 32 or 64 bits each, and distances of this
 * rank, by place; not reached: all ones,
 * and infinite. MW_ERR_INVALID with a text that names rule, root and a fault; *out is filled in either
 * way. */
int mw_sssp_validate(struct mw_sssp_validator *v, mw_vid root, const void *parent,
                     bool wide, const float *distance, struct mw_verdict *out)
    MW_NODISCARD;

/* The same for the harness, and where the search's cores can, by them: sssp_check.c. */
extern const struct mw_check mw_check_sssp;

/* Local: what a validator takes. */
void mw_sssp_validator_sizes(const struct mw_check_shape *shape,
                             const struct mw_world_shape *world, struct mw_sizes *out);

/* ---- for its kernels --------------------------------------------------------------------- */

/* At an end of an edge, which is at distance `is`: by the edge there is a way of length `by`. The rule that this
 * breaks, or 0. Where neither end is reached nothing is wrong; of a directed edge only what is behind it can be. */
MW_FN uint32_t sssp_rule_of_way(float is, float by, bool directed)
{
    const float infinite = mw_float_of_bits(MW_BITS_OF_INFINITY);
    if ((by < infinite && !(is < infinite)) ||
        (!directed && is < infinite && !(by < infinite)))
        return MW_SSSP_SPANS;
    return is > by ? MW_SSSP_EDGES : 0;
}

struct sssp_fault {
    uint32_t rule; /* 0: none */
    mw_vid vertex, other;
    float distance, by; /* the vertex's, and what it should be, or not be above */
};

struct sssp_checking_lane {
    uint64_t n_wrong[MW_SSSP_RULES];
    uint64_t n_edges, n_self_loops;
    struct sssp_fault worst; /* the first one of the lowest rule */
    char fill[MW_CACHE_LINE];
};

struct sssp_checking {
    const struct mw_edges *edges;
    const void *parent;
    const float *distance;
    bool wide;
    struct mw_partition deal;
    float *above;       /* [n_places] the parent's distance; infinite: there is none */
    uint8_t *confirmed; /* [n_places] */
    struct sssp_checking_lane *lane;
};

struct sssp_validate_kernels {
    mw_kernel *ask, *answer, *hear;  /* above */
    mw_kernel *tuple, *tell, *judge; /* tuples */
};

/* All that it runs on cores. */
extern const struct mw_row_table sssp_checking_table;

MW_END_DECLS
#endif
