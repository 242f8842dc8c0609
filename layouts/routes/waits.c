/* waits.c -- see waits.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/routes/waits.h"

#include "base/mem.h"
#include "mesh/proof/components.h"

#include <assert.h>
#include <string.h>

/* ---- the graph -------------------------------------------------------------------------- */

struct graph {
    uint32_t n;
    uint64_t *first; /* [n + 1] */
    uint32_t *to, *why;
};

static void graph_fini(struct graph *g)
{
    MW_FREE_ALL(g->first, g->to, g->why);
}

typedef void visitor(void *arg, uint32_t from, uint32_t to, uint32_t trail);

static void walk(const struct mw_trails *t, visitor *visit, void *arg)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const struct mw_trail *r = &t->trail[i];
        const uint32_t *at = t->at + r->first;
        for (uint32_t j = 0; j < r->n; j++) {
            uint32_t k = j + 1;
            for (; k < r->n; k++) {
                visit(arg, at[j], at[k], i);
                if (!mw_place_is_held(t, at[k]))
                    break;
            }
            if (k == r->n && r->hand != MW_NO_PLACE)
                visit(arg, at[j], r->hand, i);
        }
    }
}

static void count_edge(void *arg, uint32_t from, uint32_t to, uint32_t trail)
{
    (void)to, (void)trail;
    ((struct graph *)arg)->first[from + 1]++;
}

static void put_edge(void *arg, uint32_t from, uint32_t to, uint32_t trail)
{
    struct graph *g = arg;
    const uint64_t at = g->first[from]++; /* the end of it, when all are put */
    g->to[at] = to;
    g->why[at] = trail;
}

/* Each edge once, with its first cause; the lists move together. */
static int keep_different(struct graph *g)
{
    int rc = MW_OK;
    uint32_t *seen;
    uint64_t n = 0, begin = 0;
    MW_NEW(rc, seen, "graph of waits", g->n);
    for (uint32_t a = 0; a < g->n; a++) {
        const uint64_t end = g->first[a];
        g->first[a] = n;
        for (uint64_t i = begin; i < end; i++) {
            if (seen[g->to[i]] == a + 1)
                continue;
            seen[g->to[i]] = a + 1;
            g->to[n] = g->to[i];
            g->why[n++] = g->why[i];
        }
        begin = end;
    }
    g->first[g->n] = n;
end:
    mw_free(seen);
    return rc;
}

static int graph_make(const struct mw_trails *t, struct graph *g)
{
    *g = (struct graph){.n = t->n_places};
    MW_NEED_NEW(g->first, "graph of waits", g->n + 1);
    walk(t, count_edge, g);
    for (uint32_t a = 0; a < g->n; a++)
        g->first[a + 1] += g->first[a];
    MW_NEED_NEW(g->to, "graph of waits", g->first[g->n]);
    MW_NEED_NEW(g->why, "graph of waits", g->first[g->n]);
    walk(t, put_edge, g);
    return keep_different(g);
}

/* ---- components and ranks --------------------------------------------------------------- */

static uint32_t edge_at(const void *graph, uint32_t a, uint32_t from, uint32_t *to)
{
    const struct graph *const g = graph;
    const uint64_t i = g->first[a] + from;
    if (i >= g->first[a + 1])
        return MW_NO_EDGE;
    *to = g->to[i];
    return from;
}

/* ---- the shortest cycle ----------------------------------------------------------------- */

static uint32_t cause_of(const struct graph *g, uint32_t a, uint32_t b)
{
    uint64_t i = g->first[a];
    while (g->to[i] != b)
        i++;
    assert(i < g->first[a + 1]); /* the edge is there */
    return g->why[i];
}

static int find_cycle(const struct graph *g, const uint32_t *knot, struct mw_waits *out)
{
    MW_NEED_NEW(out->place, "witness", g->n);
    MW_NEED(mw_shortest_cycle(g, edge_at, g->n, knot, out->place, &out->n_cycle));
    MW_NEED_NEW(out->why, "witness", out->n_cycle);
    for (uint32_t i = 0; i < out->n_cycle; i++)
        out->why[i] =
            cause_of(g, out->place[i], out->place[i + 1 == out->n_cycle ? 0 : i + 1]);
    return MW_OK;
}

