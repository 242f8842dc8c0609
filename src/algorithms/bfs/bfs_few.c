/* bfs_few.c -- see bfs_few.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_few.h"

#include "algorithms/bfs/bfs.h"
#include "algorithms/bfs/bfs_claim.h"
#include "algorithms/bfs/bfs_search.h"

bool mw_bfs_tells(const struct mw_backend *backend)
{
    return mw_sweep_find(&mw_algorithm_bfs.row[BFS_SAY], mw_algorithm_bfs.sweeps, backend)
               .cores != NULL;
}

/* What is said of a row: how many columns, whose, they. A delegated vertex is a row
 * without any. Numbers are a word, or two, so what takes most room are rows of one
 * edge. */
static uint64_t room_of(uint64_t n_few)
{
    enum { BEGUN = 3, ROW = BEGUN + 2 };
    return ROW * n_few +
           BEGUN; /* a row that turns out to say nothing was begun as well */
}

void bfs_few_sizes(const struct mw_world_shape *world, const struct mw_means *means,
                   struct mw_sizes *out)
{
    if (means->n_few > 0 && mw_bfs_tells(world->backend))
        mw_list_share_sizes(world->n_hosts, world->host_ranks, room_of(means->n_few),
                            out);
}

int bfs_few_init(struct mw_bfs *b)
{
    return b->means.n_few > 0 && mw_bfs_tells(b->world->backend)
               ? mw_list_share_new(b->world->comm, room_of(b->means.n_few), &b->s.said)
               : MW_OK;
}

bool bfs_is_few(const struct mw_bfs *b)
{
    const uint64_t n_edges = b->last.n_edges - b->last.delegated_edges;
    return b->s.said != NULL && n_edges + b->last.n_delegated <= b->means.n_few;
}

/* ---- Sweeps ------------------------------------------------------------------------------ */

MW_FN void say_number(struct mw_list_share *said, uint64_t x, bool wide)
{
    mw_list_say(said, (uint32_t)x);
    if (wide)
        mw_list_say(said, (uint32_t)(x >> 32));
}

MW_FN uint64_t number_at(const uint32_t *word, uint64_t i, bool wide)
{
    return wide ? word[2 * i] | (uint64_t)word[2 * i + 1] << 32 : word[i];
}

/* My own columns are claimed at once. */
MW_FN void say_row(struct bfs_state *s, const struct mw_cpe *self, uint32_t u,
                   struct bfs_block *claims, bool wide)
{
    const struct mw_graph *g = s->g;
    const uint32_t me = g->comm->rank;
    const uint32_t label_bits = g->label_bits;
    const mw_vid name = mw_vertex_at(g, me, g->place_of[u]);
    uint32_t *const mine = mw_list_slot(s->said, g->comm->host_rank);
    const uint32_t begin = mine[0];
    uint32_t n = 0;
    mw_list_say(s->said, 0);
    say_number(s->said, name, wide);
    for (uint64_t k = g->row[u]; k < g->row[u + 1]; k++) {
        const uint64_t column = mw_number(g->column, k, wide);
        const uint32_t label = mw_column_label(column, label_bits);
        if (mw_column_owner(column, label_bits) == me) {
            if (bfs_first_sight(&s->lane[self->lane], s->seen_own + label))
                bfs_claim(s, self->lane, claims, label, name, wide);
        } else {
            say_number(s->said, column, wide);
            n++;
        }
    }
    if (n > 0)
        mine[MW_LIST_HEAD + begin] = n;
    else
        mine[0] = begin; /* nothing to say */
}

static void say_delegated(struct bfs_state *s, uint32_t u)
{
    const struct mw_graph *g = s->g;
    mw_list_say(s->said, 0);
    say_number(s->said, mw_column(g->comm->rank, u, g->label_bits), g->wide);
}

void bfs_say_kernel(struct mw_cpe *self, void *arg)
{
    struct bfs_state *s = ((struct mw_job *)arg)->state;
    const struct mw_graph *g = s->g;
    const uint64_t here =
        s->delegates.d != NULL ? mw_delegates_here(s->delegates.d, g->comm->rank) : 0;
    struct bfs_block claims;
    claims.n = 0;
    if (self->id != 0)
        return;
    mw_list_begin(s->said);
    for (uint64_t i = 0; i < s->f.n_list; i++) {
        const uint32_t u = s->f.list[i];
        if (u < here)
            say_delegated(s, u);
        else
            say_row(s, self, u, &claims, g->wide);
    }
    bfs_settle(s, self->lane, &claims, g->wide);
}

/* Of one part; false: it is not whole. */
MW_FN bool hear(struct bfs_state *s, const struct mw_cpe *self, const uint32_t *word,
                uint64_t n_words, struct bfs_block *claims, bool wide)
{
    const struct mw_graph *g = s->g;
    const uint32_t label_bits = g->label_bits;
    const uint64_t size = wide ? 2 : 1;
    uint64_t at = 0;
    while (at + 1 + size <= n_words) {
        const uint64_t n = word[at], name = number_at(word + at + 1, 0, wide);
        const uint32_t *column = word + at + 1 + size;
        at += 1 + size + n * size;
        if (at > n_words)
            return false;
        if (n == 0)
            bfs_delegates_add(s, mw_column_owner(name, label_bits),
                              mw_column_label(name, label_bits));
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t c = number_at(column, i, wide);
            const uint32_t label = mw_column_label(c, label_bits);
            if (mw_column_owner(c, label_bits) == g->comm->rank && label < g->n_labels &&
                bfs_first_sight(&s->lane[self->lane], s->seen_own + label))
                bfs_claim(s, self->lane, claims, label, name, wide);
        }
    }
    return at == n_words;
}

void bfs_hear_kernel(struct mw_cpe *self, void *arg)
{
    struct bfs_state *s = ((struct mw_job *)arg)->state;
    struct bfs_block claims;
    uint64_t n;
    claims.n = 0;
    if (self->id != 0)
        return;
    s->delegates.n_pieces = 0;
    s->heard_all = true;
    for (uint32_t part = 0; part < mw_list_parts(s->said); part++) {
        const uint32_t *word = mw_list_part(s->said, part, &n);
        s->heard_all = hear(s, self, word, n, &claims, s->g->wide) && s->heard_all;
    }
    bfs_settle(s, self->lane, &claims, s->g->wide);
}

/* ---- The level loop ---------------------------------------------------------------------- */

int bfs_few_expand(struct mw_bfs *b, struct mw_level *level)
{
    struct mw_list_share *const said = b->s.said;
    const uint64_t sent = said->n_bytes;
    bfs_sweep(b, BFS_SAY);
    level->own[MW_BFS_TOLD] = mw_list_slot(said, b->world->comm->host_rank)[0];
    const int rc = mw_list_share(said);
    level->n_bytes += said->n_bytes - sent;
    if (rc < MW_OK)
        return rc;
    bfs_sweep(b, BFS_HEAR);
    if (!b->s.heard_all)
        return mw_fail(MW_ERR_INTERNAL, "a list of edges that ends within a row");
    bfs_delegates_along(b, level);
    return MW_OK;
}
