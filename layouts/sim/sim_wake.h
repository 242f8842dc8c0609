/* sim_wake.h -- who has a turn when; for sim.c, which is inlined into one loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_SIM_WAKE_H
#define MW_LAYOUT_SIM_WAKE_H

#include "layouts/sim/sim_state.h"

MW_BEGIN_DECLS

MW_FN void sim_wake_at(struct sim *s, uint64_t cycle, mw_core v)
{
    s->wheel[cycle % SIM_SLOTS * s->n_words + v / 64] |= UINT64_C(1) << v % 64;
}

/* v has its turn in cycle `when`, or earlier and then asks again. */
MW_FN void sim_wake_later(struct sim *s, uint64_t now, uint64_t when, mw_core v)
{
    sim_wake_at(s, now + mw_min(when - now, SIM_SLOTS - 1), v);
}

/* Whether v's turn is still to come in this cycle, `at` having its own. */
MW_FN bool sim_comes_after(const struct sim *s, mw_core v, mw_core at)
{
    return (v - s->start + (v < s->start ? s->n : 0)) >
           (at - s->start + (at < s->start ? s->n : 0));
}

MW_FN uint64_t sim_low_bits(uint32_t n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* Those senders into v's FIFO whose numbers are below that of core `start`. */
MW_FN uint64_t sim_senders_below(const struct sim *s, mw_core v, uint32_t class,
                                 uint32_t start)
{
    const struct sim_core *c = &s->core[v];
    const uint32_t base = c->row * s->cols;
    if (class == MW_ROW)
        return start <= base ? 0 : sim_low_bits(start - base);
    return sim_low_bits(s->core[start].row + (c->col < s->core[start].col ? 1u : 0u));
}

MW_FN mw_core sim_sender(const struct sim *s, mw_core v, uint32_t class,
                         uint32_t position)
{
    const struct sim_core *c = &s->core[v];
    return (mw_core)(class == MW_ROW ? c->row * s->cols + position
                                     : position * s->cols + c->col);
}

/* The first of `waiting` in an order that begins behind `below`. */
MW_FN uint32_t sim_first_of(uint64_t waiting, uint64_t below)
{
    const uint64_t high = waiting & ~below;
    return (uint32_t)__builtin_ctzll(high != 0 ? high : waiting);
}

/* v made room for `room` messages in its own turn: wakes as many senders, those whose turn
 * comes first. The others would find the room taken, by these or by who comes before them. */
MW_FN void sim_wake_senders(struct sim *s, mw_core v, uint32_t port, uint64_t now,
                            uint32_t room)
{
    const uint32_t class = port % MW_N_CLASSES;
    uint64_t waiting = sim_fifo(&s->core[v], port)->waiters;
    if (s->stages != NULL || s->outstanding != NULL)
        room = UINT32_MAX; /* who is woken may not need it */
    const uint32_t own = class == MW_ROW ? s->core[v].col : s->core[v].row;
    const uint64_t passed = sim_low_bits(own),
                   below = sim_senders_below(s, v, class, s->start);
    uint64_t today = waiting & (v >= s->start ? ~passed | below : ~passed & below);
    for (; room != 0 && today != 0; room--) {
        const uint32_t position = sim_first_of(today, passed);
        today &= ~(UINT64_C(1) << position);
        waiting &= ~(UINT64_C(1) << position);
        sim_wake_at(s, now, sim_sender(s, v, class, position));
    }
    for (; room != 0 && waiting != 0; room--) {
        const uint32_t position =
            sim_first_of(waiting, sim_senders_below(s, v, class, s->start_1));
        waiting &= ~(UINT64_C(1) << position);
        sim_wake_at(s, now + 1, sim_sender(s, v, class, position));
    }
}

MW_END_DECLS
#endif
