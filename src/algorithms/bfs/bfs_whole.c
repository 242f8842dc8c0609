/* bfs_whole.c -- see bfs_whole.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_search.h"

#include "devices/placed.h"
#include "graph/delegates.h"
#include "traversal/rows.h"

#include <string.h>

/* ---- Memory ---------------------------------------------------------------------------- */

bool mw_bfs_has_whole(const struct mw_backend *backend)
{
    const struct mw_algorithm *a = &mw_algorithm_bfs;
    return mw_sweep_find(&a->row[BFS_WHOLE], a->sweeps, backend).cores != NULL;
}

/* Why searches that are asked for so are not whole, whatever the graph; NULL: they may be. */
static const char *why_not_as_asked(const struct mw_direction_rule *rule)
{
    if (rule->span != MW_SPAN_WHOLE)
        return "span=level";
    if (rule->policy != MW_DIRECTION_AUTO || rule->beta > 0 ||
        rule->form == MW_FORM_MESSAGES || rule->form == MW_FORM_MIXED)
        return "direction, beta or bottom-up";
    return NULL;
}

bool bfs_stays(const void *options, const struct mw_backend *backend)
{
    return mw_bfs_has_whole(backend) &&
           (options == NULL || why_not_as_asked(options) == NULL);
}

/* How ranks tell each other within a search, as far as it is known before it is tried. */
enum way { ALONE, BY_PEERS, LINKED, BY_HOSTS };

static enum way way_expected(const struct mw_world_shape *world)
{
    return world->groups.n_ranks == 1                 ? ALONE
           : mw_peers_expected(world) == MW_PEERS_ALL ? BY_PEERS
           : world->groups.n_ranks <= MW_LINKED_MAX && mw_trade_expected(world)
               ? LINKED
               : BY_HOSTS;
}

/* Do these searches, this graph and these ranks have what the kernel relies on, as far as it is
 * known before it is tried? */
static bool there_is(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world)
{
    const enum way way = way_expected(world);
    const struct mw_direction_rule *asked = shape->options; /* NULL: all automatic */
    return (asked == NULL || why_not_as_asked(asked) == NULL) && way != BY_HOSTS &&
           (way == ALONE || shape->label_bits >= BFS_WHOLE_LABEL_BITS) &&
           shape->n_labels > 0 && !shape->wide && !shape->directed &&
           !shape->asks_names && mw_bfs_has_whole(world->backend);
}

static const char REACHED[] = "room that all ranks reach",
                  TOLD[] = "room that ranks tell";

void bfs_whole_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_delegates_shape *delegates,
                     const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct bfs_whole *w = NULL;
    const uint32_t n_ranks = world->groups.n_ranks;
    const enum way way = way_expected(world);
    const bool copies = there_is(shape, world);
    out->no_records = copies;
    const uint64_t pieces = n_ranks > 1 ? bfs_whole_delegated_words(delegates->n_vertices,
                                                                    delegates->n_entries)
                                        : 0;
    mw_sizes_add_of(out, MW_OF_BOTH, MW_SEARCHING, "whole search", 1, sizeof *w)->copies =
        copies;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "room of a whole search",
                    bfs_whole_words(shape->n_labels) + pieces, sizeof *w->room)
        ->copies = copies;
    for (int linked = 0; linked < 2; linked++) {
        const struct bfs_whole_block block =
            bfs_whole_block_of(n_ranks, shape->label_bits, delegates->most, linked);
        mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, linked ? TOLD : REACHED,
                        block.n_words, sizeof **w->block)
            ->copies = copies && way == (linked ? LINKED : BY_PEERS);
    }
}

/* Collective: the blocks of all ranks; nobody has any where one does without. */
static int meet(struct mw_bfs *b, const struct mw_sizes *sizes, bool *met)
{
    const struct mw_size *block = mw_sizes_find(sizes, REACHED);
    const int rc =
        mw_peers_open(b->world, block->what, block->n * block->bytes, &b->peers);
    *met = b->peers.opened;
    return rc;
}

static void unlink_ranks(struct mw_bfs *b)
{
    mw_unplace(b->world, MW_OF_CORES, b->linked);
    b->linked = NULL;
}

