/* cpe_rma.h -- the calls of cpe_types.h on SW26010-Pro, which has no register communication:
 * a message is put into a mailbox in the receiver's local store.
 *
 *      sender                                     receiver
 *      staged --rma_iput, 32 bytes-->  slot[bus][my seat][n % DEPTH]
 *                                      arrived[bus][my seat]++   (its reply word)
 *      freed[bus][its seat]++  <--rma_iput of 4 bytes--          when it has been taken out
 *
 * Each pair of cores of a row or column has a ring of its own, so nothing is shared: `sent` is
 * the sender's, `taken` the receiver's, and the other two are only counted by the hardware, as
 * reply words. The invariant is freed <= taken <= arrived <= sent <= freed + DEPTH. Counts go
 * round, so only their differences are looked at.
 *
 * Unlike a register broadcast, one to MW_TO_ALL is seven puts: some may have arrived while
 * another waits for room.
 *
 * Nothing of it was ever run on such a machine; docs/sunway.md has the list of doubts. C99.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CPE_RMA_H
#define MW_CPE_RMA_H

#include "cpe/cpe_athread_store.h"

#include <crts.h>
#include <string.h>

enum { MW_RMA_DEPTH = 4 }; /* messages; a power of two */

struct mw_rma_mail {
    struct mw_message slot[2][MW_MESH_SIDE][MW_RMA_DEPTH]; /* written by others */
    athread_rply_t arrived[2][MW_MESH_SIDE], freed[2][MW_MESH_SIDE];
    uint32_t sent[2][MW_MESH_SIDE], taken[2][MW_MESH_SIDE];
    struct mw_message staged; /* until it has been read out */
    athread_rply_t read_out;
    uint32_t n_read_out;
    uint32_t next[2]; /* whose ring is looked at first */
    int credit[2];    /* what is put to say "taken": its value does not matter */
    int credited[2];
};

/* One per executable: the source that includes this is the only one of the cores' side that
 * defines it (athread_kernels.c). The same address on all cores, which RMA needs. */
extern __thread_local struct mw_rma_mail mw_rma_mail;

MW_FN uint32_t mw_rma_seat(const struct mw_cpe *self, uint32_t bus)
{
    return bus == MW_BUS_ROW ? mw_cpe_col(self) : mw_cpe_row(self);
}

MW_FN int mw_rma_core(const struct mw_cpe *self, uint32_t bus, uint32_t seat)
{
    return (int)(bus == MW_BUS_ROW ? mw_cpe_row(self) * MW_MESH_SIDE + seat
                                   : seat * MW_MESH_SIDE + mw_cpe_col(self));
}

/* Before the first kernel: nobody may put before everybody's mailbox is empty. */
MW_FN void mw_mesh_ready(struct mw_cpe *self)
{
    (void)self;
    memset((void *)&mw_rma_mail, 0, sizeof mw_rma_mail);
    athread_ssync_array();
}

/* Here a count may be passed. */
MW_FN void mw_dma_wait(struct mw_cpe *self, mw_dma_reply *reply, int n)
{
    (void)self;
    athread_dma_wait_value(reply, n);
}

/* ---- messages ---- */

MW_FN bool mw_rma_full(const struct mw_rma_mail *b, uint32_t bus, uint32_t to)
{
    return b->sent[bus][to] - (uint32_t)b->freed[bus][to] == MW_RMA_DEPTH;
}

MW_FN void mw_rma_read_out(struct mw_rma_mail *b)
{
    athread_rma_wait_value(&b->read_out, (int)++b->n_read_out);
    if (b->n_read_out == 1u << 30) {
        b->n_read_out = 0;
        b->read_out = 0;
    }
}

MW_FN void mw_rma_put_one(struct mw_cpe *self, uint32_t bus, uint32_t to,
                          const struct mw_message *m)
{
    struct mw_rma_mail *b = &mw_rma_mail;
    const uint32_t me = mw_rma_seat(self, bus);
    while (mw_rma_full(b, bus, to))
        MW_SPIN(self);
    b->staged = *m;
    athread_rma_iput(
        &b->staged, &b->read_out, (int)sizeof b->staged, mw_rma_core(self, bus, to),
        &b->slot[bus][me][b->sent[bus][to] % MW_RMA_DEPTH], &b->arrived[bus][me]);
    mw_rma_read_out(b);
    b->sent[bus][to]++;
}

