/* test_family.c -- grids, roads, points and pairs: how many edges, which ones, and the same ones whoever
 * makes which part.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/family.h"

#include "base/mem.h"
#include "graph/digest.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct mw_family f;

static const struct mw_family_conf confs[] = {
    {MW_FAMILY_GRID, {30, 20, 1}, 0, 0, 0, {2, 3}},
    {MW_FAMILY_GRID, {5, 6, 7}, 0, 0, 0, {2, 3}},
    {MW_FAMILY_ROADS, {50, 40, 1}, 0, 0.7, 0, {2, 3}},
    {MW_FAMILY_ROADS, {9, 8, 7}, 0, 0.5, 0, {2, 3}},
    {MW_FAMILY_GEOMETRIC, {500, 1, 1}, 0, 0, 8, {2, 3}},
    {MW_FAMILY_UNIFORM, {100, 1, 1}, 16, 0, 0, {2, 3}},
};
enum { N_CONFS = sizeof confs / sizeof *confs };

static struct mw_edges list_of(const struct mw_family *family, uint64_t first, uint64_t n,
                               bool weights)
{
    struct mw_edges e = {0};
    ck_good(mw_edges_init(&e, family->n_vertices, 16));
    if (weights)
        ck_good(mw_edges_weigh(&e));
    ck_good(mw_family_edges(family, first, n, &e));
    return e;
}

/* The whole list. */
static struct mw_edges make(const struct mw_family_conf *conf, bool weights)
{
    ck_good(mw_family_init(&f, conf));
    return list_of(&f, 0, f.n_origins, weights);
}

static struct mw_family_conf roads(uint64_t w, uint64_t h, double keep)
{
    return (struct mw_family_conf){MW_FAMILY_ROADS, {w, h, 1}, 0, keep, 0, {2, 3}};
}

static struct mw_family_conf points(uint64_t n, double degree)
{
    return (struct mw_family_conf){MW_FAMILY_GEOMETRIC, {n, 1, 1}, 0, 0, degree, {2, 3}};
}

static struct mw_family_conf grid(uint64_t w, uint64_t h, uint64_t d)
{
    return (struct mw_family_conf){MW_FAMILY_GRID, {w, h, d}, 0, 0, 0, {2, 3}};
}

START_TEST(grids_have_the_edges_of_their_sides)
{
    static const uint64_t side[][3] = {{1, 1, 1},   {7, 1, 1}, {1, 7, 1}, {30, 20, 1},
                                       {3, 500, 1}, {4, 5, 6}, {1, 1, 9}};
    for (size_t i = 0; i < sizeof side / sizeof *side; i++) {
        const uint64_t w = side[i][0], h = side[i][1], d = side[i][2];
        const uint64_t n = d * (w * (h - 1) + h * (w - 1)) + (d - 1) * w * h;
        const struct mw_family_conf conf = grid(w, h, d);
        struct mw_edges e = make(&conf, false);
        ck_assert_uint_eq(e.n, n);
        ck_assert_uint_eq(f.n_edges, n);
        ck_assert_uint_eq(f.n_vertices, w * h * d);
        mw_edges_fini(&e);
    }
}
END_TEST

/* An edge of a grid leads one step along one side. */
START_TEST(edges_of_a_grid_are_single_steps)
{
    const struct mw_family_conf conf = grid(5, 6, 7);
    struct mw_edges e = make(&conf, false);
    bool seen[5 * 6 * 7][3] = {{false}};
    for (uint64_t i = 0; i < e.n; i++) {
        mw_vid u, v;
        mw_edges_get(&e, i, &u, &v);
        const uint64_t step = v - u;
        const int side = step == 1 ? 0 : step == 5 ? 1 : 2;
        MUST(step == 1 || step == 5 || step == 30);
        MUST(step != 1 || u % 5 < 4);
        MUST(step != 5 || u / 5 % 6 < 5);
        MUST(!seen[u][side]);
        seen[u][side] = true;
    }
    mw_edges_fini(&e);
}
END_TEST

/* Searches by going over all edges until nothing changes. */
static void levels_of(const struct mw_edges *e, mw_vid root, uint64_t *level)
{
    bool changed = true;
    for (uint64_t v = 0; v < e->n_vertices; v++)
        level[v] = v == root ? 0 : UINT64_MAX / 2;
    while (changed) {
        changed = false;
        for (uint64_t i = 0; i < e->n; i++) {
            mw_vid u, v;
            mw_edges_get(e, i, &u, &v);
            const uint64_t best = mw_min(level[u], level[v]) + 1;
            changed |= level[u] > best || level[v] > best;
            level[u] = mw_min(level[u], best);
            level[v] = mw_min(level[v], best);
        }
    }
}