/* ---- verdicts --------------------------------------------------------------------------- */

static int certify(const struct graph *g, uint32_t **rank, struct mw_waits *out)
{
    out->free = true;
    out->rank = *rank;
    *rank = NULL; /* it has a new owner */
    for (uint32_t a = 0; a < g->n; a++) {
        out->max_rank = (uint32_t)mw_max(out->max_rank, out->rank[a]);
        for (uint64_t i = g->first[a]; i < g->first[a + 1]; i++)
            if (out->rank[a] <= out->rank[g->to[i]])
                return mw_fail(MW_ERR_INTERNAL, "waits: the rank does not fall at %u", a);
    }
    return MW_OK;
}

int mw_waits_make(const struct mw_trails *t, struct mw_waits *out)
{
    int rc;
    struct graph g;
    uint32_t *knot = NULL, *rank = NULL, n_knots;
    *out = (struct mw_waits){0};
    MW_TRY(rc, graph_make(t, &g));
    out->n_edges = g.first[g.n];
    MW_NEW(rc, knot, "components", g.n);
    MW_NEW(rc, rank, "ranks", g.n);
    MW_TRY(rc, mw_components(&g, edge_at, g.n, knot, rank, &n_knots));
    MW_TRY(rc, n_knots == 0 ? certify(&g, &rank, out) : find_cycle(&g, knot, out));
end:
    MW_FREE_ALL(knot, rank);
    graph_fini(&g);
    if (rc < MW_OK)
        mw_waits_fini(out);
    return rc;
}

void mw_waits_fini(struct mw_waits *w)
{
    MW_FREE_ALL(w->rank, w->place, w->why);
    *w = (struct mw_waits){.model = w->model};
}

/* Coupled, stores and hands take turns on every cycle, so the shortest has the fewest of both. */
uint64_t mw_waits_in_flight(const struct mw_trails *t, const struct mw_waits *w)
{
    const struct mw_network *n = t->network;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n->places.n; i++)
        if (n->place[i].held || n->place[i].depth != n->place[0].depth)
            return 0;
    for (uint32_t i = 0; i < w->n_cycle && w->model != MW_BY_ENDS; i++)
        sum += mw_place_depth(t, w->place[i]);
    return sum;
}

/* ---- joins ------------------------------------------------------------------------------ */

/* The passages of one node after the other: to[place] is the store in which the last passage
 * through the place ended, if that was of this node. */
int mw_network_joins(const struct mw_network *n, struct mw_joins *out)
{
    int rc = MW_OK;
    uint32_t *first, *passage = NULL, *of = NULL, *to = NULL;
    *out = (struct mw_joins){0};
    MW_NEW(rc, first, "inputs", n->nodes.n + 2);
    MW_NEW(rc, passage, "inputs", n->n_passages);
    MW_NEW(rc, of, "inputs", n->places.n);
    MW_NEW(rc, to, "inputs", n->places.n);
    for (uint32_t i = 0; i < n->n_passages; i++)
        first[n->passage[i].sink + 2]++;
    for (uint32_t v = 0; v < n->nodes.n; v++)
        first[v + 2] += first[v + 1];
    for (uint32_t i = 0; i < n->n_passages; i++)
        passage[first[n->passage[i].sink + 1]++] = i;
    for (uint32_t v = 0; v < n->nodes.n; v++) {
        bool joins = false;
        for (uint32_t i = first[v]; i < first[v + 1]; i++) {
            const struct mw_passage *p = &n->passage[passage[i]];
            const uint32_t *step = n->step + p->first, end = step[p->n - 1];
            for (uint32_t j = 0; j + 1 < p->n; j++) {
                if (of[step[j]] == v + 1 && to[step[j]] != end && !joins) {
                    joins = true;
                    if (out->n_nodes++ == 0) {
                        out->node = v;
                        out->place = step[j];
                    }
                }
                of[step[j]] = v + 1;
                to[step[j]] = end;
            }
        }
    }
end:
    MW_FREE_ALL(first, passage, of, to);
    return rc;
}

/* ---- changes ---------------------------------------------------------------------------- */

enum { CHANGES_TRIED = 64 };

