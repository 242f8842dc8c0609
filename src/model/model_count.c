/* model_count.c -- see model_count.h. Vertices are numbered by falling degree, so that a hub
 * is a number below a threshold, and rows are sorted, so that hubs come first in each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model/model_count.h"

#include "base/mem.h"
#include "graph500/generator.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 14, NOT_REACHED = -1 };

struct rows {
    uint64_t n, n_edges, n_entries, n_connected;
    uint64_t *begin;   /* [n + 1] */
    uint32_t *column;  /* [n_entries], rows sorted and without doubles */
    uint32_t *rank_of; /* [n]: number of the input -> number here */
    uint32_t *tuples;  /* [n]: ends of input tuples, without self-loops, by number here */
};

/* ---- the graph -------------------------------------------------------------------------- */

struct ranked {
    uint64_t degree;
    uint32_t v;
};

static int by_falling_degree(const void *a, const void *b)
{
    const struct ranked *x = (const struct ranked *)a, *y = (const struct ranked *)b;
    if (x->degree != y->degree)
        return x->degree < y->degree ? 1 : -1;
    return x->v < y->v ? -1 : x->v > y->v;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Without doubles, so that the order is the one of the distinct degrees; begin[v] counts
 * tuples at first. */
static void sort_rows(struct rows *g)
{
    uint64_t end = 0;
    for (uint64_t v = 0; v < g->n; v++) {
        uint32_t *row = g->column + g->begin[v];
        const uint64_t n = g->begin[v + 1] - g->begin[v], first = end;
        qsort(row, n, sizeof *row, by_number);
        for (uint64_t i = 0; i < n; i++)
            if (i == 0 || row[i] != row[i - 1])
                g->column[end++] = row[i];
        g->begin[v] = first;
    }
    g->begin[g->n] = end;
    g->n_entries = end;
}

/* begin[v] runs from the row's start to its end while `u -> v` is put in. */
static void put_edges(struct rows *g, const uint32_t *ends, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t u = g->rank_of[ends[2 * i]], v = g->rank_of[ends[2 * i + 1]];
        if (u == v)
            continue;
        g->column[g->begin[u]++] = v;
        g->column[g->begin[v]++] = u;
    }
}

static void count_ends(const struct mw_kronecker *k, uint32_t *ends, uint32_t *tuples)
{
    for (uint64_t first = 0; first < k->n_edges; first += PIECE) {
        const uint64_t n = mw_min(PIECE, k->n_edges - first);
        mw_kronecker_edges(k, first, n, ends, NULL);
        for (uint64_t i = 0; i < n; i++)
            if (ends[2 * i] != ends[2 * i + 1]) {
                tuples[ends[2 * i]]++;
                tuples[ends[2 * i + 1]]++;
            }
    }
}

static int rank_vertices(struct rows *g)
{
    int rc = MW_OK;
    struct ranked *order = NULL;
    uint32_t *tuples = NULL;
    MW_NEW(rc, order, "vertices by degree", g->n);
    MW_NEW(rc, tuples, "tuples of vertices", g->n);
    for (uint64_t v = 0; v < g->n; v++)
        order[v] = (struct ranked){g->tuples[v], (uint32_t)v};
    qsort(order, g->n, sizeof *order, by_falling_degree);
    for (uint64_t r = 0; r < g->n; r++) {
        g->rank_of[order[r].v] = (uint32_t)r;
        tuples[r] = (uint32_t)order[r].degree;
        g->n_connected += order[r].degree > 0;
    }
    memcpy(g->tuples, tuples, g->n * sizeof *tuples);
end:
    mw_free(order);
    mw_free(tuples);
    return rc;
}

static void rows_free(struct rows *g)
{
    mw_free(g->begin);
    mw_free(g->column);
    mw_free(g->rank_of);
    mw_free(g->tuples);
}

