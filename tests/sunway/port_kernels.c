/* port_kernels.c -- kernels about the limits of a core, for test_athread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_CPE_HEADER

#include "port_kernels.h"
#include "emul_conform.h"

struct own {
    uint32_t id, fetched[16];
    mw_dma_reply reply;
};
MW_LDM_STATICS(struct own, own);

/* Statics are each core's own, and targets of DMA. seen: wrong ones; whether a put would wait. */
void statics_of_the_port_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *job = (const struct conform_job *)arg;
    const uint32_t *memory = job->memory + self->id * CONFORM_WORDS;
    uint64_t *seen = job->seen + self->id * 64;
    struct own *own = MW_LDM(self, own);
    own->id = self->id;
    own->reply = 0;
    mw_dma_get(self, own->fetched, memory, sizeof own->fetched, &own->reply);
    mw_sync_array(self);
    mw_dma_wait(self, &own->reply, 1);
    mw_sync_array(self);
    seen[0] += own->id != self->id || own->fetched[0] != memory[0] ||
               own->fetched[15] != memory[15];
    seen[1] += mw_put_blocks(self);
}

/* More than half of what there is. */
void modest_kernel(struct mw_cpe *self, void *job)
{
    (void)job;
    *(uint32_t *)mw_ldm_take(self, 30000) = self->id;
}

/* Core (1,1) wants more local store than there is; the others need nothing. */
void greedy_kernel(struct mw_cpe *self, void *job)
{
    (void)job;
    if (self->id == 9)
        (void)mw_ldm_take(self, 1000000);
}

/* Core (0,0) waits for a message that nobody sends. */
void lonely_kernel(struct mw_cpe *self, void *job)
{
    struct mw_message m;
    (void)job;
    if (self->id == 0)
        mw_get_row(self, &m);
}
