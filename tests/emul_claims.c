/* emul_claims.c -- see emul_claims.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_CPE_HEADER

#include "emul_claims.h"

static void put_all(struct mw_cpe *self, uint32_t column)
{
    struct mw_message m = {{0, 0, 0, 0}};
    for (m.word[0] = 0; m.word[0] < CLAIM_MESSAGES; m.word[0]++)
        mw_put_row(self, column, &m);
}

static void get_all(struct mw_cpe *self, uint32_t n_senders)
{
    struct mw_message m;
    for (uint32_t i = 0; i < n_senders * CLAIM_MESSAGES; i++)
        mw_get_row(self, &m);
}

void bus_kernel(struct mw_cpe *self, void *arg)
{
    const struct bus_job *const job = (const struct bus_job *)arg;
    if (job->n_senders > 0) {
        if (self->id < job->n_senders)
            put_all(self, 7);
        else if (self->id == 7)
            get_all(self, job->n_senders);
    } else if (self->id / 2 < job->n_pairs) {
        if (self->id % 2 == 0)
            put_all(self, mw_cpe_col(self) + 1);
        else
            get_all(self, 1);
    }
}

void handover_kernel(struct mw_cpe *self, void *arg)
{
    struct handover_job *const job = (struct handover_job *)arg;
    if (self->id == 0) {
        mw_mem_store(self, job->data, 12345);
        mw_memb(self);
        mw_mem_store(self, job->flag, 1);
        if (job->forgets != FORGET_WRITER)
            mw_memb(self);
    } else if (self->id == MW_MESH_CORES - 1) {
        while (mw_mem_load(self, job->flag) == 0) {
            MW_SPIN(self);
            if (job->forgets != FORGET_READER)
                mw_memb(self);
        }
        job->got[0] = mw_mem_load(self, job->data);
    }
}

void writers_kernel(struct mw_cpe *self, void *arg)
{
    const struct writers_job *const job = (const struct writers_job *)arg;
    uint32_t *const word = (uint32_t *)mw_ldm_take(self, sizeof *word);
    mw_dma_reply reply = 0;
    *word = self->id;
    for (uint32_t turn = 0; job->in_turns && turn < self->id; turn++)
        mw_sync_array(self);
    mw_dma_put(self, word, job->memory + self->id * job->apart, sizeof *word, &reply);
    mw_dma_wait(self, &reply, 1);
    for (uint32_t turn = self->id; job->in_turns && turn < self->n; turn++)
        mw_sync_array(self);
}

void ticket_kernel(struct mw_cpe *self, void *arg)
{
    if (self->id == 9)
        mw_fetch_add1(self, (uint32_t *)arg);
}
