/* emul_conform.h -- small kernels that show what a mesh does: for test_emul, and meant to run
 * on a real machine as well. Each writes what it saw into main memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef EMUL_CONFORM_H
#define EMUL_CONFORM_H

#include "cpe/cpe_types.h"

enum { CONFORM_PUTS = 20, CONFORM_WORDS = 1024 };

struct conform_job {
    uint64_t *seen;   /* [64 * 64]: 64 words of each core's own */
    uint32_t *memory; /* [64 * CONFORM_WORDS]: a source or target, per core; on a line */
    uint64_t bytes, block, gap, n, offset; /* as the kernel says */
    uint32_t *counter;
    uint64_t *flag;
};

mw_kernel who_am_i_kernel;    /* seen: row, column, id */
mw_kernel depth_probe_kernel; /* (0,0) puts to a silent (0,1): seen: cycle of each put */
mw_kernel ring_kernel;        /* 4 puts along the row's ring, then 4 gets; then columns */
mw_kernel late_kernel;        /* (2,3) broadcasts, (2,6) is late. seen: cycle, value */
mw_kernel order_kernel;       /* all of a row to column 0; seen: wrong, then of each */
mw_kernel stride_kernel;  /* get `bytes` in blocks with gaps; seen: wrong words; put */
mw_kernel put_kernel;     /* `n` puts of `bytes` at `offset`; seen: cycles */
mw_kernel statics_kernel; /* poison, offsets, heap */
mw_kernel sync_kernel;    /* halves of rows, then columns, then all; seen: order */
mw_kernel atomic_kernel;  /* `n` tickets of each; seen: them */
mw_kernel flag_kernel;    /* 0 spins on *flag, then tells its row and column */
mw_kernel probe_kernel;   /* what the probes say before and after */
mw_kernel wait_kernel;    /* two requests of one word, waited for together */
mw_kernel stream_kernel;  /* the first `n` cores get `bytes` chunks, two under way */
mw_kernel copy_kernel;    /* get, wait, put, wait: one under way */

#endif
