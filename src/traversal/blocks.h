/* blocks.h -- the arrays of an algorithm's state, as its table says them: taken, told to plans, and
 * given back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BLOCKS_H
#define MW_BLOCKS_H

#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* Local, as all below: the state, and its blocks; nothing where it has no state_bytes. */
void mw_blocks_sizes(const struct mw_algorithm *a, const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out);
/* Collective, both. Zeroed. t->state begins with the graph as kernels get it; after an error, which all ranks get, it
 * is given back, too. */
int mw_blocks_open(struct mw_traversal *t, const void *options) MW_NODISCARD;
void mw_blocks_close(struct mw_traversal *t);

MW_END_DECLS
#endif
