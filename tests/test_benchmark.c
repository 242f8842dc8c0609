/* test_benchmark.c -- several variants in one run: who searches what in which order, and whose
 * the results are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "degrees.h"
#include "graph500/benchmark.h"
#include "ranks.h"

#include <unistd.h>

enum { N_WAYS = 3, N_ROOTS = 4 };

/* The first level of a search is top-down unless the rule says bottom-up. */
static const enum mw_direction_policy policies[N_WAYS] = {
    MW_DIRECTION_TOP_DOWN, MW_DIRECTION_BOTTOM_UP, MW_DIRECTION_AUTO};

static int n_asked, asked_most; /* between roots, on one rank */

static bool asked_enough(void)
{
    return ++n_asked > asked_most;
}

/* What a run has left on one rank. */
struct trial {
    bool (*stop)(void);
    struct mw_benchmark_result result[N_WAYS];
    uint32_t way_of[N_WAYS * N_ROOTS], n_kept;
};

static int keep(void *arg, const struct mw_traversal *bfs, const struct mw_search *s)
{
    struct trial *t = arg;
    (void)bfs;
    for (uint32_t w = 0; w < N_WAYS; w++)
        for (uint32_t i = 0; i < N_ROOTS; i++)
            if (s == &t->result[w].search[i])
                t->way_of[t->n_kept++] = w;
    return MW_OK;
}

static int run_all(struct mw_world *w, struct trial *t)
{
    const struct mw_benchmark_conf conf = {.algorithm = &mw_algorithm_bfs,
                                           .scale = 7,
                                           .edgefactor = 16,
                                           .seed = {2, 3},
                                           .n_roots = N_ROOTS,
                                           .validate = true,
                                           .stop = t->stop,
                                           .keep = keep,
                                           .keep_arg = t};
    struct mw_way variant[N_WAYS];
    struct mw_direction_rule rule[N_WAYS];
    for (uint32_t k = 0; k < N_WAYS; k++) {
        rule[k] = (struct mw_direction_rule){.policy = policies[k]};
        variant[k] = (struct mw_way){NULL, w, &rule[k]};
    }
    return mw_benchmark_run(&conf, variant, N_WAYS, t->result);
}

static void forget(struct trial *t)
{
    for (uint32_t k = 0; k < N_WAYS; k++)
        mw_benchmark_result_fini(&t->result[k]);
}

static int compare_ways(struct mw_world *w, void *arg)
{
    struct trial t = {.stop = NULL};
    const struct mw_benchmark_result *const first = t.result;
    (void)arg;
    const int rc = run_all(w, &t);
    if (rc != MW_OK)
        return rc;
    for (uint32_t k = 0; k < N_WAYS; k++) {
        const struct mw_benchmark_result *const out = &t.result[k];
        EXPECT(out->validated && out->n_searches == N_ROOTS, "way %u: %u", k,
               out->n_searches);
        EXPECT(out->n_edges == first->n_edges && out->n_connected == first->n_connected,
               "way %u: another graph", k);
        EXPECT(memcmp(&out->digest, &first->digest, sizeof out->digest) == 0,
               "way %u: another graph", k);
        for (uint32_t i = 0; i < N_ROOTS; i++) {
            const struct mw_search *const s = &out->search[i];
            EXPECT(s->root == first->search[i].root && s->n_level_records > 0,
                   "way %u, search %u", k, i);
            EXPECT(s->n_reached == first->search[i].n_reached, "way %u, search %u", k, i);
            EXPECT(s->level[0].step == (policies[k] == MW_DIRECTION_BOTTOM_UP),
                   "way %u has another's levels", k);
        }
    }
    forget(&t);
    return MW_OK;
}

START_TEST(variants_search_the_same_roots_and_have_results_of_their_own)
{
    struct ranks r = {.loop = {1 + (uint32_t)_i, 0, 0}, .body = compare_ways};
    with_threads(&r, 0);
    must_run(&r);
}
END_TEST

static int compare_order(struct mw_world *w, void *arg)
{
    struct trial t = {.stop = NULL};
    (void)arg;
    const int rc = run_all(w, &t);
    if (rc != MW_OK)
        return rc;
    EXPECT(t.n_kept == N_WAYS * N_ROOTS, "%u", t.n_kept);
    for (uint32_t n = 0; n < t.n_kept; n++) {
        const uint32_t root = n / N_WAYS, turn = (root + n) % N_WAYS;
        EXPECT(t.way_of[n] == turn, "search %u", n);
    }
    forget(&t);
    return MW_OK;
}

START_TEST(variants_take_turns_at_being_first)
{
    struct ranks r = {.loop = {1, 0, 0}, .body = compare_order};
    with_threads(&r, 0);
    must_run(&r);
}
END_TEST

static int stop_after_two_roots(struct mw_world *w, void *arg)
{
    struct trial t = {.stop = asked_enough};
    (void)arg;
    n_asked = 0;
    asked_most = 2;
    const int rc = run_all(w, &t);
    EXPECT(rc == MW_ERR_INTERRUPTED, "code %d", rc);
    for (uint32_t k = 0; k < N_WAYS; k++) {
        EXPECT(t.result[k].n_searches == 2 && t.result[k].validated, "way %u", k);
        EXPECT(t.result[k].n_roots == N_ROOTS, "way %u: %u roots", k,
               t.result[k].n_roots);
        EXPECT(t.result[k].n_edges == t.result[0].n_edges, "way %u: no facts", k);
    }
    forget(&t);
    return MW_OK;
}

