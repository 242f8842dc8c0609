/* test_layout_sim.c -- the simulator against a plain scan of every core in every cycle, and
 * against the published tables of docs/mesh.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_random.h"
#include "layout_scan.h"
#include "layouts/routes/rma.h"

#include <check.h>
#include <stdlib.h>

/* ---- the same, bit by bit, as visiting every core in every cycle ----------------------------- */

static uint32_t n_knots; /* met in layouts with several ways */

static void must_agree(const struct scan *s, const struct mw_sim_result *a,
                       const struct mw_sim_result *b, const mw_core *cycle, uint64_t seed)
{
    bool same = a->cycles == b->cycles && a->counted == b->counted &&
                a->observed == b->observed && a->consumed == b->consumed &&
                a->deadlock == b->deadlock && a->deadlock_cycle == b->deadlock_cycle &&
                (mw_layout_has_ways(s->l) || a->n_cycle == b->n_cycle) &&
                a->ended == b->ended;
    const bool ways = mw_layout_has_ways(s->l);
    for (uint32_t i = 0; same && i < a->n_cycle && !ways; i++)
        same = a->cycle_core[i] == cycle[i];
    same = same && (!ways || scan_is_knot(s, a->cycle_core, a->n_cycle));
    n_knots += ways && a->n_cycle > 1;
    for (uint32_t v = 0; same && v < s->n; v++)
        same = memcmp(&a->core[v], &s->core[v].sum, sizeof a->core[v]) == 0;
    for (uint64_t i = 0; same && i < a->n_pairs; i++)
        same = a->pair[i].messages == s->tally[i];
    if (!same)
        ck_abort_msg(
            "seed %llu: %llu and %llu cycles, %llu and %llu messages, deadlock %d, %d, "
            "ended %d, %d",
            (unsigned long long)seed, (unsigned long long)a->cycles,
            (unsigned long long)b->cycles, (unsigned long long)a->consumed,
            (unsigned long long)b->consumed, a->deadlock, b->deadlock, a->ended,
            b->ended);
}

enum { TRIALS = 150, STILL = 2000 };
static uint32_t n_trials, n_deadlocks, n_stills, n_ends;

/* Nothing ever happens again in a global deadlock; so long, at least. */
static void must_stand_still(struct scan *s)
{
    struct scan *before = mw_alloc("scan", 1, sizeof *before);
    memcpy(before, s, sizeof *s);
    for (uint32_t i = 0; i < STILL; i++)
        scan_cycle(s);
    for (uint32_t v = 0; v < s->n; v++) {
        MUST(s->core[v].state == before->core[v].state);
        MUST(s->core[v].sum.taken == before->core[v].sum.taken);
        MUST(s->core[v].sum.given == before->core[v].sum.given);
        for (int k = 0; k < MW_N_CLASSES; k++)
            MUST(s->core[v].fifo[k].count == before->core[v].fifo[k].count);
    }
    mw_free(before);
    n_stills++;
}

/* Calls of one test: _i is a block of seeds. */
START_TEST(visiting_only_cores_that_can_act_changes_nothing)
{
    const uint64_t first = (uint64_t)_i * TRIALS;
    for (uint64_t seed = first; seed < first + (uint64_t)how_many(TRIALS, TRIALS, 100);
         seed++) {
        uint64_t state = mw_sim_traffic_mix(seed);
        mw_core cycle[SCAN_CORES];
        struct mw_layout *l = random_layout(&state);
        const struct mw_sim_conf conf = random_conf(l, &state);
        struct scan *s = mw_alloc("scan", 1, sizeof *s);
        struct mw_sim_result b = {0}, a = sim_of(l, &conf);
        MUST(scan_run(s, l, &conf, a.global, &b, cycle) == MW_OK);
        must_agree(s, &a, &b, cycle, seed);
        if (a.global)
            must_stand_still(s);
        n_trials++;
        n_deadlocks += a.deadlock;
        n_ends += a.ended;
        mw_sim_result_fini(&a);
        scan_fini(s);
        mw_free(s);
        mw_layout_free(l);
    }
}
END_TEST

