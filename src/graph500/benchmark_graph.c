/* benchmark_graph.c -- the list of tuples, the graph made of it, and the roots. See benchmark_run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/benchmark_run.h"

#include "base/clock.h"
#include "base/mem.h"
#include "devices/building.h"
#include "devices/list_there.h"
#include "devices/placed.h"
#include "graph/dealing.h"
#include "graph500/generation.h"
#include "graph500/roots.h"
#include "shuffle/job.h"

#include <string.h>

/* ---- Where the list is ------------------------------------------------------------------- */

/* Do all searches of a way do without the host's graph? */
static bool stays(const struct mw_benchmark *r, const struct mw_benchmark_way *way)
{
    const struct mw_algorithm *const a = way->algorithm;
    return a->stays != NULL && !mw_goal_is_sought(r->conf->goal) &&
           !r->conf->keep_levels && a->stays(way->options, way->world->backend);
}

/* Collective, before any clock: devices may take a second to come together. */
static int try_parts(struct mw_benchmark *r)
{
    struct mw_world *const w = r->way[0].world;
    struct mw_world_shape shape;
    mw_world_shape_of(w, &shape);
    r->reach = r->comm->size == 1;
    return !r->reach && stays(r, &r->way[0]) && mw_parts_expected(&shape)
               ? mw_parts_try(w, &r->reach)
               : MW_OK;
}

/* Collective: where the cores of a device build, and all ways search there, they get the list,
 * unless some have no room for it. */
static int place_list(struct mw_benchmark *r)
{
    for (uint32_t i = 0; i < r->n_ways; i++) {
        struct mw_world_shape shape;
        mw_world_shape_of(r->way[i].world, &shape);
        if (!mw_cores_build(&r->conf->graph_rule, &shape, stays(r, &r->way[i]),
                            r->edges.n_vertices, r->edges.directed))
            return MW_OK;
    }
    const bool weighted = r->conf->graph_rule.weights != MW_WEIGHTS_NONE &&
                          (r->conf->given == NULL || r->edges.weight != NULL);
    const int rc = r->reach ? mw_list_place(r->way[0].world, &r->edges, weighted) : MW_OK;
    if (rc != MW_ERR_NOMEM)
        return rc;
    mw_error_clear();
    return MW_OK;
}

/* ---- Generation: each rank its stretch of the list ------------------------------------- */

static int generate(struct mw_benchmark *r)
{
    const struct mw_benchmark_conf *conf = r->conf;
    const uint64_t n_vertices = UINT64_C(1) << conf->scale;
    const uint64_t n_edges = (uint64_t)conf->edgefactor << conf->scale;
    const struct mw_cpe self = {.id = r->comm->rank, .n = r->comm->size};
    const double start = mw_now();
    struct mw_kronecker kronecker;
    uint64_t first, last;
    int rc;

    mw_benchmark_say_phase(r, MW_PHASE_GENERATE);
    mw_share(&self, 0, n_edges, &first, &last);
    MW_TRY(rc, mw_kronecker_init(&kronecker, conf->scale, n_edges, conf->seed));
    r->edges.n_vertices = n_vertices;
    r->edges.n = last - first;
    MW_TRY(rc, place_list(r));
    if (r->edges.of_cores == NULL)
        MW_TRY(rc, mw_edges_init(&r->edges, n_vertices, last - first));
    if (r->edges.of_cores == NULL && conf->graph_rule.weights != MW_WEIGHTS_NONE)
        MW_TRY(rc, mw_edges_weigh(&r->edges));
    MW_TRY(rc, mw_generate(r->way[0].world, &kronecker, first, last - first, &r->edges));
end:
    rc = mw_comm_agree(r->comm, rc);
    if (rc == MW_OK) {
        r->out->generation_s = mw_now() - start;
        rc = mw_benchmark_longest(r->comm, &r->out->generation_s);
    }
    return rc;
}

/* ---- Kernel 1 ------------------------------------------------------------------------------ */

/* Collective: by the cores that have the list, if they have room for the graph; *done: they had. */
static int build_there(struct mw_benchmark *r, bool *done)
{
    const struct mw_building_rule rule = {.delegate = r->conf->delegate,
                                          .weights = r->conf->graph_rule.weights};
    struct mw_world *w = r->way[0].world;
    int rc = MW_OK;
    if (r->conf->given != NULL)
        MW_TRY(rc, place_list(r));
    if (r->edges.of_cores == NULL)
        return MW_OK;
    rc = mw_graph_build_there(w, &r->edges, &rule, r->out->built_s, &r->graph);
    *done = rc == MW_OK;
    if (rc != MW_ERR_NOMEM)
        return rc;
    mw_error_clear();
    MW_TRY(rc, mw_list_come_home(w, &r->edges));
    mw_list_unplace(w, &r->edges);
end:
    return rc;
}

