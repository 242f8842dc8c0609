/* layout_scan.h -- the simulator's oracle: every core has its turn in every cycle, nothing is
 * remembered about who could act, and every sum is taken cycle by cycle. Slow and plain; it
 * shares the stream of messages with the simulator, and nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef LAYOUT_SCAN_H
#define LAYOUT_SCAN_H

#include "base/mem.h"
#include "layouts/sim/sim.h"
#include "layouts/sim/traffic.h"

#include <math.h>
#include <string.h>

enum { SCAN_CORES = 256, SCAN_DEPTH = 32, SCAN_MARKER = -1, SCAN_TIMES = 1 << 17 };

struct scan_message {
    uint64_t visible;
    int64_t route; /* SCAN_MARKER, or as the traffic has it */
    uint32_t tally;
    mw_core to;
    uint64_t created, injected;
};

struct scan_queue {
    struct scan_message m[SCAN_DEPTH];
    uint32_t count, depth;
};

struct scan_core {
    struct scan_queue fifo[MW_N_CLASSES], send;
    struct scan_message hand;
    bool holding, consuming, own;
    uint64_t ready, supply, due, interval;
    uint32_t state, served, cost, batch_left, batch_done, markers;
    struct mw_clock clock;
    bool predecessor[SCAN_CORES], successor[SCAN_CORES];
    struct mw_sim_core sum;
};

struct scan {
    const struct mw_layout *l;
    const struct mw_sim_conf *conf;
    struct mw_sim_traffic *traffic;
    uint32_t n, batch;
    int64_t level, rate;
    uint64_t now, consumed, *tally;
    /* Latencies of the messages created in cycles from .. to - 1, as they arrive. */
    uint64_t from, to, n_created, n_times, *whole, *inside;
    struct scan_core core[SCAN_CORES];
};

static inline void scan_pop(struct scan_queue *q)
{
    memmove(q->m, q->m + 1, --q->count * sizeof *q->m);
}

static inline bool scan_room(const struct scan *s, mw_core from, mw_core to)
{
    const struct scan_core *r = &s->core[to];
    const struct scan_queue *q = &r->fifo[mw_hop_class(s->l, from, to)];
    bool taken = r->holding || (r->state != MW_CORE_IDLE && r->state != MW_CORE_DMA);
    if (q->depth != 0)
        return q->count < q->depth;
    for (int i = 0; i < MW_N_CLASSES; i++)
        taken |= r->fifo[i].depth == 0 && r->fifo[i].count != 0;
    return !taken;
}

static inline bool scan_put(struct scan *s, mw_core from, struct scan_message m)
{
    const enum mw_fifo_class class = mw_hop_class(s->l, from, m.to);
    struct scan_queue *q = &s->core[m.to].fifo[class];
    uint32_t *most = &s->core[m.to].sum.fill_max[class];
    if (!scan_room(s, from, m.to))
        return false;
    m.visible = s->now + s->conf->latency;
    q->m[q->count++] = m;
    *most = q->count > *most ? q->count : *most;
    return true;
}

/* The message is in v's hand from now on. */
static inline void scan_hold(struct scan *s, mw_core v, struct scan_message m)
{
    struct scan_core *c = &s->core[v];
    bool end = m.route == SCAN_MARKER;
    if (end) {
        m.to = v;
    } else if (m.route >= MW_ROUTE_LISTED) {
        const uint64_t place = (uint64_t)m.route - MW_ROUTE_LISTED;
        for (uint64_t i = 0; i < s->l->n_listed; i++)
            end |= s->l->listed_first[i + 1] == place + 1;
        m.to = end ? v : s->l->listed_core[place + 1];
    } else {
        m.to = s->l->next[(size_t)m.route * s->n + v];
        end = m.to == v;
    }
    c->hand = m;
    c->holding = true;
    c->consuming = end;
    c->ready = s->now + c->cost - (end ? 0 : 1);
    c->state = MW_CORE_BUSY;
}

