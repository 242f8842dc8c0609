/* bfs_kernels.c -- top-down: what the traversal does to one edge of the frontier and to
 * one record.
 *
 * Compiled once per skeleton: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/bfs_state.h"

/* Edges are dealt with a block at a time, in three loops without surprises for the
 * processor: which columns are new (no branch: one in three is), where their parents lie
 * (fetched ahead, each is a cache miss of its own), and the claims. */
enum { BLOCK = 128 }; /* a few kilobytes of stack; other sizes were not tried */

struct block {
    uint32_t n;
    uint32_t label[BLOCK], place[BLOCK];
    mw_vid parent[BLOCK];
};

/* Claims what the block holds: labels of this rank that are neighbours of `parent`. */
static void settle(struct bfs_state *s, struct bfs_lane *l, struct block *b, bool wide)
{
    for (uint32_t i = 0; i < b->n; i++) {
        if (bfs_has_parent(s, b->place[i], wide))
            continue;
        bfs_set_parent(s, b->place[i], b->parent[i], wide);
        if (l->n_next < s->next_room)
            l->next[l->n_next] = b->label[i];
        l->n_next++;
    }
    b->n = 0;
}

MW_FN void claim(struct bfs_state *s, struct bfs_lane *l, struct block *b, uint32_t label,
                 mw_vid parent, bool wide)
{
    const uint32_t place = s->g->place_of[label];
    __builtin_prefetch((const char *)s->parent + (uint64_t)place * (wide ? 8 : 4), 1);
    b->label[b->n] = label;
    b->place[b->n] = place;
    b->parent[b->n++] = parent;
    if (b->n == BLOCK)
        settle(s, l, b, wide);
}

/* True the first time this lane meets a column that it does not know to be visited. */
MW_FN bool first_sight(struct bfs_lane *l, uint64_t column)
{
    const uint64_t word = l->seen[column / 64], shift = column % 64;
    l->seen[column / 64] = word | UINT64_C(1) << shift;
    return !(word >> shift & 1);
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
    struct block claims;
    uint64_t fresh[BLOCK];

    claims.n = 0;
    for (uint64_t i = item_of(s, first), at = first; at < last; i++) {
        const uint32_t u = s->list[i];
        const uint64_t start = i > 0 ? s->list_end[i - 1] : 0;
        const uint64_t end = mw_min(last, s->list_end[i]);
        const mw_vid name = mw_number(g->name, mine | u, wide);
        const uint64_t row = g->row[u] - start;
        while (at < end) {
            const uint64_t stop = mw_min(end, at + BLOCK);
            uint32_t n = 0;
            for (; at < stop; at++) {
                fresh[n] = mw_number(g->column, row + at, wide);
                n += first_sight(l, fresh[n]);
            }
            for (uint32_t k = 0; k < n; k++) {
                const uint32_t owner = (uint32_t)(fresh[k] >> g->label_bits);
                const uint32_t label = (uint32_t)(fresh[k] & label_mask);
                if (mw_here(e, owner))
                    claim(s, l, &claims, label, name, wide);
                else
                    mw_emit(e, owner, label, g->place_of[u]);
            }
        }
    }
    settle(s, l, &claims, wide);
}

/* Forward handler: a batch at a time, for the sake of the block of claims. */
MW_FN void handle(const struct mw_cpe *self, const struct mw_job *job, bool wide)
{
    struct bfs_state *s = job->state;
    struct bfs_lane *l = &s->lane[self->lane];
    const struct mw_graph *g = s->g;
    const uint64_t mine = (uint64_t)g->comm->rank << g->label_bits;
    struct block claims;
    struct mw_visit m;

    claims.n = 0;
    MW_FOR_EACH_RECORD(self, job->in, m, false)
    {
        const bool first = first_sight(l, mine | m.child);
        /* Without the short circuit our own generator has set the bit already. */
        if (first || !MW_SHORT_CIRCUIT)
            claim(s, l, &claims, m.child, mw_vertex_at(g, m.sender, m.value), wide);
    }
    settle(s, l, &claims, wide);
}

static void expand32(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    expand(state, first, last, e, false);
}
static void expand64(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    expand(state, first, last, e, true);
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
    handle(self, job, false);
}
static void handle64(struct mw_cpe *self, void *job)
{
    handle(self, job, true);
}

const struct bfs_kernels MW_KERNELS = {.generate = {generate32, generate64},
                                       .handle = {handle32, handle64}};
