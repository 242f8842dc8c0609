/* rma_slave.c -- the cores' side of rma.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform.h"

#include <crts.h>
#include <sw_slave.h>

void rma_ring(void *arg);
void rma_share(void *arg);

static __thread_local athread_rply_t sent, came;
static __thread_local uint32_t mine[4][8], got[4][8];

/* Each core puts four pieces to the next; a piece is there when its reply word says so. */
void rma_ring(void *arg)
{
    const int id = athread_get_id(-1);
    uint64_t *seen = ((struct conform *)arg)->seen[id];
    uint32_t i, k;
    sent = came = 0;
    for (i = 0; i < 4; i++)
        for (k = 0; k < 8; k++)
            mine[i][k] = 100u * (uint32_t)id + 10 * i + k;
    athread_ssync_array();
    for (i = 0; i < 4; i++)
        athread_rma_iput(mine[i], &sent, (int)sizeof mine[i], (id + 1) % CORES, got[i],
                         &came);
    athread_rma_wait_value(&sent, 4);
    athread_rma_wait_value(&came, 4);
    for (i = 0; i < 4; i++)
        for (k = 0; k < 8; k++)
            seen[0] +=
                got[i][k] != 100u * (uint32_t)((id + CORES - 1) % CORES) + 10 * i + k;
    athread_ssync_array();
}

/* Seven cores of a row count on one reply word of the first: is each put counted? */
void rma_share(void *arg)
{
    const int id = athread_get_id(-1);
    uint64_t *seen = ((struct conform *)arg)->seen[id];
    int i;
    sent = came = 0;
    athread_ssync_array();
    for (i = 0; id % SIDE != 0 && i < 50; i++)
        athread_rma_iput(mine[0], &sent, 4, id - id % SIDE, &got[0][id % SIDE], &came);
    if (id % SIDE != 0)
        athread_rma_wait_value(&sent, 50);
    athread_ssync(ROW_SCOPE, 0xff);
    athread_ssync_array();
    seen[0] = (uint64_t)came;
}
