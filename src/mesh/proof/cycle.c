/* cycle.c -- the cycles of a mesh graph: where they are, and the best of them.
 *
 * Both searches start at every node of a knot in turn, lowest first, and look only at
 * nodes above the start: each cycle is found from its lowest node, and what has been
 * searched is never searched again. A start is given up where it cannot beat the best any
 * more, and all of them as soon as the best is as good as any cycle can be. So the size
 * of a knot costs little when its cycles are short.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/proof/graph.h"

#include "base/mem.h"
#include "mesh/proof/components.h"

/* ---- components -------------------------------------------------------------------- */

static uint32_t edge_at(const void *graph, uint32_t a, uint32_t from, uint32_t *to)
{
    const struct mw_mesh_graph *const g = graph;
    const uint32_t s = from < g->n_slots ? mw_next_slot(g, a, from) : g->n_slots;
    if (s == g->n_slots)
        return MW_NO_EDGE;
    *to = mw_slot_node(g, g->model, g->at[a], s);
    return s;
}

int mw_mesh_knots(const struct mw_mesh_graph *g, uint32_t *knot, uint32_t *rank,
                  uint32_t *n_knots)
{
    return mw_components(g, edge_at, g->n_nodes, knot, rank, n_knots);
}

/* ---- the shortest cycle ------------------------------------------------------------ */

struct search {
    const struct mw_mesh_graph *g;
    const uint32_t *knot;
    mw_mesh_node start;
    uint32_t *seen; /* by which start, + 1 */
    uint32_t *depth;
    mw_mesh_node *before, *queue;
    uint32_t best; /* nodes of the shortest cycle so far */
};

static bool inside(const uint32_t *knot, mw_mesh_node start, mw_mesh_node b)
{
    return b > start && knot[b] == knot[start];
}

/* The last node of a shortest cycle through the start, if it has fewer than `best`
 * nodes. */
static bool breadth_first(struct search *s, mw_mesh_node *last)
{
    uint32_t n = 0;
    s->queue[n++] = s->start;
    s->depth[s->start] = 1;
    for (uint32_t i = 0; i < n; i++) {
        const mw_mesh_node a = s->queue[i];
        if (s->depth[a] >= s->best)
            return false;
        if (mw_has_edge(s->g, a, s->start)) {
            *last = a;
            return true;
        }
        if (s->depth[a] + 1 >= s->best)
            continue; /* what comes next is too far already */
        mw_for_each_slot(slot, s->g, a)
        {
            const mw_mesh_node b = mw_slot_node(s->g, s->g->model, s->g->at[a], slot);
            if (!inside(s->knot, s->start, b) || s->seen[b] == s->start + 1)
                continue;
            s->seen[b] = s->start + 1;
            s->depth[b] = s->depth[a] + 1;
            s->before[b] = a;
            s->queue[n++] = b;
        }
    }
    return false;
}

static void take_cycle(struct search *s, mw_mesh_node last, mw_mesh_node *cycle)
{
    s->best = s->depth[last];
    for (uint32_t i = s->best; i-- > 0; last = s->before[last])
        cycle[i] = last;
}

int mw_mesh_shortest_cycle(const struct mw_mesh_graph *g, const uint32_t *knot,
                           mw_mesh_node *cycle, uint32_t *n)
{
    int rc = MW_OK;
    struct search s = {.g = g, .knot = knot, .best = UINT32_MAX};
    uint32_t *memory = NULL;
    mw_mesh_node last, least = 2; /* of one node only if some node needs itself */
    MW_NEW(rc, memory, "search for a cycle", (uint64_t)4 * g->n_nodes);
    s.seen = memory;
    s.depth = memory + g->n_nodes;
    s.before = s.depth + g->n_nodes;
    s.queue = s.before + g->n_nodes;
    for (mw_mesh_node a = 0; a < g->n_nodes; a++)
        if (knot[a] != 0 && mw_has_edge(g, a, a))
            least = 1;
    for (s.start = 0; s.start < g->n_nodes && s.best > least; s.start++)
        if (knot[s.start] != 0 && breadth_first(&s, &last))
            take_cycle(&s, last, cycle);
    *n = s.best;
end:
    mw_free(memory);
    return rc;
}

/* ---- the lightest cycle ------------------------------------------------------------ */

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
    mw_free(memory);
    mw_free(w.queue[MW_ROW]);
    mw_free(w.queue[MW_COLUMN]);
    return rc;
}
