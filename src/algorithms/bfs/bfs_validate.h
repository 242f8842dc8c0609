/* bfs_validate.h -- is a parent array a breadth-first tree of the edge list?
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
#ifndef MW_BFS_VALIDATE_H
#define MW_BFS_VALIDATE_H

#include "graph/edges.h"
#include "graph/graph.h"
#include "graph/partition.h"
#include "mpe/pipeline.h"
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

/* Collective. `parent` is this rank's part, by place (partition.h), 32
 * or 64 bits each, all ones for unreached. MW_ERR_INVALID with a text that names rule, root
 * and the first offending edge or vertex; *out is filled in either way. */
int mw_validate(struct mw_validator *v, mw_vid root, const void *parent, bool wide,
                struct mw_verdict *out) MW_NODISCARD;

/* Collective: of rule 1 only that the root is its own parent, and every parent a vertex; and the levels
 * of all that hangs on the root, for mw_validator_level(). For trees whose edges have other rules. */
int mw_validate_tree(struct mw_validator *v, mw_vid root, const void *parent, bool wide,
                     struct mw_verdict *out) MW_NODISCARD;

/* The same for the harness, and where the search's cores can, by them: bfs_check.c. */
extern const struct mw_check mw_check_bfs;

/* Local, after mw_validate(): the level of a place, UINT32_MAX if not reached. */
uint32_t mw_validator_level(const struct mw_validator *v, uint64_t place);

/* ---- for its kernels --------------------------------------------------------------------- */

struct mw_fault {
    uint32_t rule;
    mw_vid u, v;
    uint32_t level_u, level_v;
};

/* Local: MW_ERR_INVALID with the text that says a tree's fault, by whom it was found, and
 * how many such there are; and that of a tree which goes on below the level that its
 * search ended at. */
int mw_fault_fail(const struct mw_edges *edges, mw_vid root, const struct mw_fault *f,
                  const char *by, uint64_t n);
int mw_depth_fail(const struct mw_edges *edges, mw_vid root, uint32_t n_levels,
                  uint32_t last);

struct mw_validation_lane {
    uint64_t n_wrong[MW_RULE_EDGES + 1];
    struct mw_fault worst; /* the first one of the lowest rule; rule 0: none */
    uint64_t n_edges, n_self_loops;
    uint32_t *next;            /* [room] places that got their level */
    uint64_t n_next, room, at; /* at: where they go in the list */
    int status;
    char fill[64];
};

struct mw_validation {
    const struct mw_edges *edges;
    struct mw_comm *comm;
    struct mw_partition partition;
    uint64_t n_places;
    const void *parent;
    bool wide;          /* the parents are 64 bits */
    uint32_t last;      /* level that the search ended at; MW_NO_LEVEL: where it had to */
    uint32_t *level;    /* [n_places] of `levels` */
    uint8_t *confirmed; /* [n_places] the tuple (place, its parent) was seen; as level */
    /* Of all ranks of the host, `stride` places each by their number there: what a tuple is judged
     * by that has both its ends here. Of confirmed[] any rank sets any byte, to 1. */
    bool shared; /* else they are of this rank alone, and others' tuples travel */
    uint64_t stride;
    uint32_t *levels;
    uint8_t *all_confirmed;
    void *
        parents; /* a copy; NULL until there is a tree, and where parent[] is all there is */
    /* Whose parent a place is: children[first_child[p] .. first_child[p + 1]), as the
     * input numbers them. */
    uint64_t *first_child; /* [n_places + 2] */
    void *children;        /* [n_children], as parent */
    uint32_t depth;        /* of `list` */
    uint32_t *list;        /* places */
    uint64_t *list_end;    /* children of list[0..i] */
    uint64_t n_list;
    struct mw_validation_lane *lane; /* [n_lanes] */
    uint32_t n_lanes;
};

/* The parent of a place, or MW_NO_VERTEX. */
MW_FN mw_vid mw_parent_at(const struct mw_validation *v, uint64_t place)
{
    const uint64_t none = v->wide ? UINT64_MAX : UINT32_MAX;
    const uint64_t parent = mw_number(v->parent, place, v->wide);
    return parent == none ? MW_NO_VERTEX : parent;
}

MW_FN void mw_wrong(struct mw_validation_lane *l, uint32_t rule, mw_vid a, mw_vid b,
                    uint32_t level_a, uint32_t level_b)
{
    if (l->worst.rule == 0 || rule < l->worst.rule) {
        const struct mw_fault f = {rule, a, b, level_a, level_b};
        l->worst = f;
    }
    l->n_wrong[rule]++;
}

struct bfs_validate_kernels {
    mw_kernel *child_generate, *child_handle; /* who is whose child */
    mw_kernel *walk_generate, *walk_handle;
    mw_kernel *edge_generate, *edge_tell, *edge_judge;
};

/* Its sweeps: before the children, between two steps of the walk, and after the tuples:
 * what was reached, and was each parent seen as a neighbour? */
mw_kernel mw_validation_forget, mw_validation_list, mw_validation_tally;

/* All that it runs on cores. */
extern const struct mw_row_table mw_validation_table;

MW_END_DECLS
#endif
