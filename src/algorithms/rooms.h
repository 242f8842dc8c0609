/* rooms.h -- the algorithms of the tree, one line each, the benchmark's first: the one place where an
 * algorithm is named outside its room.
 *
 *      ROOM(arg, name, mesh, n, what)
 *
 * arg    what the user of the list has given.
 * name   of its folder beside this file, and of the option's word; its constant is mw_algorithm_name.
 * mesh   the file there, without .c, whose kernels a mesh runs; its table for a kind of core is
 *        mesh_kind, a struct of n pointers. Where that is name.c, it is the algorithm's only file, as
 *        one outside the tree is written (docs/your-own-traversal.md).
 * what   for the help.
 *
 * CMake (cmake/rooms.cmake) and Makefile.sunway read these lines as text: one a line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ROOMS_H
#define MW_ROOMS_H

/* clang-format off */
#define MW_ROOMS(FIRST, ROOM, arg) \
    FIRST(arg, bfs, bfs_kernels, 17, "breadth-first search from each root") \
    ROOM(arg, cc, cc_kernels, 6, "connected components") \
    ROOM(arg, sssp, sssp_kernels, 3, "shortest paths from each root") \
    ROOM(arg, pagerank, pagerank, 7, "PageRank") \
    ROOM(arg, core, core, 7, "core numbers") \
    ROOM(arg, communities, communities, 10, "communities by label propagation") \
    ROOM(arg, multi_bfs, multi_bfs, 7, "breadth-first search from up to 64 vertices at once") \
    ROOM(arg, betweenness, betweenness, 11, "betweenness centrality") \
    ROOM(arg, triangles, triangles, 8, "triangles and clustering coefficients")
/* clang-format on */

#endif
