/* bfs_whole.h -- the rows of a whole search on a device of OpenMP (algorithms/bfs/bfs_whole.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWO_BFS_WHOLE_H
#define MWO_BFS_WHOLE_H

#include "cpe/cluster.h"

MW_BEGIN_DECLS

struct bfs_state;

/* Before each search, outside the clock. */
void mwo_whole_prepare(const struct bfs_state *s);
mw_kernel mwo_whole_search;

/* Pieces of rows, or words of a bitmap, that one team has done sooner than a region of
 * all teams begins. Tests change it. */
extern uint64_t mwo_whole_alone;

MW_END_DECLS
#endif
