/* graph.c -- see graph.h. Every question to the flows is a visitor of one
 * walk, which meets each pair of consecutive hops of every flow at least once, and meets
 * it first in the lowest flow of that sink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/proof/graph.h"

#include "base/mem.h"
#include "mesh/proof/components.h"

#include <assert.h>
#include <string.h>

/* ---- the walk ---------------------------------------------------------------------- */

/* A message goes x -> y and then to z, MW_NO_CORE: y is its last core; and the channels of the
 * two hops. */
struct hops {
    mw_core x, y, z;
    mw_channel xy, yz;
};
typedef void visitor(void *arg, struct hops h, uint64_t flow);

/* Whether a hop leads into a FIFO that lets nothing in; then the message makes none after it. */
MW_FN bool ends_at(const struct mw_layout *l, bool walls, mw_core from, mw_core to)
{
    return MW_UNLIKELY(walls) && l->fifo[mw_hop_class(l, from, to)] == 0;
}

MW_FN void walk_routed(const struct mw_layout *l, bool walls, visitor *visit, void *arg)
{
    uint16_t seen[MW_MESH_CORES_MAX] = {0}; /* the number of the last sink, from 1 */
    for (uint32_t k = 0; k < l->n_sinks; k++) {
        const mw_core *next = l->next + (size_t)k * mw_mesh_cores(l);
        const mw_core sink = l->sink[k];
        for (uint32_t s = 0; s < l->n_sources; s++) {
            mw_core x = l->source[s];
            while (x != sink && seen[x] != k + 1) {
                const mw_core y = next[x];
                if (ends_at(l, walls, x, y))
                    break;
                struct hops h = {x, y, y == sink ? MW_NO_CORE : next[y], 0, 0};
                if (MW_UNLIKELY(l->next_channel != NULL)) {
                    h.xy = mw_next_channel(l, k, x);
                    h.yz = mw_next_channel(l, k, y);
                }
                seen[x] = (uint16_t)(k + 1);
                visit(arg, h, mw_routed_flow(l, s, k));
                x = y;
            }
        }
    }
}

MW_FN void walk_listed(const struct mw_layout *l, bool walls, visitor *visit, void *arg)
{
    for (uint64_t i = 0; i < l->n_listed; i++) {
        const uint64_t last = l->listed_first[i + 1] - 1;
        for (uint64_t j = l->listed_first[i]; j < last; j++) {
            if (ends_at(l, walls, l->listed_core[j], l->listed_core[j + 1]))
                break;
            visit(arg,
                  (struct hops){l->listed_core[j], l->listed_core[j + 1],
                                j + 1 < last ? l->listed_core[j + 2] : MW_NO_CORE,
                                l->listed_channel[j + 1],
                                j + 1 < last ? l->listed_channel[j + 2] : 0},
                  l->n_routed + i);
        }
    }
}

/* walls: of each flow as far as its messages come where a FIFO of depth 0 lets nothing in. */
MW_FN void walk(const struct mw_layout *l, bool walls, visitor *visit, void *arg)
{
    if (l->n_routed > 0)
        walk_routed(l, walls, visit, arg);
    walk_listed(l, walls, visit, arg);
}

static bool has_walls(const struct mw_layout *l, enum mw_mesh_model model)
{
    return model != MW_COUPLED && (l->fifo[MW_ROW] == 0 || l->fifo[MW_COLUMN] == 0);
}

/* ---- building ---------------------------------------------------------------------- */

static int find_rows_and_columns(const struct mw_layout *l, struct mw_mesh_graph *g)
{
    uint8_t *row_col;
    mw_core *at;
    MW_NEED_NEW(row_col, "rows and columns", 2 * mw_mesh_cores(l));
    g->row_col = row_col;
    MW_NEED_NEW(at, "cores of nodes", g->n_nodes);
    g->at = at;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        row_col[2 * v] = (uint8_t)mw_core_row(l, (mw_core)v);
        row_col[2 * v + 1] = (uint8_t)mw_core_col(l, (mw_core)v);
    }
    if (g->model != MW_LINK) {
        const uint32_t per_core = g->n_each / mw_mesh_cores(l);
        for (uint32_t a = 0; a < g->n_nodes; a++)
            at[a] = (mw_core)(a % g->n_each / per_core);
        return MW_OK;
    }
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        for (uint32_t s = 0; s < g->n_slots; s++)
            at[mw_slot_node(g, MW_LINK, (mw_core)v, s)] =
                (mw_core)mw_slot_node(g, MW_COUPLED, (mw_core)v, s % g->n_line);
    return MW_OK;
}

