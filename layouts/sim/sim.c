/* sim.c -- the cycles of the simulated mesh: what a core does when it is visited, and
 * whom that wakes.
 *
 *      FIFOs --get--> hand --put--> (send buffer --drain-->) next core's FIFO
 *      own messages --start--^  '--consume
 *
 * A get or a start in cycle T fills the hand; the put may succeed from T + cost - 1 on, and
 * the cycle after it is the next get's. A consumer is free at T + cost. The classes take
 * turns, from the one after the last served. A core that also produces takes what has come
 * before it starts something new. When production took its turn like a third class, any-to-any
 * XY (8x8, depth 8, cost 20 to 32, memory free) deadlocked after 1,344 to 3,072 cycles; this
 * way it met none in 400,000, as the published run, which proves nothing.
 *
 * Every function that runs once per message is inlined into two copies of the loop: one that
 * tells an observer, and one that does not know of any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/sim/sim.h"

#include "base/mem.h"
#include "layouts/sim/sim_state.h"

#include <string.h>

enum { DRAIN_STEP = 64 }; /* cycles between looks whether all has arrived */

/* ---- waking -------------------------------------------------------------------------------- */

MW_FN void wake_at(struct sim *s, uint64_t cycle, mw_core v)
{
    s->wheel[cycle % SIM_SLOTS * s->n_words + v / 64] |= UINT64_C(1) << v % 64;
}

/* v has its turn in cycle `when`, or earlier and then asks again. */
MW_FN void wake_later(struct sim *s, uint64_t now, uint64_t when, mw_core v)
{
    wake_at(s, now + mw_min(when - now, SIM_SLOTS - 1), v);
}

/* Whether v's turn is still to come in this cycle, `at` having its own. */
MW_FN bool comes_after(const struct sim *s, mw_core v, mw_core at)
{
    return (v - s->start + (v < s->start ? s->n : 0)) >
           (at - s->start + (at < s->start ? s->n : 0));
}

MW_FN uint64_t low_bits(uint32_t n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* Those senders into v's FIFO whose numbers are below that of core `start`. */
MW_FN uint64_t senders_below(const struct sim *s, mw_core v, uint32_t class,
                             uint32_t start)
{
    const struct sim_core *c = &s->core[v];
    const uint32_t base = c->row * s->cols;
    if (class == MW_ROW)
        return start <= base ? 0 : low_bits(start - base);
    return low_bits(s->core[start].row + (c->col < s->core[start].col ? 1u : 0u));
}

MW_FN mw_core sender(const struct sim *s, mw_core v, uint32_t class, uint32_t position)
{
    const struct sim_core *c = &s->core[v];
    return (mw_core)(class == MW_ROW ? c->row * s->cols + position
                                     : position * s->cols + c->col);
}

/* The first of `waiting` in an order that begins behind `below`. */
MW_FN uint32_t first_of(uint64_t waiting, uint64_t below)
{
    const uint64_t high = waiting & ~below;
    return (uint32_t)__builtin_ctzll(high != 0 ? high : waiting);
}

/* v made room for `room` messages in its own turn: wakes as many senders, those whose turn
 * comes first. The others would find the room taken, by these or by who comes before them. */
MW_FN void wake_senders(struct sim *s, mw_core v, uint32_t port, uint64_t now,
                        uint32_t room)
{
    const uint32_t class = port % MW_N_CLASSES;
    uint64_t waiting = sim_fifo(&s->core[v], port)->waiters;
    if (s->stages != NULL || s->outstanding != NULL)
        room = UINT32_MAX; /* who is woken may not need it */
    const uint32_t own = class == MW_ROW ? s->core[v].col : s->core[v].row;
    const uint64_t passed = low_bits(own), below = senders_below(s, v, class, s->start);
    uint64_t today = waiting & (v >= s->start ? ~passed | below : ~passed & below);
    for (; room != 0 && today != 0; room--) {
        const uint32_t position = first_of(today, passed);
        today &= ~(UINT64_C(1) << position);
        waiting &= ~(UINT64_C(1) << position);
        wake_at(s, now, sender(s, v, class, position));
    }
    for (; room != 0 && waiting != 0; room--) {
        const uint32_t position =
            first_of(waiting, senders_below(s, v, class, s->start_1));
        waiting &= ~(UINT64_C(1) << position);
        wake_at(s, now + 1, sender(s, v, class, position));
    }
}

/* ---- what changes ---------------------------------------------------------------------------- */

/* Of the FIFOs of a class: the fullest channel's. */
static uint32_t fill_of(const struct sim_core *c, enum mw_fifo_class class)
{
    uint32_t fill = 0;
    for (uint32_t port = class; port < c->n_ports; port += MW_N_CLASSES)
        fill = (uint32_t)mw_max(fill, sim_fifo_of(c, port)->count);
    return fill;
}

static void report_core(const struct sim *s, mw_core v, uint64_t now)
{
    const struct sim_core *c = &s->core[v];
    if (s->conf->observe == NULL || s->draining)
        return;
    const struct mw_sim_event e = {
        .cycle = now,
        .core = v,
        .state = c->state,
        .fill = {fill_of(c, MW_ROW), fill_of(c, MW_COLUMN)},
        .send_fill = s->buffer[v].count,
        .waits_for = c->state == MW_CORE_BLOCKED ? sim_target(s, v) : MW_NO_CORE};
    s->conf->observe(s->conf->observe_arg, &e);
}

MW_FN void set_state(struct sim *s, mw_core v, enum mw_core_state state, uint64_t now,
                     bool watched)
{
    struct sim_core *c = &s->core[v];
    if (c->state == state)
        return;
    c->cycles[c->state] += now;
    c->cycles[state] -= now;
    c->state = (uint8_t)state;
    if (watched)
        report_core(s, v, now);
    if (MW_UNLIKELY(s->rendezvous) && sim_receptive(c))
        for (uint32_t port = 0; port < c->n_ports; port++)
            if (sim_fifo(c, port)->depth == 0 && sim_fifo(c, port)->waiters != 0)
                wake_senders(s, v, port, now, 1);
}

/* From v into the FIFO of `to`; false: it is full, and v is among its waiters. */
MW_FN bool put(struct sim *s, mw_core v, mw_core to, mw_channel channel,
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
            wake_later(s, now, now + s->latency, to);
        if (s->latency == 0 ||
            f->depth == 0) /* taken, the hand no more waits for memory */
            wake_at(s, comes_after(s, to, v) ? now : now + 1, to);
    }
    if (watched)
        report_core(s, to, now);
    return true;
}

