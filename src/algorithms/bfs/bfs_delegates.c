/* bfs_delegates.c -- see bfs_delegates.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_delegates.h"

#include "algorithms/bfs/bfs_claim.h"
#include "algorithms/bfs/bfs_search.h"
#include "devices/placed.h"

#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------ */

void bfs_delegates_sizes(const struct mw_delegates_shape *shape, bool apart,
                         struct mw_sizes *out)
{
    const struct bfs_delegates *x = NULL;
    const uint64_t n_words = (shape->most + 63) / 64, n = shape->n_vertices;
    struct mw_size *row[8];
    row[0] = mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "delegated, told", n_words,
                             sizeof *x->told);
    row[1] = mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "delegated, new", n_words,
                             sizeof *x->news);
    row[2] = mw_sizes_add_of(out, MW_OF_BOTH, MW_SEARCHING, "active pieces", n,
                             sizeof *x->piece);
    row[3] = mw_sizes_add_of(out, MW_OF_BOTH, MW_SEARCHING, "entries of active pieces", n,
                             sizeof *x->piece_end);
    row[4] = mw_sizes_add(out, MW_SEARCHING, "delegated, active",
                          shape->n_ranks * n_words, sizeof *x->active);
    row[4]->of_host = true;
    row[5] = mw_sizes_add_of(out, MW_OF_BOTH, MW_SEARCHING,
                             "delegated, new, for the host", n_words, sizeof *x->mirror);
    row[6] = mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING,
                             "active pieces, for the cores", n, sizeof *x->piece);
    row[7] = mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING,
                             "their entries, for the cores", n, sizeof *x->piece_end);
    for (uint32_t i = 0; i < 8; i++)
        row[i]->copies = n > 0 && (i < 5 || apart);
}

int bfs_delegates_init(struct mw_bfs *b)
{
    struct bfs_delegates *x = &b->s.delegates;
    const struct mw_graph *g = b->g;
    const struct mw_delegates_shape shape = mw_delegates_shape_of(g);
    struct mw_sizes sizes = {0};
    void *active = NULL;
    int rc = MW_OK;

    if (g->delegates == NULL || !b->means.classes)
        return MW_OK;
    bfs_delegates_sizes(&shape, !mw_host_reaches(b->world->backend), &sizes);
    x->n_words = (shape.most + 63) / 64;
    MW_PLACE(rc, x->told, b->world, MW_OF_CORES, &sizes, "delegated, told");
    MW_PLACE(rc, x->news, b->world, MW_OF_CORES, &sizes, "delegated, new");
    MW_PLACE(rc, x->piece, b->world, MW_OF_BOTH, &sizes, "active pieces");
    MW_PLACE(rc, x->piece_end, b->world, MW_OF_BOTH, &sizes, "entries of active pieces");
    x->of_cores.piece = x->piece;
    x->of_cores.piece_end = x->piece_end;
    if (!mw_host_reaches(b->world->backend)) {
        x->of_cores.piece = NULL;
        x->of_cores.piece_end = NULL;
        MW_PLACE(rc, x->mirror, b->world, MW_OF_BOTH, &sizes,
                 "delegated, new, for the host");
        MW_PLACE(rc, x->of_cores.piece, b->world, MW_OF_CORES, &sizes,
                 "active pieces, for the cores");
        MW_PLACE(rc, x->of_cores.piece_end, b->world, MW_OF_CORES, &sizes,
                 "their entries, for the cores");
    }
end:
    rc = mw_comm_agree(g->comm, rc);
    if (rc == MW_OK) {
        const struct mw_size *table = mw_sizes_find(&sizes, "delegated, active");
        rc = mw_comm_hosts_alloc(g->comm, table->what, table->n * table->bytes, &active);
    }
    x->active = active;
    if (rc == MW_OK) {
        x->d = b->s.g->delegates;
        x->label = x->d->label;
        x->n_here = mw_delegates_here(g->delegates, g->comm->rank);
    }
    return rc;
}

void bfs_delegates_fini(struct mw_bfs *b)
{
    struct bfs_delegates *x = &b->s.delegates;
    mw_comm_host_free(b->world->comm, x->active);
    mw_unplace(b->world, MW_OF_CORES, x->told);
    mw_unplace(b->world, MW_OF_CORES, x->news);
    if (!mw_host_reaches(b->world->backend)) {
        mw_unplace(b->world, MW_OF_CORES, x->of_cores.piece);
        mw_unplace(b->world, MW_OF_CORES, x->of_cores.piece_end);
    }
    mw_unplace(b->world, MW_OF_BOTH, x->mirror);
    mw_unplace(b->world, MW_OF_BOTH, x->piece);
    mw_unplace(b->world, MW_OF_BOTH, x->piece_end);
}

/* ---- Who is active ------------------------------------------------------------------------ */

