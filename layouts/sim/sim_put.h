/* sim_put.h -- a message on to the next core: into its FIFO, or through the send buffer. For sim.c, as
 * sim_wake.h; what runs rarely is not `inline`, which would take 2 % of the speed (paper.layout, one core).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_SIM_PUT_H
#define MW_LAYOUT_SIM_PUT_H

#include "layouts/sim/sim_wake.h"

MW_BEGIN_DECLS

/* ---- what changes ---------------------------------------------------------------------------- */

/* Of the FIFOs of a class: the fullest channel's. */
static uint32_t sim_fill_of(const struct sim_core *c, enum mw_fifo_class class)
{
    uint32_t fill = 0;
    for (uint32_t port = class; port < c->n_ports; port += MW_N_CLASSES)
        fill = (uint32_t)mw_max(fill, sim_fifo_of(c, port)->count);
    return fill;
}

static void sim_report_core(const struct sim *s, mw_core v, uint64_t now)
{
    const struct sim_core *c = &s->core[v];
    if (s->conf->observe == NULL || s->draining)
        return;
    const struct mw_sim_event e = {
        .cycle = now,
        .core = v,
        .state = c->state,
        .fill = {sim_fill_of(c, MW_ROW), sim_fill_of(c, MW_COLUMN)},
        .send_fill = s->buffer[v].count,
        .waits_for = c->state == MW_CORE_BLOCKED ? sim_target(s, v) : MW_NO_CORE};
    s->conf->observe(s->conf->observe_arg, &e);
}

MW_FN void sim_set_state(struct sim *s, mw_core v, enum mw_core_state state, uint64_t now,
                         bool watched)
{
    struct sim_core *c = &s->core[v];
    if (c->state == state)
        return;
    c->cycles[c->state] += now;
    c->cycles[state] -= now;
    c->state = (uint8_t)state;
    if (watched)
        sim_report_core(s, v, now);
    if (MW_UNLIKELY(s->rendezvous) && sim_receptive(c))
        for (uint32_t port = 0; port < c->n_ports; port++)
            if (sim_fifo(c, port)->depth == 0 && sim_fifo(c, port)->waiters != 0)
                sim_wake_senders(s, v, port, now, 1);
}

/* From v into the FIFO of `to`; false: it is full, and v is among its waiters. */
MW_FN bool sim_put(struct sim *s, mw_core v, mw_core to, mw_channel channel,
                   struct mw_parcel parcel, uint64_t now, bool watched)
{
    struct sim_core *c = &s->core[v], *r = &s->core[to];
    const enum mw_fifo_class class = sim_class(s, v, to);
    const uint32_t port = MW_N_CLASSES * channel + (uint32_t) class;
    struct sim_fifo *f = sim_fifo(r, port);
    const uint64_t bit = UINT64_C(1) << (class == MW_ROW ? c->col : c->row);
    if (!sim_has_room(r, port) || sim_ring_is_full(s, v, to)) {
        f->waiters |= bit;
        return false;
    }
    f->waiters &= ~bit;
    if (MW_UNLIKELY(s->outstanding != NULL))
        ++*sim_outstanding(s, v, to);
    f->entry[(f->head + f->count++) & f->mask] =
        (struct sim_entry){now + s->latency, parcel};
    f->fill_sum -= now;
    if (f->count > f->fill_max)
        f->fill_max = f->count;
    if (r->hand == SIM_HAND_EMPTY) {
        if (s->latency != 0)
            sim_wake_later(s, now, now + s->latency, to);
        if (s->latency == 0 ||
            f->depth == 0) /* taken, the hand no more waits for memory */
            sim_wake_at(s, sim_comes_after(s, to, v) ? now : now + 1, to);
    }
    if (watched)
        sim_report_core(s, to, now);
    return true;
}

/* Along the way with most room; false: none has any, and *to, *channel are one that is full. */
static bool sim_put_ways(struct sim *s, mw_core v, mw_core *to, mw_channel *channel,
                         struct mw_parcel parcel, uint64_t now, bool watched)
{
    const struct mw_stages *x = s->stages;
    const struct mw_stage *at = &x->stage[parcel.route];
    const uint32_t way = sim_choose_way(s, v, parcel.route);
    const uint32_t end = x->first_target[at->first_way + at->n_ways];
    bool full = false;
    for (uint32_t i = x->first_target[at->first_way]; i < end; i++) {
        const mw_core next = x->stage[x->target[i].stage].core;
        const uint32_t port = sim_port(s, v, next, x->target[i].channel);
        const uint64_t bit = UINT64_C(1)
                             << (port % MW_N_CLASSES == MW_ROW ? s->core[v].col
                                                               : s->core[v].row);
        struct sim_fifo *f = sim_fifo(&s->core[next], port);
        f->waiters &= ~bit;
        if (way != SIM_NO_WAY || f->count < f->depth)
            continue;
        f->waiters |= bit;
        *to = full ? *to : next;
        *channel = full ? *channel : x->target[i].channel;
        full = true;
    }
    if (way == SIM_NO_WAY)
        return false;
    for (uint32_t i = x->first_target[way]; i < x->first_target[way + 1]; i++) {
        parcel.route = x->target[i].stage;
        sim_put(s, v, x->stage[parcel.route].core, x->target[i].channel, parcel, now,
                watched);
    }
    return true;
}

/* A message that has ways takes one; others go where they have to. */
MW_FN bool sim_pass(struct sim *s, mw_core v, mw_core *to, mw_channel *channel,
                    struct mw_parcel parcel, uint64_t now, bool watched)
{
    if (MW_UNLIKELY(s->stages != NULL) && parcel.route != SIM_ROUTE_MARKER)
        return sim_put_ways(s, v, to, channel, parcel, now, watched);
    return sim_put(s, v, *to, *channel, parcel, now, watched);
}

/* ---- the send buffer --------------------------------------------------------------------------- */

MW_FN void sim_drain(struct sim *s, mw_core v, uint64_t now, bool watched)
{
    struct sim_buffer *b = &s->buffer[v];
    if (b->count == 0)
        return;
    struct sim_sent *head = &s->sent[(size_t)v * s->send + b->head];
    if (!sim_pass(s, v, &head->to, &head->channel, head->parcel, now, watched))
        return;
    b->head = b->head + 1 == s->send ? 0 : b->head + 1;
    if (--b->count != 0)
        sim_wake_at(s, now + 1, v);
    if (watched)
        sim_report_core(s, v, now);
}

MW_FN bool sim_put_into_buffer(struct sim *s, mw_core v, uint64_t now, bool watched)
{
    struct sim_buffer *b = &s->buffer[v];
    if (b->count == s->send)
        return false;
    const uint32_t position = b->head + b->count++;
    s->sent[(size_t)v * s->send + (position < s->send ? position : position - s->send)] =
        (struct sim_sent){s->core[v].parcel, s->core[v].to, s->core[v].channel};
    if (watched)
        sim_report_core(s, v, now);
    return true;
}

MW_END_DECLS
#endif
