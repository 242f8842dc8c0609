/* meshway.h -- breadth-first search, components and shortest paths on a graph spread over MPI
 * ranks, for other programs.
 *
 *      meshway_start()                       MPI, unless the caller has started it
 *        meshway_graph_new(edges)            each rank gives its share of the edges
 *          meshway_traversal_new("bfs")
 *            meshway_traversal_run(root)     again and again
 *            meshway_traversal_validate()    if wanted: the Graph500 rules
 *            meshway_traversal_number(i), ... each rank reads its share of the result
 *          meshway_traversal_free()
 *        meshway_graph_free()
 *      meshway_finish()
 *
 * Vertices are numbered by the caller, 0 .. n_vertices - 1, in the input and in the
 * result. Each vertex is owned by one rank; a rank reads results by place, 0 .. n_places - 1,
 * and meshway_graph_vertex() says which vertex stands there. Edges have no direction
 * unless MESHWAY_DIRECTED says so; self-loops and duplicates are legal and change nothing.
 * They have no weights unless MESHWAY_WEIGHTS or meshway_graph_new_weighted() gives them some.
 *
 * A function marked *collective* is called by all ranks, in the same order; the others are
 * local. Functions that can fail return 0 or a negative code of enum meshway_status, the
 * same on all ranks of a collective one; meshway_error_text() then says what, where and
 * how much. The library never prints and never ends the program. All calls come from the
 * thread that called meshway_start().
 *
 * C11 and C++17. Until version 1.0 a new minor version may change the interface, and then
 * changes the number in the shared library's name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MESHWAY_H
#define MESHWAY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MESHWAY_VERSION_MAJOR 0
#define MESHWAY_VERSION_MINOR 2
#define MESHWAY_VERSION_PATCH 0
/* One number that grows: 200 for 0.2.0, 10203 for 1.2.3. */
#define MESHWAY_VERSION                                                                  \
    (MESHWAY_VERSION_MAJOR * 10000 + MESHWAY_VERSION_MINOR * 100 + MESHWAY_VERSION_PATCH)

#define MESHWAY_API   __attribute__((visibility("default")))
#define MESHWAY_CHECK __attribute__((visibility("default"), warn_unused_result))

/* MESHWAY_VERSION of the library that the program runs with. */
MESHWAY_API uint32_t meshway_version(void);

/* ---- Errors ------------------------------------------------------------------------------ */

/* The negatives are the exit codes of the program `meshway`. */
enum meshway_status {
    MESHWAY_OK = 0,
    MESHWAY_ERR_USAGE = -64, /* an argument is wrong */
    MESHWAY_ERR_DATA = -65,  /* the edges or the file are wrong */
    MESHWAY_ERR_NOINPUT =
        -66, /* a file cannot be opened or read, or differs between hosts */
    MESHWAY_ERR_UNAVAILABLE = -69, /* the build or the machine lacks what was asked for */
    MESHWAY_ERR_INTERNAL = -70,    /* a mistake of this library: please report it */
    MESHWAY_ERR_NOMEM = -71,       /* an allocation failed */
    MESHWAY_ERR_INVALID = -76,     /* a search failed its validation */
    MESHWAY_ERR_REFUSED = -78      /* too large, or a shape that does not fit */
};

/* Why the last call on this thread failed; "" if none has. Valid until the next call. */
MESHWAY_API const char *meshway_error_text(void);

/* ---- The ranks --------------------------------------------------------------------------- */

struct meshway_world;

/* Collective over MPI_COMM_WORLD, of which it takes a duplicate. Starts MPI
 * (MPI_THREAD_FUNNELED) if the caller has not; without mpiexec one process is one rank.
 * One world at a time; and MPI can be started once in a process. */
MESHWAY_CHECK int meshway_start(struct meshway_world **out);

/* Collective, after everything made from the world is freed. NULL is legal. Ends MPI if
 * meshway_start() started it. */
