/* test_values.c -- the values of an answer through the public interface: degrees.c has two, of which the
 * second is a real. Runs as one process and under mpiexec.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "degrees.h"

#include <meshway/meshway.h>

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_VERTICES = 9 };

static struct meshway_world *world;

static void ok(int rc)
{
    ck_assert_msg(rc == MESHWAY_OK, "%d: %s", rc, meshway_error_text());
}

/* All but vertex 0 have an edge to each other. */
static uint64_t degree_of(uint64_t v)
{
    return v == 0 ? 0 : N_VERTICES - 2;
}

static struct meshway_graph *build(void)
{
    struct meshway_graph *g;
    uint64_t u[N_VERTICES * N_VERTICES], v[N_VERTICES * N_VERTICES], n = 0;
    for (uint64_t a = 1; a < N_VERTICES; a++)
        for (uint64_t b = 1; b < a; b++)
            if ((a + b) % meshway_n_ranks(world) == meshway_rank(world)) {
                u[n] = a;
                v[n++] = b;
            }
    ok(meshway_graph_new(world, N_VERTICES, n, u, v, &g));
    return g;
}

START_TEST(values_have_names_and_types)
{
    struct meshway_graph *g = build();
    struct meshway_traversal *t;
    ok(meshway_traversal_new(g, "degrees", &t));
    ck_assert_str_eq(meshway_traversal_value_name(t, 0), "degree");
    ck_assert_str_eq(meshway_traversal_value_name(t, 1), "share");
    ck_assert_ptr_null(meshway_traversal_value_name(t, 2));
    ck_assert(!meshway_traversal_value_is_real(t, 0) &&
              meshway_traversal_value_is_real(t, 1));
    ck_assert(meshway_traversal_value(t, 0, 0) == MESHWAY_NO_VERTEX); /* no run yet */
    ck_assert(isnan(meshway_traversal_real(t, 1, 0)));
    meshway_traversal_free(t);
    ok(meshway_traversal_new(g, "bfs", &t));
    ck_assert_str_eq(meshway_traversal_value_name(t, 0), "parent");
    ck_assert_ptr_null(meshway_traversal_value_name(t, 1));
    meshway_traversal_free(t);
    meshway_graph_free(g);
}
END_TEST

START_TEST(every_value_is_read_by_place_and_as_a_whole)
{
    struct meshway_graph *g = build();
    struct meshway_traversal *t;
    uint64_t degree[N_VERTICES], vertex[N_VERTICES], none[N_VERTICES];
    double share[N_VERTICES];
    ok(meshway_traversal_new(g, "degrees", &t));
    for (int again = 0; again < 2; again++) {
        ok(meshway_traversal_run(t, MESHWAY_NO_VERTEX));
        meshway_graph_vertices(g, vertex);
        meshway_traversal_values(t, 0, degree);
        meshway_traversal_values(t, 1, none);
        meshway_traversal_reals(t, 1, share);
        for (uint64_t p = 0; p < meshway_graph_n_places(g); p++) {
            const uint64_t is = degree_of(vertex[p]);
            ck_assert_uint_eq(degree[p], is);
            ck_assert_uint_eq(meshway_traversal_number(t, p), is);
            ck_assert_uint_eq(meshway_traversal_value(t, 0, p), is);
            ck_assert(meshway_traversal_real(t, 0, p) == (double)is);
            ck_assert(none[p] == MESHWAY_NO_VERTEX);
            ck_assert(is == 0 ? isnan(share[p])
                              : share[p] == (double)((float)is / (float)N_VERTICES));
            ck_assert(meshway_traversal_value(t, 2, p) == MESHWAY_NO_VERTEX);
            ck_assert(isnan(meshway_traversal_real(t, 2, p)));
        }
    }
    meshway_traversal_free(t);
    meshway_graph_free(g);
}
END_TEST

/* Counts agree if they are equal, reals within a millionth of the larger one. */
START_TEST(answers_agree_within_their_tolerance)
{
    const struct mw_value *const count = &degrees.value[0], *const real =
                                                                &degrees.value[1];
    ck_assert(mw_value_agrees(count, 3, 3) && !mw_value_agrees(count, 3, 3.0000001));
    ck_assert(mw_value_agrees(real, 3, 3.000002) && mw_value_agrees(real, -3, -3.000002));
    ck_assert(!mw_value_agrees(real, 3, 3.00001) && !mw_value_agrees(real, 3, -3));
    ck_assert(mw_value_agrees(real, NAN, NAN) && !mw_value_agrees(real, NAN, 0));
    ck_assert(mw_value_agrees(real, INFINITY, INFINITY));
    ck_assert(!mw_value_agrees(real, INFINITY, -INFINITY));
    ck_assert(!mw_value_agrees(real, INFINITY, 1e300));
    const struct mw_value near = {.type = MW_VALUE_REAL, .absolute = 0.5};
    ck_assert(mw_value_agrees(&near, 0, 0.5) && !mw_value_agrees(&near, 0, 0.51));
}
END_TEST

/* It has no keys: those of a search are not its own, and of no harm. */
START_TEST(keys_of_another_algorithm_are_left_to_it)
{
    struct meshway_graph *g = build();
    struct meshway_traversal *t;
    ok(meshway_tune(world, "alpha=3"));
    ok(meshway_traversal_new(g, "degrees", &t));
    ok(meshway_traversal_run(t, MESHWAY_NO_VERTEX));
    meshway_traversal_free(t);
    meshway_graph_free(g);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        values_have_names_and_types,
        every_value_is_read_by_place_and_as_a_whole,
        answers_agree_within_their_tolerance,
        keys_of_another_algorithm_are_left_to_it,
    };
    if (meshway_start(&world) != MESHWAY_OK)
        return EXIT_FAILURE;
    Suite *s = suite_create("values");
    TCase *t = tcase_create("values");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(t, tests[i]);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_set_fork_status(sr, CK_NOFORK);
    srunner_run_all(sr, meshway_rank(world) == 0 ? CK_NORMAL : CK_SILENT);
    uint64_t n_failed = (uint64_t)srunner_ntests_failed(sr);
    srunner_free(sr);
    if (meshway_sum(world, &n_failed, 1) != MESHWAY_OK)
        n_failed = 1;
    if (n_failed == 0) /* a failed test leaves its graph behind */
        meshway_finish(world);
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
