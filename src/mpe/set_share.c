/* set_share.c -- see set_share.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/set_share.h"

#include "base/mem.h"
#include "mpe/doubling.h"

#include <string.h>

/* In one go: of all portions, 8 MiB, but of each at least. */
enum { GO_WORDS = 1 << 20, LEAST_WORDS = 64 };

static const char pieces_name[] = "pieces of bitmaps";

/* ---- New and free ------------------------------------------------------------------------- */

static uint64_t words_in_a_go(uint64_t n_ranks, uint64_t portion_words)
{
    return mw_min(portion_words, mw_max(LEAST_WORDS, GO_WORDS / n_ranks));
}

static uint64_t room_of(uint64_t n_ranks, uint64_t n_words)
{
    return mw_set_room(n_ranks * mw_set_blocks(n_words), n_ranks * n_words);
}

void mw_set_share_sizes(uint64_t n_ranks, uint32_t n_hosts, uint64_t portion_words,
                        struct mw_sizes *out)
{
    const uint64_t room = room_of(n_ranks, words_in_a_go(n_ranks, portion_words));
    struct mw_size *row = mw_sizes_add(out, MW_SEARCHING, pieces_name, 3 * room, 1);
    row->of_host = true;
    row->copies = n_hosts > 1;
}

int mw_set_share_new(struct mw_comm *comm, uint64_t portion_words,
                     struct mw_set_share **out)
{
    int rc = MW_OK;
    const uint64_t n_words = words_in_a_go(comm->size, portion_words);
    const uint64_t room = room_of(comm->size, n_words);
    struct mw_set_share *x;

    *out = NULL;
    MW_NEW(rc, x, "exchange of bitmaps", 1);
    x->comm = comm;
    x->n_words = n_words;
    *out = x;
    if (comm->n_hosts == 1 || comm->host_rank != 0)
        goto end;
    MW_NEW(rc, x->pieces, pieces_name, 3 * room);
    x->have = (struct mw_set){.data = x->pieces, .room = room};
    x->got = (struct mw_set){.data = x->pieces + room, .room = room};
    x->both = (struct mw_set){.data = x->pieces + 2 * room, .room = room};
end:
    return mw_comm_agree(comm, rc);
}

void mw_set_share_free(struct mw_set_share *x)
{
    if (x == NULL)
        return;
    MW_FREE_ALL(x->pieces, x);
}

/* ---- The union of all hosts' sets ----------------------------------------------------------- */

static void switch_sets(struct mw_set *a, struct mw_set *b)
{
    const struct mw_set was = *a;
    *a = *b;
    *b = was;
}

/* What comes is joined with what there is, or takes its place. A set that is not whole is dropped
 * and the steps go on: others wait for this host. */
static int swap(void *arg, uint32_t to, uint32_t from, bool joins)
{
    struct mw_set_share *x = arg;
    struct mw_comm *c = x->comm;
    struct mw_swap s = {.to = to,
                        .from = from,
                        .send = x->have.data,
                        .bytes = to != MW_NO_HOST ? x->have.bytes : 0,
                        .recv = x->got.data,
                        .room = x->got.room};
    int rc = mw_comm_swap(c, &s);
    if (rc < MW_OK || c->host_rank != 0)
        return rc;
    x->n_bytes += s.bytes;
    x->n_messages += to != MW_NO_HOST;
    if (from == MW_NO_HOST)
        return MW_OK;
    x->got.bytes = s.received;
    MW_NEED(mw_set_check(&x->got, c->size, x->n_words));
    if (joins && x->have.bytes > 0) {
        mw_set_unite(&x->have, &x->got, &x->both);
        switch_sets(&x->have, &x->both);
    } else {
        switch_sets(&x->have, &x->got);
    }
    return MW_OK;
}

/* ---- Portions ------------------------------------------------------------------------------- */

/* Words at .. at + n of every portion of this host. */
static void put_mine(struct mw_set_share *x, const struct mw_portions *s, uint64_t at,
                     uint64_t n)
{
    const struct mw_comm *c = x->comm;
    uint64_t k = 0; /* ranks of this host before */
    x->have.bytes = 0;
    for (uint32_t r = 0; r < c->size; r++)
        if (c->host_of[r] == c->host)
            mw_set_add(&x->have, (uint32_t)(r * mw_set_blocks(n)),
                       s->window + r * s->stride + at,
                       s->told != NULL ? s->told + k++ * s->stride + at : NULL, n);
}

static void get_all(const struct mw_set_share *x, const struct mw_portions *s,
                    uint64_t at, uint64_t n)
{
    const struct mw_comm *c = x->comm;
    uint64_t read = 0;
    for (uint32_t r = 0; r < c->size; r++) {
        uint64_t *portion = s->window + r * s->stride + at;
        const bool elsewhere = c->host_of[r] != c->host;
        const uint64_t before = read;
        if (s->told == NULL && elsewhere)
            memset(portion, 0, n * sizeof *portion);
        mw_set_read(&x->have, &read, (uint32_t)(r * mw_set_blocks(n)), portion, n);
        if (s->heard != NULL && elsewhere)
            s->heard[r] = (at > 0 ? s->heard[r] : 0) + (read - before);
    }
}

int mw_set_share(struct mw_set_share *x, const struct mw_portions *s)
{
    struct mw_comm *c = x->comm;
    const uint64_t most = x->n_words;
    const uint64_t before = x->n_bytes;
    int rc = mw_comm_host_barrier(c);
    if (rc < MW_OK || c->n_hosts == 1)
        return mw_comm_timed(c, rc, (c->size - 1) * s->n_words * sizeof *s->window);
    for (uint64_t at = 0; at < s->n_words; at += most) {
        const uint64_t n = mw_min(most, s->n_words - at);
        x->n_words = n;
        if (c->host_rank == 0)
            put_mine(x, s, at, n);
        mw_doubling_keep(&rc, mw_doubling(c->n_hosts, c->host, swap, x));
        if (c->host_rank == 0 && rc == MW_OK)
            get_all(x, s, at, n);
    }
    x->n_words = most;
    mw_doubling_keep(&rc, mw_comm_host_barrier(c));
    mw_comm_pass_time(c, x->n_bytes - before); /* sent; who has most counts */
    return rc;
}
