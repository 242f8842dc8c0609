/* athread_on_emul_cores.c -- the cores' side of athread_on_emul.c: each call of the vendor's as one
 * of the emulation's. RMA is not timed: a put is there at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "athread/athread_on_emul.h"

#include "cpe/emul.h"

#include <errno.h>

/* The cores' side is called by its prefixed names. */
#define athread_get            slave_athread_get
#define athread_put            slave_athread_put
#define athread_get_id         slave_athread_get_id
#define athread_syn            slave_athread_syn
#define _MYID                  slave__MYID
#define _CGN                   slave__CGN
#define _ROW                   slave__ROW
#define _COL                   slave__COL
#define _PEN                   slave__PEN
#define dma_wait               slave_dma_wait
#define register_put_row       slave_register_put_row
#define register_put_col       slave_register_put_col
#define register_get_row       slave_register_get_row
#define register_get_col       slave_register_get_col
#define athread_dma_wait_value slave_athread_dma_wait_value
#define athread_rma_iput       slave_athread_rma_iput
#define athread_rma_wait_value slave_athread_rma_wait_value
#define athread_ssync_array    slave_athread_ssync_array
#define athread_ssync          slave_athread_ssync
#define athread_stime_cycle    slave_athread_stime_cycle
#define sw_row_empty           slave_sw_row_empty
#define sw_col_empty           slave_sw_col_empty
#define sw_put_blocks          slave_sw_put_blocks
#define sw_cycles              slave_sw_cycles
#define sw_memb                slave_sw_memb
#define sw_spin                slave_sw_spin
#define sw_load                slave_sw_load
#define sw_store               slave_sw_store
#define sw_add1                slave_sw_add1
#define sw_add1_long           slave_sw_add1_long
#define ldm_malloc             slave_ldm_malloc
#define ldm_free               slave_ldm_free
#define get_allocatable_size   slave_get_allocatable_size
#include <crts.h>
#include <dma.h>
#include <simd.h>
#include <slave.h>
#include <sw_slave.h>

/* What the cores' libc has for them. */
void *slave_memcpy(void *to, const void *from, size_t n);
void *slave_memset(void *to, int c, size_t n);
int slave_memcmp(const void *a, const void *b, size_t n);

__thread_local_fix int _MYID;
__thread_local_fix char _CGN, _ROW, _COL, _PEN;

void athread_name_core(uint32_t id)
{
    _MYID = (int)id;
    _PEN = (char)id;
    _ROW = (char)(id / MW_MESH_SIDE);
    _COL = (char)(id % MW_MESH_SIDE);
}

/* ---- DMA ---- */

/* Every core of the rows gets the same: the data of the others come at once. */
static void give_others(const struct athread_core *me, const void *mem, const void *ldm,
                        int len, const volatile int *reply, unsigned rows)
{
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        const struct athread_core *const other = &athread_mine->core[i];
        int *count;
        if (other == me || (rows >> i / MW_MESH_SIDE & 1) == 0)
            continue;
        memcpy(athread_over_there(me, other, ldm), mem, (size_t)len);
        count = (int *)(void *)athread_over_there(me, other, reply);
        ++*count;
    }
}

int athread_get(dma_mode mode, void *src, void *dest, int len, void *reply, char mask,
                int stride, int bsize)
{
    struct athread_core *const me = athread_enter();
    mw_dma_reply *const word = athread_at_home(me, reply);
    mw_emul_get_at(me->self, athread_at_home(me, dest), src, (uint64_t)len,
                   (uint64_t)bsize, (uint64_t)stride, word, "athread_get");
    if (mode == BCAST_MODE)
        give_others(me, src, dest, len, word, (unsigned char)mask);
    athread_leave(me);
    return mode == PE_MODE || mode == BCAST_MODE ? 0 : -EINVAL;
}

int athread_put(dma_mode mode, void *src, void *dest, int len, void *reply, int stride,
                int bsize)
{
    struct athread_core *const me = athread_enter();
    mw_emul_put_at(me->self, athread_at_home(me, src), dest, (uint64_t)len,
                   (uint64_t)bsize, (uint64_t)stride, athread_at_home(me, reply),
                   "athread_put");
    athread_leave(me);
    return mode == PE_MODE ? 0 : -EINVAL;
}

void dma_wait(volatile unsigned *reply, int count)
{
    struct athread_core *const me = athread_enter();
    mw_emul_dma_wait(me->self, athread_at_home(me, reply), count, "dma_wait");
    athread_leave(me);
}

int athread_dma_wait_value(athread_rply_t *rply, int n)
{
    struct athread_core *const me = athread_enter();
    mw_emul_dma_wait(me->self, athread_at_home(me, rply), n, "athread_dma_wait_value");
    athread_leave(me);
    return 0;
}

/* ---- messages and barriers ---- */

static void put(enum mw_bus bus, const void *x, int to, const char *here)
{
    struct athread_core *const me = athread_enter();
    struct mw_message m;
    memcpy(&m, x, sizeof m);
    mw_emul_put(me->self, bus, (to & 8) != 0 ? MW_TO_ALL : (uint32_t)to & 7, &m, here);
    athread_leave(me);
}

static void *get(enum mw_bus bus, void *x, const char *here)
{
    struct athread_core *const me = athread_enter();
    struct mw_message m;
    mw_emul_get(me->self, bus, &m, here);
    athread_leave(me);
    return memcpy(x, &m, sizeof m);
}