MESHWAY_API void meshway_finish(struct meshway_world *w);

MESHWAY_API uint32_t meshway_rank(const struct meshway_world *w);
MESHWAY_API uint32_t meshway_n_ranks(const struct meshway_world *w);

enum meshway_option {
    MESHWAY_THREADS, /* per rank; 0, the default: the host's cores / its ranks */
    MESHWAY_BACKEND, /* 0, the default: the best for the host's cores; 1: serial; 2: openmp;
                           others by name: meshway_set_backend() */
    MESHWAY_ROUTING,    /* 0, the default: auto; 1: direct; 2: by relays */
    MESHWAY_GROUPS,     /* of the relays; 0, the default: hosts of several
                           ranks, else near-square */
    MESHWAY_GROUP_SIZE, /* ranks of a group, with MESHWAY_GROUPS */
    MESHWAY_DIRECTION,  /* 0, the default: auto; 1: top-down; 2: bottom-up */
    MESHWAY_KEEP_EDGES, /* 1, the default: 8 to 16 bytes an edge and 4 of its weight, so
                           that searches can be validated; 0: they cannot */
    MESHWAY_DIRECTED, /* 0, the default: edges are gone along both ways; 1: from u to v. Of
                           the graphs made from then on, so it may be set at any time,
                           by all ranks alike */
    /* 0, the default: edges have no weights, and those of a file are dropped; else each has one,
     * 1 where it came without. Edges that join the same two vertices have one weight together, 1:
     * the least; 2: that of the first, by ranks and then by their order; 3: the sum. Of the graphs
     * made from then on, as MESHWAY_DIRECTED. */
    MESHWAY_WEIGHTS,
};

/* Local, but all ranks set the same (threads may differ). Only before the first graph,
 * if not said otherwise. */
MESHWAY_CHECK int meshway_set(struct meshway_world *w, enum meshway_option option,
                              uint64_t value);

/* Local, as meshway_set(): by name, "kokkos". MESHWAY_ERR_USAGE: there is none of that name;
 * MESHWAY_ERR_UNAVAILABLE: this library was built without it. A device that cannot be used is
 * found by the first graph. */
MESHWAY_CHECK int meshway_set_backend(struct meshway_world *w, const char *name);

/* Local, the same at all ranks: keys as the program's --tune has them, "alpha=30,hubs=12:14"
 * ('meshway run --tune help' lists them). A traversal made later takes those that its algorithm has;
 * those of a run are set before the first graph. A key that is set again has its last value.
 * MESHWAY_ERR_USAGE: no such key, a bad value, or a conflict; nothing is set then. */
MESHWAY_CHECK int meshway_tune(struct meshway_world *w, const char *keys);

/* Local: the names of those that this library was built with, in `which` from 0 on; NULL: there
 * are no more. A constant. */
MESHWAY_API const char *meshway_backend(uint32_t which);

/* Collective: each value summed over the ranks, in place, so that a program can add up
 * its shares without calling MPI. */
MESHWAY_CHECK int meshway_sum(struct meshway_world *w, uint64_t *value, uint32_t n);

/* ---- The graph --------------------------------------------------------------------------- */

struct meshway_graph;

/* Collective. This rank's edges are u[i] -- v[i], i < n_edges (with MESHWAY_DIRECTED from u[i]
 * to v[i]); any rank may give any edges, or none (u, v may then be NULL). n_vertices is at least 1 and the same everywhere. The
 * arrays are the caller's again when the call returns. */
MESHWAY_CHECK int meshway_graph_new(struct meshway_world *w, uint64_t n_vertices,
                                    uint64_t n_edges, const uint64_t *u,
                                    const uint64_t *v, struct meshway_graph **out);
/* The same with weight[i] of the edge u[i] -- v[i], a finite number from 0 on. Without
 * MESHWAY_WEIGHTS duplicates have the least of theirs. MESHWAY_ERR_DATA names an edge of a weight
 * that is negative, infinite or no number. */
