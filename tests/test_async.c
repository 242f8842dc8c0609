/* test_async.c -- runs without levels over the loop transport, with delays that are drawn and order that is
 * changed between links: every answer is right, no run ends early, and every one ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "async_body.h"

#include <stdio.h>

static uint64_t n_runs;

static void must_run_async(struct sample *s, uint64_t seed, uint32_t n_ranks)
{
    struct asynchrony a;
    uint64_t dice = mixed(seed);
    asynchrony_init(&a, s, seed, 8);
    struct ranks r = {
        .loop = {n_ranks, (uint32_t)drawn(&dice, 3), seed % 8 == 0 ? 0 : seed},
        .body = run_all_async,
        .arg = &a};
    with_threads(&r, (uint32_t)drawn(&dice, 3));
    with_width(&r, 1 + (uint32_t)drawn(&dice, n_ranks));
    r.world.small_input = 256 * (uint32_t)drawn(&dice, 2);
    r.world.batch_bytes = 128u << drawn(&dice, 4);
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    n_runs += a.n_done;
    asynchrony_free(&a);
}

/* A thousand of them as a rule; MW_TEST_LONG: ten thousand. */
START_TEST(random_graphs_are_searched_without_levels)
{
    static const uint32_t ranks[] = {1, 2, 3, 5};
    const uint64_t seed = 1000 + (uint64_t)_i;
    struct sample s = _i % 3 == 0   ? sample_grid(1 + seed % 17, 1 + seed / 2 % 23, seed)
                      : _i % 6 == 1 ? sample_kronecker(3 + (uint32_t)(seed % 4))
                                    : sample_random(seed);
    if (_i % 5 == 4)
        sample_direct(&s);
    must_run_async(&s, seed, ranks[_i % 4]);
    sample_free(&s);
}
END_TEST

START_TEST(every_shape_is_searched_without_levels)
{
    struct sample s = sample_shape((enum shape)_i);
    must_run_async(&s, (uint64_t)_i + 7, 2 + (uint32_t)_i % 3);
    sample_free(&s);
}
END_TEST

/* The nearest are without edges outwards: what is listed has no work, and others are further off. */
START_TEST(vertices_without_edges_outwards_are_not_the_end)
{
    enum { RAYS = 40 };
    struct sample s = {.name = "rays", .n = RAYS + 2};
    struct asynchrony a;
    for (uint64_t v = 1; v <= RAYS; v++)
        sample_edge(&s, 0, v);
    sample_edge(&s, RAYS, RAYS + 1);
    sample_finish(&s);
    sample_direct(&s);
    asynchrony_init(&a, &s, 0, 1);
    pathing_free(&a.pathing);
    pathing_init(&a.pathing, &s, WHOLE, 0);
    a.n_levels = sample_levels(&s, 0, a.level);
    a.way = 2; /* parts hold one distance each */
    struct ranks r = {
        .loop = {1 + (uint32_t)_i % 2, 0, 0}, .body = run_all_async, .arg = &a};
    with_threads(&r, 1);
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    n_runs += a.n_done;
    asynchrony_free(&a);
    sample_free(&s);
}
END_TEST

/* Rank 0 refuses what comes; the others hear of it, whether a sum is going on or not, and all agree. */
static int refuse(struct mw_world *w, void *arg)
{
    const struct asynchrony *a = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    int rc;
    MW_TRY(rc, sample_share(a->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs_async, NULL, w, g, &t));
    if (w->comm->rank == 0)
        mw_pipeline_bound(t->pipeline, 0);
    MW_TRY(rc, mw_traversal_reset(t));
    rc = mw_traversal_run(t, a->pathing.root);
    EXPECT(rc == MW_ERR_INTERNAL, "rank %u: code %d", w->comm->rank, rc);
    rc =
        strstr(mw_error_text(), "corrupt batch") != NULL
            ? MW_OK
            : mw_fail(MW_ERR_INVALID, "rank %u says: %s", w->comm->rank, mw_error_text());
    rc = mw_comm_agree(w->comm, rc);
end:
    mw_traversal_free(t);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(a_rank_that_fails_is_heard)
{
    struct sample s = sample_kronecker(6);
    struct asynchrony a;
    asynchrony_init(&a, &s, 11, 1);
    a.pathing.root = s.edge[0][0];
    struct ranks r = {.loop = {3, 0, (uint64_t)_i}, .body = refuse, .arg = &a};
    with_threads(&r, (uint32_t)_i % 3);
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    asynchrony_free(&a);
    sample_free(&s);
}
END_TEST

/* The cores of an emulated mesh have no such kernels. */
static int ask_mesh(struct mw_world *w, void *arg)
{
    struct sample *s = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    int rc;
    MW_TRY(rc, sample_share(s, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    rc = mw_traversal_new(&mw_algorithm_bfs_async, NULL, w, g, &t);
    EXPECT(rc == MW_ERR_UNAVAILABLE, "code %d", rc);
    rc = MW_OK;
end:
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(a_mesh_refuses)
{
    struct sample s = sample_kronecker(4);
    struct ranks r = {.loop = {2, 0, 0}, .body = ask_mesh, .arg = &s};
    r.world.backend = "emul";
    r.world.n_threads = 1;
    must_run(&r);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("async");
    TCase *t = tcase_create("runs");
    tcase_add_loop_test(t, random_graphs_are_searched_without_levels, 0,
                        how_many(500, 40, 8));
    tcase_add_loop_test(t, every_shape_is_searched_without_levels, 0, SHAPES);
    tcase_add_loop_test(t, vertices_without_edges_outwards_are_not_the_end, 0, 2);
    tcase_add_loop_test(t, a_rank_that_fails_is_heard, 0, 6);
    tcase_add_test(t, a_mesh_refuses);
    suite_add_tcase(s, t);
    const int failed = run_suite(s);
    printf("%llu runs\n", (unsigned long long)n_runs);
    return failed;
}
