/* bfs_alone.h -- a top-down level of few edges on one rank: one core makes it, before the others would
 * have begun.
 *
 * It reads the list and the rows, marks what it reaches as visited at once, for nobody else looks, and
 * leaves the next list. Nothing is launched, joined or visited afterwards. Graphs of large diameter,
 * such as grids, consist of such levels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_ALONE_H
#define BFS_ALONE_H

#include "base/base.h"
#include "cpe/cluster.h"

MW_BEGIN_DECLS

struct mw_bfs;

/* Local: is this level one core's? */
bool bfs_is_alone(const struct mw_bfs *b);
/* Local. The frontier is a list, and becomes what this level reaches. */
void bfs_alone_expand(struct mw_bfs *b);

/* Sweep of the table in bfs_table.c. */
mw_kernel bfs_alone_kernel;

MW_END_DECLS
#endif
