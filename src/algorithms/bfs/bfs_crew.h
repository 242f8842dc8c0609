/* bfs_crew.h -- small levels without the machinery of large ones: the cores of a host make them by
 * themselves, one after the other, until a level is large or nothing is left.
 *
 *      the crew    the cores of all ranks of the host, or one core alone, which asks nobody; how they meet: crew.h
 *      lead        gives out phases, and keeps the log
 *      expand      a core goes along its list, and puts what it reaches on its next one. Of several ranks each label
 *                  is one core's. What is of another core goes into a box for it (shuffle/boxes.h)
 *      round       of one rank: its cores go along several levels before they meet (bfs_crew_rounds.c)
 *      take        several ranks: a core puts on its list what others have put for it. It does so when it begins the
 *                  next level, so that a level is one phase. Where the lead has to know first what that level is,
 *                  it is a phase of its own
 *      log         what each level was; afterwards the level loop gets them one by one
 *
 * Graphs of large diameter, such as grids and roads, consist of such levels: some hundred vertices each,
 * some thousand of them. A phase costs a word that all read and a line a core that the lead reads; a level
 * otherwise costs a team's start, a join and a sum over the ranks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_CREW_H
#define BFS_CREW_H

#include "base/sizes.h"
#include "graph/partition.h"
#include "shuffle/boxes.h"
#include "traversal/crew.h"
#include "traversal/level.h"

MW_BEGIN_DECLS

struct bfs_state;
struct bfs_tally;
struct mw_algorithm_shape;
struct mw_bfs;
struct mw_means;

enum {
    BFS_CREW_LEVELS = 4096, /* that it makes before it comes back */
    BFS_CREW_ROUND = 16,    /* between two meetings of one rank's cores, at most */
    BFS_CREW_ROUND_AUTO = 8,
    BFS_CREW_EDGES = 65536, /* of a level, at most */
    BFS_CREW_GROWING =
        2048, /* of one that has more than doubled: it is soon the work of all */
    BFS_CREW_ITEM = sizeof(uint64_t) /* a parent above a column */
};

/* Of one level, of all ranks. */
struct bfs_crew_level {
    uint64_t n_active, n_edges, n_records, ns;
};

/* What a core tells the lead: a line of its own. */
struct bfs_crew_post {
    uint64_t done; /* the last phase that it has finished */
    uint64_t
        n_edges; /* out of what it has on its list for the next level; in a round: that it has looked at */
    uint64_t n_taken_edges; /* out of what it has taken */
    uint32_t n_found
        [2]; /* length of its list, by the parity of the level that it is the frontier of; others may have lowered some */
    uint32_t n_taken;   /* from others' cores, in this phase */
    uint32_t n_items;   /* to other cores, in this phase, */
    uint32_t n_records; /* and of these to other ranks' */
    uint32_t n_long;    /* delegated vertices among those on its list */
    bool is_full;       /* one rank: it has no room for what it reaches */
    char fill[MW_CACHE_LINE - 49];
};
MW_STATIC_ASSERT(sizeof(struct bfs_crew_post) == MW_CACHE_LINE, "one line a core");

/* Of one rank: levels that its cores make between two meetings. Stamps count levels of this call. */
struct bfs_crew_round {
    int16_t first;     /* stamp of its first level, which is on the lists */
    uint16_t n_levels; /* of this round */
    bool is_undone;    /* what was reached from them is to be forgotten */
};

/* Shared by the ranks of a host. */
struct bfs_crew_host {
    uint64_t order;
    char fill[MW_CACHE_LINE - sizeof(uint64_t)];
    uint32_t n_levels; /* in the log */
    uint32_t parity;   /* of the lists that are the frontier now */
    uint32_t n_cores;  /* of each rank, that have made those */
    uint32_t n_called; /* several ranks: of each, that the next call has */
    struct bfs_crew_level
        log[BFS_CREW_LEVELS + 1]; /* the last: the frontier that is left */
    struct bfs_crew_round round;
    uint32_t start[MW_CREW_CORES +
                   1]; /* of one rank: where each core's list begins in that of all */
    char fill_posts[4];
    struct bfs_crew_post post[MW_CREW_CORES]; /* core by core, rank by rank */
};

MW_STATIC_ASSERT(offsetof(struct bfs_crew_host, post) % MW_CACHE_LINE == 0, "lines");

/* Of one core. */
struct bfs_crew_core {
    uint64_t *
        work; /* [bfs_crew_work()] pairs of labels and columns, both lists, and what rounds have */
    /* One rank, of the last round: what it has reached by each level, less what it took from others; and how many
     * pairs it has lowered. */
    struct {
        uint64_t n_active, n_edges;
    } of[BFS_CREW_ROUND];
    uint64_t n_lowered;
    char fill[MW_CACHE_LINE - 16];
};
MW_STATIC_ASSERT(sizeof(struct bfs_crew_core) % MW_CACHE_LINE == 0, "lines of one core");

struct bfs_crew {
    struct mw_crew meet;
    struct bfs_crew_host *host;
    struct mw_boxes boxes; /* shared, too: from core to core; of several ranks */
    uint64_t edges;        /* of a level, at most: bfs_crew_edges() */
    uint64_t longest_row;  /* of all ranks; UINT64_MAX: there are delegated vertices */
    uint32_t *lines; /* shared, several ranks: of each line of columns its stretch, */
    const uint32_t
        *stretch; /* if vertices are dealt in blocks; else NULL: bfs_crew_owner() */
    struct bfs_crew_core *core; /* [n_lanes] of this rank */
    uint32_t first_long;        /* labels below are delegated */
    int16_t *stamp;      /* [n_labels, rounded up to words of bits] of one rank's cores */
    uint32_t most_round; /* levels a round, at most */
    bool rests;          /* one rank, in this level: one core alone makes what it may */
    /* For this call: levels at most, and edges of one. */
    uint32_t most_levels;
    uint64_t most_edges;
    uint32_t row;         /* of the table: who makes this call's levels */
    uint32_t next, n_log; /* levels that the loop takes next, and that there are */
};