START_TEST(levels_of_a_grid_are_manhattan_distances)
{
    const struct mw_family_conf conf = grid(30, 20, 2);
    struct mw_edges e = make(&conf, false);
    uint64_t level[30 * 20 * 2];
    const int64_t x = 11, y = 7, z = 1;
    levels_of(&e, (mw_vid)(x + 30 * y + 600 * z), level);
    for (int64_t v = 0; v < 1200; v++)
        MUST((int64_t)level[v] ==
             llabs(v % 30 - x) + llabs(v / 30 % 20 - y) + llabs(v / 600 - z));
    mw_edges_fini(&e);
}
END_TEST

/* Parts of all sizes, one behind the other, and parts entered anywhere. */
START_TEST(any_part_equals_the_same_part_of_the_whole)
{
    static const uint64_t sizes[] = {1, 2, 7, 64, 1000};
    struct mw_edges whole = make(&confs[_i], true);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint64_t n_done = 0;
        for (uint64_t first = 0; first < f.n_origins; first += sizes[k]) {
            const uint64_t n = mw_min(sizes[k], f.n_origins - first);
            struct mw_edges part = list_of(&f, first, n, true);
            MUST(part.n <= whole.n - n_done);
            MUST(part.n == 0 || memcmp(part.narrow, whole.narrow + 2 * n_done,
                                       2 * part.n * sizeof *part.narrow) == 0);
            MUST(part.n == 0 || memcmp(part.weight, whole.weight + n_done,
                                       part.n * sizeof *part.weight) == 0);
            n_done += part.n;
            mw_edges_fini(&part);
        }
        ck_assert_uint_eq(n_done, whole.n);
    }
    mw_edges_fini(&whole);
    mw_family_fini(&f);
}
END_TEST

START_TEST(edges_name_their_lesser_vertex_first)
{
    struct mw_edges e = make(&confs[_i], false);
    ck_assert_uint_gt(e.n, 0);
    for (uint64_t i = 0; i < e.n; i++) {
        mw_vid u, v;
        mw_edges_get(&e, i, &u, &v);
        MUST(u <= v && v < f.n_vertices);
        MUST(u < v || f.conf.kind == MW_FAMILY_UNIFORM);
    }
    mw_edges_fini(&e);
    mw_family_fini(&f);
}
END_TEST

/* Of vertices that need 64 bits. */
START_TEST(grids_beyond_32_bits_are_entered_anywhere)
{
    const uint64_t w = UINT64_C(1) << 20, v = (UINT64_C(1) << 39) + 12345;
    const struct mw_family_conf conf = grid(w, w, 256);
    mw_vid a, b;
    ck_good(mw_family_init(&f, &conf));
    struct mw_edges e = list_of(&f, v, 1, false);
    ck_assert_uint_eq(e.n, 3);
    for (uint64_t i = 0; i < 3; i++) {
        mw_edges_get(&e, i, &a, &b);
        ck_assert_uint_eq(a, v);
        ck_assert_uint_eq(b, v + (i == 0 ? 1 : i == 1 ? w : w * w));
    }
    mw_edges_fini(&e);
}
END_TEST

START_TEST(roads_are_a_share_of_the_grid)
{
    const struct mw_family_conf conf = roads(200, 300, 0.7);
    const struct mw_family_conf all = grid(200, 300, 1);
    struct mw_edges e = make(&conf, false);
    struct mw_edges whole = make(&all, false);
    const double expected = 0.7 * (double)whole.n;
    ck_assert_double_lt(fabs((double)e.n - expected), 5 * sqrt(expected * 0.3));
    for (uint64_t i = 0, k = 0; i < e.n; i++, k++) { /* in the same order */
        while (k < whole.n && memcmp(e.narrow + 2 * i, whole.narrow + 2 * k, 8) != 0)
            k++;
        MUST(k < whole.n);
    }
    mw_edges_fini(&e);
    mw_edges_fini(&whole);
}
END_TEST

/* Roads along the two sides of a vertex stay, or do not, each for itself. */
START_TEST(sides_are_drawn_apart)
{
    const struct mw_family_conf conf = roads(200, 200, 0.5);
    struct mw_edges e = make(&conf, false);
    uint64_t n_along[2] = {0, 0}, n_both = 0;
    mw_vid before = UINT64_MAX;
    for (uint64_t i = 0; i < e.n; i++) {
        mw_vid u, v;
        mw_edges_get(&e, i, &u, &v);
        n_along[v - u != 1]++;
        n_both += u == before;
        before = u;
    }
    ck_assert_double_eq_tol((double)n_along[0], 19900, 500);
    ck_assert_double_eq_tol((double)n_along[1], 19900, 500);
    ck_assert_double_eq_tol((double)n_both, 9900, 430);
    mw_edges_fini(&e);
}
END_TEST

