/* test_forecast.c -- what searches will count, against what they do count; and that time follows.
 *
 * Nothing here is timed: counts are the same on every machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "graph500/benchmark.h"
#include "graph500/calibrate.h"
#include "graph500/device_timing.h"
#include "graph500/timing.h"

#include "ranks.h"

#include <math.h>
#include <string.h>

enum { SCALE = 14, ROOTS = 32 };

static struct mw_classes classes;

/* Vertices with an edge and distinct edges, counted. */
START_TEST(classes_have_the_edges_of_real_graphs)
{
    static const struct {
        uint32_t scale;
        double connected, edges;
    } counted[] = {{10, 899, 10551},
                   {14, 12549, 213088},
                   {20, 646123, 15700370},
                   {22, 2396678, 64155704}};
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        mw_classes_kronecker(counted[i].scale, ldexp(16, (int)counted[i].scale),
                             &classes);
        ck_assert_double_le(fabs(classes.n_connected / counted[i].connected - 1), 0.02);
        ck_assert_double_le(fabs(classes.n_entries / 2 / counted[i].edges - 1), 0.01);
    }
}
END_TEST

START_TEST(the_largest_graph_has_classes)
{
    mw_classes_kronecker(60, ldexp(16, 60), &classes);
    ck_assert_double_gt(classes.n_connected, ldexp(1, 56));
    ck_assert_double_lt(classes.n_connected, ldexp(1, 60));
    mw_classes_random(1000, 8000, &classes);
    ck_assert_double_eq_tol(classes.n_entries, 16000, 1e-6);
}
END_TEST

static struct mw_forecast_conf conf_of(uint32_t n_ranks, uint32_t width, uint32_t n_hosts)
{
    return (struct mw_forecast_conf){
        .classes = &classes,
        .groups = {n_ranks, width, (n_ranks + width - 1) / width},
        .n_hosts = n_hosts,
        .n_lanes = 1,
        .batch_bytes = 1 << 16};
}

/* C(16, 0) + C(16, 1) + C(16, 2) vertices, of which a quarter of the entries may be;
 * counted: 137 and 304,701 of 4 and of 16 ranks. */
START_TEST(delegated_rows_are_those_of_real_graphs)
{
    struct mw_forecast_search search;
    struct mw_forecast_shape shape;
    const struct mw_forecast_conf conf = conf_of(4, 1, 1);
    mw_classes_kronecker(16, ldexp(16, 16), &classes);
    mw_forecast_search(&conf, 0, &search, &shape);
    ck_assert_double_eq_tol(shape.n_delegated, 137, 2);
    ck_assert_double_eq_tol(shape.n_delegated_entries, 304701, 9000);
}
END_TEST

/* Each rank ends a level's exchange to each of its peers. */
START_TEST(small_levels_have_the_messages_that_end_them)
{
    static const uint32_t shapes[][3] = {{16, 1, 240}, {16, 4, 96}, {64, 8, 896}};
    mw_classes_kronecker(16, ldexp(16, 16), &classes);
    for (size_t i = 0; i < 3; i++) {
        struct mw_forecast_search search;
        const uint32_t n = shapes[i][0];
        struct mw_forecast_conf conf = conf_of(n, shapes[i][1], n);
        mw_forecast_search(&conf, 0, &search, NULL);
        ck_assert_double_eq_tol(search.level[0].n_messages, 0, 1e-9); /* is told */
        ck_assert_double_gt(search.level[0].n_told, 0);
        ck_assert_uint_eq(search.level[0].n_sets, 1);
        conf.rule.few = MW_FEW_NONE;
        mw_forecast_search(&conf, 0, &search, NULL);
        ck_assert_double_eq_tol(search.level[0].n_messages, shapes[i][2], 1e-9);
        ck_assert_double_eq_tol(search.level[0].link_messages, shapes[i][2], 1e-6);
    }
}
END_TEST

/* mpe/set.h: a head of 12 bytes a block; words, lists and what is missing. */
START_TEST(sets_take_their_cheapest_form)
{
    ck_assert_double_eq_tol(mw_forecast_set_bytes(1, 4096, 0, 4096), 0, 1e-9);
    ck_assert_double_eq_tol(mw_forecast_set_bytes(1, 4096, 1000, 1000), 12 + 512, 1e-9);
    ck_assert_double_eq_tol(mw_forecast_set_bytes(1, 65536, 100, 100), 12 + 200, 1e-9);
    ck_assert_double_eq_tol(mw_forecast_set_bytes(1, 65536, 60000, 65436), 12 + 200,
                            1e-9);
}
END_TEST

