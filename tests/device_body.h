/* device_body.h -- searches and components on a backend of devices, against serial oracles; included by the
 * test of each such backend, which defines
 *
 *      DEVICE              the backend
 *      DEVICE_JUDGES       do its cores validate?
 *      DEVICE_WHOLE        do they search as a whole (bfs_whole.h), where the host's are the device?
 *      device_is_host()    does the host reach what is of cores, whatever the backend says?
 *      device_memory       what stands for the backend's memory in the second form; it is apart_memory
 *                          or made of it
 *      device_opened()     a cluster of the second form is open
 *      device_own_tests()  what is true of this backend alone
 *
 * Two forms. As it is; and where the host's cores are the device, also apart, as on a GPU: what is of
 * cores lies in an arena (apart.h) that is open only while the backend runs a kernel or makes a copy; a
 * kernel's own host side that touches it dies there, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/algorithms.h"
#include "apart.h"
#include "bfs_body.h"
#include "cc_body.h"
#include "cpe/cluster_backends.h"
#include "devices/placed.h"
#include "sssp_body.h"

static bool device_is_host(void);
static const struct mw_memory *device_memory(void);
static void device_opened(void);
static void device_own_tests(TCase *t, int n);

/* ---- apart -------------------------------------------------------------------------------- */

static int open_apart(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    const int rc = DEVICE.open(conf, out);
    if (rc == MW_OK) {
        apart_begin();
        device_opened();
    }
    return rc;
}

static void close_apart(struct mw_cluster *c)
{
    DEVICE.close(c);
    apart_end();
}

static struct mw_backend device_apart; /* filled in by main() */
static int n_forms;                    /* 2: the backend as it is, and apart */

static struct ranks device_ranks(bool is_apart, uint32_t n_ranks, uint64_t seed)
{
    struct ranks r = {.loop = {n_ranks, (uint32_t)(seed % 3), seed}};
    r.world.backend = DEVICE.name;
    r.world.own_backend = is_apart ? &device_apart : &DEVICE;
    r.world.n_threads = 1 + (uint32_t)(seed / 2 % 2); /* of the host's side */
    r.world.n_clusters = 1 + (uint32_t)(seed % 2);
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    with_width(&r, 1 + (uint32_t)(seed % n_ranks));
    return r;
}

/* ---- right answers ------------------------------------------------------------------------- */

static struct sample sample_of(int i)
{
    return i < SHAPES ? sample_shape((enum shape)i) : sample_random((uint64_t)i + 7000);
}

START_TEST(graphs_are_searched_right)
{
    uint64_t dice = mixed((uint64_t)_i + 99);
    struct sample s = sample_of(_i / n_forms);
    struct searches q;
    if (drawn(&dice, 2))
        sample_direct(&s);
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 4);
    searches_init(&q, &s, 2 + (uint32_t)drawn(&dice, 2), dice);
    q.rule.policy = (enum mw_direction_policy)drawn(&dice, 3);
    q.rule.form = (enum mw_level_form)drawn(&dice, 4);
    q.rule.hubs[MW_TOP_DOWN] = (int)drawn(&dice, 6) - 1;
    q.rule.hubs[MW_BOTTOM_UP] = (int)drawn(&dice, 6) - 1;
    struct ranks r = device_ranks(_i % n_forms, n_ranks, drawn(&dice, 12));
    r.body = search_and_check;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* As in test_bfs.c, on as many ranks as make groups of 5 and of 8. */
