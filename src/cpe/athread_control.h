/* athread_control.h -- how the management core and its 64 cores talk without an interrupt:
 * a block of main memory, one line for each direction.
 *
 *      management core                           core 0             the other 63
 *      kernel, job; memb; order = n   --poll-->  sees order n
 *                                                (0,0) --row--> row 0 --columns--> all
 *                                                ... every core runs the kernel ...
 *      sees done == n         <--memb, done = n--  array barrier
 *
 * Each word has one writer. C99 plus base.h: both compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ATHREAD_CONTROL_H
#define MW_ATHREAD_CONTROL_H

#include "cpe/cpe_types.h"

MW_BEGIN_DECLS

enum {
    MW_ATHREAD_STACK = 16384, /* bytes of a local store; a guess */
    MW_ATHREAD_LINE = 128,    /* of a memory transaction */
    MW_ATHREAD_STOP = 0xFFFF  /* as a kernel's number: end */
};

struct mw_athread_control {
    volatile uint64_t order; /* 1, 2, ... */
    volatile uint64_t kernel, job;
    uint64_t first_lane;
    char fill[MW_ATHREAD_LINE - 4 * sizeof(uint64_t)];
    volatile uint64_t done; /* the last order that all cores have carried out; core 0's */
    volatile uint64_t
        refused; /* 1 + core + (bytes << 8): a core wanted more local store than
                                * there is; all of them may write, one is enough */
    char fill2[MW_ATHREAD_LINE - 2 * sizeof(uint64_t)];
};

/* The cores' side (athread_kernels.c), as the management core spawns it. */
void mw_athread_live(void *control); /* until MW_ATHREAD_STOP */
void mw_athread_once(void *control); /* one order */

/* The management core's side (athread_tokens.c): the number of a kernel, or -1. */
int mw_athread_number(mw_kernel *kernel);

MW_END_DECLS
#endif
