/* sample.h -- small graphs of every shape, and a serial search over adjacency sets: the
 * oracle of the suites for construction, search and validation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "graph/edges.h"
#include "graph500/generator.h"
#include "ranks.h"

#include <string.h>

#define NO_LEVEL UINT32_MAX

struct sample {
    const char *name;
    uint64_t n, m;
    uint64_t (*edge)[2];
    bool directed;
    /* The oracle: neighbours (directed: along edges) without duplicates and self-loops,
     * rising. */
    uint64_t *first, *neighbour;
    uint64_t *touching; /* tuples (directed: that leave it), self-loops not counted */
};

static inline void sample_edge(struct sample *s, uint64_t u, uint64_t v)
{
    if (s->m % 1024 == 0) {
        s->edge = realloc(s->edge, (s->m + 1024) * sizeof *s->edge);
        MUST(s->edge != NULL);
    }
    s->edge[s->m][0] = u;
    s->edge[s->m++][1] = v;
}

static inline int sample_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline void sample_finish(struct sample *s)
{
    uint64_t *room = calloc(s->n + 2, sizeof *room), *all;
    s->first = calloc(s->n + 1, sizeof *s->first);
    s->touching = calloc(s->n + 1, sizeof *s->touching);
    all = calloc(2 * s->m + 1, sizeof *all);
    MUST(room != NULL && s->first != NULL && s->touching != NULL && all != NULL);
    const int n_ends = s->directed ? 1 : 2;
    for (uint64_t i = 0; i < s->m; i++)
        if (s->edge[i][0] != s->edge[i][1])
            for (int k = 0; k < n_ends; k++) {
                s->touching[s->edge[i][k]]++;
                room[s->edge[i][k] + 1]++;
            }
    for (uint64_t v = 0; v < s->n; v++)
        room[v + 1] += room[v];
    for (uint64_t i = 0; i < s->m; i++)
        if (s->edge[i][0] != s->edge[i][1])
            for (int k = 0; k < n_ends; k++)
                all[room[s->edge[i][k]]++] = s->edge[i][1 - k];
    uint64_t to = 0, from = 0;
    for (uint64_t v = 0; v < s->n; v++) {
        const uint64_t end = room[v];
        qsort(all + from, end - from, sizeof *all, sample_order);
        s->first[v] = to;
        for (uint64_t before = UINT64_MAX; from < end; from++)
            if (all[from] != before)
                before = all[to++] = all[from];
    }
    s->first[s->n] = to;
    s->neighbour = all;
    free(room);
}

/* The same edges with a direction. */
static inline void sample_direct(struct sample *s)
{
    free(s->first);
    free(s->neighbour);
    free(s->touching);
    s->directed = true;
    sample_finish(s);
}

/* The edges turned round, for what is said of edges inwards. */
static inline struct sample sample_reversed(const struct sample *s)
{
    struct sample back = {.name = s->name, .n = s->n, .directed = s->directed};
    for (uint64_t i = 0; i < s->m; i++)
        sample_edge(&back, s->edge[i][1], s->edge[i][0]);
    sample_finish(&back);
    return back;
}

static inline void sample_free(struct sample *s)
{
    free(s->edge);
    free(s->first);
    free(s->neighbour);
    free(s->touching);
    memset(s, 0, sizeof *s);
}

static inline bool sample_adjacent(const struct sample *s, uint64_t u, uint64_t v)
{
    return bsearch(&v, s->neighbour + s->first[u], s->first[u + 1] - s->first[u],
                   sizeof v, sample_order) != NULL;
}

static inline uint64_t sample_degree(const struct sample *s, uint64_t v)
{
    return s->first[v + 1] - s->first[v];
}

/* level[n]; returns the greatest level + 1. */
static inline uint32_t sample_levels(const struct sample *s, uint64_t root,
                                     uint32_t *level)
{
    uint64_t *queue = malloc((s->n + 1) * sizeof *queue), head = 0, tail = 0;
    MUST(queue != NULL);
    memset(level, 0xFF, s->n * sizeof *level);
    level[root] = 0;
    queue[tail++] = root;
    while (head < tail) {
        const uint64_t u = queue[head++];
        for (uint64_t k = s->first[u]; k < s->first[u + 1]; k++)
            if (level[s->neighbour[k]] == NO_LEVEL) {
                level[s->neighbour[k]] = level[u] + 1;
                queue[tail++] = s->neighbour[k];
            }
    }
    const uint32_t n_levels = level[queue[tail - 1]] + 1;
    free(queue);
    return n_levels;
}

/* ---- Shapes -------------------------------------------------------------------------------- */

/* From width x height, with some edges left out. */
static inline struct sample sample_grid(uint64_t width, uint64_t height, uint64_t seed)
{
    struct sample s = {.name = "grid", .n = width * height};
    for (uint64_t v = 0; v < s.n; v++) {
        if (v % width + 1 < width && mixed(seed + 2 * v) % 10 < 9)
            sample_edge(&s, v, v + 1);
        if (v + width < s.n && mixed(seed + 2 * v + 1) % 10 < 9)
            sample_edge(&s, v, v + width);
    }
    sample_finish(&s);
    return s;
}

