/* sssp_async.h -- shortest paths without levels (mpe/pipeline_async.c): each rank goes through buckets of its
 * own, and nobody waits for the others' (soft priorities).
 *
 * It stands beside shortest paths in buckets, which prune the graph's rows, and have words, answers and
 * leaves: what is here is who is active.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_ASYNC_H
#define SSSP_ASYNC_H

#include "algorithms/sssp/sssp_state.h"
#include "traversal/worklist.h"

MW_BEGIN_DECLS

struct sssp_async {
    const struct mw_graph *g;
    struct mw_worklist work;
    struct mw_traversal *buckets;
    const struct sssp_state *s; /* theirs */
    bool off;                   /* no priorities */
    float width;                /* of a bucket */
};

struct sssp_async_kernels {
    mw_kernel *relax, *settle;
};

MW_END_DECLS
#endif