START_TEST(records_of_larger_graphs_find_the_same_levels)
{
    const int k = _i / n_forms;
    struct sample s = sample_kronecker(7);
    struct searches q;
    searches_init(&q, &s, 2, 3);
    q.rule.form = (enum mw_level_form)(k % 3);
    struct ranks r = device_ranks(_i % n_forms, 9, k % 2 ? 4 : 7);
    r.world.least_bits = 29 + (uint32_t)k;
    r.body = search_and_check;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* Without a table of names: what rows find is named at the end. */
START_TEST(parents_get_their_names_at_the_end)
{
    const int k = _i / n_forms;
    struct sample s = sample_kronecker(8);
    struct searches q;
    if (k % 2)
        sample_direct(&s);
    searches_init(&q, &s, 2, 0);
    q.graph_rule =
        (struct mw_graph_rule){.columns = MW_LOOK_UP_ASK, .without_names = true};
    q.rule.form = MW_FORM_BITMAP;
    q.rule.policy = k == 2 ? MW_DIRECTION_AUTO : MW_DIRECTION_BOTTOM_UP;
    struct ranks r = device_ranks(_i % n_forms, 2 + (uint32_t)(k * 2 % 5), (uint64_t)k);
    r.body = search_and_check;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(components_are_found)
{
    uint64_t dice = mixed((uint64_t)_i + 111);
    struct sample s = sample_of(_i / n_forms);
    struct finding f;
    finding_init(&f, &s);
    f.rule.form = (enum mw_level_form)drawn(&dice, 3);
    f.most_levels = drawn(&dice, 2) ? UINT32_MAX : (uint32_t)drawn(&dice, 4);
    struct ranks r =
        device_ranks(_i % n_forms, 1 + (uint32_t)drawn(&dice, 4), drawn(&dice, 12));
    r.world.least_bits = drawn(&dice, 2) ? 0 : 29 + (uint32_t)drawn(&dice, 4);
    r.body = find_and_check;
    r.arg = &f;
    must_run(&r);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

/* ---- wrong ones ------------------------------------------------------------------------------ */

/* In the memory of the cores that have searched: the first value. */
static void set_parent(const struct mw_traversal *t, uint64_t place, uint64_t parent)
{
    const bool wide = t->graph->wide;
    const uint64_t bytes = mw_number_bytes(wide);
    char *const at = (char *)(uintptr_t)mw_traversal_values_there(t, 0) +
                     place * mw_number_bytes(wide);
    uint64_t number = 0;
    mw_set_number(&number, 0, parent, wide);
    mw_put(t->world, at, &number, bytes);
    if (t->mirror != NULL)
        t->mirror->seen = false;
}

/* The tree passes, and with any one parent changed it does not; by either side. */
static int damage_is_found(struct mw_world *w, void *arg)
{
    const struct searches *q = arg;
    const struct mw_check *const check = mw_algorithm_bfs.check;
    const uint8_t cores = DEVICE_JUDGES ? MW_BY_CORES : MW_BY_HOST;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    struct mw_verdict verdict;
    void *judge = NULL;
    int rc;
    MW_TRY(rc, sample_share(q->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &q->rule, w, g, &b));
    MW_TRY(rc, check->open(w, &edges, &judge));
    MW_TRY(rc, mw_traversal_reset(b));
    MW_TRY(rc, mw_traversal_run(b, q->root[0]));
    MW_TRY(rc, check->run(judge, b, q->root[0], &verdict));
    EXPECT(verdict.by == cores, "judged by %u", verdict.by);
    for (mw_vid v = 0; v < q->sample->n; v++) {
        const bool mine = mw_owner_of(g, v) == w->comm->rank;
        const uint64_t place = mw_place_of(g, v);
        const mw_vid was = mine ? mw_traversal_number(b, place) : 0;
        if (v == q->root[0])
            continue;
        if (mine)
            set_parent(b, place, v); /* its own */
        rc = check->run(judge, b, q->root[0], &verdict);
        EXPECT(rc == MW_ERR_INVALID, "vertex %u as its own parent: code %d", (unsigned)v,
               rc);
        mw_error_clear();
        if (mine)
            set_parent(b, place, was);
    }
    MW_TRY(rc, check->run(judge, b, q->root[0], &verdict));
    MW_TRY(rc, check->confirm(judge, b, q->root[0], &verdict));
    EXPECT(verdict.by == (cores | MW_BY_HOST), "judged by %u", verdict.by);
end:
    check->close(judge);
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(damaged_trees_are_rejected)
{
    struct sample s = sample_kronecker(5);
    struct searches q;
    searches_init(&q, &s, 1, 5);
    struct ranks r = device_ranks(_i % n_forms, 1 + (uint32_t)(_i / n_forms), 0);
    r.body = damage_is_found;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* A parent, or a component, of one vertex is another one's, and all cores see it. */
static int other_damage_is_found(struct mw_world *w, void *arg)
{
    const struct pathing *p = arg;
    const struct mw_algorithm *const a = p->algorithm;
    const struct mw_check *const check = a->check;
    const struct mw_graph_rule rule = {.weights = a->weights};
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    struct mw_verdict verdict;
    void *judge = NULL;
    int rc;
    MW_TRY(rc, share_weighed(p, w->comm, &edges));
    MW_TRY(rc, mw_graph_build_by(mw_world_host_side(w), &edges, &rule, &g));
    MW_TRY(rc, mw_traversal_new(a, NULL, w, g, &t));
    MW_TRY(rc, check->open(w, &edges, &judge));
    MW_TRY(rc, mw_traversal_reset(t));
    MW_TRY(rc, mw_traversal_run(t, p->root));
    for (mw_vid v = 0; v < p->sample->n; v++) {
        const bool mine = mw_owner_of(g, v) == w->comm->rank;
        const uint64_t place = mw_place_of(g, v);
        const mw_vid was = mine ? mw_traversal_number(t, place) : 0;
        if (v == p->root)
            continue;
        MW_TRY(rc, check->run(judge, t, p->root, &verdict));
        EXPECT(verdict.by == MW_BY_CORES, "judged by %u", verdict.by);
        if (mine)
            set_parent(t, place, was == v || was == p->root ? p->sample->n - 1 - v : v);
        rc = check->run(judge, t, p->root, &verdict);
        EXPECT(rc == MW_ERR_INVALID, "%s: another value of vertex %u: code %d", a->name,
               (unsigned)v, rc);
        EXPECT(strstr(mw_error_text(), ": rule ") != NULL || w->comm->rank > 0, "%s",
               mw_error_text());
        mw_error_clear();
        if (mine)
            set_parent(t, place, was);
    }
    MW_TRY(rc, check->run(judge, t, p->root, &verdict));
    MW_TRY(rc, check->confirm(judge, t, p->root, &verdict));
    EXPECT(verdict.by == (MW_BY_CORES | MW_BY_HOST), "judged by %u", verdict.by);
end:
    check->close(judge);
    mw_traversal_free(t);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

/* Checks of two algorithms are open side by side, and one goes with the list that it had placed. */
static int checks_do_without_each_other(struct mw_world *w, void *arg)
{
    const struct pathing *p = arg;
    const struct mw_algorithm *const of[] = {&mw_algorithm_cc, &mw_algorithm_sssp};
    const struct mw_graph_rule rule = {.weights = MW_WEIGHTS_MINIMUM};
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t[2] = {NULL, NULL};
    struct mw_verdict verdict;
    void *judge[2] = {NULL, NULL};
    int rc;
    MW_TRY(rc, share_weighed(p, w->comm, &edges));
    MW_TRY(rc, mw_graph_build_by(mw_world_host_side(w), &edges, &rule, &g));
    for (int i = 0; i < 2; i++) {
        MW_TRY(rc, mw_traversal_new(of[i], NULL, w, g, &t[i]));
        MW_TRY(rc, of[i]->check->open(w, &edges, &judge[i]));
        MW_TRY(rc, mw_traversal_reset(t[i]));
        MW_TRY(rc, mw_traversal_run(t[i], p->root));
    }
    for (int i = 0; i < 2; i++) {
        MW_TRY(rc, of[i]->check->run(judge[i], t[i], p->root, &verdict));
        EXPECT(verdict.by == MW_BY_CORES, "%s: judged by %u", of[i]->name, verdict.by);
    }
    of[0]->check->close(judge[0]);
    judge[0] = NULL;
    MW_TRY(rc, of[1]->check->run(judge[1], t[1], p->root, &verdict));
end:
    for (int i = 0; i < 2; i++) {
        of[i]->check->close(judge[i]);
        mw_traversal_free(t[i]);
    }
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(checks_are_open_side_by_side)
{
    struct sample s = sample_kronecker(6);
    struct pathing p;
    struct ranks r =
        device_ranks(_i % n_forms, 1 + (uint32_t)(_i / n_forms % 3), (uint64_t)_i);
    pathing_init(&p, &s, UNIFORM, 1);
    r.body = checks_do_without_each_other;
    r.arg = &p;
    must_run(&r);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

START_TEST(damaged_paths_and_components_are_rejected)
{
    struct sample s = sample_kronecker(5);
    struct pathing p;
    struct ranks r =
        device_ranks(_i % n_forms, 1 + (uint32_t)(_i / n_forms % 3), (uint64_t)_i);
    pathing_init(&p, &s, UNIFORM, 1);
    p.algorithm = _i / n_forms >= 3 ? &mw_algorithm_cc : &mw_algorithm_sssp;
    r.body = other_damage_is_found;
    r.arg = &p;
    must_run(&r);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* All algorithms, as they run by default: twice, and judged each time. What is closed to a kernel kills it. */
static int algorithm_is_right(struct mw_world *w, void *arg)
{
    const struct pathing *p = arg;
    const struct mw_algorithm *const a = p->algorithm;
    const struct mw_graph_rule rule = {.weights = a->weights};
    const struct mw_keyed of = {a->keys,
                                calloc(1, a->keys != NULL ? a->keys->options_bytes : 1)};
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    struct mw_verdict verdict;
    void *judge = NULL;
    int rc;
    MUST(of.options != NULL);
    if (a->keys != NULL)
        mw_keys_default(&of);
    MW_TRY(rc, share_weighed(p, w->comm, &edges));
    MW_TRY(rc, mw_graph_build_by(mw_world_host_side(w), &edges, &rule, &g));
    MW_TRY(rc, mw_traversal_new(a, of.options, w, g, &t));
    MW_TRY(rc, a->check->open(w, &edges, &judge));
    for (int run = 0; run < 2; run++) {
        MW_TRY(rc, mw_traversal_reset(t));
        MW_TRY(rc, mw_traversal_run(t, a->keyed ? p->root : MW_NO_VERTEX));
        MW_TRY(rc, a->check->run(judge, t, p->root, &verdict));
    }
end:
    a->check->close(judge);
    mw_traversal_free(t);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    free(of.options);
    return rc;
}

START_TEST(every_algorithm_runs_on_devices)
{
    struct sample s = sample_kronecker(6);
    struct pathing p;
    pathing_init(&p, &s, UNIFORM, 1);
    for (uint32_t i = 0; mw_algorithms[i] != NULL; i++) {
        struct ranks r =
            device_ranks(_i % n_forms, 1 + (uint32_t)(_i / n_forms % 3), (uint64_t)_i);
        p.algorithm = mw_algorithms[i];
        r.body = algorithm_is_right;
        r.arg = &p;
        must_run(&r);
    }
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* ---- memory and devices ----------------------------------------------------------------------- */

/* The state stays where it is: a search copies nothing in, and only its numbers out, when
 * they are asked for. That is not to count what it has reached, nor to judge it, where
 * the cores do both. */
static int nothing_else_moves(struct mw_world *w, void *arg)
{
    const struct searches *q = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    struct mw_verdict verdict;
    void *check = NULL;
    int rc;
    MW_TRY(rc, sample_share(q->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &q->rule, w, g, &b));
    MW_TRY(rc, mw_algorithm_bfs.check->open(w, &edges, &check));
    for (uint32_t i = 0; i < q->n; i++) {
        MW_TRY(rc, mw_traversal_reset(b));
        apart.bytes_got = apart.bytes_put = 0;
        MW_TRY(rc, mw_traversal_run(b, q->root[i]));
        EXPECT(b->settled == (DEVICE_WHOLE && !g->wide && g->n_labels > 0), "whole: %d",
               b->settled);
        for (int judged = 0; judged < 2; judged++) {
            EXPECT(apart.at == NULL || /* a real device, whose copies nobody counts */
                       (apart.bytes_put == 0 &&
                        apart.bytes_got == (b->settled ? 0 : mw_number_bytes(g->wide))),
                   "%u bytes in, %u out", (unsigned)apart.bytes_put,
                   (unsigned)apart.bytes_got);
            if (!DEVICE_JUDGES)
                break;
            MW_TRY(rc, mw_algorithm_bfs.claim(b, &verdict));
            MW_TRY(rc, mw_algorithm_bfs.check->run(check, b, q->root[i], &verdict));
        }
        MW_TRY(rc, check_tree(q, i, b, g));
    }
end:
    mw_algorithm_bfs.check->close(check);
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(state_stays_on_the_device)
{
    struct sample s = sample_kronecker(9);
    struct searches q;
    searches_init(&q, &s, 4, 5);
    struct ranks r = device_ranks(true, 1, 0);
    r.body = nothing_else_moves;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(devices_are_told_and_chosen)
{
    struct mw_device device[MW_DEVICES_MAX];
    const uint32_t n = DEVICE.devices(device, MW_DEVICES_MAX);
    struct mw_cluster_conf conf = {.n_cores = 1, .first_lane = 1, .real_host_rank = n};
    struct mw_cluster *c = NULL;
    ck_assert_uint_ge(n, 1);
    ck_assert_uint_gt(strlen(device[0].name), 0);
    ck_good(DEVICE.open(&conf, &c)); /* in turn: the first again */
    ck_assert_uint_eq(DEVICE.device_of(c), 0);
    DEVICE.close(c);
    conf.device = 1 + n;
    ck_fails(DEVICE.open(&conf, &c), MW_ERR_UNAVAILABLE, "meshway info");
}
END_TEST

START_TEST(memory_that_is_not_there_is_named)
{
    const struct mw_cluster_conf conf = {.n_cores = 1, .first_lane = 1};
    struct mw_cluster *c = NULL;
    const struct mw_memory *m = DEVICE.memory;
    uint64_t seven = 7, is = 0;
    ck_good(DEVICE.open(&conf, &c));
    mw_error_clear();
    ck_assert_ptr_null(m->take(c, MW_OF_CORES, "everything", UINT64_C(1) << 50, 8));
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "everything"));
    void *const p = m->take(c, MW_OF_CORES, "one", 1, sizeof seven);
    ck_assert_ptr_nonnull(p);
    m->get(c, &is, p, sizeof is);
    ck_assert_uint_eq(is, 0);
    m->put(c, p, &seven, sizeof seven);
    m->get(c, &is, p, sizeof is);
    ck_assert_uint_eq(is, 7);
    m->give(c, MW_OF_CORES, p);
    DEVICE.close(c);
}
END_TEST

static int device_suite(void)
{
    Suite *s = suite_create(DEVICE.name);
    TCase *t = tcase_create(DEVICE.name);
    n_forms = device_is_host() ? 2 : 1;
    const int n = n_forms * (SHAPES + how_many(200, 8, 4));
    device_apart = DEVICE;
    device_apart.memory = device_memory();
    device_apart.open = open_apart;
    device_apart.close = close_apart;
    tcase_add_test(t, devices_are_told_and_chosen);
    device_own_tests(t, n);
    tcase_add_test(t, memory_that_is_not_there_is_named);
    tcase_add_loop_test(t, graphs_are_searched_right, 0, n);
    tcase_add_loop_test(t, components_are_found, 0, n);
    tcase_add_loop_test(t, records_of_larger_graphs_find_the_same_levels, 0, 4 * n_forms);
    tcase_add_loop_test(t, parents_get_their_names_at_the_end, 0, 4 * n_forms);
    tcase_add_loop_test(t, damaged_trees_are_rejected, 0, 3 * n_forms);
    tcase_add_loop_test(t, damaged_paths_and_components_are_rejected, 0, 6 * n_forms);
    tcase_add_loop_test(t, checks_are_open_side_by_side, 0, 3 * n_forms);
    tcase_add_loop_test(t, every_algorithm_runs_on_devices, 0, 3 * n_forms);
    if (n_forms == 2)
        tcase_add_test(t, state_stays_on_the_device);
    suite_add_tcase(s, t);
    return run_suite(s);
}