/* Along the way with most room; false: none has any, and *to, *channel are one that is full. */
static bool put_ways(struct sim *s, mw_core v, mw_core *to, mw_channel *channel,
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
        put(s, v, x->stage[parcel.route].core, x->target[i].channel, parcel, now,
            watched);
    }
    return true;
}

/* A message that has ways takes one; others go where they have to. */
MW_FN bool pass(struct sim *s, mw_core v, mw_core *to, mw_channel *channel,
                struct mw_parcel parcel, uint64_t now, bool watched)
{
    if (MW_UNLIKELY(s->stages != NULL) && parcel.route != SIM_ROUTE_MARKER)
        return put_ways(s, v, to, channel, parcel, now, watched);
    return put(s, v, *to, *channel, parcel, now, watched);
}

/* ---- the send buffer --------------------------------------------------------------------------- */

MW_FN void drain(struct sim *s, mw_core v, uint64_t now, bool watched)
{
    struct sim_buffer *b = &s->buffer[v];
    if (b->count == 0)
        return;
    struct sim_sent *head = &s->sent[(size_t)v * s->send + b->head];
    if (!pass(s, v, &head->to, &head->channel, head->parcel, now, watched))
        return;
    b->head = b->head + 1 == s->send ? 0 : b->head + 1;
    if (--b->count != 0)
        wake_at(s, now + 1, v);
    if (watched)
        report_core(s, v, now);
}

MW_FN bool put_into_buffer(struct sim *s, mw_core v, uint64_t now, bool watched)
{
    struct sim_buffer *b = &s->buffer[v];
    if (b->count == s->send)
        return false;
    const uint32_t position = b->head + b->count++;
    s->sent[(size_t)v * s->send + (position < s->send ? position : position - s->send)] =
        (struct sim_sent){s->core[v].parcel, s->core[v].to, s->core[v].channel};
    if (watched)
        report_core(s, v, now);
    return true;
}

/* ---- memory ------------------------------------------------------------------------------------ */

/* The level as it is in cycle `now`. */
MW_FN int64_t bucket_level(struct sim_bucket *b, uint64_t now)
{
    b->level += (int64_t)(now - b->filled) * b->rate;
    if (b->level > b->capacity)
        b->level = b->capacity;
    b->filled = now;
    return b->level;
}

