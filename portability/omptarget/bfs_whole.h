/* bfs_whole.h -- of a whole search on a device of OpenMP (algorithms/bfs/bfs_whole.h) what tests change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWO_BFS_WHOLE_H
#define MWO_BFS_WHOLE_H

#include "base/base.h"

MW_BEGIN_DECLS

/* Pieces of rows, or words of a bitmap, that one team has done sooner than a region of
 * all teams begins. */
extern uint64_t mwo_whole_alone;

MW_END_DECLS
#endif