START_TEST(all_roads_are_the_grid_and_none_are_nothing)
{
    const struct mw_family_conf all = roads(30, 20, 1), none = roads(30, 20, 0);
    struct mw_edges e = make(&all, false);
    ck_assert_uint_eq(e.n, 1150);
    mw_edges_fini(&e);
    e = make(&none, false);
    ck_assert_uint_eq(e.n, 0);
    mw_edges_fini(&e);
}
END_TEST

/* How many points; degree. */
static const double clouds[][2] = {{500, 8}, {500, 0}, {500, 60}, {500, 499}, {500, 0.5},
                                   {1, 0},   {2, 1},   {3, 2},    {2000, 20}, {10, 1e-9}};

START_TEST(near_points_are_found_as_by_comparing_all)
{
    const uint64_t n = (uint64_t)clouds[_i][0];
    const double degree = clouds[_i][1];
    const struct mw_family_conf conf = points(n, degree);
    struct mw_edges e = make(&conf, false);
    const double reach = n > 1 ? sqrt(degree / (acos(-1) * (double)(n - 1))) : 0;
    uint64_t k = 0;
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = u + 1; v < n; v++) {
            const uint32_t *p = f.points.at + 2 * u, *q = f.points.at + 2 * v;
            const double apart =
                hypot((double)p[0] - q[0], (double)p[1] - q[1]) / 2147483648.0;
            if (fabs(apart - reach) < 1e-9) /* rounding may decide */
                continue;
            const bool there =
                k < e.n && e.narrow[2 * k] == u && e.narrow[2 * k + 1] == v;
            MUST(there == (apart < reach));
            k += there;
        }
    ck_assert_uint_eq(k, e.n);
    mw_edges_fini(&e);
    mw_family_fini(&f);
}
END_TEST

/* Within the square of the points; those at the border have fewer. */
START_TEST(points_have_the_degree_that_was_asked_for)
{
    const struct mw_family_conf conf = points(100000, 12);
    struct mw_edges e = make(&conf, false);
    const double mean = 2 * (double)e.n / 100000;
    ck_assert_double_gt(mean, 11.8);
    ck_assert_double_lt(mean, 12);
    uint64_t n_in[16] = {0};
    for (uint64_t v = 0; v < 100000; v++)
        n_in[(f.points.at[2 * v] >> 29) * 4 + (f.points.at[2 * v + 1] >> 29)]++;
    for (int i = 0; i < 16; i++)
        ck_assert_double_eq_tol((double)n_in[i], 6250, 400);
    mw_edges_fini(&e);
    mw_family_fini(&f);
}
END_TEST

START_TEST(uniform_ends_are_everywhere)
{
    const struct mw_family_conf conf = {
        MW_FAMILY_UNIFORM, {1000, 1, 1}, 64, 0, 0, {2, 3}};
    struct mw_edges e = make(&conf, false);
    uint64_t n_at[1000] = {0}, n_loops = 0;
    ck_assert_uint_eq(e.n, 64000);
    for (uint64_t i = 0; i < e.n; i++) {
        n_at[e.narrow[2 * i]]++;
        n_at[e.narrow[2 * i + 1]]++;
        n_loops += e.narrow[2 * i] == e.narrow[2 * i + 1];
    }
    for (int v = 0; v < 1000; v++)
        MUST(fabs((double)n_at[v] - 128) < 6 * sqrt(128.0));
    ck_assert_double_eq_tol((double)n_loops, 64, 48);
    mw_edges_fini(&e);
}
END_TEST

START_TEST(weights_are_whole_numbers_up_to_255)
{
    const struct mw_family_conf conf = grid(200, 200, 1);
    struct mw_edges e = make(&conf, true), plain = make(&conf, false);
    bool seen[MW_FAMILY_WEIGHT_MOST + 1] = {false};
    double sum = 0;
    ck_assert_mem_eq(e.narrow, plain.narrow, 2 * e.n * sizeof *e.narrow);
    for (uint64_t i = 0; i < e.n; i++) {
        const uint32_t weight = (uint32_t)e.weight[i];
        MUST((float)weight == e.weight[i] && weight <= MW_FAMILY_WEIGHT_MOST);
        seen[weight] = true;
        sum += weight;
    }
    for (int i = 0; i <= MW_FAMILY_WEIGHT_MOST; i++)
        MUST(seen[i] == (i > 0));
    ck_assert_double_eq_tol(sum / (double)e.n, 128, 2);
    mw_edges_fini(&e);
    mw_edges_fini(&plain);
}
END_TEST