MW_FN void charge(struct sim *s, uint64_t now)
{
    if (!s->dma)
        return;
    bucket_level(&s->bucket, now);
    s->bucket.level -= s->bucket.batch;
}

/* ---- the hand ------------------------------------------------------------------------------------ */

/* A message has arrived in v's hand: what is to be done with it, and when. */
MW_FN void hold(struct sim *s, mw_core v, struct mw_parcel parcel, uint64_t now)
{
    struct sim_core *c = &s->core[v];
    bool here;
    if (MW_UNLIKELY((parcel.route & MW_ROUTE_LISTED) != 0)) {
        const uint32_t position = parcel.route & ~MW_ROUTE_LISTED;
        here = parcel.route == SIM_ROUTE_MARKER || s->listed_last[position];
        c->to = here ? v : s->l->listed_core[position + 1];
        c->channel = here ? 0 : s->l->listed_channel[position + 1];
    } else if (MW_UNLIKELY(s->stages != NULL)) {
        here = s->stages->stage[parcel.route].n_ways == 0;
        if (here && s->traffic->leaf_tally[parcel.route] != UINT32_MAX)
            parcel.tally = s->traffic->leaf_tally[parcel.route];
    } else {
        c->to = s->next[(size_t)parcel.route * s->n + v];
        if (MW_UNLIKELY(s->l->next_channel != NULL))
            c->channel = mw_next_channel(s->l, parcel.route, v);
        here = c->to == v;
    }
    c->parcel = parcel;
    c->hand = here ? SIM_HAND_CONSUME : SIM_HAND_FORWARD;
    c->ready = now + c->cost - !here;
}

MW_FN bool may_get(const struct sim_core *c, uint32_t port, uint64_t now)
{
    const struct sim_fifo *f = sim_fifo_of(c, port);
    return f->count != 0 && f->entry[f->head].visible <= now;
}

MW_FN void get(struct sim *s, mw_core v, uint32_t port, uint64_t now, bool watched)
{
    struct sim_core *c = &s->core[v];
    struct sim_fifo *f = sim_fifo(c, port);
    struct mw_parcel parcel = f->entry[f->head].parcel;
    f->head = (f->head + 1) & f->mask;
    f->count--;
    f->fill_sum += now;
    if (MW_UNLIKELY(s->outstanding != NULL)) /* it came straight from its source */
        --*sim_outstanding(s, s->l->listed_core[parcel.route & ~MW_ROUTE_LISTED], v);
    if (f->waiters != 0 && f->depth != 0)
        wake_senders(s, v, port, now, f->depth - f->count);
    if (parcel.route != SIM_ROUTE_MARKER) {
        parcel.route += parcel.route >> 31; /* listed: on to its next place */
        c->taken++;
    } else {
        s->stream[v].missing--;
    }
    c->served = (uint8_t)port;
    c->own = false;
    hold(s, v, parcel, now);
    if (watched && c->state == MW_CORE_BUSY)
        report_core(s, v, now);
    set_state(s, v, MW_CORE_BUSY, now, watched);
}

/* Own messages: can one start? *dma: yes, but for the bucket. */
MW_FN bool may_start(struct sim *s, const struct sim_core *c, uint64_t now, bool *dma)
{
    if (c->supply == 0 || (s->paced && c->due > now << SIM_PACE_BITS))
        return false;
    *dma = s->dma && c->started == 0 && bucket_level(&s->bucket, now) <= 0;
    return !*dma;
}

MW_FN void start(struct sim *s, mw_core v, uint64_t now, bool watched)
{
    struct sim_core *c = &s->core[v];
    if (c->started == 0) {
        c->started = s->batch;
        charge(s, now);
    }
    c->started--;
    c->supply -= s->counted_supply;
    struct mw_parcel parcel = mw_sim_traffic_draw(s->traffic, v);
    parcel.created = s->paced ? sim_cycle_of(c->due) : now;
    if (parcel.created - s->from < s->window)
        s->created += mw_sim_traffic_copies(s->traffic, &parcel);
    if (MW_UNLIKELY(s->conf->followers != NULL))
        c->followers = mw_sim_traffic_copies(s->traffic, &parcel) - 1;
    if (MW_LIKELY(s->clock == NULL && s->traffic->record == NULL))
        c->due += c->interval;
    else
        c->due = sim_due_after(s, v, s->clock != NULL ? &s->clock[v] : NULL, c->due, 0);
    c->taken++;
    c->own = true;
    hold(s, v, parcel, now);
    set_state(s, v, MW_CORE_BUSY, now, watched);
}