/* A level's last edges lead back, or to where others have been: at SCALE 16 a search has
 * 5.96 levels, counted over 52 roots. */
START_TEST(searches_end_where_real_ones_do)
{
    double n_levels = 0;
    mw_classes_kronecker(16, ldexp(16, 16), &classes);
    for (uint32_t i = 0; i < MW_FORECAST_SEARCHES; i++) {
        struct mw_forecast_search search;
        const struct mw_forecast_conf conf = conf_of(8, 1, 8);
        mw_forecast_search(&conf, i, &search, NULL);
        n_levels += (double)search.n_levels / MW_FORECAST_SEARCHES;
    }
    ck_assert_double_eq_tol(n_levels, 5.96, 0.4);
}
END_TEST

/* Two hosts at SCALE 20, by bitmap: sets of a search were counted as 75.5 kB, of 32 roots. */
START_TEST(first_blocks_of_a_set_are_full)
{
    double set_bytes = 0;
    mw_classes_kronecker(20, ldexp(16, 20), &classes);
    for (uint32_t i = 0; i < MW_FORECAST_SEARCHES; i++) {
        struct mw_forecast_search search;
        struct mw_forecast_conf conf = conf_of(2, 1, 2);
        conf.rule.form = MW_FORM_BITMAP;
        mw_forecast_search(&conf, i, &search, NULL);
        for (uint32_t k = 0; k < search.n_levels; k++)
            set_bytes += search.level[k].set_bytes / MW_FORECAST_SEARCHES;
    }
    ck_assert_double_eq_tol(set_bytes, 75500, 6000);
}
END_TEST

/* ---- against a run ------------------------------------------------------------------------- */

struct sums {
    double edges, found, records, messages, bytes, hubs;
};

static struct sums counted;

static int count(struct mw_world *w, void *arg)
{
    static struct mw_benchmark_result result[16];
    const struct mw_benchmark_conf conf = {.algorithm = &mw_algorithm_bfs,
                                           .scale = SCALE,
                                           .edgefactor = 16,
                                           .seed = {2, 3},
                                           .n_roots = ROOTS};
    const struct mw_way way = {.world = w, .options = arg};
    struct mw_benchmark_result *out = &result[w->comm->rank];
    const int rc = mw_benchmark_run(&conf, &way, 1, out);
    for (uint32_t i = 0; w->comm->rank == 0 && i < out->n_searches; i++)
        for (uint32_t k = 0; k < out->search[i].n_level_records; k++) {
            const struct mw_level *l = &out->search[i].level[k];
            counted.edges += (double)l->n_active_edges / ROOTS;
            counted.found += (double)l->n_found / ROOTS;
            counted.records += (double)l->n_records / ROOTS;
            counted.messages += (double)l->n_batches / ROOTS;
            counted.bytes += (double)(l->n_bytes + l->saved_bytes) / ROOTS;
        }
    mw_benchmark_result_fini(out);
    return rc;
}

static struct sums forecast(const struct mw_forecast_conf *conf)
{
    struct sums sum = {0};
    for (uint32_t i = 0; i < ROOTS; i++) {
        struct mw_forecast_search s;
        mw_forecast_search(conf, i, &s, NULL);
        for (uint32_t k = 0; k < s.n_levels; k++) {
            const struct mw_forecast_level *l = &s.level[k];
            sum.edges += l->n_active_edges / ROOTS;
            sum.found += l->n_found / ROOTS;
            sum.records += l->n_records / ROOTS;
            sum.messages += l->n_messages / ROOTS;
            sum.bytes += (l->message_bytes + l->set_bytes) / ROOTS;
        }
    }
    return sum;
}

static void expect_near(const char *what, double forecast, double real, double most)
{
    const double ratio = forecast / real;
    ck_assert_msg(ratio < most && ratio > 1 / most, "case %s: %g forecast, %g counted",
                  what, forecast, real);
}

