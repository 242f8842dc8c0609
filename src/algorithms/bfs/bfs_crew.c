/* bfs_crew.c -- see bfs_crew.h: its memory, when it works, and what the level loop hears of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_crew.h"

#include "algorithms/bfs/bfs_search.h"
#include "base/clock.h"
#include "devices/placed.h"

enum {
    /* Edges of a level that does not grow, at most, where one core alone is all that there is: it makes a
     * level of 32768 edges as soon as two, of 16384 as soon as four, of 4096 as soon as 16 or 32 (measured). */
    STEADY_EDGES = 65536,
    LEAST_EDGES = 4096,
    STEADY_LEVELS = 16,  /* that a search has before a team is called for small ones */
    SHARED_EDGES = 16384 /* of a level of several ranks: a core may have to put so many */
};

/* ---- Memory ---------------------------------------------------------------------------- */

static const char HOST[] = "crew of a host", BOXES[] = "boxes of a crew",
                  CORES[] = "cores of a crew", CREW[] = "crew",
                  WORK[] = "lists of a crew", STAMPS[] = "stamps of a crew",
                  LINES[] = "lines of a crew";

/* Of one core, to so many. */
static uint64_t boxes_of(uint64_t n_cores, uint32_t label_bits)
{
    return mw_boxes_for(n_cores, mw_min(SHARED_EDGES, bfs_crew_edges(label_bits)),
                        BFS_CREW_ITEM);
}

/* Several ranks are one host's. */
static bool there_is(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, const struct mw_means *means)
{
    const struct mw_algorithm *const a = &mw_algorithm_bfs;
    const struct mw_direction_rule *const rule = shape->options;
    const uint32_t n_ranks = world->groups.n_ranks;
    return (rule == NULL || rule->few != MW_FEW_NONE) && !world->apart &&
           mw_sweep_find(&a->row[BFS_ALONE], a->sweeps, world->backend).cores != NULL &&
           (uint64_t)n_ranks * world->n_lanes <= MW_CREW_CORES &&
           (n_ranks == 1 || (world->n_hosts == 1 && means->by_bitmap && means->classes &&
                             !shape->wide && n_ranks * world->n_lanes <= MW_BOX_CORES));
}

void bfs_crew_sizes(const struct mw_algorithm_shape *shape,
                    const struct mw_world_shape *world, const struct mw_means *means,
                    struct mw_sizes *out)
{
    const struct bfs_crew *c = NULL;
    const uint64_t n_ranks = world->groups.n_ranks, n_cores = world->n_lanes,
                   n_all = n_ranks * n_cores;
    const bool is = there_is(shape, world, means), rounds = n_ranks == 1 && n_cores > 1;
    struct mw_size *row;
    mw_sizes_add(out, MW_SEARCHING, CREW, 1, sizeof *c)->copies = is;
    mw_sizes_add(out, MW_SEARCHING, CORES, n_cores, sizeof *c->core)->copies = is;
    row = mw_sizes_add(out, MW_SEARCHING, WORK,
                       bfs_crew_work(bfs_crew_edges(shape->label_bits), rounds),
                       sizeof *c->core->work);
    row->copies = is ? n_cores : 0;
    mw_sizes_add(out, MW_SEARCHING, STAMPS, mw_round_up(shape->n_labels, 64),
                 sizeof *c->stamp)
        ->copies = is && rounds;
    row = mw_sizes_add(out, MW_SEARCHING, HOST, 1, sizeof *c->host);
    row->of_host = true;
    row->copies = is;
    row =
        mw_sizes_add(out, MW_SEARCHING, BOXES,
                     mw_boxes_bytes(n_all, n_all, boxes_of(n_all, shape->label_bits)), 1);
    row->of_host = true;
    row->copies = is && n_ranks > 1;
    row = mw_sizes_add(out, MW_SEARCHING, LINES,
                       bfs_crew_lines(n_ranks, shape->label_bits), sizeof *c->lines);
    row->of_host = true;
    row->copies = is && n_ranks > 1 && n_cores > 1;
}

