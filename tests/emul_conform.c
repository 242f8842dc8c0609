/* emul_conform.c -- see emul_conform.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_CPE_HEADER

#include "emul_conform.h"

static uint64_t *seen_by(const struct mw_cpe *self, const struct conform_job *job)
{
    return job->seen + self->id * 64;
}

static uint32_t *memory_of(const struct mw_cpe *self, const struct conform_job *job)
{
    return job->memory + self->id * CONFORM_WORDS;
}

void who_am_i_kernel(struct mw_cpe *self, void *arg)
{
    uint64_t *const seen = seen_by(self, (const struct conform_job *)arg);
    seen[0] = mw_cpe_row(self);
    seen[1] = mw_cpe_col(self);
    seen[2] = self->id;
    seen[3] = self->n;
    seen[4] = self->lane;
}

void depth_probe_kernel(struct mw_cpe *self, void *arg)
{
    uint64_t *const seen = seen_by(self, (const struct conform_job *)arg);
    struct mw_message m = {{0, 0, 0, 0}};
    if (self->id == 0)
        for (uint64_t i = 0; i < CONFORM_PUTS; i++) {
            m.word[0] = i;
            mw_put_row(self, 1, &m);
            seen[i] = mw_cycles(self);
        }
    if (self->id == 1) {
        mw_work(self, 100000);
        for (uint64_t i = 0; i < CONFORM_PUTS; i++) {
            mw_get_row(self, &m);
            seen[i] = m.word[0];
        }
    }
}

static uint64_t go_round(struct mw_cpe *self, enum mw_bus bus, uint32_t me)
{
    uint64_t wrong = 0;
    const uint32_t next = (me + 1) % MW_MESH_SIDE, last = (me + 7) % MW_MESH_SIDE;
    struct mw_message m = {{me, 0, 0, 0}};
    for (uint64_t i = 0; i < 4; i++) {
        m.word[1] = i;
        if (bus == MW_BUS_ROW)
            mw_put_row(self, next, &m);
        else
            mw_put_col(self, next, &m);
    }
    for (uint64_t i = 0; i < 4; i++) {
        mw_get(self, bus, &m);
        wrong += m.word[0] != last || m.word[1] != i;
    }
    return wrong;
}

void ring_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *const job = (const struct conform_job *)arg;
    for (uint64_t i = 0; i < job->n; i++) {
        seen_by(self, job)[0] += go_round(self, MW_BUS_ROW, mw_cpe_col(self));
        seen_by(self, job)[0] += go_round(self, MW_BUS_COL, mw_cpe_row(self));
    }
}

void late_kernel(struct mw_cpe *self, void *arg)
{
    uint64_t *const seen = seen_by(self, (const struct conform_job *)arg);
    struct mw_message m;
    if (mw_cpe_row(self) != 2)
        return;
    if (mw_cpe_col(self) == 6)
        mw_work(self, 50000);
    for (uint64_t i = 0; i < CONFORM_PUTS; i++) {
        m.word[0] = 7 + i;
        if (mw_cpe_col(self) == 3)
            mw_put_row(self, MW_TO_ALL, &m);
        else
            mw_get_row(self, &m);
        seen[0] += m.word[0] != 7 + i;
    }
    seen[1] = mw_cycles(self);
    seen[2] = mw_row_empty(self);
}

void order_kernel(struct mw_cpe *self, void *arg)
{
    enum { EACH = 200 };
    uint64_t *const seen = seen_by(self, (const struct conform_job *)arg);
    uint64_t next[MW_MESH_SIDE] = {0};
    struct mw_message m = {{mw_cpe_col(self), 0, 0, 0}};
    if (mw_cpe_col(self) != 0) {
        for (uint64_t i = 0; i < EACH; i++) {
            m.word[1] = i;
            mw_work(self, (i * 7 + self->id * 13) % 40);
            mw_put_row(self, 0, &m);
        }
        return;
    }
    for (uint64_t i = 0; i < EACH * (MW_MESH_SIDE - 1); i++) {
        mw_get_row(self, &m);
        seen[0] += m.word[1] != next[m.word[0]]++;
        if (i + 1 == EACH)
            for (int from = 0; from < MW_MESH_SIDE; from++)
                seen[1 + from] = next[from];
    }
}

/* Local word i of block b must be main memory's word b * (block + gap) / 4 + i. */
void stride_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *const job = (const struct conform_job *)arg;
    uint32_t *const memory = memory_of(self, job);
    uint32_t *const ldm = (uint32_t *)mw_ldm_take(self, job->bytes);
    mw_dma_reply reply = 0;
    mw_dma_get_strided(self, ldm, memory, job->bytes, job->block, job->gap, &reply);
    mw_dma_wait(self, &reply, 1);
    for (uint64_t i = 0; i < job->bytes / 4; i++) {
        const uint64_t at =
            4 * i / job->block * (job->block + job->gap) + 4 * i % job->block;
        seen_by(self, job)[0] += ldm[i] != memory[at / 4];
        ldm[i] = ~ldm[i];
    }
    mw_dma_put_strided(self, ldm, memory, job->bytes, job->block, job->gap, &reply);
    mw_dma_wait(self, &reply, 2);
}

