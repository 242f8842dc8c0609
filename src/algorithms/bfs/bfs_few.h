/* bfs_few.h -- a top-down level of few edges: all ranks hear all of them (mpe/list_share.h).
 *
 * The first levels of a search and its last one have some hundred edges. As records they would close a
 * port to each peer of each rank, one after the other; here one list goes round, of
 *
 *      a delegated vertex that is active      its column: each rank goes along its piece
 *      an edge of another's row               the column that it leads to, and whose edge it is
 *
 * and each rank takes out what leads to it. Neither hubs nor bits of delegated vertices are exchanged.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_FEW_H
#define BFS_FEW_H

#include "algorithms/bfs/direction.h"
#include "cpe/cluster.h"
#include "mpe/list_share.h"
#include "mpe/world.h"
#include "traversal/level.h"

MW_BEGIN_DECLS

struct mw_bfs;

void bfs_few_sizes(const struct mw_world_shape *world, const struct mw_means *means,
                   struct mw_sizes *out);
int bfs_few_init(struct mw_bfs *b) MW_NODISCARD; /* collective; may be without effect */

/* Local, the same at all ranks: is this level told, of so few edges and delegated vertices? */
bool bfs_is_few(const struct mw_bfs *b);

/* Collective. The frontier is a list. */
int bfs_few_expand(struct mw_bfs *b, struct mw_level *level) MW_NODISCARD;

/* Sweeps of the table in bfs_table.c. */
mw_kernel bfs_say_kernel, bfs_hear_kernel;

MW_END_DECLS
#endif
