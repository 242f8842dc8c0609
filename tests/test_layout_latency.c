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
static uint32_t n_drained, n_unstable, n_stuck, n_measured, n_compared;

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
        /* A deadlock of the drain ends that, and the scan goes on. One whose cores still work
         * when the cycles are over is not called global, and the scan stands still at once. */
        const bool same =
            (a.latency.end != MW_LATENCY_STUCK || a.deadlock) && stop == a.cycles;
        n_compared += same;
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
    ck_assert_uint_gt(n_compared, 4 * TRIALS * 3 / 4);
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

/* ---- who sends to whom, and when ------------------------------------------------------------ */

START_TEST(each_pattern_is_a_permutation_of_the_positions)
{
    static const uint32_t expected[MW_N_PATTERNS][4] = {{1, 6, 20, 63},  {8, 48, 34, 63},
                                                        {62, 57, 43, 0}, {32, 24, 10, 63},
                                                        {2, 12, 40, 63}, {2, 7, 21, 0}};
    static const uint32_t at[4] = {1, 6, 20, 63};
    for (int p = MW_PATTERN_TRANSPOSE; p < MW_N_PATTERNS; p++) {
        bool met[64] = {false};
        ck_assert_int_eq(mw_pattern_check((enum mw_pattern)p, 64), MW_OK);
        for (uint32_t x = 0; x < 64; x++) {
            const uint32_t y = mw_pattern_sink((enum mw_pattern)p, x, 64);
            MUST(y < 64 && !met[y]);
            met[y] = true;
        }
        for (int i = 0; i < 4; i++)
            ck_assert_uint_eq(mw_pattern_sink((enum mw_pattern)p, at[i], 64),
                              expected[p][i]);
    }
    ck_assert_int_eq(mw_pattern_check(MW_PATTERN_TRANSPOSE, 32), MW_ERR_USAGE);
    ck_assert_int_eq(mw_pattern_check(MW_PATTERN_SHUFFLE, 12), MW_ERR_USAGE);
    ck_assert_int_eq(mw_pattern_check(MW_PATTERN_NEIGHBOUR, 12), MW_OK);
    ck_assert_int_eq(mw_pattern_check(MW_PATTERN_COMPLEMENT, 0), MW_ERR_USAGE);
}
END_TEST

/* Transposed, core r,c sends to c,r, and the diagonal sends nothing; 32 producers of 16
 * consumers take these by twos. */
START_TEST(a_pattern_leaves_each_source_one_sink)
{
    static const char *const text[] = {XY, PAPER};
    for (int i = 0; i < 2; i++) {
        struct mw_layout *l = layout_of(text[i]);
        struct mw_sim_conf conf;
        mw_sim_defaults(l, &conf);
        conf.load = 0.1;
        conf.cycles = 20000;
        conf.pattern = i == 0 ? MW_PATTERN_TRANSPOSE : MW_PATTERN_COMPLEMENT;
        struct mw_sim_result r = sim_of(l, &conf);
        ck_assert_uint_eq(r.n_pairs, i == 0 ? 56 : 32);
        for (uint64_t k = 0; k < r.n_pairs; k++) {
            const mw_core a = r.pair[k].source, b = r.pair[k].sink;
            MUST(r.pair[k].messages > 0);
            MUST(i == 1 || (a / 8 == b % 8 && a % 8 == b / 8));
            MUST(i == 0 || b == l->sink[15 - k / 2]);
        }
        ck_assert_double_gt(r.least_source, 0.5); /* the silent ones are not starved */
        mw_sim_result_fini(&r);
        mw_layout_free(l);
    }
}
END_TEST

/* Mean rate, and the spread of the gaps: none, that of a coin, more than that. */
START_TEST(arrivals_have_the_same_rate_and_their_own_spread)
{
    for (int kind = 0; kind < MW_N_ARRIVALS; kind++) {
        enum { N = 400000, INTERVAL = 300, COST = 20 };
        struct mw_clock c;
        double sum = 0, squares = 0;
        uint64_t due = 0, n_short = 0;
        mw_clock_init(&c, (enum mw_arrivals)kind, 6, 42, 3, INTERVAL << MW_CLOCK_BITS,
                      COST << MW_CLOCK_BITS);
        for (uint32_t i = 0; i < N; i++) {
            const uint64_t next = mw_clock_next(&c, due);
            const double gap = ldexp((double)(next - due), -MW_CLOCK_BITS);
            due = next;
            sum += gap;
            squares += gap * gap;
            n_short += gap <= COST;
        }
        const double mean = sum / N, spread = sqrt(squares / N - mean * mean) / mean;
        ck_assert_double_eq_tol(mean, INTERVAL, INTERVAL * 0.02);
        if (kind == MW_ARRIVALS_EVEN)
            ck_assert_double_lt(spread, 1e-3);
        if (kind == MW_ARRIVALS_BERNOULLI)
            ck_assert_double_eq_tol(spread, sqrt(1 - 1.0 / INTERVAL), 0.01);
        if (kind == MW_ARRIVALS_BURSTY) {
            ck_assert_double_gt(spread, 2.5);
            ck_assert_double_eq_tol((double)n_short / N, 5.0 / 6, 0.01);
        }
    }
}
END_TEST

static int parse(const struct mw_layout *l, const char *text, struct mw_recording *out)
{
    return mw_recording_parse(l, "file", text, strlen(text), out);
}