/* Does passage i leave the place towards `next`? */
static bool goes_to(const struct mw_network *n, uint32_t i, uint32_t place, uint32_t next)
{
    const struct mw_passage *p = &n->passage[i];
    for (uint32_t j = 0; j + 1 < p->n; j++)
        if (n->step[p->first + j] == place && n->step[p->first + j + 1] == next)
            return true;
    return false;
}

/* A copy of the network for one proof: it borrows the names. */
static int apply(const struct mw_network *n, struct mw_change c, struct mw_network *copy)
{
    const struct mw_passage *of = &n->passage[c.passage];
    uint32_t next = MW_NO_PLACE;
    *copy = *n;
    copy->step = NULL;
    copy->place = NULL;
    copy->passage = NULL;
    MW_NEED_NEW(copy->step, "a changed network", n->n_steps);
    MW_NEED_NEW(copy->place, "a changed network", n->places.n + 1);
    MW_NEED_NEW(copy->passage, "a changed network", n->n_passages);
    memcpy(copy->step, n->step, n->n_steps * sizeof *n->step);
    memcpy(copy->place, n->place, n->places.n * sizeof *n->place);
    memcpy(copy->passage, n->passage, n->n_passages * sizeof *n->passage);
    if (c.kind == MW_CHANGE_DROP) {
        copy->passage[c.passage] = copy->passage[--copy->n_passages];
        return MW_OK;
    }
    copy->place[n->places.n] = n->place[c.place];
    copy->places.n++;
    for (uint32_t j = 0; j + 1 < of->n; j++)
        if (n->step[of->first + j] == c.place)
            next = n->step[of->first + j + 1];
    for (uint32_t i = 0; i < n->n_passages; i++)
        for (uint32_t j = 0; j < n->passage[i].n; j++)
            if (n->step[n->passage[i].first + j] == c.place &&
                (i == c.passage ||
                 (n->place[c.place].held && goes_to(n, i, c.place, next))))
                copy->step[n->passage[i].first + j] = n->places.n;
    return MW_OK;
}

static int helps(const struct mw_network *n, enum mw_network_model model,
                 struct mw_change c, bool *out)
{
    int rc;
    struct mw_network copy;
    struct mw_trails t = {0};
    struct mw_waits w = {0};
    MW_TRY(rc, apply(n, c, &copy));
    MW_TRY(rc, mw_trails_make(&copy, model, &t));
    MW_TRY(rc, mw_waits_make(&t, &w));
    *out = w.free;
end:
    mw_waits_fini(&w);
    mw_trails_fini(&t);
    MW_FREE_ALL(copy.step, copy.place, copy.passage);
    return rc;
}

static bool passes(const struct mw_network *n, uint32_t passage, uint32_t place)
{
    const struct mw_passage *p = &n->passage[passage];
    for (uint32_t j = 0; j < p->n; j++)
        if (n->step[p->first + j] == place)
            return true;
    return false;
}

/* Held places first: what they lend can be lent by another one. */
int mw_waits_changes(const struct mw_network *n, const struct mw_waits *w,
                     struct mw_change *out)
{
    int tried = 0;
    bool good = false;
    out[0] = out[1] = (struct mw_change){.kind = MW_CHANGE_NONE};
    for (int held = 1; held >= 0; held--)
        for (uint32_t i = 0; i < w->n_cycle; i++)
            for (uint32_t j = 0; j < w->n_cycle && tried < CHANGES_TRIED; j++) {
                const uint32_t p = w->place[i];
                if (p >= n->places.n || n->place[p].held != (held != 0) ||
                    !passes(n, w->why[j], p))
                    continue;
                const struct mw_change c = {MW_CHANGE_OWN_PLACE, w->why[j], p};
                tried++;
                MW_NEED(helps(n, w->model, c, &good));
                if (good) {
                    out[0] = c;
                    goto own_done;
                }
            }
own_done:
    for (uint32_t i = 0; i < w->n_cycle && tried < 2 * CHANGES_TRIED; i++, tried++) {
        const struct mw_change c = {MW_CHANGE_DROP, w->why[i], MW_NO_PLACE};
        MW_NEED(helps(n, w->model, c, &good));
        if (good) {
            out[1] = c;
            break;
        }
    }
    return MW_OK;
}
