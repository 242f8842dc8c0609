/* sw_host.h -- what the management core's side has no vendor name for. This one is the
 * emulation's, see sw_slave.h.
 *
 * C99. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SW_HOST_H
#define SW_HOST_H

/* Orders this core's accesses to main memory, and makes the next ones see what others have
 * written. */
void sw_host_memb(void);

/* In the body of every loop that waits for the cores by looking. < 0: a core has broken a
 * rule of its machine, which only the emulation notices. */
int sw_host_spin(void);

/* This thread needs its cores no more. On a machine nothing: it may want them again. */
void sw_host_release(void);

#endif
