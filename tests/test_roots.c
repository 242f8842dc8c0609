/* test_roots.c -- the candidates and the rule that picks among them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/generator.h"
#include "graph500/roots.h"
#include "suite.h"

#include <stdlib.h>

enum { N_ROOTS = 64 };

static const uint64_t seed[2] = {2, 3};

static const struct expected {
    uint32_t scale;
    mw_vid first[8];
    uint64_t n_drawn, digest;
} expected[] = {
    {4, {7, 3, 1, 15, 6, 0, 13, 12}, 70, 15987},
    {10, {458, 214, 220, 966, 395, 9, 848, 777}, 75, 1035879},
    {16, {29348, 8064, 61854, 29808, 54316, 22032, 1364, 15128}, 87, 67163547},
};
enum { N_EXPECTED = sizeof expected / sizeof expected[0] };

/* What `connected` answers from, and how often it was asked. */
struct graph {
    uint64_t n_vertices, n_asked;
    bool *has_neighbour;
};

static bool connected(void *arg, mw_vid v)
{
    struct graph *g = arg;
    g->n_asked++;
    return g->has_neighbour[v];
}

static struct graph empty_graph(uint64_t n_vertices)
{
    struct graph g = {n_vertices, 0, calloc(n_vertices, sizeof(bool))};
    ck_assert_ptr_nonnull(g.has_neighbour);
    return g;
}

static struct graph kronecker_graph(uint32_t scale)
{
    static struct mw_kronecker k;
    const uint64_t n = UINT64_C(16) << scale;
    struct graph g = empty_graph(UINT64_C(1) << scale);
    uint32_t *edge = malloc(2 * n * sizeof *edge);
    ck_assert_ptr_nonnull(edge);
    ck_assert_int_eq(mw_kronecker_init(&k, scale, n, seed), MW_OK);
    mw_kronecker_edges(&k, 0, n, edge, NULL);
    for (uint64_t i = 0; i < n; i++)
        if (edge[2 * i] != edge[2 * i + 1])
            g.has_neighbour[edge[2 * i]] = g.has_neighbour[edge[2 * i + 1]] = true;
    free(edge);
    return g;
}

static struct mw_roots choose(struct graph *g, enum mw_root_policy policy,
                              mw_vid root[N_ROOTS])
{
    struct mw_root_stream s;
    mw_root_stream_init(&s, seed, g->n_vertices);
    return mw_roots_select(&s, policy, N_ROOTS, root, connected, g);
}

static void expect_distinct(const mw_vid *root, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            ck_assert_uint_ne(root[i], root[j]);
}

START_TEST(candidates_are_the_official_ones)
{
    static const mw_vid first[] = {458, 214, 220, 126, 966, 395, 9, 465, 848, 777};
    struct mw_root_stream s;
    mw_root_stream_init(&s, seed, 1024);
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        ck_assert_uint_eq(mw_root_stream_next(&s), first[i]);
}
END_TEST

START_TEST(candidates_stay_within_the_graph)
{
    const uint64_t n = (uint64_t)_i;
    struct mw_root_stream s;
    mw_root_stream_init(&s, seed, n);
    for (int i = 0; i < 1000; i++)
        ck_assert_uint_lt(mw_root_stream_next(&s), n);
}
END_TEST

START_TEST(compat_finds_the_official_64)
{
    const struct expected *e = &expected[_i];
    struct graph g = kronecker_graph(e->scale);
    mw_vid root[N_ROOTS];
    const struct mw_roots found = choose(&g, MW_ROOTS_COMPAT, root);
    uint64_t digest = 0;
    free(g.has_neighbour);
    ck_assert_uint_eq(found.n, N_ROOTS);
    ck_assert_uint_eq(found.n_drawn, e->n_drawn);
    for (uint32_t i = 0; i < N_ROOTS; i++)
        digest += (i + 1) * root[i];
    ck_assert_uint_eq(digest, e->digest);
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(root[i], e->first[i]);
}
END_TEST

START_TEST(policies_agree_where_there_is_choice)
{
    struct graph g = kronecker_graph(10);
    mw_vid official[N_ROOTS], root[N_ROOTS];
    choose(&g, MW_ROOTS_COMPAT, official);
    const struct mw_roots found = choose(&g, MW_ROOTS_DISTINCT, root);
    free(g.has_neighbour);
    ck_assert_uint_eq(found.n, N_ROOTS);
    ck_assert_mem_eq(root, official, sizeof root);
    expect_distinct(root, found.n);
}
END_TEST

START_TEST(tiny_graph_is_searched_once_from_each_vertex)
{
    struct graph g = kronecker_graph(4);
    mw_vid root[N_ROOTS];
    const struct mw_roots found = choose(&g, MW_ROOTS_DISTINCT, root);
    free(g.has_neighbour);
    ck_assert_uint_eq(found.n, 16);
    expect_distinct(root, found.n);
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(root[i], expected[0].first[i]);
}
END_TEST

START_TEST(isolated_vertices_are_not_roots)
{
    struct graph g = empty_graph(100);
    mw_vid root[N_ROOTS];
    for (uint64_t v = 40; v < 50; v++)
        g.has_neighbour[v] = true;
    const struct mw_roots found = choose(&g, MW_ROOTS_DISTINCT, root);
    free(g.has_neighbour);
    ck_assert_uint_eq(found.n, 10);
    expect_distinct(root, found.n);
    for (uint32_t i = 0; i < found.n; i++)
        ck_assert(root[i] >= 40 && root[i] < 50);
}
END_TEST

START_TEST(graph_without_edges_ends_the_search_for_roots)
{
    struct graph g = empty_graph(5000);
    mw_vid root[N_ROOTS];
    ck_assert_uint_eq(choose(&g, MW_ROOTS_DISTINCT, root).n, 0);
    ck_assert_uint_lt(g.n_asked, 5 * g.n_vertices);

    g.n_asked = 0;
    const struct mw_roots compat = choose(&g, MW_ROOTS_COMPAT, root);
    free(g.has_neighbour);
    ck_assert_uint_eq(compat.n, N_ROOTS);
    ck_assert_uint_eq(compat.n_drawn, g.n_vertices + N_ROOTS);
    ck_assert_uint_eq(g.n_asked, g.n_vertices);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("roots");
    TCase *tc = tcase_create("roots");
    tcase_add_test(tc, candidates_are_the_official_ones);
    tcase_add_loop_test(tc, candidates_stay_within_the_graph, 1, 20);
    tcase_add_loop_test(tc, compat_finds_the_official_64, 0, N_EXPECTED);
    tcase_add_test(tc, policies_agree_where_there_is_choice);
    tcase_add_test(tc, tiny_graph_is_searched_once_from_each_vertex);
    tcase_add_test(tc, isolated_vertices_are_not_roots);
    tcase_add_test(tc, graph_without_edges_ends_the_search_for_roots);
    suite_add_tcase(s, tc);

    return run_suite(s);
}
