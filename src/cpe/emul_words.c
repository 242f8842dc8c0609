/* emul_words.c -- single words of main memory, and the one atomic.
 *
 * With stale_reads a core has copies of its own:
 *
 *      store --> copy --fence--> memory             load <-- copy <--first load-- memory
 *
 * A fence (mw_memb) writes what the core has stored, in order, and forgets all copies. So
 * others see a store only after its core's fence, and it sees theirs only after its own. The
 * end of a launch is a fence of every core, the end of one kernel is none. A copy that finds
 * no place any more goes early, as from a real buffer. The atomic and DMA work on memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

#include <string.h>

static uint64_t read_memory(const uint64_t *p)
{
    const uint64_t x = MW_LOAD_ACQUIRE(p);
    emul_race_acquire((void *)(uintptr_t)p);
    return x;
}

static void write_memory(struct emul_core *core, uint64_t *p, uint64_t x)
{
    emul_race_release(p);
    MW_STORE_RELEASE(p, x);
    emul_happened(core);
}

/* ---- copies ---- */

static struct emul_copy *copy_of(struct emul_core *core, const void *p)
{
    for (uint32_t i = 0; i < core->n_copies; i++)
        if ((const void *)core->copy[i].word == p)
            return core->copy + i;
    return NULL;
}

static void drop_copy(struct emul_core *core, struct emul_copy *copy)
{
    const struct emul_copy *const end = core->copy + core->n_copies;
    if (copy->stored)
        write_memory(core, copy->word, copy->value);
    memmove(copy, copy + 1, (size_t)((const char *)end - (const char *)(copy + 1)));
    core->n_copies--;
}

static struct emul_copy *new_copy(struct emul_core *core, uint64_t *p)
{
    if (core->n_copies == EMUL_COPIES_MAX)
        drop_copy(core, core->copy);
    core->copy[core->n_copies] = (struct emul_copy){.word = p};
    return core->copy + core->n_copies++;
}

void emul_words_fence(struct emul_core *core)
{
    for (uint32_t i = 0; i < core->n_copies; i++)
        if (core->copy[i].stored)
            write_memory(core, core->copy[i].word, core->copy[i].value);
    core->n_copies = 0;
}

/* ---- the calls ---- */

MW_FN struct emul_core *touch(struct mw_cpe *self, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    emul_enter(core, here);
    core->self.now += emul_params(core)->mem_lat_cycles;
    return core;
}

/* Whether it may: some checks want to see that a program does without. */
static bool atomic(struct emul_core *core, void *p, const char *here)
{
    struct emul_copy *const copy = copy_of(core, p);
    if (copy != NULL)
        drop_copy(core, copy);
    core->count.atomics++;
    emul_happened(core);
    if (!emul_params(core)->atomics)
        emul_mistake(core, MW_EMUL_ATOMIC, here, "the parameter atomics is 0");
    return emul_params(core)->atomics != 0;
}

uint32_t mw_emul_add1(struct mw_cpe *self, uint32_t *p, const char *here)
{
    struct emul_core *const core = touch(self, here);
    uint32_t old = 0;
    if (atomic(core, (void *)((uintptr_t)p & ~(uintptr_t)7), here)) {
        old = MW_ADD_ACQ_REL(p, 1);
        emul_race_release(p);
        emul_race_acquire(p);
    }
    emul_leave(core);
    return old;
}

uint64_t mw_emul_add1_long(struct mw_cpe *self, uint64_t *p, const char *here)
{
    struct emul_core *const core = touch(self, here);
    uint64_t old = 0;
    if (atomic(core, p, here)) {
        old = MW_ADD_ACQ_REL(p, 1);
        emul_race_release(p);
        emul_race_acquire(p);
    }
    emul_leave(core);
    return old;
}

uint64_t mw_emul_load(struct mw_cpe *self, const uint64_t *p, const char *here)
{
    struct emul_core *const core = touch(self, here);
    const bool stale = emul_params(core)->stale_reads != 0;
    const struct emul_copy *const copy = stale ? copy_of(core, p) : NULL;
    const uint64_t x = copy != NULL ? copy->value : read_memory(p);
    if (stale && copy == NULL)
        new_copy(core, (uint64_t *)(uintptr_t)p)->value = x;
    emul_leave(core);
    return x;
}

void mw_emul_store(struct mw_cpe *self, uint64_t *p, uint64_t x, const char *here)
{
    struct emul_core *const core = touch(self, here);
    if (emul_params(core)->stale_reads) {
        struct emul_copy *copy = copy_of(core, p);
        if (copy == NULL)
            copy = new_copy(core, p);
        copy->value = x;
        copy->stored = true;
    } else {
        write_memory(core, p, x);
    }
    emul_leave(core);
}

/* Without stale_reads nothing is held back: one thread has all, and among threads the lock
 * orders. */
void mw_emul_memb(struct mw_cpe *self, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    emul_enter(core, here);
    emul_words_fence(core);
    emul_leave(core);
}