MESHWAY_CHECK int meshway_graph_new_weighted(struct meshway_world *w, uint64_t n_vertices,
                                             uint64_t n_edges, const uint64_t *u,
                                             const uint64_t *v, const float *weight,
                                             struct meshway_graph **out);
/* Collective. A graph from a file that all ranks see, each of which reads its part: any format that
 * the program reads (docs/formats.md), told by its content, but not packed (.gz). n_vertices 0: as the file
 * says. With MESHWAY_DIRECTED its edges lead one way, unless each stands there for both ways, as in a
 * symmetric matrix. Vertices are numbered from 0 here also where the file counts from 1:
 * meshway_graph_base() is what it calls vertex 0. */
MESHWAY_CHECK int meshway_graph_read(struct meshway_world *w, const char *path,
                                     uint64_t n_vertices, struct meshway_graph **out);
/* Collective. The same by keys, "names=yes,separator=tab", alike on all ranks; NULL: none. They are those
 * options of `meshway run --graph` that say how a file is read, and errors name them so (--names):
 *
 *      names=auto|yes|no       edge lists: vertices are names; auto: if the beginning looks so, with a note.
 *                              Vertex i is then the i-th name by its bytes
 *      compact-ids=no|yes      lists of edges: only numbers that occur are vertices, in their order
 *      weight-column=TITLE     edge lists with titles: the column that has the weights
 *      format=WORD  base=auto|0|1  header=auto|yes|no  separator=auto|comma|semicolon|tab|blank
 *
 * MESHWAY_ERR_USAGE: no such key or value, or one that does not fit the file's format. */
MESHWAY_CHECK int meshway_graph_read_by(struct meshway_world *w, const char *path,
                                        uint64_t n_vertices, const char *keys,
                                        struct meshway_graph **out);
/* Local. What share/meshway/tools/meshway_read.py calls the kind of a file that it can make readable here, such
 * as "graphml"; NULL: it cannot, or the file is not there. */
MESHWAY_API const char *meshway_file_kind(const char *path);
/* What the user should know of how the file was read, in `which` from 0 on, such as that it has no weights;
 * NULL: no more. The graph's own. */
MESHWAY_API const char *meshway_graph_note(const struct meshway_graph *g, uint32_t which);

/* Collective, after its searches are freed. NULL is legal. */
MESHWAY_API void meshway_graph_free(struct meshway_graph *g);

MESHWAY_API uint64_t meshway_graph_n_vertices(const struct meshway_graph *g);
/* Distinct edges between different vertices, over all ranks. */
MESHWAY_API uint64_t meshway_graph_n_edges(const struct meshway_graph *g);

/* Do its edges lead one way, and what its file calls vertex 0: 0 or 1; without a file 0. */
MESHWAY_API int meshway_graph_is_directed(const struct meshway_graph *g);
MESHWAY_API uint64_t meshway_graph_base(const struct meshway_graph *g);

/* What its file calls vertices: vertex + base; numbers, with compact-ids; or names. Each host has one table,
 * so a rank may ask for any vertex. */
enum meshway_naming { MESHWAY_COUNTED, MESHWAY_IDS, MESHWAY_NAMES };
MESHWAY_API enum meshway_naming meshway_graph_naming(const struct meshway_graph *g);
/* The number of a vertex in the file, and back; MESHWAY_NO_VERTEX: there is none, as where they have names. */
MESHWAY_API uint64_t meshway_graph_number(const struct meshway_graph *g, uint64_t vertex);
MESHWAY_API uint64_t meshway_graph_find_number(const struct meshway_graph *g,
                                               uint64_t number);
/* The name of a vertex, *bytes of them and no zero behind, which stays the graph's; NULL: it has none. And
 * back: MESHWAY_NO_VERTEX for a name that no vertex has. */