START_TEST(an_interrupted_run_has_done_as_much_by_every_variant)
{
    struct ranks r = {.loop = {1, 0, 0}, .body = stop_after_two_roots};
    with_threads(&r, 0);
    must_run(&r);
}
END_TEST

/* ---- a search that is wrong: the list that it is checked by changes on the way ---- */

enum { PATH = 8 };

struct damage {
    struct mw_edges path;
    bool in_warm_up;
    uint32_t n_searches; /* so far */
};

/* The last edge of 0 - 1 - .. - 7 joins its ends. */
static void bend(struct damage *d)
{
    d->path.narrow[2 * (PATH - 2)] = 0;
}

static void bend_at_start(void *arg, enum mw_phase phase)
{
    struct damage *d = arg;
    if (phase == MW_PHASE_SEARCH && d->in_warm_up)
        bend(d);
}

static int bend_after_two(void *arg, const struct mw_traversal *bfs,
                          const struct mw_search *s)
{
    struct damage *d = arg;
    (void)bfs, (void)s;
    if (++d->n_searches == 2)
        bend(d);
    return MW_OK;
}

static int search_bent_path(struct mw_world *w, struct damage *d,
                            struct mw_benchmark_result *out)
{
    const mw_vid root = 0;
    struct mw_way way[N_WAYS] = {{NULL, w, NULL}, {NULL, w, NULL}, {NULL, w, NULL}};
    const struct mw_benchmark_conf conf = {.algorithm = &mw_algorithm_bfs,
                                           .given = &d->path,
                                           .n_roots = 1,
                                           .root = &root,
                                           .validate = true,
                                           .keep = bend_after_two,
                                           .keep_arg = d,
                                           .progress = {d, bend_at_start, NULL}};
    int rc;
    MW_TRY(rc, mw_edges_init(&d->path, PATH, PATH - 1));
    for (mw_vid v = 0; v + 1 < PATH; v++)
        MW_TRY(rc, mw_edges_add(&d->path, v, v + 1));
    rc = mw_benchmark_run(&conf, way, N_WAYS, out);
end:
    mw_edges_fini(&d->path);
    return rc;
}

static int find_the_wrong_way(struct mw_world *w, void *arg)
{
    struct damage d = {.in_warm_up = *(const int *)arg == 0};
    struct mw_benchmark_result out[N_WAYS];
    const uint32_t wrong = d.in_warm_up ? 0 : 2;
    const int rc = search_bent_path(w, &d, out);
    EXPECT(rc == MW_ERR_INVALID, "code %d", rc);
    for (uint32_t k = 0; k < N_WAYS; k++) {
        EXPECT(out[k].n_searches == (d.in_warm_up ? k == wrong : 1), "way %u: %u", k,
               out[k].n_searches);
        if (out[k].n_searches == 1)
            EXPECT(out[k].search[0].status == (k == wrong ? MW_ERR_INVALID : MW_OK),
                   "way %u: %d", k, out[k].search[0].status);
        mw_benchmark_result_fini(&out[k]);
    }
    return MW_OK;
}

START_TEST(an_invalid_search_is_in_the_result_of_its_variant)
{
    int i = _i;
    struct ranks r = {.loop = {1, 0, 0}, .body = find_the_wrong_way, .arg = &i};
    with_threads(&r, 0);
    must_run(&r);
}
END_TEST

static int run_unchecked(struct mw_world *w, void *arg)
{
    const struct mw_way way = {.world = w};
    const struct mw_benchmark_conf conf = {.algorithm = &degrees,
                                           .scale = 7,
                                           .edgefactor = 16,
                                           .seed = {2, 3},
                                           .n_roots = N_ROOTS,
                                           .validate = true};
    struct mw_benchmark_result out;
    (void)arg;
    const int rc = mw_benchmark_run(&conf, &way, 1, &out);
    EXPECT(rc == MW_OK, "code %d", rc);
    EXPECT(out.n_searches == N_ROOTS && !out.validated, "%u", out.n_searches);
    for (uint32_t i = 0; i < N_ROOTS; i++)
        EXPECT(out.search[i].validate_s < 0 && out.search[i].judges == 0, "%u", i);
    EXPECT(!mw_benchmark_checks(&conf), "it has no check");
    mw_benchmark_result_fini(&out);
    return MW_OK;
}

START_TEST(an_algorithm_without_a_check_runs_and_is_not_validated)
{
    struct ranks r = {.loop = {1 + (uint32_t)_i, 0, 0}, .body = run_unchecked};
    with_threads(&r, 0);
    must_run(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("benchmark");
    TCase *t = tcase_create("variants");
    tcase_add_loop_test(t, variants_search_the_same_roots_and_have_results_of_their_own,
                        0, 3);
    tcase_add_test(t, variants_take_turns_at_being_first);
    tcase_add_test(t, an_interrupted_run_has_done_as_much_by_every_variant);
    tcase_add_loop_test(t, an_invalid_search_is_in_the_result_of_its_variant, 0, 2);
    tcase_add_loop_test(t, an_algorithm_without_a_check_runs_and_is_not_validated, 0, 3);
    suite_add_tcase(s, t);
    return run_suite(s);
}
