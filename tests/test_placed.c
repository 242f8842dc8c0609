/* test_placed.c -- searches and components on cores whose memory the host does not reach.
 *
 * Whoever touches that memory without a copy or a kernel ends this program (apart.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "apart.h"
#include "bfs_body.h"
#include "cc_body.h"
#include "devices/placed.h"
#include "graph500/benchmark.h"

#include <setjmp.h>
#include <signal.h>

static struct ranks apart_ranks(uint32_t n_ranks, uint32_t n_threads, uint64_t seed)
{
    struct ranks r = {.loop = {n_ranks, (uint32_t)(seed % 3), seed}};
    r.world.backend = "apart"; /* for texts */
    r.world.own_backend = &apart_backend;
    r.world.n_threads = n_threads;
    r.world.n_clusters = 1 + (uint32_t)(seed % 2);
    r.world.small_input = 256;
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    with_width(&r, 1 + (uint32_t)(seed % n_ranks));
    return r;
}

START_TEST(graphs_are_searched_right)
{
    uint64_t dice = mixed((uint64_t)_i + 77);
    struct sample s =
        _i < SHAPES ? sample_shape((enum shape)_i) : sample_random((uint64_t)_i + 5000);
    struct searches q;
    if (drawn(&dice, 2))
        sample_direct(&s);
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 4);
    searches_init(&q, &s, 2 + (uint32_t)drawn(&dice, 2), dice);
    q.rule.policy = (enum mw_direction_policy)drawn(&dice, 3);
    q.rule.form = (enum mw_level_form)drawn(&dice, 3);
    q.rule.hubs[MW_TOP_DOWN] = (int)drawn(&dice, 6) - 1;
    q.rule.hubs[MW_BOTTOM_UP] = (int)drawn(&dice, 6) - 1;
    struct ranks r =
        apart_ranks(n_ranks, 1 + (uint32_t)drawn(&dice, 4), drawn(&dice, 12));
    r.body = search_and_check;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(components_are_found)
{
    uint64_t dice = mixed((uint64_t)_i + 88);
    struct sample s =
        _i < SHAPES ? sample_shape((enum shape)_i) : sample_random((uint64_t)_i + 6000);
    struct finding f;
    finding_init(&f, &s);
    f.rule.form = (enum mw_level_form)drawn(&dice, 3);
    f.most_levels = drawn(&dice, 2) ? UINT32_MAX : (uint32_t)drawn(&dice, 4);
    struct ranks r = apart_ranks(1 + (uint32_t)drawn(&dice, 4),
                                 1 + (uint32_t)drawn(&dice, 4), drawn(&dice, 12));
    r.body = find_and_check;
    r.arg = &f;
    must_run(&r);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

/* Kernels go over rows of their own: after the copy those of the host are garbage. And a run
 * takes nothing home but its numbers; what a level finds stays where it was found. */
static int columns_are_of_cores(struct mw_world *w, void *arg)
{
    const struct searches *q = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    int rc;
    MW_TRY(rc, sample_share(q->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &q->rule, w, g, &b));
    const uint64_t number = mw_number_bytes(g->wide);
    EXPECT(apart.bytes_put >= 3 * g->n_entries * number / 4, "%u bytes for %u entries",
           (unsigned)apart.bytes_put, (unsigned)g->n_entries);
    memset(g->column, 0x5A, g->row[g->n_labels] * number);
    memset(g->head, 0x5A, g->n_labels * number);
    memset(g->head_name, 0x5A, g->n_labels * number);
    memset(g->name, 0x5A, g->n_columns * number);
    memset(g->row, 0x5A, g->n_labels * sizeof *g->row);
    for (uint32_t i = 0; i < q->n; i++) {
        MW_TRY(rc, mw_traversal_reset(b));
        apart.bytes_got = apart.bytes_put = 0;
        MW_TRY(rc, mw_traversal_run(b, q->root[i]));
        EXPECT(apart.bytes_put == 0 && apart.bytes_got == number, "%u bytes in, %u out",
               (unsigned)apart.bytes_put, (unsigned)apart.bytes_got);
        (void)mw_traversal_numbers(b); /* copied once, when they are asked for */
        (void)mw_traversal_numbers(b);
        EXPECT(apart.bytes_got == (1 + g->n_places) * number, "%u bytes out",
               (unsigned)apart.bytes_got);
        MW_TRY(rc, check_tree(q, i, b, g));
    }
    b->goal.target = q->root[0]; /* one number more */
    MW_TRY(rc, mw_traversal_reset(b));
    MW_TRY(rc, mw_traversal_run(b, q->root[0]));
    EXPECT(b->found && b->n_levels == 1, "%u levels", b->n_levels);
end:
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(state_and_columns_stay_with_the_cores)
{
    struct sample s = sample_kronecker(9);
    struct searches q;
    searches_init(&q, &s, 4, 5);
    struct ranks r = apart_ranks(1, 3, 0);
    r.body = columns_are_of_cores;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* ---- who builds -------------------------------------------------------------------------- */

static void count_core(struct mw_cpe *self, void *n)
{
    (void)self;
    __atomic_add_fetch((uint32_t *)n, 1, __ATOMIC_RELAXED);
}

/* Roots are chosen when the graph is there and nothing of a search is: but for the
 * tuples, one piece, the device has done nothing. */
static int none_has_run(void *arg, const mw_vid *root, uint32_t n_roots)
{
    (void)arg;
    (void)root;
    EXPECT(n_roots == 3 && apart.n_kernels == 1, "%u kernels", (unsigned)apart.n_kernels);
    return MW_OK;
}

static int cores_build(struct mw_world *w, void *arg)
{
    struct mw_world *const host = mw_world_host_side(w);
    struct mw_benchmark_result result;
    const struct mw_benchmark_conf conf = {.algorithm = &mw_algorithm_bfs,
                                           .scale = 7,
                                           .edgefactor = 8,
                                           .seed = {2, 3},
                                           .n_roots = 3,
                                           .validate = true,
                                           .chosen = none_has_run};
    const struct mw_way way = {.world = w};
    struct mw_world_shape shape, is;
    uint32_t n = 0;
    EXPECT(host != w && mw_world_lanes(host) == 3 && w->conf.n_threads == 3,
           "%u lanes, %u threads", mw_world_lanes(host), w->conf.n_threads);
    mw_world_shape_of(w, &shape);
    mw_world_shape_of(host, &is);
    shape = mw_world_shape_host_side(&shape); /* as plans have it */
    EXPECT(shape.backend == is.backend && shape.n_lanes == is.n_lanes,
           "planned for backend %s and %u lanes", shape.backend->name, shape.n_lanes);
    mw_world_run(host, count_core, &n);
    EXPECT(n == 3, "%u cores", n);
    const int rc = mw_benchmark_run(&conf, &way, 1, &result);
    EXPECT(rc != MW_OK || (result.n_searches == 3 && apart.n_kernels > 0),
           "%u searches, %u kernels", result.n_searches, (unsigned)apart.n_kernels);
    mw_benchmark_result_fini(&result);
    (void)arg;
    return rc;
}

START_TEST(hosts_cores_build_beside_a_device)
{
    struct ranks r = apart_ranks(1 + (uint32_t)_i, 3, 0);
    r.body = cores_build;
    must_run(&r);
}
END_TEST

/* A way of the same backend has the same cores, on both sides. */
static int both_sides_are_lent(struct mw_world *w, void *arg)
{
    struct mw_world_conf conf = w->conf;
    struct mw_world *other;
    conf.lender = w;
    const int rc = mw_world_new(&conf, w->comm, &other);
    if (rc != MW_OK)
        return rc;
    const bool same = other->cluster[0] == w->cluster[0] && other->host != w->host &&
                      other->host->cluster[0] == w->host->cluster[0];
    mw_world_free(other);
    EXPECT(same, "clusters of its own");
    return cores_build(w, arg);
}

START_TEST(ways_share_both_sides)
{
    struct ranks r = apart_ranks(2, 3, 0);
    r.body = both_sides_are_lent;
    must_run(&r);
}
END_TEST

/* ---- the backend keeps its word ---------------------------------------------------------- */

static sigjmp_buf caught;

static void on_fault(int signal)
{
    siglongjmp(caught, signal);
}

static int host_touches(struct mw_world *w, void *arg)
{
    struct mw_sizes sizes = {0};
    volatile uint64_t *p;
    struct sigaction is = {.sa_handler = on_fault}, was;
    const uint64_t seven = 7;
    uint64_t mirror = 0;
    (void)arg;
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "state", 1, sizeof *p);
    EXPECT(mw_place(w, MW_OF_BOTH, &sizes, "state", sizeof *p) == NULL,
           "placed where it was not planned");
    mw_error_clear();
    p = mw_place(w, MW_OF_CORES, &sizes, "state", sizeof *p);
    EXPECT(p != NULL, "no memory");
    mw_put(w, (void *)(uintptr_t)p, &seven, sizeof seven);
    EXPECT(*(const uint64_t *)mw_see(w, &mirror, (const void *)(uintptr_t)p,
                                     sizeof mirror) == 7,
           "another number");
    sigaction(SIGSEGV, &is, &was);
    const int signal = sigsetjmp(caught, 1);
    if (signal == 0)
        mirror = *p;
    sigaction(SIGSEGV, &was, NULL);
    mw_unplace(w, MW_OF_CORES, (void *)(uintptr_t)p);
    EXPECT(signal == SIGSEGV, "the host has read %u", (unsigned)mirror);
    return MW_OK;
}

START_TEST(the_host_does_not_reach_it)
{
    struct ranks r = apart_ranks(1, 2, 0);
    r.body = host_touches;
    must_run(&r);
}
END_TEST

/* ---- what cannot be is refused ------------------------------------------------------------ */

struct refusal {
    const struct searches *q;
    const struct mw_algorithm *algorithm;
    const char *says;
};

static int is_refused(struct mw_world *w, void *arg)
{
    const struct refusal *x = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    int rc;
    MW_TRY(rc, sample_share(x->q->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    rc = mw_traversal_new(x->algorithm, &x->q->rule, w, g, &b);
    EXPECT(rc == MW_ERR_UNAVAILABLE && strstr(mw_error_text(), x->says) != NULL, "%s",
           mw_error_text());
    mw_error_clear();
    rc = MW_OK;
end:
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(what_no_core_can_run_is_refused)
{
    static const struct mw_kernel *const nothing[MW_ROWS_MAX];
    static const struct mw_kernel_table none[] = {{NULL, nothing}};
    struct mw_algorithm lacking = mw_algorithm_bfs;
    struct sample s = sample_kronecker(6);
    struct searches q;
    searches_init(&q, &s, 1, 5);
    struct refusal x = {&q, &lacking, "has no kernel for it"};
    struct ranks r = apart_ranks(2, 2, 0);
    r.body = is_refused;
    r.arg = &x;
    lacking.sweeps = none;
    must_run(&r);
    x = (struct refusal){&q, &mw_algorithm_bfs, "--engine mpe"};
    r.world.engine_mpe = true;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("placed");
    TCase *t = tcase_create("placed");
    const int n = SHAPES + how_many(200, 24, 6);
    tcase_add_loop_test(t, graphs_are_searched_right, 0, n);
    tcase_add_loop_test(t, components_are_found, 0, n);
    tcase_add_test(t, state_and_columns_stay_with_the_cores);
    tcase_add_loop_test(t, hosts_cores_build_beside_a_device, 0, 2);
    tcase_add_test(t, ways_share_both_sides);
    tcase_add_test(t, the_host_does_not_reach_it);
    tcase_add_test(t, what_no_core_can_run_is_refused);
    suite_add_tcase(s, t);
    return run_suite(s);
}
