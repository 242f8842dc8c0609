/* bfs_async.h -- breadth-first search without levels (mpe/pipeline_async.c): labels are corrected until none
 * falls any more.
 *
 * A vertex has one word, its level above its parent, so that both always belong together. A word is replaced
 * when the level becomes smaller. Levels are exact at the end, and parents are one level up: of the word that
 * a parent had when it wrote this one, the level was one less, and it has not fallen since, or this one would
 * have fallen as well.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_ASYNC_H
#define BFS_ASYNC_H

#include "algorithms/bfs/bfs.h"
#include "traversal/worklist.h"

MW_BEGIN_DECLS

#define BFS_NO_WORD UINT64_MAX

struct bfs_async_counts {
    uint64_t n_reached, n_ends;
};

struct bfs_async {
    const struct mw_graph *g;
    struct mw_worklist work;
    void *parent;   /* [n_places] 32 or 64 bits */
    uint64_t *word; /* [64 * n_words] those from n_labels on are nobody's */
    struct bfs_async_counts *counts;
    mw_vid root;
    uint64_t root_place; /* mine, or all ones */
    uint64_t width;      /* of a part of levels; 0: there are no priorities */
    uint64_t n_found;
};

struct bfs_async_kernels {
    mw_kernel *relax, *settle, *forget, *answer, *ends;
};

MW_END_DECLS
#endif
