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

enum {
    SCAN_CORES = 256,
    SCAN_DEPTH = 32,
    SCAN_PORTS = 8, /* a row FIFO and a column FIFO for each class of messages */
    SCAN_MARKER = -1,
    SCAN_TIMES = 1 << 17
};

struct scan_message {
    uint64_t visible;
    int64_t route; /* SCAN_MARKER, or as the traffic has it */
    uint32_t tally;
    mw_core to, from;
    uint32_t channel;
    uint64_t created, injected;
};

struct scan_queue {
    struct scan_message m[SCAN_DEPTH];
    uint32_t count, depth;
};

struct scan_core {
    struct scan_queue fifo[SCAN_PORTS], send;
    struct scan_message hand;
    bool holding, consuming, own;
    uint32_t followers;
    uint64_t ready, supply, due, interval;
    uint32_t state, served, cost, batch_left, batch_done, markers;
    struct mw_clock clock;
    bool predecessor[MW_CHANNELS_MAX][SCAN_CORES], successor[MW_CHANNELS_MAX][SCAN_CORES];
    uint64_t ties;
    struct mw_sim_core sum;
};

struct scan {
    const struct mw_layout *l;
    const struct mw_sim_conf *conf;
    struct mw_sim_traffic *traffic;
    uint32_t n, batch, n_ports;
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

static inline bool scan_room(const struct scan *s, mw_core from, mw_core to,
                             uint32_t channel)
{
    const struct scan_core *r = &s->core[to];
    const struct scan_queue *q = &r->fifo[2 * channel + mw_hop_class(s->l, from, to)];
    bool taken = r->holding || (r->state != MW_CORE_IDLE && r->state != MW_CORE_DMA);
    if (s->conf->rings > 0) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < q->count; i++)
            n += q->m[i].from == from;
        return n < s->conf->rings;
    }
    if (q->depth != 0)
        return q->count < q->depth;
    for (uint32_t i = 0; i < s->n_ports; i++)
        taken |= r->fifo[i].depth == 0 && r->fifo[i].count != 0;
    return !taken;
}

static inline bool scan_put(struct scan *s, mw_core from, struct scan_message m)
{
    const enum mw_fifo_class class = mw_hop_class(s->l, from, m.to);
    struct scan_queue *q = &s->core[m.to].fifo[2 * m.channel + class];
    uint32_t *most = &s->core[m.to].sum.fill_max[class];
    if (!scan_room(s, from, m.to, m.channel))
        return false;
    m.visible = s->now + s->conf->latency;
    m.from = from;
    q->m[q->count++] = m;
    *most = q->count > *most ? q->count : *most;
    return true;
}

/* ---- several ways -------------------------------------------------------------------------- */

/* The room of a way: that of its fullest receiver. stuck: only their FIFOs can be full. */
static inline uint32_t scan_way_room(const struct scan *s, mw_core from, uint32_t way,
                                     const bool *stuck)
{
    const struct mw_stages *x = &s->traffic->stages;
    uint32_t least = SCAN_DEPTH;
    for (uint32_t t = x->first_target[way]; t < x->first_target[way + 1]; t++) {
        const mw_core to = x->stage[x->target[t].stage].core;
        const struct scan_queue *q =
            &s->core[to].fifo[2 * x->target[t].channel + mw_hop_class(s->l, from, to)];
        const uint32_t room = stuck != NULL && !stuck[to] ? 1 : q->depth - q->count;
        least = room < least ? room : least;
    }
    return least;
}

/* Into all receivers of the best way at once; of ways that are equally good, by lot. */
static inline bool scan_pass(struct scan *s, mw_core from, struct scan_message m)
{
    const struct mw_stages *x = &s->traffic->stages;
    uint32_t most = 0, n = 0;
    if (s->traffic->start == NULL || m.route == SCAN_MARKER)
        return scan_put(s, from, m);
    const struct mw_stage at = x->stage[m.route];
    for (uint32_t i = 0; i < at.n_ways; i++) {
        const uint32_t room = scan_way_room(s, from, at.first_way + i, NULL);
        most = room > most ? room : most;
    }
    for (uint32_t i = 0; i < at.n_ways; i++)
        n += scan_way_room(s, from, at.first_way + i, NULL) == most;
    if (most == 0)
        return false;
    uint64_t lot = 0;
    if (n > 1) {
        s->core[from].ties += UINT64_C(0x9e3779b97f4a7c15);
        lot = mw_high_word(mw_sim_traffic_mix(s->core[from].ties), n);
    }
    uint32_t way = at.first_way;
    while (scan_way_room(s, from, way, NULL) != most || lot-- > 0)
        way++;
    for (uint32_t t = x->first_target[way]; t < x->first_target[way + 1]; t++) {
        m.route = x->target[t].stage;
        m.to = x->stage[m.route].core;
        m.channel = x->target[t].channel;
        MUST(scan_put(s, from, m));
    }
    return true;
}

