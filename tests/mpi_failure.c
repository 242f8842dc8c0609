/* mpi_failure.c -- one rank fails in the middle of a search, and no other rank waits for it: a
 * core of rank 1 runs out of local store, which the others cannot see.
 *
 * The failing rank may be in its last job when the others are through with the level, so
 * pipelines alone cannot tell them; the sums between levels do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "answers_body.h"
#include "bfs_body.h"
#include "cpe/emul.h"
#include "mpi_suite.h"

#include <unistd.h>

static struct mw_comm *comm;

/* The core has room for the stack alone: the first job on a mesh ends with a mistake. */
static void spoil_rank_one(void)
{
    struct mw_emul_params p;
    mw_emul_params_sw26010(&p);
    if (comm->rank == 1)
        p.stack_bytes = p.ldm_bytes - 1500;
    ck_assert_int_eq(mw_emul_configure(&p), MW_OK);
}

static int search_all(struct mw_world *w, void *arg)
{
    struct searches *q = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    int rc;
    MW_TRY(rc, sample_share(q->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &q->rule, w, g, &b));
    MW_TRY(rc, mw_traversal_reset(b));
    rc = mw_traversal_run(b, q->root[0]);
end:
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(a_failure_of_one_rank_is_one_of_all)
{
    const uint64_t before = mw_mem_in_use();
    struct sample s = sample_kronecker(8);
    struct searches q;
    struct ranks r = {.body = search_all, .arg = &q};
    searches_init(&q, &s, 1, 3);
    while (sample_degree(&s, q.root[0]) == 0)
        q.root[0] = (q.root[0] + 1) % s.n;
    q.rule.policy = _i % 2 == 0 ? MW_DIRECTION_TOP_DOWN : MW_DIRECTION_BOTTOM_UP;
    q.rule.form = MW_FORM_MESSAGES;
    q.rule.hubs[MW_TOP_DOWN] = q.rule.hubs[MW_BOTTOM_UP] = MW_HUBS_OFF;
    r.world = (struct mw_world_conf){.backend = "emul", .hang_timeout_s = HANG_S};
    r.loop.n_ranks = comm->size;
    with_width(&r, 1 + (uint32_t)_i / 2 % 2);
    spoil_rank_one();
    const int rc = one_rank(comm, &r);
    ck_assert_int_eq(rc, MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "local store") != NULL, "%s", mw_error_text());
    mw_error_clear();
    searches_free(&q);
    sample_free(&s);
    ck_assert_uint_eq(mw_mem_in_use(), before);
}
END_TEST

/* Sums between levels are each algorithm's own. */
static const char *const exchanging[] = {"pagerank", "core", "communities", "multi_bfs",
                                         "betweenness"};
enum { N_EXCHANGING = sizeof exchanging / sizeof exchanging[0], TRIALS = 8 };

START_TEST(a_failure_in_any_algorithm_is_one_of_all)
{
    const uint64_t before = mw_mem_in_use();
    struct sample s = sample_kronecker(6 + (uint32_t)_i % TRIALS / 4);
    struct answers x = {
        .sample = &s, .algorithm = exchanging[_i / TRIALS], .key = MW_NO_VERTEX};
    struct ranks r = {.body = answer_and_check, .arg = &x};
    char tune[16];
    snprintf(tune, sizeof tune, "seed=%d", _i % TRIALS);
    x.tune = strcmp(x.algorithm, "betweenness") == 0 ? tune : NULL;
    r.world = (struct mw_world_conf){.backend = "emul", .hang_timeout_s = HANG_S};
    r.loop.n_ranks = comm->size;
    with_width(&r, 1 + (uint32_t)_i % 2);
    spoil_rank_one();
    const int rc = one_rank(comm, &r);
    ck_assert_msg(rc == MW_ERR_INTERNAL && strstr(mw_error_text(), "local store") != NULL,
                  "%s: %d: %s", x.algorithm, rc, mw_error_text());
    mw_error_clear();
    sample_free(&s);
    ck_assert_uint_eq(mw_mem_in_use(), before);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("failure");
    TCase *t = tcase_create("one rank");
    alarm(1200); /* a hang is the failure that this is about */
    if (mw_mpi_start(NULL, NULL, 0, &comm) != MW_OK)
        return EXIT_FAILURE;
    tcase_set_timeout(t, 0);
    tcase_add_loop_test(t, a_failure_of_one_rank_is_one_of_all, 0, 16);
    tcase_add_loop_test(t, a_failure_in_any_algorithm_is_one_of_all, 0,
                        N_EXCHANGING * TRIALS);
    suite_add_tcase(s, t);
    return run_suite_on_all(s, comm);
}
