/* cc_async.h -- components without levels (mpe/pipeline_async.c): each vertex has the least vertex that it has
 * heard of, and tells its neighbours when that falls.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_ASYNC_H
#define CC_ASYNC_H

#include "traversal/worklist.h"

MW_BEGIN_DECLS

struct cc_async {
    const struct mw_graph *g;
    struct mw_worklist work;
    void *comp;        /* [n_places] 32 or 64 bits */
    uint64_t *least;   /* [n_labels] */
    uint64_t *n_least; /* vertices that are the least of their component */
    uint64_t n_components;
};

struct cc_async_kernels {
    mw_kernel *relax, *settle, *begin, *answer;
};

MW_END_DECLS
#endif