/* The message is in v's hand from now on. */
static inline void scan_hold(struct scan *s, mw_core v, struct scan_message m)
{
    struct scan_core *c = &s->core[v];
    bool end = m.route == SCAN_MARKER;
    if (end) {
        m.to = v;
    } else if (s->traffic->start != NULL) {
        end = s->traffic->stages.stage[m.route].n_ways == 0;
        if (end && s->traffic->leaf_tally[m.route] != UINT32_MAX)
            m.tally = s->traffic->leaf_tally[m.route];
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

static inline bool scan_get(struct scan *s, mw_core v, uint32_t port)
{
    struct scan_core *c = &s->core[v];
    struct scan_queue *q = &c->fifo[port];
    struct scan_message m = q->m[0];
    if (q->count == 0 || m.visible > s->now)
        return false;
    for (uint32_t i = 0; i < s->n_ports; i++) /* a rendezvous holds the hand */
        if (i != port && q->depth != 0 && c->fifo[i].depth == 0 && c->fifo[i].count != 0)
            return false;
    scan_pop(q);
    c->served = port;
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
    for (uint32_t i = 0; i < s->n_ports; i++)
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
    if (s->conf->followers != NULL)
        c->followers = s->conf->followers[(p.route - MW_ROUTE_LISTED) / 2];
    if (created >= s->from && created < s->to)
        s->n_created +=
            s->traffic->start == NULL ? 1 + c->followers : s->traffic->copies[p.route];
    return 1;
}

static inline bool scan_markers_in(const struct scan *s, mw_core v)
{
    uint32_t n = 0;
    for (uint32_t u = 0; u < s->n; u++)
        for (uint32_t k = 0; k < MW_CHANNELS_MAX; k++)
            n += s->core[v].predecessor[k][u];
    return s->conf->supply != 0 && s->core[v].supply == 0 && s->core[v].markers == n;
}

/* A marker to the first successor without one: those in the row, then those in the column. */
static inline bool scan_marker(struct scan *s, mw_core v)
{
    struct scan_core *c = &s->core[v];
    for (uint32_t port = 0; port < s->n_ports; port++)
        for (uint32_t to = 0; to < s->n; to++)
            if (c->successor[port / 2][to] &&
                mw_hop_class(s->l, v, (mw_core)to) == port % 2) {
                c->successor[port / 2][to] = false;
                c->hand = (struct scan_message){
                    .route = SCAN_MARKER, .to = (mw_core)to, .channel = port / 2};
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
    for (uint32_t i = 1, served = c->served; i <= s->n_ports; i++)
        if (scan_get(s, v, (served + i) % s->n_ports))
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
    if (c->send.count != 0 && scan_pass(s, v, c->send.m[0]))
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
        c->send.depth != 0 ? c->send.count < c->send.depth : scan_pass(s, v, c->hand);
    if (gone && c->send.depth != 0)
        c->send.m[c->send.count++] = c->hand;
    if (gone)
        c->sum.given += c->hand.route != SCAN_MARKER;
    c->holding = !gone;
    if (gone && c->followers > 0) { /* the next put of a broadcast, one cycle later */
        const int64_t place = c->hand.route - (int64_t)MW_ROUTE_LISTED + 2;
        c->followers--;
        c->sum.taken++;
        c->hand.route += 2;
        c->hand.tally = s->traffic->listed_tally[place / 2];
        c->hand.to = s->l->listed_core[place + 1];
        c->ready = s->now + 1;
        c->holding = true;
    }
    c->state = gone ? MW_CORE_BUSY : MW_CORE_BLOCKED;
}

/* ---- around the cycles --------------------------------------------------------------------- */

static inline mw_core scan_waits_for(const struct scan *s, mw_core v)
{
    const struct scan_core *c = &s->core[v];
    const mw_core to = c->send.depth != 0 ? c->send.m[0].to : c->hand.to;
    const uint32_t channel = c->send.depth != 0 ? c->send.m[0].channel : c->hand.channel;
    return c->state == MW_CORE_BLOCKED && !scan_room(s, v, to, channel) ? to : MW_NO_CORE;
}

/* Whether v can never go on, if those cores cannot. */
static inline bool scan_is_stuck(const struct scan *s, mw_core v, const bool *stuck)
{
    const struct scan_core *c = &s->core[v];
    const struct scan_message *m = c->send.depth != 0 ? &c->send.m[0] : &c->hand;
    if (c->state != MW_CORE_BLOCKED)
        return false;
    if (m->route == SCAN_MARKER)
        return stuck[m->to] && scan_waits_for(s, v) != MW_NO_CORE;
    const struct mw_stage at = s->traffic->stages.stage[m->route];
    for (uint32_t i = 0; i < at.n_ways; i++)
        if (scan_way_room(s, v, at.first_way + i, stuck) > 0)
            return false;
    return true;
}

/* Whether each of these cores only waits for others of them. */
static inline bool scan_is_knot(const struct scan *s, const mw_core *core, uint32_t n)
{
    bool stuck[SCAN_CORES] = {false}, all = true;
    for (uint32_t i = 0; i < n; i++)
        stuck[core[i]] = true;
    for (uint32_t i = 0; i < n; i++)
        all = all && scan_is_stuck(s, core[i], stuck);
    return all;
}

/* Starts from all cores, and leaves out one that can go on, again and again. */
static inline bool scan_knots(const struct scan *s)
{
    bool stuck[SCAN_CORES];
    uint32_t out, left = s->n;
    memset(stuck, true, sizeof stuck);
    do {
        for (out = 0; out < s->n; out++)
            if (stuck[out] && !scan_is_stuck(s, (mw_core)out, stuck))
                break;
        if (out < s->n)
            stuck[out] = false;
        left -= out < s->n;
    } while (out < s->n);
    return left > 0;
}

/* The cycle on which the lowest core stands that comes back to itself. */
static inline void scan_detect(const struct scan *s, struct mw_sim_result *out,
                               mw_core *cycle)
{
    const bool ways = s->traffic->start != NULL;
    out->deadlock = ways && scan_knots(s);
    for (uint32_t v = 0; v < s->n && !ways && !out->deadlock; v++) {
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
        for (uint32_t i = 0; i < s->n_ports; i++)
            c->sum.fill_sum[i % 2] += c->fifo[i].count;
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
        for (uint32_t i = 0; i < s->n_ports; i++) {
            uint32_t *most = &s->core[v].sum.fill_max[i % 2];
            const uint32_t count = s->core[v].fifo[i].count;
            *most = count > *most ? count : *most;
        }
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

static inline void scan_hop(struct scan *s, mw_core from, mw_core to, uint32_t channel)
{
    s->core[from].successor[channel][to] = s->core[to].predecessor[channel][from] = true;
}

static inline void scan_hops(struct scan *s)
{
    static mw_core path[SCAN_CORES];
    const struct mw_stages *x = &s->traffic->stages;
    for (uint64_t i = 0; i < s->l->n_flows; i++) {
        const uint32_t n = mw_layout_flow(s->l, i, path);
        for (uint32_t k = 0; k + 1 < n && s->traffic->start == NULL; k++)
            scan_hop(s, path[k], path[k + 1], 0);
    }
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t w = 0; w < x->stage[i].n_ways; w++) {
            const uint32_t way = x->stage[i].first_way + w;
            for (uint32_t t = x->first_target[way]; t < x->first_target[way + 1]; t++)
                scan_hop(s, x->stage[i].core, x->stage[x->target[t].stage].core,
                         x->target[t].channel);
        }
}

static inline void scan_init(struct scan *s)
{
    for (uint32_t v = 0; v < s->n; v++) {
        struct scan_core *c = &s->core[v];
        for (uint32_t i = 0; i < s->n_ports; i++)
            c->fifo[i].depth = s->conf->fifo[i % 2];
        c->ties = mw_sim_traffic_mix(
            mw_sim_traffic_mix(s->conf->seed ^ UINT64_C(0x5555555555555555)) + v);
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
    s->n_ports = 2 * l->n_channels;
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
        const struct mw_sim_traffic_source kept = s->traffic->source[v];
        for (; left > 0 && (due + 65535) / 65536 < s->to;
             left--, due = mw_clock_next(&clock, due)) {
            const struct mw_parcel p = mw_sim_traffic_draw(s->traffic, (mw_core)v);
            if ((due + 65535) / 65536 >= s->from)
                n += s->traffic->start != NULL ? s->traffic->copies[p.route]
                     : s->conf->followers != NULL
                         ? 1 + s->conf->followers[(p.route - MW_ROUTE_LISTED) / 2]
                         : 1;
        }
        s->traffic->source[v] = kept;
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
