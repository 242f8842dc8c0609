/* test_api.c -- the public interface, linked as another program would link it: by
 * libmeshway.so alone. Runs as one process and under mpiexec.
 *
 * Without fork: MPI does not survive one. The tests share a world, as MPI can be started
 * once in a process; the first one sees it before there is a graph.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <meshway/meshway.h>

#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_EDGES = 64 };

static struct meshway_world *world;

static void ok(int rc)
{
    ck_assert_msg(rc == MESHWAY_OK, "%d: %s", rc, meshway_error_text());
}

static void fails(int rc, int expected, const char *text)
{
    ck_assert_msg(rc == expected, "%d instead of %d: %s", rc, expected,
                  meshway_error_text());
    ck_assert_msg(strstr(meshway_error_text(), text) != NULL, "no '%s' in: %s", text,
                  meshway_error_text());
}

/* Of the whole list each rank gives every n_ranks-th edge. */
static int build(uint64_t n_vertices, uint64_t n_edges, const uint64_t (*edge)[2],
                 struct meshway_graph **out)
{
    uint64_t u[MAX_EDGES], v[MAX_EDGES], n = 0;
    for (uint64_t i = meshway_rank(world); i < n_edges; i += meshway_n_ranks(world)) {
        u[n] = edge[i][0];
        v[n++] = edge[i][1];
    }
    return meshway_graph_new(world, n_vertices, n, u, v, out);
}

/* 0-1-2-3 and 1-3, twice and looped; 4-5 apart; 6 alone. */
static const uint64_t small[][2] = {{0, 1}, {2, 1}, {2, 3}, {3, 1},
                                    {1, 3}, {2, 2}, {4, 5}};
enum { N_SMALL_VERTICES = 7, N_SMALL = sizeof small / sizeof small[0] };

static void check_small(const struct meshway_graph *g, const struct meshway_traversal *b)
{
    static const uint64_t parent[] = {0, 0, 1, 1, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    static const uint32_t level[] = {0, 1, 2, 2, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint64_t all[N_SMALL_VERTICES], vertex[N_SMALL_VERTICES];
    uint32_t all_levels[N_SMALL_VERTICES];
    meshway_traversal_numbers(b, all);
    meshway_traversal_levels(b, all_levels);
    meshway_graph_vertices(g, vertex);
    for (uint64_t p = 0; p < meshway_graph_n_places(g); p++) {
        const uint64_t x = meshway_graph_vertex(g, p);
        ck_assert_uint_eq(meshway_traversal_number(b, p), parent[x]);
        ck_assert_uint_eq(all[p], parent[x]);
        ck_assert_uint_eq(meshway_traversal_level(b, p), level[x]);
        ck_assert_uint_eq(all_levels[p], level[x]);
        ck_assert_uint_eq(vertex[p], x);
    }
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 4);
    ck_assert_uint_eq(meshway_traversal_n_levels(b), 3);
}

static const char *backend; /* that the environment asks for; NULL: none */

START_TEST(backends_have_names)
{
    uint32_t n = 0;
    bool serial = false, asked = backend == NULL;
    for (const char *name; (name = meshway_backend(n)) != NULL; n++) {
        serial = serial || strcmp(name, "serial") == 0;
        asked = asked || strcmp(name, backend) == 0;
        ok(meshway_set_backend(world, name));
    }
    ck_assert(n >= 2 && serial && asked);
    fails(meshway_set_backend(world, "abacus"), MESHWAY_ERR_USAGE, "abacus");
    ok(meshway_set_backend(world, backend != NULL ? backend : "auto"));
}
END_TEST

START_TEST(options_are_checked_and_named)
{
    fails(meshway_set(world, (enum meshway_option)99, 0), MESHWAY_ERR_USAGE, "99");
    fails(meshway_set(world, MESHWAY_BACKEND, 3), MESHWAY_ERR_USAGE, "MESHWAY_BACKEND");
    fails(meshway_set(world, MESHWAY_DIRECTION, 7), MESHWAY_ERR_USAGE, "0..2");
    ok(meshway_set(world, MESHWAY_DIRECTION, 2));
    ok(meshway_set(world, MESHWAY_DIRECTION, 0));
    ok(meshway_set(world, MESHWAY_THREADS, 1));
    ck_assert_str_eq(meshway_error_text(), "");
}
END_TEST

/* A later value of a key replaces the earlier one, and what is refused sets nothing. */
START_TEST(keys_are_checked_and_named)
{
    fails(meshway_tune(world, "alhpa=3"), MESHWAY_ERR_USAGE,
          "meshway_tune: 'alhpa' is no key; did you mean alpha? (a plug-in's are known "
          "once it is loaded)");
    fails(meshway_tune(world, "alpha=x"), MESHWAY_ERR_USAGE,
          "alpha: 'x' is not a number");
    fails(meshway_tune(world, "batch=1"), MESHWAY_ERR_USAGE, "batch: 1 is out of range");
    fails(meshway_tune(world, "alpha"), MESHWAY_ERR_USAGE, "alpha needs a value");
    fails(meshway_tune(world, "alpha=3,alpha=4"), MESHWAY_ERR_USAGE, "given twice");
    ok(meshway_tune(world, "alpha=3,hubs=2:3"));
    ok(meshway_tune(world, "alpha=4,follow=off,batch=4Ki"));
    fails(meshway_set(world, MESHWAY_DIRECTION, 1), MESHWAY_ERR_USAGE,
          "alpha and direction=top-down exclude");
    fails(meshway_tune(world, "direction=bottom-up"), MESHWAY_ERR_USAGE, "exclude");
    ok(meshway_tune(world, "direction=auto"));
    ok(meshway_tune(world, ""));
}
END_TEST

START_TEST(versions_of_header_and_library_agree)
{
    ck_assert_uint_eq(meshway_version(), MESHWAY_VERSION);
}
END_TEST

START_TEST(there_is_one_world)
{
    struct meshway_world *second = world;
    fails(meshway_start(&second), MESHWAY_ERR_USAGE, "already");
    ck_assert_ptr_null(second);
    ck_assert_uint_lt(meshway_rank(world), meshway_n_ranks(world));
}
END_TEST

START_TEST(sums_are_over_all_ranks)
{
    uint64_t value[2] = {1, meshway_rank(world)};
    const uint64_t n = meshway_n_ranks(world);
    ok(meshway_sum(world, value, 2));
    ck_assert_uint_eq(value[0], n);
    ck_assert_uint_eq(value[1], n * (n - 1) / 2);
}
END_TEST

START_TEST(search_of_a_small_graph)
{
    struct meshway_graph *g;
    struct meshway_traversal *b;
    ok(build(N_SMALL_VERTICES, N_SMALL, small, &g));
    ck_assert_uint_eq(meshway_graph_n_vertices(g), N_SMALL_VERTICES);
    ck_assert_uint_eq(meshway_graph_n_edges(g), 5);
    ok(meshway_traversal_new(g, "bfs", &b));
    for (int i = 0; i < 3; i++) { /* again and again */
        ok(meshway_traversal_run(b, 0));
        ok(meshway_traversal_validate(b));
        check_small(g, b);
        ok(meshway_traversal_run(b, 6));
        ck_assert_uint_eq(meshway_traversal_n_reached(b), 1);
        ck_assert_uint_eq(meshway_traversal_n_levels(b), 1);
        ok(meshway_traversal_validate(b));
    }
    meshway_traversal_free(b);
    meshway_graph_free(g);
}
END_TEST

START_TEST(edges_may_lead_one_way_only)
{
    static const uint32_t level[] = {0,          1,          UINT32_MAX, UINT32_MAX,
                                     UINT32_MAX, UINT32_MAX, UINT32_MAX};
    struct meshway_graph *g;
    struct meshway_traversal *b;
    ok(meshway_set(world, MESHWAY_DIRECTED, 1));
    ok(build(N_SMALL_VERTICES, N_SMALL, small, &g));
    ck_assert_uint_eq(meshway_graph_n_edges(g), 6); /* 3 -> 1 and 1 -> 3 are two */
    ok(meshway_traversal_new(g, "bfs", &b));
    ok(meshway_traversal_run(b, 4)); /* 4 -> 5 */
    ok(meshway_traversal_validate(b));
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 2);
    ok(meshway_traversal_run(b, 5));
    ok(meshway_traversal_validate(b));
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 1);
    ok(meshway_traversal_run(b, 0)); /* 0 -> 1 -> 3 -> 1 */
    ok(meshway_traversal_validate(b));
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 3);
    for (uint64_t p = 0; p < meshway_graph_n_places(g); p++) {
        const uint64_t x = meshway_graph_vertex(g, p);
        ck_assert_uint_eq(meshway_traversal_level(b, p), x == 3 ? 2 : level[x]);
    }
    meshway_traversal_free(b);
    meshway_graph_free(g);
    ok(meshway_set(world, MESHWAY_DIRECTED, 0));
}
END_TEST

