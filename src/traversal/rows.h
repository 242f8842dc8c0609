/* rows.h -- from an algorithm's table of rows to what a rank runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ROWS_H
#define MW_ROWS_H

#include "traversal/algorithm.h"

MW_BEGIN_DECLS

struct mw_rows {
    struct mw_modules modules;
    struct mw_sweep_row sweep[MW_ROWS_MAX];
};

/* Local. Rows of exchanges that cannot take place are left out, and those that take from a relay
 * where the route is direct. */
void mw_rows_find(const struct mw_algorithm *a, const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_rows *out);
/* Local. MW_ERR_UNAVAILABLE where a row can run nowhere: the management core does not reach the
 * state, and the cores have no kernel or are to stay idle. */
int mw_rows_check(const struct mw_rows *rows, const struct mw_algorithm *a,
                  const struct mw_world *world) MW_NODISCARD;

MW_END_DECLS
#endif
