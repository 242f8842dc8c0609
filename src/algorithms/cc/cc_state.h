/* cc_state.h -- what the kernels of one run share.
 *
 * comp[] only ever falls, and a value is always a vertex of the same component. So records may
 * come late, twice and in any order, and a vertex may be read while it is written: what is
 * missed now is told in the next round. The run is over when no comp[] has changed in a round.
 * In that state the ends of every edge agree: the last value of each was told to the other.
 *
 * Where hosts unite what they hear in forests of theirs, roots there are in the place of comp[], which is written once,
 * at the end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_STATE_H
#define CC_STATE_H

#include "graph/graph.h"
#include "shuffle/job.h"

MW_BEGIN_DECLS

#define CC_NONE UINT64_MAX

enum {
    CC_FIRST_ENTRIES = 2, /* of each row, that a sample has */
    /* Places, whose rows and then whose neighbours are fetched before they are asked for: guesses. */
    CC_FAR_AHEAD = 16,
    CC_NEAR_AHEAD = 8
};

/* What sweeps find. */
struct cc_counts {
    uint64_t n_left, n_units; /* vertices that are left, and what they tell */
    uint64_t n_searched;      /* places that the search has reached */
    uint64_t n_fallen; /* of those, whose component has fallen since the last look */
    mw_vid reached;    /* the smallest one here that the search has reached */
};

struct cc_state {
    const struct mw_graph *g;
    const void *parent;          /* [n_places] of the search; all ones: not reached */
    const uint32_t *reached_bit; /* by label, in place of parents; NULL: those say it */
    void *comp;                  /* [n_places], 32 or 64 bits */
    bool cut;       /* the search was: those it has reached are left as well */
    mw_vid reached; /* the smallest vertex that the search has reached */
    /* The search was cut, and is forgotten: the forest is of all vertices. On one host cores unite a sample of their
     * edges first, and who is not in the largest tree of it, that of the vertex `largest`, is left. */
    bool of_all;
    mw_vid largest;
    bool settles_all; /* all vertices; else those that are left */
    /* And ranks are of several hosts. Each unites all its edges, who has a neighbour at another one is left, and what
     * they hear in rounds is united, too. Rank r is of host_of[r], and this one of `host`. */
    bool by_hosts;
    uint32_t host;
    const uint32_t *host_of;
    /* [n_vertices], as wide as comp[]: what the cores of a host's ranks make trees of (cc_shared.h), and whom this one
     * plants of all; with one rank comp[] itself; a device's own, of several that tell each other edges (cc_told.h).
     * Where the search was not cut only who is left has a place. */
    void *forest;
    mw_vid first_planted;
    uint64_t n_planted;
    /* Of this rank's places: one a core, if a stretch is one of vertices, too; else as many a core as there are ranks. */
    uint32_t n_stretches;
    bool has_own_stretches;
    /* The vertices that columns name, of which this rank's begin at first_column: g->name, or with one rank its places,
     * of 32 bits. */
    const void *names;
    bool wide_names;
    uint64_t first_column;
    /* Those that are left, as labels, and what they tell in a round: an entry of their row
     * each, and their last representative. */
    uint32_t *left;     /* [n_labels] */
    uint64_t *left_end; /* [n_labels] units of left[0..i] */
    mw_vid *was, *is;   /* [n_labels] comp as of the last round and of this one */
    uint64_t
        *size; /* [n_places] vertices, by representative; only while they are counted */
    struct cc_counts *counts;
    /* Devices of several ranks that tell each other the edges of who is left: both ends of mine, and somebody's. */
    uint32_t *told; /* [2 * most of struct cc_told] */
    const uint32_t *its_told;
    uint64_t n_its;
};

/* Rows of the table (cc.c) that are sweeps. */
enum {
    CC_REACHED = 8,
    CC_SEARCHED,
    CC_BEGIN,
    CC_UNITS,
    CC_LOOK,
    CC_PLANT,
    CC_UNITE_STRETCHES,
    CC_UNITE_LEAVING,
    CC_REST,
    CC_UNITE,
    CC_SETTLE,
    CC_UNITE_ROWS,
    CC_BORDER,
    CC_TELL_EDGES,
    CC_PLANT_TOLD,
    CC_UNITE_TOLD,
    CC_ROWS
};

struct cc_kernels {
    mw_kernel *tell, *ask, *answer, *hear; /* a round */
    mw_kernel *belong, *count;             /* sizes */
};
MW_STATIC_ASSERT(sizeof(struct cc_kernels) == 6 * sizeof(mw_kernel *),
                 "portability/athread/kernels.h counts them");

struct cc_sweeps {
    mw_kernel *reached, *searched, *begin; /* of what the search has left */
    mw_kernel *units, *look;               /* before rounds, and between them */
    /* Instead of rounds. */
    mw_kernel *plant, *unite_stretches, *unite_leaving, *rest, *unite, *settle;
    mw_kernel *unite_rows, *border;                  /* before those of hosts */
    mw_kernel *tell_edges, *plant_told, *unite_told; /* devices, instead */
};

MW_END_DECLS
#endif
