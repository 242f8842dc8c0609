/* crts.h -- the part of SW26010-Pro's run time that Meshway uses: messages from store to
 * store (RMA) in place of register communication. Our own text, see athread.h beside it.
 *
 * C99. SPDX-License-Identifier: Apache-2.0
 */
#ifndef CRTS_H
#define CRTS_H

#include "slave.h"

/* Counts completed transfers; in local store. */
typedef volatile int athread_rply_t;

int athread_dma_wait_value(athread_rply_t *rply, int n); /* until *rply >= n */

/* len bytes of my store to core r_tid's. r_addr and r_rply are named by my own objects: the
 * same ones over there. l_rply counts here when the source has been read, r_rply there when
 * the data have arrived. */
int athread_rma_iput(void *l_addr, athread_rply_t *l_rply, int len, int r_tid,
                     void *r_addr, athread_rply_t *r_rply);
int athread_rma_wait_value(athread_rply_t *rply, int n);

int athread_ssync_array(void);
int athread_ssync(scope scp, int mask);
unsigned long athread_stime_cycle(void);

#endif
