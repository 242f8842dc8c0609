/* emul_shuffle.h -- the paper's shuffle by hand, for tests and the benchmark.
 *
 * Columns of the mesh: 0-3 produce, 4 routes down, 5 routes up, 6-7 consume. A message for
 * the same row goes through column 4. Producers get their records by DMA, consumers put
 * them into memory of their own in batches of 256 bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef EMUL_SHUFFLE_H
#define EMUL_SHUFFLE_H

#include "cpe/cpe_types.h"

enum { SHUFFLE_PRODUCERS = 32, SHUFFLE_CONSUMERS = 16, SHUFFLE_BATCH = 8 };

struct shuffle_job {
    const struct mw_message
        *in;                /* [SHUFFLE_PRODUCERS * n_each]; word 0: which consumer */
    struct mw_message *out; /* [SHUFFLE_CONSUMERS * room] */
    uint64_t n_each, room;  /* n_each: a multiple of SHUFFLE_BATCH */
    uint64_t *n_out;        /* [SHUFFLE_CONSUMERS * 16]: of each, on its own line */
    uint32_t produce, route, consume; /* cycles a message */
};

mw_kernel shuffle_kernel;

/* Any core to any core, along the row and then the column: it deadlocks. */
mw_kernel naive_xy_kernel;

#endif
