/* emul_switch_ucontext.c -- switching stacks where there is no quicker way of our own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_fiber.h"

#include <string.h>
#include <ucontext.h>

MW_STATIC_ASSERT(sizeof(ucontext_t) <= sizeof((struct emul_fiber *)0)->context,
                 "a context has room in a fiber");

/* makecontext() hands over ints only. */
static void start(unsigned entry_high, unsigned entry_low, unsigned arg_high,
                  unsigned arg_low)
{
    const uintptr_t entry = (uintptr_t)((uint64_t)entry_high << 32 | entry_low);
    const uintptr_t arg = (uintptr_t)((uint64_t)arg_high << 32 | arg_low);
    ((void (*)(void *))entry)((void *)arg);
}

void emul_context_make(void *context, void *stack, size_t bytes, void (*entry)(void *),
                       void *arg)
{
    const uint64_t e = (uint64_t)(uintptr_t)entry, a = (uint64_t)(uintptr_t)arg;
    ucontext_t *const u = context;
    memset(u, 0, sizeof *u);
    getcontext(u);
    u->uc_stack.ss_sp = stack;
    u->uc_stack.ss_size = bytes;
    u->uc_link = NULL;
    makecontext(u, (void (*)(void))start, 4, (unsigned)(e >> 32), (unsigned)e,
                (unsigned)(a >> 32), (unsigned)a);
}

void emul_context_switch(void *from, void *to)
{
    swapcontext(from, to);
}