/* Collective. */
static int find_longest_row(const struct mw_bfs *b, uint64_t *out)
{
    const uint64_t *const row = b->g->row;
    uint64_t longest = b->s.crew->first_long > 0 ? UINT64_MAX : 0;
    for (uint64_t l = 0; l < b->g->n_labels; l++)
        longest = mw_max(longest, row[l + 1] - row[l]);
    *out = longest;
    return mw_comm_max(b->world->comm, out, 1);
}

/* Collective. In which stretch each line of labels begins, if vertices are dealt in blocks. */
static int share_stretches(struct mw_bfs *b, const struct mw_sizes *sizes)
{
    struct bfs_crew *const c = b->s.crew;
    const struct mw_graph *const g = b->g;
    const uint64_t most = mw_most_places(&g->partition);
    uint32_t shift = 0;
    if (mw_sizes_find(sizes, LINES)->copies == 0)
        return MW_OK;
    MW_NEED_SHARED(c->lines, &c->meet, sizes, LINES);
    if (g->partition.block_bits == 0)
        return MW_OK;
    while (most >> (shift + 1) >= BFS_CREW_STRETCHES * (uint64_t)c->meet.n_cores)
        shift++;
    for (uint64_t l = 0; l < g->n_labels; l += UINT64_C(1) << BFS_CREW_LINE_BITS)
        c->lines[mw_column(c->meet.rank, l, g->label_bits) >> BFS_CREW_LINE_BITS] =
            g->place_of[l] >> shift;
    c->stretch = c->lines;
    return mw_comm_host_barrier(b->world->comm);
}

/* What this rank has for itself. */
static int own_init(struct mw_bfs *b, const struct mw_crew *meet,
                    const struct mw_sizes *sizes)
{
    struct bfs_crew *c;
    MW_NEED_TAKE(c, sizes, CREW);
    b->s.crew = c;
    c->meet = *meet;
    c->edges = bfs_crew_edges(b->g->label_bits);
    c->first_long = b->s.delegates.d != NULL
                        ? (uint32_t)mw_delegates_here(b->s.delegates.d, meet->rank)
                        : 0;
    MW_NEED_TAKE(c->core, sizes, CORES);
    for (uint32_t i = 0; i < meet->n_lanes; i++)
        MW_NEED_TAKE(c->core[i].work, sizes, WORK);
    if (mw_sizes_find(sizes, STAMPS)->copies != 0)
        MW_NEED_TAKE(c->stamp, sizes, STAMPS);
    return MW_OK;
}

int bfs_crew_init(struct mw_bfs *b, const struct mw_sizes *sizes)
{
    struct mw_crew meet;
    bool there;
    MW_NEED(
        mw_crew_agree(&meet, b->world, mw_sizes_find(sizes, CREW)->copies != 0, &there));
    if (!there)
        return MW_OK;
    MW_NEED(mw_comm_agree(b->world->comm, own_init(b, &meet, sizes)));
    struct bfs_crew *const c = b->s.crew;
    MW_NEED_SHARED(c->host, &meet, sizes, HOST);
    MW_NEED_SHARED(c->boxes.memory, &meet, sizes, BOXES);
    if (meet.rank == 0)
        c->host->n_called = meet.n_cores;
    c->boxes.n_from = c->boxes.n_to = meet.n_ranks * meet.n_cores;
    c->boxes.n_boxes = (uint32_t)boxes_of(c->boxes.n_to, b->g->label_bits);
    c->meet.order = &c->host->order;
    MW_NEED(share_stretches(b, sizes));
    return meet.n_ranks > 1 ? find_longest_row(b, &c->longest_row) : MW_OK;
}