void put_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *const job = (const struct conform_job *)arg;
    uint32_t *const ldm = (uint32_t *)mw_ldm_take(self, job->bytes);
    const uint64_t start = mw_cycles(self);
    mw_dma_reply reply = 0;
    for (uint32_t i = 0; i < job->bytes / 4; i++)
        ldm[i] = self->id + i;
    for (uint64_t i = 0; i < job->n; i++) {
        mw_dma_put(self, ldm, (char *)memory_of(self, job) + job->offset, job->bytes,
                   &reply);
        mw_dma_wait(self, &reply, (int)i + 1);
    }
    seen_by(self, job)[0] = mw_cycles(self) - start;
}

struct some_statics {
    uint64_t word[5];
    mw_dma_reply reply;
};
MW_LDM_STATICS(struct some_statics, mine);
MW_LDM_STATICS(uint64_t, other);

void statics_kernel(struct mw_cpe *self, void *arg)
{
    uint64_t *const seen = seen_by(self, (const struct conform_job *)arg);
    struct some_statics *const s = MW_LDM(self, mine);
    uint64_t *const o = MW_LDM(self, other);
    seen[0] = s->word[4];
    seen[1] = *o;
    seen[2] = (uintptr_t)s % 65536;
    seen[3] = (uintptr_t)o % 65536;
    seen[4] = MW_LDM(self, mine) == s;
    uint64_t *const a = (uint64_t *)mw_ldm_take(self, 40);
    uint64_t *const b = (uint64_t *)mw_ldm_take(self, 8);
    seen[5] = (uintptr_t)a % 32 + (uintptr_t)b % 32;
    seen[6] = (uintptr_t)b - (uintptr_t)a;
    seen[7] = a[0];
    a[0] = b[0] = 1;
    mw_ldm_reset(self);
    seen[8] = (uint64_t *)mw_ldm_take(self, 40) == a;
    seen[9] = a[0];
    seen[10] = mw_ldm_left(self);
    uint8_t *const all = (uint8_t *)mw_ldm_take(self, seen[10]);
    all[0] = all[seen[10] - 1] = 1;
    seen[11] = mw_ldm_left(self);
}

void sync_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *const job = (const struct conform_job *)arg;
    const uint32_t half = mw_cpe_col(self) < 4 ? 0x0f : 0xf0;
    uint64_t *const seen = seen_by(self, job);
    for (uint64_t i = 0; i < job->n; i++) {
        mw_work(self, self->id * 37 % 11);
        mw_sync_row(self, half);
        seen[0] = mw_cycles(self);
        mw_sync_col(self, 0xff);
        seen[1] = mw_cycles(self);
        mw_mem_store(self, &seen[2], i);
        mw_memb(self);
        mw_sync_array(self);
        mw_memb(self);
        for (uint32_t k = 0; k < MW_MESH_CORES; k += 9)
            seen[3] += mw_mem_load(self, job->seen + 64 * k + 2) != i;
        mw_sync_array(self);
    }
}

