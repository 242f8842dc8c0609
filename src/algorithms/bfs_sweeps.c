/* bfs_sweeps.c -- bottom-up, and the accounting that walks over bitmaps.
 *
 *      heads   by place:  waiting ------> parent, waiting, todo (of this lane)
 *      rows    by label:  todo of all lanes -> parent, fresh
 *      fresh   by label:  seen of all lanes -> fresh      (after a large top-down level)
 *      refresh by column: known -> seen of this lane      (before a large top-down level)
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

void bfs_heads_kernel(struct mw_cpe *self, void *job)
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
        const uint64_t end = g->row[l + 1];
        uint64_t k = g->row[l] + skip;
        for (; k < end; k++) {
            const uint64_t column = mw_number(g->column, k, wide);
            if (mw_bit(s->known, column)) {
                bfs_set_parent(s, g->place_of[l], mw_number(g->name, column, wide), wide);
                break;
            }
        }
        if (k == end)
            left |= bits & (~bits + 1);
    }
    return left;
}

void bfs_rows_kernel(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    struct bfs_lane *l = &s->lane[self->lane];
    const uint64_t *known = s->known + mw_first_word(s->g);
    uint64_t first, last;
    while (take_chunk(s, s->n_words, &first, &last))
        for (uint64_t w = first; w < last; w++) {
            const uint64_t unvisited = bfs_valid(s, w) & ~known[w];
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

/* ---- around large top-down levels ------------------------------------------------------ */

void bfs_fresh_kernel(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    struct bfs_lane *l = &s->lane[self->lane];
    const uint64_t mine = mw_first_word(s->g);
    uint64_t first, last;
    while (take_chunk(s, s->n_words, &first, &last))
        for (uint64_t w = first; w < last; w++) {
            uint64_t bits = 0;
            for (uint32_t i = 0; i < s->n_lanes; i++)
                bits |= s->lane[i].seen[mine + w];
            reached(s, l, w, bits & ~s->known[mine + w] & bfs_valid(s, w));
        }
}

/* Lanes are not shared, so every core walks over all columns. */
void bfs_refresh_kernel(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    uint64_t *seen = s->lane[self->lane].seen;
    for (uint64_t w = 0; w < s->g->n_columns / 64; w++)
        seen[w] |= __atomic_load_n(&s->known[w], __ATOMIC_RELAXED);
}