/* Ranks, width of groups, ranks of a host; the form of bottom-up levels; one direction. */
static const struct {
    uint32_t n_ranks, width, host_ranks;
    enum mw_level_form form;
    enum mw_direction_policy policy;
    double records; /* as far off as that at most */
    int hubs;
    bool asks_all; /* nobody follows */
} runs[] = {
    {4, 1, 4, MW_FORM_AUTO, MW_DIRECTION_TOP_DOWN, 1.25, 0, false},
    {4, 1, 1, MW_FORM_BITMAP, MW_DIRECTION_TOP_DOWN, 1.25, 0, false},
    {4, 2, 1, MW_FORM_BITMAP, MW_DIRECTION_TOP_DOWN, 1.25, 0, false},
    {8, 4, 4, MW_FORM_BITMAP, MW_DIRECTION_AUTO, 2, 0, false},
    {8, 4, 1, MW_FORM_MESSAGES, MW_DIRECTION_AUTO, 1.6, 4, false},
    {8, 4, 1, MW_FORM_MESSAGES, MW_DIRECTION_AUTO, 1.6, 4, true},
    {4, 1, 1, MW_FORM_MESSAGES, MW_DIRECTION_AUTO, 1.6, 6, false},
    {8, 1, 1, MW_FORM_MIXED, MW_DIRECTION_AUTO, 2, 0, false},
};
enum { N_RUNS = sizeof runs / sizeof *runs };

START_TEST(counts_are_those_of_real_searches)
{
    const struct mw_direction_rule rule = {.form = runs[_i].form,
                                           .policy = runs[_i].policy,
                                           .hubs = {runs[_i].hubs, runs[_i].hubs},
                                           .asks_all = runs[_i].asks_all};
    struct ranks r = {
        .loop = {.n_ranks = runs[_i].n_ranks, .ranks_per_host = runs[_i].host_ranks},
        .world = {.routing = runs[_i].width > 1 ? MW_ROUTING_RELAY : MW_ROUTING_DIRECT,
                  .groups_n = runs[_i].width > 1 ? runs[_i].n_ranks / runs[_i].width : 0,
                  .groups_m = runs[_i].width > 1 ? runs[_i].width : 0},
        .body = count,
        .arg = (void *)(uintptr_t)&rule};
    struct mw_forecast_conf conf =
        conf_of(runs[_i].n_ranks, runs[_i].width, runs[_i].n_ranks / runs[_i].host_ranks);
    conf.rule = rule;
    memset(&counted, 0, sizeof counted);
    must_run(&r);
    mw_classes_kronecker(SCALE, ldexp(16, SCALE), &classes);
    const struct sums f = forecast(&conf);
    expect_near("edges", f.edges, counted.edges, 1.02);
    expect_near("vertices", f.found, counted.found, 1.02);
    expect_near("records", f.records, counted.records, runs[_i].records);
    expect_near("messages", f.messages, counted.messages, 1.25);
    expect_near("bytes", f.bytes, counted.bytes, runs[_i].records);
}
END_TEST

/* ---- time ------------------------------------------------------------------------------------ */

static struct mw_rates rates;

static enum mw_compress compress = MW_COMPRESS_OFF;

static struct mw_timing time_of(uint32_t scale, uint32_t n_ranks, uint32_t n_hosts,
                                double link)
{
    struct mw_timing t;
    mw_rates_default(&rates);
    rates.link_bytes_per_s = link;
    const struct mw_timing_conf conf = {.forecast = conf_of(n_ranks, 1, n_hosts),
                                        .n_vertices = UINT64_C(1) << scale,
                                        .n_edges = UINT64_C(16) << scale,
                                        .scale = scale,
                                        .n_roots = 64,
                                        .validate = true,
                                        .compress = compress,
                                        .rates = &rates};
    mw_timing_make(&conf, &t);
    return t;
}

START_TEST(time_grows_with_the_graph_and_shrinks_with_ranks)
{
    const struct mw_timing a = time_of(20, 1, 1, 1e9), b = time_of(22, 1, 1, 1e9),
                           c = time_of(22, 4, 1, 1e9);
    ck_assert_double_gt(b.search_s, 3 * a.search_s);
    ck_assert_double_gt(b.construction_s, 3 * a.construction_s);
    ck_assert_double_lt(c.search_s, b.search_s / 2);
    ck_assert_double_lt(c.run_s, b.run_s / 2);
    ck_assert_double_le(b.first_quartile_s, b.search_s);
    ck_assert_double_ge(b.third_quartile_s, b.search_s);
    ck_assert_double_eq_tol(
        b.run_s, b.generation_s + b.construction_s + 64 * (b.search_s + b.validation_s),
        1e-9 * b.run_s);
}
END_TEST

