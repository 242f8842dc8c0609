/* bfs_sweeps.c -- bottom-up, and the accounting that walks over bitmaps.
 *
 *      heads   by place:  waiting ------> parent, waiting, todo (of this lane)
 *      rows    by label:  todo of all lanes -> parent, fresh
 *      lookup  by label:  visited_hubs, own -> parent, fresh, asking
 *      join    by label:  seen of all lanes -> fresh      (after the answers)
 *      fresh   by label:  seen of all lanes -> fresh      (after a large top-down level)
 *      refresh by column: known, own -> seen of this lane (before a large top-down level)
 *      absorb  by hub:    visited_hubs -> seen of this lane
 *
 * Each word has one writer; words are dealt to cores in chunks as they come. todo is
 * private per lane because heads meet labels in no order; rows join the lanes' words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs_state.h"

static bool take_chunk(struct bfs_state *s, uint64_t n_words, uint64_t *first,
                       uint64_t *last)
{
    *first = __atomic_fetch_add(&s->chunk, BFS_CHUNK_WORDS, __ATOMIC_RELAXED);
    *last = mw_min(*first + BFS_CHUNK_WORDS, n_words);
    return *first < n_words;
}

static struct bfs_state *state_of(void *job)
{
    return ((struct mw_job *)job)->state;
}

/* ---- bottom-up ----------------------------------------------------------------------- */

MW_FN void heads_word(struct bfs_state *s, struct bfs_lane *l, uint64_t w, bool wide)
{
    const struct mw_graph *g = s->g;
    const uint64_t number = wide ? sizeof(uint64_t) : sizeof(uint32_t);
    const uint64_t waiting = s->waiting_valid ? s->waiting[w] : g->connected[w];
    uint64_t left = 0;
    if (waiting != 0) {
        const struct mw_heads_view v = {(const char *)g->head + 64 * w * number,
                                        (const char *)g->head_name + 64 * w * number,
                                        (char *)s->parent + 64 * w * number, s->known,
                                        &s->hubs};
        left = s->heads(&v, waiting);
        for (uint64_t bits = left; bits != 0; bits &= bits - 1)
            mw_mark(l->todo, g->label_of[64 * w + (uint64_t)__builtin_ctzll(bits)]);
    }
    s->waiting[w] = left;
}

static void heads(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    struct bfs_lane *l = &s->lane[self->lane];
    const uint64_t n_words = (s->g->n_places + 63) / 64;
    uint64_t first, last;
    while (take_chunk(s, n_words, &first, &last))
        for (uint64_t w = first; w < last; w++)
            if (s->g->wide)
                heads_word(s, l, w, true);
            else
                heads_word(s, l, w, false);
}

/* Edges out of the vertices in `bits` of word w. */
MW_FN uint64_t edges_of(const struct bfs_state *s, uint64_t w, uint64_t bits)
{
    uint64_t n = 0;
    if (s->word_degree[w] != BFS_MIXED_DEGREES)
        return (uint64_t)__builtin_popcountll(bits) * s->word_degree[w];
    for (; bits != 0; bits &= bits - 1) {
        const uint64_t l = 64 * w + (uint64_t)__builtin_ctzll(bits);
        n += s->g->row[l + 1] - s->g->row[l];
    }
    return n;
}

static void reached(struct bfs_state *s, struct bfs_lane *l, uint64_t w, uint64_t bits)
{
    s->fresh[w] = bits;
    if (bits == 0)
        return;
    l->n_found += (uint64_t)__builtin_popcountll(bits);
    l->n_edges += edges_of(s, w, bits);
}

MW_FN uint64_t rows_word(struct bfs_state *s, uint64_t w, uint64_t todo, bool wide)
{
    const struct mw_graph *g = s->g;
    const uint64_t skip = s->heads_first;
    uint64_t left = 0;
    for (uint64_t bits = todo; bits != 0; bits &= bits - 1) {
        const uint64_t l = 64 * w + (uint64_t)__builtin_ctzll(bits);
        const uint64_t end = g->in_row[l + 1];
        uint64_t k = g->in_row[l] + skip;
        for (; k < end; k++) {
            const uint64_t column = mw_number(g->in_column, k, wide);
            if (mw_bit(s->known, column)) {
                bfs_set_parent(s, g->place_of[l], mw_number(g->name, column, wide), wide);
                break;
            }
        }
        if (k >= end) /* beyond: a row without even a head */
            left |= bits & (~bits + 1);
    }
    return left;
}

static void rows(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    struct bfs_lane *l = &s->lane[self->lane];
    uint64_t first, last;
    while (take_chunk(s, s->n_words, &first, &last))
        for (uint64_t w = first; w < last; w++) {
            const uint64_t unvisited = bfs_valid(s, w) & ~s->own[w];
            uint64_t todo = unvisited;
            if (s->heads_first) {
                todo = 0;
                for (uint32_t i = 0; i < s->n_lanes; i++) {
                    todo |= s->lane[i].todo[w];
                    s->lane[i].todo[w] = 0;
                }
            }
            const uint64_t left =
                s->g->wide ? rows_word(s, w, todo, true) : rows_word(s, w, todo, false);
            reached(s, l, w, unvisited & ~left);
        }
}