START_TEST(every_vertex_has_one_owner_and_place)
{
    struct meshway_graph *g;
    uint64_t n_owned[N_SMALL_VERTICES] = {0};
    ok(build(N_SMALL_VERTICES, N_SMALL, small, &g));
    for (uint64_t p = 0; p < meshway_graph_n_places(g); p++) {
        const uint64_t x = meshway_graph_vertex(g, p);
        ck_assert_uint_lt(x, N_SMALL_VERTICES);
        ck_assert_uint_eq(meshway_graph_owner(g, x), meshway_rank(world));
        ck_assert_uint_eq(meshway_graph_place(g, x), p);
        n_owned[x]++;
    }
    ok(meshway_sum(world, n_owned, N_SMALL_VERTICES));
    for (int x = 0; x < N_SMALL_VERTICES; x++)
        ck_assert_uint_eq(n_owned[x], 1);
    meshway_graph_free(g);
}
END_TEST

START_TEST(graphs_and_searches_live_side_by_side)
{
    struct meshway_graph *g[2];
    struct meshway_traversal *b[3];
    static const uint64_t path[][2] = {{0, 1}, {1, 2}};
    ok(build(N_SMALL_VERTICES, N_SMALL, small, &g[0]));
    ok(build(3, 2, path, &g[1]));
    ok(meshway_traversal_new(g[0], "bfs", &b[0]));
    ok(meshway_traversal_new(g[0], "bfs", &b[1]));
    ok(meshway_traversal_new(g[1], "bfs", &b[2]));
    ok(meshway_traversal_run(b[0], 0));
    ok(meshway_traversal_run(b[1], 5));
    ok(meshway_traversal_run(b[2], 2));
    for (int i = 0; i < 3; i++)
        ok(meshway_traversal_validate(b[i]));
    check_small(g[0], b[0]);
    ck_assert_uint_eq(meshway_traversal_n_reached(b[1]), 2);
    ck_assert_uint_eq(meshway_traversal_n_levels(b[2]), 3);
    for (int i = 0; i < 3; i++)
        meshway_traversal_free(b[i]);
    meshway_graph_free(g[0]);
    meshway_graph_free(g[1]);
}
END_TEST