void bfs_delegates_tell(struct mw_bfs *b, struct bfs_tally *tally)
{
    struct bfs_delegates *x = &b->s.delegates;
    const uint64_t *row = b->g->row;
    if (x->d == NULL)
        return;
    bfs_sweep(b, BFS_TELL);
    x->seen_news = mw_see(b->world, x->mirror, x->news, x->n_words * sizeof *x->news);
    for (uint64_t w = 0; w < x->n_words; w++)
        for (uint64_t bits = x->seen_news[w]; bits != 0; bits &= bits - 1) {
            const uint64_t label = 64 * w + (uint64_t)__builtin_ctzll(bits);
            tally->delegated_edges += row[label + 1] - row[label];
            tally->n_delegated++;
        }
}

static void add_piece(struct bfs_delegates *x, const struct mw_graph *g, uint64_t rank,
                      uint64_t label)
{
    const struct mw_delegates *d = g->delegates;
    const uint64_t i = d->first[rank] + label, n = d->start[i + 1] - d->start[i];
    if (n == 0)
        return;
    x->piece[x->n_pieces] =
        (struct bfs_piece){mw_delegate_name(g, rank, label), d->start[i]};
    x->piece_end[x->n_pieces] = n + (x->n_pieces > 0 ? x->piece_end[x->n_pieces - 1] : 0);
    x->n_units = x->piece_end[x->n_pieces++];
}

void bfs_delegates_add(struct bfs_state *s, uint64_t rank, uint64_t label)
{
    const struct mw_delegates *d = s->delegates.d;
    if (d != NULL && rank < s->g->comm->size &&
        label < mw_delegates_here(d, (uint32_t)rank))
        add_piece(&s->delegates, s->g, rank, label);
}

static void list_pieces(struct mw_bfs *b)
{
    struct bfs_delegates *x = &b->s.delegates;
    x->n_pieces = 0;
    for (uint64_t r = 0; r < b->g->comm->size; r++)
        for (uint64_t w = 0; w < x->n_words; w++)
            for (uint64_t bits = x->active[r * x->n_words + w]; bits != 0;
                 bits &= bits - 1)
                add_piece(x, b->g, r, 64 * w + (uint64_t)__builtin_ctzll(bits));
}

/* ---- The sweep ---------------------------------------------------------------------------- */

MW_FN void along_pieces(struct bfs_state *s, uint32_t lane, uint64_t first, uint64_t last,
                        bool wide)
{
    const struct bfs_delegates *x = &s->delegates;
    struct bfs_lane *l = &s->lane[lane];
    struct bfs_block claims;
    claims.n = 0;
    for (uint64_t i = mw_item_of(x->piece_end, x->n_pieces, first), at = first; at < last;
         i++) {
        const uint64_t begin = i > 0 ? x->piece_end[i - 1] : 0;
        const uint64_t end = mw_min(last, x->piece_end[i]);
        const uint32_t *label = x->d->label + (x->piece[i].start + at - begin);
        for (; at < end; at++, label++)
            if (!mw_bit(s->f.visited, *label) && bfs_first_sight(l, s->seen_own + *label))
                bfs_claim(s, lane, &claims, *label, x->piece[i].parent, wide);
    }
    bfs_settle(s, lane, &claims, wide);
}

void bfs_pieces_kernel(struct mw_cpe *self, void *arg)
{
    struct bfs_state *s = ((struct mw_job *)arg)->state;
    uint64_t from, to;
    mw_share(self, 0, s->delegates.n_units, &from, &to);
    if (from >= to)
        return;
    if (s->g->wide)
        along_pieces(s, self->lane, from, to, true);
    else
        along_pieces(s, self->lane, from, to, false);
}

void bfs_delegates_along(struct mw_bfs *b, struct mw_level *level)
{
    const struct bfs_delegates *x = &b->s.delegates;
    if (x->n_pieces == 0)
        return;
    level->own[MW_BFS_DELEGATED_EDGES] = x->n_units;
    if (bfs_slices_expand(b, level, x->n_units, x->n_pieces, true))
        return;
    if (!mw_host_reaches(b->world->backend)) {
        mw_put(b->world, x->of_cores.piece, x->piece, x->n_pieces * sizeof *x->piece);
        mw_put(b->world, x->of_cores.piece_end, x->piece_end,
               x->n_pieces * sizeof *x->piece_end);
    }
    bfs_sweep(b, BFS_PIECES);
}

int bfs_delegates_expand(struct mw_bfs *b, struct mw_level *level)
{
    struct bfs_state *s = &b->s;
    struct bfs_delegates *x = &s->delegates;
    struct mw_comm *comm = b->world->comm;
    const uint64_t portion = x->n_words * sizeof *x->active;

    /* The last who read it did so before the sum that has told of these. */
    memcpy(x->active + comm->rank * x->n_words, x->seen_news, portion);
    const struct mw_portions active = {
        .window = x->active, .stride = x->n_words, .n_words = x->n_words};
    const uint64_t sent = b->share->n_bytes;
    MW_NEED(mw_set_share(b->share, &active));
    level->own[MW_BFS_DELEGATED_BYTES] = b->share->n_bytes - sent;
    level->n_bytes += level->own[MW_BFS_DELEGATED_BYTES];
    list_pieces(b);
    s->drop_below = x->n_here;
    bfs_sweep(b, BFS_DROP);
    mw_frontier_listed(&s->f);
    bfs_delegates_along(b, level);
    return MW_OK;
}