int mw_mesh_graph_empty(const struct mw_layout *l, enum mw_mesh_model model,
                        struct mw_mesh_graph *out)
{
    int rc;
    const uint32_t n_line = l->rows + l->cols, n_nodes = mw_mesh_nodes(l, model);
    const uint32_t n_channels = model == MW_COUPLED ? 1 : l->n_channels;
    const uint32_t n_slots = n_channels * n_line;
    *out = (struct mw_mesh_graph){.model = model,
                                  .rows = l->rows,
                                  .cols = l->cols,
                                  .n_line = n_line,
                                  .n_slots = n_slots,
                                  .n_words = (n_slots + 63) / 64,
                                  .n_nodes = n_nodes,
                                  .n_each = n_nodes / n_channels};
    MW_NEW(rc, out->out, "edges of a mesh", (uint64_t)out->n_nodes * out->n_words);
    MW_TRY(rc, find_rows_and_columns(l, out));
    return MW_OK;
end:
    mw_mesh_graph_fini(out);
    return rc;
}

void mw_mesh_graph_fini(struct mw_mesh_graph *g)
{
    MW_FREE_ALL(g->out, (void *)(uintptr_t)g->at, (void *)(uintptr_t)g->row_col);
    *g = (struct mw_mesh_graph){0};
}

MW_FN void set_edge(struct mw_mesh_graph *g, mw_mesh_node a, uint32_t slot)
{
    g->out[(size_t)a * g->n_words + slot / 64] |= UINT64_C(1) << slot % 64;
}

/* The edge that the two hops cause: from which node, and by which slot. */
MW_FN bool edge_of(const struct mw_mesh_graph *g, enum mw_mesh_model model, struct hops h,
                   mw_mesh_node *a, uint32_t *slot)
{
    *a = h.x;
    *slot = mw_slot_in(g, h.x, h.y, h.xy);
    if (model == MW_COUPLED)
        return true;
    if (h.z == MW_NO_CORE)
        return false;
    *a = mw_slot_node(g, model, h.x, *slot);
    *slot = mw_slot_in(g, h.y, h.z, h.yz);
    return true;
}

MW_FN void add_edge(void *graph, enum mw_mesh_model model, struct hops h)
{
    mw_mesh_node a;
    uint32_t slot;
    if (edge_of(graph, model, h, &a, &slot))
        set_edge(graph, a, slot);
}

/* One visitor per model, so that the walk is compiled for each. */
static inline void add_coupled(void *graph, struct hops h, uint64_t flow)
{
    (void)flow;
    add_edge(graph, MW_COUPLED, h);
}

static inline void add_decoupled(void *graph, struct hops h, uint64_t flow)
{
    (void)flow;
    add_edge(graph, MW_DECOUPLED, h);
}

static inline void add_link(void *graph, struct hops h, uint64_t flow)
{
    (void)flow;
    add_edge(graph, MW_LINK, h);
}

int mw_mesh_graph_make(const struct mw_layout *l, enum mw_mesh_model model,
                       struct mw_mesh_graph *out)
{
    const bool walls = has_walls(l, model);
    if (mw_layout_has_ways(l))
        return mw_fail(MW_ERR_REFUSED,
                       "adaptive routes and broadcasts: not here, for their flows do not "
                       "tell all; 'layout check' and others know them");
    const int rc = mw_mesh_graph_empty(l, model, out);
    if (rc != MW_OK)
        return rc;
    if (model == MW_COUPLED)
        walk(l, false, add_coupled, out);
    else if (model == MW_DECOUPLED)
        walk(l, walls, add_decoupled, out);
    else
        walk(l, walls, add_link, out);
    return MW_OK;
}

uint64_t mw_mesh_graph_edges(const struct mw_mesh_graph *g)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < (uint64_t)g->n_nodes * g->n_words; i++)
        n += (uint64_t)__builtin_popcountll(g->out[i]);
    return n;
}

