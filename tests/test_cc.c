/* test_cc.c -- components on every shape, route and backend, against a union-find.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_inspect.h"
#include "cc_body.h"

static void must_find(struct finding *f, uint32_t n_ranks, uint32_t width,
                      uint32_t threads, uint64_t seed)
{
    struct ranks r = {
        .loop = {n_ranks, (uint32_t)(seed % 3), seed}, .body = find_and_check, .arg = f};
    with_threads(&r, threads);
    with_width(&r, width);
    r.world.least_bits = width > 2 ? 29 + n_ranks % 4 : 0;
    r.world.small_input = 256;
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
}

/* Many small components of all sizes: a random forest with some edges more. */
static struct sample sample_islands(uint64_t seed)
{
    struct sample s = {.name = "islands", .n = 2000};
    uint64_t dice = mixed(seed);
    for (uint64_t v = 1; v < s.n; v++)
        if (drawn(&dice, 4) > 0)
            sample_edge(&s, v, v - 1 - drawn(&dice, mw_min(v, 20)));
    for (uint64_t i = 0; i < 50; i++) {
        const uint64_t v = drawn(&dice, s.n - 20);
        sample_edge(&s, v, v + drawn(&dice, 20));
    }
    sample_finish(&s);
    return s;
}

/* width x height, numbered by rows, or in any order. */
static struct sample whole_grid(uint64_t width, uint64_t height, bool shuffled)
{
    struct sample s = {.name = shuffled ? "shuffled grid" : "grid", .n = width * height};
    uint64_t *number = malloc(s.n * sizeof *number);
    MUST(number != NULL);
    for (uint64_t i = 0; i < s.n; i++)
        number[i] = i;
    for (uint64_t i = s.n; shuffled && i > 1; i--) {
        const uint64_t k = mixed(i) % i, other = number[k];
        number[k] = number[i - 1];
        number[i - 1] = other;
    }
    for (uint64_t v = 0; v < s.n; v++) {
        if (v % width > 0)
            sample_edge(&s, number[v], number[v - 1]);
        if (v >= width)
            sample_edge(&s, number[v], number[v - width]);
    }
    free(number);
    sample_finish(&s);
    return s;
}

/* Two trees that the first entries of all rows make: an edge joins them that is the third one of either end, and the
 * end in the smaller tree has the smaller number. A cut search reaches neither end of it. */
