/* bfs_slices.c -- see bfs_slices.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_slices.h"

#include "algorithms/bfs/bfs_claim.h"
#include "algorithms/bfs/bfs_search.h"

enum {
    /* A slice's bits, and where the parents of its labels lie, fit a core's own cache. */
    SLICE_LABELS = 1 << 18,
    SLICES_PER_CORE = 4, /* who has done one takes another */
    STRETCH = 8,     /* entries of a row in a slice from which the search for it pays */
    LEAST_EDGES = 8, /* of a level, for each word of the bits that it walks over */
    TOGETHER = 32,   /* rows whose stretches are searched for at the same time */
    FETCHED = 3      /* lines of a stretch beyond its first that are fetched ahead */
};

/* ---- Rows -------------------------------------------------------------------------------- */

struct stretch {
    uint64_t at, end; /* entries */
    mw_vid parent;
};

/* Row i of this level, whole. */
MW_FN struct stretch row_of(const struct bfs_state *s, uint64_t i, bool pieces)
{
    const struct mw_graph *g = s->g;
    if (pieces) {
        const struct bfs_delegates *x = &s->delegates;
        const uint64_t start = x->piece[i].start,
                       before = i > 0 ? x->piece_end[i - 1] : 0;
        return (struct stretch){start, start + x->piece_end[i] - before,
                                x->piece[i].parent};
    }
    const uint32_t u = s->f.list[i];
    return (struct stretch){g->row[u], g->row[u + 1],
                            mw_vertex_at(g, g->comm->rank, g->place_of[u])};
}

/* With one rank a column is a label. */
MW_FN uint64_t label_at(const struct bfs_state *s, uint64_t entry, bool pieces, bool wide)
{
    return pieces ? s->delegates.d->label[entry] : mw_number(s->g->column, entry, wide);
}

MW_FN void fetch_entry(const struct bfs_state *s, uint64_t entry, bool pieces, bool wide)
{
    const char *entries = pieces ? (const char *)s->delegates.d->label : s->g->column;
    __builtin_prefetch(entries + entry * (!pieces && wide ? 8 : 4));
}

/* Moves the beginnings of n rows to their first entries that are not below `label`. All
 * of them by one step, then by the next: each is a cache miss of its own. */
MW_FN void find_label(const struct bfs_state *s, struct stretch *row, uint64_t n,
                      uint64_t label, bool pieces, bool wide)
{
    uint64_t length[TOGETHER], longest = 0;
    for (uint64_t i = 0; i < n; i++) {
        length[i] = row[i].end - row[i].at;
        longest = mw_max(longest, length[i]);
        fetch_entry(s, row[i].at + length[i] / 2, pieces, wide);
    }
    for (; longest > 0; longest /= 2)
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t half = length[i] / 2;
            if (length[i] == 0)
                continue;
            const bool below = label_at(s, row[i].at + half, pieces, wide) < label;
            row[i].at += below ? half + 1 : 0;
            length[i] = below ? length[i] - half - 1 : half;
            fetch_entry(s, row[i].at + length[i] / 2, pieces, wide);
        }
}

/* ---- Slices ------------------------------------------------------------------------------ */

/* The word that slice k begins with. An edge costs a look and a label at most one claim,
 * so that slices are alike that have as much of the edges and of the labels together. */
