/* sw_cores.h -- what the cores of SW26010 and of SW26010-Pro have no vendor name for, and have
 * alike: the fence, words of main memory, the atomic. For their sw_slave.h. NEVER EXECUTED.
 *
 * C99 with the assembler statements of sw5cc and swgcc. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SW_CORES_H
#define SW_CORES_H

#include <stddef.h>
#include <stdint.h>

void *ldm_malloc(size_t bytes); /* of no vendor header */
void ldm_free(void *p, size_t bytes);
size_t get_allocatable_size(void);

static inline void sw_memb(void)
{
    __asm__ volatile("memb" : : : "memory");
}

static inline void sw_spin(void) {}

/* With a data cache (the Pro, -cache_size above 0) a polled word must not stay in it. */
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