/* Collective: the devices' library, and a block of mine; not where one has no room. */
static int link_ranks(struct mw_bfs *b, struct mw_sizes *sizes, bool *linked)
{
    struct mw_world *const w = b->world;
    uint64_t there;
    *linked = false;
    MW_NEED(mw_world_trade(w, &b->trade));
    if (b->trade == NULL) {
        b->why_apart = w->trade_why;
        return MW_OK;
    }
    for (uint32_t i = 0; i < sizes->n; i++)
        if (strcmp(sizes->row[i].what, TOLD) == 0)
            sizes->row[i].copies = 1;
    b->linked = mw_place(w, MW_OF_CORES, sizes, TOLD, sizeof *b->linked);
    there = b->linked != NULL;
    mw_error_clear(); /* levels do without */
    MW_NEED(mw_comm_min(w->comm, &there, 1));
    *linked = there != 0;
    if (*linked)
        w->records_by = mw_exchange_names[MW_EXCHANGE_NCCL];
    else
        b->why_apart = mw_peers_why[MW_PEERS_NO_ROOM];
    if (!*linked)
        unlink_ranks(b);
    return MW_OK;
}

/* Whose rows are dealt out, if levels of several ranks know of any. */
static void know_delegates(const struct mw_bfs *b, struct bfs_whole *w)
{
    const struct mw_graph *g = b->g;
    if (g->comm->size == 1 || g->delegates == NULL || !b->means.classes)
        return;
    const struct mw_delegates *d = g->delegates;
    w->first_delegate = (uint32_t)d->first[g->comm->rank];
    w->n_my_delegates = (uint32_t)mw_delegates_here(d, g->comm->rank);
    w->n_delegates = (uint32_t)d->first[g->comm->size];
    w->most_delegates = d->most;
    w->n_delegated_entries = d->start[w->n_delegates];
}

/* Collective: as ranks tell each other in a search; *copies: they do. */
static int come_together(struct mw_bfs *b, struct mw_sizes *sizes, uint64_t *copies)
{
    struct mw_world_shape world;
    bool is = false;
    mw_world_shape_of(b->world, &world);
    b->peers.none = mw_peers_expected(&world);
    if (b->world->comm->size == 1)
        return MW_OK;
    if (way_expected(&world) == BY_HOSTS)
        b->why_apart = mw_trade_expected(&world) ? "there are more than 128 ranks"
                                                 : mw_peers_why[b->peers.none];
    MW_NEED(mw_comm_min(b->world->comm, copies, 1));
    if (*copies > 0 && b->peers.none == MW_PEERS_ALL)
        MW_NEED(meet(b, sizes, &is));
    if (*copies > 0 && !is && mw_trade_expected(&world) &&
        world.groups.n_ranks <= MW_LINKED_MAX)
        MW_NEED(link_ranks(b, sizes, &is));
    if (*copies > 0 && !is && b->why_apart == NULL)
        b->why_apart = mw_peers_why[b->peers.none];
    *copies = is;
    return MW_OK;
}

int bfs_whole_init(struct mw_bfs *b, struct mw_sizes *sizes)
{
    struct bfs_state *s = &b->s;
    struct mw_comm *comm = b->world->comm;
    uint64_t copies = mw_sizes_find(sizes, "whole search")->copies;
    int rc = MW_OK;

    MW_TRY(rc, come_together(b, sizes, &copies));
    if (copies == 0)
        return MW_OK;
    MW_PLACE(rc, s->whole, b->world, MW_OF_BOTH, sizes, "whole search");
    MW_PLACE(rc, s->whole->room, b->world, MW_OF_CORES, sizes, "room of a whole search");
    s->whole->alpha = b->rule.alpha > 0 ? b->rule.alpha : MW_ALPHA_WHOLE;
    s->whole->n_entries = mw_placed_entries(b->world, b->g);
    s->whole->n_ranks = comm->size;
    know_delegates(b, s->whole);
    /* Before the watchdog takes this rank for the one that hangs. */
    s->whole->patience_ns = (uint64_t)(0.75e9 * b->world->conf.hang_timeout_s);
    for (uint32_t r = 0; r < comm->size && b->peers.opened; r++)
        s->whole->block[r] = b->peers.block[r];
    if (b->linked != NULL) {
        s->whole->block[0] = b->linked;
        s->whole->trade = b->trade;
        s->whole->far = comm->n_hosts > 1;
    }
end:
    return mw_comm_agree(comm, rc);
}

