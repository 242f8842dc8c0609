/* bfs_alone.c -- see bfs_alone.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_alone.h"

#include "algorithms/bfs/bfs_search.h"

/* Edges of a level at most. A frontier that does not grow is of a grid or of roads: one core makes a level
 * of 32768 edges as soon as two, of 16384 as soon as four, of 4096 as soon as 16 or 32 (measured). One
 * that grows is soon the work of all. */
enum { STEADY_EDGES = 65536, LEAST_EDGES = 4096, GROWING_EDGES = 2048 };

bool bfs_is_alone(const struct mw_bfs *b)
{
    const uint64_t steady = mw_max(STEADY_EDGES / mw_world_lanes(b->world), LEAST_EDGES);
    return b->has_alone && b->world->comm->size == 1 && b->last.n_delegated == 0 &&
           b->last.n_edges <= (b->grows ? GROWING_EDGES : steady);
}

/* What the list leads to, and from whom: `reached` and `by` have room for one more than is returned.
 * Whether a label is new is as good as random, so nothing branches on it: what is not new stands where
 * the next one goes. */
MW_FN uint64_t look_along(struct bfs_state *s, uint32_t *reached, uint64_t *by, bool wide)
{
    enum { AHEAD = 6 };
    const struct mw_graph *g = s->g;
    const uint32_t *const list = s->f.list;
    const uint64_t n_list = s->f.n_list, *const row = g->row;
    uint64_t *const visited = s->f.visited;
    uint64_t n = 0;
    for (uint64_t i = 0; i < n_list; i++) {
        const uint32_t u = list[i], ahead = list[mw_min(i + AHEAD, n_list - 1)];
        __builtin_prefetch((const char *)g->column + row[ahead] * (wide ? 8 : 4));
        for (uint64_t k = row[u], end = row[u + 1]; k < end; k++) {
            const uint32_t label =
                mw_column_label(mw_number(g->column, k, wide), g->label_bits);
            const uint64_t bit = UINT64_C(1) << (label % 64), word = visited[label / 64];
            mw_store(visited, label / 64, word | bit, true);
            reached[n] = label;
            by[n] = u;
            n += (word & bit) == 0;
        }
    }
    return n;
}

/* Labels and their sources become the frontier, from the front, and have parents. */
MW_FN void settle(struct bfs_state *s, const uint32_t *reached, const uint64_t *by,
                  uint64_t n, bool wide)
{
    enum { AHEAD = 8 };
    const struct mw_graph *g = s->g;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t label = reached[i], ahead = reached[mw_min(i + AHEAD, n - 1)];
        __builtin_prefetch(&g->row[ahead]);
        __builtin_prefetch(&g->place_of[ahead]);
        bfs_set_parent(s, g->place_of[label],
                       mw_vertex_at(g, g->comm->rank, g->place_of[by[i]]), wide);
        mw_frontier_list_one(&s->f, label, g->row[label + 1] - g->row[label]);
    }
}

/* The list and its ends have room for all labels and one: what is reached stands behind it until it is
 * done. */
MW_FN void expand_alone(struct bfs_state *s, bool wide)
{
    struct mw_frontier *f = &s->f;
    uint32_t *const reached = f->list + f->n_list;
    uint64_t *const by = f->list_end + f->n_list;
    const uint64_t n = look_along(s, reached, by, wide);
    mw_frontier_list_none(f);
    settle(s, reached, by, n, wide);
}

void bfs_alone_kernel(struct mw_cpe *self, void *arg)
{
    struct bfs_state *s = ((struct mw_job *)arg)->state;
    if (self->id != 0)
        return;
    if (s->g->wide)
        expand_alone(s, true);
    else
        expand_alone(s, false);
}

void bfs_alone_expand(struct mw_bfs *b)
{
    bfs_sweep(b, BFS_ALONE);
    mw_frontier_listed(&b->s.f);
}
