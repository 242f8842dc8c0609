/* bfs_search.h -- one search's parts between the files that make it: bfs_setup.c (memory),
 * bfs_messages.c (bottom-up by messages), bfs.c (the level loop and the rest).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_SEARCH_H
#define BFS_SEARCH_H

#include "algorithms/bfs.h"
#include "algorithms/bfs_state.h"
#include "mpe/pipeline.h"

MW_BEGIN_DECLS

struct mw_bfs {
    struct bfs_state s;
    struct mw_direction_rule rule;
    struct mw_world *world;
    struct mw_pipeline *pipeline;
    const char *heads_name;
    struct mw_bfs_goal goal;
    bool found;        /* its target, by the last search */
    uint32_t n_levels; /* of the last search that ran, the root's included */
    uint32_t n_kept;
    struct mw_level level[MW_LEVELS_KEPT];
    uint64_t visited_edges; /* out of visited vertices, all ranks */
    bool listed;            /* s.list is the frontier; otherwise s.fresh is */

    struct mw_means means;
    uint32_t n_bottom_up; /* levels of this search, where levels choose their form */
    struct mw_form_rates rates;  /* when levels choose their form */
    uint32_t forward, questions; /* modules of a top-down level, and of questions */
    double look_s, talk_s;       /* of this bottom-up level, on this rank */
    bool hubs_changed;           /* since the lanes have last heard of them */
};

/* Local: edges of the frontier, or questions, of this rank: the work of both sources. */
uint64_t bfs_listed_units(void *state);

/* Local. Runs a sweep over this rank's own data on all its cores. */
void bfs_sweep(struct mw_bfs *b, mw_kernel *kernel);

/* Collective. One exchange of hubs, counted in `level`. */
int bfs_exchange_hubs(struct mw_bfs *b, uint32_t n_hubs, struct mw_level *level)
    MW_NODISCARD;

/* Collective. A bottom-up level by messages: s.fresh and the lanes' counts are what it
 * reached. */
int bfs_bottom_up_messages(struct mw_bfs *b, struct mw_level *level) MW_NODISCARD;

MW_END_DECLS
#endif