void bfs_crew_fini(struct mw_bfs *b)
{
    struct bfs_crew *const c = b->s.crew;
    if (c == NULL)
        return;
    mw_comm_host_free(c->meet.comm, c->lines);
    mw_comm_host_free(c->meet.comm, c->boxes.memory);
    mw_comm_host_free(c->meet.comm, c->host);
    for (uint32_t i = 0; c->core != NULL && i < c->meet.n_lanes; i++)
        mw_free(c->core[i].work);
    MW_FREE_ALL(c->stamp, c->core, c);
}

/* ---- When it works ------------------------------------------------------------------------- */

/* May all cores be called, and are they, or is it one core alone? */
static bool may_call_all(const struct mw_bfs *b)
{
    const struct bfs_crew *const c = b->s.crew;
    return c->meet.n_ranks > 1 || (c->meet.n_cores > 1 && !b->world->conf.engine_mpe &&
                                   (!c->meet.crowded || b->world->conf.crew_trial > 0));
}

/* Who wants to know what each level reaches gets one at a time. */
static bool one_by_one(const struct mw_traversal *t)
{
    return t->level_at != NULL || t->goal.target != MW_NO_VERTEX;
}

/* Are small levels all cores' now, unless those rest? */
static bool is_for_all(const struct mw_bfs *b)
{
    return may_call_all(b) && b->t->n_levels > STEADY_LEVELS &&
           (b->s.crew->meet.n_ranks > 1 || !one_by_one(b->t));
}

static bool calls_all(const struct mw_bfs *b)
{
    return is_for_all(b) && !b->s.crew->rests;
}

/* One core makes what all would, as long as those are slow. */
static bool is_as_for_all(const struct mw_bfs *b)
{
    return calls_all(b) || (is_for_all(b) && mw_pace_is_slow(&b->s.crew->meet.pace));
}

static uint64_t most_edges(const struct mw_bfs *b)
{
    const struct bfs_crew *const c = b->s.crew;
    const uint64_t alone = mw_max(STEADY_EDGES / c->meet.n_cores, (uint64_t)LEAST_EDGES);
    return mw_min(c->edges, c->meet.n_ranks > 1 ? SHARED_EDGES
                            : is_as_for_all(b)  ? BFS_CREW_EDGES
                                                : alone);
}

bool bfs_is_crews(struct mw_bfs *b)
{
    struct bfs_crew *const c = b->s.crew;
    if (c == NULL)
        return false;
    c->rests = c->meet.n_ranks == 1 && mw_pace_rests(&c->meet.pace, mw_now());
    return b->last.n_delegated == 0 &&
           (c->meet.n_ranks == 1 || b->t->n_levels > STEADY_LEVELS) &&
           b->last.n_found <= c->edges && b->last.n_edges <= most_edges(b) &&
           !(b->grows && b->last.n_edges > BFS_CREW_GROWING);
}

/* Before a team may be called it is one core's turn. */
static uint32_t most_levels(const struct mw_bfs *b)
{
    const struct mw_traversal *const t = b->t;
    const uint64_t goal = mw_traversal_next_question(t);
    const uint64_t end =
        may_call_all(b) && t->n_levels <= STEADY_LEVELS ? STEADY_LEVELS : goal;
    return one_by_one(t)
               ? 1
               : (uint32_t)mw_min(mw_min(end, goal) - t->n_levels + 1, BFS_CREW_LEVELS);
}

/* ---- The level loop ---------------------------------------------------------------------- */

/* Of one rank the list is its first core's, of several each label its core's. */
static void deal_list(struct mw_bfs *b)
{
    const struct bfs_crew *const c = b->s.crew;
    const struct mw_frontier *const f = &b->s.f;
    const uint32_t rank = c->meet.rank, parity = c->host->parity, bits = b->g->label_bits;
    for (uint32_t k = 0; k < c->meet.n_cores; k++)
        bfs_crew_post_of(c, rank, k)->n_found[parity] = 0;
    for (uint64_t i = 0; i < f->n_list; i++) {
        const uint32_t label = f->list[i],
                       column = (uint32_t)mw_column(rank, label, bits);
        const bool is_one = c->meet.n_ranks == 1;
        const uint32_t core =
            is_one ? 0 : bfs_crew_owner(c, column, bits, c->host->n_called);
        uint32_t *const n = &bfs_crew_post_of(c, rank, core)->n_found[parity];
        bfs_crew_list(c, core, parity)[(*n)++] = label;
    }
}