/* The next marker into the hand; false: all are out, or it is not time for them. */
static bool start_marker(struct sim *s, mw_core v, uint64_t now)
{
    struct sim_core *c = &s->core[v];
    struct sim_stream *m = &s->stream[v];
    const uint32_t port = sim_untold(m);
    if (c->supply != 0 || m->missing != 0 || port == SIM_PORTS_MAX)
        return false;
    c->to = sender(s, v, port % MW_N_CLASSES, (uint32_t)__builtin_ctzll(m->next[port]));
    c->channel = (mw_channel)(port / MW_N_CLASSES);
    m->next[port] &= m->next[port] - 1;
    c->parcel = (struct mw_parcel){.route = SIM_ROUTE_MARKER};
    c->own = false;
    c->hand = SIM_HAND_FORWARD;
    c->ready = now + c->cost - 1;
    return true;
}

static bool has_ended(const struct sim *s, mw_core v)
{
    const struct sim_stream *m = &s->stream[v];
    return s->core[v].supply == 0 && m->missing == 0 && sim_untold(m) == SIM_PORTS_MAX;
}

/* Nothing can be taken now: says why, and when to look again. */
MW_FN void rest(struct sim *s, mw_core v, bool dma, uint64_t now, bool watched)
{
    struct sim_core *c = &s->core[v];
    for (uint32_t port = 0; port < c->n_ports; port++) {
        const struct sim_fifo *f = sim_fifo(c, port);
        if (f->count != 0 && f->entry[f->head].visible > now)
            wake_later(s, now, f->entry[f->head].visible, v);
    }
    if (dma)
        wake_later(s, now, now + (uint64_t)(-s->bucket.level / s->bucket.rate) + 1, v);
    else if (s->paced && c->supply != 0 && c->due > now << SIM_PACE_BITS)
        wake_later(s, now, (c->due + (1 << SIM_PACE_BITS) - 1) >> SIM_PACE_BITS, v);
    set_state(s, v, dma ? MW_CORE_DMA : MW_CORE_IDLE, now, watched);
}

/* An empty hand takes turns between its classes, and starts a message of its own when
 * neither has one to get. */
MW_FN void choose(struct sim *s, mw_core v, uint64_t now, bool watched)
{
    struct sim_core *c = &s->core[v];
    bool dma = false, reserved = false;
    if (MW_UNLIKELY(s->rendezvous))
        reserved = !sim_unpromised(c);
    for (uint32_t i = 0, port = c->served; i < c->n_ports; i++) {
        port = port + 1 == c->n_ports ? 0 : port + 1;
        if ((!reserved || sim_fifo(c, port)->depth == 0) && may_get(c, port, now)) {
            get(s, v, port, now, watched);
            return;
        }
    }
    if (!reserved && may_start(s, c, now, &dma)) {
        start(s, v, now, watched);
        return;
    }
    if (s->stream == NULL || reserved) {
        rest(s, v, dma, now, watched);
    } else if (start_marker(s, v, now)) {
        set_state(s, v, MW_CORE_BUSY, now, watched);
    } else if (has_ended(s, v)) {
        s->n_ended += c->state != MW_CORE_ENDED;
        set_state(s, v, MW_CORE_ENDED, now, watched);
    } else {
        rest(s, v, dma, now, watched);
    }
}

/* A message of the window has arrived. */
static void meter(struct sim *s, mw_core v, const struct mw_parcel *p, uint64_t now)
{
    const struct mw_sim_message m = {.source = s->traffic->tally_source[p->tally],
                                     .sink = v,
                                     .created = p->created,
                                     .injected = p->injected,
                                     .arrived = now};
    s->arrived++;
    mw_latency_meter_add(s->meter, m.source, v, now - m.created, now - m.injected);
    if (s->conf->observe_message != NULL)
        s->conf->observe_message(s->conf->observe_message_arg, &m);
}