MESHWAY_API const char *meshway_graph_name(const struct meshway_graph *g, uint64_t vertex,
                                           uint64_t *bytes);
MESHWAY_API uint64_t meshway_graph_find_name(const struct meshway_graph *g,
                                             const char *name, uint64_t bytes);
/* All of them, by vertex: fills number[n_vertices]; or text with names one behind the other, where that of
 * vertex v ends at end[v], end[n_vertices]. Returns the bytes of all; NULL instead of an array: not filled. */
MESHWAY_API void meshway_graph_numbers(const struct meshway_graph *g, uint64_t *number);
MESHWAY_API uint64_t meshway_graph_names(const struct meshway_graph *g, uint64_t *end,
                                         char *text);

/* What MESHWAY_WEIGHTS says of its weights; 0: it has none. */
MESHWAY_API uint32_t meshway_graph_weights(const struct meshway_graph *g);

/* How many vertices this rank owns, and which one stands at a place, in rising order. */
MESHWAY_API uint64_t meshway_graph_n_places(const struct meshway_graph *g);
MESHWAY_API uint64_t meshway_graph_vertex(const struct meshway_graph *g, uint64_t place);
/* All of them: fills vertex[n_places]. */
MESHWAY_API void meshway_graph_vertices(const struct meshway_graph *g, uint64_t *vertex);

/* The rank that owns a vertex, and the vertex's place there. */
MESHWAY_API uint32_t meshway_graph_owner(const struct meshway_graph *g, uint64_t vertex);
MESHWAY_API uint64_t meshway_graph_place(const struct meshway_graph *g, uint64_t vertex);

/* ---- Traversals -------------------------------------------------------------------------- */

/* Local, the same at all ranks: loads a plug-in, an algorithm from outside (docs/your-own-traversal.md), so
 * that its name and its keys are known. It runs as a part of the program. MESHWAY_ERR_NOINPUT: there is
 * no such file; MESHWAY_ERR_DATA: it is no plug-in for this library. */
MESHWAY_CHECK int meshway_algorithm_load(const char *path);
/* Local: the name of the one that was loaded from this path; NULL: none was. A constant. */
MESHWAY_API const char *meshway_algorithm_name(const char *path);

struct meshway_traversal;

#define MESHWAY_NO_VERTEX UINT64_MAX
#define MESHWAY_NO_LEVEL  UINT32_MAX

/* Collective. Room for one run at a time of an algorithm; its result stays until the next run.
 *
 *      "bfs"   breadth-first search from a root: the number of a vertex is its parent, the
 *              root's is the root
 *      "cc"    connected components: the number of a vertex is the smallest in its component;
 *              edges count both ways, so not with MESHWAY_DIRECTED
 *      "sssp"  shortest paths from a root: the number of a vertex is its parent, the root's is the
 *              root; value 1 is its distance, a sum of 32-bit floats, infinite where it was not
 *              reached. The graph has weights, the least of duplicates (MESHWAY_WEIGHTS 1)
 *      "pagerank", "core", "communities", "multi_bfs", "betweenness",
 *      "triangles"   their values have names, by
 *              meshway_traversal_value_name(); docs/ has a page of each
 *
 *      a path with a slash, or the name of what meshway_algorithm_load() has loaded: a plug-in
 *
 * MESHWAY_ERR_USAGE for another name, MESHWAY_ERR_REFUSED where a graph lacks the weights. */
MESHWAY_CHECK int meshway_traversal_new(struct meshway_graph *g, const char *algorithm,
                                        struct meshway_traversal **out);
/* Collective, before its graph's; NULL is legal. */
MESHWAY_API void meshway_traversal_free(struct meshway_traversal *t);

/* Collective, the same at all ranks: the runs from now on start at these vertices, and not at those that
 * the algorithm ("betweenness", "multi_bfs") draws: 1 to 64 of them, each once; a vertex without an edge
 * may be among them. The array is the caller's again when the call returns. MESHWAY_ERR_USAGE: not so
 * many, one beyond the graph, one twice, or an algorithm that draws none; nothing is set then. */
