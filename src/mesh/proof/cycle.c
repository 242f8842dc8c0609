/* cycle.c -- the lightest cycle of a mesh graph.
 *
 * The search starts at every node of a knot in turn, as that for the shortest cycle does
 * (components.h), and is given up where it cannot beat the best any more; all of it as soon
 * as the best is as good as any cycle can be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/proof/graph.h"

#include "base/mem.h"

static bool inside(const uint32_t *knot, mw_mesh_node start, mw_mesh_node b)
{
    return b > start && knot[b] == knot[start];
}

/* Dijkstra with two weights needs no heap: what is reached by edges of one class comes in
 * ascending order, so one queue per class, and the nearer of the two heads. */
struct reached {
    mw_mesh_node node;
    uint32_t distance;
};

struct weighing {
    const struct mw_mesh_graph *g;
    const uint32_t *knot, *weight;
    uint32_t
        leaving[MW_N_CLASSES]; /* least weight of an edge from such a node in a knot */
    uint32_t least;            /* of the two */
    uint32_t closing;          /* least weight of an edge back to the start */
    mw_mesh_node start;
    uint32_t *seen, *distance; /* by which start, + 1; from the start */
    struct reached *queue[MW_N_CLASSES];
    uint32_t head[MW_N_CLASSES], tail[MW_N_CLASSES];
    uint64_t best;
};

/* Nodes of one kind may have edges of one class only: turns that a routing forbids. */
static enum mw_fifo_class kind_of(const struct mw_mesh_graph *g, mw_mesh_node a)
{
    return g->model == MW_COUPLED ? MW_ROW : mw_node_class(g, a);
}

static bool pop(struct weighing *w, struct reached *out)
{
    const bool row = w->head[MW_ROW] < w->tail[MW_ROW];
    const bool column = w->head[MW_COLUMN] < w->tail[MW_COLUMN];
    if (!row && !column)
        return false;
    const bool take_row =
        row && (!column || w->queue[MW_ROW][w->head[MW_ROW]].distance <=
                               w->queue[MW_COLUMN][w->head[MW_COLUMN]].distance);
    const enum mw_fifo_class class = take_row ? MW_ROW : MW_COLUMN;
    *out = w->queue[class][w->head[class]++];
    return true;
}

/* The edge from a back to the start. */
static void close_cycle(struct weighing *w, struct reached a)
{
    const uint32_t slot = mw_slot(w->g, w->g->at[a.node], w->g->at[w->start]);
    w->best = mw_min(w->best, a.distance + w->weight[mw_slot_class(w->g, slot)]);
}

static void relax(struct weighing *w, struct reached a)
{
    mw_for_each_slot(slot, w->g, a.node)
    {
        const enum mw_fifo_class class = mw_slot_class(w->g, slot);
        const mw_mesh_node b = mw_slot_node(w->g, w->g->model, w->g->at[a.node], slot);
        const uint32_t distance = a.distance + w->weight[class];
        if (!inside(w->knot, w->start, b) || distance + w->closing >= w->best ||
            (w->seen[b] == w->start + 1 && w->distance[b] <= distance))
            continue;
        w->seen[b] = w->start + 1;
        w->distance[b] = distance;
        w->queue[class][w->tail[class]++] = (struct reached){b, distance};
    }
}

static void weigh_from_start(struct weighing *w)
{
    struct reached a = {w->start, 0};
    w->head[MW_ROW] = w->tail[MW_ROW] = w->head[MW_COLUMN] = w->tail[MW_COLUMN] = 0;
    w->closing = w->g->model == MW_COUPLED
                     ? w->least /* else the start is a FIFO, and so has one class */
                     : w->weight[mw_node_class(w->g, w->start)];
    do {
        if (a.distance + w->closing >= w->best)
            return;
        if (a.node != w->start && w->distance[a.node] < a.distance)
            continue;
        if (mw_has_edge(w->g, a.node, w->start))
            close_cycle(w, a);
        if (a.distance + w->leaving[kind_of(w->g, a.node)] + w->closing < w->best)
            relax(w, a);
    } while (pop(w, &a));
}

static void weigh_edges(struct weighing *w)
{
    w->leaving[MW_ROW] = w->leaving[MW_COLUMN] = (uint32_t)INT32_MAX;
    for (mw_mesh_node a = 0; a < w->g->n_nodes; a++)
        if (w->knot[a] != 0)
            mw_for_each_slot(slot, w->g, a)
            {
                uint32_t *least = &w->leaving[kind_of(w->g, a)];
                const mw_mesh_node b = mw_slot_node(w->g, w->g->model, w->g->at[a], slot);
                if (w->knot[b] == w->knot[a])
                    *least =
                        (uint32_t)mw_min(*least, w->weight[mw_slot_class(w->g, slot)]);
            }
    w->least = (uint32_t)mw_min(w->leaving[MW_ROW], w->leaving[MW_COLUMN]);
}

int mw_mesh_lightest_cycle(const struct mw_mesh_graph *g, const uint32_t *knot,
                           uint32_t shortest, const uint32_t weight[MW_N_CLASSES],
                           uint64_t *out)
{
    int rc = MW_OK;
    struct weighing w = {.g = g, .knot = knot, .weight = weight, .best = UINT64_MAX};
    uint32_t *memory = NULL;
    *out = (uint64_t)shortest * weight[MW_ROW];
    if (weight[MW_ROW] == weight[MW_COLUMN])
        return MW_OK;
    MW_NEW(rc, memory, "lightest cycle", (uint64_t)2 * g->n_nodes);
    MW_NEW(rc, w.queue[MW_ROW], "lightest cycle", g->n_nodes);
    MW_NEW(rc, w.queue[MW_COLUMN], "lightest cycle", g->n_nodes);
    w.seen = memory;
    w.distance = memory + g->n_nodes;
    weigh_edges(&w);
    for (; w.start < g->n_nodes && w.best > (uint64_t)shortest * w.least; w.start++)
        if (knot[w.start] != 0)
            weigh_from_start(&w);
    *out = w.best;
end:
    MW_FREE_ALL(memory, w.queue[MW_ROW], w.queue[MW_COLUMN]);
    return rc;
}
