/* proof.c -- see proof.h: graph, components, and then ranks or a witness.
 *
 * The ranks come out of Tarjan's algorithm for nothing, because it completes a component
 * only after everything below it. They are checked edge by edge before anybody sees them:
 * what is reported as free does not rest on the components being right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/proof/proof.h"

#include "base/mem.h"
#include "mesh/proof/graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- the graph of what can happen ------------------------------------------------------ */

/* Whether some FIFO lets nothing in. */
static bool has_walls(const struct mw_layout *l, enum mw_mesh_model model)
{
    return model != MW_COUPLED && (l->fifo[MW_ROW] == 0 || l->fifo[MW_COLUMN] == 0);
}

/* How many of a flow's n cores its messages can come to in that model. */
static uint32_t reach_of(const struct mw_layout *l, enum mw_mesh_model model,
                         const mw_core *core, uint32_t n)
{
    uint32_t i = 1;
    if (!has_walls(l, model))
        return n;
    while (i < n && l->fifo[mw_hop_class(l, core[i - 1], core[i])] > 0)
        i++;
    return i;
}

/* A flow, and the channels of its hops. */
struct path {
    mw_core *core;       /* owned */
    mw_channel *channel; /* owned */
    uint32_t n;
};

static int path_init(struct path *p, const struct mw_layout *l)
{
    int rc = MW_OK;
    MW_NEW(rc, p->core, "cores of a flow", l->longest);
    MW_NEW(rc, p->channel, "cores of a flow", l->longest);
end:
    return rc;
}

static void path_fini(struct path *p)
{
    mw_free(p->core);
    mw_free(p->channel);
}

/* Hop h of a flow is made while a node is held: that node, if there is one and it can be. */
static bool holds(const struct mw_layout *l, enum mw_mesh_model model,
                  const struct path *p, uint32_t reach, uint32_t h, mw_mesh_node *held)
{
    if (model != MW_COUPLED && (h == 0 || h >= reach))
        return false;
    *held =
        h == 0 ? p->core[0]
               : mw_channel_node(l, model, p->core[h - 1], p->core[h], p->channel[h - 1]);
    return true;
}

static void add_edges(struct mw_mesh_graph *g, const struct mw_layout *l,
                      const struct path *p)
{
    const uint32_t reach = reach_of(l, g->model, p->core, p->n);
    for (uint32_t h = 0; h + 1 < p->n; h++) {
        mw_mesh_node a;
        if (!holds(l, g->model, p, reach, h, &a))
            continue;
        const uint32_t slot = mw_slot_in(g, p->core[h], p->core[h + 1], p->channel[h]);
        g->out[(size_t)a * g->n_words + slot / 64] |= UINT64_C(1) << slot % 64;
    }
}

/* Flow by flow, which is slow and rarely needed. */
int mw_proof_graph(const struct mw_layout *l, enum mw_mesh_model model,
                   struct mw_mesh_graph *out)
{
    int rc;
    struct path p = {.n = 0};
    if (mw_layout_has_ways(l))
        return mw_fail(MW_ERR_REFUSED,
                       "adaptive routes and broadcasts: 'layout check', 'explain', "
                       "'verify', 'explore', 'replay', 'fmt' and 'export --promela' know "
                       "them, nothing else does");
    if (!has_walls(l, model))
        return mw_mesh_graph_make(l, model, out);
    MW_TRY(rc, mw_mesh_graph_empty(l, model, out));
    if (l->fifo[MW_ROW] == 0 && l->fifo[MW_COLUMN] == 0)
        return MW_OK; /* nothing is ever held */
    MW_TRY(rc, path_init(&p, l));
    for (uint64_t i = 0; i < l->n_flows; i++) {
        p.n = mw_layout_flow_in(l, i, p.core, p.channel);
        add_edges(out, l, &p);
    }
end:
    path_fini(&p);
    if (rc != MW_OK)
        mw_mesh_graph_fini(out);
    return rc;
}

/* Notes which edges of the witness the flow is the first to cause; returns how many. */
static uint32_t note_causes(const struct mw_layout *l, const struct mw_proof *p,
                            const struct path *path, uint64_t flow)
{
    const uint32_t reach = reach_of(l, p->model, path->core, path->n);
    uint32_t found = 0;
    for (uint32_t h = 0; h + 1 < path->n; h++) {
        mw_mesh_node a;
        if (!holds(l, p->model, path, reach, h, &a))
            continue;
        const mw_mesh_node b = mw_channel_node(l, p->model, path->core[h],
                                               path->core[h + 1], path->channel[h]);
        for (uint32_t i = 0; i < p->n_cycle; i++)
            if (p->why[i].flow == UINT64_MAX && p->node[i] == a &&
                p->node[i + 1 == p->n_cycle ? 0 : i + 1] == b) {
                p->why[i] = (struct mw_cause){flow, p->model == MW_COUPLED ? h : h - 1};
                found++;
            }
    }
    return found;
}

/* The same as mw_mesh_graph_causes(), flow by flow. That one walks the whole of each flow, and
 * takes sources and sinks for sorted by core, which a transposed layout's are not. */
