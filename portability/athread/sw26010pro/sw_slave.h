/* sw_slave.h -- what the cores of SW26010-Pro have no vendor name for. Without registers of
 * FIFOs: there are none, cpe_rma.h looks into its own store. NEVER EXECUTED.
 *
 * C99 with the assembler statements of swgcc. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SW_SLAVE_H
#define SW_SLAVE_H

#include "../sw26010/sw_cores.h"

#include <crts.h>

static inline uint64_t sw_cycles(void)
{
    return athread_stime_cycle();
}

#endif
