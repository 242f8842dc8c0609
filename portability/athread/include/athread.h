/* athread.h -- the management core's side of the vendor's thread library: our own text of
 * its names and prototypes, for machines that lack it.
 *
 * Never put before the vendor's own: on a Sunway machine this folder is not searched. Written
 * from the interface (docs/sunway.md), not copied. Only what Meshway and its conformance
 * programs use. athread_on_emul.c implements it on emulated cores.
 *
 * C99. SPDX-License-Identifier: Apache-2.0
 */
#ifndef ATHREAD_H
#define ATHREAD_H

#include <stddef.h>
#include <stdint.h>

/* A function or an object of the cores' side, as the management core names it. */
#define SLAVE_FUN(x) slave_##x

/* Starts slave_f(arg) on all cores; returns at once. SW26010 has two hidden arguments, the Pro
 * a third: always the macro. */
#define athread_spawn(f, arg)                                                            \
    __real_athread_spawn((void *)(uintptr_t)SLAVE_FUN(f), (void *)(arg))

int athread_init(void);
int __real_athread_spawn(void *function, void *arg);
int athread_join(void); /* waits for the group; < 0: none runs */
int athread_halt(void); /* no core can be used after it */
int athread_set_num_threads(int n);
int athread_get_num_threads(void);
int athread_get_max_threads(void);

#endif
