/* emul_store.c -- a core's local store: statics, heap and stack in one piece of 64 KB.
 *
 *      0                                                            ldm_bytes
 *      | statics | heap -->        poison 0xA5         <-- stack |
 *
 * Everything is poison when a kernel starts. The stack is this host's: it runs in the store
 * so that local variables are legal targets of DMA and too deep a stack is noticed, but how
 * many bytes a frame takes is not what the slave compiler would say, and the frames of the
 * emulation itself are among them.
 *
 * That the stack met the heap is seen at the next call at the latest: the word behind the
 * heap is no longer poison, or the frame itself lies too low.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

#include <string.h>

enum {
    ALIGNMENT = 32,
    BARRIER = 8, /* bytes behind the heap that must stay poison */
    QUIET = 1024 /* so much poison in a row: the stack did not reach further */
};
static const uint64_t POISONED = UINT64_C(0xA5A5A5A5A5A5A5A5);

static uint64_t used(const struct emul_core *core)
{
    return core->statics + core->heap;
}

bool emul_store_has(const struct emul_core *core, const volatile void *at, uint64_t bytes)
{
    const uint64_t size = emul_params(core)->ldm_bytes;
    const uint64_t offset = (uint64_t)((uintptr_t)at - (uintptr_t)core->store);
    if (offset >= size || bytes > size - offset)
        return false;
    return offset + bytes <= used(core) || (uintptr_t)at >= core->frame;
}

/* Poison again for this kernel what the last one has touched. */
void emul_store_begin(struct emul_core *core)
{
    const uint64_t size = emul_params(core)->ldm_bytes;
    const uint64_t stack = mw_min(size, core->stack + QUIET);
    emul_fiber_unpoison(core->store, size);
    memset(core->store, EMUL_POISON, core->statics + core->heap_most);
    memset(core->store + size - stack, EMUL_POISON, stack);
    core->statics = core->heap = core->heap_most = 0;
    core->n_named = 0;
    core->n_answered = 0;
    core->lowest = core->frame = (uintptr_t)core->store + size;
    core->held = UINTPTR_MAX;
    core->stack = 0;
}

void emul_store_check(struct emul_core *core, uintptr_t frame)
{
    const uint64_t depth = (uintptr_t)core->store + emul_params(core)->ldm_bytes - frame;
    uint64_t word;
    memcpy(&word, core->store + used(core), sizeof word);
    if (MW_LIKELY(word == POISONED &&
                  frame > (uintptr_t)core->store + used(core) + BARRIER))
        return;
    emul_mistake(
        core, MW_EMUL_STACK, core->where,
        "the stack is %llu bytes deep here, statics and heap take %llu + %llu of "
        "%llu, and the bytes between them were overwritten (or somebody wrote "
        "past the heap)",
        (unsigned long long)depth, (unsigned long long)core->statics,
        (unsigned long long)core->heap, (unsigned long long)emul_params(core)->ldm_bytes);
}

/* Down to the lowest word that is not poison, looking from the lowest frame known. */
static uint64_t reach_of_stack(const struct emul_core *core)
{
    const uint64_t end = core->statics + core->heap_most;
    uint64_t at = (core->lowest - (uintptr_t)core->store) & ~UINT64_C(7);
    uint64_t lowest = at, word;
    while (at >= end + sizeof word && lowest - at < QUIET) {
        at -= sizeof word;
        memcpy(&word, core->store + at, sizeof word);
        if (word != POISONED)
            lowest = at;
    }
    return emul_params(core)->ldm_bytes - lowest;
}

void emul_store_end(struct emul_core *core)
{
    const uint64_t size = emul_params(core)->ldm_bytes;
    struct mw_emul_counters *const n = &core->count;
    const uint64_t stack = core->stack = reach_of_stack(core);
    n->statics_bytes = mw_max(n->statics_bytes, core->statics);
    n->heap_bytes = mw_max(n->heap_bytes, core->heap_most);
    n->stack_bytes = mw_max(n->stack_bytes, stack);
    if (core->statics + core->heap_most + stack > size)
        emul_mistake(
            core, MW_EMUL_STACK, core->where,
            "the stack was %llu bytes deep, statics and heap took %llu + %llu of "
            "%llu",
            (unsigned long long)stack, (unsigned long long)core->statics,
            (unsigned long long)core->heap_most, (unsigned long long)size);
}

/* ---- the calls ---- */

static uint64_t left(const struct emul_core *core)
{
    const struct mw_emul_params *const p = emul_params(core);
    const uint64_t top = p->ldm_bytes - p->stack_bytes;
    return used(core) + BARRIER >= top ? 0 : (top - used(core) - BARRIER) & ~(uint64_t)31;
}

static void overflow(struct emul_core *core, enum mw_emul_mistake mistake, uint64_t bytes,
                     const char *what, const char *here)
{
    emul_mistake(core, mistake, here,
                 "%s wants %llu bytes, and %llu are left: statics take %llu, the heap "
                 "%llu, the stack keeps %llu, of %llu",
                 what, (unsigned long long)bytes, (unsigned long long)left(core),
                 (unsigned long long)core->statics, (unsigned long long)core->heap,
                 (unsigned long long)emul_params(core)->stack_bytes,
                 (unsigned long long)emul_params(core)->ldm_bytes);
}

void *mw_emul_statics(struct mw_cpe *self, uint64_t bytes, const char *name,
                      const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    const uint64_t size = mw_round_up(bytes, ALIGNMENT);
    for (uint32_t i = 0; i < core->n_named; i++)
        if (strcmp(core->named[i].name, name) == 0)
            return core->store + core->named[i].at;
    emul_enter(core, here);
    void *const at = core->store + core->statics;
    if (core->heap > 0 || core->n_named == EMUL_STATICS_MAX) {
        emul_mistake(core, MW_EMUL_STATICS, here,
                     "'%s' is first used after the heap, or is one too many", name);
    } else if (size > left(core)) {
        overflow(core, MW_EMUL_STATICS, size, name, here);
    } else {
        core->named[core->n_named].name = name;
        core->named[core->n_named].at = core->statics;
        core->named[core->n_named++].bytes = bytes;
        core->statics += size;
    }
    emul_leave(core);
    return at;
}

void *mw_emul_take(struct mw_cpe *self, uint64_t bytes, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    const uint64_t size = mw_round_up(mw_max(bytes, 1), ALIGNMENT);
    emul_enter(core, here);
    void *const at = core->store + used(core);
    if (bytes > emul_params(core)->ldm_bytes || size > left(core)) {
        overflow(core, MW_EMUL_HEAP, bytes, "a take", here);
    } else {
        core->heap += size;
        core->heap_most = mw_max(core->heap_most, core->heap);
    }
    emul_leave(core);
    return at;
}

/* What was taken is poison again. */
void mw_emul_reset(struct mw_cpe *self, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    emul_enter(core, here);
    memset(core->store + core->statics, EMUL_POISON, core->heap);
    core->heap = 0;
    emul_leave(core);
}

uint64_t mw_emul_left(struct mw_cpe *self, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    core->where = here;
    return left(core);
}