/* Remote puts of random layouts: as the scan, which counts who sent what stands in a FIFO; and what is
 * proved free does not deadlock. */
START_TEST(remote_puts_are_those_of_a_plain_scan)
{
    uint32_t n_dead = 0, n_free = 0, n_broadcasts = 0;
    for (uint64_t seed = 0; seed < (uint64_t)how_many(400, 400, 100); seed++) {
        uint64_t state = mw_sim_traffic_mix(seed ^ 0x726d61);
        mw_core cycle[SCAN_CORES];
        struct mw_rma proof = {.n_circle = 0};
        struct mw_layout *of =
            draw(&state, 2) == 0 ? random_flows(&state) : random_ways(&state);
        struct mw_puts puts;
        const int rc = mw_puts_make(of, &puts);
        const struct mw_layout *l = puts.layout;
        MUST(rc == (l != NULL ? MW_OK : MW_ERR_REFUSED));
        if (l == NULL) {
            mw_layout_free(of);
            continue;
        }
        struct mw_sim_conf conf = random_conf(l, &state);
        conf.followers = puts.followers;
        conf.rings =
            mw_mesh_cores(l) <= SCAN_DEPTH / 2 ? 1 + (uint32_t)draw(&state, 2) : 1;
        conf.fifo[MW_ROW] = conf.fifo[MW_COLUMN] = 1; /* not looked at */
        conf.send = 0;
        conf.supply = 0;
        struct scan *s = mw_alloc("scan", 1, sizeof *s);
        struct mw_sim_result b = {0}, a = sim_of(l, &conf);
        MUST(scan_run(s, l, &conf, a.global, &b, cycle) == MW_OK);
        must_agree(s, &a, &b, cycle, seed);
        for (uint32_t i = 0; i < a.n_cycle; i++)
            MUST(a.blocked[i].fill == conf.rings && a.blocked[i].depth == conf.rings);
        MUST(mw_rma_prove(of, conf.rings, &proof) == MW_OK);
        MUST(!a.deadlock || proof.n_circle > 1);
        n_dead += a.deadlock;
        n_free += proof.n_circle == 0;
        n_broadcasts += of->n_broadcasts > 0;
        mw_rma_fini(&proof);
        mw_sim_result_fini(&a);
        scan_fini(s);
        mw_free(s);
        mw_puts_fini(&puts);
        mw_layout_free(of);
    }
    ck_assert_uint_gt(n_dead, 2);
    ck_assert_uint_gt(n_broadcasts, 20);
    ck_assert_uint_gt(n_free, 10);
}
END_TEST

START_TEST(the_comparison_met_deadlocks_and_ends)
{
    ck_assert_uint_gt(n_deadlocks, n_trials / 20);
    ck_assert_uint_gt(n_stills, n_trials / 26); /* a twentieth of those with one way */
    ck_assert_uint_gt(n_knots, n_trials / 60);
    ck_assert_uint_gt(n_ends, n_trials / 20);
}
END_TEST

/* ---- the published tables ---------------------------------------------------------------------- */

/* docs/mesh.md, "timing": GB/s. */
static const struct paper_row {
    const char *roles, *by, *hop;
    uint32_t producer_cost;
    double producers, routers, consumers, memory;
    const char *limit;
    double at_depth_4, at_depth_16;
} paper_table[] = {
    {"PPPPDUKK", "", "", 60, 24.7, 12.4, 24.7, 14.4, "router", 10.0, 11.3},
    {"PPPPPDUK", "", "", 60, 30.9, 11.6, 12.4, 14.4, "router", 9.6, 10.8},
    {"PPPDUKKK", "", "", 60, 18.6, 12.1, 37.1, 14.4, "router", 9.9, 11.4},
    {"PPDUKKKK", "", "", 60, 12.4, 12.4, 49.5, 14.4, "producer", 10.1, 11.5},
    {"PPDDUUKK", "", "", 60, 12.4, 24.7, 24.7, 14.4, "producer", 12.4, 12.4},
    {"PPPDDUUK", " by row", "", 60, 18.6, 23.2, 12.4, 14.4, "consumer", 11.0, 11.7},
    {"PPPDDUUK", " by sink", "", 60, 18.6, 11.6, 12.4, 14.4, "router", 9.6, 10.9},
    {"PPPPDUKK", "", " step", 60, 24.7, 4.8, 24.7, 14.4, "router", 3.9, 4.0},
    {"PPPPDUKK", "", "", 150, 9.9, 12.4, 24.7, 14.4, "producer", 9.7, 9.9},
    {"PPPPDUKK", "", "", 300, 4.9, 12.4, 24.7, 14.4, "producer", 4.95, 4.95}};
