/* emul_fiber.h -- a stack of one's own, and switching to it: what an emulated core runs on.
 *
 * How registers are saved differs by file (emul_switch_*.c, chosen in CMake). The rest,
 * telling a sanitizer about it, is the same everywhere: its entry points are weak symbols
 * that exist only where it is linked in.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_EMUL_FIBER_H
#define MW_EMUL_FIBER_H

#include "base/base.h"

MW_BEGIN_DECLS

struct emul_fiber {
    uint64_t context[640]; /* the machine's: registers, or where they are */
    void (*entry)(void *arg);
    void *arg;
    const void *bottom; /* of the stack; found out for a thread's own */
    size_t bytes;
    struct emul_fiber *from;        /* who switched here last */
    void *fake_stack, *tsan, *made; /* the sanitizers' */
};

/* The calling thread as a fiber. With `unseen` the race detector takes all fibers of the
 * thread for one: they share their locks. */
void emul_fiber_self(struct emul_fiber *f, bool unseen);
/* entry must not return: it switches away for good. `self` is who will switch to it. */
void emul_fiber_make(struct emul_fiber *f, const struct emul_fiber *self, void *stack,
                     size_t bytes, void (*entry)(void *), void *arg);
void emul_fiber_drop(struct emul_fiber *f); /* it will not be switched to any more */
void emul_fiber_switch(struct emul_fiber *from, struct emul_fiber *to);
/* Whatever a sanitizer remembers about this memory is void. */
void emul_fiber_unpoison(void *memory, size_t bytes);

/* What the race detector is told about threads that emulate: our own lock orders nothing
 * that the machine would not order, so it is hidden, and what does order is said. */
void emul_race_hide(void);
void emul_race_show(void);
void emul_race_release(const volatile void *by); /* all before it is seen ... */
void emul_race_acquire(const volatile void *by); /* ... by who comes here later */

/* emul_switch_*.c */
void emul_context_make(void *context, void *stack, size_t bytes, void (*entry)(void *),
                       void *arg);
void emul_context_switch(void *from, void *to);

MW_END_DECLS
#endif
