/* calibrate.c -- see calibrate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/calibrate.h"

#include "algorithms/bfs/bfs.h"
#include "base/clock.h"
#include "graph500/benchmark.h"
#include "graph500/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    EDGEFACTOR = 16,
    SMALL = 1000, /* edges of a level in which there is next to nothing to do */
    SUMS = 200,   /* that are timed together */
    SEARCHES_MOST = 64,
    TIMES_MOST = 1024
};

/* What the levels of a search spent on something, seconds of all cores, and of how much
 * they did it; and for each search so far the rate. Searches that other programs disturb
 * are outvoted. */
struct work {
    double s, n;
    double rate[SEARCHES_MOST];
    uint32_t n_rates;
};

struct gathered {
    const struct mw_benchmark_result *run;
    struct mw_timing_conf timing; /* of this run */
    double n_cores;
    struct work edges, records, places, rows, labels;
    double small_s[TIMES_MOST];
    uint32_t n_small;
    /* Of large levels: what they took without what any takes, by what the rates so far
     * make of that. */
    struct mw_rate_point *point;
    struct work whole;
};

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double middle_of(double *value, uint32_t n)
{
    qsort(value, n, sizeof *value, compare);
    return n > 0 ? value[n / 2] : 0;
}

static void end_search(struct work *w)
{
    if (w->n > 0 && w->n_rates < SEARCHES_MOST)
        w->rate[w->n_rates++] = w->s / w->n;
    w->s = w->n = 0;
}

