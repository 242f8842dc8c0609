/* algorithms.h -- all there are. A new one gets a line here and in algorithms.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ALGORITHMS_H
#define MW_ALGORITHMS_H

#include "traversal/algorithm.h"

MW_BEGIN_DECLS

#define MW_ALGORITHM_WORDS "bfs|cc"

/* In the order of the words, ended by NULL; the first is the benchmark's. */
extern const struct mw_algorithm *const mw_algorithms[];

MW_END_DECLS
#endif
