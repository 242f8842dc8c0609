/* sim_deadlock.c -- does a cycle of cores that wait for each other stand, or a knot (sim_ways.c), and what is
 * stuck there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/sim/sim_state.h"

#include "base/mem.h"

#include <string.h>

/* Whom v waits for; MW_NO_CORE: for nobody. */
static mw_core waits_for(const struct sim *s, mw_core v)
{
    if (s->core[v].state != MW_CORE_BLOCKED)
        return MW_NO_CORE;
    const mw_core to = sim_target(s, v);
    return sim_has_room(&s->core[to], sim_target_port(s, v)) &&
                   !sim_ring_is_full(s, v, to)
               ? MW_NO_CORE
               : to;
}

/* Whether a message could enter, were all work done: a core that consumes takes the next one
 * into its hand when it is ready. */
static bool could_enter(const struct sim_core *c, uint32_t port)
{
    const struct sim_fifo *f = sim_fifo_of(c, port);
    if (f->depth != 0)
        return f->count < f->depth;
    return c->hand != SIM_HAND_FORWARD && sim_unpromised(c);
}

static bool has_input(const struct sim_core *c)
{
    uint32_t n = 0;
    for (uint32_t port = 0; port < c->n_ports; port++)
        n += sim_fifo_of(c, port)->count;
    return n != 0;
}

static bool has_marker(const struct sim *s, mw_core v)
{
    const struct sim_stream *m = s->stream == NULL ? NULL : &s->stream[v];
    return m != NULL && s->core[v].supply == 0 && m->missing == 0 &&
           sim_untold(m) != SIM_PORTS_MAX;
}

/* The same of what v puts next. */
static bool could_put(const struct sim *s, mw_core v)
{
    mw_core to;
    mw_channel channel;
    if (s->stages != NULL)
        return sim_could_go(s, v, NULL, &to, &channel);
    to = sim_target(s, v);
    return could_enter(&s->core[to], sim_target_port(s, v)) &&
           !sim_ring_is_full(s, v, to);
}

/* Whether an untimed step other than an injection is left, and whether an injection is. */
static void steps_left(const struct sim *s, bool *move, bool *inject)
{
    *move = *inject = false;
    for (uint32_t v = 0; v < s->n; v++) {
        const struct sim_core *c = &s->core[v];
        const bool sending = s->send != 0 && s->buffer[v].count != 0;
        if (sending)
            *move |= could_put(s, (mw_core)v);
        if (c->hand != SIM_HAND_FORWARD) {
            *move |= has_input(c) || has_marker(s, (mw_core)v);
            *inject |= c->supply != 0;
        } else if (s->send != 0) {
            *move |= s->buffer[v].count < s->send;
        } else {
            *move |= could_put(s, (mw_core)v);
        }
    }
}

/* The lowest core of the cycle that holds `on`. */
static mw_core lowest(const struct sim *s, mw_core on)
{
    mw_core low = on;
    for (mw_core v = waits_for(s, on); v != on; v = waits_for(s, v))
        low = v < low ? v : low;
    return low;
}

static uint64_t flow_of_entry(const struct mw_layout *l, uint64_t position)
{
    uint64_t i = 0;
    while (l->listed_first[i + 1] <= position)
        i++;
    return i;
}

/* What v, which is blocked, is stuck with, when it wants to put there. */
static struct mw_sim_blocked blocked_at(const struct sim *s, mw_core v, mw_core to,
                                        uint32_t port)
{
    const struct mw_layout *l = s->l;
    const struct sim_fifo *f = sim_fifo_of(&s->core[to], port);
    const uint32_t route = sim_target_parcel(s, v)->route;
    struct mw_sim_blocked b = {.core = v,
                               .next = to,
                               .sink = to,
                               .marker = route == SIM_ROUTE_MARKER,
                               .flow = -1,
                               .class = (uint8_t)(port % MW_N_CLASSES),
                               .channel = (mw_channel)(port / MW_N_CLASSES),
                               .fill = f->count,
                               .depth = f->depth};
    if (s->outstanding != NULL) {
        b.ring = true;
        b.fill = *sim_outstanding(s, v, to);
        b.depth = s->conf->rings;
    }
    if (b.marker)
        return b;
    if (s->stages != NULL) {
        const uint32_t tally = sim_target_parcel(s, v)->tally;
        b.sink = tally == UINT32_MAX ? MW_NO_CORE : s->traffic->tally_sink[tally];
        return b;
    }
    if ((route & MW_ROUTE_LISTED) == 0) {
        b.sink = l->sink[route];
        return b;
    }
    const uint64_t i = flow_of_entry(l, route & ~MW_ROUTE_LISTED);
    b.flow = (int64_t)(l->n_routed + i);
    b.sink = l->listed_core[l->listed_first[i + 1] - 1];
    return b;
}

static void report_steps(const struct sim *s, struct mw_sim_result *out)
{
    bool move, inject;
    steps_left(s, &move, &inject);
    out->deadlock = true;
    out->weak = !move;
    out->global = !move && !inject;
}

static int report_cycle(const struct sim *s, mw_core first, struct mw_sim_result *out)
{
    mw_core v = first;
    do
        out->n_cycle++;
    while ((v = waits_for(s, v)) != first);
    MW_NEED_NEW(out->cycle_core, "wait-for cycle", out->n_cycle);
    MW_NEED_NEW(out->blocked, "wait-for cycle", out->n_cycle);
    for (uint32_t i = 0; i < out->n_cycle; i++, v = waits_for(s, v)) {
        out->cycle_core[i] = v;
        out->blocked[i] = blocked_at(s, v, sim_target(s, v), sim_target_port(s, v));
    }
    report_steps(s, out);
    return MW_OK;
}

/* A knot of n cores, and whom of it each needs on the first of its ways. */
static int report_knot(const struct sim *s, const uint8_t *stuck, uint32_t n,
                       struct mw_sim_result *out)
{
    mw_core to = 0;
    mw_channel channel = 0;
    MW_NEED_NEW(out->cycle_core, "a knot", n);
    MW_NEED_NEW(out->blocked, "a knot", n);
    for (uint32_t u = 0; u < s->n; u++) {
        const mw_core v = (mw_core)u;
        if (stuck[v] == 0)
            continue;
        sim_could_go(s, v, stuck, &to, &channel);
        out->cycle_core[out->n_cycle] = v;
        out->blocked[out->n_cycle++] = blocked_at(s, v, to, sim_port(s, v, to, channel));
    }
    report_steps(s, out);
    return MW_OK;
}

/* Each core waits for at most one other, so following that from every core in turn finds
 * each cycle; what an earlier walk met is not followed again. */
int sim_detect(const struct sim *s, struct mw_sim_result *out)
{
    uint16_t walk[MW_MESH_CORES_MAX];
    mw_core low = MW_NO_CORE;
    if (s->stages != NULL) {
        uint8_t stuck[MW_MESH_CORES_MAX] = {0};
        const uint32_t n = sim_find_knot(s, stuck);
        return n == 0 ? MW_OK : report_knot(s, stuck, n, out);
    }
    memset(walk, 0, s->n * sizeof *walk);
    for (uint32_t i = 0; i < s->n; i++) {
        mw_core v = (mw_core)i;
        while (v != MW_NO_CORE && walk[v] == 0) {
            walk[v] = (uint16_t)(i + 1);
            v = waits_for(s, v);
        }
        if (v != MW_NO_CORE && walk[v] == i + 1)
            low = (mw_core)mw_min(low, lowest(s, v));
    }
    return low == MW_NO_CORE ? MW_OK : report_cycle(s, low, out);
}
