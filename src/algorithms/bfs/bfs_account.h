/* bfs_account.h -- what a search claims of its answer: the vertices that it has reached, and the tuples that touch
 * them. One sweep, where the answer lies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_ACCOUNT_H
#define BFS_ACCOUNT_H

#include "traversal/rows.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

struct bfs_account {
    const struct mw_graph *g;
    const void *parent;
    uint64_t n_reached, n_touching; /* the sum of the degrees of those reached */
};

/* Local, after a run: of this rank. */
void bfs_account_make(const struct mw_traversal *t, struct bfs_account *out);

extern const struct mw_row bfs_account_row;
struct bfs_account_sweeps {
    mw_kernel *account;
};

MW_END_DECLS
#endif