/* 67.1 MB of ends and as many of entries leave each of two hosts at SCALE 20, counted there, and its
 * halves of two tables. */
START_TEST(links_cost_what_goes_over_them)
{
    const struct mw_timing quick = time_of(20, 2, 2, 1e12),
                           slow = time_of(20, 2, 2, 12.5e6);
    ck_assert_double_eq_tol(slow.construction_link_bytes, 138.4e6, 0.1e6);
    ck_assert_double_eq_tol(slow.construction_s - quick.construction_s,
                            1.046 * 138.4e6 / 12.5e6, 0.1);
    ck_assert_double_gt(slow.search_s, quick.search_s + 3e-3);
}
END_TEST

/* 10.0 MB of ends and 29.3 of entries where batches are coded, and the tables, which are not; auto does that where it is
 * sooner. */
START_TEST(coded_batches_are_fewer_bytes)
{
    const struct mw_timing off = time_of(20, 2, 2, 12.5e6);
    compress = MW_COMPRESS_AUTO;
    const struct mw_timing quick = time_of(20, 2, 2, 1e12),
                           slow = time_of(20, 2, 2, 12.5e6);
    compress = MW_COMPRESS_PACKED;
    const struct mw_timing always = time_of(20, 2, 2, 1e12);
    compress = MW_COMPRESS_OFF;
    ck_assert_double_eq_tol(slow.construction_link_bytes, 43.5e6, 0.1e6);
    ck_assert_double_eq_tol(quick.construction_link_bytes, 138.4e6, 0.1e6);
    ck_assert_double_lt(slow.n_bytes, off.n_bytes);
    ck_assert_double_lt(slow.validation_s, 0.6 * off.validation_s);
    ck_assert_double_eq_tol(always.construction_link_bytes, 43.5e6, 0.1e6);
    ck_assert_double_gt(always.construction_s, quick.construction_s);
}
END_TEST

static struct mw_timing_conf conf_of_hosts(uint32_t n)
{
    mw_rates_default(&rates);
    return (struct mw_timing_conf){.forecast = conf_of(n, 1, n),
                                   .n_vertices = 1 << 20,
                                   .n_edges = 16 << 20,
                                   .scale = 20,
                                   .compress = MW_COMPRESS_OFF,
                                   .rates = &rates};
}

static struct mw_level_time seconds_of(const struct mw_timing_conf *conf,
                                       const struct mw_forecast_level *l)
{
    struct mw_rate_point point;
    mw_rates_at(&rates, 1 << 20, &point);
    return mw_timing_level(conf, &point, 1 << 19, l);
}

/* Eight hosts: sums and sets in three steps each, and each hop of an exchange. */
START_TEST(levels_take_the_steps_that_end_them)
{
    struct mw_timing_conf conf = conf_of_hosts(8);
    struct mw_forecast_level l = {.n_sums = 2, .n_sets = 1, .n_exchanges = 2};
    double steps =
        rates.level_s + 2 * rates.exchange_s + (3 * 3 + 2) * rates.link_latency_s;
    ck_assert_double_eq_tol(seconds_of(&conf, &l).steps_s, steps, 1e-9);
    conf.forecast.groups = (struct mw_groups){8, 4, 2};
    steps += 2 * (rates.exchange_s + rates.link_latency_s);
    ck_assert_double_eq_tol(seconds_of(&conf, &l).steps_s, steps, 1e-9);
    l.n_messages = 56;
    l.link_messages = 56;
    ck_assert_double_eq_tol(seconds_of(&conf, &l).records_s, 7 * rates.link_message_s,
                            1e-9);
}
END_TEST

