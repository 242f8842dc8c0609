/* rma.c -- see rma.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/routes/rma.h"

#include "base/mem.h"
#include "layouts/routes/play.h"
#include "layouts/ways/stages.h"

#include <inttypes.h>
#include <string.h>

static int add_put(const struct mw_layout *l, mw_core from, mw_core to, uint32_t depth,
                   uint32_t line, struct mw_network *n)
{
    char name[2][MW_NODE_NAME], ring[2 * MW_NODE_NAME];
    const mw_core end[2] = {from, to};
    uint32_t node[2], place;
    for (int i = 0; i < 2; i++) {
        mw_core_name(l, end[i], name[i]);
        MW_NEED(mw_network_node(n, name[i], strlen(name[i]), true, &node[i]));
    }
    snprintf(ring, sizeof ring, "%s>%s", name[0], name[1]);
    const uint32_t before = n->places.n;
    MW_NEED(mw_network_place(n, ring, strlen(ring), &place));
    n->place[place].depth = depth;
    n->place[place].node = node[1];
    if (n->places.n > before) /* flows of one pair are one route */
        MW_NEED(mw_network_add(n, "put", node[0], node[1], &place, 1, line));
    return MW_OK;
}

/* ---- the messages of a layout, as puts --------------------------------------------------- */

/* From one core to one, or to each that keeps a copy of a broadcast. */
struct message {
    mw_core from;
    uint32_t n, line;  /* line: of a listed flow; else 0 */
    const mw_core *to; /* [n] */
};

typedef int put_message(const struct mw_layout *l, const struct message *m, void *arg);

/* A core reaches its own store without a put. */
static int tell(const struct mw_layout *l, mw_core from, mw_core to, uint32_t line,
                put_message *put, void *arg)
{
    const struct message m = {.from = from, .n = 1, .line = line, .to = &to};
    return from == to ? MW_OK : put(l, &m, arg);
}

/* Who gets a copy of the last leg, from that core on. */
static void mark_receivers(const struct mw_layout *l, const struct mw_broadcast *b,
                           uint32_t leg, mw_core at, bool *gets)
{
    const bool in_row = b->leg[leg % MW_LEGS_MAX] == MW_ROW;
    for (uint32_t i = 0; i < (in_row ? l->cols : l->rows); i++) {
        const mw_core to = in_row ? mw_core_at(l, mw_core_row(l, at), i)
                                  : mw_core_at(l, i, mw_core_col(l, at));
        if (to != at && leg + 1u < b->n_legs)
            mark_receivers(l, b, leg + 1, to, gets); /* at most MW_LEGS_MAX deep */
        else
            gets[to] |= to != at;
    }
}

static int tell_broadcast(const struct mw_layout *l, const struct mw_broadcast *b,
                          put_message *put, void *arg)
{
    mw_core to[MW_MESH_CORES_MAX];
    struct message m = {.from = b->core, .to = to};
    bool gets[MW_MESH_CORES_MAX] = {false};
    mark_receivers(l, b, 0, b->core, gets);
    gets[b->core] = false;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        if (gets[v])
            to[m.n++] = (mw_core)v;
    return m.n == 0 ? MW_OK : put(l, &m, arg);
}

/* Each flow, then each pair of adaptive ends, then each broadcast. Ways drop out as routers do: what
 * counts is where a message begins and ends. */
static int tell_messages(const struct mw_layout *l, put_message *put, void *arg)
{
    int rc = MW_OK;
    mw_core *core = NULL;
    if (mw_sources_count(l) > MW_RMA_FLOWS_MAX)
        return mw_fail(MW_ERR_REFUSED, "rma: %" PRIu64 " flows, at most %d",
                       mw_sources_count(l), MW_RMA_FLOWS_MAX);
    MW_NEW(rc, core, "a flow", l->longest);
    for (uint64_t i = 0; i < l->n_flows; i++) {
        const uint32_t n = mw_layout_flow(l, i, core);
        const uint32_t line = i < l->n_routed ? 0 : l->listed_line[i - l->n_routed];
        MW_TRY(rc, tell(l, core[0], core[n - 1], line, put, arg));
    }
    for (uint32_t i = 0; i < l->n_sources && l->adaptive.model != 0; i++)
        for (uint32_t k = 0; k < l->n_sinks; k++)
            MW_TRY(rc, tell(l, l->source[i], l->sink[k], 0, put, arg));
    for (uint32_t i = 0; i < l->n_broadcasts; i++)
        MW_TRY(rc, tell_broadcast(l, &l->broadcast[i], put, arg));
end:
    mw_free(core);
    return rc;
}

/* ---- the network ------------------------------------------------------------------------- */

struct wiring {
    struct mw_network *network;
    uint32_t depth;
};

static int wire(const struct mw_layout *l, const struct message *m, void *arg)
{
    const struct wiring *w = arg;
    for (uint32_t i = 0; i < m->n; i++)
        MW_NEED(add_put(l, m->from, m->to[i], w->depth, m->line, w->network));
    return MW_OK;
}

int mw_network_rma(const struct mw_layout *l, uint32_t depth, struct mw_network *out)
{
    struct wiring w = {out, depth};
    *out = (struct mw_network){0};
    const int rc = tell_messages(l, wire, &w);
    if (rc < MW_OK)
        mw_network_fini(out);
    return rc;
}

