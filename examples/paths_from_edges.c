/* paths_from_edges.c -- how long are the shortest ways through a 4 x 6 grid whose streets have
 * lengths?
 *
 *      mpiexec -n 2 ./paths_from_edges
 *
 * Every rank makes a part of the edges, and reads the part of the answer that it owns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <meshway/meshway.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4, COLUMNS = 6, N = ROWS * COLUMNS, ROOT = 0 };
enum { PARENT, DISTANCE }; /* the values of "sssp" */

static void check(int rc)
{
    if (rc != MESHWAY_OK) {
        fprintf(stderr, "paths_from_edges: %s\n", meshway_error_text());
        exit(-rc);
    }
}

/* Streets to the right have length 1, those down 2.5 in all columns but the last one: 0.5. */
static uint64_t make_streets(uint32_t rank, uint32_t n_ranks, uint64_t *u, uint64_t *v,
                             float *length)
{
    uint64_t n = 0;
    for (uint64_t x = rank; x < N; x += n_ranks) {
        const int last = x % COLUMNS + 1 == COLUMNS;
        if (!last) {
            u[n] = x;
            v[n] = x + 1;
            length[n++] = 1;
        }
        if (x + COLUMNS < N) {
            u[n] = x;
            v[n] = x + COLUMNS;
            length[n++] = last ? 0.5F : 2.5F;
        }
    }
    return n;
}

int main(void)
{
    struct meshway_world *world;
    struct meshway_graph *graph;
    struct meshway_traversal *paths;
    uint64_t u[2 * N], v[2 * N], halves[N] = {0}; /* all distances are n halves */
    float length[2 * N];

    check(meshway_start(&world));
    const uint64_t n =
        make_streets(meshway_rank(world), meshway_n_ranks(world), u, v, length);
    check(meshway_graph_new_weighted(world, N, n, u, v, length, &graph));
    check(meshway_traversal_new(graph, "sssp", &paths));
    check(meshway_traversal_run(paths, ROOT));
    check(meshway_traversal_validate(paths));

    for (uint64_t i = 0; i < meshway_graph_n_places(graph); i++)
        halves[meshway_graph_vertex(graph, i)] =
            (uint64_t)(2 * meshway_traversal_real(paths, DISTANCE, i));
    check(meshway_sum(world, halves, N)); /* each by the rank that owns it */

    if (meshway_rank(world) == 0)
        for (uint64_t x = 0; x < N; x++)
            printf("%4.1f%c", (double)halves[x] / 2,
                   x % COLUMNS + 1 < COLUMNS ? ' ' : '\n');
    meshway_traversal_free(paths);
    meshway_graph_free(graph);
    meshway_finish(world);
    return 0;
}