enum { N_PAPER_ROWS = sizeof paper_table / sizeof paper_table[0] };

static struct mw_layout *paper_layout(const struct paper_row *t)
{
    char text[500];
    snprintf(text, sizeof text,
             "mesh 8 8\nroles %s\nroute P: down->D%s up->U%s same->D|U%s\n"
             "route D: col-to-row%s, then K\nroute U: col-to-row%s, then K\ncost P %u\n",
             t->roles, t->by, t->by, t->by, t->hop, t->hop, t->producer_cost);
    return layout_of(text);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over seeds 1 .. n (odd, up to 9) of bytes/s, or of the cycle of the deadlock. */
static double median_of(const struct mw_layout *l, struct mw_sim_conf conf, uint32_t n,
                        bool deadlock)
{
    double value[9];
    for (conf.seed = 1; conf.seed <= n; conf.seed++) {
        struct mw_sim_result r = sim_of(l, &conf);
        ck_assert_int_eq(r.deadlock, deadlock);
        value[conf.seed - 1] = deadlock ? (double)r.deadlock_cycle : r.bytes_per_s;
        mw_sim_result_fini(&r);
    }
    qsort(value, n, sizeof *value, compare);
    return value[n / 2];
}

static struct mw_sim_conf conf_of(const struct mw_layout *l, uint32_t depth)
{
    struct mw_sim_conf conf;
    mw_sim_defaults(l, &conf);
    conf.fifo[MW_ROW] = conf.fifo[MW_COLUMN] = depth;
    return conf;
}

static void must_be_near(double measured, double expected, double share, const char *what)
{
    if (!(measured > expected * (1 - share) && measured < expected * (1 + share)))
        ck_abort_msg("%s: %.4g, expected %.4g within %g", what, measured, expected,
                     share);
}

/* Calls of these two: _i is the row. */
START_TEST(closed_formula_gives_the_published_stage_bounds)
{
    const struct paper_row *t = &paper_table[_i];
    struct mw_layout *l = paper_layout(t);
    struct mw_throughput x;
    ck_assert_int_eq(mw_layout_throughput(l, &x), MW_OK);
    ck_assert_double_eq_tol(x.producers / 1e9, t->producers, 0.0501);
    ck_assert_double_eq_tol(x.routers / 1e9, t->routers, 0.0501);
    ck_assert_double_eq_tol(x.consumers / 1e9, t->consumers, 0.0501);
    ck_assert_double_eq_tol(x.memory / 1e9, t->memory, 0.0501);
    ck_assert_str_eq(x.limit, t->limit);
    ck_assert_double_eq_tol(x.eta, 0.81, 1e-9);
    mw_layout_free(l);
}
END_TEST

START_TEST(simulation_matches_the_published_throughput)
{
    const struct paper_row *t = &paper_table[_i];
    struct mw_layout *l = paper_layout(t);
    must_be_near(median_of(l, conf_of(l, 4), 5, false) / 1e9, t->at_depth_4, 0.03,
                 "depth 4");
    must_be_near(median_of(l, conf_of(l, 16), 5, false) / 1e9, t->at_depth_16, 0.03,
                 "depth 16");
    mw_layout_free(l);
}
END_TEST

/* The first teaching demo; the ranges are those of another generator's five seeds. */
START_TEST(deep_fifos_hide_the_deadlock_of_a_two_way_column)
{
    static const uint32_t range[][3] = {{1, 320, 640},
                                        {2, 576, 1216},
                                        {4, 960, 3648},
                                        {8, 1200, 12000},
                                        {16, 9600, 110000}};
    struct mw_layout *l = layout_of(TWO_WAY "cost P 20 T 37 K 20\n");
    double before = 0;
    for (uint32_t i = 0; i < sizeof range / sizeof range[0]; i++) {
        struct mw_sim_conf conf = conf_of(l, range[i][0]);
        conf.cycles = 2000000;
        const double cycles = median_of(l, conf, 5, true);
        ck_assert_double_ge(cycles, range[i][1]);
        ck_assert_double_le(cycles, range[i][2]);
        ck_assert_double_gt(cycles, before);
        before = cycles;
    }
    struct mw_sim_conf deep = conf_of(l, 64);
    ck_assert_double_gt(median_of(l, deep, 1, false), 0);
    mw_layout_free(l);
}
END_TEST

/* The second one. */
START_TEST(deadlock_free_is_not_fast)
{
    struct mw_layout *l = layout_of("mesh 8 8\nroles PPPPPPVW\n" MERGED_ROUTES);
    for (uint32_t depth = 4; depth <= 64; depth *= 4) {
        const struct mw_sim_conf conf = conf_of(l, depth);
        struct mw_sim_result r = sim_of(l, &conf);
        double blocked = 0;
        for (uint32_t v = 6; v < 64; v += 8)
            blocked += (double)r.core[v].cycles[MW_CORE_BLOCKED] / (double)r.counted / 8;
        must_be_near(median_of(l, conf, 5, false) / 1e9, 2.55, 0.05, "merged");
        ck_assert_double_gt(blocked, 0.85);
        ck_assert_double_lt(r.least_source, 0.1); /* some producers are starved */
        mw_sim_result_fini(&r);
    }
    mw_layout_free(l);
}
END_TEST

/* What simulation cannot tell: the same layout is refuted by its proof. */
START_TEST(saturated_xy_runs_without_deadlock_at_depth_8)
{
    struct mw_layout *l = layout_of(XY "cost A 25\n");
    struct mw_sim_conf conf = conf_of(l, 8);
    conf.cycles = 400000;
    must_be_near(median_of(l, conf, 1, false) / 1e9, 14.3, 0.03, "XY with memory");
    conf.dma = false;
    must_be_near(median_of(l, conf, 1, false) / 1e9, 43, 0.03, "XY without memory");
    mw_layout_free(l);
}
END_TEST

/* ---- traffic and ends ---------------------------------------------------------------------------- */

START_TEST(equal_seeds_give_equal_results)
{
    struct mw_layout *l = layout_of(PAPER);
    struct mw_sim_conf conf = conf_of(l, 4);
    struct mw_sim_result a = sim_of(l, &conf), b = sim_of(l, &conf), c;
    conf.seed = 2;
    c = sim_of(l, &conf);
    ck_assert_int_eq(memcmp(a.core, b.core, 64 * sizeof *a.core), 0);
    ck_assert_int_eq(memcmp(a.pair, b.pair, a.n_pairs * sizeof *a.pair), 0);
    ck_assert_int_ne(memcmp(a.pair, c.pair, a.n_pairs * sizeof *a.pair), 0);
    ck_assert_uint_eq(a.n_pairs, 32 * 16);
    mw_sim_result_fini(&a);
    mw_sim_result_fini(&b);
    mw_sim_result_fini(&c);
    mw_layout_free(l);
}
END_TEST

START_TEST(end_of_stream_comes_after_every_message)
{
    struct mw_layout *l = layout_of(PAPER);
    struct mw_sim_conf conf = conf_of(l, 4);
    conf.warmup = 0;
    conf.supply = 100;
    for (conf.send = 0; conf.send <= 6; conf.send += 6) {
        struct mw_sim_result r = sim_of(l, &conf);
        ck_assert_int_eq(r.ended, true);
        ck_assert_uint_eq(r.consumed, 32 * 100);
        ck_assert_uint_lt(r.cycles, conf.cycles);
        for (uint32_t v = 0; v < 64; v++)
            MUST(r.core[v].taken == r.core[v].given);
        mw_sim_result_fini(&r);
    }
    mw_layout_free(l);
}
END_TEST

/* Where cores wait for each other's markers, the stream does not end; nothing is blocked. */
START_TEST(markers_do_not_end_a_two_way_column)
{
    struct mw_layout *l = layout_of(TWO_WAY);
    struct mw_sim_conf conf = conf_of(l, 64);
    conf.warmup = 0;
    conf.supply = 10;
    struct mw_sim_result r = sim_of(l, &conf);
    ck_assert_int_eq(r.ended, false);
    ck_assert_int_eq(r.deadlock, false);
    ck_assert_uint_eq(r.consumed, 32 * 10);
    mw_sim_result_fini(&r);
    mw_layout_free(l);
}
END_TEST

START_TEST(load_is_the_share_of_the_producers_rate)
{
    struct mw_layout *l = layout_of(PAPER);
    struct mw_sim_conf conf = conf_of(l, 4);
    for (conf.load = 0.05; conf.load < 0.35; conf.load += 0.1)
        must_be_near(median_of(l, conf, 1, false), conf.load * 24.747e9, 0.01, "load");
    mw_layout_free(l);
}
END_TEST

static uint64_t consumed_by(const struct mw_sim_result *r, mw_core sink)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < r->n_pairs; i++)
        n += r->pair[i].sink == sink ? r->pair[i].messages : 0;
    return n;
}