static bool thins(const struct mw_benchmark *r, const struct mw_benchmark_way *way,
                  const struct mw_graph_shape *list)
{
    const struct mw_algorithm *const a = way->algorithm;
    return mw_algorithm_builds(a, way->world->backend) && a->thins != NULL &&
           a->thins(list, r->comm->n_hosts, way->options);
}

/* Has an earlier way of the same algorithm asked for what this one would? *out: what came of it, or NULL. */
static bool asked_before(const struct mw_benchmark *r, uint32_t way,
                         const struct mw_graph_shape *list, struct mw_graph **out)
{
    for (uint32_t k = 0; k < way; k++)
        if (r->way[k].algorithm == r->way[way].algorithm && thins(r, &r->way[k], list) &&
            thins(r, &r->way[way], list)) {
            *out = r->way[k].graph;
            return true;
        }
    return false;
}

/* Collective: the graphs that algorithms build themselves. *rest: other ways search all rows; *weights: with these. */
static int build_own(struct mw_benchmark *r, const struct mw_graph_rule *rule, bool *rest,
                     enum mw_weights *weights)
{
    struct mw_graph_shape list = {.n_vertices = r->edges.n_vertices,
                                  .n_edges = r->edges.n,
                                  .directed = r->edges.directed,
                                  .weights = rule->weights};
    *rest = false;
    *weights = MW_WEIGHTS_NONE;
    MW_NEED(mw_comm_sum(r->comm, &list.n_edges, 1));
    for (uint32_t w = 0; w < r->n_ways; w++) {
        struct mw_benchmark_way *const way = &r->way[w];
        const struct mw_algorithm *const a = way->algorithm;
        if (mw_algorithm_builds(a, way->world->backend) &&
            !asked_before(r, w, &list, &way->graph))
            MW_NEED(a->build(r->world, &r->edges, rule, way->options, &way->graph));
        if (way->graph != NULL)
            continue;
        *rest = true;
        if (a->weights != MW_WEIGHTS_NONE)
            *weights = rule->weights;
    }
    return MW_OK;
}

/* Collective: by the host's cores. */
static int build_here(struct mw_benchmark *r, const struct mw_graph_rule *rule)
{
    struct mw_graph_rule of_rest = *rule;
    bool rest;
    MW_NEED(build_own(r, rule, &rest, &of_rest.weights));
    if (!rest) {
        r->graph = r->way[0].graph;
        return MW_OK;
    }
    MW_NEED(mw_graph_build_by(r->world, &r->edges, &of_rest, &r->graph));
    return mw_graph_delegate(r->world, r->graph, r->conf->delegate);
}

/* Is it the run's graph, or an earlier way's? */
static bool is_anothers(const struct mw_benchmark *r, uint32_t way)
{
    bool is = r->way[way].graph == r->graph;
    for (uint32_t k = 0; k < way; k++)
        is = is || r->way[k].graph == r->way[way].graph;
    return is;
}

void mw_benchmark_free_graphs(struct mw_benchmark *r)
{
    for (uint32_t w = 0; r->way != NULL && w < r->n_ways; w++)
        if (!is_anothers(r, w))
            mw_graph_free(r->way[w].graph);
    mw_graph_free(r->graph);
}

static void add_laps(struct mw_benchmark_result *out, const struct mw_laps *l)
{
    for (int i = 0; i < MW_N_LAPS; i++) {
        out->lap_s[i] += l->s[i];
        out->longest_lap_s[i] += l->work_s[i];
    }
}

/* Of all graphs. */
static int sum_laps(struct mw_benchmark *r)
{
    struct mw_benchmark_result *out = r->out;
    uint64_t sum[MW_N_LAPS];
    add_laps(out, &r->graph->laps);
    for (uint32_t w = 0; w < r->n_ways; w++)
        if (!is_anothers(r, w))
            add_laps(out, &r->way[w].graph->laps);
    for (int i = 0; i < MW_N_LAPS; i++) {
        sum[i] = (uint64_t)(1e9 * out->longest_lap_s[i]);
        MW_NEED(mw_benchmark_longest(r->comm, &out->lap_s[i]));
        MW_NEED(mw_benchmark_longest(r->comm, &out->longest_lap_s[i]));
    }
    MW_NEED(mw_comm_sum(r->comm, sum, MW_N_LAPS));
    for (int i = 0; i < MW_N_LAPS; i++)
        out->mean_lap_s[i] = 1e-9 * (double)sum[i] / r->comm->size;
    return MW_OK;
}