/* Made once; an edge that changes is another graph to whoever has the number. */
static const char *const digests[N_CONFS] = {
    "0000000000051ee1-00000000000563f1-62c1d52dc382abca-5859a431c2782fb6",
    "000000000000c8e8-000000000000e213-a188ee57af5dcc09-f8323ed7b7d4cf83",
    "00000000002911ce-00000000002a20c5-c73977aa37cf2325-768ce41adbbb6093",
    "0000000000025bdb-000000000002a07f-595091cfcee85482-a9cf03c47e20f846",
    "000000000006f785-00000000000775f1-fe6be47090dbe986-ce6194f7bad0968a",
    "000000000000cf53-000000000001a3c6-e69f81ef52acbec7-0df7f1ee31c785ad",
};

static void digest_text(const struct mw_edges *e, char text[MW_DIGEST_TEXT])
{
    struct mw_digest d = {0, 0, 0, 0};
    for (uint64_t i = 0; i < e->n; i++) {
        mw_vid u, v;
        mw_edges_get(e, i, &u, &v);
        mw_digest_add(&d, u, v);
        mw_digest_add_weight(&d, u, v, e->weight[i]);
    }
    mw_digest_text(&d, text);
}

START_TEST(seeds_give_the_same_edges_for_ever)
{
    char text[MW_DIGEST_TEXT];
    struct mw_edges e = make(&confs[_i], true);
    digest_text(&e, text);
    ck_assert_str_eq(text, digests[_i]);
    mw_edges_fini(&e);
    mw_family_fini(&f);
}
END_TEST

START_TEST(other_seeds_give_other_edges)
{
    char text[MW_DIGEST_TEXT];
    for (int k = 0; k < 2; k++) {
        struct mw_family_conf conf = confs[_i];
        conf.seed[k]++;
        struct mw_edges e = make(&conf, true);
        digest_text(&e, text);
        ck_assert_str_ne(text, digests[_i]);
        mw_edges_fini(&e);
        mw_family_fini(&f);
    }
}
END_TEST

START_TEST(impossible_sizes_are_refused)
{
    const uint64_t far = UINT64_C(1) << 32;
    const struct mw_family_conf empty = grid(0, 5, 1), large = grid(far, far, 1),
                                larger = grid(far, far, far), few = points(5, 8);
    const struct mw_family_conf many = {
        MW_FAMILY_UNIFORM, {UINT64_C(1) << 48, 1, 1}, 1 << 20, 0, 0, {2, 3}};
    ck_fails(mw_family_init(&f, &empty), MW_ERR_REFUSED, "0 x 5 x 1 vertices");
    ck_fails(mw_family_init(&f, &large), MW_ERR_REFUSED, "1 to 2^48 are possible");
    ck_fails(mw_family_init(&f, &larger), MW_ERR_REFUSED, "1 to 2^48 are possible");
    ck_fails(mw_family_init(&f, &few), MW_ERR_REFUSED, "each of 5 points has 4 others");
    ck_fails(mw_family_init(&f, &many), MW_ERR_REFUSED, "beyond 2^63");
}
END_TEST

START_TEST(points_without_memory_are_an_error)
{
    const struct mw_family_conf conf = points(500, 8);
    const uint64_t before = mw_mem_in_use();
    for (uint64_t n = 1; n <= 2; n++) {
        mw_mem_fail_at(n);
        ck_assert_int_eq(mw_family_init(&f, &conf), MW_ERR_NOMEM);
        mw_mem_fail_at(0);
        mw_family_fini(&f);
    }
    ck_assert_uint_eq(mw_mem_in_use(), before);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("family");
    TCase *tc = tcase_create("family");
    tcase_add_test(tc, grids_have_the_edges_of_their_sides);
    tcase_add_test(tc, edges_of_a_grid_are_single_steps);
    tcase_add_test(tc, levels_of_a_grid_are_manhattan_distances);
    tcase_add_loop_test(tc, any_part_equals_the_same_part_of_the_whole, 0, N_CONFS);
    tcase_add_loop_test(tc, edges_name_their_lesser_vertex_first, 0, N_CONFS);
    tcase_add_test(tc, grids_beyond_32_bits_are_entered_anywhere);
    tcase_add_test(tc, roads_are_a_share_of_the_grid);
    tcase_add_test(tc, sides_are_drawn_apart);
    tcase_add_test(tc, all_roads_are_the_grid_and_none_are_nothing);
    tcase_add_loop_test(tc, near_points_are_found_as_by_comparing_all, 0,
                        sizeof clouds / sizeof *clouds);
    tcase_add_test(tc, points_have_the_degree_that_was_asked_for);
    tcase_add_test(tc, uniform_ends_are_everywhere);
    tcase_add_test(tc, weights_are_whole_numbers_up_to_255);
    tcase_add_loop_test(tc, seeds_give_the_same_edges_for_ever, 0, N_CONFS);
    tcase_add_loop_test(tc, other_seeds_give_other_edges, 0, N_CONFS);
    tcase_add_test(tc, impossible_sizes_are_refused);
    tcase_add_test(tc, points_without_memory_are_an_error);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
