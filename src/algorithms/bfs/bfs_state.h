/* bfs_state.h -- what the kernels of one traversal share.
 *
 *      f          the frontier, and what this level has reached: traversal/frontier.h. Its
 *                 bitmap `visited` is as of the start of the level.
 *      known      the same over the columns of all ranks; `visited` is then a part of it.
 *                 NULL when levels are never searched by bitmap: it is the one thing here
 *                 that grows with all of n. One per host, in shared memory; a rank writes
 *                 its own portion, and never while anybody searches bottom-up: then it is the
 *                 whole truth. In a top-down level the portions of others may be older or
 *                 newer; both are right, a bit says that there is no use in sending.
 *      visited_hubs  the same over the first labels of every rank (hubs.h).
 *      seen       per lane, private: what this core has already dealt with. It saves work
 *                 and is never trusted: a stale bit only costs a look at parent[], which
 *                 decides. Over all columns where there is `known`, else over the own
 *                 labels and everybody's hubs: enum bfs_seen.
 *      parent     by place, in the input's numbering.
 *      waiting    bitmap over places: perhaps still without a parent.
 *      asking     over labels: what is known here found nothing, owners must be asked.
 *      unnamed    over labels, where the graph has no table of names: parent[] is the parent's
 *                 column, whose owner is asked for its name when the search is over.
 *
 * The frontier's marks are over labels. In a top-down level they are what is claimed, in a
 * bottom-up level that reads heads those whose head was not visited: rows must look.
 *
 * A vertex whose parent was in an earlier level would have been reached then, so in a
 * bottom-up level any visited neighbour (in a directed graph: with an edge to it) is a parent: no frontier bitmap is needed. That
 * holds for whoever looks, in `known`, in `visited`, in `visited_hubs` or at a question's
 * owner, as long as a bit is never set before the level is over: all four are written
 * between levels only, and a question is answered from `visited`, not from parent[]. A bit that
 * is missing is another matter. In `known`, `visited` and the prefix of visited_hubs that the
 * level has exchanged it means "not visited"; nothing else may be read as a no, which is why
 * what lies beyond the prefix is asked for.
 *
 * Two cores may claim the same vertex in one top-down level; both parents are right, the
 * later store wins, and the label has one mark however many set it. So no update needs an
 * atomic, only stores that do not tear.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_STATE_H
#define BFS_STATE_H

#include "algorithms/bfs/bfs_delegates.h"
#include "algorithms/bfs/bfs_few.h"
#include "algorithms/bfs/bfs_follow.h"
#include "algorithms/bfs/bfs_slices.h"
#include "algorithms/bfs/bfs_whole.h"
#include "algorithms/bfs/heads.h"
#include "algorithms/bfs/hubs.h"
#include "graph/graph.h"
#include "shuffle/job.h"
#include "traversal/frontier.h"
#include "traversal/sweep.h"

MW_BEGIN_DECLS

/* What `seen` has bits for, and whether hubs are looked up in it. */
enum bfs_seen {
    BFS_COLUMNS,          /* all columns */
    BFS_COLUMNS_AND_HUBS, /* the same, and drops because of hubs are counted */
    BFS_OWN_AND_HUBS,
    BFS_SEEN_KINDS
};

struct bfs_lane {
    uint64_t *seen;     /* [n_seen_words] */
    uint64_t n_dropped; /* records to hubs that are known to be visited */
    uint64_t n_questions, n_answers;
    uint64_t n_words, n_followed; /* told to those who follow; who found a parent by it */
    char fill[64];
};

/* The tables of visited_hubs, where cores reach them. */
struct bfs_hub_tables {
    uint64_t *visited;        /* [n_ranks * n_words] */
    uint32_t *place;          /* [n_ranks * n_hubs] */
    uint64_t n_words, n_hubs; /* of a rank */
};

struct bfs_crew;

struct bfs_state {
    const struct mw_graph *g;
    void *parent;    /* [n_places], 32 or 64 bits; all ones: none */
    uint64_t *known; /* [n_columns / 64], shared by the host if it reaches it; or NULL */
    bool clears_known;    /* for all that share it */
    uint64_t *waiting;    /* [n_places / 64 + 1] */
    struct mw_frontier f; /* its list is in a bottom-up level those who ask */
    struct mw_sweep *sweep;
    struct bfs_lane *lane;
    uint32_t n_lanes, first_idle; /* lanes from first_idle on run no sweep */
    uint64_t
        root_place; /* of a root that is mine; UINT64_MAX, in a whole search: another's */
    mw_vid root;
    bool waiting_valid;  /* false: `connected` stands for it */
    uint64_t first_leaf; /* labels from here on have one neighbour inwards at most */
    bool heads_first;    /* this bottom-up level reads the heads before the rows */
    mw_heads *heads;     /* the fastest this processor has */

