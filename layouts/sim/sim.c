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
#include "layouts/sim/sim_put.h"

#include "base/mem.h"

#include <string.h>

enum { DRAIN_STEP = 64 }; /* cycles between looks whether all has arrived */

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
        sim_wake_senders(s, v, port, now, f->depth - f->count);
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
        sim_report_core(s, v, now);
    sim_set_state(s, v, MW_CORE_BUSY, now, watched);
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
    sim_set_state(s, v, MW_CORE_BUSY, now, watched);
}

/* The next marker into the hand; false: all are out, or it is not time for them. */
static bool start_marker(struct sim *s, mw_core v, uint64_t now)
{
    struct sim_core *c = &s->core[v];
    struct sim_stream *m = &s->stream[v];
    const uint32_t port = sim_untold(m);
    if (c->supply != 0 || m->missing != 0 || port == SIM_PORTS_MAX)
        return false;
    c->to =
        sim_sender(s, v, port % MW_N_CLASSES, (uint32_t)__builtin_ctzll(m->next[port]));
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
            sim_wake_later(s, now, f->entry[f->head].visible, v);
    }
    if (dma)
        sim_wake_later(s, now, now + (uint64_t)(-s->bucket.level / s->bucket.rate) + 1,
                       v);
    else if (s->paced && c->supply != 0 && c->due > now << SIM_PACE_BITS)
        sim_wake_later(s, now, (c->due + (1 << SIM_PACE_BITS) - 1) >> SIM_PACE_BITS, v);
    sim_set_state(s, v, dma ? MW_CORE_DMA : MW_CORE_IDLE, now, watched);
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
        sim_set_state(s, v, MW_CORE_BUSY, now, watched);
    } else if (has_ended(s, v)) {
        s->n_ended += c->state != MW_CORE_ENDED;
        sim_set_state(s, v, MW_CORE_ENDED, now, watched);
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
    if (s->send != 0 ? sim_put_into_buffer(s, v, now, watched)
                     : sim_pass(s, v, &c->to, &c->channel, c->parcel, now, watched)) {
        c->given += c->parcel.route != SIM_ROUTE_MARKER;
        if (MW_UNLIKELY(c->followers != 0))
            follow(s, c, now);
        else
            c->hand = SIM_HAND_EMPTY;
        sim_wake_at(s, now + 1, v);
        sim_set_state(s, v, MW_CORE_BUSY, now, watched);
    } else {
        sim_set_state(s, v, MW_CORE_BLOCKED, now, watched);
    }
}

MW_FN void visit(struct sim *s, mw_core v, uint64_t now, bool watched)
{
    struct sim_core *c = &s->core[v];
    if (s->send != 0)
        sim_drain(s, v, now, watched);
    if (c->hand == SIM_HAND_CONSUME && c->ready <= now)
        consume(s, v, now);
    if (c->hand == SIM_HAND_EMPTY)
        choose(s, v, now, watched);
    if (c->hand != SIM_HAND_EMPTY) {
        if (c->ready > now)
            sim_wake_later(s, now, c->ready, v);
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
            sim_low_bits(high - w * 64) & ~(w == low / 64 ? sim_low_bits(low % 64) : 0);
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

static uint64_t run_on(struct sim *s, uint64_t from, uint64_t to)
{
    return s->conf->observe != NULL ? run_watched(s, from, to) : run_alone(s, from, to);
}

/* ---- a run ---------------------------------------------------------------------------------------- */

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