START_TEST(one_vertex_and_no_edges)
{
    struct meshway_graph *g;
    struct meshway_traversal *b;
    ok(meshway_graph_new(world, 1, 0, NULL, NULL, &g));
    ck_assert_uint_eq(meshway_graph_n_edges(g), 0);
    ok(meshway_traversal_new(g, "bfs", &b));
    ok(meshway_traversal_run(b, 0));
    ok(meshway_traversal_validate(b));
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 1);
    meshway_traversal_free(b);
    meshway_graph_free(g);
}
END_TEST

START_TEST(vertex_beyond_the_graph_is_an_error_on_all_ranks)
{
    struct meshway_graph *g;
    const uint64_t u[] = {0, 1}, v[] = {1, 7};
    const uint64_t n = meshway_rank(world) == 0 ? 2 : 0;
    fails(meshway_graph_new(world, 7, n, u, v, &g), MESHWAY_ERR_DATA,
          "edge 1: 1 -- 7: the graph has vertices 0..6");
    ck_assert_ptr_null(g);
}
END_TEST

START_TEST(graphs_that_cannot_be_are_errors)
{
    struct meshway_graph *g;
    fails(meshway_graph_new(world, 0, 0, NULL, NULL, &g), MESHWAY_ERR_USAGE,
          "at least 1 vertex");
    fails(meshway_graph_new(world, 5, 3, NULL, NULL, &g), MESHWAY_ERR_USAGE, "no array");
    fails(meshway_graph_new(world, UINT64_MAX, 0, NULL, NULL, &g), MESHWAY_ERR_REFUSED,
          "a rank owns at most");
    if (meshway_n_ranks(world) > 1)
        fails(meshway_graph_new(world, 5 + meshway_rank(world), 0, NULL, NULL, &g),
              MESHWAY_ERR_USAGE, "differs between ranks");
}
END_TEST

START_TEST(root_out_of_range_is_an_error)
{
    struct meshway_graph *g;
    struct meshway_traversal *b;
    ok(build(N_SMALL_VERTICES, N_SMALL, small, &g));
    ok(meshway_traversal_new(g, "bfs", &b));
    fails(meshway_traversal_run(b, 7), MESHWAY_ERR_USAGE,
          "root 7: the graph has vertices 0..6");
    fails(meshway_traversal_run(b, UINT64_MAX), MESHWAY_ERR_USAGE, "0..6");
    if (meshway_n_ranks(world) > 1)
        fails(meshway_traversal_run(b, meshway_rank(world)), MESHWAY_ERR_USAGE,
              "differs");
    ok(meshway_traversal_run(b, 0)); /* an error leaves it usable */
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 4);
    meshway_traversal_free(b);
    meshway_graph_free(g);
}
END_TEST

START_TEST(components_are_named_after_their_smallest_vertex)
{
    static const uint64_t component[] = {0, 0, 0, 0, 4, 4, 6};
    struct meshway_graph *g;
    struct meshway_traversal *t;
    ok(build(N_SMALL_VERTICES, N_SMALL, small, &g));
    ok(meshway_traversal_new(g, "cc", &t));
    fails(meshway_traversal_run(t, 0), MESHWAY_ERR_USAGE, "cc takes no vertex");
    ok(meshway_traversal_run(t, MESHWAY_NO_VERTEX));
    for (uint64_t p = 0; p < meshway_graph_n_places(g); p++) {
        ck_assert_uint_eq(meshway_traversal_number(t, p),
                          component[meshway_graph_vertex(g, p)]);
        ck_assert_uint_eq(meshway_traversal_level(t, p), MESHWAY_NO_LEVEL);
    }
    ck_assert_uint_eq(meshway_traversal_n_reached(t), N_SMALL_VERTICES);
    ok(meshway_traversal_validate(t));
    meshway_traversal_free(t);
    meshway_graph_free(g);
}
END_TEST

/* By rank 0 alone, whole before another rank opens it. */
static void put_file(const char *name, const char *text)
{
    uint64_t there = 0;
    if (meshway_rank(world) == 0) {
        FILE *f = fopen(name, "w");
        there = f != NULL && fputs(text, f) >= 0;
        there = f != NULL && fclose(f) == 0 && there;
    }
    ok(meshway_sum(world, &there, 1));
    ck_assert_uint_eq(there, 1);
}

static void drop_file(const char *name)
{
    uint64_t all_have_read = 1;
    ok(meshway_sum(world, &all_have_read, 1));
    if (meshway_rank(world) == 0)
        remove(name);
}

/* Tests of several numbers of ranks and backends run beside each other in one directory:
 * a file bears the process number of rank 0. */
static const char *file_name(const char *end)
{
    static char name[64];
    uint64_t first = meshway_rank(world) == 0 ? (uint64_t)getpid() : 0;
    ok(meshway_sum(world, &first, 1));
    snprintf(name, sizeof name, "test_api.%llu.%s", (unsigned long long)first, end);
    return name;
}

/* ---- weights ------------------------------------------------------------------------------- */

