/* bfs_search.h -- one search's parts between the files that make it: bfs_table.c (what it consists
 * of), bfs_setup.c (memory), bfs.c (the level loop), bfs_messages.c (bottom-up by messages).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_SEARCH_H
#define BFS_SEARCH_H

#include "algorithms/bfs/bfs.h"
#include "algorithms/bfs/bfs_state.h"
#include "mpe/pipeline.h"
#include "mpe/set_share.h"

MW_BEGIN_DECLS

/* What a level has reached, and the time it took, of this rank or of all. */
struct bfs_tally {
    uint64_t n_found, n_edges;             /* vertices, and edges out of them */
    uint64_t n_delegated, delegated_edges; /* delegated ones among them */
    uint64_t hub_edges; /* out of hubs among them, where forms are chosen */
    /* For estimates, of bottom-up levels: */
    uint64_t n_questions, look_ns, talk_ns;
};
enum {
    BFS_TALLIED = sizeof(struct bfs_tally) / sizeof(uint64_t),
    BFS_TALLIED_ALWAYS = offsetof(struct bfs_tally, n_questions) / sizeof(uint64_t)
};

/* The state of the algorithm; kernels and sweeps get it as what it begins with. */
struct mw_bfs {
    struct bfs_state s;
    struct mw_traversal *t;
    const struct mw_graph *g; /* as the management core has it; s.g is the kernels' */
    /* Where the management core does not reach the state: what it sees of it (placed.h). */
    uint64_t *known_of_host;    /* [n_columns / 64] shared by the host */
    uint64_t *hub_words;        /* of my visited hubs */
    struct mw_set_share *share; /* of bitmaps, between hosts */
    struct mw_peers peers;      /* of searches that are whole, of several ranks */
    struct mw_trade *trade;     /* the same where those are linked; the world's */
    uint32_t *linked;           /* their block of mine, of cores */
    const char *why_apart; /* of several ranks: why neither is; NULL: for other reasons */
    uint64_t *
        told; /* [host_size portions] of `known`: what other hosts know; the lowest rank's */
    uint64_t n_shared;     /* vertices visited when `known` was last shared; all ranks */
    uint64_t shared_bytes; /* that this rank has sent for it in this level */
    struct mw_direction_rule rule;
    struct mw_world *world;
    const char *heads_name;
    enum mw_direction direction;       /* of the last level */
    uint64_t n_visited, visited_edges; /* edges out of visited vertices; all ranks */

    struct mw_means means;
    uint32_t n_bottom_up; /* levels of this search, where levels choose their form */
    struct mw_form_rates rates; /* when levels choose their form */
    bool has_rates;
    double look_s, talk_s;   /* of this bottom-up level, on this rank */
    struct bfs_tally last;   /* of the last level, that is of the frontier; all ranks */
    struct bfs_tally behind; /* of the last level that a crew has made (bfs_crew.h) */
    uint64_t n_swaps; /* messages between hosts, of sets and lists, before this level */
    bool runs_whole;  /* this search is bfs_whole.h's */
    bool is_stale; /* the last reset was for such a one, and left out what levels need */
    bool hubs_changed; /* since the lanes have last heard of them */
    bool grows;        /* the frontier has more than twice the edges of the last one */
    bool has_slices;   /* the cores have the sweep, and are to work */
    bool sliced;       /* this level had slices */
};
MW_STATIC_ASSERT(offsetof(struct mw_bfs, s) == 0, "kernels get the state");

/* Collective: levels of several ranks are the host's, who needs the graph. */
int bfs_come_home(struct mw_bfs *b) MW_NODISCARD;
/* Collective: what levels that choose their form first go by; done once. */
int bfs_rates_init(struct mw_bfs *b) MW_NODISCARD;

/* Of the cores of hosts: bfs_sweeps.c. */
extern const struct bfs_sweeps bfs_sweeps_serial, bfs_sweeps_host;

/* The table of rows: what its exchanges and its sweeps are called. */
enum { BFS_FORWARD, BFS_QUESTIONS, BFS_NAMES, BFS_FOLLOWED };
enum {
    BFS_FORWARD_GENERATOR,
    BFS_BACKWARD_GENERATOR,
    BFS_NAME_ASKER,
    BFS_FOLLOW_TELLER,
    BFS_BACKWARD_RELAY,
    BFS_BACKWARD_HANDLER,
    BFS_FORWARD_RELAY,
    BFS_FORWARD_HANDLER,
    BFS_NAME_HANDLER,
    BFS_FOLLOWER,
    BFS_HEADS, /* the first sweep */
    BFS_ROWS,
    BFS_REFRESH,
    BFS_ABSORB,
    BFS_LOOKUP,
    BFS_JOIN,
    BFS_PIECES,
    BFS_RESET,
    BFS_START,
    BFS_ASKERS,
    BFS_TELL,
    BFS_DROP,
    BFS_PREPARE,
    BFS_WHOLE,
    BFS_RECOUNT,
    BFS_SLICES,
    BFS_SAY,
    BFS_HEAR,
    BFS_ALONE,
    BFS_CREW,
    BFS_N_ROWS
};

/* Memory: bfs_setup.c. */
void bfs_sizes(const struct mw_algorithm_shape *shape, const struct mw_world_shape *world,
               struct mw_sizes *out);
int bfs_open(struct mw_traversal *t, const void *options) MW_NODISCARD;
void bfs_close(struct mw_traversal *t);
uint32_t bfs_variant(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, uint32_t row);
uint32_t bfs_exchanges(const struct mw_algorithm_shape *shape,
                       const struct mw_world_shape *world);

/* Steps: bfs.c. */
int bfs_reset(struct mw_traversal *t) MW_NODISCARD;
int bfs_start(struct mw_traversal *t, mw_vid root) MW_NODISCARD;
int bfs_step(struct mw_traversal *t, struct mw_level *level) MW_NODISCARD;
int bfs_finish(struct mw_traversal *t) MW_NODISCARD;

/* Local: edges of the frontier, or questions, of this rank: the work of both sources. */
uint64_t bfs_listed_units(void *state);

/* Local: labels, the work of the third. */
uint64_t bfs_labels(void *state);

/* Local. What a level has reached is the next one's frontier. */
void bfs_go_on(struct mw_bfs *b, const struct bfs_tally *reached);

/* Local. Runs a sweep over this rank's own data on all its cores. */
void bfs_sweep(struct mw_bfs *b, uint32_t row);

/* Of `known`, of one rank. */
static inline uint64_t bfs_portion_words(const struct mw_graph *g)
{
    return mw_columns_of(1, g->label_bits) / 64;
}

/* Collective. One exchange of hubs, counted in `level`. */
int bfs_exchange_hubs(struct mw_bfs *b, uint32_t n_hubs, struct mw_level *level)
    MW_NODISCARD;

/* Collective, after the last level. Parents that are known by their columns get their names. */
int bfs_name_parents(struct mw_bfs *b) MW_NODISCARD;

/* Collective. A bottom-up level without a bitmap: hubs and own vertices are looked up;
 * owners are asked for the others, or (mixed) those of the frontier go top-down. The
 * frontier is what it reached. */
int bfs_bottom_up_lookup(struct mw_bfs *b, struct mw_level *level, bool mixed)
    MW_NODISCARD;

MW_END_DECLS
#endif
