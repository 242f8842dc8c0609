/* conform_slave.c -- the cores' side of conform.c: one kernel per question.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform.h"

#include <dma.h>
#include <simd.h>
#include <slave.h>
#include <sw_slave.h>

void who(void *arg);
void depth(void *arg);
void ring(void *arg);
void late(void *arg);
void order(void *arg);
void reply(void *arg);
void stride(void *arg);
void bcast(void *arg);
void put(void *arg);
void store(void *arg);
void stack(void *arg);
void tickets(void *arg);
void flag(void *arg);
void sync_without_me(void *arg);

union word { /* of a message */
    uint64_t u[4];
    int256 v;
};

static __thread_local volatile unsigned count;
static __thread_local uint32_t buffer[WORDS];

static uint64_t *seen_by_me(void *arg)
{
    return ((struct conform *)arg)->seen[athread_get_id(-1)];
}

static void dally(uint64_t cycles)
{
    const uint64_t until = sw_cycles() + cycles;
    while (sw_cycles() < until)
        sw_spin();
}

void who(void *arg)
{
    uint64_t *seen = seen_by_me(arg);
    seen[0] = (uint64_t)athread_get_id(-1);
    seen[1] = (uint64_t)_MYID;
    seen[2] = (uint64_t)(_MYID >> 3);
    seen[3] = (uint64_t)(_MYID & 7);
    seen[4] = (uint64_t)(uintptr_t)&count; /* the same on all cores? */
}

/* How many messages to a core that does not look go before a put would wait. */
void depth(void *arg)
{
    const int id = athread_get_id(-1);
    uint64_t *seen = seen_by_me(arg);
    uint64_t n = 0;
    union word m;
    m.u[0] = m.u[1] = m.u[2] = m.u[3] = 0;
    if (id == 0)
        for (; n < 40 && !sw_put_blocks(); n++) {
            m.u[0] = n + 1;
            simd_putr(m.v, 1);
            dally(200); /* until it has arrived */
        }
    seen[0] = n;
    athread_syn(ARRAY_SCOPE, 0xffff);
    if (id == 1)
        for (n = 0; n < ((struct conform *)arg)->seen[0][0]; n++) {
            m.v = simd_getr(m.v);
            seen[1] += m.u[0] != n + 1;
        }
    athread_syn(ARRAY_SCOPE, 0xffff);
    n = 0;
    if (id == 0)
        for (; n < 40 && !sw_put_blocks(); n++) {
            simd_putc(m.v, 1);
            dally(200);
        }
    seen[2] = n;
    athread_syn(ARRAY_SCOPE, 0xffff);
    if (id == 8)
        for (n = 0; n < ((struct conform *)arg)->seen[0][2]; n++)
            m.v = simd_getc(m.v);
}

/* Four puts, then four gets, in every core of a ring: what public codes rely on. */
void ring(void *arg)
{
    const int id = athread_get_id(-1), row = id >> 3, col = id & 7;
    uint64_t *seen = seen_by_me(arg);
    union word m;
    int round, i;
    m.u[0] = m.u[1] = m.u[2] = m.u[3] = 0;
    for (round = 0; round < 100; round++) {
        for (i = 0; i < 4; i++) {
            m.u[0] = (uint64_t)col;
            m.u[1] = (uint64_t)i;
            simd_putr(m.v, (col + 1) & 7);
        }
        for (i = 0; i < 4; i++) {
            m.v = simd_getr(m.v);
            seen[0] += m.u[0] != (uint64_t)((col + 7) & 7) || m.u[1] != (uint64_t)i;
        }
        for (i = 0; i < 4; i++) {
            m.u[0] = (uint64_t)row;
            m.u[1] = (uint64_t)i;
            simd_putc(m.v, (row + 1) & 7);
        }
        for (i = 0; i < 4; i++) {
            m.v = simd_getc(m.v);
            seen[0] += m.u[0] != (uint64_t)((row + 7) & 7) || m.u[1] != (uint64_t)i;
        }
    }
}

