/* sw_slave.h -- what SW26010's cores have no vendor name for: status registers, and what the Pro has,
 * too. NEVER EXECUTED: written from docs/sunway.md, "what never ran".
 *
 * C99 with the assembler statements of sw5cc. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SW_SLAVE_H
#define SW_SLAVE_H

#include "sw_cores.h"

/* The register numbers differ between chips: 0x34 is another one on newer ones. */
#define SW_RCSR(x, n) __asm__ volatile("rcsr %0, " #n : "=r"(x) : : "memory")

static inline int sw_row_empty(void)
{
    long x;
    SW_RCSR(x, 0x34);
    return x != 0;
}

static inline int sw_col_empty(void)
{
    long x;
    SW_RCSR(x, 0x35);
    return x != 0;
}

static inline int sw_put_blocks(void)
{
    long x;
    SW_RCSR(x, 0x36);
    return x != 0;
}

static inline uint64_t sw_cycles(void)
{
    uint64_t x;
    SW_RCSR(x, 4);
    return x;
}

#endif
