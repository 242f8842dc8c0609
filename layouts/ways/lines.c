/* lines.c -- see lines.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/ways/lines.h"

#include "base/mem.h"
#include "mesh/lang/rule.h"
#include "mesh/lang/words.h"
#include "mesh/proof/components.h"

#include <stdlib.h>
#include <string.h>

/* A node as a number: from, at and channel; and an edge between two. */
struct edge {
    uint64_t a, b;
};

struct line {
    uint32_t n;
    const struct mw_clause *k;
    uint32_t n_edges, n_hops, n_finals;
    struct edge *edge; /* owned; sorted, each once: what waits for what */
    uint64_t *hop,
        *final; /* owned; the same: hops; nodes that a message can end its line in */
};

static uint64_t node_of(enum mw_mesh_model m, uint32_t from, uint32_t at,
                        mw_channel channel)
{
    const uint64_t place = (uint64_t)at << 8;
    return m == MW_COUPLED     ? place
           : m == MW_DECOUPLED ? place | channel
                               : (uint64_t)from << 32 | place | channel;
}

static struct mw_line_place place_of(uint64_t node)
{
    return (struct mw_line_place){(uint16_t)(node >> 32), (uint16_t)(node >> 8),
                                  (mw_channel)node};
}

static int by_edge(const void *x, const void *y)
{
    const struct edge *a = x, *b = y;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

static int by_number(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static uint32_t unique(uint64_t *list, uint32_t n)
{
    uint32_t kept = 0;
    qsort(list, n, sizeof *list, by_number);
    for (uint32_t i = 0; i < n; i++)
        if (kept == 0 || list[i] != list[kept - 1])
            list[kept++] = list[i];
    return kept;
}

/* Every place to every other: the rule, applied n * n times. */
static int line_init(struct line *x, enum mw_mesh_model m, const struct mw_clause *k,
                     uint32_t n)
{
    const enum mw_clause_hop hop = (enum mw_clause_hop)k->hop;
    uint32_t kept = 0;
    *x = (struct line){.n = n, .k = k};
    MW_NEED_NEW(x->edge, "a line", (uint64_t)n * n);
    MW_NEED_NEW(x->hop, "a line", (uint64_t)n * n);
    MW_NEED_NEW(x->final, "a line", (uint64_t)n * n);
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++) {
            if (from == to)
                continue;
            const uint32_t at = mw_rule_along(hop, from, to, n);
            const mw_channel c = k->channel[mw_rule_on_a_line(hop, from, to, n)];
            x->hop[x->n_hops++] = node_of(MW_LINK, from, at, m == MW_COUPLED ? 0 : c);
            if (at == to)
                x->final[x->n_finals++] = node_of(m, from, at, c);
            if (m == MW_COUPLED) {
                x->edge[x->n_edges++] =
                    (struct edge){node_of(m, 0, from, 0), node_of(m, 0, at, 0)};
            } else if (at != to) {
                const uint32_t next = mw_rule_along(hop, at, to, n);
                const mw_channel d = k->channel[mw_rule_on_a_line(hop, at, to, n)];
                x->edge[x->n_edges++] =
                    (struct edge){node_of(m, from, at, c), node_of(m, at, next, d)};
            }
        }
    x->n_hops = unique(x->hop, x->n_hops);
    x->n_finals = unique(x->final, x->n_finals);
    qsort(x->edge, x->n_edges, sizeof *x->edge, by_edge);
    for (uint32_t i = 0; i < x->n_edges; i++)
        if (kept == 0 || by_edge(&x->edge[i], &x->edge[kept - 1]) != 0)
            x->edge[kept++] = x->edge[i];
    x->n_edges = kept;
    return MW_OK;
}

static void line_fini(struct line *x)
{
    MW_FREE_ALL(x->edge, x->hop, x->final);
}

/* ---- cycles of a line ---------------------------------------------------------------------- */

/* The first edge out of a node; n_edges: none. */
static uint32_t first_edge(const struct line *x, uint64_t node)
{
    uint32_t low = 0, high = x->n_edges;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (x->edge[middle].a < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < x->n_edges && x->edge[low].a == node ? low : x->n_edges;
}

/* As a graph: a node is the number of the first edge out of it; one that no edge leaves is none. */
static uint32_t edge_at(const void *graph, uint32_t a, uint32_t from, uint32_t *to)
{
    const struct line *const x = graph;
    const struct edge *const first = &x->edge[a];
    if (a > 0 && first[-1].a == first->a)
        return MW_NO_EDGE; /* no first one */
    for (; a + from < x->n_edges && first[from].a == first->a; from++)
        if ((*to = first_edge(x, first[from].b)) < x->n_edges)
            return from;
    return MW_NO_EDGE;
}

static int shortest_cycle(const struct line *x, uint32_t *n_cycle,
                          struct mw_line_place **cycle)
{
    int rc = MW_OK;
    uint32_t *memory = NULL, n_knots;
    *n_cycle = 0;
    MW_NEW(rc, memory, "a line", 3 * (uint64_t)x->n_edges);
    uint32_t *knot = memory, *rank = knot + x->n_edges, *node = rank + x->n_edges;
    MW_TRY(rc, mw_components(x, edge_at, x->n_edges, knot, rank, &n_knots));
    MW_TRY(rc, mw_shortest_cycle(x, edge_at, x->n_edges, knot, node, n_cycle));
    MW_NEW(rc, *cycle, "a cycle", *n_cycle);
    for (uint32_t i = 0; i < *n_cycle; i++)
        (*cycle)[i] = place_of(x->edge[node[i]].a);
end:
    mw_free(memory);
    return rc;
}

/* ---- the mesh ------------------------------------------------------------------------------- */

static const struct mw_route *only_route(const struct mw_layout *l)
{
    const char role = l->role[0];
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        if (l->role[v] != role)
            return NULL;
    return role == '.' ? NULL : &l->route[role - 'A'];
}

bool mw_lines_apply(const struct mw_layout *l)
{
    const struct mw_route *r = only_route(l);
    const uint32_t letter = r == NULL ? 0 : UINT32_C(1) << (l->role[0] - 'A');
    return r != NULL && l->n_listed == 0 && !l->transpose && !mw_layout_has_ways(l) &&
           l->sources == letter && l->sinks == letter && r->n_clauses == 2 &&
           r->clause[0].kind + r->clause[1].kind == MW_COL_TO_ROW + MW_ROW_TO_COL &&
           r->clause[0].kind != r->clause[1].kind && r->clause[0].kind >= MW_COL_TO_ROW &&
           r->clause[1].kind >= MW_COL_TO_ROW && r->clause[0].kind <= MW_ROW_TO_COL &&
           r->clause[1].kind <= MW_ROW_TO_COL && l->fifo[MW_ROW] > 0 &&
           l->fifo[MW_COLUMN] > 0;
}

int mw_lines_prove(const struct mw_layout *l, uint32_t rows, uint32_t cols,
                   enum mw_mesh_model model, struct mw_lines_proof *out)
{
    int rc = MW_OK;
    const struct mw_route *r = only_route(l);
    const uint32_t more = model == MW_COUPLED ? l->send + 1 : 0;
    struct line line[2]; /* in the order in which messages go */
    memset(line, 0, sizeof line);
    *out = (struct mw_lines_proof){.free = true, .min_inflight = UINT64_MAX};
    for (int i = 0; i < 2; i++) {
        const bool in_row = r->clause[i].kind == MW_ROW_TO_COL;
        const uint32_t n_alike = in_row ? rows : cols;
        struct mw_line_place *cycle = NULL;
        uint32_t n = 0;
        MW_TRY(rc, line_init(&line[i], model, &r->clause[i], in_row ? cols : rows));
        out->n_edges += (uint64_t)n_alike * line[i].n_edges;
        MW_TRY(rc, shortest_cycle(&line[i], &n, &cycle));
        const uint64_t weight =
            (uint64_t)n * (l->fifo[in_row ? MW_ROW : MW_COLUMN] + more);
        if (n > 0)
            out->min_inflight = mw_min(out->min_inflight, weight);
        if (n > 0 && (out->free || n < out->n_cycle)) {
            mw_free(out->cycle);
            out->cycle = cycle;
            out->n_cycle = n;
            out->along = in_row ? MW_ROW : MW_COLUMN;
            out->free = false;
        } else {
            mw_free(cycle);
        }
    }
    if (model != MW_COUPLED) /* from the first dimension into the second */
        out->n_edges += (uint64_t)line[0].n_finals * line[1].n_hops;
end:
    line_fini(&line[0]);
    line_fini(&line[1]);
    if (rc != MW_OK)
        mw_lines_proof_fini(out);
    return rc;
}

void mw_lines_proof_fini(struct mw_lines_proof *p)
{
    mw_free(p->cycle);
    *p = (struct mw_lines_proof){.free = true};
}

/* ---- text of a large mesh --------------------------------------------------------------------- */

/* The sides of the first mesh statement. */
static bool find_sides(const char *text, size_t bytes, uint32_t side[2])
{
    struct mw_text t;
    struct mw_line line;
    struct mw_word w;
    mw_text_init(&t, text, bytes);
    while (mw_text_line(&t, &line)) {
        if (!mw_line_word(&line, &w) || !mw_word_is(&w, "mesh"))
            continue;
        for (int i = 0; i < 2; i++) {
            uint64_t n;
            if (!mw_line_word(&line, &w) || !mw_word_integer(&w, &n) || n < 1 ||
                n > MW_LINE_MAX)
                return false;
            side[i] = (uint32_t)n;
        }
        return true;
    }
    return false;
}

static int write_small(const char *text, size_t bytes, const uint32_t side[2], FILE *out)
{
    struct mw_text t;
    struct mw_line line;
    struct mw_word w;
    mw_text_init(&t, text, bytes);
    while (mw_text_line(&t, &line)) {
        struct mw_line words = line;
        if (mw_line_word(&words, &w) && mw_word_is(&w, "mesh")) {
            fputs("mesh 2 2\n", out);
        } else if (w.bytes > 0 && mw_word_is(&w, "roles")) {
            if (!mw_line_word(&words, &w) || w.bytes != side[1])
                return mw_fail(MW_ERR_DATA,
                               "line %u: role row has %zu letters, the mesh has %u "
                               "columns",
                               t.line, w.bytes, side[1]);
            for (size_t i = 0; i < w.bytes; i++)
                if (w.text[i] != w.text[0])
                    return mw_fail(MW_ERR_DATA,
                                   "line %u: a mesh beyond %dx%d has one role everywhere",
                                   t.line, MW_MESH_SIDE_MAX, MW_MESH_SIDE_MAX);
            fprintf(out, "roles %c%c\n", w.text[0], w.text[0]);
        } else {
            fwrite(line.begin, 1, (size_t)(line.end - line.begin), out);
            fputc('\n', out);
        }
    }
    return MW_OK;
}

int mw_lines_shrink(const char *text, size_t bytes, uint32_t *rows, uint32_t *cols,
                    char **small, size_t *small_bytes)
{
    uint32_t side[2];
    *small = NULL;
    if (!find_sides(text, bytes, side) ||
        (side[0] <= MW_MESH_SIDE_MAX && side[1] <= MW_MESH_SIDE_MAX))
        return MW_DONE;
    *rows = side[0];
    *cols = side[1];
    FILE *out = open_memstream(small, small_bytes);
    if (out == NULL)
        return mw_fail(MW_ERR_NOMEM, "a layout's text");
    const int rc = write_small(text, bytes, side, out);
    if (fclose(out) != 0 || rc != MW_OK) {
        free(*small);
        *small = NULL;
    }
    return rc;
}