/* (2,3) broadcasts, (2,6) looks late: nothing is lost, the sender gets nothing. */
void late(void *arg)
{
    const int id = athread_get_id(-1), row = id >> 3, col = id & 7;
    uint64_t *seen = seen_by_me(arg);
    union word m;
    int i;
    m.u[0] = m.u[1] = m.u[2] = m.u[3] = 0;
    if (row == 2 && col == 6)
        dally(50000);
    if (row == 2)
        for (i = 0; i < 20; i++) {
            m.u[0] = 7u + (uint64_t)i;
            if (col == 3)
                simd_putr(m.v, 8);
            else
                m.v = simd_getr(m.v);
            seen[0] += m.u[0] != 7u + (uint64_t)i;
        }
    athread_syn(ARRAY_SCOPE, 0xffff);
    seen[1] = (uint64_t)sw_row_empty();
}

/* Seven senders of a row: is the order of each kept, and how often does the sender change? */
void order(void *arg)
{
    const int id = athread_get_id(-1), col = id & 7;
    uint64_t *seen = seen_by_me(arg), next[SIDE], last = SIDE;
    union word m;
    int i;
    m.u[0] = (uint64_t)col;
    m.u[1] = m.u[2] = m.u[3] = 0;
    for (i = 0; i < SIDE; i++)
        next[i] = 0;
    for (i = 0; col != 0 && i < 100; i++) {
        m.u[1] = (uint64_t)i;
        simd_putr(m.v, 0);
    }
    for (i = 0; col == 0 && i < 700; i++) {
        m.v = simd_getr(m.v);
        seen[0] += m.u[1] != next[m.u[0] & 7]++;
        seen[1] += m.u[0] != last;
        last = m.u[0];
    }
}

/* Two requests of one word. */
void reply(void *arg)
{
    struct conform *c = (struct conform *)arg;
    const int id = athread_get_id(-1);
    uint64_t *seen = seen_by_me(arg);
    count = 0;
    athread_get(PE_MODE, c->memory[id], buffer, 64, (void *)(uintptr_t)&count, 0, 0, 0);
    athread_get(PE_MODE, c->memory[id] + 16, buffer + 16, 64, (void *)(uintptr_t)&count,
                0, 0, 0);
    dma_wait(&count, 2);
    seen[0] = count;
    seen[1] = buffer[0] != c->memory[id][0] || buffer[31] != c->memory[id][31];
}

/* Blocks of 16 bytes, "stride" 48: which word starts the second one? */
void stride(void *arg)
{
    struct conform *c = (struct conform *)arg;
    const int id = athread_get_id(-1);
    uint64_t *seen = seen_by_me(arg);
    count = 0;
    athread_get(PE_MODE, c->memory[id], buffer, 64, (void *)(uintptr_t)&count, 0, 48, 16);
    dma_wait(&count, 1);
    seen[0] = 4 * (uint64_t)(buffer[4] - c->memory[id][0]); /* bytes from the first */
}

/* One request, 64 receivers. */
void bcast(void *arg)
{
    struct conform *c = (struct conform *)arg;
    const int id = athread_get_id(-1);
    uint64_t *seen = seen_by_me(arg);
    count = 0;
    buffer[0] = buffer[31] = 0;
    athread_syn(ARRAY_SCOPE, 0xffff);
    if (id == 0) {
        athread_get(BCAST_MODE, c->memory[5], buffer, 128, (void *)(uintptr_t)&count,
                    (char)0xff, 0, 0);
        dma_wait(&count, 1);
    }
    athread_syn(ARRAY_SCOPE, 0xffff);
    dally(2000);
    seen[0] = count;
    seen[1] = buffer[0] != c->memory[5][0] || buffer[31] != c->memory[5][31];
}

