/* calibrate.c -- see calibrate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/calibrate.h"

#include "algorithms/bfs/bfs.h"
#include "base/clock.h"
#include "graph500/statistics.h"
#include "graph500/timing.h"
#include "mpe/set_share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SMALL = 1000,    /* edges of a level in which there is next to nothing to do */
    SUMS = 200,      /* that are timed together; exchanges and sets as well */
    PIECE = 1 << 20, /* bytes that a host sends to the next one, all at once */
    PIECES = 9,
    SET_WORDS = 1 << 12, /* of a rank's part of a bitmap that is told */
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
    const struct mw_rates *rates;
    /* Of large levels: what they took without what any takes, by what the rates so far
     * make of that. */
    struct mw_rate_point *point;
    struct work whole;
};

static void end_search(struct work *w)
{
    if (w->n > 0 && w->n_rates < SEARCHES_MOST)
        w->rate[w->n_rates++] = w->s / w->n;
    w->s = w->n = 0;
}

static double each(struct work *w)
{
    return mw_middle_of(w->rate, w->n_rates);
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

/* Streams of messages of a level. */
static uint32_t n_streams(const struct mw_level *l)
{
    const uint64_t follow = l->own[MW_BFS_FOLLOW_WORDS] > 0;
    if (l->own[MW_BFS_FORM] == MW_FORM_MESSAGES)
        return (uint32_t)(follow + 2 * l->own[MW_BFS_ROUNDS]);
    return l->n_batches > 0;
}

static struct mw_forecast_level counted(const struct gathered *g,
                                        const struct mw_level *l, double n_unvisited)
{
    const uint64_t form = l->own[MW_BFS_FORM];
    return (struct mw_forecast_level){
        .direction = (enum mw_direction)l->step,
        .form = form == MW_COUNT_NONE ? MW_FORM_AUTO : (enum mw_level_form)form,
        .n_exchanges = n_streams(l),
        .n_sums = 1,
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
    if (l->n_active_edges < SMALL)
        return;
    for (uint32_t i = 0; i < mw_algorithm_bfs.n_rows; i++)
        kind_of(g, mw_algorithm_bfs.row[i].name)->s +=
            cores * (double)l->spent[MW_SPENT_ROW + i].mean;
    g->labels.s += cores * (double)l->spent[MW_SPENT_REST].mean;
    /* Beside messages themselves, which the management core of each rank sends. */
    g->records.s +=
        cores * fmax(0, (double)l->spent[MW_SPENT_MOVING].mean -
                            count.n_messages / g->timing.forecast.groups.n_ranks *
                                g->rates->message_s);
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
    return mw_middle_of(seconds, n);
}

static void find_rates(struct gathered *g, struct mw_rates *rates)
{
    const struct mw_benchmark_result *run = g->run;
    const double tuples = (double)run->n_edges;
    struct mw_rate_point point = {.n_vertices = (double)run->n_vertices,
                                  .generate_s = run->generation_s * g->n_cores / tuples,
                                  .build_s =
                                      run->construction_s * g->n_cores / (2 * tuples),
                                  .validate_s = validation_of(run) * g->n_cores / tuples};
    g->rates = g->timing.rates = rates;
    for_levels(g, gather_level);
    point.edge_s = each(&g->edges);
    point.record_s = each(&g->records);
    point.place_s = each(&g->places);
    point.row_s = each(&g->rows);
    point.label_s = each(&g->labels);
    g->point = &point;
    fit(g);
    mw_rates_add(rates, &point);
}

/* Seconds of a level in which there is next to nothing to do. */
static double small_level(const struct mw_benchmark_result *run)
{
    double seconds[TIMES_MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_searches; i++)
        for (uint32_t k = 0; k < run->search[i].n_level_records && n < TIMES_MOST; k++)
            if (run->search[i].level[k].n_active_edges < SMALL)
                seconds[n++] = run->search[i].level[k].time_s;
    return mw_middle_of(seconds, n);
}

/* What is said of a small level where it is told, and where it is an exchange by messages, to every
 * other rank one. */
static void find_small(const struct mw_benchmark_result run[2], double n_ranks,
                       struct mw_rates *rates)
{
    const double steps = ceil(log2(n_ranks));
    const double told = small_level(&run[0]), sent = small_level(&run[1]);
    rates->level_s = fmax(0, told - 3 * steps * rates->step_s);
    if (n_ranks > 1)
        rates->exchange_s = fmax(0, sent - rates->level_s - steps * rates->step_s -
                                        (n_ranks - 1) * rates->message_s);
}

/* ---- between ranks ---------------------------------------------------------------------------- */

/* Collective: seconds of a sum over the ranks. */
static int time_sums(struct mw_comm *comm, double *sum_s)
{
    int rc = MW_OK;
    uint64_t value = 1;
    double seconds[SUMS];
    for (uint32_t i = 0; i < SUMS && rc == MW_OK; i++) {
        const double start = mw_now();
        rc = mw_comm_sum(comm, &value, 1);
        seconds[i] = mw_now() - start;
    }
    *sum_s = mw_middle_of(seconds, SUMS);
    return rc;
}

/* Collective: seconds in which each rank sends a word to those that `to` says, and gets one. */
static int time_words(struct mw_comm *comm, bool far, double *words_s)
{
    int rc;
    uint64_t *word = NULL, *bytes = NULL, *in = NULL;
    void *got;
    double seconds[SUMS];
    MW_NEW(rc, word, "words that are sent", comm->size);
    MW_NEW(rc, bytes, "their bytes", comm->size);
    MW_NEW(rc, in, "bytes that come", comm->size);
    for (uint32_t r = 0; r < comm->size; r++)
        bytes[r] =
            r != comm->rank && far == (comm->host_of[r] != comm->host) ? sizeof *word : 0;
    for (uint32_t i = 0; i < SUMS; i++) {
        const double start = mw_now();
        MW_TRY(rc, mw_comm_exchange(comm, word, bytes, &got, in));
        seconds[i] = mw_now() - start;
        mw_free(got);
    }
    *words_s = mw_middle_of(seconds, SUMS);
end:
    MW_FREE_ALL(word, bytes, in);
    return rc;
}

/* Collective: seconds in which every host sends a piece to the next one. */
static int time_pieces(struct mw_comm *comm, double *piece_s)
{
    int rc;
    char *piece;
    double seconds[PIECES];
    MW_NEW(rc, piece, "pieces that go round", 2 * PIECE);
    for (int i = 0; i < PIECES; i++) {
        struct mw_swap x = {.to = (comm->host + 1) % comm->n_hosts,
                            .from = (comm->host + comm->n_hosts - 1) % comm->n_hosts,
                            .send = piece,
                            .bytes = PIECE,
                            .recv = piece + PIECE,
                            .room = PIECE};
        MW_TRY(rc, mw_comm_host_barrier(comm));
        const double start = mw_now();
        MW_TRY(rc, mw_comm_swap(comm, &x));
        seconds[i] = mw_now() - start;
    }
    *piece_s = mw_middle_of(seconds, PIECES);
end:
    mw_free(piece);
    return rc;
}

/* Collective: seconds in which hosts tell each other of one bit in 64 of a bitmap, and the bytes that
 * this one looks through and sends. */
static int time_sets(struct mw_comm *comm, double *set_s, double *bytes)
{
    int rc;
    struct mw_set_share *share = NULL;
    void *window = NULL;
    const struct mw_portions s = {.stride = SET_WORDS, .n_words = SET_WORDS};
    struct mw_portions all = s;
    double seconds[SUMS];
    MW_TRY(rc, mw_comm_hosts_alloc(comm, "a bitmap that is told",
                                   (uint64_t)comm->size * SET_WORDS * sizeof(uint64_t),
                                   &window));
    MW_TRY(rc, mw_set_share_new(comm, SET_WORDS, &share));
    all.window = (uint64_t *)window;
    for (uint32_t w = 0; w < SET_WORDS; w++)
        all.window[(uint64_t)comm->rank * SET_WORDS + w] = UINT64_C(1) << w % 61;
    for (uint32_t i = 0; i < SUMS; i++) {
        const double start = mw_now();
        MW_TRY(rc, mw_set_share(share, &all));
        seconds[i] = mw_now() - start;
    }
    *set_s = mw_middle_of(seconds, SUMS);
    *bytes = (double)comm->host_size * SET_WORDS * sizeof(uint64_t) +
             (double)share->n_bytes / SUMS;
end:
    mw_set_share_free(share);
    if (window != NULL)
        mw_comm_host_free(comm, window);
    return rc;
}

int mw_calibrate_links(struct mw_world *world, bool rate_too, struct mw_rates *r)
{
    struct mw_comm *comm = world->comm;
    double sum_s, near_s = 0, words_s, piece_s, set_s = 0, set_bytes = 1;
    const double far_steps = ceil(log2(comm->n_hosts));
    const double far = comm->size - comm->host_size;
    if (comm->n_hosts == 1)
        return mw_fail(MW_ERR_USAGE, "there is one host, and so no link");
    MW_NEED(time_sums(comm, &sum_s));
    if (comm->host_size > 1)
        MW_NEED(time_words(comm, false, &near_s));
    MW_NEED(time_words(comm, true, &words_s));
    MW_NEED(time_pieces(comm, &piece_s));
    MW_NEED(time_sets(comm, &set_s, &set_bytes));
    if (comm->host_size > 1)
        r->message_s = near_s / (comm->host_size - 1);
    r->link_latency_s =
        fmax(0, sum_s - ceil(log2(comm->host_size)) * r->step_s) / far_steps;
    r->link_message_s = words_s / far;
    if (rate_too)
        r->link_bytes_per_s = mw_timing_link_bytes(PIECE) / piece_s;
    const double sent =
        set_bytes - (double)comm->host_size * SET_WORDS * sizeof(uint64_t);
    r->set_s = fmax(0, set_s - far_steps * r->link_latency_s -
                           mw_timing_link_bytes(sent) / r->link_bytes_per_s) /
               set_bytes;
    return MW_OK;
}

/* ---- all of it ----------------------------------------------------------------------------------- */

struct mw_benchmark_conf mw_calibration_run(uint32_t scale, uint32_t n_roots)
{
    return (struct mw_benchmark_conf){.algorithm = &mw_algorithm_bfs,
                                      .scale = scale,
                                      .edgefactor = MW_CALIBRATION_EDGEFACTOR,
                                      .seed = {2, 3},
                                      .n_roots = n_roots,
                                      .validate = true};
}

int mw_calibrate(struct mw_world *world, uint32_t scale, uint32_t n_roots,
                 struct mw_rates *rates)
{
    int rc;
    struct mw_world_shape shape;
    struct mw_benchmark_result run[2] = {0};
    const struct mw_direction_rule sends = {.few = MW_FEW_NONE};
    const struct mw_way way[2] = {{.world = world}, {.world = world, .options = &sends}};
    const struct mw_comm *comm = world->comm;
    const struct mw_benchmark_conf conf = mw_calibration_run(scale, n_roots);
    double sum_s, words_s;
    if (world->backend->time != NULL || world->host != NULL)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "rates are measured on the host's cores; backend %s has a time or "
                       "a memory of its own: --backend openmp or serial",
                       world->backend->name);
    mw_world_shape_of(world, &shape);
    rates->step_s = 0;
    if (comm->size > 1) {
        MW_TRY(rc, time_sums(world->comm, &sum_s));
        MW_TRY(rc, time_words(world->comm, false, &words_s));
        rates->step_s = sum_s / ceil(log2(comm->size));
        rates->message_s = words_s / (comm->size - 1);
    }
    MW_TRY(rc, mw_benchmark_run(&conf, way, 2, run));
    find_small(run, comm->size, rates);
    struct gathered g = {
        .run = &run[0],
        .n_cores = (double)comm->size * shape.n_lanes,
        .timing = {
            .forecast = {.groups = world->groups, .n_hosts = 1, .n_lanes = shape.n_lanes},
            .n_vertices = run[0].n_vertices}};
    find_rates(&g, rates);
    rates->measured = true;
    rates->n_ranks = comm->size;
    rates->n_threads = shape.n_lanes;
    if (gethostname(rates->host, sizeof rates->host - 1) != 0)
        rates->host[0] = '\0';
end:
    mw_benchmark_result_fini(&run[0]);
    mw_benchmark_result_fini(&run[1]);
    return rc;
}