/* ---- bottom-up by messages -------------------------------------------------------------- */

/* What the rows of a word's unvisited vertices tell without asking anybody. Returns those
 * that found no parent; `asking` gets those among them that have somebody to ask. */
MW_FN uint64_t lookup_word(struct bfs_state *s, uint64_t w, uint64_t unvisited, bool wide,
                           uint64_t *asking)
{
    const struct mw_graph *g = s->g;
    const uint64_t mask = (UINT64_C(1) << g->label_bits) - 1;
    uint64_t left = 0;
    *asking = 0;
    for (uint64_t bits = unvisited; bits != 0; bits &= bits - 1)
        __builtin_prefetch(
            (const char *)s->parent +
                (uint64_t)g->place_of[64 * w + (uint64_t)__builtin_ctzll(bits)] *
                    (wide ? 8 : 4),
            1);
    for (uint64_t bits = unvisited; bits != 0; bits &= bits - 1) {
        const uint64_t l = 64 * w + (uint64_t)__builtin_ctzll(bits);
        const uint64_t one = bits & (~bits + 1), end = g->in_row[l + 1];
        uint64_t k = g->in_row[l];
        for (; k < end; k++) {
            const uint64_t column = mw_number(g->in_column, k, wide);
            const uint32_t owner = (uint32_t)(column >> g->label_bits);
            const uint32_t label = (uint32_t)(column & mask);
            uint32_t place;
            if (label < s->n_look_hubs) {
                if (!mw_hub_is_visited(s->visited_hubs, owner, label))
                    continue;
                place = s->visited_hubs
                            ->place[(uint64_t)owner * s->visited_hubs->n_hubs + label];
            } else if (s->look_at_own && owner == g->comm->rank) {
                if (!mw_bit(s->own, label))
                    continue;
                place = g->place_of[label];
            } else {
                *asking |= one;
                continue;
            }
            bfs_set_parent(s, g->place_of[l], mw_vertex_at(g, owner, place), wide);
            *asking &= ~one;
            break;
        }
        if (k == end)
            left |= one;
    }
    return left;
}

static void lookup(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    uint64_t first, last;
    (void)self;
    while (take_chunk(s, s->n_words, &first, &last))
        for (uint64_t w = first; w < last; w++) {
            const uint64_t unvisited = bfs_valid(s, w) & ~s->own[w];
            uint64_t left = 0;
            s->asking[w] = 0;
            if (unvisited != 0)
                left = s->g->wide ? lookup_word(s, w, unvisited, true, &s->asking[w])
                                  : lookup_word(s, w, unvisited, false, &s->asking[w]);
            s->fresh[w] = unvisited & ~left;
        }
}

/* ---- what the lanes have claimed --------------------------------------------------------- */

/* Own labels of word w that are visited and were not when the level began. */
static uint64_t claimed(const struct bfs_state *s, uint64_t w)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < s->n_lanes; i++)
        bits |= s->lane[i].seen[s->seen_own / 64 + w];
    return bits & ~s->own[w] & bfs_valid(s, w);
}

static void fresh(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    struct bfs_lane *l = &s->lane[self->lane];
    uint64_t first, last;
    while (take_chunk(s, s->n_words, &first, &last))
        for (uint64_t w = first; w < last; w++)
            reached(s, l, w, claimed(s, w));
}

static void join(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    struct bfs_lane *l = &s->lane[self->lane];
    uint64_t first, last;
    while (take_chunk(s, s->n_words, &first, &last))
        for (uint64_t w = first; w < last; w++)
            reached(s, l, w, claimed(s, w) | s->fresh[w]);
}

/* ---- before top-down levels ------------------------------------------------------------- */

/* Lanes are not shared, so every core walks over all columns. */
static void refresh(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    uint64_t *seen = s->lane[self->lane].seen;
    if (s->known == NULL)
        for (uint64_t w = 0; w < s->n_words; w++)
            seen[w] |= s->own[w];
    else
        for (uint64_t w = 0; w < s->n_seen_words; w++)
            seen[w] |= __atomic_load_n(&s->known[w], __ATOMIC_RELAXED);
}

static void absorb(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    const struct mw_hubs *h = s->visited_hubs;
    const uint64_t n_words = (s->n_drop_hubs + 63) / 64;
    uint64_t *seen = s->lane[self->lane].seen + s->seen_hubs / 64;
    for (uint64_t r = 0; r < h->comm->size; r++)
        for (uint64_t w = 0; r != h->comm->rank && w < n_words; w++)
            seen[r * s->seen_stride / 64 + w] |= h->visited[r * h->n_words + w];
}

const struct bfs_sweeps bfs_sweeps_host = {
    .heads = heads,
    .rows = rows,
    .fresh = fresh,
    .refresh = refresh,
    .absorb = absorb,
    .lookup = lookup,
    .join = join,
};
