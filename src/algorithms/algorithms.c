/* algorithms.c -- see algorithms.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/algorithms.h"

#define DECLARE(arg, name, mesh, n, what)                                                \
    extern const struct mw_algorithm mw_algorithm_##name;
MW_ROOMS(DECLARE, DECLARE, )

#define ADDRESS(arg, name, mesh, n, what) &mw_algorithm_##name,
const struct mw_algorithm *const mw_algorithms[] = {MW_ROOMS(ADDRESS, ADDRESS, ) NULL};
