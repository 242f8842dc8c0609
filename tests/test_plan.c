/* test_plan.c -- the preflight adds up, grows where it must, and never wraps.
 *
 * That single rows are true is test_sizes.c's business; here it is the whole, with what is
 * estimated of Kronecker graphs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "algorithms/sssp/sssp.h"
#include "graph500/plan.h"

#include "graph500/benchmark.h"
#include "ranks.h"

#include <string.h>

static struct mw_world_conf world;
static struct mw_direction_rule automatic; /* long rows are dealt out */

static enum mw_weights weights_of(uint32_t n_ways)
{
    return n_ways != 1 ? MW_WEIGHTS_MINIMUM : MW_WEIGHTS_NONE;
}

/* Of searches; with two ways of shortest paths as well; with none of shortest paths alone, of which the graph is thin. */
static struct mw_plan plan_ways(uint32_t scale, uint32_t n_ranks, uint32_t n_threads,
                                uint32_t n_ways, bool validate)
{
    struct mw_plan p;
    const struct mw_plan_way way[] = {
        {.world = &world, .algorithm = &mw_algorithm_bfs, .options = &automatic},
        {.world = &world, .algorithm = &mw_algorithm_sssp}};
    const struct mw_plan_conf conf = {.n_threads = n_threads,
                                      .n_vertices = UINT64_C(1) << scale,
                                      .n_edges = UINT64_C(16) << scale,
                                      .kronecker = true,
                                      .n_ranks = n_ranks,
                                      .n_hosts = 1,
                                      .way = n_ways > 0 ? way : way + 1,
                                      .n_ways = n_ways > 0 ? n_ways : 1,
                                      .graph_rule.weights = weights_of(n_ways),
                                      .validate = validate};
    ck_assert_int_eq(mw_plan_make(&conf, &p), MW_OK);
    return p;
}

static struct mw_plan plan_on(uint32_t scale, uint32_t n_ranks, uint32_t n_threads,
                              bool validate)
{
    return plan_ways(scale, n_ranks, n_threads, 1, validate);
}

static struct mw_plan plan_for(uint32_t scale, uint32_t n_ranks, bool validate)
{
    return plan_on(scale, n_ranks, 1, validate);
}

static uint64_t sum(const struct mw_plan *p, enum mw_when when)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < p->sizes.n; i++)
        if (p->sizes.row[i].when == when)
            n += mw_size_touched(&p->sizes.row[i], p->world.host_ranks);
    return n;
}

START_TEST(the_peak_is_what_stays_and_the_larger_phase)
{
    const struct mw_plan p = plan_for(20, 2, true);
    const uint64_t count = sum(&p, MW_COUNTING), build = sum(&p, MW_BUILDING);
    const uint64_t search = sum(&p, MW_SEARCHING);
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_gt(build, count);
    ck_assert_uint_gt(search, 0);
    ck_assert_uint_eq(p.peak_bytes, sum(&p, MW_ALWAYS) + mw_max(build, search));
}
END_TEST

START_TEST(a_scale_more_is_twice_the_memory)
{
    const uint64_t a = plan_for(24, 1, true).peak_bytes,
                   b = plan_for(25, 1, true).peak_bytes;
    ck_assert_uint_gt(b, a / 100 * 185);
    ck_assert_uint_lt(b, a / 100 * 215);
}
END_TEST

START_TEST(validation_takes_memory)
{
    const struct mw_plan with = plan_for(20, 1, true), without = plan_for(20, 1, false);
    ck_assert_uint_gt(sum(&with, MW_SEARCHING), sum(&without, MW_SEARCHING));
}
END_TEST

START_TEST(beyond_32_bits_columns_are_wide)
{
    ck_assert(!plan_for(30, 1, true).wide);
    ck_assert(plan_for(32, 64, true).wide);
}
END_TEST

START_TEST(the_largest_sizes_do_not_wrap)
{
    for (uint32_t scale = 40; scale <= 60; scale++)
        ck_assert_uint_ge(plan_for(scale, 1, true).peak_bytes,
                          UINT64_C(100) << scale >> 20);
    ck_assert_uint_gt(plan_for(60, 1, true).peak_bytes, UINT64_C(1) << 62);
}
END_TEST

