/* ring_slave.c -- the cores' side: each core puts all its messages to the next in its row, and then
 * gets those of the last. That goes well as long as the FIFOs hold all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ring.h"

#include <dma.h>
#include <simd.h>
#include <slave.h>

static __thread_local long sum;
static __thread_local volatile unsigned reply;

void ring(void *arg)
{
    struct ring_job *const job = arg;
    const int me = athread_get_id(-1), column = me % RING_SIDE;
    int256 x = {me, 0, 0, 0};
    int i;
    sum = 0;
    for (i = 0; i < job->n_messages; i++)
        simd_putr(x, (column + 1) % RING_SIDE);
    for (i = 0; i < job->n_messages; i++) {
        x = simd_getr(x);
        sum += x[0];
    }
    reply = 0;
    athread_put(PE_MODE, &sum, &job->sum[me], sizeof sum, (void *)&reply, 0, 0);
    dma_wait(&reply, 1);
}