static inline bool scan_get(struct scan *s, mw_core v, uint32_t class)
{
    struct scan_core *c = &s->core[v];
    struct scan_queue *q = &c->fifo[class];
    struct scan_message m = q->m[0];
    if (q->count == 0 || m.visible > s->now)
        return false;
    for (uint32_t i = 0; i < MW_N_CLASSES; i++) /* a rendezvous holds the hand */
        if (i != class && q->depth != 0 && c->fifo[i].depth == 0 && c->fifo[i].count != 0)
            return false;
    scan_pop(q);
    c->served = class;
    c->own = false;
    if (m.route == SCAN_MARKER) {
        c->markers++;
    } else {
        m.route += m.route >= MW_ROUTE_LISTED;
        c->sum.taken++;
    }
    scan_hold(s, v, m);
    return true;
}

/* 0: no, 1: yes, 2: memory is busy. */
static inline bool scan_paced(const struct scan *s)
{
    return s->conf->load < 1 || s->conf->open || s->conf->arrivals != MW_ARRIVALS_EVEN;
}

static inline int scan_start(struct scan *s, mw_core v)
{
    struct scan_core *c = &s->core[v];
    for (uint32_t i = 0; i < MW_N_CLASSES; i++)
        if (c->fifo[i].depth == 0 && c->fifo[i].count != 0)
            return 0;
    const bool paced = scan_paced(s);
    if (c->supply == 0 || (paced && c->due > s->now << 16))
        return 0;
    if (c->batch_left == 0) {
        if (s->conf->dma && s->level <= 0)
            return 2;
        s->level -= (int64_t)s->l->batch_bytes << 20;
        c->batch_left = s->batch;
    }
    c->batch_left--;
    c->supply -= s->conf->supply != 0;
    const uint64_t created = paced ? (c->due + 65535) / 65536 : s->now;
    c->due = mw_clock_next(&c->clock, c->due);
    c->sum.taken++;
    c->own = true;
    const struct mw_parcel p = mw_sim_traffic_draw(s->traffic, v);
    scan_hold(
        s, v,
        (struct scan_message){.route = p.route, .tally = p.tally, .created = created});
    s->n_created += created >= s->from && created < s->to;
    return 1;
}

static inline bool scan_markers_in(const struct scan *s, mw_core v)
{
    uint32_t n = 0;
    for (uint32_t u = 0; u < s->n; u++)
        n += s->core[v].predecessor[u];
    return s->conf->supply != 0 && s->core[v].supply == 0 && s->core[v].markers == n;
}

/* A marker to the first successor without one: those in the row, then those in the column. */
static inline bool scan_marker(struct scan *s, mw_core v)
{
    struct scan_core *c = &s->core[v];
    for (int class = 0; class < MW_N_CLASSES; class ++)
        for (uint32_t to = 0; to < s->n; to++)
            if (c->successor[to] &&
                mw_hop_class(s->l, v, (mw_core)to) == (uint32_t) class) {
                c->successor[to] = false;
                c->hand = (struct scan_message){.route = SCAN_MARKER, .to = (mw_core)to};
                c->holding = true;
                c->own = c->consuming = false;
                c->ready = s->now + c->cost - 1;
                c->state = MW_CORE_BUSY;
                return true;
            }
    return false;
}

static inline void scan_choose(struct scan *s, mw_core v)
{
    struct scan_core *c = &s->core[v];
    if (scan_get(s, v, !c->served) || scan_get(s, v, c->served))
        return;
    const int start = scan_start(s, v);
    if (start == 1)
        return;
    if (start == 0 && scan_markers_in(s, v)) {
        if (!scan_marker(s, v))
            c->state = MW_CORE_ENDED;
        return;
    }
    c->state = start == 2 ? MW_CORE_DMA : MW_CORE_IDLE;
}

static inline void scan_consume(struct scan *s, struct scan_core *c)
{
    c->holding = false;
    if (c->hand.route == SCAN_MARKER)
        return;
    c->sum.given++;
    if (c->hand.created >= s->from && c->hand.created < s->to &&
        s->n_times < SCAN_TIMES) {
        s->whole[s->n_times] = s->now - c->hand.created;
        s->inside[s->n_times++] = s->now - c->hand.injected;
    }
    s->consumed++;
    s->tally[c->hand.tally]++;
    if (++c->batch_done == s->batch) {
        s->level -= (int64_t)s->l->batch_bytes << 20;
        c->batch_done = 0;
    }
}

