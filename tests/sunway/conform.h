/* conform.h -- what the two sides of a conformance program share.
 *
 * These are the programs that a person with a machine runs first: each asks the machine one
 * question that the port's correctness hangs on, and prints the answer. Vendor interface only
 * (and sw_slave.h for registers without a name), nothing of Meshway: if one fails, the fault
 * is not ours. C99.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CONFORM_H
#define CONFORM_H

#include <stdint.h>

enum { CORES = 64, SIDE = 8, SEEN = 16, WORDS = 512 };

struct conform {
    uint64_t seen[CORES][SEEN]; /* each core's answers; its own to write */
    uint32_t memory[CORES]
                   [WORDS]; /* source or target, per core; memory[c][i] == 1000 * c + i */
    volatile uint64_t flag;
    uint64_t fill[15];
    volatile uint64_t answer;
    uint64_t fill2[15];
    volatile uint32_t ticket;
    uint32_t fill3[31];
};

#endif
