/* model_profile.h -- what searches of a real graph asked of their messages, level by level,
 * as shares, so that they can be scaled.
 *
 * Shares are of the graph's row entries (both ends of each distinct edge). Nothing here is a
 * time: counts come from runs, times from the model. Two sources, both measured:
 *
 *   the run       levels, directions, edges, and the records that the program sent
 *   the count     what the paper's own form would send, hubs known (model_count.h)
 *
 * How many hubs a node has per vertex depends on the size to be modelled, so the count holds
 * a column for each share of hubs 2^-MW_HUB_FIRST .. 2^-MW_HUB_LAST.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_PROFILE_H
#define MW_MODEL_PROFILE_H

#include "algorithms/bfs/direction.h"
#include "base/status.h"

MW_BEGIN_DECLS

enum {
    MW_HUB_FIRST = 4, /* one vertex of 16 */
    MW_HUB_LAST = 14,
    MW_N_HUB_SHARES = MW_HUB_LAST - MW_HUB_FIRST + 1,
    MW_PROFILE_LEVELS = 24, /* kept of a search */
    MW_PROFILE_SEARCHES = 64,
    MW_PROFILE_NAME = 96
};

/* A level when the most connected 2^-k of the vertices are hubs; shares of the entries. */
struct mw_hub_count {
    double reads;   /* entries that the generator looks at */
    double records; /* top-down: forward; bottom-up: questions, backward */
    double hits;    /* bottom-up: answers, forward */
    bool active;    /* some hub is in the frontier */
};

struct mw_profile_level {
    enum mw_direction direction;
    double active;    /* entries of the frontier */
    double unvisited; /* entries of what is not reached */
    double records; /* made by the run, each counted once, hops and own rank taken out */
    bool sent;      /* the run told its records; else it used a bitmap */
    struct mw_hub_count hub[MW_N_HUB_SHARES];
};

struct mw_profile_search {
    double n_edges; /* of the input tuples: what TEPS counts */
    uint32_t n_levels;
    struct mw_profile_level level[MW_PROFILE_LEVELS];
};

struct mw_profile {
    char title[MW_PROFILE_NAME], machine[MW_PROFILE_NAME], date[16];
    uint32_t scale, edgefactor, n_ranks;
    double entries_per_vertex; /* of all vertices, isolated ones too */
    double connected;          /* share of vertices that have an edge */
    bool counted;              /* hub[] is filled */
    uint32_t n_searches;
    struct mw_profile_search search[MW_PROFILE_SEARCHES];
};

MW_END_DECLS
#endif
