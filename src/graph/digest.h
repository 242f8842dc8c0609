/* digest.h -- a fingerprint of an edge list that does not depend on its order, nor on how
 * many ranks hold it: the same numbers say the same graph.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DIGEST_H
#define MW_DIGEST_H

#include "graph/edges.h"
#include "mpe/row.h"
#include "shuffle/reals.h"

MW_BEGIN_DECLS

struct mw_digest {
    uint64_t sum_u, sum_v; /* of all tuples (u, v), mod 2^64 */
    uint64_t xor_mix;      /* xor of u * 0x9E3779B97F4A7C15 + v mod 2^64 */
    /* Of a list with weights: of (u * 0x9E3779B97F4A7C15 + v) * 0xBF58476D1CE4E5B9 * (the weight's
     * 32 bits + 1), the sum mod 2^64; else 0. */
    uint64_t sum_weights;
};

/* One more tuple, and all that another one is of. */
MW_FN void mw_digest_add(struct mw_digest *d, uint64_t u, uint64_t v)
{
    d->sum_u += u;
    d->sum_v += v;
    d->xor_mix ^= u * UINT64_C(0x9E3779B97F4A7C15) + v;
}
MW_FN void mw_digest_add_weight(struct mw_digest *d, uint64_t u, uint64_t v, float weight)
{
    d->sum_weights += (u * UINT64_C(0x9E3779B97F4A7C15) + v) *
                      UINT64_C(0xBF58476D1CE4E5B9) *
                      (UINT64_C(1) + mw_bits_of_float(weight));
}
MW_FN void mw_digest_join(struct mw_digest *d, const struct mw_digest *other)
{
    d->sum_u += other->sum_u;
    d->sum_v += other->sum_v;
    d->xor_mix ^= other->xor_mix;
    d->sum_weights += other->sum_weights;
}

/* Its three numbers, or four of a list with weights, in hexadecimal. */
enum { MW_DIGEST_TEXT = 4 * 17 };
void mw_digest_text(const struct mw_digest *d, char text[MW_DIGEST_TEXT]);

/* Collective: of the tuples of all ranks, from those of each. */
int mw_digest_of_all(struct mw_comm *comm, struct mw_digest *d) MW_NODISCARD;

/* Collective; the same on all ranks. */
int mw_digest_of(struct mw_world *world, const struct mw_edges *edges,
                 struct mw_digest *out) MW_NODISCARD;

extern const struct mw_row mw_digest_row; /* its sweep */

MW_END_DECLS
#endif
