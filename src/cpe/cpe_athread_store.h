/* cpe_athread_store.h -- the part of cpe_types.h that both Sunway chips have in common: who,
 * local store, DMA, single words. Included by cpe_athread.h and cpe_rma.h only.
 *
 *      local store: | static __thread_local | arena: ldm_malloc, once | ... <-- stack |
 *
 * A kernel's takes come from the arena, which is given back as a whole. A core that wants more
 * says so in main memory and stays where it is: nothing on it could print or end the run.
 *
 * C99 plus base.h and the vendor's headers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CPE_ATHREAD_STORE_H
#define MW_CPE_ATHREAD_STORE_H

#include "cpe/athread_control.h"

#include <dma.h>
#include <slave.h>
#include <sw_slave.h>

enum { MW_ATHREAD_UNIT = 32 };

/* What a core knows about itself: in its local store, and what `self` points into. */
struct mw_athread_core {
    struct mw_cpe cpe; /* first */
    uint32_t served;   /* the bus that await named last */
    char *arena;
    uint64_t bytes, used;
    struct mw_athread_control *control;
};

MW_FN struct mw_athread_core *mw_athread_self(struct mw_cpe *self)
{
    return (struct mw_athread_core *)(void *)self;
}

MW_FN uint32_t mw_cpe_row(const struct mw_cpe *self)
{
    return self->id / MW_MESH_SIDE;
}

MW_FN uint32_t mw_cpe_col(const struct mw_cpe *self)
{
    return self->id % MW_MESH_SIDE;
}

/* ---- local store ---- */

#define MW_LDM_STATICS(type, name) static __thread_local type name##_in_local_store
#define MW_LDM(self, name)         ((void)(self), &name##_in_local_store)

MW_FN uint64_t mw_ldm_left(struct mw_cpe *self)
{
    const struct mw_athread_core *c = mw_athread_self(self);
    return c->bytes - c->used;
}

static inline void *mw_athread_refuse(struct mw_cpe *self, uint64_t bytes)
{
    struct mw_athread_control *control = mw_athread_self(self)->control;
    sw_store(&control->refused, 1 + self->id + (bytes << 8));
    sw_memb();
    for (;;)
        sw_spin();
    return NULL;
}

MW_FN void *mw_ldm_take(struct mw_cpe *self, uint64_t bytes)
{
    struct mw_athread_core *c = mw_athread_self(self);
    const uint64_t size = mw_round_up(mw_max(bytes, 1), MW_ATHREAD_UNIT);
    void *at = c->arena + c->used;
    if (bytes > c->bytes || size > c->bytes - c->used)
        return mw_athread_refuse(self, bytes);
    c->used += size;
    return at;
}

MW_FN void mw_ldm_reset(struct mw_cpe *self)
{
    mw_athread_self(self)->used = 0;
}

/* ---- DMA: the local side first here, the source first there; the gap, not the pitch ---- */

MW_FN void mw_dma_get(struct mw_cpe *self, void *ldm, const void *mem, uint64_t bytes,
                      mw_dma_reply *reply)
{
    (void)self;
    athread_get(PE_MODE, (void *)(uintptr_t)mem, ldm, (int)bytes,
                (void *)(uintptr_t)reply, 0, 0, 0);
}

MW_FN void mw_dma_put(struct mw_cpe *self, const void *ldm, void *mem, uint64_t bytes,
                      mw_dma_reply *reply)
{
    (void)self;
    athread_put(PE_MODE, (void *)(uintptr_t)ldm, mem, (int)bytes,
                (void *)(uintptr_t)reply, 0, 0);
}

MW_FN void mw_dma_get_strided(struct mw_cpe *self, void *ldm, const void *mem,
                              uint64_t bytes, uint64_t block, uint64_t gap,
                              mw_dma_reply *reply)
{
    (void)self;
    athread_get(PE_MODE, (void *)(uintptr_t)mem, ldm, (int)bytes,
                (void *)(uintptr_t)reply, 0, (int)gap, (int)block);
}

MW_FN void mw_dma_put_strided(struct mw_cpe *self, const void *ldm, void *mem,
                              uint64_t bytes, uint64_t block, uint64_t gap,
                              mw_dma_reply *reply)
{
    (void)self;
    athread_put(PE_MODE, (void *)(uintptr_t)ldm, mem, (int)bytes,
                (void *)(uintptr_t)reply, (int)gap, (int)block);
}

/* ---- single words, time ---- */

MW_FN uint32_t mw_fetch_add1(struct mw_cpe *self, uint32_t *p)
{
    (void)self;
    return sw_add1(p);
}

MW_FN uint64_t mw_fetch_add1_long(struct mw_cpe *self, uint64_t *p)
{
    (void)self;
    return sw_add1_long(p);
}

MW_FN uint64_t mw_mem_load(struct mw_cpe *self, const uint64_t *p)
{
    (void)self;
    return sw_load(p);
}

MW_FN void mw_mem_store(struct mw_cpe *self, uint64_t *p, uint64_t x)
{
    (void)self;
    sw_store(p, x);
}

MW_FN void mw_memb(struct mw_cpe *self)
{
    (void)self;
    sw_memb();
}

MW_FN uint64_t mw_cycles(const struct mw_cpe *self)
{
    (void)self;
    return sw_cycles();
}

MW_FN void mw_work(struct mw_cpe *self, uint64_t cycles)
{
    (void)self, (void)cycles;
}

#define MW_SPIN(self) ((void)(self), sw_spin())

#endif
