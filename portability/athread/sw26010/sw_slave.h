/* sw_slave.h -- what SW26010's cores have no vendor name for: status registers, the fence, the
 * atomic. NEVER EXECUTED: written from docs/sunway.md, "what never ran".
 *
 * C99 with the assembler statements of sw5cc. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SW_SLAVE_H
#define SW_SLAVE_H

#include <stddef.h>
#include <stdint.h>

void *ldm_malloc(size_t bytes); /* of no vendor header */
void ldm_free(void *p, size_t bytes);
size_t get_allocatable_size(void);

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

static inline void sw_memb(void)
{
    __asm__ volatile("memb" : : : "memory");
}

static inline void sw_spin(void) {}

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