/* What Lin et al. had: 40,768 nodes of 32 GiB. */
static struct mw_plan plan_of_the_paper(uint32_t groups_n, uint32_t groups_m)
{
    struct mw_plan p;
    const struct mw_world_conf conf = {.groups_n = groups_n, .groups_m = groups_m};
    const struct mw_plan_way way = {
        .world = &conf, .algorithm = &mw_algorithm_bfs, .options = &automatic};
    ck_assert_int_eq(mw_plan_make(&(struct mw_plan_conf){.n_threads = 4,
                                                         .n_vertices = UINT64_C(1) << 40,
                                                         .n_edges = UINT64_C(16) << 40,
                                                         .kronecker = true,
                                                         .n_ranks = 40768,
                                                         .n_hosts = 40768,
                                                         .way = &way,
                                                         .n_ways = 1,
                                                         .validate = true},
                                  &p),
                     MW_OK);
    return p;
}

START_TEST(the_papers_graph_fits_the_papers_machine)
{
    const struct mw_plan auto_shape = plan_of_the_paper(0, 0);
    const struct mw_plan shape = plan_of_the_paper(160, 256);
    ck_assert_uint_lt(auto_shape.peak_bytes, UINT64_C(32) << 30);
    ck_assert_uint_lt(shape.peak_bytes, UINT64_C(32) << 30);
    ck_assert_uint_eq(mw_sizes_find(&shape.sizes, "columns of all vertices")->copies, 0);
    ck_assert_uint_eq(mw_sizes_find(&shape.sizes, "names of the columns")->copies, 0);
    ck_assert_uint_eq(mw_sizes_find(&shape.sizes, "visited columns")->copies, 0);
    /* A core sorts a million entries at a time, of whatever hub. */
    const struct mw_size *bin = mw_sizes_find(&shape.sizes, "sorting a bin");
    ck_assert_uint_le(bin->n, MW_PIECE_ENTRIES);
}
END_TEST

/* Bitmaps, buckets, bins and lists of a core of its own, of 64 of them. */
START_TEST(every_core_takes_memory)
{
    const struct mw_plan one = plan_on(24, 2, 1, true), many = plan_on(24, 2, 64, true);
    const uint64_t seen =
        (UINT64_C(1) << 24) / 8 / 2; /* at least, of connected vertices */
    ck_assert_uint_eq(many.world.n_lanes, 64);
    ck_assert_uint_gt(many.peak_bytes, one.peak_bytes + 63 * seen);
    ck_assert_uint_eq(mw_sizes_find(&many.sizes, "next frontier")->copies, 64);
}
END_TEST

START_TEST(validation_of_every_way_takes_memory)
{
    const struct mw_plan one[] = {plan_ways(20, 2, 1, 1, false),
                                  plan_ways(20, 2, 1, 1, true)};
    const struct mw_plan two[] = {plan_ways(20, 2, 1, 2, false),
                                  plan_ways(20, 2, 1, 2, true)};
    const uint64_t first = sum(&one[1], MW_SEARCHING) - sum(&one[0], MW_SEARCHING);
    const uint64_t both = sum(&two[1], MW_SEARCHING) - sum(&two[0], MW_SEARCHING);
    ck_assert_uint_gt(both, first + first / 4);
}
END_TEST

static int64_t now, most;

