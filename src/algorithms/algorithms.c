/* algorithms.c -- see algorithms.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/algorithms.h"

#include "algorithms/bfs/bfs.h"
#include "algorithms/cc/cc.h"

const struct mw_algorithm *const mw_algorithms[] = {&mw_algorithm_bfs, &mw_algorithm_cc,
                                                    NULL};
