/* sw_slave.h -- what the cores' side has no vendor name for: status registers, the fence, the
 * atomic, and a turn of a waiting loop. This one is the emulation's; sw26010/ and sw26010pro/
 * hold the machines'. Chosen by the include path.
 *
 * C99. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SW_SLAVE_H
#define SW_SLAVE_H

#include <stddef.h>
#include <stdint.h>

int sw_row_empty(void);  /* no row message is there */
int sw_col_empty(void);  /* no column message is there */
int sw_put_blocks(void); /* a put would wait */
uint64_t sw_cycles(void);
void sw_memb(void);
void sw_spin(void); /* in the body of every loop that waits by looking */

uint64_t sw_load(const volatile uint64_t *p); /* one word of main memory */
void sw_store(volatile uint64_t *p, uint64_t x);
uint32_t sw_add1(volatile uint32_t *p); /* returns the old value */
uint64_t sw_add1_long(volatile uint64_t *p);

void *ldm_malloc(size_t bytes); /* the vendor's, but of no header */
void ldm_free(void *p, size_t bytes);
size_t get_allocatable_size(void);

#endif