/* Collective: what the way's own graph has. */
static int rows_facts(struct mw_benchmark *r, struct mw_benchmark_way *way)
{
    const struct mw_graph *const g = way->graph;
    struct mw_benchmark_result *const out = way->out;
    out->n_edges_kept = g->thin ? MW_COUNT_NONE : mw_graph_n_distinct(g);
    out->most_entries =
        r->comm->size > 1 ? mw_placed_entries(way->world, g) : g->n_entries;
    return mw_comm_max(r->comm, &out->most_entries, 1);
}

static int construct(struct mw_benchmark *r)
{
    struct mw_benchmark_result *out = r->out;

    mw_benchmark_say_phase(r, MW_PHASE_CONSTRUCT);
    MW_NEED(mw_comm_barrier(r->comm));
    const double start = mw_now();
    struct mw_graph_rule rule = r->conf->graph_rule;
    rule.without_names = true;
    for (uint32_t w = 0; w < r->n_ways; w++)
        rule.without_names &= r->way[w].algorithm->asks_names;
    MW_NEED(mw_edges_deal(r->comm, &rule, &r->edges));
    MW_NEED(mw_comm_agree(r->comm, build_there(r, &out->built_there)));
    if (!out->built_there)
        MW_NEED(build_here(r, &rule));
    for (uint32_t w = 0; w < r->n_ways; w++)
        if (r->way[w].graph == NULL)
            r->way[w].graph = r->graph;
    mw_lap(&r->graph->laps, r->comm, MW_LAP_DELEGATE);
    out->construction_s = mw_now() - start;
    MW_NEED(mw_benchmark_longest(r->comm, &out->construction_s));
    MW_NEED(sum_laps(r));
    out->n_vertices = r->graph->n_vertices;
    out->n_edges = r->graph->n_edges;
    out->n_connected = r->graph->n_connected;
    for (uint32_t w = 0; w < r->n_ways; w++)
        MW_NEED(rows_facts(r, &r->way[w]));
    out->directed = r->graph->directed;
    out->asked_columns = r->graph->asked_columns;
    out->deal = UINT64_C(1) << r->graph->partition.block_bits;
    out->partial = r->conf->goal != NULL;
    return MW_OK;
}

/* ---- Roots --------------------------------------------------------------------------------- */

struct asking {
    struct mw_world *world;
    const struct mw_graph *graph;
    int rc;
};

static bool connected(void *arg, mw_vid v)
{
    struct asking *a = arg;
    uint64_t is = 0;
    if (a->rc == MW_OK)
        a->rc = mw_placed_are_connected(a->world, a->graph, &v, 1, &is);
    return is != 0;
}

static int choose_roots(struct mw_benchmark *r)
{
    const struct mw_benchmark_conf *conf = r->conf;
    struct asking asking = {r->way[0].world, r->graph, MW_OK};
    int rc = MW_OK;

    MW_NEW(rc, r->root, "roots", conf->n_roots);
    for (uint32_t w = 0; w < r->n_ways; w++)
        MW_NEW(rc, r->way[w].out->search, "searches", conf->n_roots);
end: /* choosing is collective: all of us or none */
    rc = mw_comm_agree(r->comm, rc);
    if (rc != MW_OK)
        return rc;
    if (!conf->algorithm->keyed) {
        r->n_roots = conf->n_roots;
        for (uint32_t i = 0; i < r->n_roots; i++)
            r->root[i] = MW_NO_VERTEX;
    } else if (conf->root != NULL) {
        memcpy(r->root, conf->root, conf->n_roots * sizeof *r->root);
        r->n_roots = conf->n_roots;
    } else {
        struct mw_root_stream stream;
        mw_root_stream_init(&stream, conf->seed, r->graph->n_vertices);
        r->n_roots =
            mw_roots_select(&stream, conf->compat ? MW_ROOTS_COMPAT : MW_ROOTS_DISTINCT,
                            conf->n_roots, r->root, connected, &asking)
                .n;
        rc = asking.rc;
        if (rc == MW_OK && r->n_roots == 0)
            rc = mw_fail(MW_ERR_DATA,
                         "the graph has no edge between two vertices: there is "
                         "nothing to search from (--root V searches all the same)");
    }
    r->out->n_roots = r->n_roots;
    if (rc == MW_OK && conf->chosen != NULL)
        rc = conf->chosen(conf->keep_arg, r->root, r->n_roots);
    return mw_comm_agree(r->comm, rc);
}

int mw_benchmark_build(struct mw_benchmark *r)
{
    MW_NEED(try_parts(r));
    if (r->conf->given == NULL)
        MW_NEED(generate(r));
    if (r->edges.of_cores != NULL)
        MW_NEED(mw_list_digest(r->way[0].world, &r->edges, &r->out->digest));
    else
        MW_NEED(mw_digest_of(r->world, &r->edges, &r->out->digest));
    MW_NEED(construct(r));
    return choose_roots(r);
}
