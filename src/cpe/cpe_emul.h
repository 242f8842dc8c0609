/* cpe_emul.h -- the calls of cpe_types.h on emulated cores.
 *
 * Both executors of emul.h take the same compiled kernel. Every call passes on where it
 * stands in the source, so that each report can name the line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CPE_EMUL_H
#define MW_CPE_EMUL_H

#include "cpe/cpe_types.h"
#include "cpe/meter.h"

MW_BEGIN_DECLS

/* The part of an emulated core that calls without an effect on others touch. */
struct mw_emul_self {
    struct mw_cpe cpe; /* what the kernel gets a pointer to */
    uint64_t now;      /* the core's own virtual time, in cycles */
};

#define MW_HERE_TEXT(n) #n
#define MW_HERE_LINE(n) MW_HERE_TEXT(n)
#define MW_HERE         __FILE__ ":" MW_HERE_LINE(__LINE__)

/* ---- behind the macros ---- */

struct mw_emul_dma { /* one request as the kernel states it */
    void *ldm, *mem;
    mw_dma_reply *reply;
    uint64_t bytes, block, gap; /* block 0: contiguous */
    bool put;
};

MW_SHOWN void *mw_emul_statics(struct mw_cpe *self, uint64_t bytes, const char *name,
                               const char *here);
MW_SHOWN void *mw_emul_take(struct mw_cpe *self, uint64_t bytes, const char *here);
MW_SHOWN void mw_emul_reset(struct mw_cpe *self, const char *here);
MW_SHOWN uint64_t mw_emul_left(struct mw_cpe *self, const char *here);
MW_SHOWN void mw_emul_dma(struct mw_cpe *self, const struct mw_emul_dma *request,
                          const char *here);
MW_SHOWN void mw_emul_dma_wait(struct mw_cpe *self, mw_dma_reply *reply, int n,
                               const char *here);
MW_SHOWN void mw_emul_put(struct mw_cpe *self, enum mw_bus bus, uint32_t to,
                          const struct mw_message *m, const char *here);
MW_SHOWN void mw_emul_get(struct mw_cpe *self, enum mw_bus bus, struct mw_message *m,
                          const char *here);
MW_SHOWN enum mw_bus mw_emul_await(struct mw_cpe *self, const char *here);
MW_SHOWN bool mw_emul_empty(struct mw_cpe *self, enum mw_bus bus, const char *here);
MW_SHOWN bool mw_emul_put_blocks(struct mw_cpe *self, const char *here);
enum { MW_EMUL_SYNC_ROW, MW_EMUL_SYNC_COL, MW_EMUL_SYNC_ARRAY };
MW_SHOWN void mw_emul_sync(struct mw_cpe *self, int scope, uint32_t mask,
                           const char *here);
MW_SHOWN uint32_t mw_emul_add1(struct mw_cpe *self, uint32_t *p, const char *here);
MW_SHOWN uint64_t mw_emul_add1_long(struct mw_cpe *self, uint64_t *p, const char *here);
MW_SHOWN uint64_t mw_emul_load(struct mw_cpe *self, const uint64_t *p, const char *here);
MW_SHOWN void mw_emul_store(struct mw_cpe *self, uint64_t *p, uint64_t x,
                            const char *here);
MW_SHOWN void mw_emul_memb(struct mw_cpe *self, const char *here);
MW_SHOWN void mw_emul_spin(struct mw_cpe *self, const char *here);

/* ---- what kernels call ---- */

MW_FN uint32_t mw_cpe_row(const struct mw_cpe *self)
{
    return self->id / MW_MESH_SIDE;
}

MW_FN uint32_t mw_cpe_col(const struct mw_cpe *self)
{
    return self->id % MW_MESH_SIDE;
}

MW_FN void mw_work(struct mw_cpe *self, uint64_t cycles)
{
    ((struct mw_emul_self *)(void *)self)->now += cycles;
}

MW_FN uint64_t mw_cycles(const struct mw_cpe *self)
{
    return ((const struct mw_emul_self *)(const void *)self)->now;
}

/* What elements touch in memory in place. */
#define MW_TOUCH(table, byte) mw_meter_note((table), (byte))
#define MW_COUNTS             1