/* Whose row it is has all of its records to send. */
START_TEST(a_long_row_keeps_one_link_busy)
{
    const struct mw_timing_conf conf = conf_of_hosts(8);
    struct mw_forecast_level l = {.n_active_edges = 1e6,
                                  .n_delegated_edges = 5e5,
                                  .n_records = 4e5,
                                  .link_bytes = 3e6};
    const struct mw_level_time even = seconds_of(&conf, &l);
    l.n_longest = 5e5;
    const struct mw_level_time all = seconds_of(&conf, &l);
    ck_assert_double_eq_tol(all.link_s, 8 * even.link_s, 1e-9);
    ck_assert_double_eq_tol(all.records_s, 8 * even.records_s, 1e-9);
    l.n_longest = 2.5e5;
    ck_assert_double_eq_tol(seconds_of(&conf, &l).link_s, 4.5 * even.link_s, 1e-9);
    l = (struct mw_forecast_level){.n_active_edges = 10,
                                   .n_longest = 10,
                                   .link_messages = 56,
                                   .link_bytes = 56 * MW_FORECAST_HEAD};
    ck_assert_double_eq_tol(seconds_of(&conf, &l).link_s * rates.link_bytes_per_s,
                            1.046 * 7 * MW_FORECAST_HEAD, 1); /* everybody's ends */
}
END_TEST

/* By messages where links are slow and messages cheap; by bitmap where it is the other way. */
START_TEST(levels_take_the_form_that_is_sooner)
{
    uint32_t n[2][MW_FORMS + 1] = {{0}};
    for (int dear = 0; dear < 2; dear++) {
        struct mw_timing t;
        const struct mw_timing_conf conf = conf_of_hosts(8);
        rates.link_bytes_per_s = dear ? 1e12 : 1e6;
        rates.link_message_s = dear ? 1e-4 : 1e-9;
        mw_timing_make(&conf, &t);
        for (uint32_t i = 0; i < t.middle.n_levels; i++)
            n[dear][t.middle.level[i].form]++;
    }
    ck_assert_uint_eq(n[1][MW_FORM_MESSAGES] + n[1][MW_FORM_MIXED], 0);
    ck_assert_uint_gt(n[1][MW_FORM_BITMAP], 0);
    ck_assert_uint_gt(n[0][MW_FORM_MESSAGES], 0);
}
END_TEST

static int measure_links(struct mw_world *w, void *arg)
{
    static struct mw_rates of[16];
    struct mw_rates *r = &of[w->comm->rank];
    (void)arg;
    mw_rates_default(r);
    const int rc = mw_calibrate_links(w, true, r);
    if (w->comm->rank == 0)
        rates = *r;
    return rc;
}

START_TEST(what_lies_between_hosts_is_measured)
{
    struct ranks r = {.loop = {.n_ranks = 4, .ranks_per_host = 2}, .body = measure_links};
    must_run(&r);
    ck_assert_double_gt(rates.link_latency_s, 0);
    ck_assert_double_ne(rates.link_latency_s, 50e-6);
    ck_assert_double_gt(rates.link_message_s, 0);
    ck_assert_double_ne(rates.link_message_s, 1e-6);
    ck_assert_double_gt(rates.message_s, 0);
    ck_assert_double_ge(rates.set_s, 0);
    ck_assert_double_gt(rates.link_bytes_per_s, 0);
    ck_assert_double_ne(rates.link_bytes_per_s, 1.25e9);
}
END_TEST

START_TEST(rates_lie_on_lines_between_points)
{
    struct mw_rate_point p = {.n_vertices = 1 << 16, .edge_s = 2, .build_s = 8}, at;
    memset(&rates, 0, sizeof rates);
    mw_rates_add(&rates, &p);
    p = (struct mw_rate_point){.n_vertices = 1 << 20, .edge_s = 6, .build_s = 4};
    mw_rates_add(&rates, &p);
    mw_rates_at(&rates, 1 << 18, &at);
    ck_assert_double_eq_tol(at.edge_s, 4, 1e-12);
    ck_assert_double_eq_tol(at.build_s, 6, 1e-12);
    mw_rates_at(&rates, 1 << 4, &at);
    ck_assert_double_eq_tol(at.edge_s, 2, 1e-12);
    mw_rates_at(&rates, 1e12, &at);
    ck_assert_double_eq_tol(at.edge_s, 6, 1e-12);
    for (uint32_t i = 0; i < 2 * MW_RATE_POINTS; i++) {
        p.n_vertices = 1e6 + i;
        mw_rates_add(&rates, &p);
    }
    ck_assert_uint_eq(rates.n_points, MW_RATE_POINTS);
}
END_TEST

/* ---- devices ------------------------------------------------------------------------------- */

