/* traversal.h -- an algorithm on a graph, again and again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TRAVERSAL_H
#define MW_TRAVERSAL_H

#include "devices/table.h"
#include "traversal/rows.h"

MW_BEGIN_DECLS

/* Where a run ends before it has reached all it could. */
struct mw_goal {
    uint32_t max_depth; /* the last level; UINT32_MAX: any */
    mw_vid target;      /* the level that it is on is the last; MW_NO_VERTEX: none */
    bool reached_only;  /* nobody asks for the answer, but for who has one */
    /* Level at which a search by levels ends, if the vertices down to it have less than half of all entries; 0: none.
     * Whole searches of devices and those without levels do not look at it. */
    uint32_t half_by;
};

/* Does the host have to look for a target, level by level? NULL: there is no goal. */
static inline bool mw_goal_is_sought(const struct mw_goal *goal)
{
    return goal != NULL && goal->target != MW_NO_VERTEX;
}

/* Transparent: algorithms write to it, the harness reads it. */
/* A value as the host sees it: copied when it first asks after a run, for what a search leaves on
 * its device is complete there. */
struct mw_mirror {
    void *value; /* [n_places] */
    bool seen;   /* those of the last run */
};

struct mw_traversal {
    const struct mw_algorithm *algorithm;
    struct mw_world *world;
    const struct mw_graph *graph;
    const struct mw_graph *placed; /* the same as kernels get it (placed.h) */
    bool lent;                     /* of another traversal */
    struct mw_mirror
        *mirror; /* [n_values]; NULL: the management core reaches the values */
    struct mw_rows rows;
    struct mw_pipeline *pipeline; /* of the modules; NULL: there are none */
    void *state;                  /* the algorithm's */
    struct mw_table table;        /* of its shared block; all zero: there is none */
    struct mw_goal goal;
    double prepare_s; /* what prepare() took here */
    /* Of the last run. */
    bool found;        /* the goal's target */
    bool is_slow;      /* it has ended at the goal's half_by */
    uint64_t n_walked; /* entries of the levels so far */
    uint32_t n_levels; /* what was reached first included */
    bool asked_trade;  /* whether cores trade records */
    bool settled;      /* the host has waited for its cores, and all is done */
    struct {
        uint64_t n_active, n_active_edges;
    } now;                        /* what the next step starts from, over all ranks */
    double spent_s[MW_SPENT_MAX]; /* of this step, by this rank */
    /* Where levels are kept: of the vertex at each place, and the labels that have theirs. */
    uint32_t *level_at;  /* [n_places]; NULL: they are not */
    uint64_t *has_level; /* [n_labels / 64 + 1] */
    uint32_t n_kept;
    struct mw_level level[MW_LEVELS_KEPT];
};

/* Local: all that mw_traversal_new() takes. */
MW_SHOWN void mw_traversal_sizes(const struct mw_algorithm *algorithm,
                                 const struct mw_algorithm_shape *shape,
                                 const struct mw_world_shape *world,
                                 struct mw_sizes *out);

/* Collective. Borrows world, graph, and options for the call. */
MW_SHOWN int mw_traversal_new(const struct mw_algorithm *algorithm, const void *options,
                              struct mw_world *world, const struct mw_graph *graph,
                              struct mw_traversal **out) MW_NODISCARD;
/* The same beside another traversal, of its world and graph, which it uses: for an algorithm that
 * consists of others. Freed first. */
MW_SHOWN int mw_traversal_beside(const struct mw_traversal *t,
                                 const struct mw_algorithm *algorithm,
                                 const void *options, struct mw_traversal **out)
    MW_NODISCARD;
MW_SHOWN void mw_traversal_free(struct mw_traversal *t); /* collective; NULL is legal */

/* Collective. Forgets the last run; not part of the timed one (the reference resets its parents
 * outside the clock as well). */
MW_SHOWN int mw_traversal_reset(struct mw_traversal *t) MW_NODISCARD;

/* Collective, after a reset. From `key`, as the input numbers it, or MW_NO_VERTEX; when
 * it returns, this rank's numbers are in memory in the input's numbering: in that of the
 * cores that searched. */
MW_SHOWN int mw_traversal_run(struct mw_traversal *t, mw_vid key) MW_NODISCARD;

/* The same in pieces, for an algorithm that consists of others: begin, then advance until
 * MW_DONE; *level is what the step did. Collective. */
