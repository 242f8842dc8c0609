/* rma.c -- asks SW26010-Pro what cpe_rma.h takes for granted. See conform.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform.h"

#include <athread.h>
#include <stdio.h>
#include <string.h>

extern void SLAVE_FUN(rma_ring)(void *);
extern void SLAVE_FUN(rma_share)(void *);

static struct conform shared __attribute__((aligned(128)));

int main(void)
{
    uint64_t wrong = 0, counted = 0;
    int c;
    if (athread_init() != 0 || athread_spawn(rma_ring, &shared) != 0 ||
        athread_join() != 0)
        return 1;
    for (c = 0; c < CORES; c++)
        wrong += shared.seen[c][0];
    printf("rma_ring: 4 puts to the next core, wrong: %u\n", (unsigned)wrong);
    memset((void *)&shared, 0, sizeof shared);
    if (athread_spawn(rma_share, &shared) != 0 || athread_join() != 0)
        return 1;
    for (c = 0; c < CORES; c += SIDE)
        counted += shared.seen[c][0];
    printf("rma_share: puts of 7 cores to one reply word, counted: %u of 2800\n",
           (unsigned)counted);
    athread_halt();
    return wrong != 0 || counted != 2800;
}