static inline void mw_rma_put(struct mw_cpe *self, uint32_t bus, uint32_t to,
                              const struct mw_message *m)
{
    uint32_t i;
    if (to != MW_TO_ALL) {
        mw_rma_put_one(self, bus, to, m);
        return;
    }
    for (i = 0; i < MW_MESH_SIDE; i++)
        if (i != mw_rma_seat(self, bus))
            mw_rma_put_one(self, bus, i, m);
}

MW_FN void mw_put_row(struct mw_cpe *self, uint32_t col, const struct mw_message *m)
{
    mw_rma_put(self, MW_BUS_ROW, col, m);
}

MW_FN void mw_put_col(struct mw_cpe *self, uint32_t row, const struct mw_message *m)
{
    mw_rma_put(self, MW_BUS_COL, row, m);
}

/* A sender of that bus whose message is here, in turn; MW_MESH_SIDE: none. */
MW_FN uint32_t mw_rma_from(const struct mw_rma_mail *b, uint32_t bus)
{
    uint32_t i;
    for (i = 0; i < MW_MESH_SIDE; i++) {
        const uint32_t from = (b->next[bus] + i) % MW_MESH_SIDE;
        if ((uint32_t)b->arrived[bus][from] != b->taken[bus][from])
            return from;
    }
    return MW_MESH_SIDE;
}

static inline void mw_rma_get(struct mw_cpe *self, uint32_t bus, struct mw_message *m)
{
    struct mw_rma_mail *b = &mw_rma_mail;
    uint32_t from;
    while ((from = mw_rma_from(b, bus)) == MW_MESH_SIDE)
        MW_SPIN(self);
    *m = b->slot[bus][from][b->taken[bus][from]++ % MW_RMA_DEPTH];
    b->next[bus] = (from + 1) % MW_MESH_SIDE;
    athread_rma_iput(&b->credit[bus], &b->read_out, (int)sizeof b->credit[bus],
                     mw_rma_core(self, bus, from), &b->credited[bus],
                     &b->freed[bus][mw_rma_seat(self, bus)]);
    mw_rma_read_out(b);
}

MW_FN void mw_get(struct mw_cpe *self, enum mw_bus bus, struct mw_message *m)
{
    mw_rma_get(self, (uint32_t)bus, m);
}

MW_FN void mw_get_row(struct mw_cpe *self, struct mw_message *m)
{
    mw_rma_get(self, MW_BUS_ROW, m);
}

MW_FN void mw_get_col(struct mw_cpe *self, struct mw_message *m)
{
    mw_rma_get(self, MW_BUS_COL, m);
}

MW_FN bool mw_row_empty(struct mw_cpe *self)
{
    (void)self;
    return mw_rma_from(&mw_rma_mail, MW_BUS_ROW) == MW_MESH_SIDE;
}

MW_FN bool mw_col_empty(struct mw_cpe *self)
{
    (void)self;
    return mw_rma_from(&mw_rma_mail, MW_BUS_COL) == MW_MESH_SIDE;
}

/* One answer for all targets, as the register of SW26010 has: is any ring full? */
MW_FN bool mw_put_blocks(struct mw_cpe *self)
{
    uint32_t bus, to;
    (void)self;
    for (bus = 0; bus < 2; bus++)
        for (to = 0; to < MW_MESH_SIDE; to++)
            if (mw_rma_full(&mw_rma_mail, bus, to))
                return true;
    return false;
}

/* In turn, so that neither bus can starve the other. */
MW_FN enum mw_bus mw_await_message(struct mw_cpe *self)
{
    struct mw_athread_core *c = mw_athread_self(self);
    for (;;) {
        c->served ^= 1u;
        if (mw_rma_from(&mw_rma_mail, c->served) != MW_MESH_SIDE)
            return (enum mw_bus)c->served;
        MW_SPIN(self);
    }
}

/* ---- barriers ---- */

MW_FN void mw_sync_array(struct mw_cpe *self)
{
    (void)self;
    athread_ssync_array();
}

MW_FN void mw_sync_row(struct mw_cpe *self, uint32_t columns)
{
    (void)self;
    athread_ssync(ROW_SCOPE, (int)columns);
}

MW_FN void mw_sync_col(struct mw_cpe *self, uint32_t rows)
{
    (void)self;
    athread_ssync(COL_SCOPE, (int)rows);
}

#endif