/* Seconds between the points of one device, below them and beyond. */
START_TEST(times_of_a_device_lie_on_lines)
{
    struct mw_rates r;
    struct mw_device_point a, b, between, below, beyond;
    mw_rates_default(&r);
    mw_device_rates_at(&r.device, r.device.point[2].n_tuples, &a);
    mw_device_rates_at(&r.device, r.device.point[3].n_tuples, &b);
    mw_device_rates_at(&r.device, sqrt(a.n_tuples * b.n_tuples), &between);
    ck_assert_double_eq_tol(a.search_s, r.device.point[2].search_s, 1e-12);
    ck_assert_double_eq_tol(between.search_s, sqrt(a.search_s * b.search_s), 1e-9);
    mw_device_rates_at(&r.device, 1000, &below);
    ck_assert_double_eq_tol(below.search_s, r.device.point[0].search_s, 1e-12);
    const struct mw_device_point last = r.device.point[r.device.n_points - 1];
    mw_device_rates_at(&r.device, 4 * last.n_tuples, &beyond);
    ck_assert_double_eq_tol(beyond.construction_s, 4 * last.construction_s, 1e-9);
}
END_TEST

/* Measured on H200s of one host, 2026-11-27: ms of a search and of a validation, seconds of construction; 0:
 * not looked at. The table's rates are those of one such device and of how two met. */
static const struct {
    uint32_t n, scale;
    bool reach;
    double search_ms, validation_ms, construction_s;
} measured[] = {
    {1, 23, true, 0.182, 1.13, 0.0565},  {1, 25, true, 0.474, 4.04, 0.2346},
    {1, 27, true, 1.745, 16.76, 1.044},  {2, 22, true, 0.171, 0.78, 0},
    {2, 24, true, 0.264, 2.05, 0.102},   {2, 26, true, 0.460, 7.29, 0.343},
    {2, 27, true, 1.104, 14.59, 0.673},  {2, 28, true, 1.918, 30.17, 1.398},
    {2, 22, false, 0.476, 0.93, 0},      {2, 24, false, 0.640, 2.34, 0.0977},
    {2, 26, false, 0.813, 7.90, 0.371},  {2, 28, false, 2.442, 32.68, 1.626},
    {2, 29, true, 2.746, 0, 2.82},       {4, 26, true, 0.344, 6.83, 0.315},
    {4, 28, true, 1.244, 27.68, 1.171},  {4, 29, true, 2.022, 58.89, 2.289},
    {4, 30, true, 4.857, 0, 4.661},      {4, 26, false, 0.880, 7.74, 0.284},
    {4, 28, false, 1.792, 28.48, 1.143},
};

static void ck_within(double is, double said, double part)
{
    if (is > 0)
        ck_assert_msg(fabs(said - is) <= part * is, "%g where %g was measured", said, is);
}

START_TEST(devices_take_what_was_measured)
{
    struct mw_rates r;
    struct mw_timing t;
    mw_rates_default(&r);
    const struct mw_device_timing_conf conf = {
        .scale = measured[_i].scale,
        .n_devices = measured[_i].n,
        .n_hosts = 1,
        .n_vertices = UINT64_C(1) << measured[_i].scale,
        .n_edges = UINT64_C(16) << measured[_i].scale,
        .reach = measured[_i].reach,
        .validate = true,
        .n_roots = 64,
        .rates = &r};
    mw_device_timing_make(&conf, &t);
    ck_within(1e-3 * measured[_i].search_ms, t.search_s, 0.25);
    ck_within(1e-3 * measured[_i].validation_ms, t.validation_s, 0.25);
    ck_within(measured[_i].construction_s, t.construction_s, 0.25);
    ck_assert_double_eq_tol(
        t.run_s, t.generation_s + t.construction_s + 64 * (t.search_s + t.validation_s),
        1e-9);
}
END_TEST