/* From 0 to 2 the way by 1 is shorter; 1-3 has three weights; 2-2 is a loop; 4-5 costs nothing. */
static const uint64_t road[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {1, 3},
                                   {3, 1}, {1, 3}, {2, 2}, {4, 5}};
static const float road_length[] = {1, 2, 4, 0.5F, 9, 5, 7, 3, 0};
enum { N_ROADS = sizeof road / sizeof road[0] };

/* Of the whole list each rank gives every n_ranks-th edge; `length` NULL: without weights. */
static int build_roads(const float *length, struct meshway_graph **out)
{
    uint64_t u[N_ROADS], v[N_ROADS], n = 0;
    float weight[N_ROADS];
    for (uint64_t i = meshway_rank(world); i < N_ROADS; i += meshway_n_ranks(world)) {
        u[n] = road[i][0];
        v[n] = road[i][1];
        weight[n++] = length != NULL ? length[i] : 1;
    }
    return length != NULL
               ? meshway_graph_new_weighted(world, N_SMALL_VERTICES, n, u, v, weight, out)
               : meshway_graph_new(world, N_SMALL_VERTICES, n, u, v, out);
}

/* Shortest paths from a root, validated; the distances of all vertices. */
static void check_paths(struct meshway_graph *g, uint64_t root, const double *distance)
{
    struct meshway_traversal *t;
    double all[N_SMALL_VERTICES];
    uint64_t n_reached = 0;
    ok(meshway_traversal_new(g, "sssp", &t));
    for (int again = 0; again < 2; again++) {
        ok(meshway_traversal_run(t, root));
        ok(meshway_traversal_validate(t));
        meshway_traversal_reals(t, 1, all);
        for (uint64_t p = 0; p < meshway_graph_n_places(g); p++) {
            const uint64_t x = meshway_graph_vertex(g, p);
            ck_assert_msg(meshway_traversal_real(t, 1, p) == distance[x],
                          "%g instead of %g to %u", meshway_traversal_real(t, 1, p),
                          distance[x], (unsigned)x);
            ck_assert(all[p] == distance[x]);
            ck_assert((meshway_traversal_number(t, p) == MESHWAY_NO_VERTEX) ==
                      (distance[x] == (double)INFINITY));
            ck_assert_uint_eq(meshway_traversal_level(t, p), MESHWAY_NO_LEVEL);
        }
    }
    for (uint64_t x = 0; x < N_SMALL_VERTICES; x++)
        n_reached += distance[x] < (double)INFINITY;
    ck_assert_uint_eq(meshway_traversal_n_reached(t), n_reached);
    ck_assert_str_eq(meshway_traversal_value_name(t, 0), "parent");
    ck_assert_str_eq(meshway_traversal_value_name(t, 1), "distance");
    meshway_traversal_free(t);
}

#define FAR ((double)INFINITY)

/* Of `small` from 3 and 4, and then from 6, which has no edge, and 4. */
START_TEST(sources_may_be_given)
{
    enum { NONE = 9 };
    static const uint64_t source[][2] = {{3, 4}, {6, 4}}, twice[] = {3, 3},
                          beyond[] = {7};
    static const uint64_t sum[][7] = {{2, 1, 1, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1, 0}};
    static const uint64_t reached[][7] = {{1, 1, 1, 1, 1, 1, 0}, {0, 0, 0, 0, 1, 1, 1}};
    static const uint64_t farthest[][7] = {{NONE, NONE, NONE, 2, 1, NONE, NONE},
                                           {NONE, NONE, NONE, NONE, 1, NONE, 0}};
    /* Their own dependency counts: of 3 on 0, 1 and 2, of 4 on 5; the largest is 1. */
    static const double score[][7] = {{0, 1. / 3, 0, 1, 1. / 3, 0, 0},
                                      {0, 0, 0, 0, 1, 0, 0}};
    struct meshway_graph *g;
    struct meshway_traversal *b, *m, *none;
    ok(build(N_SMALL_VERTICES, N_SMALL, small, &g));
    ok(meshway_traversal_new(g, "multi_bfs", &m));
    ok(meshway_traversal_new(g, "betweenness", &b));
    ok(meshway_traversal_new(g, "cc", &none));
    fails(meshway_traversal_set_sources(none, 2, *source), MESHWAY_ERR_USAGE,
          "cc draws no");
    fails(meshway_traversal_set_sources(m, 2, twice), MESHWAY_ERR_USAGE,
          "3 is there twice");
    fails(meshway_traversal_set_sources(m, 1, beyond), MESHWAY_ERR_USAGE,
          "vertices 0..6");
    fails(meshway_traversal_set_sources(m, 0, *source), MESHWAY_ERR_USAGE, "0 sources");
    fails(meshway_traversal_set_sources(m, 65, *source), MESHWAY_ERR_USAGE, "65 sources");
    fails(meshway_traversal_set_sources(m, 1, NULL), MESHWAY_ERR_USAGE, "in an array");
    for (int i = 0; i < 2; i++) {
        ok(meshway_traversal_set_sources(m, 2, source[i]));
        ok(meshway_traversal_set_sources(b, 2, source[i]));
        ok(meshway_traversal_run(m, MESHWAY_NO_VERTEX));
        ok(meshway_traversal_validate(m));
        ok(meshway_traversal_run(b, MESHWAY_NO_VERTEX));
        ok(meshway_traversal_validate(b));
        for (uint64_t p = 0; p < meshway_graph_n_places(g); p++) {
            const uint64_t v = meshway_graph_vertex(g, p);
            const uint64_t far = farthest[i][v];
            ck_assert_uint_eq(meshway_traversal_value(m, 0, p), sum[i][v]);
            ck_assert_uint_eq(meshway_traversal_value(m, 1, p), reached[i][v]);
            ck_assert_uint_eq(meshway_traversal_value(m, 2, p),
                              far == NONE ? MESHWAY_NO_VERTEX : far);
            ck_assert(fabs(meshway_traversal_real(b, 0, p) - score[i][v]) < 1e-6);
        }
    }
    meshway_traversal_free(none);
    meshway_traversal_free(b);
    meshway_traversal_free(m);
    meshway_graph_free(g);
}
END_TEST