START_TEST(a_hot_sink_gets_its_share)
{
    struct mw_layout *l = layout_of(PAPER);
    struct mw_sim_conf conf = conf_of(l, 16);
    conf.load = 0.05;
    conf.hotspot_core = 7;
    for (conf.hotspot = 0; conf.hotspot <= 0.5; conf.hotspot += 0.25) {
        struct mw_sim_result r = sim_of(l, &conf);
        const double share = (double)consumed_by(&r, 7) / (double)r.consumed;
        ck_assert_double_eq_tol(share, conf.hotspot + (1 - conf.hotspot) / 16, 0.02);
        mw_sim_result_fini(&r);
    }
    mw_layout_free(l);
}
END_TEST

/* Sinks in row-major order: 0,6 0,7 1,6 ...; weights 1, 1/2, 1/3, ... */
START_TEST(skew_is_zipf_over_the_sinks)
{
    struct mw_layout *l = layout_of(PAPER);
    struct mw_sim_conf conf = conf_of(l, 64);
    double sum = 0;
    conf.load = 0.05;
    conf.skew = 1;
    conf.cycles = 4000000;
    struct mw_sim_result r = sim_of(l, &conf);
    for (uint32_t k = 1; k <= 16; k++)
        sum += 1.0 / k;
    for (uint32_t k = 0; k < 16; k++) {
        const mw_core sink = (mw_core)(k / 2 * 8 + 6 + k % 2);
        must_be_near((double)consumed_by(&r, sink) / (double)r.consumed,
                     1 / (sum * (k + 1)), 0.1, "share of a sink");
    }
    mw_sim_result_fini(&r);
    mw_layout_free(l);
}
END_TEST