static uint64_t put_some(struct conform *c, int id, int words)
{
    const uint64_t start = sw_cycles();
    int i;
    for (i = 0; i < 32; i++) {
        count = 0;
        athread_put(PE_MODE, buffer, c->memory[id] + words, 128,
                    (void *)(uintptr_t)&count, 0, 0);
        dma_wait(&count, 1);
    }
    return sw_cycles() - start;
}

/* 128 bytes to the start of a line, and 4 bytes behind it: right, but how slow? */
void put(void *arg)
{
    struct conform *c = (struct conform *)arg;
    const int id = athread_get_id(-1);
    uint64_t *seen = seen_by_me(arg);
    uint32_t i;
    for (i = 0; i < 32; i++)
        buffer[i] = 7000u + i;
    athread_syn(ARRAY_SCOPE, 0xffff);
    seen[0] = put_some(c, id, 0);
    athread_syn(ARRAY_SCOPE, 0xffff);
    seen[1] = put_some(c, id, 65);
    sw_memb();
    for (i = 0; i < 32; i++)
        seen[2] += c->memory[id][i] != 7000u + i || c->memory[id][65 + i] != 7000u + i;
    seen[2] += c->memory[id][64] != 1000u * (uint32_t)id + 64u;
    seen[2] += c->memory[id][97] != 1000u * (uint32_t)id + 97u;
}

/* How much local store there is, and what asking for more gives. */
void store(void *arg)
{
    uint64_t *seen = seen_by_me(arg);
    const size_t all = get_allocatable_size();
    void *p = ldm_malloc(4096);
    seen[0] = all;
    seen[1] = p == NULL;
    seen[2] = get_allocatable_size();
    seen[3] = ldm_malloc(all + 32) != NULL;
    ldm_free(p, 4096);
}

/* Is the stack in local store (bsub -b)? Then DMA reaches it. */
void stack(void *arg)
{
    struct conform *c = (struct conform *)arg;
    const int id = athread_get_id(-1);
    uint64_t *seen = seen_by_me(arg);
    volatile unsigned done = 0;
    uint32_t here[16];
    here[0] = here[15] = 0;
    athread_get(PE_MODE, c->memory[id], here, 64, (void *)(uintptr_t)&done, 0, 0, 0);
    dma_wait(&done, 1);
    seen[0] = here[0] != c->memory[id][0] || here[15] != c->memory[id][15];
}

void tickets(void *arg)
{
    struct conform *c = (struct conform *)arg;
    uint64_t *seen = seen_by_me(arg);
    int i;
    for (i = 0; i < 10; i++)
        seen[i] = sw_add1(&c->ticket);
}

/* Stays, and answers 100 flags: core 0 looks, and tells the others. */
void flag(void *arg)
{
    struct conform *c = (struct conform *)arg;
    const int id = athread_get_id(-1), row = id >> 3;
    uint64_t *seen = seen_by_me(arg);
    union word m;
    m.u[0] = m.u[1] = m.u[2] = m.u[3] = 0;
    while (m.u[0] != 100) {
        const uint64_t last = m.u[0];
        if (id == 0) {
            while ((m.u[0] = sw_load(&c->flag)) == last)
                sw_spin();
            simd_putr(m.v, 8);
        } else if (row == 0) {
            m.v = simd_getr(m.v);
        }
        if (row == 0)
            simd_putc(m.v, 8);
        else
            m.v = simd_getc(m.v);
        seen[0] += m.u[0] == last + 1;
        athread_syn(ARRAY_SCOPE, 0xffff);
        if (id == 0) {
            sw_store(&c->answer, m.u[0]);
            sw_memb();
        }
    }
}

/* An error by intent: SYNE1. */
void sync_without_me(void *arg)
{
    const int id = athread_get_id(-1);
    seen_by_me(arg)[0] = 1;
    if (id == 0)
        athread_syn(ROW_SCOPE, 0xfe);
}