/* ---- components and cycles -------------------------------------------------------- */

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

int mw_mesh_shortest_cycle(const struct mw_mesh_graph *g, const uint32_t *knot,
                           mw_mesh_node *cycle, uint32_t *n)
{
    return mw_shortest_cycle(g, edge_at, g->n_nodes, knot, cycle, n);
}

/* ---- questions to the flows -------------------------------------------------------- */

struct search {
    const struct mw_mesh_graph *g;
    uint32_t *number; /* [n_nodes]: number on the cycle, from 1 */
    const mw_mesh_node *node;
    uint32_t n;
    struct mw_cause *why;
};

static inline void note_cause(void *arg, struct hops h, uint64_t flow)
{
    struct search *s = arg;
    mw_mesh_node a;
    uint32_t slot;
    if (!edge_of(s->g, s->g->model, h, &a, &slot) || s->number[a] == 0)
        return;
    const uint32_t i = s->number[a] - 1;
    const mw_core from = s->g->model == MW_COUPLED ? h.x : h.y;
    if (flow < s->why[i].flow &&
        mw_slot_node(s->g, s->g->model, from, slot) == s->node[i + 1 == s->n ? 0 : i + 1])
        s->why[i].flow = flow;
}

/* The first hop of the flow that causes the edge. */
static uint32_t hop_of(const struct mw_mesh_graph *g, const mw_core *core,
                       const mw_channel *channel, uint32_t n, mw_mesh_node from,
                       mw_mesh_node to)
{
    for (uint32_t h = 0;; h++) {
        mw_mesh_node a;
        uint32_t slot;
        assert(h + 1 < n); /* the flow causes the edge */
        struct hops two = {core[h], core[h + 1], MW_NO_CORE, channel[h], 0};
        if (h + 2 < n) {
            two.z = core[h + 2];
            two.yz = channel[h + 1];
        }
        if (edge_of(g, g->model, two, &a, &slot) && a == from &&
            mw_slot_node(g, g->model, g->at[a], slot) == to)
            return h;
    }
}

int mw_mesh_graph_causes(const struct mw_layout *l, const struct mw_mesh_graph *g,
                         const mw_mesh_node *node, uint32_t n, struct mw_cause *why)
{
    int rc = MW_OK;
    struct search s = {.g = g, .node = node, .n = n, .why = why};
    mw_core *core = NULL;
    mw_channel *channel = NULL;
    MW_NEW(rc, s.number, "nodes of a cycle", g->n_nodes);
    MW_NEW(rc, core, "cores of a flow", l->longest);
    MW_NEW(rc, channel, "cores of a flow", l->longest);
    for (uint32_t i = 0; i < n; i++) {
        s.number[node[i]] = i + 1;
        why[i] = (struct mw_cause){.flow = UINT64_MAX};
    }
    walk(l, has_walls(l, g->model), note_cause, &s);
    for (uint32_t i = 0; i < n; i++) {
        assert(why[i].flow != UINT64_MAX);
        const uint32_t n_cores = mw_layout_flow_in(l, why[i].flow, core, channel);
        why[i].hop =
            hop_of(g, core, channel, n_cores, node[i], node[i + 1 == n ? 0 : i + 1]);
    }
end:
    MW_FREE_ALL(s.number, core, channel);
    return rc;
}

struct uses {
    struct mw_mesh_graph g;
    uint8_t *used;
};

static inline void note_use(void *arg, struct hops h, uint64_t flow)
{
    struct uses *u = arg;
    (void)flow;
    if (u->g.model == MW_COUPLED)
        u->used[h.x] = u->used[h.y] = 1;
    else
        u->used[mw_slot_node(&u->g, u->g.model, h.x, mw_slot_in(&u->g, h.x, h.y, h.xy))] =
            1;
}

int mw_mesh_graph_used(const struct mw_layout *l, enum mw_mesh_model model, uint8_t *used)
{
    struct uses u = {.used = used};
    const int rc = mw_mesh_graph_empty(l, model, &u.g);
    if (rc != MW_OK)
        return rc;
    memset(used, 0, u.g.n_nodes);
    walk(l, false, note_use, &u);
    mw_mesh_graph_fini(&u.g);
    return MW_OK;
}
