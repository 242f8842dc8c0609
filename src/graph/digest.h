/* digest.h -- a fingerprint of an edge list that does not depend on its order, nor on how
 * many ranks hold it: the same numbers say the same graph.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DIGEST_H
#define MW_DIGEST_H

#include "graph/edges.h"
#include "mpe/row.h"

MW_BEGIN_DECLS

struct mw_digest {
    uint64_t sum_u, sum_v; /* of all tuples (u, v), mod 2^64 */
    uint64_t xor_mix;      /* xor of u * 0x9E3779B97F4A7C15 + v mod 2^64 */
};

/* Collective; the same on all ranks. */
int mw_digest_of(struct mw_world *world, const struct mw_edges *edges,
                 struct mw_digest *out) MW_NODISCARD;

extern const struct mw_row mw_digest_row; /* its sweep */

MW_END_DECLS
#endif
