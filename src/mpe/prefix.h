/* prefix.h -- running sums on all cores of a rank.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PREFIX_H
#define MW_PREFIX_H

#include "mpe/world.h"

MW_BEGIN_DECLS

/* Local. x[i] becomes x[0] + ... + x[i]. */
void mw_prefix_sum(struct mw_world *w, uint64_t *x, uint64_t n);

MW_END_DECLS
#endif