void register_put_row(const void *x, int to)
{
    put(MW_BUS_ROW, x, to, "simd_putr");
}

void register_put_col(const void *x, int to)
{
    put(MW_BUS_COL, x, to, "simd_putc");
}

void *register_get_row(void *x)
{
    return get(MW_BUS_ROW, x, "simd_getr");
}

void *register_get_col(void *x)
{
    return get(MW_BUS_COL, x, "simd_getc");
}

int sw_row_empty(void)
{
    struct athread_core *const me = athread_enter();
    const bool empty = mw_emul_empty(me->self, MW_BUS_ROW, "rcsr 0x34");
    athread_leave(me);
    return empty;
}

int sw_col_empty(void)
{
    struct athread_core *const me = athread_enter();
    const bool empty = mw_emul_empty(me->self, MW_BUS_COL, "rcsr 0x35");
    athread_leave(me);
    return empty;
}

int sw_put_blocks(void)
{
    struct athread_core *const me = athread_enter();
    const bool blocks = mw_emul_put_blocks(me->self, "rcsr 0x36");
    athread_leave(me);
    return blocks;
}

/* Of ARRAY_SCOPE only the barrier of all: low 8 bits columns, next 8 rows. */
static void meet(scope scp, int mask, const char *here)
{
    struct athread_core *const me = athread_enter();
    if (scp == ARRAY_SCOPE)
        mw_emul_sync(me->self, MW_EMUL_SYNC_ARRAY, mask == 0xffff ? 0 : UINT32_MAX, here);
    else
        mw_emul_sync(me->self, scp == ROW_SCOPE ? MW_EMUL_SYNC_ROW : MW_EMUL_SYNC_COL,
                     (uint32_t)mask, here);
    athread_leave(me);
}

int athread_syn(scope scp, int mask)
{
    meet(scp, mask, "athread_syn");
    return 0;
}

int athread_ssync_array(void)
{
    meet(ARRAY_SCOPE, 0xffff, "athread_ssync_array");
    return 0;
}

int athread_ssync(scope scp, int mask)
{
    meet(scp, mask, "athread_ssync");
    return 0;
}

int athread_rma_iput(void *l_addr, athread_rply_t *l_rply, int len, int r_tid,
                     void *r_addr, athread_rply_t *r_rply)
{
    struct athread_core *const me = athread_enter();
    const struct athread_core *const other = &athread_mine->core[r_tid];
    int *const here = athread_at_home(me, l_rply);
    int *const there = (int *)(void *)athread_over_there(me, other, r_rply);
    mw_emul_spin(me->self, "athread_rma_iput"); /* others may go on here */
    memcpy(athread_over_there(me, other, r_addr), athread_at_home(me, l_addr),
           (size_t)len);
    ++*there;
    ++*here;
    athread_leave(me);
    return 0;
}

int athread_rma_wait_value(athread_rply_t *rply, int n)
{
    while (*rply < n)
        sw_spin();
    return 0;
}

/* ---- who, store, single words, time ---- */

int athread_get_id(int core)
{
    return core < 0 ? (int)athread_now->self->id : core;
}

void *ldm_malloc(size_t bytes)
{
    struct athread_core *const me = athread_enter();
    void *at = NULL;
    if (bytes <= mw_emul_left(me->self, "ldm_malloc"))
        at = mw_emul_take(me->self, bytes, "ldm_malloc");
    athread_leave(me);
    return at;
}

/* Its store comes back when the kernel ends. */
void ldm_free(void *p, size_t bytes)
{
    (void)p, (void)bytes;
}

size_t get_allocatable_size(void)
{
    return mw_emul_left(athread_now->self, "get_allocatable_size");
}

uint64_t sw_load(const volatile uint64_t *p)
{
    struct athread_core *const me = athread_enter();
    const uint64_t x = mw_emul_load(me->self, (const uint64_t *)(uintptr_t)p, "a load");
    athread_leave(me);
    return x;
}

void sw_store(volatile uint64_t *p, uint64_t x)
{
    struct athread_core *const me = athread_enter();
    mw_emul_store(me->self, (uint64_t *)(uintptr_t)p, x, "a store");
    athread_leave(me);
}

uint32_t sw_add1(volatile uint32_t *p)
{
    struct athread_core *const me = athread_enter();
    const uint32_t old = mw_emul_add1(me->self, (uint32_t *)(uintptr_t)p, "faaw");
    athread_leave(me);
    return old;
}

uint64_t sw_add1_long(volatile uint64_t *p)
{
    struct athread_core *const me = athread_enter();
    const uint64_t old = mw_emul_add1_long(me->self, (uint64_t *)(uintptr_t)p, "faal");
    athread_leave(me);
    return old;
}

void sw_memb(void)
{
    struct athread_core *const me = athread_enter();
    mw_emul_memb(me->self, "memb");
    athread_leave(me);
}

void sw_spin(void)
{
    struct athread_core *const me = athread_enter();
    mw_emul_spin(me->self, "a waiting loop");
    athread_leave(me);
}

uint64_t sw_cycles(void)
{
    return mw_cycles(athread_now->self);
}

unsigned long athread_stime_cycle(void)
{
    return (unsigned long)mw_cycles(athread_now->self);
}

void *slave_memcpy(void *to, const void *from, size_t n)
{
    return memcpy(to, from, n);
}

void *slave_memset(void *to, int c, size_t n)
{
    return memset(to, c, n);
}

int slave_memcmp(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n);
}