START_TEST(weights_make_paths_shorter)
{
    static const double from_0[] = {0, 1, 3, 3.5, FAR, FAR, FAR};
    static const double from_4[] = {FAR, FAR, FAR, FAR, 0, 0, FAR};
    static const double alone[] = {FAR, FAR, FAR, FAR, FAR, FAR, 0};
    struct meshway_graph *g;
    ok(build_roads(road_length, &g));
    ck_assert_uint_eq(meshway_graph_weights(g), 1);
    ck_assert_uint_eq(meshway_graph_n_edges(g), 6);
    check_paths(g, 0, from_0);
    check_paths(g, 4, from_4);
    check_paths(g, 6, alone);
    meshway_graph_free(g);
}
END_TEST

START_TEST(duplicates_have_the_least_weight_for_paths)
{
    static const double from_3[] = {6, 5, 2, 0, FAR, FAR, FAR};
    float length[N_ROADS];
    struct meshway_graph *g;
    memcpy(length, road_length, sizeof length);
    length[3] = 2; /* 2-3 */
    length[1] = 8; /* 1-2 */
    length[2] = 8; /* 0-2 */
    ok(build_roads(length, &g));
    check_paths(g, 3, from_3);
    meshway_graph_free(g);
}
END_TEST

START_TEST(weights_lead_one_way_where_edges_do)
{
    static const double from_1[] = {FAR, 0, 2, 2.5, FAR, FAR, FAR};
    static const double from_3[] = {FAR, 5, 7, 0, FAR, FAR, FAR};
    struct meshway_graph *g;
    ok(meshway_set(world, MESHWAY_DIRECTED, 1));
    ok(build_roads(road_length, &g));
    check_paths(g, 1, from_1);
    check_paths(g, 3, from_3);
    meshway_graph_free(g);
    ok(meshway_set(world, MESHWAY_DIRECTED, 0));
}
END_TEST

/* Edges without weights have 1 each, so distances are levels. */
START_TEST(graphs_have_weights_by_an_option)
{
    static const double levels[] = {0, 1, 1, 2, FAR, FAR, FAR};
    struct meshway_graph *g;
    struct meshway_traversal *t = NULL;
    ok(build_roads(NULL, &g));
    ck_assert_uint_eq(meshway_graph_weights(g), 0);
    fails(meshway_traversal_new(g, "sssp", &t), MESHWAY_ERR_REFUSED,
          "sssp wants weights, and the graph has none; MESHWAY_WEIGHTS 1 before");
    ck_assert_ptr_null(t);
    meshway_graph_free(g);
    ok(meshway_set(world, MESHWAY_WEIGHTS, 1));
    ok(build_roads(NULL, &g));
    ck_assert_uint_eq(meshway_graph_weights(g), 1);
    check_paths(g, 0, levels);
    ok(meshway_traversal_new(g, "bfs", &t)); /* it does not look at them */
    ok(meshway_traversal_run(t, 0));
    ok(meshway_traversal_validate(t));
    ck_assert_uint_eq(meshway_traversal_n_reached(t), 4);
    meshway_traversal_free(t);
    meshway_graph_free(g);
    ok(meshway_set(world, MESHWAY_WEIGHTS, 0));
}
END_TEST

START_TEST(weights_of_duplicates_follow_the_option)
{
    struct meshway_graph *g;
    struct meshway_traversal *t = NULL;
    fails(meshway_set(world, MESHWAY_WEIGHTS, 4), MESHWAY_ERR_USAGE,
          "MESHWAY_WEIGHTS: 4");
    for (uint32_t rule = 2; rule <= 3; rule++) {
        ok(meshway_set(world, MESHWAY_WEIGHTS, rule));
        ok(build_roads(road_length, &g));
        ck_assert_uint_eq(meshway_graph_weights(g), rule);
        fails(meshway_traversal_new(g, "sssp", &t), MESHWAY_ERR_REFUSED,
              rule == 2 ? "wants the least of the weights (MESHWAY_WEIGHTS 1), and the "
                          "graph has the first one's (2)"
                        : "and the graph has the sum (3)");
        meshway_graph_free(g);
    }
    ok(meshway_set(world, MESHWAY_WEIGHTS, 0));
}
END_TEST

