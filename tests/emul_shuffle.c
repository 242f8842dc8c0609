/* emul_shuffle.c -- see emul_shuffle.h. What passes along is a record of 32 bytes whose
 * first word names the consumer; the end of a stream is a record for consumer END.
 *
 * Who waits for whom is acyclic: producers for routers, a down router for those below it,
 * an up router for those above it, both for consumers. So it works at any depth.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_CPE_HEADER

#include "emul_shuffle.h"

enum { DOWN = 4, UP = 5, FIRST_CONSUMER = 6, END = 255, N_PRODUCERS_A_ROW = 4 };

static uint32_t consumer_row(const struct mw_message *m)
{
    return (uint32_t)m->word[0] / 2;
}

static void produce(struct mw_cpe *self, const struct shuffle_job *job)
{
    const uint32_t row = mw_cpe_row(self);
    const uint32_t me = row * N_PRODUCERS_A_ROW + mw_cpe_col(self);
    const struct mw_message *const in = job->in + me * job->n_each;
    const uint64_t n = job->n_each / SHUFFLE_BATCH, bytes = SHUFFLE_BATCH * sizeof *in;
    mw_dma_reply reply[2] = {0, 0}; /* by buffer */
    struct mw_message *buffer[2], end = {{END, 0, 0, 0}};
    for (int i = 0; i < 2; i++)
        buffer[i] = (struct mw_message *)mw_ldm_take(self, bytes);
    if (n > 0)
        mw_dma_get(self, buffer[0], in, bytes, &reply[0]);
    for (uint64_t i = 0; i < n; i++) {
        const struct mw_message *const now = buffer[i & 1];
        if (i + 1 < n) {
            reply[(i + 1) & 1] = 0;
            mw_dma_get(self, buffer[(i + 1) & 1], in + (i + 1) * SHUFFLE_BATCH, bytes,
                       &reply[(i + 1) & 1]);
        }
        mw_dma_wait(self, &reply[i & 1], 1);
        for (int j = 0; j < SHUFFLE_BATCH; j++) {
            mw_work(self, job->produce);
            mw_put_row(self, consumer_row(now + j) >= row ? DOWN : UP, now + j);
        }
    }
    mw_put_row(self, DOWN, &end);
    mw_put_row(self, UP, &end);
}

static void route(struct mw_cpe *self, const struct shuffle_job *job)
{
    const uint32_t row = mw_cpe_row(self);
    const bool down = mw_cpe_col(self) == DOWN;
    uint32_t n_open = N_PRODUCERS_A_ROW + (down ? row : MW_MESH_SIDE - 1 - row);
    struct mw_message m;
    while (n_open > 0) {
        const enum mw_bus bus = mw_await_message(self);
        mw_get(self, bus, &m);
        if (m.word[0] == END) {
            n_open--;
            continue;
        }
        mw_work(self, job->route);
        if (consumer_row(&m) == row)
            mw_put_row(self, FIRST_CONSUMER + (uint32_t)m.word[0] % 2, &m);
        else
            mw_put_col(self, consumer_row(&m), &m);
    }
    const struct mw_message end = {{END, 0, 0, 0}};
    if (down)
        for (uint32_t r = row + 1; r < MW_MESH_SIDE; r++)
            mw_put_col(self, r, &end);
    else
        for (uint32_t r = row; r-- > 0;)
            mw_put_col(self, r, &end);
    for (uint32_t c = FIRST_CONSUMER; c < MW_MESH_SIDE; c++)
        mw_put_row(self, c, &end);
}

static void consume(struct mw_cpe *self, const struct shuffle_job *job)
{
    const uint32_t me = mw_cpe_row(self) * 2 + mw_cpe_col(self) - FIRST_CONSUMER;
    struct mw_message *const out = job->out + me * job->room;
    struct mw_message *batch[2], m;
    mw_dma_reply reply[2] = {0, 0};
    int pending[2] = {0, 0};
    uint64_t *const count = (uint64_t *)mw_ldm_take(self, 128);
    uint32_t n_open = 2, n = 0;
    uint64_t n_full = 0;
    for (int i = 0; i < 2; i++)
        batch[i] = (struct mw_message *)mw_ldm_take(self, SHUFFLE_BATCH * sizeof m);
    while (n_open > 0) {
        const uint32_t at = n_full & 1;
        mw_get_row(self, &m);
        if (m.word[0] == END) {
            n_open--;
            continue;
        }
        if (n == 0) { /* its last contents have left */
            mw_dma_wait(self, &reply[at], pending[at]);
            reply[at] = pending[at] = 0;
        }
        mw_work(self, job->consume);
        batch[at][n++] = m;
        if (n == SHUFFLE_BATCH) {
            mw_dma_put(self, batch[at], out + n_full * SHUFFLE_BATCH,
                       SHUFFLE_BATCH * sizeof m, &reply[at]);
            pending[at] = 1;
            n_full++;
            n = 0;
        }
    }
    for (int i = 0; i < 2; i++)
        mw_dma_wait(self, &reply[i], pending[i]);
    for (int i = 0; i < 16; i++)
        count[i] = n_full * SHUFFLE_BATCH + n;
    reply[0] = 0;
    mw_dma_put(self, count, job->n_out + me * 16, 128, &reply[0]);
    if (n > 0)
        mw_dma_put(self, batch[n_full & 1], out + n_full * SHUFFLE_BATCH, n * sizeof m,
                   &reply[0]);
    mw_dma_wait(self, &reply[0], n > 0 ? 2 : 1);
}

void shuffle_kernel(struct mw_cpe *self, void *arg)
{
    const struct shuffle_job *const job = (const struct shuffle_job *)arg;
    if (mw_cpe_col(self) < DOWN)
        produce(self, job);
    else if (mw_cpe_col(self) < FIRST_CONSUMER)
        route(self, job);
    else
        consume(self, job);
}

/* Each core sends `times` messages to every other: along its row to the column of the
 * target, where a core of the same row turns them. It takes what there is between two
 * puts, but while it waits in a put it takes nothing, and that is the deadlock. Word 0: the
 * target. */
static void take_one(struct mw_cpe *self)
{
    struct mw_message m;
    mw_get(self, mw_await_message(self), &m);
    if (m.word[0] != self->id)
        mw_put_col(self, (uint32_t)m.word[0] / MW_MESH_SIDE, &m);
}

void naive_xy_kernel(struct mw_cpe *self, void *arg)
{
    enum { OTHERS = MW_MESH_SIDE - 1, BURST = 16 };
    const uint32_t times = *(const uint32_t *)arg;
    /* Mine, and those of my row's others for my column's others. */
    const uint32_t n_takes = times * (MW_MESH_CORES - 1 + OTHERS * OTHERS);
    uint32_t n = 0;
    for (uint32_t i = 0; i < times * MW_MESH_CORES; i++) {
        const uint32_t to = (self->id + i) % MW_MESH_CORES;
        const struct mw_message m = {{to, 0, 0, 0}};
        if (to == self->id)
            continue;
        if (to % MW_MESH_SIDE != mw_cpe_col(self))
            mw_put_row(self, to % MW_MESH_SIDE, &m);
        else
            mw_put_col(self, to / MW_MESH_SIDE, &m);
        if (i % BURST != 0)
            continue;
        for (; !mw_row_empty(self) || !mw_col_empty(self); n++)
            take_one(self);
    }
    for (; n < n_takes; n++)
        take_one(self);
}