/* Each core of a reported cycle is blocked, and by the next. */
struct last_words {
    mw_core waits_for[64];
};

static void hear(void *arg, const struct mw_sim_event *e)
{
    struct last_words *w = arg;
    w->waits_for[e->core] = e->state == MW_CORE_BLOCKED ? e->waits_for : MW_NO_CORE;
}

START_TEST(a_reported_cycle_waits_for_itself)
{
    struct mw_layout *l = layout_of(TWO_WAY);
    struct last_words w;
    struct mw_sim_conf conf = conf_of(l, 2);
    conf.observe = hear;
    conf.observe_arg = &w;
    for (conf.seed = 1; conf.seed < 20; conf.seed++) {
        struct mw_sim_result r = sim_of(l, &conf);
        MUST(r.deadlock && r.n_cycle >= 2 && r.cycles >= r.deadlock_cycle);
        for (uint32_t i = 0; i < r.n_cycle; i++)
            MUST(w.waits_for[r.cycle_core[i]] == r.cycle_core[(i + 1) % r.n_cycle]);
        mw_sim_result_fini(&r);
    }
    mw_layout_free(l);
}
END_TEST

START_TEST(an_observer_changes_nothing)
{
    struct mw_layout *l = layout_of(PAPER);
    struct last_words w;
    struct mw_sim_conf conf = conf_of(l, 4);
    struct mw_sim_result a = sim_of(l, &conf), b;
    conf.observe = hear;
    conf.observe_arg = &w;
    b = sim_of(l, &conf);
    ck_assert_int_eq(memcmp(a.core, b.core, 64 * sizeof *a.core), 0);
    mw_sim_result_fini(&a);
    mw_sim_result_fini(&b);
    mw_layout_free(l);
}
END_TEST

