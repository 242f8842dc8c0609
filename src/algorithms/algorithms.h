/* algorithms.h -- all there are: rooms.h lists them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ALGORITHMS_H
#define MW_ALGORITHMS_H

#include "algorithms/rooms.h"
#include "traversal/algorithm.h"

MW_BEGIN_DECLS

/* Text: "bfs|cc", and what each computes. */
#define MW_ALGORITHM_WORD(arg, name, mesh, n, what)      #name
#define MW_ALGORITHM_NEXT_WORD(arg, name, mesh, n, what) "|" #name
#define MW_ALGORITHM_WORDS                               MW_ROOMS(MW_ALGORITHM_WORD, MW_ALGORITHM_NEXT_WORD, )
#define MW_ALGORITHM_HELP(arg, name, mesh, n, what)      #name ", " what "; "
#define MW_ALGORITHMS_HELP                               MW_ROOMS(MW_ALGORITHM_HELP, MW_ALGORITHM_HELP, )

/* In the order of the words, ended by NULL; the first is the benchmark's. */
extern const struct mw_algorithm *const mw_algorithms[];

MW_END_DECLS
#endif