    struct bfs_whole *whole; /* NULL: the management core runs the levels */

    struct bfs_delegates delegates;
    struct bfs_slices slices;
    struct bfs_crew *crew; /* of small levels; NULL: none */
    struct bfs_follow follow;
    struct mw_list_share *said;   /* of levels of few edges; NULL: none is told */
    bool heard_all;               /* what was said was whole */
    struct mw_hubs *visited_hubs; /* NULL: none */
    struct bfs_hub_tables hubs;
    uint32_t n_drop_hubs;      /* per rank: to these, top-down need not send */
    uint32_t n_look_hubs;      /* per rank: these need not be asked for */
    uint64_t drop_below;       /* labels that the sweep `drop` takes off the list */
    uint64_t *asking;          /* [n_words]; NULL: never by messages */
    uint64_t *unnamed;         /* [n_words]; NULL: all names are known here */
    uint64_t ask_from, ask_to; /* entries beyond the hubs that this round asks for */
    bool look_at_own;          /* false: own vertices are asked like any other */
    /* Bits of `seen`: n_seen_words of them, where mine begin, where the hubs of rank 0, and
     * from one rank's to the next one's. */
    enum bfs_seen seen_kind;
    uint64_t n_seen_words, seen_own, seen_hubs, seen_stride;
};

MW_FN bool bfs_has_parent(const struct bfs_state *s, uint64_t place, bool wide)
{
    return mw_load(s->parent, place, wide) != (wide ? UINT64_MAX : UINT32_MAX);
}

MW_FN void bfs_set_parent(const struct bfs_state *s, uint64_t place, mw_vid parent,
                          bool wide)
{
    mw_store(s->parent, place, parent, wide);
}

MW_FN bool bfs_hub_is_visited(const struct bfs_state *s, uint32_t owner, uint32_t label)
{
    return mw_bit(s->hubs.visited + (uint64_t)owner * s->hubs.n_words, label);
}

/* The first entry of a row inwards that is none of so many hubs of each rank. Rows are sorted by
 * label, then by owner. */
MW_FN uint64_t bfs_beyond_hubs(const struct mw_graph *g, uint32_t n_hubs, uint64_t label,
                               bool wide)
{
    const uint32_t label_bits = g->label_bits;
    uint64_t low = g->in_row[label], high = g->in_row[label + 1];
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (mw_column_label(mw_number(g->in_column, mid, wide), label_bits) < n_hubs)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* `name`: what a kernel does whose cores mark what they reach and list nothing. */
#define BFS_CLAIMS(name, kernel)                                                         \
    static void name(struct mw_cpe *self, void *arg)                                     \
    {                                                                                    \
        const struct mw_job *const job = (const struct mw_job *)arg;                     \
        kernel(self, arg);                                                               \
        mw_frontier_unlisted(&((const struct bfs_state *)job->state)->f, self->lane);    \
    }

/* By narrow or wide columns. */
struct bfs_kernels {
    mw_kernel *generate[2][BFS_SEEN_KINDS], *handle[2];
    mw_kernel *ask[2], *reply;
    mw_kernel *ask_name[2], *hear_name;
    mw_kernel *tell_followers, *follow[2]; /* bfs_follow.h; NULL: none */
};
MW_STATIC_ASSERT(sizeof(struct bfs_kernels) == 17 * sizeof(mw_kernel *),
                 "portability/athread/kernels.h counts them");

/* Sweeps over this rank's own data. */
struct bfs_sweeps {
    mw_kernel *heads, *rows, *refresh, *absorb, *lookup, *join;
    mw_kernel *reset, *start, *askers;
    mw_kernel *pieces, *tell, *drop;      /* bfs_delegates.c */
    mw_kernel *prepare, *whole, *recount; /* bfs_whole.h; NULL: none */
    mw_kernel *slices;                    /* bfs_slices.h; NULL: none */
    mw_kernel *say, *hear;                /* bfs_few.h; NULL: none */
    mw_kernel *alone, *crew;              /* bfs_crew.h; NULL: none */
};

MW_END_DECLS
#endif