START_TEST(the_largest_mesh_is_simulated)
{
    char text[800] = "mesh 64 64\nroles ";
    for (uint32_t i = 0; i < 64; i++)
        strcat(text, i < 32 ? "P" : i < 40 ? "D" : i < 48 ? "U" : "K");
    strcat(text, "\n" PAPER_ROUTES);
    struct mw_layout *l = layout_of(text);
    struct mw_sim_conf conf = conf_of(l, 4);
    conf.cycles = 20000;
    struct mw_sim_result r = sim_of(l, &conf);
    ck_assert_int_eq(r.deadlock, false);
    ck_assert_uint_gt(r.consumed, 4096);
    for (uint32_t v = 0; v < 4096; v++) {
        uint64_t sum = 0;
        for (int i = 0; i < MW_N_CORE_STATES; i++)
            sum += r.core[v].cycles[i];
        MUST(sum == r.counted);
    }
    ck_assert_uint_eq(r.n_pairs, 0); /* two million flows: only sources are told apart */
    mw_sim_result_fini(&r);
    mw_layout_free(l);
}
END_TEST

START_TEST(numbers_out_of_range_are_refused)
{
    struct mw_layout *l = layout_of(PAPER);
    const struct mw_sim_conf good = conf_of(l, 4);
    struct mw_sim_conf bad[10];
    struct mw_sim_result r;
    for (int i = 0; i < 10; i++)
        bad[i] = good;
    bad[0].cycles = 0;
    bad[1].load = 0;
    bad[2].load = 1.5;
    bad[3].hotspot = -0.1;
    bad[4].hotspot = 0.5;
    bad[4].hotspot_core = 0; /* a producer */
    bad[5].skew = (double)NAN;
    bad[6].warmup = 1;
    bad[7].fifo[MW_ROW] = MW_FIFO_MAX + 1;
    bad[8].rings = MW_FIFO_MAX + 1;
    bad[9].rings = 1;
    bad[9].supply = 1;
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(mw_layout_sim(l, &bad[i], &r), MW_ERR_USAGE);
    mw_layout_free(l);
}
END_TEST

/* The second one ends in a knot. */
START_TEST(no_allocation_failure_leaks_or_crashes)
{
    static const char *const texts[] = {
        TWO_WAY "flow 0,0 0,4\n",
        "mesh 4 4\nroles AAAA\nsource A\nsink A\nadaptive west-first\n"
        "broadcast 0,0 row col\n"};
    struct mw_layout *l = layout_of(texts[_i]);
    struct mw_sim_conf conf = conf_of(l, 2);
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    conf.skew = 1;
    conf.cycles = 2000;
    conf.supply = 1000;
    for (uint64_t n = 1; rc != MW_OK; n++) {
        struct mw_sim_result r;
        struct mw_throughput t;
        mw_mem_fail_at(n);
        rc = mw_layout_sim(l, &conf, &r);
        if (rc == MW_OK)
            rc = mw_layout_throughput(l, &t);
        mw_mem_fail_at(0);
        MUST(rc == MW_OK || rc == MW_ERR_NOMEM);
        MUST(rc != MW_OK || _i == 0 || r.deadlock);
        mw_sim_result_fini(&r);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
    mw_layout_free(l);
}
END_TEST

static TCase *published(void)
{
    TCase *t = tcase_create("published");
    tcase_add_loop_test(t, closed_formula_gives_the_published_stage_bounds, 0,
                        N_PAPER_ROWS);
    tcase_add_loop_test(t, simulation_matches_the_published_throughput, 0, N_PAPER_ROWS);
    tcase_add_test(t, deep_fifos_hide_the_deadlock_of_a_two_way_column);
    tcase_add_test(t, deadlock_free_is_not_fast);
    tcase_add_test(t, saturated_xy_runs_without_deadlock_at_depth_8);
    return t;
}

struct standing {
    uint8_t state[MW_MESH_CORES_MAX];
};

static void stand(void *arg, const struct mw_sim_event *e)
{
    ((struct standing *)arg)->state[e->core] = e->state;
}

static uint32_t workers(const struct standing *s)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < MW_MESH_CORES_MAX; v++)
        n += s->state[v] == MW_CORE_BUSY;
    return n;
}