void atomic_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *const job = (const struct conform_job *)arg;
    for (uint64_t i = 0; i < job->n; i++) {
        seen_by(self, job)[i] = mw_fetch_add1(self, job->counter);
        mw_fetch_add1_long(self, job->flag);
    }
}

/* The paper's notification: one core polls memory, and tells the others by broadcast. */
void flag_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *const job = (const struct conform_job *)arg;
    struct mw_message m = {{0, 0, 0, 0}};
    if (self->id == 0) {
        while ((m.word[0] = mw_mem_load(self, job->flag)) == 0) {
            MW_SPIN(self);
            mw_memb(self);
        }
        mw_put_row(self, MW_TO_ALL, &m);
    } else if (mw_cpe_row(self) == 0) {
        mw_get_row(self, &m);
    }
    if (mw_cpe_row(self) == 0)
        mw_put_col(self, MW_TO_ALL, &m);
    else
        mw_get_col(self, &m);
    seen_by(self, job)[0] = m.word[0];
}

void probe_kernel(struct mw_cpe *self, void *arg)
{
    uint64_t *const seen = seen_by(self, (const struct conform_job *)arg);
    struct mw_message m = {{5, 0, 0, 0}};
    if (self->id == 9) {
        seen[0] = mw_row_empty(self);
        seen[1] = mw_col_empty(self);
        mw_sync_array(self);
        while (mw_col_empty(self))
            MW_SPIN(self);
        seen[2] = mw_row_empty(self);
        seen[3] = mw_await_message(self);
        mw_get_col(self, &m);
        seen[4] = m.word[0];
        seen[5] = mw_col_empty(self);
    } else {
        mw_sync_array(self);
    }
    if (self->id == 17)
        mw_put_col(self, 1, &m);
}

void wait_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *const job = (const struct conform_job *)arg;
    uint32_t *const ldm = (uint32_t *)mw_ldm_take(self, 64);
    uint32_t *const memory = memory_of(self, job);
    mw_dma_reply reply = 0;
    mw_dma_wait(self, &reply, 0);
    mw_dma_get(self, ldm, memory, 32, &reply);
    mw_dma_get(self, ldm + 8, memory + 8, 32, &reply);
    seen_by(self, job)[0] = ldm[0];
    seen_by(self, job)[1] = (uint64_t)reply;
    mw_dma_wait(self, &reply, 2);
    seen_by(self, job)[2] = ldm[0] == memory[0] && ldm[15] == memory[15];
    seen_by(self, job)[3] = (uint64_t)reply;
    mw_dma_wait(self, &reply, 2);
}

void stream_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *const job = (const struct conform_job *)arg;
    mw_dma_reply reply[2] = {0, 0};
    char *buffer[2];
    const char *const memory = (const char *)job->memory;
    if (self->id >= job->n)
        return;
    for (int i = 0; i < 2; i++) {
        buffer[i] = (char *)mw_ldm_take(self, job->bytes);
        mw_dma_get(self, buffer[i], memory, job->bytes, &reply[i]);
    }
    for (int i = 0; i < 100; i++) {
        mw_dma_wait(self, &reply[i & 1], 1);
        reply[i & 1] = 0;
        mw_dma_get(self, buffer[i & 1], memory, job->bytes, &reply[i & 1]);
    }
    mw_dma_wait(self, &reply[0], 1);
    mw_dma_wait(self, &reply[1], 1);
}

void copy_kernel(struct mw_cpe *self, void *arg)
{
    const struct conform_job *const job = (const struct conform_job *)arg;
    char *const buffer = (char *)mw_ldm_take(self, job->bytes);
    char *const memory = (char *)memory_of(self, job) + job->offset;
    mw_dma_reply reply = 0;
    for (int i = 0; i < 100; i++) {
        mw_dma_get(self, buffer, memory, job->bytes, &reply);
        mw_dma_wait(self, &reply, 2 * i + 1);
        mw_dma_put(self, buffer, memory, job->bytes, &reply);
        mw_dma_wait(self, &reply, 2 * i + 2);
    }
}
