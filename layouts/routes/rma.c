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
    int rc;
    char name[2][MW_NODE_NAME], ring[2 * MW_NODE_NAME];
    const mw_core end[2] = {from, to};
    uint32_t node[2], place;
    for (int i = 0; i < 2; i++) {
        mw_core_name(l, end[i], name[i]);
        MW_TRY(rc, mw_network_node(n, name[i], strlen(name[i]), true, &node[i]));
    }
    snprintf(ring, sizeof ring, "%s>%s", name[0], name[1]);
    const uint32_t before = n->places.n;
    MW_TRY(rc, mw_network_place(n, ring, strlen(ring), &place));
    n->place[place].depth = depth;
    n->place[place].node = node[1];
    if (n->places.n > before) /* flows of one pair are one route */
        MW_TRY(rc, mw_network_add(n, "put", node[0], node[1], &place, 1, line));
end:
    return rc;
}

static int add_flows(const struct mw_layout *l, uint32_t depth, struct mw_network *out)
{
    int rc = MW_OK;
    mw_core *core = NULL;
    MW_NEW(rc, core, "a flow", l->longest);
    for (uint64_t i = 0; i < l->n_flows; i++) {
        const uint32_t n = mw_layout_flow(l, i, core);
        const uint32_t line = i < l->n_routed ? 0 : l->listed_line[i - l->n_routed];
        if (core[0] != core[n - 1]) /* a core reaches its own store without a put */
            MW_TRY(rc, add_put(l, core[0], core[n - 1], depth, line, out));
    }
end:
    mw_free(core);
    return rc;
}

/* A put to each core at which a copy of the message ends; met[i] == mark: stage i was there. */
static int add_ends(const struct mw_layout *l, const struct mw_stages *s, uint32_t start,
                    uint32_t *queue, uint32_t *met, uint32_t mark, uint32_t depth,
                    struct mw_network *out)
{
    int rc = MW_OK;
    uint32_t n = 0;
    const mw_core from = s->stage[start].core;
    queue[n++] = start;
    met[start] = mark;
    for (uint32_t done = 0; done < n; done++) {
        const struct mw_stage *at = &s->stage[queue[done]];
        if (at->n_ways == 0 && at->core != from)
            MW_TRY(rc, add_put(l, from, at->core, depth, 0, out));
        for (uint32_t t = s->first_target[at->first_way];
             at->n_ways > 0 && t < s->first_target[at->first_way + at->n_ways]; t++)
            if (met[s->target[t].stage] != mark) {
                met[s->target[t].stage] = mark;
                queue[n++] = s->target[t].stage;
            }
    }
end:
    return rc;
}

/* Ways drop out as routers do: what counts is where a message begins and ends. */
static int add_ways(const struct mw_layout *l, uint32_t depth, struct mw_network *out)
{
    int rc;
    struct mw_stages s = {0};
    uint32_t *queue = NULL, *met = NULL;
    MW_TRY(rc, mw_stages_make(l, NULL, 0, &s));
    MW_NEW(rc, queue, "stages", s.n);
    MW_NEW(rc, met, "stages", s.n);
    for (uint32_t i = 0; i < s.n_starts; i++)
        if (s.source[i] >= l->n_flows)
            MW_TRY(rc, add_ends(l, &s, s.start[i], queue, met, i + 1, depth, out));
end:
    mw_free(queue);
    mw_free(met);
    mw_stages_fini(&s);
    return rc;
}

int mw_network_rma(const struct mw_layout *l, uint32_t depth, struct mw_network *out)
{
    int rc;
    *out = (struct mw_network){0};
    if (l->n_flows > MW_RMA_FLOWS_MAX)
        return mw_fail(MW_ERR_REFUSED, "rma: %llu flows, at most %d",
                       (unsigned long long)l->n_flows, MW_RMA_FLOWS_MAX);
    MW_TRY(rc, add_flows(l, depth, out));
    if (mw_layout_has_ways(l))
        MW_TRY(rc, add_ways(l, depth, out));
end:
    if (rc < MW_OK)
        mw_network_fini(out);
    return rc;
}

