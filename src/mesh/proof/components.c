/* components.c -- see components.h: Tarjan's algorithm, with the call stack written out. Components come sinks first, so
 * ranks come with them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/proof/components.h"

#include "base/mem.h"

struct tarjan {
    const void *graph;
    mw_edge_at *edge;
    /* order: from 1; 0: not met yet, DONE: its component is known. next: the edge to look at. knot: 1 while a node
     * is open that leads to itself. */
    uint32_t *order, *low, *next, *path, *open, *knot, *rank;
    uint32_t n_path, n_open, n_met, n_knots;
};
#define DONE UINT32_MAX

static void enter(struct tarjan *t, uint32_t a)
{
    t->order[a] = t->low[a] = ++t->n_met;
    t->open[t->n_open++] = a;
    t->path[t->n_path++] = a;
}

/* The component of its root a, which is complete: everything below has its rank. */
static void close_component(struct tarjan *t, uint32_t a)
{
    const bool single = t->open[t->n_open - 1] == a && t->knot[a] == 0;
    uint32_t b;
    t->n_knots += !single;
    do {
        b = t->open[--t->n_open];
        t->order[b] = DONE;
        t->knot[b] = single ? 0 : t->n_knots;
    } while (b != a);
}

/* One step at the top of the path: down an edge, or back up. */
static void step(struct tarjan *t)
{
    const uint32_t a = t->path[t->n_path - 1];
    uint32_t b;
    const uint32_t at = t->edge(t->graph, a, t->next[a], &b);
    if (at == MW_NO_EDGE) {
        t->n_path--;
        if (t->low[a] == t->order[a])
            close_component(t, a);
        return;
    }
    if (t->order[b] == 0) { /* the edge is looked at once more on the way back */
        enter(t, b);
        return;
    }
    t->next[a] = at + 1;
    if (b == a)
        t->knot[a] = 1;
    if (t->order[b] != DONE)
        t->low[a] = (uint32_t)mw_min(t->low[a], t->low[b]);
    else
        t->rank[a] = (uint32_t)mw_max(t->rank[a], t->rank[b] + 1);
}

int mw_components(const void *graph, mw_edge_at *edge, uint32_t n, uint32_t *knot,
                  uint32_t *rank, uint32_t *n_knots)
{
    int rc = MW_OK;
    struct tarjan t = {.graph = graph, .edge = edge, .knot = knot, .rank = rank};
    uint32_t *memory = NULL;
    MW_NEW(rc, memory, "components of a graph", (uint64_t)5 * n);
    t.order = memory;
    t.low = t.order + n;
    t.next = t.low + n;
    t.path = t.next + n;
    t.open = t.path + n;
    for (uint32_t a = 0; a < n; a++)
        knot[a] = rank[a] = 0;
    for (uint32_t a = 0; a < n; a++)
        if (t.order[a] == 0)
            for (enter(&t, a); t.n_path > 0;)
                step(&t);
    *n_knots = t.n_knots;
end:
    mw_free(memory);
    return rc;
}

/* ---- the shortest cycle ------------------------------------------------------------ */

struct search {
    const void *graph;
    mw_edge_at *edge;
    const uint32_t *knot;
    uint32_t *seen, *depth, *before, *queue; /* seen: by which start, + 1 */
    uint32_t best;                           /* nodes of the shortest cycle so far */
};

/* The last node of a shortest cycle through the start, if it has fewer than `best` nodes. */
static bool breadth_first(struct search *s, uint32_t start, uint32_t *last)
{
    uint32_t n = 0, b;
    s->queue[n++] = start;
    s->depth[start] = 1;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t a = s->queue[i];
        if (s->depth[a] >= s->best)
            return false;
        for (uint32_t at = s->edge(s->graph, a, 0, &b); at != MW_NO_EDGE;
             at = s->edge(s->graph, a, at + 1, &b)) {
            if (b == start) {
                *last = a;
                return true;
            }
            if (b < start || s->knot[b] != s->knot[start] || s->seen[b] == start + 1 ||
                s->depth[a] + 1 >= s->best) /* what comes next is too far already */
                continue;
            s->seen[b] = start + 1;
            s->depth[b] = s->depth[a] + 1;
            s->before[b] = a;
            s->queue[n++] = b;
        }
    }
    return false;
}

int mw_shortest_cycle(const void *graph, mw_edge_at *edge, uint32_t n,
                      const uint32_t *knot, uint32_t *cycle, uint32_t *n_cycle)
{
    int rc = MW_OK;
    struct search s = {.graph = graph, .edge = edge, .knot = knot, .best = UINT32_MAX};
    uint32_t *memory = NULL, last;
    MW_NEW(rc, memory, "search for a cycle", (uint64_t)4 * n);
    s.seen = memory;
    s.depth = s.seen + n;
    s.before = s.depth + n;
    s.queue = s.before + n;
    for (uint32_t start = 0; start < n && s.best > 1; start++)
        if (knot[start] != 0 && breadth_first(&s, start, &last)) {
            s.best = s.depth[last];
            for (uint32_t i = s.best; i-- > 0; last = s.before[last])
                cycle[i] = last;
        }
    *n_cycle = s.best == UINT32_MAX ? 0 : s.best;
end:
    mw_free(memory);
    return rc;
}