static int rows_new(const struct mw_count_conf *conf, struct rows *g)
{
    int rc;
    struct mw_kronecker *k = NULL;
    uint32_t *ends = NULL;
    uint64_t sum = 0;
    *g = (struct rows){.n = UINT64_C(1) << conf->scale,
                       .n_edges = (uint64_t)conf->edgefactor << conf->scale};
    rc = MW_OK;
    MW_NEW(rc, k, "generator", 1);
    MW_TRY(rc, mw_kronecker_init(k, conf->scale, g->n_edges, conf->seed));
    MW_NEW(rc, ends, "edges of a piece", 2 * PIECE);
    MW_NEW(rc, g->tuples, "tuples of vertices", g->n);
    MW_NEW(rc, g->rank_of, "numbers by degree", g->n);
    MW_NEW(rc, g->begin, "row offsets", g->n + 1);
    count_ends(k, ends, g->tuples);
    MW_TRY(rc, rank_vertices(g));
    for (uint64_t v = 0; v < g->n; v++) {
        g->begin[v] = sum;
        sum += g->tuples[v];
    }
    MW_NEW(rc, g->column, "row entries", sum);
    for (uint64_t first = 0; first < g->n_edges; first += PIECE) {
        const uint64_t n = mw_min(PIECE, g->n_edges - first);
        mw_kronecker_edges(k, first, n, ends, NULL);
        put_edges(g, ends, n);
    }
    memmove(g->begin + 1, g->begin,
            g->n * sizeof *g->begin); /* ends are the next starts */
    g->begin[0] = 0;
    sort_rows(g);
end:
    mw_free(k);
    mw_free(ends);
    return rc;
}

/* ---- a search --------------------------------------------------------------------------- */

struct walk {
    const struct rows *g;
    int32_t *depth; /* [n] */
    uint32_t *list; /* [n]: the reached, in the order of their depth */
    uint64_t first[MW_PROFILE_LEVELS + 1]; /* where a depth begins in `list` */
    uint32_t n_levels;
};

/* The depths; false: deeper than is kept. */
static bool walk_from(struct walk *w, uint32_t root)
{
    const struct rows *g = w->g;
    uint64_t n = 1, done = 0;
    for (uint64_t v = 0; v < g->n; v++)
        w->depth[v] = NOT_REACHED;
    w->list[0] = root;
    w->depth[root] = 0;
    w->n_levels = 0;
    while (done < n && w->n_levels < MW_PROFILE_LEVELS) {
        const uint64_t end = n;
        w->first[w->n_levels++] = done;
        for (; done < end; done++)
            for (uint64_t i = g->begin[w->list[done]]; i < g->begin[w->list[done] + 1];
                 i++)
                if (w->depth[g->column[i]] == NOT_REACHED) {
                    w->depth[g->column[i]] = w->depth[w->list[done]] + 1;
                    w->list[n++] = g->column[i];
                }
    }
    w->first[w->n_levels] = done;
    return done == n;
}

/* Hubs are the numbers below this. */
static uint32_t threshold(const struct rows *g, int share)
{
    return (uint32_t)(g->n >> (MW_HUB_FIRST + share));
}

/* Counts, before they become shares. */
struct tally {
    uint64_t reads[MW_N_HUB_SHARES], records[MW_N_HUB_SHARES], hits[MW_N_HUB_SHARES];
};

static void tally_top_down(const struct walk *w, uint32_t level, struct tally *t)
{
    const struct rows *g = w->g;
    for (uint64_t k = w->first[level]; k < w->first[level + 1]; k++)
        for (uint64_t i = g->begin[w->list[k]]; i < g->begin[w->list[k] + 1]; i++) {
            const uint32_t v = g->column[i];
            const bool reached = w->depth[v] != NOT_REACHED && w->depth[v] <= (int)level;
            for (int s = 0; s < MW_N_HUB_SHARES; s++) {
                t->reads[s]++;
                t->records[s] += !reached || v >= threshold(g, s);
            }
        }
}

/* One vertex that is not reached; its row begins with the hubs. */
static void tally_row(const struct walk *w, uint32_t v, uint32_t level, struct tally *t)
{
    const struct rows *g = w->g;
    const uint32_t *row = g->column + g->begin[v];
    const uint64_t n = g->begin[v + 1] - g->begin[v];
    uint64_t first = n,
             active = 0; /* where the frontier begins in the row; how much of it */
    for (uint64_t i = n; i-- > 0;)
        if (w->depth[row[i]] == (int)level) {
            first = i;
            active++;
        }
    for (int s = 0; s < MW_N_HUB_SHARES; s++) {
        uint64_t hubs = 0;
        if (first < n && row[first] < threshold(g, s)) {
            t->reads[s] += first + 1;
            continue;
        }
        while (hubs < n && row[hubs] < threshold(g, s))
            hubs++;
        t->reads[s] += n;
        t->records[s] += n - hubs;
        t->hits[s] += active;
    }
}