MW_SHOWN int mw_traversal_begin(struct mw_traversal *t, mw_vid key) MW_NODISCARD;
MW_SHOWN int mw_traversal_advance(struct mw_traversal *t, struct mw_level *level)
    MW_NODISCARD;

/* Local, the same at all ranks: for the runs from now on. At first there is no goal. */
MW_SHOWN void mw_traversal_stop_at(struct mw_traversal *t, const struct mw_goal *goal);
/* Local, after a run: the level that the goal made the last one, and so complete; UINT32_MAX
 * without one. */
MW_SHOWN uint32_t mw_traversal_last_level(const struct mw_traversal *t);
/* Local, in a step: the last level that may be made before the goal is looked at again. */
uint32_t mw_traversal_next_question(const struct mw_traversal *t);

/* Collective, after a run: what its answers say. */
MW_SHOWN int mw_traversal_claim(struct mw_traversal *t, struct mw_verdict *out)
    MW_NODISCARD;
/* Local, after a run: a value of this rank's vertices, by place, as its type has them (algorithm.h).
 * Asked for the first time, they come from where the cores have them. */
MW_SHOWN const void *mw_traversal_values(const struct mw_traversal *t, uint32_t which);
/* Local: the same where the cores have them. */
const void *mw_traversal_values_there(const struct mw_traversal *t, uint32_t which);
/* Local, after a run: of the vertex at a place a vertex or a count, or MW_NO_VERTEX where it has none; and
 * a real, NaN where it has none. */
MW_SHOWN mw_vid mw_traversal_value(const struct mw_traversal *t, uint32_t which,
                                   uint64_t place);
MW_SHOWN float mw_traversal_real(const struct mw_traversal *t, uint32_t which,
                                 uint64_t place);

/* The same of the first value, a vertex or a count. */
MW_SHOWN const void *mw_traversal_numbers(const struct mw_traversal *t);
MW_SHOWN mw_vid mw_traversal_number(const struct mw_traversal *t, uint64_t place);

/* Collective, for an algorithm that has levels: from now on runs keep the level of each
 * vertex, which costs them a walk over a bitmap per step. */
MW_SHOWN int mw_traversal_keep_levels(struct mw_traversal *t) MW_NODISCARD;
extern const struct mw_row mw_traversal_row; /* that walk */
struct mw_traversal_sweeps {
    mw_kernel *levels;
};
/* Local, after a run: MW_NO_LEVEL for a vertex that was not reached, and where none are kept. */
#define MW_NO_LEVEL UINT32_MAX
MW_SHOWN uint32_t mw_traversal_level(const struct mw_traversal *t, uint64_t place);

/* Collective, after a run whose numbers are parents and which has reached v on level `depth`: the
 * tree's path to it, path[0] the root, path[depth] v. */
MW_SHOWN int mw_traversal_path(const struct mw_traversal *t, mw_vid v, uint32_t depth,
                               mw_vid *path) MW_NODISCARD;

/* Collective, after a run: the levels, summed over the ranks. Borrowed until the next run; *n of
 * them. Once a run. */
MW_SHOWN int mw_traversal_levels(struct mw_traversal *t, const struct mw_level **level,
                                 uint32_t *n) MW_NODISCARD;

/* Distinct ranks that this one has sent batches to since mw_traversal_new(). Local. */
MW_SHOWN uint64_t mw_traversal_n_peers(const struct mw_traversal *t);

/* ---- for steps ---- */

/* Collective. Runs the modules of an exchange; between two exchanges lies some collective. */
MW_SHOWN int mw_traversal_exchange(struct mw_traversal *t, uint32_t exchange)
    MW_NODISCARD;
/* The same without levels: until nobody has anything left, by the algorithm's refill(). Adds to *n_rounds how
 * often that found something here. */
MW_SHOWN int mw_traversal_exchange_async(struct mw_traversal *t, uint32_t exchange,
                                         uint64_t *n_rounds) MW_NODISCARD;
/* Local. Runs a sweep on all cores of this rank. */
MW_SHOWN void mw_traversal_sweep(struct mw_traversal *t, uint32_t row);
/* The same: what it makes of a word of cores that is `at_first` before. */
MW_SHOWN uint64_t mw_traversal_sweep_word(struct mw_traversal *t, uint32_t row,
                                          uint64_t *word, uint64_t at_first);
/* Local: all vertices start. */
MW_SHOWN void mw_traversal_all_start(struct mw_traversal *t);

MW_END_DECLS
#endif