MESHWAY_CHECK int meshway_traversal_set_sources(struct meshway_traversal *t, uint32_t n,
                                                const uint64_t *vertex);

/* Collective, the same at all ranks: the runs of "bfs" from now on end early, with the level max_depth as
 * the last one (MESHWAY_NO_LEVEL: any), or with the one that the target is on (MESHWAY_NO_VERTEX: none).
 * Levels that were reached are whole. MESHWAY_ERR_USAGE: no such vertex, or another algorithm. */
MESHWAY_CHECK int meshway_traversal_stop_at(struct meshway_traversal *t,
                                            uint32_t max_depth, uint64_t target);

/* Collective; the same key everywhere: the root, or MESHWAY_NO_VERTEX for an algorithm that
 * takes none. */
MESHWAY_CHECK int meshway_traversal_run(struct meshway_traversal *t, uint64_t key);

/* What the last run has found; before the first one nothing is reached. A place is below
 * meshway_graph_n_places(), which is not checked.
 *
 * Of the whole run: vertices that have a number, and steps; of a search its levels, the root's own
 * included. */
MESHWAY_API uint64_t meshway_traversal_n_reached(const struct meshway_traversal *t);
MESHWAY_API uint32_t meshway_traversal_n_levels(const struct meshway_traversal *t);

/* The number of the vertex at a place, in the numbering of the edges; MESHWAY_NO_VERTEX for a
 * vertex that was not reached. */
MESHWAY_API uint64_t meshway_traversal_number(const struct meshway_traversal *t,
                                              uint64_t place);

/* All of them: fills number[n_places]. */
MESHWAY_API void meshway_traversal_numbers(const struct meshway_traversal *t,
                                           uint64_t *number);

/* An algorithm may have several values for each vertex, of which the number is value 0. Their names in
 * `which` from 0 on ("parent"); NULL: there are no more. A constant. */
MESHWAY_API const char *meshway_traversal_value_name(const struct meshway_traversal *t,
                                                     uint32_t which);
/* Is it a real? Else it is a vertex or a count. */
MESHWAY_API int meshway_traversal_value_is_real(const struct meshway_traversal *t,
                                                uint32_t which);
/* A value of the vertex at a place: a vertex or count, MESHWAY_NO_VERTEX where it has none and of
 * reals; and any as a real, NaN where it has none. */
MESHWAY_API uint64_t meshway_traversal_value(const struct meshway_traversal *t,
                                             uint32_t which, uint64_t place);
MESHWAY_API double meshway_traversal_real(const struct meshway_traversal *t,
                                          uint32_t which, uint64_t place);
/* All of them: fills value[n_places]. */
MESHWAY_API void meshway_traversal_values(const struct meshway_traversal *t,
                                          uint32_t which, uint64_t *value);
MESHWAY_API void meshway_traversal_reals(const struct meshway_traversal *t,
                                         uint32_t which, double *value);

/* The level of the vertex at a place, 0 for the root, by the search itself. MESHWAY_NO_LEVEL for a
 * vertex that was not reached, and for algorithms without levels. */
MESHWAY_API uint32_t meshway_traversal_level(const struct meshway_traversal *t,
                                             uint64_t place);

/* All of them: fills level[n_places]. */
MESHWAY_API void meshway_traversal_levels(const struct meshway_traversal *t,
                                          uint32_t *level);

/* Collective, after a run: checks the values against the edges as they were given; those of a
 * search and of shortest paths by the rules of the Graph500 specification. MESHWAY_ERR_INVALID
 * if they are wrong. */
MESHWAY_CHECK int meshway_traversal_validate(struct meshway_traversal *t);

#ifdef __cplusplus
}
#endif
#endif