MW_FN void consume(struct sim *s, mw_core v, uint64_t now)
{
    struct sim_core *c = &s->core[v];
    c->hand = SIM_HAND_EMPTY;
    if (c->parcel.route == SIM_ROUTE_MARKER)
        return;
    if (c->parcel.created - s->from < s->window)
        meter(s, v, &c->parcel, now);
    c->given++;
    s->consumed++;
    s->tally[c->parcel.tally]++;
    if (++c->finished == s->batch) {
        c->finished = 0;
        charge(s, now);
    }
}

/* Of a broadcast by remote puts: the next one into the hand. */
static void follow(struct sim *s, struct sim_core *c, uint64_t now)
{
    const uint32_t position = (c->parcel.route & ~MW_ROUTE_LISTED) + 2;
    c->followers--;
    c->taken++;
    c->parcel.route = MW_ROUTE_LISTED | position;
    c->parcel.tally = s->traffic->listed_tally[position / 2];
    c->to = s->l->listed_core[position + 1];
    c->ready = now + 1;
}

/* The hand's message is ready to go. */
MW_FN void forward(struct sim *s, mw_core v, uint64_t now, bool watched)
{
    struct sim_core *c = &s->core[v];
    if (c->own)
        c->parcel.injected = now;
    if (s->send != 0 ? put_into_buffer(s, v, now, watched)
                     : pass(s, v, &c->to, &c->channel, c->parcel, now, watched)) {
        c->given += c->parcel.route != SIM_ROUTE_MARKER;
        if (MW_UNLIKELY(c->followers != 0))
            follow(s, c, now);
        else
            c->hand = SIM_HAND_EMPTY;
        wake_at(s, now + 1, v);
        set_state(s, v, MW_CORE_BUSY, now, watched);
    } else {
        set_state(s, v, MW_CORE_BLOCKED, now, watched);
    }
}

MW_FN void visit(struct sim *s, mw_core v, uint64_t now, bool watched)
{
    struct sim_core *c = &s->core[v];
    if (s->send != 0)
        drain(s, v, now, watched);
    if (c->hand == SIM_HAND_CONSUME && c->ready <= now)
        consume(s, v, now);
    if (c->hand == SIM_HAND_EMPTY)
        choose(s, v, now, watched);
    if (c->hand != SIM_HAND_EMPTY) {
        if (c->ready > now)
            wake_later(s, now, c->ready, v);
        else
            forward(s, v, now, watched);
    }
}

/* ---- the loop ------------------------------------------------------------------------------------ */

/* The turns of cores low .. high - 1; who is woken for this cycle is behind the one at work. */
MW_FN void turns(struct sim *s, uint64_t *slot, uint32_t low, uint32_t high, uint64_t now,
                 bool watched)
{
    for (uint32_t w = low / 64; w * 64 < high; w++) {
        const uint64_t range =
            low_bits(high - w * 64) & ~(w == low / 64 ? low_bits(low % 64) : 0);
        uint64_t due;
        while ((due = slot[w] & range) != 0) {
            const uint32_t position = (uint32_t)__builtin_ctzll(due);
            slot[w] &= ~(UINT64_C(1) << position);
            visit(s, (mw_core)(w * 64 + position), now, watched);
        }
    }
}

/* Cycles from .. to - 1; returns the cycle it came to, an earlier one at the end of stream. */
MW_FN uint64_t run(struct sim *s, uint64_t from, uint64_t to, bool watched)
{
    const uint32_t step = SIM_ROTATION % s->n;
    s->start = (uint32_t)(from % s->n * SIM_ROTATION % s->n);
    for (uint64_t now = from; now < to; now++) {
        uint64_t *slot = s->wheel + now % SIM_SLOTS * s->n_words;
        s->start_1 = s->start + step < s->n ? s->start + step : s->start + step - s->n;
        for (uint32_t part = 0; part < 2; part++)
            turns(s, slot, part == 0 ? s->start : 0, part == 0 ? s->n : s->start, now,
                  watched);
        s->start = s->start_1;
        if (s->n_ended == s->n)
            return now + 1;
    }
    return to;
}

static uint64_t run_watched(struct sim *s, uint64_t from, uint64_t to)
{
    return run(s, from, to, true);
}

static uint64_t run_alone(struct sim *s, uint64_t from, uint64_t to)
{
    return run(s, from, to, false);
}

/* ---- a run ---------------------------------------------------------------------------------------- */

static uint64_t run_on(struct sim *s, uint64_t from, uint64_t to)
{
    return s->conf->observe != NULL ? run_watched(s, from, to) : run_alone(s, from, to);
}

