/* bfs_slices.h -- top-down over the long rows of a level, without claims that cores could dispute.
 *
 * Labels are cut into slices of about as much work, and a slice is one core's until it is done: that core
 * goes along the stretch of each row that leads there, which is one stretch because rows are sorted by
 * label. So a bit of the slice has one writer and lies in that core's cache; no byte is marked, nothing
 * is looked at twice, and no list of a lane is joined. What it costs is a search for the beginning of each
 * stretch, so rows have to be long: else modules do it.
 *
 * Rows are those of the frontier's list, of one rank, or the active pieces (bfs_delegates.h) of several.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_SLICES_H
#define BFS_SLICES_H

#include "cpe/cluster.h"

MW_BEGIN_DECLS

struct mw_bfs;
struct mw_level;

struct bfs_slices {
    uint64_t n;  /* slices of this level */
    bool pieces; /* their rows are the active pieces */
};

/* Local: n_edges in n_rows are done by slices from here on, and what they reach stands in
 * the frontier's bits, until bfs_slices_join(). False: nothing was done, for it would not
 * pay, or the cores cannot. */
bool bfs_slices_expand(struct mw_bfs *b, struct mw_level *level, uint64_t n_edges,
                       uint64_t n_rows, bool pieces);

/* Local, at the end of a level that had slices: the frontier is their bits, and what else
 * was claimed. */
void bfs_slices_join(struct mw_bfs *b);

/* The sweep of the table in bfs_table.c. */
mw_kernel bfs_slices_kernel;

MW_END_DECLS
#endif
