/* test_layout_latency.c -- message latencies: against a closed formula where nothing else is on
 * the way, and against a scan of every core in every cycle where much is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_random.h"
#include "layout_scan.h"

#include <check.h>
#include <stdlib.h>

/* ---- the histogram ------------------------------------------------------------------------ */

START_TEST(steps_are_exact_below_1024_and_fine_above)
{
    for (uint64_t x = 0; x < 1024; x++)
        MUST(mw_latency_bin(x) == x && mw_latency_bin_low((uint32_t)x) == x);
    for (uint64_t x = 1024, step = 1; x < UINT64_C(1) << 62;
         x += step, step += step / 7 + 1) {
        const uint32_t bin = mw_latency_bin(x);
        const uint64_t low = mw_latency_bin_low(bin), next = mw_latency_bin_low(bin + 1);
        MUST(low <= x && x < next && (x - low) * 512 < x);
    }
    ck_assert_uint_lt(mw_latency_bin(UINT64_MAX), MW_LATENCY_BINS);
}
END_TEST

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Of sorted values: the least that a share of percent / 100 does not exceed. */
static uint64_t quantile(const uint64_t *sorted, uint64_t n, uint64_t percent)
{
    return sorted[(n * percent + 99) / 100 - 1];
}

static bool is_near(uint64_t told, uint64_t exact)
{
    return exact < 1024 ? told == exact : told <= exact && (exact - told) * 512 < exact;
}

/* Sorts `value`. */
static bool is_delay(const struct mw_delay *d, uint64_t *value, uint64_t n)
{
    double sum = 0;
    if (n == 0)
        return d->most == 0 && d->p50 == 0;
    qsort(value, n, sizeof *value, by_size);
    for (uint64_t i = 0; i < n; i++)
        sum += (double)value[i];
    return fabs(d->mean - sum / (double)n) < 1e-9 * (sum + 1) && d->least == value[0] &&
           d->most == value[n - 1] && is_near(d->p50, quantile(value, n, 50)) &&
           is_near(d->p95, quantile(value, n, 95)) &&
           is_near(d->p99, quantile(value, n, 99));
}

/* ---- nothing on the way --------------------------------------------------------------------- */

/* docs/mesh.md: each core but the last holds a message cost - 1 cycles until the put, which takes
 * the latency; a send buffer adds a cycle; the last core takes its cost. */
static uint64_t formula(const struct mw_layout *l, const struct mw_sim_conf *conf,
                        const mw_core *core, uint32_t n, bool from_injection)
{
    uint64_t sum = mw_core_cost(l, core[n - 1]);
    for (uint32_t i = 0; i + 1 < n; i++)
        sum += (i == 0 && from_injection ? 0 : mw_core_cost(l, core[i]) - 1) +
               conf->latency + (conf->send > 0);
    return sum;
}

struct expected {
    const struct mw_layout *l;
    const struct mw_sim_conf *conf;
    uint64_t n;
};

/* Looks the message's flow up among all. */
static void must_be_formula(void *arg, const struct mw_sim_message *m)
{
    struct expected *e = arg;
    mw_core core[64] = {0};
    uint32_t n = 1;
    for (uint64_t f = 0; f < e->l->n_flows; f++) {
        n = mw_layout_flow(e->l, f, core);
        if (core[0] == m->source && core[n - 1] == m->sink)
            break;
    }
    MUST(core[0] == m->source && core[n - 1] == m->sink);
    const uint64_t whole = formula(e->l, e->conf, core, n, false);
    const uint64_t inside = formula(e->l, e->conf, core, n, true);
    if (m->arrived - m->created != whole || m->arrived - m->injected != inside)
        ck_abort_msg("%u to %u: %llu and %llu cycles, the formula says %llu and %llu",
                     m->source, m->sink, (unsigned long long)(m->arrived - m->created),
                     (unsigned long long)(m->arrived - m->injected),
                     (unsigned long long)whole, (unsigned long long)inside);
    e->n++;
}

/* One source at a time, slow enough for its last message to be gone. */
#define CORNERS "mesh 3 3\nroles PX.\nroles .X.\nroles .XK\nroute P: any->X\n"
static const char *const lonely[] = {
    "mesh 1 2\nflow 0,0 0,1\n", "mesh 1 2\nroles PK\nroute P: then K\ncost P 1 K 1\n",
    CORNERS "route X: col-to-row, then K\ncost P 3 X 7 K 13\n",
    CORNERS "route X: col-to-row step, then K\ncost P 5 X 1 K 2\n"};