static void must_be_recorded(void *arg, const struct mw_sim_message *m)
{
    uint64_t *n = arg;
    static const struct mw_sim_message expected[] = {
        {0, 1, 0, 0, 0}, {1, 0, 5000, 0, 0}, {0, 3, 9000, 0, 0}, {0, 3, 9000, 0, 0}};
    MUST(*n < 4);
    MUST(m->source == expected[*n].source && m->sink == expected[*n].sink &&
         m->created == expected[*n].created);
    ++*n;
}

START_TEST(recorded_messages_are_sent_as_they_stand)
{
    struct mw_layout *l = layout_of("mesh 2 2\nroles AA\nsource A\nsink A\ncost A 9\n"
                                    "route A: row-to-col, col-to-row\n");
    struct mw_recording r;
    struct mw_sim_conf conf;
    uint64_t n = 0;
    mw_sim_defaults(l, &conf);
    MUST(parse(l,
               "cycle,source,sink\n0,\"0,0\",\"0,1\"\r\n5000,1,0\n9000,\"0,0\",3\n"
               "9000,0,\"1,1\"",
               &r) == MW_OK);
    conf.recording = &r;
    conf.warmup = 0;
    conf.observe_message = must_be_recorded;
    conf.observe_message_arg = &n;
    struct mw_sim_result x = sim_of(l, &conf);
    ck_assert_uint_eq(n, 4);
    ck_assert_uint_eq(x.consumed, 4);
    ck_assert_uint_eq(x.latency.created, 4);
    ck_assert_uint_lt(x.cycles, 9200); /* it ends when all is there */
    ck_assert_uint_eq(x.latency.all.created.least, 8 + 10 + 9);
    ck_assert_uint_eq(x.latency.all.created.most, 2 * (8 + 10) + 9 + 9);
    mw_sim_result_fini(&x);
    conf.load = 0.5;
    ck_assert_int_eq(mw_layout_sim(l, &conf, &x), MW_ERR_USAGE);
    conf.load = 1;
    conf.pattern = MW_PATTERN_COMPLEMENT;
    ck_assert_int_eq(mw_layout_sim(l, &conf, &x), MW_ERR_USAGE);
    mw_recording_fini(&r);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_recording_that_is_wrong_is_refused_with_its_line)
{
    static const char *const bad[][2] = {
        {"0,0,1\n", "file:1: expected the line 'cycle,source,sink'"},
        {"cycle,source,sink\n", "file: no message in it"},
        {"cycle,source,sink\n0,0,4\n", "file:2: expected CYCLE"},
        {"cycle,source,sink\n0,0,1\n7,\"0,2\",1\n", "file:3: expected CYCLE"},
        {"cycle,source,sink\n0,0,1,1\n", "file:2: expected CYCLE"},
        {"cycle,source,sink\n0,0\n", "file:2: expected CYCLE"},
        {"cycle,source,sink\n9,0,1\n8,0,1\n", "file:3: cycle 8 after cycle 9"}};
    struct mw_layout *l =
        layout_of("mesh 2 2\nroles PK\nroute P: any->K\nroute K: col-to-row\n");
    struct mw_recording r;
    struct mw_sim_conf conf;
    struct mw_sim_result x;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(parse(l, bad[i][0], &r), MW_ERR_DATA);
        if (strncmp(mw_error_text(), bad[i][1], strlen(bad[i][1])) != 0)
            ck_abort_msg("'%s', expected '%s'", mw_error_text(), bad[i][1]);
    }
    MUST(parse(l, "cycle,source,sink\n3,1,0\n", &r) == MW_OK);
    mw_sim_defaults(l, &conf);
    conf.recording = &r;
    ck_assert_int_eq(mw_layout_sim(l, &conf, &x), MW_ERR_DATA);
    ck_assert_str_eq(mw_error_text(), "recorded traffic: no flow goes from 0,1 to 0,0");
    mw_recording_fini(&r);
    mw_layout_free(l);
}
END_TEST

/* Calls of one test: recorded, and drawn with clocks. */
START_TEST(no_allocation_failure_leaks)
{
    struct mw_layout *l = layout_of(TWO_WAY "flow 0,0 0,4\n");
    struct mw_sim_conf conf;
    struct mw_recording r;
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    mw_sim_defaults(l, &conf);
    conf.cycles = 500;
    conf.warmup = 0;
    conf.arrivals = _i == 0 ? MW_ARRIVALS_EVEN : MW_ARRIVALS_BURSTY;
    for (uint64_t n = 1; rc != MW_OK; n++) {
        struct mw_sim_result x = {0};
        mw_mem_fail_at(n);
        rc = parse(l, "cycle,source,sink\n3,1,5\n4,0,4\n4,0,7\n", &r);
        conf.recording = _i == 0 ? &r : NULL;
        if (rc == MW_OK)
            rc = mw_layout_sim(l, &conf, &x);
        mw_mem_fail_at(0);
        MUST(rc == MW_OK || rc == MW_ERR_NOMEM);
        mw_sim_result_fini(&x);
        mw_recording_fini(&r);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
    mw_layout_free(l);
}
END_TEST

static TCase *traffic(void)
{
    TCase *t = tcase_create("traffic");
    tcase_add_test(t, each_pattern_is_a_permutation_of_the_positions);
    tcase_add_test(t, a_pattern_leaves_each_source_one_sink);
    tcase_add_test(t, arrivals_have_the_same_rate_and_their_own_spread);
    tcase_add_test(t, recorded_messages_are_sent_as_they_stand);
    tcase_add_test(t, a_recording_that_is_wrong_is_refused_with_its_line);
    tcase_add_loop_test(t, no_allocation_failure_leaks, 0, 2);
    return t;
}

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
    suite_add_tcase(s, traffic());
    suite_add_tcase(s, scan);
    return run_suite(s);
}