static inline void scan_turn(struct scan *s, mw_core v)
{
    struct scan_core *c = &s->core[v];
    if (c->send.count != 0 && scan_put(s, v, c->send.m[0]))
        scan_pop(&c->send);
    if (c->holding && c->consuming && c->ready == s->now)
        scan_consume(s, c);
    if (!c->holding)
        scan_choose(s, v);
    if (!c->holding || c->consuming || c->ready > s->now)
        return;
    if (c->own)
        c->hand.injected = s->now;
    bool gone =
        c->send.depth != 0 ? c->send.count < c->send.depth : scan_put(s, v, c->hand);
    if (gone && c->send.depth != 0)
        c->send.m[c->send.count++] = c->hand;
    if (gone)
        c->sum.given += c->hand.route != SCAN_MARKER;
    c->holding = !gone;
    c->state = gone ? MW_CORE_BUSY : MW_CORE_BLOCKED;
}

/* ---- around the cycles --------------------------------------------------------------------- */

static inline mw_core scan_waits_for(const struct scan *s, mw_core v)
{
    const struct scan_core *c = &s->core[v];
    const mw_core to = c->send.depth != 0 ? c->send.m[0].to : c->hand.to;
    return c->state == MW_CORE_BLOCKED && !scan_room(s, v, to) ? to : MW_NO_CORE;
}

/* The cycle on which the lowest core stands that comes back to itself. */
static inline void scan_detect(const struct scan *s, struct mw_sim_result *out,
                               mw_core *cycle)
{
    for (uint32_t v = 0; v < s->n && !out->deadlock; v++) {
        mw_core at = (mw_core)v;
        for (uint32_t i = 0; i < s->n && at != MW_NO_CORE && !out->deadlock; i++) {
            cycle[i] = at;
            at = scan_waits_for(s, at);
            out->deadlock = at == v;
            out->n_cycle = i + 1;
        }
    }
    out->deadlock_cycle = out->deadlock ? s->now : 0;
    out->n_cycle = out->deadlock ? out->n_cycle : 0;
}

static inline void scan_sum(struct scan *s)
{
    for (uint32_t v = 0; v < s->n; v++) {
        struct scan_core *c = &s->core[v];
        c->sum.cycles[c->state]++;
        for (int i = 0; i < MW_N_CLASSES; i++)
            c->sum.fill_sum[i] += c->fifo[i].count;
    }
}

static inline void scan_forget_arrivals(struct scan *s)
{
    memset(s->tally, 0, s->traffic->n_tallies * sizeof *s->tally);
    s->consumed = 0;
}

static inline void scan_forget(struct scan *s)
{
    for (uint32_t v = 0; v < s->n; v++) {
        memset(&s->core[v].sum, 0, sizeof s->core[v].sum);
        for (int i = 0; i < MW_N_CLASSES; i++)
            s->core[v].sum.fill_max[i] = s->core[v].fifo[i].count;
    }
    scan_forget_arrivals(s);
}

static inline bool scan_ended(const struct scan *s)
{
    for (uint32_t v = 0; v < s->n; v++)
        if (s->core[v].state != MW_CORE_ENDED)
            return false;
    return true;
}

static inline void scan_hops(struct scan *s)
{
    static mw_core path[SCAN_CORES];
    for (uint64_t i = 0; i < s->l->n_flows; i++) {
        const uint32_t n = mw_layout_flow(s->l, i, path);
        for (uint32_t k = 0; k + 1 < n; k++)
            s->core[path[k]].successor[path[k + 1]] =
                s->core[path[k + 1]].predecessor[path[k]] = true;
    }
}

