/* bfs_kernels.c -- top-down: what the traversal does to one edge of the frontier and to
 * one record.
 *
 * Compiled once per skeleton: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/bfs_state.h"

/* The sink: `label` of this rank is a neighbour of `parent`. */
MW_FN void claim(struct bfs_state *s, uint32_t label, mw_vid parent, uint32_t lane,
                 bool wide)
{
    struct bfs_lane *l = &s->lane[lane];
    const uint64_t place = s->g->place_of[label];
    if (bfs_has_parent(s, place, wide))
        return;
    bfs_set_parent(s, place, parent, wide);
    if (l->n_next < s->next_room)
        l->next[l->n_next] = label;
    l->n_next++;
}

/* True the first time this lane meets a column that it does not know to be visited. */
MW_FN bool first_sight(struct bfs_lane *l, uint64_t column)
{
    const uint64_t bit = UINT64_C(1) << (column % 64);
    uint64_t *word = &l->seen[column / 64];
    if (*word & bit)
        return false;
    *word |= bit;
    return true;
}

/* The item of the list that edge `e` of the frontier belongs to. */
static uint64_t item_of(const struct bfs_state *s, uint64_t e)
{
    uint64_t low = 0, high = s->n_list;
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (s->list_end[mid] > e)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

/* Forward generator. Its work is cut in the space of the frontier's edges, so a hub's row
 * is cut like anything else. */
MW_FN void expand(struct bfs_state *s, uint64_t first, uint64_t last,
                  struct mw_emitter *e, bool wide)
{
    const struct mw_graph *g = s->g;
    struct bfs_lane *l = &s->lane[e->self->lane];
    const uint64_t label_mask = (UINT64_C(1) << g->label_bits) - 1;
    const uint64_t mine = (uint64_t)e->at->rank << g->label_bits;

    for (uint64_t i = item_of(s, first), at = first; at < last; i++) {
        const uint32_t u = s->list[i];
        const uint64_t start = i > 0 ? s->list_end[i - 1] : 0;
        const uint64_t end = mw_min(last, s->list_end[i]);
        const mw_vid name = mw_number(g->name, mine | u, wide);
        for (uint64_t k = g->row[u] + at - start; k < g->row[u] + end - start; k++) {
            const uint64_t column = mw_number(g->column, k, wide);
            if (!first_sight(l, column))
                continue;
            const uint32_t owner = (uint32_t)(column >> g->label_bits);
            const uint32_t label = (uint32_t)(column & label_mask);
            if (mw_here(e, owner))
                claim(s, label, name, e->self->lane, wide);
            else
                mw_emit(e, owner, label, g->place_of[u]);
        }
        at = end;
    }
}

/* Forward handler. */
MW_FN void update(struct bfs_state *s, const struct mw_visit *m,
                  const struct mw_cpe *self, bool wide)
{
    const struct mw_graph *g = s->g;
    const uint64_t column = (uint64_t)g->comm->rank << g->label_bits | m->child;
    const bool first = first_sight(&s->lane[self->lane], column);
    /* Without the short circuit our own generator has set the bit already. */
    if (first || !MW_SHORT_CIRCUIT)
        claim(s, m->child, mw_vertex_at(g, m->sender, m->value), self->lane, wide);
}

static void expand32(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    expand(state, first, last, e, false);
}
static void expand64(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    expand(state, first, last, e, true);
}
static void update32(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    update(state, m, self, false);
}
static void update64(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    update(state, m, self, true);
}

/* A record names two vertices by their local numbers: always the narrow one. */
static void generate32(struct mw_cpe *self, void *job)
{
    mw_run_expand(self, job, expand32, false);
}
static void generate64(struct mw_cpe *self, void *job)
{
    mw_run_expand(self, job, expand64, false);
}
static void handle32(struct mw_cpe *self, void *job)
{
    mw_run_update(self, job, update32, false);
}
static void handle64(struct mw_cpe *self, void *job)
{
    mw_run_update(self, job, update64, false);
}

const struct bfs_kernels MW_KERNELS = {.generate = {generate32, generate64},
                                       .handle = {handle32, handle64}};
