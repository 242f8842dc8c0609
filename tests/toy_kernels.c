/* toy_kernels.c -- see toy.h. Compiled once per skeleton, as the library's kernels are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "toy.h"

#include <time.h>

static void wrong(struct toy *t)
{
    __atomic_fetch_add(&t->n_wrong, 1, __ATOMIC_RELAXED);
}

/* On the way out the child is a hash, on the way home the copy's number. */
static uint32_t child_of(uint32_t rank, uint64_t copy)
{
    return (uint32_t)(toy_mix(copy * 7919 + rank) % (1u << TOY_BITS));
}

static void count_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct toy *t = state;
    const uint64_t copy = m->child;
    (void)self;
    if (copy >= t->n_units * TOY_FAN || m->sender != toy_owner(t, t->rank, copy) ||
        m->value != toy_value(t, m->sender, copy)) {
        wrong(t);
        return;
    }
    __atomic_fetch_add(&t->home[copy], 1, __ATOMIC_RELAXED);
}

static void turn_reply(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    struct toy *t = state;
    const uint64_t copy = m->value & UINT32_MAX;
    if (m->sender >= t->n_ranks || toy_owner(t, m->sender, copy) != t->rank ||
        m->value != toy_value(t, m->sender, copy) ||
        m->child != child_of(m->sender, copy)) {
        wrong(t);
        return;
    }
    if (t->slow_ns > 0)
        nanosleep(&(struct timespec){0, (long)t->slow_ns}, NULL);
    __atomic_fetch_add(&t->n_turned, 1, __ATOMIC_RELAXED);
    const struct mw_visit home = {toy_value(t, t->rank, copy), (uint32_t)copy, t->rank,
                                  0};
    if (mw_here(e, m->sender))
        count_update(t, &home, e->self);
    else
        mw_emit(e, m->sender, home.child, home.value);
}

static void generate_expand(void *state, uint64_t first, uint64_t last,
                            struct mw_emitter *e)
{
    struct toy *t = state;
    for (uint64_t copy = first * TOY_FAN; copy < last * TOY_FAN; copy++) {
        const uint32_t owner = toy_owner(t, t->rank, copy);
        const struct mw_visit m = {toy_value(t, t->rank, copy), child_of(t->rank, copy),
                                   t->rank, 0};
        /* The turner's output would be one more record of this job: it is sent instead. */
        if (mw_here(e, owner)) {
            const struct mw_visit home = {m.value, (uint32_t)copy, t->rank, 0};
            __atomic_fetch_add(&t->n_turned, 1, __ATOMIC_RELAXED);
            count_update(t, &home, e->self);
        } else {
            mw_emit(e, owner, m.child, m.value);
        }
    }
}

MW_KERNEL(generate, mw_run_expand, generate_expand)
MW_KERNEL(turn, mw_run_reply, turn_reply)
MW_KERNEL(count, mw_run_update, count_update)

const struct toy_kernels MW_KERNELS = {generate, turn, count};