static double each(struct work *w)
{
    return middle_of(w->rate, w->n_rates);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* The row's time goes to what sets it: one of these words begins its name; else to labels. */
static struct work *kind_of(struct gathered *g, const char *row)
{
    static const char *const edges[] = {"forward generator", "pieces", "slices",
                                        "refresh"};
    static const char *const records[] = {"forward relay", "forward handler", "backward",
                                          "follow"};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        if (strcmp(row, edges[i]) == 0)
            return &g->edges;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        if (strncmp(row, records[i], strlen(records[i])) == 0)
            return &g->records;
    if (strcmp(row, "heads") == 0)
        return &g->places;
    return strcmp(row, "rows") == 0 || strcmp(row, "lookup") == 0 ? &g->rows : &g->labels;
}

static struct mw_forecast_level counted(const struct gathered *g,
                                        const struct mw_level *l, double n_unvisited)
{
    const uint64_t form = l->own[MW_BFS_FORM];
    return (struct mw_forecast_level){
        .direction = (enum mw_direction)l->step,
        .form = form == MW_COUNT_NONE ? MW_FORM_AUTO : (enum mw_level_form)form,
        .heads = n_unvisited > (double)g->run->n_connected / 16 && form == MW_FORM_BITMAP,
        .n_active_edges = (double)l->n_active_edges,
        .n_unvisited = n_unvisited,
        .n_records = (double)l->n_records,
        .n_messages = (double)l->n_batches,
    };
}

static void gather_level(struct gathered *g, const struct mw_level *l, double n_unvisited)
{
    const struct mw_forecast_level count = counted(g, l, n_unvisited);
    const double cores = g->n_cores;
    if (count.form == MW_FORM_MIXED) /* top-down and bottom-up at once */
        return;
    if (l->n_active_edges < SMALL) {
        if (g->n_small < TIMES_MOST)
            g->small_s[g->n_small++] = l->time_s;
        return;
    }
    for (uint32_t i = 0; i < mw_algorithm_bfs.n_rows; i++)
        kind_of(g, mw_algorithm_bfs.row[i].name)->s +=
            cores * (double)l->spent[MW_SPENT_ROW + i].mean;
    g->labels.s += cores * (double)l->spent[MW_SPENT_REST].mean;
    g->records.s += cores * (double)l->spent[MW_SPENT_MOVING].mean;
    g->labels.n += (double)g->run->n_connected;
    g->records.n += count.n_records;
    if (count.direction == MW_TOP_DOWN)
        g->edges.n += count.n_active_edges;
    else
        g->rows.n += n_unvisited;
    if (count.heads)
        g->places.n += (double)g->run->n_vertices;
}

/* Gets every level, and the vertices that are not reached before it. */
typedef void level_visitor(struct gathered *g, const struct mw_level *l,
                           double n_unvisited);

static void for_levels(struct gathered *g, level_visitor *visit)
{
    struct work *const works[] = {&g->edges, &g->records, &g->places,
                                  &g->rows,  &g->labels,  &g->whole};
    for (uint32_t i = 0; i < g->run->n_searches; i++) {
        const struct mw_search *s = &g->run->search[i];
        double left = (double)g->run->n_connected - 1;
        for (uint32_t k = 0; k < s->n_level_records; k++) {
            visit(g, &s->level[k], left);
            left -= (double)s->level[k].n_found;
        }
        for (size_t k = 0; k < sizeof works / sizeof *works; k++)
            end_search(works[k]);
    }
}

/* ---- rates ------------------------------------------------------------------------------------- */

static void compare_level(struct gathered *g, const struct mw_level *l,
                          double n_unvisited)
{
    const struct mw_forecast_level count = counted(g, l, n_unvisited);
    const struct mw_level_time t =
        mw_timing_level(&g->timing, g->point, (double)g->run->n_connected, &count);
    if (l->n_active_edges < SMALL)
        return;
    g->whole.s += l->time_s - t.steps_s;
    g->whole.n += t.work_s + t.records_s;
}

/* What waiting, imbalance and all that stands in no row add: rates of levels grow by so
 * much that the large levels of this run come out as long as they were. */
static void fit(struct gathered *g)
{
    for_levels(g, compare_level);
    const double more = fmax(1, each(&g->whole));
    g->point->edge_s *= more;
    g->point->record_s *= more;
    g->point->place_s *= more;
    g->point->row_s *= more;
    g->point->label_s *= more;
}

static double validation_of(const struct mw_benchmark_result *run)
{
    double seconds[TIMES_MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_searches && n < TIMES_MOST; i++)
        seconds[n++] = run->search[i].validate_s;
    return middle_of(seconds, n);
}

static void find_rates(struct gathered *g, struct mw_rates *rates)
{
    const struct mw_benchmark_result *run = g->run;
    const double tuples = (double)run->n_edges;
    struct mw_rate_point point = {
        .n_vertices = (double)run->n_vertices / g->timing.forecast.n_hosts,
        .generate_s = run->generation_s * g->n_cores / tuples,
        .build_s = run->construction_s * g->n_cores / (2 * tuples),
        .validate_s = validation_of(run) * g->n_cores / tuples};
    for_levels(g, gather_level);
    point.edge_s = each(&g->edges);
    point.record_s = each(&g->records);
    point.place_s = each(&g->places);
    point.row_s = each(&g->rows);
    point.label_s = each(&g->labels);
    rates->level_s = middle_of(g->small_s, g->n_small);
    g->point = &point;
    g->timing.rates = rates;
    fit(g);
    mw_rates_add(rates, &point);
}

/* Collective: seconds of a step of a sum over the ranks. */
static int time_sums(struct mw_comm *comm, double *step_s)
{
    int rc = MW_OK;
    uint64_t value = 1;
    const double start = mw_now();
    for (uint32_t i = 0; i < SUMS && rc == MW_OK; i++)
        rc = mw_comm_sum(comm, &value, 1);
    const double steps = fmax(1, ceil(log2(comm->size)));
    *step_s = comm->size > 1 ? (mw_now() - start) / SUMS / steps : 0;
    return rc;
}

int mw_calibrate(struct mw_world *world, uint32_t scale, uint32_t n_roots,
                 struct mw_rates *rates)
{
    int rc;
    struct mw_world_shape shape;
    struct mw_benchmark_result run = {0};
    const struct mw_way way = {.world = world};
    const struct mw_benchmark_conf conf = {.algorithm = &mw_algorithm_bfs,
                                           .scale = scale,
                                           .edgefactor = EDGEFACTOR,
                                           .seed = {2, 3},
                                           .n_roots = n_roots,
                                           .validate = true};
    if (world->backend->now != NULL || world->host != NULL)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "rates are measured on the host's cores; backend %s has a time or "
                       "a memory of its own: --backend openmp or serial",
                       world->backend->name);
    mw_world_shape_of(world, &shape);
    MW_TRY(rc, time_sums(world->comm, &rates->step_s));
    MW_TRY(rc, mw_benchmark_run(&conf, &way, 1, &run));
    struct gathered g = {.run = &run,
                         .n_cores = (double)world->comm->size * shape.n_lanes,
                         .timing = {.forecast = {.groups = world->groups,
                                                 .n_hosts = world->comm->n_hosts,
                                                 .n_lanes = shape.n_lanes},
                                    .n_vertices = run.n_vertices}};
    find_rates(&g, rates);
    /* The rest of a small level, beyond the sum that ends it. */
    rates->level_s =
        fmax(0, rates->level_s - rates->step_s * ceil(log2(world->comm->size)));
    rates->measured = true;
    rates->n_ranks = world->comm->size;
    rates->n_threads = shape.n_lanes;
    if (gethostname(rates->host, sizeof rates->host - 1) != 0)
        rates->host[0] = '\0';
end:
    mw_benchmark_result_fini(&run);
    return rc;
}
