/* prefix.h -- running sums on all cores of a rank.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PREFIX_H
#define MW_PREFIX_H

#include "mpe/row.h"

MW_BEGIN_DECLS

/* Local. x[i] becomes x[0] + ... + x[i]. */
void mw_prefix_sum(struct mw_world *w, uint64_t *x, uint64_t n);

/* Its sweeps. */
enum { MW_PREFIX_SUM, MW_PREFIX_RUN, MW_PREFIX_ROWS };
extern const struct mw_row mw_prefix_row[MW_PREFIX_ROWS];

MW_END_DECLS
#endif