START_TEST(an_edge_joins_the_largest_tree)
{
    enum { LITTLE = 14, LARGE = 24, N = LITTLE + LARGE };
    struct sample s = {.name = "two pairs of hubs", .n = N};
    for (uint64_t hub = 0; hub < 2; hub++) {
        for (uint64_t v = 2; v < LITTLE; v++)
            sample_edge(&s, hub, v);
        for (uint64_t v = LITTLE + 2; v < N; v++)
            sample_edge(&s, LITTLE + hub, v);
    }
    sample_edge(&s, LITTLE - 1, N - 1);
    sample_finish(&s);
    struct finding f;
    finding_init(&f, &s);
    f.most_levels = 0;
    for (uint32_t n_ranks = 1; n_ranks <= 3; n_ranks++)
        must_find(&f, n_ranks, 1, (uint32_t)_i, n_ranks == 1 ? 0 : 2 * n_ranks - 4);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

/* The same by ranks of one host, each of which has one of the trees alone: who is in the largest is not looked at
 * again, so both must mean the same one. */
START_TEST(ranks_agree_on_the_largest_tree)
{
    enum { N = 40, N_HUBS = 4 };
    struct sample s = {.name = "hubs of two ranks", .n = N};
    for (uint64_t v = N_HUBS; v < N; v++)
        for (uint64_t hub = v % 2; hub < N_HUBS; hub += 2)
            sample_edge(&s, hub, v);
    sample_edge(&s, N - 2, N - 1);
    sample_edge(&s, 0, 2); /* so many edges that single vertices are dealt */
    sample_finish(&s);
    struct finding f;
    finding_init(&f, &s);
    f.most_levels = 0;
    must_find(&f, 2, 1, (uint32_t)_i, 0);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

/* One to four cores of one to three ranks, whose search reaches next to nothing. */
static void must_unite(struct sample *s, int i)
{
    struct finding f;
    finding_init(&f, s);
    f.most_levels = 1;
    must_find(&f, 1 + (uint32_t)i / 4, 1, 1 + (uint32_t)i % 4, 0);
    finding_free(&f);
    sample_free(s);
}

/* Cores unite edges within their stretches of places first. All edges leave those here, and more than they have room to
 * list. */
START_TEST(edges_may_leave_all_stretches)
{
    enum { N = 1200, N_PAIRS = 100 };
    struct sample s = {.name = "far pairs", .n = N};
    for (uint64_t v = 0; v < N_PAIRS; v++)
        sample_edge(&s, v, N - N_PAIRS + v);
    sample_finish(&s);
    must_unite(&s, _i);
}
END_TEST

/* And here nearly none does, of one rank; others have small blocks of vertices, or single ones. */
START_TEST(grids_are_united_by_stretches)
{
    struct sample s = whole_grid(40 + (uint64_t)_i, 50, false);
    must_unite(&s, _i);
}
END_TEST

/* 40 levels were worth it, but 32 have not walked half of this. */
START_TEST(slow_searches_are_cut_early)
{
    struct sample s = whole_grid(300, 150, false);
    struct finding f;
    finding_init(&f, &s);
    f.n_levels = 33;
    must_find(&f, 1, 1, 0, 0);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

START_TEST(every_shape_has_its_components)
{
    struct sample s = sample_shape((enum shape)_i);
    struct finding f;
    finding_init(&f, &s);
    const uint32_t step = (uint32_t)how_many(1, 1, 3);
    for (uint32_t n_ranks = 1; n_ranks <= 7; n_ranks += step) {
        f.most_levels = n_ranks % 2 ? UINT32_MAX : n_ranks / 2 - 1;
        must_find(&f, n_ranks, 1 + n_ranks / 2 % n_ranks, n_ranks % 4, n_ranks);
    }
    finding_free(&f);
    sample_free(&s);
}
END_TEST

START_TEST(random_graphs_have_their_components)
{
    uint64_t dice = mixed((uint64_t)_i + 4321);
    struct sample s =
        _i % 2 ? sample_random((uint64_t)_i + 3000) : sample_islands((uint64_t)_i);
    struct finding f;
    finding_init(&f, &s);
    f.rule.policy = (enum mw_direction_policy)drawn(&dice, 3);
    f.rule.form = (enum mw_level_form)drawn(&dice, 3);
    f.most_levels = drawn(&dice, 2) ? UINT32_MAX : (uint32_t)drawn(&dice, 5);
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 7);
    const uint32_t width = 1 + (uint32_t)drawn(&dice, n_ranks);
    must_find(&f, n_ranks, width, (uint32_t)drawn(&dice, 4), drawn(&dice, 3));
    finding_free(&f);
    sample_free(&s);
}
END_TEST

START_TEST(kronecker_graphs_have_their_components)
{
    struct sample s = sample_kronecker(6 + (uint32_t)_i);
    struct finding f;
    finding_init(&f, &s);
    must_find(&f, 1 + (uint32_t)_i, 1 + (uint32_t)_i / 2, 2, 0);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

/* Serial kernels beside a mesh's, and the cores of several emulated clusters. */
START_TEST(clusters_find_the_same_components)
{
    static const char *const backend[] = {"emul", "emul-threads", "openmp"};
    uint64_t dice = mixed((uint64_t)_i + 99);
    struct sample s = _i % 2 ? sample_random(dice) : sample_islands(dice);
    struct finding f;
    struct ranks r = {.body = find_and_check, .arg = &f};
    finding_init(&f, &s);
    f.most_levels = (uint32_t)drawn(&dice, 3);
    r.loop.n_ranks = 1 + (uint32_t)drawn(&dice, 4);
    r.world.backend = backend[_i % 8 == 7 ? 1 : _i % 2 * 2];
    r.world.n_clusters = 1 + (uint32_t)drawn(&dice, _i % 8 == 7 ? 1 : 3);
    r.world.n_threads = _i % 2 && _i % 8 != 7 ? 1 + 2 * r.world.n_clusters : 1;
    r.world.engine_mpe = drawn(&dice, 5) == 0;
    with_width(&r, 1 + (uint32_t)drawn(&dice, r.loop.n_ranks));
    r.world.small_input = (uint32_t)drawn(&dice, 2) * 512;
    r.world.batch_bytes = 512u << drawn(&dice, 4);
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

static struct sample long_graph(int i)
{
    return i == 0   ? whole_grid(4000, 1, false)
           : i == 1 ? whole_grid(4000, 1, true)
                    : whole_grid(60, 60, true);
}

/* Thousands, if components went only from neighbour to neighbour. */
START_TEST(long_graphs_take_few_rounds)
{
    struct sample s = long_graph(_i / 3);
    struct finding f;
    struct ranks r = {.loop = {1 + (uint32_t)_i % 3, 0, 0},
                      .body = find_and_check,
                      .arg = &f,
                      .world = {.backend = "emul",
                                .n_clusters = 1,
                                .n_threads = 1,
                                .hang_timeout_s = HANG_S}};
    finding_init(&f, &s);
    f.n_rounds = 25;
    must_run(&r);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

/* Each of them unites what it hears. */
START_TEST(hosts_take_few_rounds_of_long_graphs)
{
    struct sample s = long_graph(_i / 3);
    struct finding f;
    finding_init(&f, &s);
    f.n_rounds = 15;
    must_find(&f, 2 + (uint32_t)_i % 3 * 2, 1, 1 + (uint32_t)_i % 3,
              1 + (uint64_t)_i % 2);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

static int refuses_directions(struct mw_world *w, void *arg)
{
    const struct sample *s = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    int rc;
    MW_TRY(rc, sample_share(s, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    rc = mw_traversal_new(&mw_algorithm_cc, NULL, w, g, &t);
    rc = rc == MW_ERR_REFUSED && strstr(mw_error_text(), "both ways") != NULL
             ? MW_OK
             : mw_fail(MW_ERR_INVALID, "accepted");
end:
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(a_graph_with_directions_is_refused)
{
    struct sample s = sample_shape(PATH);
    struct ranks r = {.loop = {2, 0, 0}, .body = refuses_directions, .arg = &s};
    sample_direct(&s);
    with_threads(&r, 0);
    must_run(&r);
    sample_free(&s);
}
END_TEST

/* ---- the validator ---------------------------------------------------------------------- */

/* What is said of the components, right but for one fault. */
struct claim {
    const struct sample *sample;
    uint64_t *comp;
    uint32_t rule; /* that must catch it; 0: it is right */
};

/* The cores that have searched count the same faults, and the trees of the tuples once. */
static int cores_find_the_same(struct mw_world *w, struct mw_edges *edges,
                               const void *comp, bool wide, const struct mw_verdict *host)
{
    struct cc_inspector *k = NULL;
    struct mw_verdict is;
    int rc;
    MW_TRY(rc, cc_inspector_new(w, edges, &k));
    EXPECT(k != NULL, "no inspection");
    for (int twice = 0; twice < 2; twice++) {
        bool right = true, must = true;
        MW_TRY(rc, cc_inspect(k, comp, wide, &is));
        for (uint32_t r = 0; r < MW_CC_RULES; r++) {
            right = right && is.n_wrong[r] == 0;
            must = must && host->n_wrong[r] == 0;
        }
        EXPECT(right == must &&
                   (is.n_wrong[MW_CC_EDGES] > 0) == (host->n_wrong[MW_CC_EDGES] > 0) &&
                   (is.n_wrong[MW_CC_MEMBERS] > 0) == (host->n_wrong[MW_CC_MEMBERS] > 0),
               "%u, %u and %u faults, not %u, %u and %u",
               (unsigned)is.n_wrong[MW_CC_EDGES], (unsigned)is.n_wrong[MW_CC_MEMBERS],
               (unsigned)is.n_wrong[MW_CC_COUNT], (unsigned)host->n_wrong[MW_CC_EDGES],
               (unsigned)host->n_wrong[MW_CC_MEMBERS],
               (unsigned)host->n_wrong[MW_CC_COUNT]);
        EXPECT(is.n_reached == host->n_reached && is.n_edges == host->n_edges &&
                   is.n_self_loops == host->n_self_loops,
               "%u and %u edges, %u and %u self-loops", (unsigned)is.n_edges,
               (unsigned)host->n_edges, (unsigned)is.n_self_loops,
               (unsigned)host->n_self_loops);
    }
end:
    cc_inspector_free(k);
    return rc;
}

static int judge_claim(struct mw_world *w, void *arg)
{
    const struct claim *k = arg;
    struct mw_edges edges = {0};
    struct mw_cc_validator v = mw_cc_validator_of(w, &edges);
    struct mw_verdict verdict;
    const struct mw_partition deal =
        mw_partition_of(k->sample->n, w->comm->rank, w->comm->size);
    const bool wide = k->sample->n % 2;
    uint64_t *comp64 = malloc((k->sample->n + 1) * sizeof *comp64);
    uint32_t *comp32 = malloc((k->sample->n + 1) * sizeof *comp32);
    char rule[20];
    int rc;
    MW_TRY(rc, sample_share(k->sample, w->comm, &edges));
    for (uint64_t p = 0; p < mw_my_places(&deal); p++) {
        comp64[p] = k->comp[mw_vertex(&deal, deal.rank, p)];
        comp32[p] = (uint32_t)comp64[p];
    }
    mw_error_clear();
    rc = mw_cc_validate(&v, wide ? (void *)comp64 : comp32, wide, &verdict);
    snprintf(rule, sizeof rule, "rule %u", k->rule);
    if (k->rule == 0)
        EXPECT(rc == MW_OK, "%s", mw_error_text());
    else if (rc != MW_ERR_INVALID || verdict.n_wrong[k->rule] == 0)
        rc = mw_fail(MW_ERR_INTERNAL, "rule %u has not caught it", k->rule);
    else
        rc = MW_OK;
    MW_TRY(rc, mw_comm_agree(w->comm, rc));
    MW_TRY(rc, cores_find_the_same(w, &edges, wide ? (void *)comp64 : comp32, wide,
                                   &verdict));
end:
    free(comp64);
    free(comp32);
    mw_edges_fini(&edges);
    return rc;
}

/* 0..4 a path, 5..8 a ring, 9 and 10 a pair, 11 alone, 12 or 13 in all. */
static struct sample sample_parts(uint64_t n)
{
    struct sample s = {.name = "parts", .n = n};
    for (uint64_t v = 1; v < 5; v++)
        sample_edge(&s, v - 1, v);
    for (uint64_t v = 5; v < 9; v++)
        sample_edge(&s, v, v < 8 ? v + 1 : 5);
    sample_edge(&s, 10, 9);
    sample_edge(&s, 9, 9);
    sample_finish(&s);
    return s;
}

static void must_be_judged(const struct sample *s, uint64_t *comp, uint32_t rule)
{
    struct claim k = {s, comp, rule};
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks++) {
        struct ranks r = {.loop = {n_ranks, 0, 0}, .body = judge_claim, .arg = &k};
        with_threads(&r, n_ranks % 3);
        with_width(&r, 1 + n_ranks / 2 % n_ranks);
        must_run(&r);
    }
}

START_TEST(every_rule_catches_its_fault)
{
    struct sample s = sample_parts(12 + (uint64_t)_i);
    struct finding f;
    finding_init(&f, &s);
    uint64_t *const comp = f.comp;
    must_be_judged(&s, comp, 0);
    comp[3] = comp[4] = 3; /* a component in two */
    must_be_judged(&s, comp, MW_CC_EDGES);
    comp[3] = comp[4] = 0;
    comp[10] = 10; /* a pair in two */
    must_be_judged(&s, comp, MW_CC_EDGES);
    comp[10] = comp[9] = 10; /* not the smallest */
    must_be_judged(&s, comp, MW_CC_MEMBERS);
    comp[10] = comp[9] = 3; /* not a component's name */
    must_be_judged(&s, comp, MW_CC_MEMBERS);
    comp[10] = comp[9] = UINT32_MAX; /* no vertex */
    must_be_judged(&s, comp, MW_CC_MEMBERS);
    comp[10] = comp[9] = 5; /* two in one */
    must_be_judged(&s, comp, MW_CC_COUNT);
    comp[10] = comp[9] = 9;
    comp[11] = 0; /* a vertex without edges has joined */
    must_be_judged(&s, comp, MW_CC_COUNT);
    comp[11] = 11;
    for (uint64_t v = 0; v < s.n; v++)
        comp[v] = 0; /* one for all */
    must_be_judged(&s, comp, MW_CC_COUNT);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cc");
    TCase *t = tcase_create("components");
    tcase_add_loop_test(t, edges_may_leave_all_stretches, 0, 12);
    tcase_add_loop_test(t, grids_are_united_by_stretches, 0, 12);
    tcase_add_test(t, slow_searches_are_cut_early);
    tcase_add_loop_test(t, every_shape_has_its_components, 0, SHAPES);
    tcase_add_loop_test(t, an_edge_joins_the_largest_tree, 0, 3);
    tcase_add_loop_test(t, ranks_agree_on_the_largest_tree, 0, 3);
    tcase_add_loop_test(t, random_graphs_have_their_components, 0, how_many(48, 48, 16));
    tcase_add_loop_test(t, kronecker_graphs_have_their_components, 0, how_many(5, 5, 3));
    tcase_add_loop_test(t, clusters_find_the_same_components,
                        UNDER_TSAN ? 7 : how_many(0, 0, 5), how_many(16, 16, 8));
    tcase_add_loop_test(t, long_graphs_take_few_rounds, 0, how_many(9, 9, 3));
    tcase_add_loop_test(t, hosts_take_few_rounds_of_long_graphs, 0, how_many(9, 9, 3));
    tcase_add_test(t, a_graph_with_directions_is_refused);
    tcase_add_loop_test(t, every_rule_catches_its_fault, 0, how_many(2, 2, 1));
    suite_add_tcase(s, t);
    return run_suite(s);
}