static void begin(struct mw_bfs *b)
{
    struct bfs_crew *const c = b->s.crew;
    struct bfs_crew_host *const h = c->host;
    deal_list(b);
    c->most_levels = most_levels(b);
    c->most_edges = most_edges(b);
    if (c->meet.rank != 0)
        return;
    h->n_levels = 0;
    h->n_cores = c->meet.n_ranks > 1 ? h->n_called : 1;
    h->log[0] =
        (struct bfs_crew_level){.n_active = b->last.n_found, .n_edges = b->last.n_edges};
}

/* The lists of the cores become the frontier's. */
static void end(struct mw_bfs *b)
{
    struct bfs_crew *const c = b->s.crew;
    struct mw_frontier *const f = &b->s.f;
    const uint64_t *const row = b->g->row;
    const uint32_t parity = c->host->parity;
    mw_frontier_list_none(f);
    for (uint32_t k = 0; k < c->host->n_cores; k++) {
        const uint32_t *const list = bfs_crew_list(c, k, parity);
        const uint32_t n = bfs_crew_post_of(c, c->meet.rank, k)->n_found[parity];
        for (uint32_t i = 0; i < n; i++)
            mw_frontier_list_one(f, list[i], row[list[i] + 1] - row[list[i]]);
    }
    mw_frontier_listed(f);
    c->n_log = c->host->n_levels;
    c->next = 0;
}

/* Figures of the next level of the log: of the rank that leads, for all. */
static void note(struct mw_bfs *b, struct mw_level *level)
{
    struct bfs_crew *const c = b->s.crew;
    const struct bfs_crew_level *const is = &c->host->log[c->next++];
    level->time_s = 1e-9 * (double)is->ns;
    b->t->spent_s[MW_SPENT_ROW + c->row] = level->time_s;
    if (c->meet.rank != 0)
        return;
    level->n_records += is->n_records;
    level->n_bytes += is->n_records * BFS_CREW_ITEM;
}

void bfs_crew_expand(struct mw_bfs *b, struct mw_level *level)
{
    struct bfs_crew *const c = b->s.crew;
    c->row = calls_all(b) ? BFS_CREW : BFS_ALONE;
    begin(b);
    bfs_sweep(b, c->row);
    end(b);
    note(b, level);
}

void bfs_crew_reached(struct mw_bfs *b, struct bfs_tally *reached)
{
    struct bfs_crew *const c = b->s.crew;
    if (c == NULL || c->next >= c->n_log)
        return;
    b->behind = *reached;
    *reached = (struct bfs_tally){.n_found = c->host->log[c->next].n_active,
                                  .n_edges = c->host->log[c->next].n_edges};
}

void bfs_crew_forget(struct mw_bfs *b)
{
    struct bfs_crew *const c = b->s.crew;
    if (c == NULL)
        return;
    c->next = c->n_log = 0;
    c->most_round = b->rule.rounds > 0 ? (uint32_t)b->rule.rounds : BFS_CREW_ROUND_AUTO;
}

bool bfs_crew_is_ahead(const struct mw_bfs *b)
{
    return b->s.crew != NULL && b->s.crew->next < b->s.crew->n_log;
}

void bfs_crew_take(struct mw_bfs *b, struct mw_level *level)
{
    struct bfs_tally reached = b->behind;
    level->step = MW_TOP_DOWN;
    note(b, level);
    bfs_crew_reached(b, &reached);
    level->n_found = reached.n_found;
    bfs_go_on(b, &reached);
}
