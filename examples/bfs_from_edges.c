/* bfs_from_edges.c -- how many vertices of a 4 x 6 grid are how far from a corner?
 *
 *      mpiexec -n 2 ./bfs_from_edges
 *
 * Every rank makes a part of the edges, and reads the part of the answer that it owns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <meshway/meshway.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4, COLUMNS = 6, N = ROWS * COLUMNS, ROOT = 0 };

static void check(int rc)
{
    if (rc != MESHWAY_OK) {
        fprintf(stderr, "bfs_from_edges: %s\n", meshway_error_text());
        exit(-rc);
    }
}

/* The edges to the right and down of every vertex that is this rank's to make. */
static uint64_t make_edges(uint32_t rank, uint32_t n_ranks, uint64_t *u, uint64_t *v)
{
    uint64_t n = 0;
    for (uint64_t x = rank; x < N; x += n_ranks) {
        if (x % COLUMNS + 1 < COLUMNS) {
            u[n] = x;
            v[n++] = x + 1;
        }
        if (x + COLUMNS < N) {
            u[n] = x;
            v[n++] = x + COLUMNS;
        }
    }
    return n;
}

int main(void)
{
    struct meshway_world *world;
    struct meshway_graph *graph;
    struct meshway_traversal *bfs;
    uint64_t u[2 * N], v[2 * N], n_at[N] = {0};

    check(meshway_start(&world));
    const uint64_t n = make_edges(meshway_rank(world), meshway_n_ranks(world), u, v);
    check(meshway_graph_new(world, N, n, u, v, &graph));
    check(meshway_traversal_new(graph, "bfs", &bfs));
    check(meshway_traversal_run(bfs, ROOT));
    check(meshway_traversal_validate(bfs));

    for (uint64_t i = 0; i < meshway_graph_n_places(graph); i++)
        if (meshway_traversal_level(bfs, i) != MESHWAY_NO_LEVEL)
            n_at[meshway_traversal_level(bfs, i)]++;
    check(meshway_sum(world, n_at, N));

    if (meshway_rank(world) == 0) {
        printf("%d vertices, %llu edges, root %d: %llu reached\n", N,
               (unsigned long long)meshway_graph_n_edges(graph), ROOT,
               (unsigned long long)meshway_traversal_n_reached(bfs));
        for (uint32_t level = 0; level < meshway_traversal_n_levels(bfs); level++)
            printf("level %u: %llu\n", level, (unsigned long long)n_at[level]);
    }
    meshway_traversal_free(bfs);
    meshway_graph_free(graph);
    meshway_finish(world);
    return 0;
}