/* Collective: choice and memory. */
void bfs_crew_sizes(const struct mw_algorithm_shape *shape,
                    const struct mw_world_shape *world, const struct mw_means *means,
                    struct mw_sizes *out);
int bfs_crew_init(struct mw_bfs *b, const struct mw_sizes *sizes) MW_NODISCARD;
void bfs_crew_fini(struct mw_bfs *b);

/* Local, the same at all ranks, once before each level: is it a crew's? It notes whether the cores of one rank rest. */
bool bfs_is_crews(struct mw_bfs *b);
/* Collective. The frontier is a list, and becomes what the last of the levels has reached. */
void bfs_crew_expand(struct mw_bfs *b, struct mw_level *level);
/* Local. What the level has reached, of what the last one has; that stays with the crew. */
void bfs_crew_reached(struct mw_bfs *b, struct bfs_tally *reached);
/* Local: is there a level that a crew has made and the loop has not taken? Takes it. */
bool bfs_crew_is_ahead(const struct mw_bfs *b);
void bfs_crew_take(struct mw_bfs *b, struct mw_level *level);
/* Local, before a search: forgets what the last one has left, that ended at its goal, and begins its counts. */
void bfs_crew_forget(struct mw_bfs *b);

/* Sweeps of the table in bfs_table.c: by one core, and by all. */
mw_kernel bfs_alone_kernel, bfs_crew_kernel;

/* ---- Between its files --------------------------------------------------------------------- */

MW_FN struct bfs_crew_post *bfs_crew_post_of(const struct bfs_crew *c, uint32_t rank,
                                             uint32_t core)
{
    return &c->host->post[rank * c->meet.n_cores + core];
}

/* Edges of a level that there is room for, the same at all ranks: few where there are few labels. */
MW_FN uint64_t bfs_crew_edges(uint32_t label_bits)
{
    enum { LEAST = 1024, A_LABEL = 16 };
    return mw_min(mw_max(A_LABEL * mw_columns_of(1, label_bits), (uint64_t)LEAST),
                  (uint64_t)BFS_CREW_EDGES);
}

/* Is a level, after one of so many edges, not the crew's? */
MW_FN bool bfs_crew_is_too_large(const struct bfs_crew *c, uint64_t n_edges,
                                 uint64_t n_edges_before)
{
    return n_edges > c->most_edges ||
           (n_edges > BFS_CREW_GROWING && n_edges > 2 * n_edges_before);
}

/* Numbers of a core: one pair more is written than is there. */
MW_FN uint64_t bfs_crew_pairs(uint64_t edges)
{
    return edges + 8;
}
MW_FN uint64_t bfs_crew_work(uint64_t edges, bool rounds)
{
    return bfs_crew_pairs(edges) + (rounds ? 2 : 1) * edges;
}

/* Of several ranks: the core, of n of its rank, that a column is of. A line of bits is one core's. Where neighbours are near
 * each other, so that vertices are dealt to ranks in blocks, a core has stretches of places, and a line is of the stretch
 * that its first label is in: labels are in the order of places, degree by degree. Else lines are dealt at random. */
enum { BFS_CREW_LINE_BITS = 9, BFS_CREW_STRETCHES = 16 /* a core */ };
MW_STATIC_ASSERT(1 << BFS_CREW_LINE_BITS == 8 * MW_CACHE_LINE, "bits of a line");

MW_FN uint64_t bfs_crew_lines(uint64_t n_ranks, uint32_t label_bits)
{
    return mw_columns_of(n_ranks, label_bits) >> BFS_CREW_LINE_BITS;
}

MW_FN uint32_t bfs_crew_owner(const struct bfs_crew *c, uint32_t column,
                              uint32_t label_bits, uint32_t n)
{
    const uint32_t line = c->stretch != NULL
                              ? c->stretch[column >> BFS_CREW_LINE_BITS]
                              : mw_column_label(column, label_bits) >> BFS_CREW_LINE_BITS;
    return mw_consumer_of(line, n);
}

/* The list of a core that is the frontier of levels of this parity. */
MW_FN uint32_t *bfs_crew_list(const struct bfs_crew *c, uint32_t core, uint32_t parity)
{
    return (uint32_t *)(c->core[core].work + bfs_crew_pairs(c->edges)) +
           parity * c->edges;
}

/* Of one rank, between the files of its kernel: its lead, and a core's part of a round. */
void bfs_crew_lead_rounds(struct bfs_state *s, const struct mw_cpe *self);
void bfs_crew_round_part(void *state, const struct mw_cpe *self, uint64_t order);

/* One rank: of a core, what it has reached in a round; and pairs of those that were reached before, by a longer way. */
MW_FN uint32_t *bfs_crew_queue(const struct bfs_crew *c, uint32_t core)
{
    return (uint32_t *)(c->core[core].work + bfs_crew_pairs(c->edges) + c->edges);
}
MW_FN uint64_t bfs_crew_lowered_room(const struct bfs_crew *c)
{
    return c->edges / 2;
}
MW_FN uint64_t *bfs_crew_lowered(const struct bfs_crew *c, uint32_t core)
{
    return c->core[core].work + bfs_crew_pairs(c->edges) + c->edges + c->edges / 2;
}

MW_END_DECLS
#endif