int mw_rma_prove(const struct mw_layout *l, uint32_t depth, struct mw_rma *out)
{
    int rc;
    *out = (struct mw_rma){.n_circle = 0};
    MW_TRY(rc, mw_network_rma(l, depth, &out->network));
    MW_TRY(rc, mw_trails_make(&out->network, MW_BY_COUPLED, &out->trails));
    MW_TRY(rc, mw_waits_make(&out->trails, &out->waits));
    out->n_circle = out->waits.n_cycle / 2; /* each with its ring to the next one */
end:
    return rc;
}

void mw_rma_fini(struct mw_rma *r)
{
    mw_waits_fini(&r->waits);
    mw_trails_fini(&r->trails);
    mw_network_fini(&r->network);
}

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

/* The core that a node of the network is called by. */
static int core_of(const struct mw_layout *l, const struct mw_network *n, uint32_t node,
                   mw_core *out)
{
    mw_mesh_node core = 0;
    const int rc = mw_node_parse(l, MW_COUPLED, n->nodes.name[node], &core);
    *out = (mw_core)core;
    return rc;
}

/* Each flow is one, so that messages are dealt to them as before. */
static int copy_flows(const struct mw_layout *l, struct mw_layout *to, uint64_t *n)
{
    int rc = MW_OK;
    mw_core *core = NULL;
    MW_NEW(rc, core, "a flow", l->longest);
    for (uint64_t i = 0; i < l->n_flows; i++) {
        const mw_core last = core[mw_layout_flow(l, i, core) - 1];
        const mw_core end[2] = {core[0], last};
        if (end[0] == end[1])
            continue;
        MW_TRY(rc, mw_layout_add_flow(to, end, 2, -1, 0));
        ++*n;
    }
end:
    mw_free(core);
    return rc;
}

static int add_puts(const struct mw_layout *l, const struct mw_network *n,
                    struct mw_layout *to)
{
    int rc = MW_OK;
    for (uint32_t i = 0; i < n->n_passages; i++) {
        mw_core end[2];
        MW_TRY(rc, core_of(l, n, n->passage[i].source, &end[0]));
        MW_TRY(rc, core_of(l, n, n->passage[i].sink, &end[1]));
        MW_TRY(rc, mw_layout_add_flow(to, end, 2, -1, 0));
    }
end:
    return rc;
}

int mw_rma_layout(const struct mw_layout *l, struct mw_layout **out)
{
    int rc = MW_OK;
    uint64_t n_puts = 0;
    struct mw_network n = {0};
    struct mw_layout *to = NULL;
    struct mw_diagnostics *d = NULL;
    if (mw_mesh_cores(l) > MW_MESH_SIDE_MAX)
        return mw_fail(MW_ERR_REFUSED, "rma: more than %d cores", MW_MESH_SIDE_MAX);
    if (l->n_broadcasts > 0)
        return mw_fail(MW_ERR_REFUSED, "rma: a broadcast is several puts, and a message "
                                       "of the simulator is one");
    if (l->n_flows > MW_RMA_FLOWS_MAX)
        return mw_fail(MW_ERR_REFUSED, "rma: %llu flows, at most %d",
                       (unsigned long long)l->n_flows, MW_RMA_FLOWS_MAX);
    MW_NEW(rc, d, "diagnostics", 1);
    MW_TRY(rc, mw_layout_new(1, mw_mesh_cores(l), &to));
    copy_machine(l, to);
    MW_TRY(rc, copy_flows(l, to, &n_puts));
    if (mw_layout_has_ways(l))
        MW_TRY(rc, add_ways(l, 1, &n));
    MW_TRY(rc, add_puts(l, &n, to));
    if (n_puts + n.n_passages == 0)
        MW_TRY(rc, mw_fail(MW_ERR_REFUSED, "rma: no core puts to another"));
    MW_TRY(rc, mw_layout_expand(to, d));
    *out = to;
    to = NULL;
end:
    mw_free(d);
    mw_layout_free(to);
    mw_network_fini(&n);
    return rc;
}

int mw_rma_store(const struct mw_network *n, uint32_t message_bytes, uint64_t *out)
{
    int rc = MW_OK;
    uint64_t *bytes;
    *out = 0;
    MW_NEW(rc, bytes, "rings of cores", n->nodes.n);
    for (uint32_t i = 0; i < n->places.n; i++) {
        uint64_t *b = &bytes[n->place[i].node];
        *b += (uint64_t)n->place[i].depth * message_bytes;
        *out = mw_max(*out, *b);
    }
    mw_free(bytes);
end:
    return rc;
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