static void listen(const char *what, int64_t bytes)
{
    (void)what;
    const int64_t sum = __atomic_add_fetch(&now, bytes, __ATOMIC_RELAXED);
    int64_t before = __atomic_load_n(&most, __ATOMIC_RELAXED);
    while (sum > before &&
           !__atomic_compare_exchange_n(&most, &before, sum, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
}

struct case_of {
    uint32_t scale, n_ranks, n_threads, n_ways;
};

static int benchmark(struct mw_world *w, void *arg)
{
    static struct mw_benchmark_result result[4][2];
    const struct case_of *const c = arg;
    const bool paths = c->n_ways == 0;
    const struct mw_benchmark_conf conf = {.algorithm = paths ? &mw_algorithm_sssp
                                                              : &mw_algorithm_bfs,
                                           .scale = c->scale,
                                           .edgefactor = 16,
                                           .seed = {2, 3},
                                           .n_roots = 2,
                                           .graph_rule.weights = weights_of(c->n_ways),
                                           .validate = true,
                                           .n_confirmed = 2};
    const struct mw_way way[] = {{.world = w},
                                 {.world = w, .algorithm = &mw_algorithm_sssp}};
    struct mw_benchmark_result *out = result[w->comm->rank];
    const uint32_t n_ways = paths ? 1 : c->n_ways;
    const int rc = mw_benchmark_run(&conf, way, n_ways, out);
    for (uint32_t i = 0; i < n_ways; i++)
        mw_benchmark_result_fini(&out[i]);
    return rc;
}

/* What a rank takes with mw_alloc(): neither the program itself nor its threads' stacks. */
static uint64_t taken(const struct mw_plan *p)
{
    uint64_t phase[MW_WHENS] = {0}, largest = 0;
    for (uint32_t i = 0; i < p->sizes.n; i++) {
        const struct mw_size *row = &p->sizes.row[i];
        if (strncmp(row->what, "program", 7) != 0 && strncmp(row->what, "stacks", 6) != 0)
            phase[row->when] += mw_size_taken(row, p->world.host_ranks);
    }
    for (int w = MW_COUNTING; w < MW_WHENS; w++)
        largest = mw_max(largest, phase[w]);
    return phase[MW_ALWAYS] + largest;
}

/* Measured when this was written: with one rank less than 1 % above what was taken, with
 * several 27 %, because MPI, which is planned for, has twice the receive buffers of this
 * loop. */
START_TEST(the_whole_is_close_to_what_a_run_takes)
{
    struct case_of cases[] = {{16, 1, 1, 1}, {15, 2, 1, 1}, {16, 1, 4, 1}, {15, 3, 2, 1},
                              {16, 1, 1, 2}, {15, 2, 1, 2}, {16, 1, 2, 0}, {15, 2, 1, 0}};
    struct case_of *const c = &cases[_i];
    struct ranks r = {.loop = {.n_ranks = c->n_ranks}, .body = benchmark, .arg = c};
    with_threads(&r, c->n_threads);
    now = most = 0;
    mw_mem_listen(listen);
    must_run(&r);
    mw_mem_listen(NULL);
    const struct mw_plan p =
        plan_ways(c->scale, c->n_ranks, c->n_threads, c->n_ways, true);
    const uint64_t predicted = c->n_ranks * taken(&p), counted = (uint64_t)most;
    /* Builds for the thread sanitizer plan smaller batches (4.0 MiB instead of 6.1 for 3 ranks of 2 cores),
     * and this loop takes the same as ever. */
    ck_assert_msg(predicted > counted / 100 * (UNDER_TSAN ? 85 : 90) &&
                      predicted < counted / 100 * (c->n_ranks > 1 ? 135 : 110),
                  "SCALE %u, %u ranks x %u, %u ways: %llu bytes predicted, %llu taken",
                  c->scale, c->n_ranks, c->n_threads, c->n_ways,
                  (unsigned long long)predicted, (unsigned long long)counted);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("plan");
    TCase *t = tcase_create("plan");
    tcase_add_test(t, the_peak_is_what_stays_and_the_larger_phase);
    tcase_add_test(t, a_scale_more_is_twice_the_memory);
    tcase_add_test(t, validation_takes_memory);
    tcase_add_test(t, beyond_32_bits_columns_are_wide);
    tcase_add_test(t, the_largest_sizes_do_not_wrap);
    tcase_add_test(t, the_papers_graph_fits_the_papers_machine);
    tcase_add_test(t, every_core_takes_memory);
    tcase_add_test(t, validation_of_every_way_takes_memory);
    tcase_add_loop_test(t, the_whole_is_close_to_what_a_run_takes, 0, 8);
    suite_add_tcase(s, t);
    return run_suite(s);
}