enum { N_LONELY = 4 };

START_TEST(alone_a_message_takes_what_the_formula_says)
{
    static const uint32_t latency[] = {1, 2, 10, 300};
    for (int i = 0; i < N_LONELY; i++)
        for (int k = 0; k < 4; k++)
            for (uint32_t send = 0; send <= 2; send += 2) {
                struct mw_layout *l = layout_of(lonely[i]);
                struct mw_sim_conf conf;
                mw_sim_defaults(l, &conf);
                struct expected e = {.l = l, .conf = &conf};
                conf.latency = latency[k];
                conf.send = send;
                conf.load = 0.002;
                conf.dma = false;
                conf.drain = 100000;
                conf.observe_message = must_be_formula;
                conf.observe_message_arg = &e;
                struct mw_sim_result r = sim_of(l, &conf);
                ck_assert_uint_gt(e.n, 3);
                ck_assert_uint_eq(e.n, r.latency.created);
                ck_assert_int_eq(r.latency.end, MW_LATENCY_DRAINED);
                ck_assert_uint_eq(r.latency.all.created.least,
                                  r.latency.all.created.most);
                mw_sim_result_fini(&r);
                mw_layout_free(l);
            }
}
END_TEST

/* All 64 sources of the paper's layout and of XY, each so rarely that hardly two meet: the least
 * latency of each pair of roles is the formula's shortest flow. */
START_TEST(the_least_latency_of_a_class_is_its_shortest_flows)
{
    static const char *const text[] = {PAPER, XY, XY "cost A 1\n"};
    for (int i = 0; i < 3; i++) {
        struct mw_layout *l = layout_of(text[i]);
        struct mw_sim_conf conf;
        mw_core core[64];
        uint64_t least = UINT64_MAX;
        mw_sim_defaults(l, &conf);
        conf.load = 0.003;
        for (uint64_t f = 0; f < l->n_flows; f++)
            least =
                mw_min(least, formula(l, &conf, core, mw_layout_flow(l, f, core), false));
        struct mw_sim_result r = sim_of(l, &conf);
        ck_assert_uint_eq(r.latency.n_classes, 1);
        ck_assert_uint_eq(r.latency.class[0].created.least, least);
        ck_assert_int_eq(r.latency.class[0].source, l->role[l->source[0]]);
        ck_assert_int_eq(r.latency.class[0].sink, l->role[l->sink[0]]);
        mw_sim_result_fini(&r);
        mw_layout_free(l);
    }
}
END_TEST

/* ---- much on the way ------------------------------------------------------------------------ */

enum { TRIALS = 60 };
static uint32_t n_drained, n_unstable, n_stuck, n_measured;

START_TEST(latencies_are_those_of_a_scan)
{
    const uint64_t first = 77000 + (uint64_t)_i * TRIALS;
    for (uint64_t seed = first; seed < first + TRIALS; seed++) {
        uint64_t state = mw_sim_traffic_mix(seed);
        mw_core cycle[SCAN_CORES];
        struct mw_layout *l = random_layout(&state);
        struct mw_sim_conf conf = random_conf(l, &state);
        struct scan *s = mw_alloc("scan", 1, sizeof *s);
        struct mw_sim_result b = {0};
        conf.drain = draw(&state, 2) * draw(&state, 4000);
        conf.open = draw(&state, 2) != 0;
        conf.arrivals = (enum mw_arrivals)draw(&state, MW_N_ARRIVALS);
        conf.burst = 1 + (double)draw(&state, 5);
        if (conf.hotspot <= 0 && conf.skew <= 0)
            conf.pattern = draw(&state, 2) == 0 && l->n_sinks > 2 ? MW_PATTERN_NEIGHBOUR
                                                                  : MW_PATTERN_UNIFORM;
        struct mw_sim_result a = sim_of(l, &conf);
        MUST(scan_run(s, l, &conf, a.global, &b, cycle) == MW_OK);
        const uint64_t stop = s->now;
        scan_drain(s, &a);
        MUST(s->n_times < SCAN_TIMES);
        /* A deadlock of the drain ends it; the scan goes on, and nothing of the window moves
         * that does not also move before. So only whole drains are compared there. */
        const bool same = a.latency.end != MW_LATENCY_STUCK || a.deadlock;
        if (same &&
            (scan_created(s) != a.latency.created || s->n_times != a.latency.arrived ||
             a.latency.all.n != a.latency.arrived ||
             !is_delay(&a.latency.all.created, s->whole, s->n_times) ||
             !is_delay(&a.latency.all.injected, s->inside, s->n_times)))
            ck_abort_msg(
                "seed %llu: %llu of %llu arrived, scan %llu of %llu; mean %g; %s",
                (unsigned long long)seed, (unsigned long long)a.latency.arrived,
                (unsigned long long)a.latency.created, (unsigned long long)s->n_times,
                (unsigned long long)scan_created(s), a.latency.all.created.mean,
                mw_latency_end_names[a.latency.end]);
        MUST(stop >= a.cycles);
        n_drained += a.latency.end == MW_LATENCY_DRAINED;
        n_unstable += a.latency.end == MW_LATENCY_UNSTABLE;
        n_stuck += a.latency.end == MW_LATENCY_STUCK;
        n_measured += a.latency.arrived > 20;
        mw_sim_result_fini(&a);
        scan_fini(s);
        mw_free(s);
        mw_layout_free(l);
    }
}
END_TEST

