/* bfs.h -- direction-optimising breadth-first search on one graph, again and again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BFS_H
#define MW_BFS_H

#include "algorithms/bfs/form.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* Its options are a struct mw_direction_rule, its steps are called by enum mw_direction, and its
 * numbers are parents: the root's is the root, an unreached vertex has none. */
extern const struct mw_algorithm mw_algorithm_bfs;

extern const struct mw_algorithm mw_algorithm_bfs_async; /* bfs_async.h */
extern const struct mw_keys mw_bfs_keys;

/* What it counts of a level beyond what all algorithms do. */
enum mw_bfs_counter {
    MW_BFS_UNVISITED_EDGES, /* edges out of vertices not reached yet, before the level */
    MW_BFS_FORM,            /* of a bottom-up level: enum mw_level_form */
    MW_BFS_MESSAGES_S,      /* estimates, where there was a choice */
    MW_BFS_BITMAP_S,
    MW_BFS_MIXED_S,
    MW_BFS_ROUNDS, /* of questions */
    MW_BFS_QUESTIONS,
    MW_BFS_ANSWERS,         /* the asked vertex was visited */
    MW_BFS_HUBS_EXCHANGED,  /* before the level */
    MW_BFS_HUB_FLAGS,       /* ranks that had nothing new: the empty flag */
    MW_BFS_HUB_BYTES,       /* part of n_bytes */
    MW_BFS_DROPPED,         /* records not made: their hub was visited */
    MW_BFS_DELEGATED_EDGES, /* part of n_active_edges: expanded where they lead to */
    MW_BFS_SLICED_EDGES, /* part of n_active_edges: a core each for the labels they lead to */
    MW_BFS_DELEGATED_BYTES, /* part of n_bytes: who is active among the delegated */
    MW_BFS_TOLD,            /* words that all ranks hear, of a level of few edges */
    MW_BFS_FOLLOW_WORDS, /* records of bits, to those who follow a vertex (bfs_follow.h) */
    MW_BFS_FOLLOWED,     /* vertices that found a parent by one */
    MW_BFS_HOST_MESSAGES, /* sets and lists from a host to another one; not in n_batches */
    MW_BFS_COUNTERS
};

/* Local, after a search whose goal was `reached_only`: a bit for each label here, in words of 32 bits of cores, until
 * the next search; there is no answer then. NULL: its answer says it. */
const uint32_t *mw_bfs_reached(const struct mw_traversal *t);
/* Can the cores of the backend run all levels of a rank by themselves? */
bool mw_bfs_has_whole(const struct mw_backend *backend);
/* Can they tell a level of few edges (bfs_few.h)? Else it is records, as every level. */
bool mw_bfs_tells(const struct mw_backend *backend);
/* Do rows follow whom they would ask first (bfs_follow.h)? The oracle and meshes ask as
 * the paper does, and devices. */
bool mw_bfs_follows(const struct mw_backend *backend, const struct mw_means *means);

MW_END_DECLS
#endif