START_TEST(weights_that_are_no_distances_are_errors_on_all_ranks)
{
    static const struct {
        float weight;
        const char *text;
    } bad[] = {{-2, "edge 1: 1 -- 3: its weight is -2; weights are finite numbers"},
               {(float)INFINITY, "its weight is inf"},
               {(float)NAN, "nan"}};
    const uint64_t u[] = {0, 1}, v[] = {1, 3};
    const uint64_t n = meshway_rank(world) == 0 ? 2 : 0;
    struct meshway_graph *g = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const float weight[] = {1, bad[i].weight};
        fails(meshway_graph_new_weighted(world, 7, n, u, v, weight, &g), MESHWAY_ERR_DATA,
              bad[i].text);
        ck_assert_ptr_null(g);
    }
    fails(meshway_graph_new_weighted(world, 7, n, u, v, NULL, &g), MESHWAY_ERR_USAGE,
          "meshway_graph_new_weighted: 2 edges, but no array");
    ok(meshway_graph_new_weighted(world, 7, 0, NULL, NULL, NULL, &g));
    meshway_graph_free(g);
}
END_TEST

/* Against the same by hand: Bellman and Ford's way, on all ranks. */
START_TEST(paths_of_a_larger_graph)
{
    enum { N = 300, M = 900 };
    uint64_t u[M], v[M], mine_u[M], mine_v[M], n = 0, vertex[N], seed = 12345;
    float weight[M], mine[M];
    double distance[N], found[N];
    struct meshway_graph *g;
    struct meshway_traversal *t;
    for (int i = 0; i < M; i++) {
        uint64_t drawn[3];
        for (int k = 0; k < 3; k++)
            drawn[k] = (seed = seed * UINT64_C(6364136223846793005) + 1442695) >> 33;
        u[i] = drawn[0] % N;
        v[i] = drawn[1] % N;
        weight[i] = (float)(drawn[2] % 50); /* sums of whole numbers have one value */
        if ((uint32_t)i % meshway_n_ranks(world) != meshway_rank(world))
            continue;
        mine_u[n] = u[i];
        mine_v[n] = v[i];
        mine[n++] = weight[i];
    }
    for (int x = 0; x < N; x++)
        distance[x] = x == 7 ? 0 : FAR;
    for (bool fell = true; fell;) {
        fell = false;
        for (int i = 0; i < 2 * M; i++) {
            const uint64_t a = i < M ? u[i] : v[i - M], b = i < M ? v[i] : u[i - M];
            const double way = distance[a] + (double)weight[i % M];
            fell = fell || way < distance[b];
            distance[b] = way < distance[b] ? way : distance[b];
        }
    }
    ok(meshway_graph_new_weighted(world, N, n, mine_u, mine_v, mine, &g));
    ok(meshway_traversal_new(g, "sssp", &t));
    ok(meshway_traversal_run(t, 7));
    ok(meshway_traversal_validate(t));
    meshway_graph_vertices(g, vertex);
    meshway_traversal_reals(t, 1, found);
    for (uint64_t p = 0; p < meshway_graph_n_places(g); p++)
        ck_assert_msg(found[p] == distance[vertex[p]], "%g instead of %g", found[p],
                      distance[vertex[p]]);
    meshway_traversal_free(t);
    meshway_graph_free(g);
}
END_TEST

START_TEST(graph_of_a_file)
{
    const char *name = file_name("el");
    struct meshway_graph *g;
    struct meshway_traversal *b;
    put_file(name, "0 1\n2 1\n2 3\n3 1\n1 3\n2 2\n4 5\n");
    ok(meshway_graph_read(world, name, N_SMALL_VERTICES, &g));
    ck_assert_uint_eq(meshway_graph_n_vertices(g), N_SMALL_VERTICES);
    ck_assert_uint_eq(meshway_graph_base(g), 0);
    ck_assert_int_eq(meshway_graph_is_directed(g), 0);
    ok(meshway_traversal_new(g, "bfs", &b));
    ok(meshway_traversal_run(b, 0));
    ok(meshway_traversal_validate(b));
    check_small(g, b);
    meshway_traversal_free(b);
    meshway_graph_free(g);
    ok(meshway_graph_read(world, name, 0, &g)); /* as many as occur */
    ck_assert_uint_eq(meshway_graph_n_vertices(g), 6);
    meshway_graph_free(g);
    drop_file(name);
}
END_TEST

START_TEST(searches_end_with_a_level_or_a_target)
{
    struct meshway_graph *g;
    struct meshway_traversal *b, *c;
    const char *name = file_name("el");
    put_file(name, "0 1\n1 2\n2 3\n3 4\n");
    ok(meshway_graph_read(world, name, 0, &g));
    ok(meshway_traversal_new(g, "bfs", &b));
    ok(meshway_traversal_stop_at(b, 1, MESHWAY_NO_VERTEX));
    ok(meshway_traversal_run(b, 0));
    ok(meshway_traversal_validate(b));
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 2);
    ok(meshway_traversal_stop_at(b, MESHWAY_NO_LEVEL, 2));
    ok(meshway_traversal_run(b, 0));
    ok(meshway_traversal_validate(b));
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 3);
    fails(meshway_traversal_stop_at(b, 0, 5), MESHWAY_ERR_USAGE, "target 5: the graph");
    ok(meshway_traversal_stop_at(b, MESHWAY_NO_LEVEL, MESHWAY_NO_VERTEX));
    ok(meshway_traversal_run(b, 0));
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 5);
    ok(meshway_traversal_new(g, "cc", &c));
    fails(meshway_traversal_stop_at(c, 1, MESHWAY_NO_VERTEX), MESHWAY_ERR_USAGE, "cc");
    meshway_traversal_free(c);
    meshway_traversal_free(b);
    meshway_graph_free(g);
    drop_file(name);
}
END_TEST

