/* slave.h -- the cores' side of the vendor's thread library: our own text of its names and
 * prototypes. See athread.h beside it.
 *
 * Objects that include this are "compiled for the cores": slave_mode.sh gives each of their
 * external symbols the prefix slave_, as the vendor's compiler mode does.
 *
 * C99. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SLAVE_H
#define SLAVE_H

#include <stddef.h>

/* A variable of each core's own in its local store, at the same address on all of them: the
 * emulation gives it a section that it exchanges when another core goes on. Never extern
 * with an initial value other than the definition's. */
#define __thread_local     __attribute__((section("tdata_local")))
#define __thread_local_fix __attribute__((section("tdata_local")))

typedef enum { PE_MODE, BCAST_MODE, ROW_MODE, BROW_MODE, RANK_MODE } dma_mode;
typedef enum { DMA_PUT, DMA_GET, DMA_PUT_P, DMA_GET_P, DMA_BARRIER = 5 } DMA_OP;
typedef enum { ROW_SCOPE, COL_SCOPE, ARRAY_SCOPE } scope;

/* Main memory -> local store: len bytes for this core. stride: the bytes that are left out
 * between two blocks of bsize; 0, 0: contiguous. *reply is incremented at completion. mask:
 * the rows that receive, of BCAST_MODE. */
int athread_get(dma_mode mode, void *src, void *dest, int len, void *reply, char mask,
                int stride, int bsize);
/* Local store -> main memory. */
int athread_put(dma_mode mode, void *src, void *dest, int len, void *reply, int stride,
                int bsize);
int athread_get_id(int core); /* -1: me */
int athread_syn(scope scp, int mask);

extern __thread_local_fix int _MYID;
extern __thread_local_fix char _CGN, _ROW, _COL, _PEN;

#endif
