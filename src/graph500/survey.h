/* survey.h -- what kind of graph is it? Counts, degrees, components, and how long its shortest
 * paths are, as an undirected graph; for "meshway info".
 *
 * The paths are tried by sweeps: a search from the vertex of highest degree, then each from the
 * vertex that the last one found farthest away, while that is farther than before. What comes out
 * is a bound from below: two vertices are that far apart, others may be farther. Every search is
 * validated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SURVEY_H
#define MW_SURVEY_H

#include "graph/edges.h"
#include "traversal/algorithm.h"

MW_BEGIN_DECLS

enum { MW_DEGREE_CLASSES = 33, MW_SWEEPS_MOST = 8 };

/* Of the algorithms that it runs the one that takes most memory, without options. */
extern const struct mw_algorithm *const mw_survey_algorithm;

struct mw_survey {
    uint64_t n_vertices;
    uint64_t n_edges;      /* tuples of the input */
    uint64_t n_self_loops; /* of them */
    uint64_t n_distinct;   /* pairs of vertices with an edge, either way */
    uint64_t n_duplicates; /* tuples that name such a pair again */

    /* Degrees: distinct neighbours other than the vertex itself. */
    uint64_t degree_most;
    mw_vid degree_most_at; /* the least such vertex */
    uint64_t
        n_of_degree[MW_DEGREE_CLASSES]; /* vertices: [0] none, [k] 2^(k-1) to 2^k - 1 */

    uint64_t n_components; /* isolated vertices included */
    uint64_t n_isolated;   /* vertices without a neighbour */
    uint64_t n_largest;    /* vertices of the largest component */

    uint64_t diameter;   /* at least; 0: no edge between two vertices */
    mw_vid from, to;     /* as far apart as that */
    uint32_t n_searches; /* it took */
};

/* Collective: the same on all ranks. Builds the graph and searches it: takes what a validated run
 * on the same world takes, and 16 bytes for each vertex and edge outside the largest component. */
int mw_survey_make(struct mw_world *world, const struct mw_edges *edges,
                   struct mw_survey *out) MW_NODISCARD;

MW_END_DECLS
#endif