void bfs_whole_fini(struct mw_bfs *b)
{
    struct bfs_whole *w = b->s.whole;
    mw_peers_close(b->world, &b->peers);
    unlink_ranks(b);
    if (w != NULL)
        mw_unplace(b->world, MW_OF_CORES, w->room);
    mw_unplace(b->world, MW_OF_BOTH, w);
}

/* ---- A search ----------------------------------------------------------------------------- */

const char *bfs_whole_why_not(const struct mw_bfs *b)
{
    const struct mw_traversal *t = b->t;
    const bool several = b->world->comm->size > 1;
    const char *const asked = why_not_as_asked(&b->rule);
    if (asked != NULL)
        return asked;
    if (!mw_bfs_has_whole(b->world->backend))
        return "the management core runs the levels of this backend";
    if (several && b->s.whole == NULL && b->why_apart != NULL)
        return b->why_apart;
    if (b->s.whole == NULL)
        return "the graph is directed, wide, without a table of names, or small";
    if (t->level_at != NULL || t->goal.target != MW_NO_VERTEX)
        return "levels or a target are asked for";
    return NULL;
}

void bfs_whole_start(struct mw_bfs *b)
{
    bfs_sweep(b, BFS_WHOLE);
    b->t->now.n_active = 1;
    b->t->settled = true;
}

const uint32_t *mw_bfs_reached(const struct mw_traversal *t)
{
    const struct mw_bfs *const b = t->state;
    return b->runs_whole ? b->s.whole->reached : NULL;
}

int bfs_whole_step(struct mw_bfs *b, struct mw_level *level)
{
    const struct bfs_whole *w = b->s.whole;
    const uint32_t k = b->t->n_levels - 1;
    if (k >= w->n_levels)
        return MW_DONE;
    b->t->now.n_active = k + 1 < w->n_levels || w->is_cut;
    if (k >= BFS_WHOLE_LEVELS) /* nobody keeps what such a level did */
        return MW_OK;
    level->step = w->level[k].up ? MW_BOTTOM_UP : MW_TOP_DOWN;
    level->n_active = w->level[k].n_active;
    level->n_found = w->level[k + 1].n_active;
    level->time_s = 1e-9 * (double)w->level[k].ns;
    level->own[MW_BFS_FORM] = w->level[k].up ? (uint64_t)MW_FORM_BITMAP : MW_COUNT_NONE;
    level->own[MW_BFS_MESSAGES_S] = level->own[MW_BFS_BITMAP_S] =
        level->own[MW_BFS_MIXED_S] = MW_COUNT_NONE;
    return MW_OK;
}

/* All ranks': the unvisited edges of the level that nobody has counted. */
static int recount(struct mw_bfs *b)
{
    struct bfs_whole *w = b->s.whole;
    bfs_sweep(b, BFS_RECOUNT);
    uint64_t visited = w->recounted;
    const int rc = mw_comm_sum(b->world->comm, &visited, 1);
    w->level[w->recounts].n_unvisited_edges = b->g->n_entries - visited;
    return rc;
}

int bfs_whole_complete(struct mw_traversal *t)
{
    struct mw_bfs *b = t->state;
    const struct bfs_whole *w = b->s.whole;
    uint64_t before = b->g->n_entries;
    int rc = MW_OK;
    if (!b->runs_whole)
        return MW_OK;
    if (w->recounts < w->n_levels)
        rc = recount(b);
    for (uint32_t k = 0; k < t->n_kept; k++) {
        const uint64_t now = w->level[k].n_unvisited_edges;
        t->level[k].own[MW_BFS_UNVISITED_EDGES] = now;
        t->level[k].n_active_edges = before - now;
        before = now;
    }
    return rc;
}