static inline void scan_init(struct scan *s)
{
    for (uint32_t v = 0; v < s->n; v++) {
        struct scan_core *c = &s->core[v];
        for (int i = 0; i < MW_N_CLASSES; i++)
            c->fifo[i].depth = s->conf->fifo[i];
        c->send.depth = s->conf->send;
        c->cost = mw_core_cost(s->l, (mw_core)v);
        c->cost += c->cost == 0;
        c->interval = (uint64_t)llround(c->cost / s->conf->load * 65536);
        c->due = mw_sim_traffic_phase(s->conf->seed, (mw_core)v, c->interval);
        mw_clock_init(&c->clock, s->conf->arrivals, s->conf->burst, s->conf->seed,
                      (mw_core)v, c->interval, (uint64_t)c->cost << 16);
        if (mw_sim_traffic_is_source(s->traffic, (mw_core)v))
            c->supply = s->conf->supply != 0 ? s->conf->supply : UINT64_MAX;
    }
    s->batch = s->l->batch_bytes / s->l->payload_bytes;
    s->batch += s->batch == 0;
    s->rate = llround(s->l->dma_bytes_per_s / s->l->clock_hz * (1 << 20));
    s->level = 63 * s->rate; /* cycle 0 adds one */
    scan_hops(s);
}

static inline void scan_cycle(struct scan *s)
{
    s->level = s->level + s->rate > 64 * s->rate ? 64 * s->rate : s->level + s->rate;
    for (uint32_t i = 0; i < s->n; i++)
        scan_turn(s, (mw_core)((37 * s->now + i) % s->n));
    scan_sum(s);
    s->now++;
}

/* Whether some core works on a message. */
static inline bool scan_works(const struct scan *s)
{
    for (uint32_t v = 0; v < s->n; v++)
        if (s->core[v].state == MW_CORE_BUSY)
            return true;
    return false;
}

/* What mw_layout_sim() should find: `out` without core and pair, which lie in s. A deadlock
 * that is said to be global is run on until no core works. */
static inline int scan_run(struct scan *s, const struct mw_layout *l,
                           const struct mw_sim_conf *conf, bool global,
                           struct mw_sim_result *out, mw_core *cycle)
{
    bool counts = false;
    const uint64_t warm = (uint64_t)((double)conf->cycles * conf->warmup);
    int rc = mw_sim_traffic_new(l, conf, &s->traffic);
    if (rc != MW_OK)
        return rc;
    s->tally = mw_alloc("tally", s->traffic->n_tallies, sizeof *s->tally);
    s->whole = mw_alloc("times", SCAN_TIMES, sizeof *s->whole);
    s->inside = mw_alloc("times", SCAN_TIMES, sizeof *s->inside);
    s->from = warm;
    s->to = conf->cycles;
    s->l = l;
    s->conf = conf;
    s->n = mw_mesh_cores(l);
    scan_init(s);
    while (s->now < conf->cycles && !out->deadlock && !scan_ended(s)) {
        if (s->now == warm)
            scan_forget(s);
        counts |= s->now == warm;
        scan_cycle(s);
        if (s->now % conf->detect_every == 0 || s->now == conf->cycles)
            scan_detect(s, out, cycle);
    }
    while (global && scan_works(s))
        scan_cycle(s);
    if (!counts)
        scan_forget_arrivals(s);
    for (uint32_t v = 0; v < s->n; v++)
        s->core[v].sum.end = s->core[v].state;
    out->cycles = s->now;
    out->counted = counts ? s->now - warm : 0;
    out->observed = counts ? out->counted : s->now;
    out->consumed = s->consumed;
    out->ended = conf->supply != 0 && scan_ended(s);
    return MW_OK;
}

/* All messages of the window, started or not: sources go on, but no core has a turn. */
static inline uint64_t scan_created(const struct scan *s)
{
    uint64_t n = s->n_created;
    for (uint32_t v = 0; v < s->n && scan_paced(s); v++) {
        struct mw_clock clock = s->core[v].clock;
        uint64_t due = s->core[v].due, left = s->core[v].supply;
        for (; left > 0 && (due + 65535) / 65536 < s->to;
             left--, due = mw_clock_next(&clock, due))
            n += (due + 65535) / 65536 >= s->from;
    }
    return n;
}

/* Behind scan_run(): on until all that was created in the window has arrived. */
static inline void scan_drain(struct scan *s, const struct mw_sim_result *met)
{
    s->to = s->now;
    const uint64_t all = scan_created(s), until = s->now + s->conf->drain;
    while (!met->deadlock && s->n_times < all && s->now < until && !scan_ended(s))
        scan_cycle(s);
}

static inline void scan_fini(struct scan *s)
{
    mw_sim_traffic_free(s->traffic);
    mw_free(s->tally);
    mw_free(s->whole);
    mw_free(s->inside);
}

#endif
