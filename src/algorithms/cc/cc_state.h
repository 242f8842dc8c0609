/* cc_state.h -- what the kernels of one run share.
 *
 * comp[] only ever falls, and a value is always a vertex of the same component. So records may
 * come late, twice and in any order, and a vertex may be read while it is written: what is
 * missed now is told in the next round. The run is over when no comp[] has changed in a round.
 *
 * In that state the ends of every edge agree: the last value of each was told to the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_STATE_H
#define CC_STATE_H

#include "graph/graph.h"
#include "shuffle/job.h"

MW_BEGIN_DECLS

#define CC_NONE UINT64_MAX

enum { CC_FIRST_ENTRIES = 2 }; /* of each row, that a sample has */

/* What sweeps find. */
struct cc_counts {
    uint64_t n_left, n_units; /* vertices that are left, and what they tell */
    uint64_t n_fallen; /* of those, whose component has fallen since the last look */
    mw_vid reached;    /* the smallest one here that the search has reached */
};

struct cc_state {
    const struct mw_graph *g;
    const void *parent; /* [n_places] of the search; all ones: not reached */
    void *comp;         /* [n_places], 32 or 64 bits */
    bool cut;           /* the search was: those it has reached are left as well */
    mw_vid reached;     /* the smallest vertex that the search has reached */
    /* Ranks unite their own edges before rounds: until then comp[] has places of this rank instead of
     * vertices, and so has `reached`. */
    bool in_places;
    /* The search was cut, and the cores of one rank of a host unite a sample of the edges first: who is not in the
     * largest tree of it, whose root is the place `largest`, is left. */
    bool sampled;
    uint64_t largest;
    /* Those that are left, as labels, and what they tell in a round: an entry of their row
     * each, and their last representative. */
    uint32_t *left;     /* [n_labels] */
    uint64_t *left_end; /* [n_labels] units of left[0..i] */
    mw_vid *was, *is;   /* [n_labels] comp as of the last round and of this one */
    uint64_t
        *size; /* [n_places] vertices, by representative; only while they are counted */
    struct cc_counts *counts;
    /* Several ranks that tell each other the edges of who is left (cc_told.h): both ends of mine; somebody's; and the
     * forest that they make, of which only vertices that are left have a place. */
    uint32_t *told; /* [2 * most of struct cc_told] */
    const uint32_t *its_told;
    uint64_t n_its;
    uint32_t *forest; /* [n_vertices] */
};

/* Rows of the table (cc.c) that are sweeps. */
enum {
    CC_REACHED = 8,
    CC_BEGIN,
    CC_UNITS,
    CC_LOOK,
    CC_UNITE,
    CC_SETTLE,
    CC_UNITE_OWN,
    CC_UNITE_FIRST,
    CC_SETTLE_ALL,
    CC_REST,
    CC_NAME_OWN,
    CC_BORDER,
    CC_FOLLOW,
    CC_TELL_EDGES,
    CC_PLANT,
    CC_UNITE_TOLD,
    CC_SETTLE_TOLD,
    CC_ROWS
};

struct cc_kernels {
    mw_kernel *tell, *ask, *answer, *hear; /* a round */
    mw_kernel *belong, *count;             /* sizes */
};
MW_STATIC_ASSERT(sizeof(struct cc_kernels) == 6 * sizeof(mw_kernel *),
                 "portability/athread/kernels.h counts them");

struct cc_sweeps {
    mw_kernel *reached, *begin, *units, *look;  /* before rounds, and between them */
    mw_kernel *unite, *settle;                  /* one rank, instead of rounds */
    mw_kernel *unite_own;                       /* several, before rounds */
    mw_kernel *unite_first, *settle_all, *rest; /* around those, with a sample */
    mw_kernel *name_own, *border, *follow;      /* several: around rounds */
    mw_kernel *tell_edges, *plant, *unite_told,
        *settle_told; /* several, instead of rounds */
};

MW_END_DECLS
#endif
