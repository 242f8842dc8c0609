/* cpe_athread.h -- the calls of cpe_types.h on SW26010: DMA, and register communication along
 * rows and columns. docs/sunway.md says what of it has been executed, and where.
 *
 * C99 plus base.h and the vendor's headers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CPE_ATHREAD_H
#define MW_CPE_ATHREAD_H

#include "cpe/cpe_athread_store.h"

#include <simd.h>

/* Before the first kernel. */
MW_FN void mw_mesh_ready(struct mw_cpe *self)
{
    (void)self;
}

/* Here a count must be reached exactly. */
MW_FN void mw_dma_wait(struct mw_cpe *self, mw_dma_reply *reply, int n)
{
    (void)self;
    dma_wait((volatile unsigned *)reply, n);
}

/* ---- messages ---- */

MW_FN void mw_put_row(struct mw_cpe *self, uint32_t col, const struct mw_message *m)
{
    int256 x;
    (void)self;
    simd_load(x, m);
    simd_putr(x, (int)col);
}

MW_FN void mw_put_col(struct mw_cpe *self, uint32_t row, const struct mw_message *m)
{
    int256 x;
    (void)self;
    simd_load(x, m);
    simd_putc(x, (int)row);
}

MW_FN void mw_get_row(struct mw_cpe *self, struct mw_message *m)
{
    int256 x;
    (void)self;
    x = simd_getr(x);
    simd_store(x, m);
}

MW_FN void mw_get_col(struct mw_cpe *self, struct mw_message *m)
{
    int256 x;
    (void)self;
    x = simd_getc(x);
    simd_store(x, m);
}

MW_FN void mw_get(struct mw_cpe *self, enum mw_bus bus, struct mw_message *m)
{
    if (bus == MW_BUS_ROW)
        mw_get_row(self, m);
    else
        mw_get_col(self, m);
}

MW_FN bool mw_row_empty(struct mw_cpe *self)
{
    (void)self;
    return sw_row_empty() != 0;
}

MW_FN bool mw_col_empty(struct mw_cpe *self)
{
    (void)self;
    return sw_col_empty() != 0;
}

MW_FN bool mw_put_blocks(struct mw_cpe *self)
{
    (void)self;
    return sw_put_blocks() != 0;
}

/* In turn, so that neither bus can starve the other. */
MW_FN enum mw_bus mw_await_message(struct mw_cpe *self)
{
    struct mw_athread_core *c = mw_athread_self(self);
    for (;;) {
        c->served ^= 1u;
        if (c->served == MW_BUS_ROW ? !mw_row_empty(self) : !mw_col_empty(self))
            return (enum mw_bus)c->served;
        MW_SPIN(self);
    }
}

/* ---- barriers ---- */

MW_FN void mw_sync_array(struct mw_cpe *self)
{
    (void)self;
    athread_syn(ARRAY_SCOPE, 0xffff);
}

MW_FN void mw_sync_row(struct mw_cpe *self, uint32_t columns)
{
    (void)self;
    athread_syn(ROW_SCOPE, (int)columns);
}

MW_FN void mw_sync_col(struct mw_cpe *self, uint32_t rows)
{
    (void)self;
    athread_syn(COL_SCOPE, (int)rows);
}

#endif