/* The cores whose hands are in the shortest cycle: each waits for its ring to the next one. */
static int read_circle(const struct mw_layout *l, struct mw_rma *r)
{
    const struct mw_network *n = &r->network;
    const struct mw_waits *w = &r->waits;
    MW_NEED_NEW(r->circle, "a circle of puts", w->n_cycle / 2);
    for (uint32_t i = 0; i < w->n_cycle; i++)
        if (w->place[i] >= n->places.n) {
            mw_mesh_node core;
            MW_NEED(mw_node_parse(l, MW_COUPLED, n->nodes.name[w->place[i] - n->places.n],
                                  &core));
            r->circle[r->n_circle++] = (mw_core)core;
        }
    return MW_OK;
}

int mw_rma_prove(const struct mw_layout *l, uint32_t depth, struct mw_rma *out)
{
    *out = (struct mw_rma){.n_circle = 0};
    MW_NEED(mw_network_rma(l, depth, &out->network));
    MW_NEED(mw_trails_make(&out->network, MW_BY_COUPLED, &out->trails));
    MW_NEED(mw_waits_make(&out->trails, &out->waits));
    if (!out->waits.free)
        MW_NEED(read_circle(l, out));
    return MW_OK;
}

void mw_rma_fini(struct mw_rma *r)
{
    mw_free(r->circle);
    mw_waits_fini(&r->waits);
    mw_trails_fini(&r->trails);
    mw_network_fini(&r->network);
}

/* ---- to be simulated --------------------------------------------------------------------- */

/* All but the ways. */
static void copy_machine(const struct mw_layout *l, struct mw_layout *to)
{
    memcpy(to->name, l->name, sizeof to->name);
    memcpy(to->role, l->role, mw_mesh_cores(l));
    memcpy(to->cost, l->cost, sizeof to->cost);
    to->spm_bytes = l->spm_bytes;
    to->spm_reserve = l->spm_reserve;
    to->batch_bytes = l->batch_bytes;
    to->batch_buffers = l->batch_buffers;
    to->message_bytes = l->message_bytes;
    to->payload_bytes = l->payload_bytes;
    to->clock_hz = l->clock_hz;
    to->dma_bytes_per_s = l->dma_bytes_per_s;
    to->dma_saturation = l->dma_saturation;
}

/* Each put is a flow. Those of one message stand behind each other. */
static int list(const struct mw_layout *l, const struct message *m, void *arg)
{
    struct mw_puts *p = arg;
    (void)l;
    MW_NEED_GROW("followers", p->followers, p->layout->n_listed, m->n);
    for (uint32_t i = 0; i < m->n; i++) {
        const mw_core end[2] = {m->from, m->to[i]};
        p->followers[p->layout->n_listed] = m->n - 1 - i;
        MW_NEED(mw_layout_add_flow(p->layout, end, 2, -1, 0));
    }
    return MW_OK;
}

int mw_puts_make(const struct mw_layout *l, struct mw_puts *out)
{
    int rc = MW_OK;
    struct mw_diagnostics d = {0};
    *out = (struct mw_puts){NULL};
    if (mw_mesh_cores(l) > MW_MESH_SIDE_MAX)
        return mw_fail(MW_ERR_REFUSED, "rma: more than %d cores", MW_MESH_SIDE_MAX);
    MW_TRY(rc, mw_layout_new(1, mw_mesh_cores(l), &out->layout));
    copy_machine(l, out->layout);
    MW_TRY(rc, tell_messages(l, list, out));
    if (out->layout->n_listed == 0)
        MW_TRY(rc, mw_fail(MW_ERR_REFUSED, "rma: no core puts to another"));
    MW_TRY(rc, mw_layout_expand(out->layout, &d));
end:
    if (rc < MW_OK)
        mw_puts_fini(out);
    return rc;
}

void mw_puts_fini(struct mw_puts *p)
{
    mw_layout_free(p->layout);
    mw_free(p->followers);
    *p = (struct mw_puts){NULL};
}

int mw_rma_store(const struct mw_network *n, uint32_t message_bytes, uint64_t *out)
{
    uint64_t *bytes;
    *out = 0;
    MW_NEED_NEW(bytes, "rings of cores", n->nodes.n);
    for (uint32_t i = 0; i < n->places.n; i++) {
        uint64_t *b = &bytes[n->place[i].node];
        *b += (uint64_t)n->place[i].depth * message_bytes;
        *out = mw_max(*out, *b);
    }
    mw_free(bytes);
    return MW_OK;
}

int mw_rma_check_vector(const struct mw_vector *v, uint64_t limit,
                        struct mw_vector_tally *t)
{
    int rc;
    bool passed, shallow;
    struct mw_rma r = {.n_circle = 0};
    struct mw_play play = {.verdict = MW_EXPLORED_BOUNDED};
    if (!v->has_rma)
        return MW_OK;
    MW_TRY(rc, mw_rma_prove(v->layout, 1, &r));
    mw_fact_tell(t, mw_fact_of(r.n_circle == v->rma_circle), v->name,
                 "rma: circle of %u, expected %u", r.n_circle, v->rma_circle);
    if (r.waits.free)
        goto end;
    MW_TRY(rc, mw_waits_realise(&r.trails, &r.waits, limit, &play, &passed, &shallow));
    const bool dead = play.verdict == MW_EXPLORED_DEADLOCK;
    mw_fact_tell(t,
                 dead ? mw_fact_of(play.in_flight >= 2 * (uint64_t)r.n_circle)
                 : play.verdict == MW_EXPLORED_BOUNDED ? MW_FACT_OPEN
                                                       : MW_FACT_WRONG,
                 v->name, "rma: %s at depth 1: %s in %u steps, %" PRIu64 " in flight",
                 dead ? "realised" : "not realised",
                 mw_explore_verdict_names[play.verdict], play.n_steps,
                 (uint64_t)play.in_flight);
end:
    mw_play_fini(&play);
    mw_rma_fini(&r);
    return rc;
}
