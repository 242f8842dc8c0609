/* pagerank_async.h -- PageRank without iterations (mpe/pipeline_async.c), in residual form:
 *
 *      a vertex has a rank, and a residual that it has not passed on yet
 *      active: the residual joins the rank, and damping * residual / degree goes along each edge outwards
 *      the end: no residual is as large as the least one that is passed on
 *
 * What vertices without an edge outwards would spread over all is left out, and ranks are scaled at the end so
 * that they sum to 1: that is the same, for ranks are in proportion (Langville and Meyer 2006). Residuals
 * that are left are less than the tolerance, all added up and scaled, so that one iteration more would change
 * ranks by less than that, as at the end of iterations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGERANK_ASYNC_H
#define PAGERANK_ASYNC_H

#include "traversal/oracle.h"
#include "traversal/worklist.h"

MW_BEGIN_DECLS

struct pagerank_async {
    const struct mw_graph *g;
    struct mw_worklist work;
    float *rank;       /* [n_places] the answer */
    double *at, *left; /* [n_labels] ranks, and residuals */
    float *share;      /* [n_labels] that each edge outwards gets in this round */
    uint64_t *sum;     /* of ranks here, as a fixed number */
    double damping, tolerance;
    double base;         /* the residual at first, and what a vertex without edges has */
    double least, scale; /* residual that is passed on; 1 / the sum of all */
};

struct pagerank_async_kernels {
    mw_kernel *relax, *settle, *begin, *add, *answer;
};

/* Large residuals go first: all of one power of two alike. */
MW_FN uint64_t pagerank_priority(double left)
{
    return 2047 - (mw_bits_of_double(left) >> 52);
}

extern const struct mw_algorithm mw_algorithm_pagerank_async;

/* pagerank.c, collective: one iteration along the tuples as read, from x to y, the bits of doubles; *change: of
 * all ranks. Sums may be wrong by as much as PAGERANK_ROUNDING. */
int pagerank_iterate(const struct mw_expected *e, double damping, const uint64_t *x,
                     uint64_t *y, double *change) MW_NODISCARD;
#define PAGERANK_ROUNDING 1e-6

MW_END_DECLS
#endif