START_TEST(the_comparison_met_every_end)
{
    ck_assert_uint_gt(n_drained, 20);
    ck_assert_uint_gt(n_unstable, 10);
    ck_assert_uint_gt(n_stuck, 20);
    ck_assert_uint_gt(n_measured, 50);
}
END_TEST

/* ---- what is measured ----------------------------------------------------------------------- */

static struct mw_sim_result paper_at(double load, uint64_t drain)
{
    struct mw_layout *l = layout_of(PAPER);
    struct mw_sim_conf conf;
    mw_sim_defaults(l, &conf);
    conf.cycles = 60000;
    conf.load = load;
    conf.open = true;
    conf.drain = drain;
    struct mw_sim_result r = sim_of(l, &conf);
    mw_layout_free(l);
    return r;
}

START_TEST(a_load_that_is_too_high_is_unstable)
{
    struct mw_sim_result low = paper_at(0.2, 6000), high = paper_at(0.9, 6000);
    ck_assert_int_eq(low.latency.end, MW_LATENCY_DRAINED);
    ck_assert_uint_eq(low.latency.arrived, low.latency.created);
    ck_assert_uint_lt(low.latency.drained, 6000);
    ck_assert_int_eq(high.latency.end, MW_LATENCY_UNSTABLE);
    ck_assert_uint_lt(high.latency.arrived, high.latency.created);
    ck_assert_double_gt(high.latency.all.created.mean, 10 * low.latency.all.created.mean);
    mw_sim_result_fini(&low);
    mw_sim_result_fini(&high);
}
END_TEST

/* The drain changes no other figure. */
START_TEST(the_drain_counts_for_latencies_only)
{
    struct mw_sim_result a = paper_at(0.6, 0), b = paper_at(0.6, 20000);
    ck_assert_int_eq(memcmp(a.core, b.core, 64 * sizeof *a.core), 0);
    ck_assert_uint_eq(a.consumed, b.consumed);
    ck_assert_uint_eq(a.cycles, b.cycles);
    ck_assert_uint_eq(a.latency.created, b.latency.created);
    ck_assert_uint_lt(a.latency.arrived, b.latency.arrived);
    ck_assert_int_eq(a.latency.end, MW_LATENCY_OPEN);
    mw_sim_result_fini(&a);
    mw_sim_result_fini(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_latency");
    TCase *t = tcase_create("latency"), *scan = tcase_create("scan");
    tcase_add_test(t, steps_are_exact_below_1024_and_fine_above);
    tcase_add_test(t, alone_a_message_takes_what_the_formula_says);
    tcase_add_test(t, the_least_latency_of_a_class_is_its_shortest_flows);
    tcase_add_test(t, a_load_that_is_too_high_is_unstable);
    tcase_add_test(t, the_drain_counts_for_latencies_only);
    tcase_add_loop_test(scan, latencies_are_those_of_a_scan, 0, 4);
    tcase_add_test(scan, the_comparison_met_every_end);
    suite_add_tcase(s, t);
    suite_add_tcase(s, scan);
    return run_suite(s);
}