static int find_causes(const struct mw_layout *l, const struct mw_mesh_graph *g,
                       struct mw_proof *p)
{
    int rc = MW_OK;
    struct path path = {.n = 0};
    if (!l->transpose && !has_walls(l, p->model))
        return mw_mesh_graph_causes(l, g, p->node, p->n_cycle, p->why);
    MW_TRY(rc, path_init(&path, l));
    for (uint32_t i = 0; i < p->n_cycle; i++)
        p->why[i] = (struct mw_cause){.flow = UINT64_MAX};
    uint32_t left = p->n_cycle;
    for (uint64_t i = 0; i < l->n_flows && left > 0; i++) {
        path.n = mw_layout_flow_in(l, i, path.core, path.channel);
        left -= note_causes(l, p, &path, i);
    }
end:
    path_fini(&path);
    return rc;
}

/* ---- verdicts -------------------------------------------------------------------------- */

static int ranks_fall(const struct mw_mesh_graph *g, const uint32_t *rank)
{
    for (mw_mesh_node a = 0; a < g->n_nodes; a++)
        mw_for_each_slot(slot, g, a)
        {
            const mw_mesh_node b = mw_slot_node(g, g->model, g->at[a], slot);
            if (rank[a] <= rank[b])
                return mw_fail(MW_ERR_INTERNAL,
                               "proof: rank %u of node %u does not fall to %u of node %u",
                               rank[a], a, rank[b], b);
        }
    return MW_OK;
}

static int certify(const struct mw_mesh_graph *g, uint32_t **rank, struct mw_proof *out)
{
    const int rc = ranks_fall(g, *rank);
    if (rc != MW_OK)
        return rc;
    out->free = true;
    out->n_nodes = g->n_nodes;
    out->rank = *rank;
    *rank = NULL; /* it has a new owner */
    for (mw_mesh_node a = 0; a < g->n_nodes; a++)
        out->max_rank = (uint32_t)mw_max(out->max_rank, out->rank[a]);
    return MW_OK;
}

/* Lemma 3: on a cycle every FIFO is full, in the coupled model every send buffer and
 * every hand as well. */
static int least_in_flight(const struct mw_layout *l, const struct mw_mesh_graph *g,
                           const uint32_t *knot, struct mw_proof *out)
{
    const uint32_t more = g->model == MW_COUPLED ? l->send + 1 : 0;
    const uint32_t weight[MW_N_CLASSES] = {l->fifo[MW_ROW] + more,
                                           l->fifo[MW_COLUMN] + more};
    const int rc =
        mw_mesh_lightest_cycle(g, knot, out->n_cycle, weight, &out->min_inflight);
    out->min_inflight = mw_max(out->min_inflight, 1);
    return rc;
}

static int convict(const struct mw_layout *l, const struct mw_mesh_graph *g,
                   const uint32_t *knot, struct mw_proof *out)
{
    int rc = MW_OK;
    mw_mesh_node *cycle = NULL;
    MW_NEW(rc, cycle, "witness", g->n_nodes);
    MW_TRY(rc, mw_mesh_shortest_cycle(g, knot, cycle, &out->n_cycle));
    MW_NEW(rc, out->node, "witness", out->n_cycle);
    MW_NEW(rc, out->why, "causes of a witness", out->n_cycle);
    memcpy(out->node, cycle, out->n_cycle * sizeof *cycle);
    MW_TRY(rc, find_causes(l, g, out));
    MW_TRY(rc, least_in_flight(l, g, knot, out));
end:
    mw_free(cycle);
    return rc;
}

int mw_proof_make(const struct mw_layout *l, enum mw_mesh_model model,
                  struct mw_proof *out)
{
    int rc = MW_OK;
    struct mw_mesh_graph g = {.n_nodes = 0};
    uint32_t *knot = NULL, *rank = NULL, n_knots;
    *out = (struct mw_proof){.model = model};
    MW_TRY(rc, mw_proof_graph(l, model, &g));
    MW_NEW(rc, knot, "components of a mesh", g.n_nodes);
    MW_NEW(rc, rank, "ranks", g.n_nodes);
    out->n_edges = mw_mesh_graph_edges(&g);
    MW_TRY(rc, mw_mesh_knots(&g, knot, rank, &n_knots));
    MW_TRY(rc, n_knots == 0 ? certify(&g, &rank, out) : convict(l, &g, knot, out));
end:
    mw_free(knot);
    mw_free(rank);
    mw_mesh_graph_fini(&g);
    if (rc != MW_OK)
        mw_proof_fini(out);
    return rc;
}

void mw_proof_fini(struct mw_proof *p)
{
    mw_free(p->rank);
    mw_free(p->node);
    mw_free(p->why);
    *p = (struct mw_proof){.model = p->model};
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint32_t mw_witness_flows(const struct mw_proof *p, uint64_t *flow)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_cycle; i++)
        flow[i] = p->why[i].flow;
    qsort(flow, p->n_cycle, sizeof *flow, by_number);
    for (uint32_t i = 0; i < p->n_cycle; i++)
        if (n == 0 || flow[i] != flow[n - 1])
            flow[n++] = flow[i];
    return n;
}
