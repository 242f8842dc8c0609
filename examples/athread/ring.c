/* ring.c -- the management core's side of a first program for Sunway's athread: 64 cores send round
 * the ring of their row. ring_slave.c is the cores' side, Makefile builds both.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ring.h"

#include <athread.h>
#include <stdio.h>

void SLAVE_FUN(ring)(void *job);

int main(void)
{
    static struct ring_job job = {.n_messages = RING_MESSAGES};
    long sum = 0;
    athread_init();
    athread_spawn(ring, &job);
    const int failed = athread_join();
    athread_halt();
    if (failed < 0) {
        printf("the cores hang, or broke a rule: %d\n", failed);
        return 1;
    }
    for (int i = 0; i < RING_CORES; i++)
        sum += job.sum[i];
    printf("64 cores, %d messages each, sum %ld\n", job.n_messages, sum);
    return 0;
}
