/* bfs.h -- direction-optimising breadth-first search on one graph, again and again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BFS_H
#define MW_BFS_H

#include "algorithms/direction.h"
#include "algorithms/form.h"
#include "graph/graph.h"
#include "mpe/pipeline.h"
#include "mpe/world.h"

MW_BEGIN_DECLS

/* One level of one search; sums over all ranks, the time is this rank's. */
struct mw_level {
    enum mw_direction direction;
    uint64_t n_active;          /* vertices that the level starts from */
    uint64_t n_active_edges;    /* edges out of them */
    uint64_t n_unvisited_edges; /* edges out of vertices not reached yet */
    uint64_t n_found;           /* vertices that the level reached */
    uint64_t n_records;         /* sent between ranks, first hop and second */
    uint64_t n_batches;
    uint64_t n_bytes;                    /* of batches, bitmaps and hubs, between ranks */
    uint64_t n_of_size[MW_SIZE_CLASSES]; /* of n_batches */
    struct mw_job_count jobs;
    double time_s;

    enum mw_level_form form;          /* of a bottom-up level; AUTO: it is top-down */
    struct mw_form_estimate estimate; /* where there was a choice; else negative */
    uint32_t n_rounds;                /* of questions */
    uint64_t n_questions, n_answers;  /* answers: the asked vertex was visited */
    bool hubs_exchanged;              /* before the level */
    uint32_t n_hub_flags;             /* ranks that had nothing new: the empty flag */
    uint64_t n_hub_bytes;             /* part of n_bytes */
    uint64_t n_dropped;               /* records not made: their hub was visited */
};

/* Of n_batches, those below so many bytes, a power of two from 32 on. */
MW_FN uint64_t mw_level_batches_below(const struct mw_level *l, uint64_t bytes)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < mw_size_class(bytes); k++)
        n += l->n_of_size[k];
    return n;
}

enum { MW_LEVELS_KEPT = 256 }; /* of a search; of a longer one the first ones */

/* Where a search ends before it has reached all it could. */
struct mw_bfs_goal {
    uint32_t max_depth; /* the last level; UINT32_MAX: any */
    mw_vid target;      /* the level that it is on is the last; MW_NO_VERTEX: none */
};

struct mw_bfs;

/* What the memory of a search follows from. */
struct mw_bfs_shape {
    uint64_t n_places, n_labels;
    uint32_t label_bits;
    bool wide;
    struct mw_means means;
};

/* Local: what mw_bfs_new() takes. */
void mw_bfs_sizes(const struct mw_bfs_shape *shape, const struct mw_world_shape *world,
                  struct mw_sizes *out);

/* Collective; borrows world and graph. */
int mw_bfs_new(const struct mw_direction_rule *rule, struct mw_world *world,
               const struct mw_graph *graph, struct mw_bfs **out) MW_NODISCARD;
void mw_bfs_free(struct mw_bfs *b); /* collective */

/* Collective. Forgets the last search; not part of the timed search (the reference
 * resets its parents outside the clock as well). */
int mw_bfs_reset(struct mw_bfs *b) MW_NODISCARD;

/* Collective. Searches from `root`, numbered as in the input; when it returns, this
 * rank's parents are in memory in the input's numbering. mw_bfs_reset() comes before. */
int mw_bfs_search(struct mw_bfs *b, mw_vid root) MW_NODISCARD;

/* Local, the same at all ranks: for the searches from now on. At first there is no goal. */
void mw_bfs_stop_at(struct mw_bfs *b, const struct mw_bfs_goal *goal);

/* Local, after a search: the level that the goal made the last one, and so complete;
 * UINT32_MAX without one. Whether the target was reached: false without one. */
uint32_t mw_bfs_last_level(const struct mw_bfs *b);
bool mw_bfs_found(const struct mw_bfs *b);

/* Collective, after a search that has reached v on level `depth`: the tree's path to it,
 * path[0] the root, path[depth] v. */
int mw_bfs_path(const struct mw_bfs *b, mw_vid v, uint32_t depth, mw_vid *path)
    MW_NODISCARD;

/* Local, after a search. Vertex v = place * n_ranks + rank is at [place]; the parent of
 * the root is the root, of an unreached vertex MW_NO_VERTEX. */
mw_vid mw_bfs_parent(const struct mw_bfs *b, uint64_t place);
const void *mw_bfs_parents(const struct mw_bfs *b); /* [n_places], 32 or 64 bits */
uint32_t mw_bfs_n_levels(const struct mw_bfs *b);   /* greatest level + 1 */

/* Collective, after a search: the levels, summed over the ranks. Borrowed until the next
 * search; *n of them. */
int mw_bfs_levels(struct mw_bfs *b, const struct mw_level **level, uint32_t *n)
    MW_NODISCARD;

/* What the first look of bottom-up is built with: "avx512", "portable". Local. */
const char *mw_bfs_heads_name(const struct mw_bfs *b);

/* How its levels go: what of the rule has an effect here. Local. */
struct mw_means mw_bfs_means(const struct mw_bfs *b);

/* Distinct ranks that this one has sent batches to since mw_bfs_new(). Local. */
uint64_t mw_bfs_n_peers(const struct mw_bfs *b);

MW_END_DECLS
#endif