/* What two devices of a host take by some rates says these rates again, by reach and by letters. */
START_TEST(the_model_goes_backwards)
{
    struct mw_rates r;
    struct mw_timing t[2];
    mw_rates_default(&r);
    struct mw_device_timing_conf conf[2];
    for (int i = 0; i < 2; i++)
        conf[i] = (struct mw_device_timing_conf){
            .scale = i == 0 ? 18 : 26,
            .n_devices = 2,
            .n_hosts = 1,
            .n_vertices = UINT64_C(1) << (i == 0 ? 18 : 26),
            .n_edges = UINT64_C(16) << (i == 0 ? 18 : 26),
            .reach = _i != 0,
            .rates = &r};
    r.device.meeting_s = 7e-6;
    r.device.letter_s = 40e-6;
    r.device.reach_bitmap_bytes_per_s = r.device.letter_bitmap_bytes_per_s = 5e10;
    for (int i = 0; i < 2; i++)
        mw_device_timing_make(&conf[i], &t[i]);
    struct mw_device_rates got = {0};
    const bool reach = _i != 0;
    mw_device_rates_fit(&conf[0], t[0].search_s, &conf[1], t[1].search_s, &got);
    const double meeting = reach ? got.meeting_s : got.letter_s;
    const double other = reach ? got.letter_s : got.meeting_s;
    double *const per_s =
        reach ? &got.reach_bitmap_bytes_per_s : &got.letter_bitmap_bytes_per_s;
    ck_assert_double_eq_tol(meeting, (reach ? 7e-6 : 40e-6), 1e-9);
    ck_assert_double_eq_tol(*per_s, 5e10, 1e6);
    ck_assert_double_eq(other, 0);
    /* Bytes that hide leave their rate as it was. */
    *per_s = 3e11;
    const double bytes_s = mw_device_search_bytes(&conf[1]) / 2 / 5e10;
    mw_device_rates_fit(&conf[0], t[0].search_s, &conf[1], t[1].search_s - bytes_s, &got);
    ck_assert_double_eq(*per_s, 3e11);
}
END_TEST

/* Links are slower than what is between devices of a host, and more hosts meet for longer. */
START_TEST(hosts_of_devices_wait_for_links)
{
    struct mw_rates r;
    struct mw_timing one, two;
    mw_rates_default(&r);
    struct mw_device_timing_conf conf = {.scale = 28,
                                         .n_devices = 16,
                                         .n_hosts = 1,
                                         .n_vertices = UINT64_C(1) << 28,
                                         .n_edges = UINT64_C(1) << 32,
                                         .n_roots = 1,
                                         .rates = &r};
    mw_device_timing_make(&conf, &one);
    conf.n_hosts = 2;
    mw_device_timing_make(&conf, &two);
    const double bytes = mw_timing_link_bytes(mw_device_search_bytes(&conf) / 2);
    struct mw_timing pair;
    ck_assert_double_gt(two.search_s, one.search_s + r.link_latency_s);
    ck_assert_double_ge(two.search_s, bytes / r.link_bytes_per_s);
    ck_assert_double_gt(two.construction_s, one.construction_s);
    /* Half of all comes from the other host, however many devices share the link. */
    conf.n_devices = 2;
    mw_device_timing_make(&conf, &pair);
    ck_assert_double_ge(pair.search_s, bytes / r.link_bytes_per_s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("forecast");
    TCase *t = tcase_create("forecast");
    tcase_add_test(t, classes_have_the_edges_of_real_graphs);
    tcase_add_test(t, the_largest_graph_has_classes);
    tcase_add_test(t, delegated_rows_are_those_of_real_graphs);
    tcase_add_test(t, small_levels_have_the_messages_that_end_them);
    tcase_add_test(t, sets_take_their_cheapest_form);
    tcase_add_test(t, searches_end_where_real_ones_do);
    tcase_add_test(t, first_blocks_of_a_set_are_full);
    tcase_add_loop_test(t, counts_are_those_of_real_searches, 0, N_RUNS);
    tcase_add_test(t, time_grows_with_the_graph_and_shrinks_with_ranks);
    tcase_add_test(t, links_cost_what_goes_over_them);
    tcase_add_test(t, coded_batches_are_fewer_bytes);
    tcase_add_test(t, levels_take_the_steps_that_end_them);
    tcase_add_test(t, a_long_row_keeps_one_link_busy);
    tcase_add_test(t, levels_take_the_form_that_is_sooner);
    tcase_add_test(t, what_lies_between_hosts_is_measured);
    tcase_add_test(t, rates_lie_on_lines_between_points);
    tcase_add_test(t, times_of_a_device_lie_on_lines);
    tcase_add_loop_test(t, devices_take_what_was_measured, 0,
                        (int)(sizeof measured / sizeof *measured));
    tcase_add_loop_test(t, the_model_goes_backwards, 0, 2);
    tcase_add_test(t, hosts_of_devices_wait_for_links);
    suite_add_tcase(s, t);
    return run_suite(s);
}
