/* emul_fiber.c -- the part of fibers that is the same on every machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_fiber.h"

#include <string.h>

#define WEAK __attribute__((weak))
void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size) WEAK;
void __sanitizer_finish_switch_fiber(void *save, const void **old_bottom,
                                     size_t *old_size) WEAK;
void __asan_unpoison_memory_region(const volatile void *at, size_t size) WEAK;
void *__tsan_get_current_fiber(void) WEAK;
void *__tsan_create_fiber(unsigned flags) WEAK;
void __tsan_destroy_fiber(void *fiber) WEAK;
void __tsan_switch_to_fiber(void *fiber, unsigned flags) WEAK;

void AnnotateIgnoreSyncBegin(const char *file, int line) WEAK;
void AnnotateIgnoreSyncEnd(const char *file, int line) WEAK;
void AnnotateIgnoreReadsBegin(const char *file, int line) WEAK;
void AnnotateIgnoreReadsEnd(const char *file, int line) WEAK;
void AnnotateIgnoreWritesBegin(const char *file, int line) WEAK;
void AnnotateIgnoreWritesEnd(const char *file, int line) WEAK;
void __tsan_acquire(void *at) WEAK;
void __tsan_release(void *at) WEAK;

static void arrived(struct emul_fiber *me)
{
    if (__sanitizer_finish_switch_fiber != NULL)
        __sanitizer_finish_switch_fiber(me->fake_stack, &me->from->bottom,
                                        &me->from->bytes);
}

static void enter(void *arg)
{
    struct emul_fiber *const me = arg;
    arrived(me);
    me->entry(me->arg);
    __builtin_trap();
}

void emul_fiber_self(struct emul_fiber *f, bool unseen)
{
    memset(f, 0, sizeof *f);
    if (__tsan_get_current_fiber != NULL && !unseen)
        f->tsan = __tsan_get_current_fiber();
}

void emul_fiber_make(struct emul_fiber *f, const struct emul_fiber *self, void *stack,
                     size_t bytes, void (*entry)(void *), void *arg)
{
    f->entry = entry;
    f->arg = arg;
    f->bottom = stack;
    f->bytes = bytes;
    f->from = NULL;
    f->fake_stack = NULL;
    if (__tsan_create_fiber != NULL && self->tsan != NULL)
        f->tsan = f->made = __tsan_create_fiber(0);
    emul_context_make(f->context, stack, bytes, enter, f);
}

void emul_fiber_drop(struct emul_fiber *f)
{
    if (__tsan_destroy_fiber != NULL && f->made != NULL)
        __tsan_destroy_fiber(f->made);
    f->tsan = f->made = NULL;
}

void emul_fiber_switch(struct emul_fiber *from, struct emul_fiber *to)
{
    to->from = from;
    if (__sanitizer_start_switch_fiber != NULL)
        __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->bytes);
    if (__tsan_switch_to_fiber != NULL && to->tsan != NULL)
        __tsan_switch_to_fiber(to->tsan, 0);
    emul_context_switch(from->context, to->context);
    arrived(from);
}

void emul_fiber_unpoison(void *memory, size_t bytes)
{
    if (__asan_unpoison_memory_region != NULL)
        __asan_unpoison_memory_region(memory, bytes);
}

/* A thread that hides its synchronisation also hides what it says by hand. */
static MW_THREAD_LOCAL bool hidden;

static void hide_sync(bool hide)
{
    if (hide)
        AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    else
        AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
}

void emul_race_hide(void)
{
    if (AnnotateIgnoreSyncBegin == NULL)
        return;
    hidden = true;
    hide_sync(true);
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}

void emul_race_show(void)
{
    if (AnnotateIgnoreSyncEnd == NULL)
        return;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    hide_sync(false);
    hidden = false;
}

void emul_race_release(const volatile void *by)
{
    if (__tsan_release == NULL || !hidden)
        return;
    hide_sync(false);
    __tsan_release((void *)(uintptr_t)by);
    hide_sync(true);
}

void emul_race_acquire(const volatile void *by)
{
    if (__tsan_acquire == NULL || !hidden)
        return;
    hide_sync(false);
    __tsan_acquire((void *)(uintptr_t)by);
    hide_sync(true);
}
