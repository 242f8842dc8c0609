/* cpe_types.h -- what a mesh kernel can say: the names that every machine gives it.
 *
 * A mesh kernel is C99 plus base.h. It includes its machine through a macro,
 *
 *      #include MW_CPE_HEADER         "cpe/cpe_emul.h", on Sunway "cpe/cpe_athread.h"
 *
 * and the same source then runs on emulated cores and on real ones. The machine's header
 * gives the calls below, as macros or inline functions; self is the kernel's argument.
 *
 *   who     mw_cpe_row(self), mw_cpe_col(self)
 *   store   T *MW_LDM(self, name)  the core's own static of MW_LDM_STATICS(T, name);
 *                                  undefined at the kernel's start; before any take
 *           mw_ldm_take(self, n)   n bytes, 32-byte aligned; too many is an error report
 *           mw_ldm_reset(self)     all takes of this kernel are void
 *           mw_ldm_left(self)      bytes that a take may ask for
 *   memory  mw_dma_get(self, ldm, mem, n, &reply)   main memory -> local store
 *           mw_dma_put(self, ldm, mem, n, &reply)   local store -> main memory
 *           mw_dma_get_strided, mw_dma_put_strided(self, ldm, mem, n, block, gap, &reply)
 *           mw_dma_wait(self, &reply, n)            until reply == n
 *           mw_fetch_add1(self, p)   uint32_t *: the only atomic; returns the old value
 *           mw_fetch_add1_long(self, p)   the same for uint64_t *
 *           mw_mem_load(self, p), mw_mem_store(self, p, x)   one uint64_t, for flags
 *           mw_memb(self)   fence: mine are seen by others, and theirs by me, from here on
 *           (One DMA for all cores, BCAST, is no call: no kernel here would gain by it, and how
 *           it replies is a question of tests/sunway/conform_slave.c.)
 *   mesh    mw_put_row(self, col, &m), mw_put_col(self, row, &m)   MW_TO_ALL: all others
 *           mw_get_row(self, &m), mw_get_col(self, &m), mw_get(self, bus, &m)
 *           mw_await_message(self)   until one can be got; says from which bus, in turn
 *           mw_row_empty(self), mw_col_empty(self), mw_put_blocks(self)   probes
 *           mw_sync_array(self), mw_sync_row(self, columns), mw_sync_col(self, rows)
 *   time    mw_cycles(self), mw_work(self, cycles)   work: nothing on a real machine
 *           MW_SPIN(self)   in the body of every loop that waits by looking
 *
 * Rules of the machine that a kernel must keep, and that the emulation checks:
 *   - both sides and the length of a DMA are multiples of 4 bytes; the reply word lies in
 *     the local store, is zero before the first request, and counts completed requests;
 *   - a wait names exactly the requests made with its reply: a count that could pass n
 *     unseen is an error (SW26010 waits for ==);
 *   - of two blocks of a strided transfer, `gap` bytes of main memory are left out between
 *     them: the GAP, not the pitch; the local side is contiguous;
 *   - before its DMA has been waited for, the target of a get is undefined and the source
 *     of a put must not change;
 *   - messages are anonymous, in order per (sender, receiver); a put waits while there is
 *     no room, a get while there is no message; nothing may be left at a kernel's end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CPE_TYPES_H
#define MW_CPE_TYPES_H

#include "cpe/cluster.h"

MW_BEGIN_DECLS

enum { MW_MESH_SIDE = 8, MW_MESH_CORES = 64, MW_TO_ALL = 8 };
enum mw_bus { MW_BUS_ROW, MW_BUS_COL };

typedef volatile int mw_dma_reply;

/* What one register put moves: 256 bits. */
struct mw_message {
    uint64_t word[4];
} __attribute__((aligned(32)));

MW_END_DECLS
#endif