/* Nothing can move any more, but some cores may still work on what they hold: they end that
 * and stand as the others do. Where the run may not last so long, it ended before all stood. */
static uint64_t settle(struct sim *s, uint64_t now, struct mw_sim_result *out)
{
    while (now < s->conf->cycles && sim_works(s))
        now = run_on(s, now, now + 1);
    out->global = !sim_works(s);
    return now;
}

/* What is measured is followed until it has arrived, the bound is met, or nothing moves. */
static int drain_window(struct sim *s, uint64_t now, struct mw_sim_result *out)
{
    int rc = MW_OK;
    struct mw_sim_result met = {0};
    struct mw_latency *l = &out->latency;
    const uint64_t begin = now, until = now + s->conf->drain;
    const uint64_t every = s->conf->detect_every == 0 ? until : s->conf->detect_every;
    s->window = now > s->from ? mw_min(s->window, now - s->from) : 0;
    l->created = s->created + sim_pending(s);
    s->draining = true;
    while (!out->deadlock && s->n_ended < s->n && s->arrived < l->created &&
           now < until && !met.deadlock) {
        now = run_on(s, now, mw_min(until, now - now % DRAIN_STEP + DRAIN_STEP));
        if (now % every == 0)
            MW_TRY(rc, sim_detect(s, &met));
    }
    l->arrived = s->arrived;
    l->drained = now - begin;
    l->deadlock_cycle = met.deadlock ? now : 0;
    l->end = l->created == 0                 ? MW_LATENCY_NONE
             : l->arrived == l->created      ? MW_LATENCY_DRAINED
             : out->deadlock || met.deadlock ? MW_LATENCY_STUCK
             : s->conf->drain == 0           ? MW_LATENCY_OPEN
                                             : MW_LATENCY_UNSTABLE;
    MW_TRY(rc, mw_latency_meter_read(s->meter, l));
end:
    mw_sim_result_fini(&met);
    return rc;
}

static int simulate(struct sim *s, struct mw_sim_result *out)
{
    const struct mw_sim_conf *conf = s->conf;
    const uint64_t warm = (uint64_t)((double)conf->cycles * conf->warmup);
    const uint64_t every = conf->detect_every == 0 ? conf->cycles : conf->detect_every;
    uint64_t now = 0, counted_from = UINT64_MAX;
    while (now < conf->cycles && !out->deadlock && s->n_ended < s->n &&
           (conf->recording == NULL || s->arrived < conf->recording->n)) {
        uint64_t to = mw_min(conf->cycles, now - now % every + every);
        if (now == warm)
            sim_start_counting(s, counted_from = now);
        else if (now < warm)
            to = mw_min(to, warm);
        now = run_on(s, now, to);
        if (now % every == 0 || now == conf->cycles)
            MW_NEED(sim_detect(s, out));
    }
    out->deadlock_cycle = out->deadlock ? now : 0;
    if (out->global)
        now = settle(s, now, out);
    MW_NEED(sim_report(s, counted_from, now, out));
    return drain_window(s, now, out);
}

void mw_sim_defaults(const struct mw_layout *l, struct mw_sim_conf *out)
{
    *out = (struct mw_sim_conf){.cycles = 200000,
                                .seed = 1,
                                .fifo = {l->fifo[MW_ROW], l->fifo[MW_COLUMN]},
                                .send = l->send,
                                .latency = 10,
                                .load = 1,
                                .hotspot_core = MW_NO_CORE,
                                .burst = 8,
                                .dma = true,
                                .detect_every = 64,
                                .warmup = 0.1};
}

int mw_layout_sim(const struct mw_layout *l, const struct mw_sim_conf *conf,
                  struct mw_sim_result *out)
{
    int rc = MW_OK;
    struct sim *s = NULL;
    memset(out, 0, sizeof *out);
    MW_TRY(rc, sim_new(l, conf, &s));
    MW_TRY(rc, simulate(s, out));
    sim_free(s);
    return MW_OK;
end:
    sim_free(s);
    mw_sim_result_fini(out);
    return rc;
}

void mw_sim_result_fini(struct mw_sim_result *r)
{
    MW_FREE_ALL(r->cycle_core, r->blocked, r->core, r->pair);
    mw_latency_fini(&r->latency);
    memset(r, 0, sizeof *r);
}
