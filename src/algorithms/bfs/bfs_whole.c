/* bfs_whole.c -- see bfs_whole.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_search.h"

#include "traversal/placed.h"
#include "traversal/rows.h"

/* ---- Memory ---------------------------------------------------------------------------- */

bool mw_bfs_has_whole(const struct mw_backend *backend)
{
    const struct mw_algorithm *a = &mw_algorithm_bfs;
    return mw_sweep_find(&a->row[BFS_WHOLE], a->sweeps, backend).cores != NULL;
}

/* Does this graph have what the kernel relies on? */
static bool there_is(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world)
{
    return world->groups.n_ranks == 1 && shape->n_labels > 0 && !shape->wide &&
           !shape->directed && !shape->asks_names && mw_bfs_has_whole(world->backend);
}

void bfs_whole_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct bfs_whole *w = NULL;
    const bool copies = there_is(shape, world);
    mw_sizes_add_of(out, MW_OF_BOTH, MW_SEARCHING, "whole search", 1, sizeof *w)->copies =
        copies;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "room of a whole search",
                    bfs_whole_words(shape->n_labels), sizeof *w->room)
        ->copies = copies;
}

int bfs_whole_init(struct mw_bfs *b, const struct mw_sizes *sizes)
{
    struct bfs_state *s = &b->s;
    int rc = MW_OK;
    MW_PLACE(rc, s->whole, b->world, MW_OF_BOTH, sizes, "whole search");
    if (s->whole == NULL)
        return MW_OK;
    MW_PLACE(rc, s->whole->room, b->world, MW_OF_CORES, sizes, "room of a whole search");
    s->whole->alpha = b->rule.alpha > 0 ? b->rule.alpha : MW_ALPHA_WHOLE;
end:
    return rc;
}

void bfs_whole_fini(struct mw_bfs *b)
{
    struct bfs_whole *w = b->s.whole;
    if (w != NULL)
        mw_unplace(b->world, MW_OF_CORES, w->room);
    mw_unplace(b->world, MW_OF_BOTH, w);
}

/* ---- A search ----------------------------------------------------------------------------- */

bool bfs_whole_can(const struct mw_bfs *b)
{
    const struct mw_traversal *t = b->t;
    return b->s.whole != NULL && b->rule.span == MW_SPAN_WHOLE &&
           b->rule.policy == MW_DIRECTION_AUTO && b->rule.beta <= 0 &&
           b->rule.form != MW_FORM_MESSAGES && t->level_at == NULL &&
           t->goal.max_depth == UINT32_MAX && t->goal.target == MW_NO_VERTEX;
}

void bfs_whole_start(struct mw_bfs *b)
{
    bfs_sweep(b, BFS_WHOLE);
    b->t->now.n_active = 1;
    b->t->settled = true;
}

int bfs_whole_step(struct mw_bfs *b, struct mw_level *level)
{
    const struct bfs_whole *w = b->s.whole;
    const uint32_t k = b->t->n_levels - 1;
    if (k >= w->n_levels)
        return MW_DONE;
    b->t->now.n_active = k + 1 < w->n_levels;
    if (k >= BFS_WHOLE_LEVELS) /* nobody keeps what such a level did */
        return MW_OK;
    level->step = w->level[k].up ? MW_BOTTOM_UP : MW_TOP_DOWN;
    level->n_active = w->level[k].n_active;
    level->n_found = w->level[k + 1].n_active;
    level->time_s = 1e-9 * (double)w->level[k].ns;
    level->own[MW_BFS_FORM] = w->level[k].up ? (uint64_t)MW_FORM_BITMAP : MW_COUNT_NONE;
    level->own[MW_BFS_MESSAGES_S] = level->own[MW_BFS_BITMAP_S] = MW_COUNT_NONE;
    return MW_OK;
}

void bfs_whole_complete(struct mw_traversal *t)
{
    struct mw_bfs *b = t->state;
    const struct bfs_whole *w = b->s.whole;
    uint64_t before = b->g->n_entries;
    if (!b->runs_whole)
        return;
    if (w->recounts < w->n_levels)
        bfs_sweep(b, BFS_RECOUNT);
    for (uint32_t k = 0; k < t->n_kept; k++) {
        const uint64_t now = w->level[k].n_unvisited_edges;
        t->level[k].own[MW_BFS_UNVISITED_EDGES] = now;
        t->level[k].n_active_edges = before - now;
        before = now;
    }
}