enum shape {
    ONE_VERTEX,
    TWO_VERTICES,
    NO_EDGES,
    ONE_EDGE,
    ONLY_LOOPS,
    DUPLICATES,
    STAR,
    PATH,
    RING,
    CLIQUE,
    TWO_COMPONENTS,
    MOSTLY_ISOLATED,
    HUBS,
    SHAPES
};

static inline struct sample sample_shape(enum shape shape)
{
    static const char *const name[] = {
        "one vertex",     "two vertices", "no edges",  "one edge",
        "only loops",     "duplicates",   "star",      "path",
        "ring",           "clique",       "two parts", "mostly isolated",
        "hubs and leaves"};
    struct sample s = {.name = name[shape], .n = 60};
    uint64_t dice = 99;
    switch (shape) {
    case ONE_VERTEX:
        s.n = 1;
        break;
    case TWO_VERTICES:
        s.n = 2;
        sample_edge(&s, 1, 0);
        break;
    case NO_EDGES:
        break;
    case ONE_EDGE:
        sample_edge(&s, 17, 42);
        break;
    case ONLY_LOOPS:
        for (uint64_t i = 0; i < 20; i++)
            sample_edge(&s, i, i);
        break;
    case DUPLICATES:
        for (uint64_t i = 0; i < 300; i++)
            sample_edge(&s, (i & 1) ? 3 : 9, (i & 2) ? 9 : 3 + i % 5);
        break;
    case STAR:
        for (uint64_t i = 1; i < s.n; i++)
            sample_edge(&s, i % 2 ? i : 0, i % 2 ? 0 : i);
        break;
    case PATH:
        s.n = 80;
        for (uint64_t i = 1; i < s.n; i++)
            sample_edge(&s, i - 1, i);
        break;
    case RING:
        for (uint64_t i = 0; i < s.n; i++)
            sample_edge(&s, i, (i + 1) % s.n);
        break;
    case CLIQUE:
        s.n = 40;
        for (uint64_t u = 0; u < s.n; u++)
            for (uint64_t v = 0; v <= u; v++)
                sample_edge(&s, u, v);
        break;
    case TWO_COMPONENTS:
        for (uint64_t i = 0; i < 200; i++) {
            const uint64_t part = i % 2 * 30;
            sample_edge(&s, part + drawn(&dice, 30), part + drawn(&dice, 30));
        }
        break;
    case MOSTLY_ISOLATED:
        s.n = 5000;
        for (uint64_t i = 0; i < 40; i++)
            sample_edge(&s, 4900 + drawn(&dice, 30), drawn(&dice, 20));
        break;
    case HUBS:
        s.n = 3000;
        for (uint64_t i = 0; i < 9000; i++)
            sample_edge(&s, drawn(&dice, 5) * 7, drawn(&dice, s.n));
        break;
    default:
        break;
    }
    sample_finish(&s);
    return s;
}

/* A multigraph with loops and duplicates, of any density. */
static inline struct sample sample_random(uint64_t seed)
{
    struct sample s = {.name = "random"};
    uint64_t dice = mixed(seed);
    s.n = 1 + drawn(&dice, 200);
    const uint64_t m = drawn(&dice, 4 * s.n + 1), skew = 1 + drawn(&dice, s.n);
    for (uint64_t i = 0; i < m; i++)
        sample_edge(&s, drawn(&dice, skew), drawn(&dice, s.n));
    sample_finish(&s);
    return s;
}

static inline struct sample sample_kronecker(uint32_t scale)
{
    struct sample s = {.name = "Kronecker", .n = UINT64_C(1) << scale};
    const uint64_t seed[2] = {2, 3}, m = 16 * s.n;
    struct mw_kronecker k;
    uint32_t *const ends = malloc(2 * m * sizeof *ends);
    MUST(ends != NULL && mw_kronecker_init(&k, scale, m, seed) == MW_OK);
    mw_kronecker_edges(&k, 0, m, ends, NULL);
    for (uint64_t i = 0; i < m; i++)
        sample_edge(&s, ends[2 * i], ends[2 * i + 1]);
    free(ends);
    sample_finish(&s);
    return s;
}

/* This rank's share: any will do, so it is drawn. */
static inline int sample_share(const struct sample *s, const struct mw_comm *c,
                               struct mw_edges *e)
{
    int rc = mw_edges_init(e, s->n, 4);
    e->directed = s->directed;
    for (uint64_t i = 0; rc == MW_OK && i < s->m; i++)
        if (mixed(i) % c->size == c->rank)
            rc = mw_edges_add(e, s->edge[i][0], s->edge[i][1]);
    return rc;
}

#endif
