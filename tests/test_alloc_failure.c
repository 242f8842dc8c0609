/* test_alloc_failure.c -- the n-th allocation fails, for every n (under a sanitizer every third) until a whole
 * small benchmark succeeds: it ends with a code, does not hang, and gives everything back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "algorithms/sssp/sssp.h"
#include "graph500/benchmark.h"
#include "ranks.h"

#include <string.h>
#include <unistd.h>

static int benchmark(struct mw_world *w, void *arg)
{
    const struct mw_benchmark_conf conf = {.algorithm = &mw_algorithm_bfs,
                                           .scale = 5,
                                           .edgefactor = 8,
                                           .seed = {2, 3},
                                           .n_roots = 1,
                                           .validate = true};
    struct mw_benchmark_result result = {0};
    (void)arg;
    const struct mw_way variant = {.world = w};
    const int rc = mw_benchmark_run(&conf, &variant, 1, &result);
    mw_benchmark_result_fini(&result);
    return rc;
}

/* Shortest paths have a thin graph, and their result says so; the other kernel has all rows. */
static int two_kernels(struct mw_world *w, void *arg)
{
    const bool alone = *(const bool *)arg;
    const struct mw_benchmark_conf conf = {.algorithm = &mw_algorithm_sssp,
                                           .scale = 10,
                                           .edgefactor = 16,
                                           .seed = {2, 3},
                                           .n_roots = 1,
                                           .graph_rule.weights = MW_WEIGHTS_MINIMUM,
                                           .validate = true};
    struct mw_benchmark_result result[2] = {0};
    const struct mw_way way[] = {{.world = w},
                                 {.world = w, .algorithm = &mw_algorithm_bfs}};
    const int rc = mw_benchmark_run(&conf, way, alone ? 1 : 2, result);
    for (int k = 0; k < (alone ? 1 : 2); k++) {
        if (rc == MW_OK && (result[k].n_edges_kept == MW_COUNT_NONE) != (k == 0))
            ck_abort_msg("result %d: %llu edges are kept", k,
                         (unsigned long long)result[k].n_edges_kept);
        mw_benchmark_result_fini(&result[k]);
    }
    return rc;
}

static void fail_every_allocation(struct ranks *r)
{
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    uint64_t n = 0;
    while (rc != MW_OK) {
        mw_error_clear();
        n += (uint64_t)how_many(1, 1, 3);
        mw_mem_fail_at(n);
        rc = on_ranks(r);
        mw_mem_fail_at(0);
        if (rc != MW_OK && rc != MW_ERR_NOMEM)
            ck_abort_msg("%s: allocation %u: %d, %s", ranks_text(r), (unsigned)n, rc,
                         mw_error_text());
        if (rc != MW_OK && strstr(mw_error_text(), "out of memory") == NULL)
            ck_abort_msg("allocation %u: %s", (unsigned)n, mw_error_text());
        if (mw_mem_in_use() != before)
            ck_abort_msg("%s: allocation %u: %u bytes are lost", ranks_text(r),
                         (unsigned)n, (unsigned)(mw_mem_in_use() - before));
    }
    ck_assert_uint_gt(n, 40);
}

START_TEST(every_allocation_may_fail)
{
    static const uint32_t n_ranks[] = {1, 1, 3, 3};
    struct ranks r = {.loop = {n_ranks[_i], 0, 0}, .body = benchmark};
    with_threads(&r, _i % 2 == 0 ? 0 : 2);
    with_width(&r, _i == 3 ? 2 : 1);
    r.world.batch_bytes = 512;
    r.world.small_input = 1024;
    r.world.hang_timeout_s = HANG_S;
    fail_every_allocation(&r);
}
END_TEST

START_TEST(allocations_of_two_kernels_may_fail)
{
    bool alone = _i == 0;
    struct ranks r = {
        .loop = {1 + (uint32_t)_i, 0, 0}, .body = two_kernels, .arg = &alone};
    with_threads(&r, (uint32_t)_i * 2);
    with_width(&r, 1);
    r.world.batch_bytes = 512;
    r.world.small_input = 1024;
    r.world.hang_timeout_s = HANG_S;
    fail_every_allocation(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("alloc_failure");
    TCase *t = tcase_create("benchmark");
    tcase_add_loop_test(t, every_allocation_may_fail, 0, 4);
    tcase_add_loop_test(t, allocations_of_two_kernels_may_fail, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