static uint64_t first_word(const struct bfs_state *s, uint64_t k)
{
    const uint64_t *row = s->g->in_row;
    const double n_edges = (double)row[s->g->n_labels], n_labels = (double)s->g->n_labels;
    const double before = 2 * (double)k / (double)s->slices.n;
    uint64_t low = 0, high = s->f.n_words;
    if (k == s->slices.n)
        return high;
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if ((double)row[64 * mid] / n_edges + (double)(64 * mid) / n_labels < before)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Nobody else gives parents to labels of this slice, which had none when the level began, but
 * whoever claims what records or short rows lead to; either parent is right. */
MW_FN void give_parents(struct bfs_state *s, struct bfs_block *b, bool wide)
{
    for (uint32_t i = 0; i < b->n; i++) {
        b->place[i] = s->g->place_of[b->label[i]];
        __builtin_prefetch(
            (const char *)s->parent + (uint64_t)b->place[i] * (wide ? 8 : 4), 1);
    }
    for (uint32_t i = 0; i < b->n; i++)
        bfs_set_parent(s, b->place[i], b->parent[i], wide);
    b->n = 0;
}

/* Along one row up to label `end`. `bits` are those of the slice. */
MW_FN void along(struct bfs_state *s, const struct stretch *row, uint64_t end,
                 struct bfs_block *b, bool pieces, bool wide)
{
    uint64_t *bits = s->f.bits;
    for (uint64_t at = row->at; at < row->end;) {
        const uint64_t stop = mw_min(row->end, at + BFS_BLOCK - b->n);
        const uint32_t n_before = b->n;
        uint32_t n = n_before;
        for (; at < stop; at++) {
            const uint64_t label = label_at(s, at, pieces, wide);
            if (label >= end)
                break;
            const uint64_t word = bits[label / 64], shift = label % 64;
            bits[label / 64] = word | UINT64_C(1) << shift;
            b->label[n] = (uint32_t)label;
            n += !(word >> shift & 1);
        }
        for (uint32_t i = n_before; i < n; i++) {
            __builtin_prefetch(&s->g->place_of[b->label[i]]);
            b->parent[i] = row->parent;
        }
        b->n = n;
        if (n == BFS_BLOCK)
            give_parents(s, b, wide);
        if (at < stop)
            break;
    }
}

MW_FN void slice(struct bfs_state *s, uint64_t first, uint64_t last, bool pieces,
                 bool wide)
{
    const uint64_t n_rows = pieces ? s->delegates.n_pieces : s->f.n_list;
    struct stretch row[TOGETHER];
    struct bfs_block claims;
    claims.n = 0;
    for (uint64_t w = first; w < last; w++)
        s->f.bits[w] = MW_LOAD_RELAXED(&s->f.visited[w]);
    for (uint64_t i = 0; i < n_rows; i += TOGETHER) {
        const uint64_t n = mw_min(TOGETHER, n_rows - i);
        for (uint64_t k = 0; k < n; k++)
            row[k] = row_of(s, i + k, pieces);
        if (first > 0)
            find_label(s, row, n, 64 * first, pieces, wide);
        for (uint64_t k = 0; k < n; k++) {
            for (uint64_t line = 1; k + 1 < n && line <= FETCHED; line++)
                fetch_entry(s, row[k + 1].at + 16 * line, pieces, wide);
            along(s, &row[k], 64 * last, &claims, pieces, wide);
        }
    }
    give_parents(s, &claims, wide);
    for (uint64_t w = first; w < last; w++)
        s->f.bits[w] &= ~MW_LOAD_RELAXED(&s->f.visited[w]);
}

void bfs_slices_kernel(struct mw_cpe *self, void *arg)
{
    struct bfs_state *s = ((struct mw_job *)arg)->state;
    uint64_t k, end;
    (void)self;
    while (mw_sweep_take(s->sweep, s->slices.n, 1, &k, &end)) {
        const uint64_t first = first_word(s, k), last = first_word(s, end);
        if (s->g->wide)
            slice(s, first, last, s->slices.pieces, true);
        else if (s->slices.pieces)
            slice(s, first, last, true, false);
        else
            slice(s, first, last, false, false);
    }
}

/* ---- The level loop ---------------------------------------------------------------------- */

bool bfs_slices_expand(struct mw_bfs *b, struct mw_level *level, uint64_t n_edges,
                       uint64_t n_rows, bool pieces)
{
    struct bfs_state *s = &b->s;
    const uint64_t n =
        mw_max((uint64_t)SLICES_PER_CORE * s->n_lanes, s->g->n_labels / SLICE_LABELS);
    b->sliced = b->has_slices && n_edges >= LEAST_EDGES * s->f.n_words &&
                n_edges >= STRETCH * n * n_rows;
    if (!b->sliced)
        return false;
    s->slices = (struct bfs_slices){.n = n, .pieces = pieces};
    level->own[MW_BFS_SLICED_EDGES] = n_edges;
    bfs_sweep(b, BFS_SLICES);
    return true;
}

void bfs_slices_join(struct mw_bfs *b)
{
    bfs_sweep(b, BFS_JOIN);
    mw_frontier_swept(&b->s.f);
}
