/* sw_host.h -- what SW26010's management core has no vendor name for.
 * NEVER EXECUTED.
 *
 * C99. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SW_HOST_H
#define SW_HOST_H

static inline void sw_host_memb(void)
{
    __asm__ volatile("memb" : : : "memory");
}

static inline int sw_host_spin(void)
{
    sw_host_memb();
    return 0;
}

static inline void sw_host_release(void) {}

#endif
