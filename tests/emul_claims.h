/* emul_claims.h -- kernels for what the paper says of the machine: the register bus, memory
 * that is not coherent, one writer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef EMUL_CLAIMS_H
#define EMUL_CLAIMS_H

#include "cpe/cpe_types.h"

enum { CLAIM_MESSAGES = 10000 };

struct bus_job {
    uint32_t n_pairs; /* cores 0 and 1, 2 and 3, ...: each first one puts to the second */
    uint32_t n_senders; /* cores 0 .. n_senders - 1 put to core 7 instead */
};
mw_kernel bus_kernel;

/* Core 0 hands a number over to core 63 by a flag. What is forgotten, if anything. */
enum { FORGET_NOTHING, FORGET_WRITER, FORGET_READER };
struct handover_job {
    int forgets;
    uint64_t data[16], flag[16]; /* each on lines of its own */
    uint64_t got[16];            /* [0]: what core 63 read */
};
mw_kernel handover_kernel;

struct writers_job {
    uint32_t *memory; /* 128 words, on a line of 256 bytes */
    uint32_t apart;   /* core i puts 4 bytes to word i * apart */
    bool in_turns;    /* one core after the other, with a barrier after each */
};
mw_kernel writers_kernel;

mw_kernel ticket_kernel; /* arg: uint32_t * */

#endif