static void tally_bottom_up(const struct walk *w, uint32_t level, struct tally *t)
{
    for (uint64_t v = 0; v < w->g->n_connected; v++)
        if (w->depth[v] == NOT_REACHED || w->depth[v] > (int)level)
            tally_row(w, (uint32_t)v, level, t);
}

static uint32_t lowest_active(const struct walk *w, uint32_t level)
{
    uint32_t lowest = UINT32_MAX;
    for (uint64_t k = w->first[level]; k < w->first[level + 1]; k++)
        lowest = w->list[k] < lowest ? w->list[k] : lowest;
    return lowest;
}

static void fill_level(const struct walk *w, uint32_t level, struct mw_profile_level *out)
{
    const double all = (double)w->g->n_entries;
    const uint32_t lowest = lowest_active(w, level);
    struct tally t = {{0}, {0}, {0}};
    if (out->direction == MW_TOP_DOWN)
        tally_top_down(w, level, &t);
    else
        tally_bottom_up(w, level, &t);
    for (int s = 0; s < MW_N_HUB_SHARES; s++)
        out->hub[s] =
            (struct mw_hub_count){(double)t.reads[s] / all, (double)t.records[s] / all,
                                  (double)t.hits[s] / all, lowest < threshold(w->g, s)};
}

static void fill_search(const struct walk *w, const struct mw_direction_rule *rule,
                        struct mw_profile_search *out)
{
    const struct rows *g = w->g;
    enum mw_direction now = MW_TOP_DOWN;
    uint64_t left = g->n_entries, tuples = 0;
    out->n_levels = w->n_levels;
    for (uint32_t l = 0; l < w->n_levels; l++) {
        uint64_t active = 0;
        for (uint64_t k = w->first[l]; k < w->first[l + 1]; k++) {
            active += g->begin[w->list[k] + 1] - g->begin[w->list[k]];
            tuples += g->tuples[w->list[k]];
        }
        left -= active;
        const struct mw_direction_input in = {w->first[l + 1] - w->first[l], active, left,
                                              g->n_connected};
        now = mw_direction_choose(rule, now, &in);
        out->level[l] = (struct mw_profile_level){
            .direction = now,
            .active = (double)active / (double)g->n_entries,
            .unvisited = (double)left / (double)g->n_entries,
        };
        fill_level(w, l, &out->level[l]);
    }
    out->n_edges = (double)tuples / 2 / (double)g->n_edges;
}

/* ---- public ----------------------------------------------------------------------------- */

static int check(const struct mw_count_conf *conf)
{
    if (conf->scale < MW_HUB_LAST || conf->scale > MW_COUNT_SCALE_MAX)
        return mw_fail(MW_ERR_REFUSED, "count: SCALE %u; %d to %d can be counted",
                       conf->scale, MW_HUB_LAST, MW_COUNT_SCALE_MAX);
    if (conf->n_roots == 0 || conf->n_roots > MW_PROFILE_SEARCHES)
        return mw_fail(MW_ERR_USAGE, "count: %u roots; 1 to %d are legal", conf->n_roots,
                       MW_PROFILE_SEARCHES);
    for (uint32_t i = 0; i < conf->n_roots; i++)
        if (conf->root[i] >> conf->scale != 0)
            return mw_fail(MW_ERR_USAGE, "count: root %llu is not below 2^%u",
                           (unsigned long long)conf->root[i], conf->scale);
    return MW_OK;
}

int mw_model_count(const struct mw_count_conf *conf, struct mw_profile *out)
{
    int rc;
    struct rows g = {0};
    struct walk w = {.g = &g};
    MW_TRY(rc, check(conf));
    MW_TRY(rc, rows_new(conf, &g));
    MW_NEW(rc, w.depth, "depths", g.n);
    MW_NEW(rc, w.list, "reached vertices", g.n);
    *out = (struct mw_profile){
        .scale = conf->scale,
        .edgefactor = conf->edgefactor,
        .entries_per_vertex = (double)g.n_entries / (double)g.n,
        .connected = (double)g.n_connected / (double)g.n,
        .counted = true,
        .n_searches = conf->n_roots,
    };
    for (uint32_t i = 0; i < conf->n_roots; i++) {
        if (!walk_from(&w, g.rank_of[conf->root[i]]))
            MW_TRY(rc, mw_fail(MW_ERR_REFUSED, "count: a search of more than %d levels",
                               MW_PROFILE_LEVELS));
        fill_search(&w, &conf->rule, &out->search[i]);
    }
end:
    rows_free(&g);
    mw_free(w.depth);
    mw_free(w.list);
    return rc;
}
