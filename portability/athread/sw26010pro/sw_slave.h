/* sw_slave.h -- what the cores of SW26010-Pro have no vendor name for. Without registers of
 * FIFOs: there are none, cpe_rma.h looks into its own store. NEVER EXECUTED.
 *
 * C99 with the assembler statements of swgcc. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SW_SLAVE_H
#define SW_SLAVE_H

#include <stddef.h>
#include <stdint.h>

#include <crts.h>

void *ldm_malloc(size_t bytes); /* of no vendor header */
void ldm_free(void *p, size_t bytes);
size_t get_allocatable_size(void);

static inline uint64_t sw_cycles(void)
{
    return athread_stime_cycle();
}

static inline void sw_memb(void)
{
    __asm__ volatile("memb" : : : "memory");
}

static inline void sw_spin(void) {}

/* With a data cache (-cache_size above 0) a polled word must not stay in it. */
static inline uint64_t sw_load(const volatile uint64_t *p)
{
    return *p;
}

static inline void sw_store(volatile uint64_t *p, uint64_t x)
{
    *p = x;
}

static inline uint32_t sw_add1(volatile uint32_t *p)
{
    uint32_t old;
    __asm__ volatile("faaw %0, 0(%1)" : "=r"(old) : "r"(p) : "memory");
    return old;
}

static inline uint64_t sw_add1_long(volatile uint64_t *p)
{
    uint64_t old;
    __asm__ volatile("faal %0, 0(%1)" : "=r"(old) : "r"(p) : "memory");
    return old;
}

#endif