START_TEST(names_and_ids_of_a_file_are_told_and_found)
{
    const char *name = file_name("csv"), *text;
    char all[16];
    uint64_t bytes, end[3], number[3];
    struct meshway_graph *g;
    put_file(name, "b,a\na,ccc\n");
    ok(meshway_graph_read_by(world, name, 0, "names=yes", &g));
    ck_assert_int_eq(meshway_graph_naming(g), MESHWAY_NAMES);
    ck_assert_uint_eq(meshway_graph_n_vertices(g), 3);
    ck_assert_uint_eq(meshway_graph_names(g, end, all), 5);
    ck_assert(memcmp(all, "abccc", 5) == 0 && end[0] == 1 && end[2] == 5);
    text = meshway_graph_name(g, 2, &bytes);
    ck_assert(bytes == 3 && memcmp(text, "ccc", 3) == 0);
    ck_assert_ptr_null(meshway_graph_name(g, 3, &bytes));
    ck_assert_uint_eq(meshway_graph_find_name(g, "b", 1), 1);
    ck_assert_uint_eq(meshway_graph_find_name(g, "d", 1), MESHWAY_NO_VERTEX);
    ck_assert_uint_eq(meshway_graph_number(g, 0), MESHWAY_NO_VERTEX);
    meshway_graph_free(g);
    drop_file(name);
    put_file(name, "7 900000000000\n900000000000 8\n");
    ok(meshway_graph_read_by(world, name, 0, "compact-ids=yes,separator=blank", &g));
    ck_assert_int_eq(meshway_graph_naming(g), MESHWAY_IDS);
    meshway_graph_numbers(g, number);
    ck_assert(number[0] == 7 && number[1] == 8 && number[2] == 900000000000);
    ck_assert_uint_eq(meshway_graph_find_number(g, 900000000000), 2);
    ck_assert_uint_eq(meshway_graph_find_number(g, 9), MESHWAY_NO_VERTEX);
    meshway_graph_free(g);
    fails(meshway_graph_read_by(world, name, 0, "nmaes=yes", &g), MESHWAY_ERR_USAGE,
          "nmaes");
    fails(meshway_graph_read_by(world, name, 0, "names=yes,compact-ids=yes", &g),
          MESHWAY_ERR_USAGE, "names or numbers");
    fails(meshway_graph_read_by(world, name, 0, "names=yes,format=mtx", &g),
          MESHWAY_ERR_DATA, "");
    drop_file(name);
    put_file(name, "1 2\n2 3\n");
    ok(meshway_set(world, MESHWAY_WEIGHTS, 1));
    ok(meshway_graph_read_by(world, name, 0, "base=1", &g));
    ok(meshway_set(world, MESHWAY_WEIGHTS, 0));
    ck_assert(meshway_graph_number(g, 2) == 3 && meshway_graph_find_number(g, 3) == 2);
    ck_assert_ptr_nonnull(strstr(meshway_graph_note(g, 0), "no weights; all are 1"));
    ck_assert_ptr_null(meshway_graph_note(g, 1));
    meshway_graph_free(g);
    drop_file(name);
}
END_TEST

START_TEST(file_says_where_it_counts_from_and_whether_edges_lead_one_way)
{
    static const char symmetric[] =
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
    static const char general[] =
        "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n";
    const char *name = file_name("mtx");
    struct meshway_graph *g;
    struct meshway_traversal *b;
    ok(meshway_set(world, MESHWAY_DIRECTED, 1));
    put_file(name, symmetric);
    ok(meshway_graph_read(world, name, 0, &g));
    ck_assert_uint_eq(meshway_graph_base(g), 1);
    ck_assert_int_eq(meshway_graph_is_directed(g), 0);
    meshway_graph_free(g);
    drop_file(name);
    put_file(name, general);
    ok(meshway_graph_read(world, name, 0, &g));
    ck_assert_int_eq(meshway_graph_is_directed(g), 1);
    ok(meshway_traversal_new(g, "bfs", &b));
    ok(meshway_traversal_run(b, 1)); /* the file's 2: to 3, not to 1 */
    ok(meshway_traversal_validate(b));
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 2);
    meshway_traversal_free(b);
    meshway_graph_free(g);
    drop_file(name);
    ok(meshway_set(world, MESHWAY_DIRECTED, 0));
}
END_TEST

START_TEST(weights_of_a_file_are_read_where_they_are_asked_for)
{
    static const double from_0[] = {0, 1, 3, 3.5, FAR, FAR, FAR};
    const char *name = file_name("wel");
    struct meshway_graph *g = NULL;
    struct meshway_traversal *t;
    put_file(name, "0 1 1\n1 2 2\n0 2 4\n2 3 0.5\n1 3 9\n3 1 5\n4 5 0\n");
    ok(meshway_graph_read(world, name, N_SMALL_VERTICES, &g)); /* dropped */
    ck_assert_uint_eq(meshway_graph_weights(g), 0);
    fails(meshway_traversal_new(g, "sssp", &t), MESHWAY_ERR_REFUSED, "wants weights");
    meshway_graph_free(g);
    ok(meshway_set(world, MESHWAY_WEIGHTS, 1));
    ok(meshway_graph_read(world, name, N_SMALL_VERTICES, &g));
    ck_assert_uint_eq(meshway_graph_weights(g), 1);
    check_paths(g, 0, from_0);
    meshway_graph_free(g);
    drop_file(name);
    put_file(name, "0 1 1\n1 2 -2\n");
    fails(meshway_graph_read(world, name, 0, &g), MESHWAY_ERR_DATA,
          ":2: a negative weight");
    ck_assert_ptr_null(g);
    drop_file(name);
    ok(meshway_set(world, MESHWAY_WEIGHTS, 0));
}
END_TEST