/* "No step at all is possible" is not said of a mesh in which some core still works; who cuts
 * the run off before all stand does not hear it. */
START_TEST(a_global_deadlock_stands_still)
{
    struct mw_layout *l = layout_of(TWO_WAY);
    uint32_t n_later = 0, n_globals = 0;
    struct mw_sim_conf conf = conf_of(l, 2);
    for (conf.seed = 1; conf.seed < 40; conf.seed++) {
        struct standing s = {{0}};
        conf.observe = stand;
        conf.observe_arg = &s;
        struct mw_sim_result r = sim_of(l, &conf);
        MUST(r.weak || !r.global);
        MUST(!r.global || workers(&s) == 0);
        for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
            MUST(r.core[v].end == s.state[v]);
        n_globals += r.global;
        if (r.cycles > r.deadlock_cycle) {
            struct mw_sim_conf shorter = conf;
            shorter.cycles = r.deadlock_cycle;
            s = (struct standing){{0}};
            struct mw_sim_result cut = sim_of(l, &shorter);
            MUST(cut.deadlock && cut.weak && !cut.global && workers(&s) > 0);
            mw_sim_result_fini(&cut);
            n_later++;
        }
        mw_sim_result_fini(&r);
    }
    ck_assert_uint_gt(n_later, 0);
    ck_assert_uint_gt(n_globals, n_later);
    mw_layout_free(l);
}
END_TEST

/* ---- what is not counted ------------------------------------------------------------------- */

static struct mw_sim_result sim_for(const char *text, uint64_t cycles, double warmup,
                                    uint64_t supply)
{
    struct mw_layout *l = layout_of(text);
    struct mw_sim_conf conf;
    mw_sim_defaults(l, &conf);
    conf.cycles = cycles;
    conf.warmup = warmup;
    conf.supply = supply;
    struct mw_sim_result r = sim_of(l, &conf);
    mw_layout_free(l);
    return r;
}

/* An end in the warm-up, which is a share of the cycles asked for, and a warm-up of nearly all. */
START_TEST(what_ends_in_the_warm_up_is_not_counted)
{
    struct mw_sim_result r =
        sim_for("mesh 1 2\nroles PK\nroute P: then K\n", 200000, 0.1, 5);
    ck_assert(r.ended);
    ck_assert_uint_lt(r.cycles, 20000);
    ck_assert_uint_eq(r.counted + r.consumed, 0);
    mw_sim_result_fini(&r);
    r = sim_for(TWO_WAY, 200000, 0.5, 0);
    ck_assert(r.deadlock);
    ck_assert_uint_eq(r.counted + r.consumed, 0);
    ck_assert_uint_eq(r.observed, r.cycles); /* but how it stopped can be seen */
    uint64_t sum = 0;
    for (int k = 0; k < MW_N_CORE_STATES; k++)
        sum += r.core[0].cycles[k];
    ck_assert_uint_eq(sum, r.cycles);
    mw_sim_result_fini(&r);
    r = sim_for(PAPER, 20000, 0.99999999, 0); /* all but 0.0002 cycles */
    ck_assert_uint_le(r.counted, 1);
    ck_assert_uint_eq(r.consumed, 0);
    mw_sim_result_fini(&r);
}
END_TEST

