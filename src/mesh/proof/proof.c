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
    MW_TRY(rc, mw_mesh_graph_causes(l, g, out->node, out->n_cycle, out->why));
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
    MW_TRY(rc, mw_mesh_graph_make(l, model, &g));
    MW_NEW(rc, knot, "components of a mesh", g.n_nodes);
    MW_NEW(rc, rank, "ranks", g.n_nodes);
    out->n_edges = mw_mesh_graph_edges(&g);
    MW_TRY(rc, mw_mesh_knots(&g, knot, rank, &n_knots));
    MW_TRY(rc, n_knots == 0 ? certify(&g, &rank, out) : convict(l, &g, knot, out));
end:
    MW_FREE_ALL(knot, rank);
    mw_mesh_graph_fini(&g);
    if (rc != MW_OK)
        mw_proof_fini(out);
    return rc;
}

void mw_proof_fini(struct mw_proof *p)
{
    MW_FREE_ALL(p->rank, p->node, p->why);
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