/* clang-format off */
#define MW_LDM_STATICS(type, name) typedef type name##_in_local_store
#define MW_LDM(self, name)                                                               \
    ((name##_in_local_store *)mw_emul_statics((self), sizeof(name##_in_local_store),     \
                                              #name, MW_HERE))
#define mw_ldm_take(self, bytes)      mw_emul_take((self), (bytes), MW_HERE)
#define mw_ldm_reset(self)            mw_emul_reset((self), MW_HERE)
#define mw_ldm_left(self)             mw_emul_left((self), MW_HERE)
#define mw_dma_get(self, ldm, mem, bytes, reply)                                         \
    mw_emul_get_at((self), (ldm), (mem), (bytes), 0, 0, (reply), MW_HERE)
#define mw_dma_put(self, ldm, mem, bytes, reply)                                         \
    mw_emul_put_at((self), (ldm), (mem), (bytes), 0, 0, (reply), MW_HERE)
#define mw_dma_get_strided(self, ldm, mem, bytes, block, gap, reply)                     \
    mw_emul_get_at((self), (ldm), (mem), (bytes), (block), (gap), (reply), MW_HERE)
#define mw_dma_put_strided(self, ldm, mem, bytes, block, gap, reply)                     \
    mw_emul_put_at((self), (ldm), (mem), (bytes), (block), (gap), (reply), MW_HERE)
#define mw_dma_wait(self, reply, n)   mw_emul_dma_wait((self), (reply), (n), MW_HERE)
#define mw_fetch_add1(self, p)        mw_emul_add1((self), (p), MW_HERE)
#define mw_fetch_add1_long(self, p)   mw_emul_add1_long((self), (p), MW_HERE)
#define mw_mem_load(self, p)          mw_emul_load((self), (p), MW_HERE)
#define mw_mem_store(self, p, x)      mw_emul_store((self), (p), (x), MW_HERE)
#define mw_memb(self)                 mw_emul_memb((self), MW_HERE)
#define mw_put_row(self, col, m)      mw_emul_put((self), MW_BUS_ROW, (col), (m), MW_HERE)
#define mw_put_col(self, row, m)      mw_emul_put((self), MW_BUS_COL, (row), (m), MW_HERE)
#define mw_get(self, bus, m)          mw_emul_get((self), (bus), (m), MW_HERE)
#define mw_get_row(self, m)           mw_emul_get((self), MW_BUS_ROW, (m), MW_HERE)
#define mw_get_col(self, m)           mw_emul_get((self), MW_BUS_COL, (m), MW_HERE)
#define mw_await_message(self)        mw_emul_await((self), MW_HERE)
#define mw_row_empty(self)            mw_emul_empty((self), MW_BUS_ROW, MW_HERE)
#define mw_col_empty(self)            mw_emul_empty((self), MW_BUS_COL, MW_HERE)
#define mw_put_blocks(self)           mw_emul_put_blocks((self), MW_HERE)
#define mw_sync_array(self)           mw_emul_sync((self), MW_EMUL_SYNC_ARRAY, 0, MW_HERE)
#define mw_sync_row(self, columns)    mw_emul_sync((self), MW_EMUL_SYNC_ROW, (columns), MW_HERE)
#define mw_sync_col(self, rows)       mw_emul_sync((self), MW_EMUL_SYNC_COL, (rows), MW_HERE)
#define MW_SPIN(self)                 mw_emul_spin((self), MW_HERE)
/* clang-format on */

MW_FN void mw_emul_get_at(struct mw_cpe *self, void *ldm, const void *mem, uint64_t bytes,
                          uint64_t block, uint64_t gap, mw_dma_reply *reply,
                          const char *here)
{
    const struct mw_emul_dma request = {
        ldm, (void *)(uintptr_t)mem, reply, bytes, block, gap, false};
    mw_emul_dma(self, &request, here);
}

MW_FN void mw_emul_put_at(struct mw_cpe *self, const void *ldm, void *mem, uint64_t bytes,
                          uint64_t block, uint64_t gap, mw_dma_reply *reply,
                          const char *here)
{
    const struct mw_emul_dma request = {
        (void *)(uintptr_t)ldm, mem, reply, bytes, block, gap, true};
    mw_emul_dma(self, &request, here);
}

MW_END_DECLS
#endif