START_TEST(a_blocked_core_says_what_it_holds_and_wants)
{
    struct mw_sim_result r = sim_for(TWO_WAY, 200000, 0, 0);
    struct mw_layout *l = layout_of(TWO_WAY);
    MUST(r.deadlock && r.n_cycle > 1);
    for (uint32_t i = 0; i < r.n_cycle; i++) {
        const struct mw_sim_blocked *b = &r.blocked[i];
        MUST(b->core == r.cycle_core[i] && b->next == r.cycle_core[(i + 1) % r.n_cycle]);
        MUST(b->flow == -1 && !b->marker && l->role[b->sink] == 'K');
        MUST(b->class == MW_COLUMN && b->fill == 4 && b->depth == 4);
        MUST(mw_core_row(l, b->sink) == mw_core_row(l, b->next));
    }
    mw_layout_free(l);
    mw_sim_result_fini(&r);
    r = sim_for("mesh 2 3\nfifo row 1 col 1\nroles PTK\ncost P 1 T 40 K 1\nflow 0,0 0,1 "
                "1,1 1,2\nflow 1,0 1,1 0,1 0,2\n",
                20000, 0, 0);
    MUST(r.deadlock && r.n_cycle == 2);
    ck_assert_int_eq(r.blocked[0].flow, 0);
    ck_assert_int_eq(r.blocked[1].flow, 1);
    ck_assert_uint_eq(r.blocked[0].sink, 5);
    mw_sim_result_fini(&r);
}
END_TEST

START_TEST(least_and_most_served_sources_are_named)
{
    struct mw_sim_result r = sim_for(PAPER, 50000, 0.1, 0);
    uint64_t sum[64] = {0}, all = 0;
    for (uint64_t i = 0; i < r.n_pairs; i++) {
        sum[r.pair[i].source] += r.pair[i].messages;
        all += r.pair[i].messages;
    }
    const double mean = (double)all / 32;
    ck_assert_double_eq_tol((double)sum[r.least_source_core] / mean, r.least_source,
                            1e-9);
    ck_assert_double_eq_tol((double)sum[r.most_source_core] / mean, r.most_source, 1e-9);
    ck_assert_double_lt(r.least_source, r.most_source);
    mw_sim_result_fini(&r);
}
END_TEST

static TCase *traffic(void)
{
    TCase *t = tcase_create("traffic");
    tcase_add_test(t, equal_seeds_give_equal_results);
    tcase_add_test(t, end_of_stream_comes_after_every_message);
    tcase_add_test(t, markers_do_not_end_a_two_way_column);
    tcase_add_test(t, load_is_the_share_of_the_producers_rate);
    tcase_add_test(t, a_hot_sink_gets_its_share);
    tcase_add_test(t, skew_is_zipf_over_the_sinks);
    tcase_add_test(t, a_reported_cycle_waits_for_itself);
    tcase_add_test(t, a_global_deadlock_stands_still);
    tcase_add_test(t, an_observer_changes_nothing);
    tcase_add_test(t, what_ends_in_the_warm_up_is_not_counted);
    tcase_add_test(t, a_blocked_core_says_what_it_holds_and_wants);
    tcase_add_test(t, least_and_most_served_sources_are_named);
    tcase_add_test(t, the_largest_mesh_is_simulated);
    tcase_add_test(t, numbers_out_of_range_are_refused);
    tcase_add_loop_test(t, no_allocation_failure_leaks_or_crashes, 0, 2);
    return t;
}

int main(void)
{
    Suite *s = suite_create("layout_sim");
    TCase *scan = tcase_create("scan");
    /* Among these is the first that notices when a second free slot wakes no second sender. */
    tcase_add_loop_test(scan, visiting_only_cores_that_can_act_changes_nothing, 8,
                        how_many(12, 10, 9));
    tcase_add_test(scan, remote_puts_are_those_of_a_plain_scan);
    tcase_add_test(scan, the_comparison_met_deadlocks_and_ends);
    suite_add_tcase(s, scan);
    suite_add_tcase(s, published());
    suite_add_tcase(s, traffic());
    return run_suite(s);
}
