/* validation.h -- the state that the validator's kernels share; see validate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_VALIDATION_H
#define MW_VALIDATION_H

#include "algorithms/validate.h"
#include "graph/graph.h"
#include "graph/partition.h"
#include "mpe/pipeline.h"

MW_BEGIN_DECLS

struct mw_fault {
    uint32_t rule;
    mw_vid u, v;
    uint32_t level_u, level_v;
};

struct mw_validation_lane {
    uint64_t n_wrong[MW_RULE_EDGES + 1];
    struct mw_fault first; /* rule 0: none */
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
    uint32_t *level;    /* [n_places] */
    uint8_t *confirmed; /* [n_places] the tuple (place, its parent) was seen */
    /* Whose parent a place is: children[first_child[p] .. first_child[p + 1]), as the
     * input numbers them. */
    uint64_t *first_child; /* [n_places + 2] */
    void *children;        /* [n_children], as parent */
    uint32_t depth;        /* of `list` */
    uint32_t *list;        /* places */
    uint64_t *list_end;    /* children of list[0..i] */
    uint64_t n_list;
    struct mw_validation_lane *lane;
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
    if (l->first.rule == 0) {
        const struct mw_fault f = {rule, a, b, level_a, level_b};
        l->first = f;
    }
    l->n_wrong[rule]++;
}

struct mw_validation_kernels {
    mw_kernel *child_generate, *child_handle; /* who is whose child */
    mw_kernel *walk_generate, *walk_handle;
    mw_kernel *edge_generate, *edge_tell, *edge_judge;
};
extern const struct mw_validation_kernels mw_validation_serial, mw_validation_host;

/* After the tuples: what was reached, and was each parent seen as a neighbour? */
mw_kernel mw_validation_tally;

MW_END_DECLS
#endif