START_TEST(faulty_files_are_errors_on_all_ranks)
{
    const char *name = file_name("bad");
    struct meshway_graph *g = NULL;
    fails(meshway_graph_read(world, "no/such/file.el", 0, &g), MESHWAY_ERR_NOINPUT,
          "no/such/file.el");
    ck_assert_ptr_null(g);
    put_file(name, "0 1\n2 x\n");
    fails(meshway_graph_read(world, name, 0, &g), MESHWAY_ERR_DATA, "x");
    drop_file(name);
    put_file(name, "0 1\n2 4000000000\n");
    fails(meshway_graph_read(world, name, 0, &g), MESHWAY_ERR_REFUSED,
          "n_vertices 4000000001 says that all are meant");
    fails(meshway_graph_read(world, name, 2, &g), MESHWAY_ERR_DATA, "4000000000");
    drop_file(name);
}
END_TEST

START_TEST(nothing_is_known_before_a_search)
{
    struct meshway_graph *g;
    struct meshway_traversal *b;
    ok(build(N_SMALL_VERTICES, N_SMALL, small, &g));
    ok(meshway_traversal_new(g, "bfs", &b));
    fails(meshway_traversal_validate(b), MESHWAY_ERR_USAGE, "no run yet");
    struct meshway_traversal *none;
    fails(meshway_traversal_new(g, "dfs", &none), MESHWAY_ERR_USAGE, "'dfs'");
    ck_assert_ptr_null(none);
    ck_assert_uint_eq(meshway_traversal_n_reached(b), 0);
    ck_assert_uint_eq(meshway_traversal_n_levels(b), 0);
    for (uint64_t p = 0; p < meshway_graph_n_places(g); p++) {
        ck_assert_uint_eq(meshway_traversal_number(b, p), MESHWAY_NO_VERTEX);
        ck_assert_uint_eq(meshway_traversal_level(b, p), MESHWAY_NO_LEVEL);
    }
    meshway_traversal_free(b);
    meshway_graph_free(g);
}
END_TEST

START_TEST(options_are_closed_by_the_first_graph)
{
    fails(meshway_set(world, MESHWAY_THREADS, 1), MESHWAY_ERR_USAGE,
          "before the first graph");
    fails(meshway_set_backend(world, "serial"), MESHWAY_ERR_USAGE,
          "before the first graph");
    fails(meshway_tune(world, "alpha=5,columns=ask"), MESHWAY_ERR_USAGE,
          "before the first graph");
    ok(meshway_tune(world, "alpha=5")); /* traversals made later have it */
    meshway_traversal_free(NULL);
    meshway_graph_free(NULL);
    meshway_finish(NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        backends_have_names,
        options_are_checked_and_named,
        keys_are_checked_and_named,
        versions_of_header_and_library_agree,
        there_is_one_world,
        sums_are_over_all_ranks,
        search_of_a_small_graph,
        edges_may_lead_one_way_only,
        every_vertex_has_one_owner_and_place,
        graphs_and_searches_live_side_by_side,
        one_vertex_and_no_edges,
        vertex_beyond_the_graph_is_an_error_on_all_ranks,
        graphs_that_cannot_be_are_errors,
        root_out_of_range_is_an_error,
        components_are_named_after_their_smallest_vertex,
        sources_may_be_given,
        weights_make_paths_shorter,
        duplicates_have_the_least_weight_for_paths,
        weights_lead_one_way_where_edges_do,
        graphs_have_weights_by_an_option,
        weights_of_duplicates_follow_the_option,
        weights_that_are_no_distances_are_errors_on_all_ranks,
        paths_of_a_larger_graph,
        graph_of_a_file,
        names_and_ids_of_a_file_are_told_and_found,
        searches_end_with_a_level_or_a_target,
        file_says_where_it_counts_from_and_whether_edges_lead_one_way,
        weights_of_a_file_are_read_where_they_are_asked_for,
        faulty_files_are_errors_on_all_ranks,
        nothing_is_known_before_a_search,
        options_are_closed_by_the_first_graph,
    };
    backend = getenv("MW_TEST_BACKEND");
    if (meshway_start(&world) != MESHWAY_OK) {
        fprintf(stderr, "%s\n", meshway_error_text());
        return EXIT_FAILURE;
    }
    Suite *s = suite_create("api");
    TCase *t = tcase_create("api");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(t, tests[i]);
    suite_add_tcase(s, t);

    SRunner *sr = srunner_create(s);
    srunner_set_fork_status(sr, CK_NOFORK);
    srunner_run_all(sr, meshway_rank(world) == 0 ? CK_NORMAL : CK_SILENT);
    uint64_t n_failed = (uint64_t)srunner_ntests_failed(sr);
    if (n_failed > 0 && meshway_rank(world) != 0)
        srunner_print(sr, CK_NORMAL);
    srunner_free(sr);
    if (meshway_sum(world, &n_failed, 1) != MESHWAY_OK)
        n_failed = 1;
    if (n_failed == 0) /* a failed test leaves its graph behind */
        meshway_finish(world);
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
