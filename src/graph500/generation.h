/* generation.h -- a stretch of the generated list, made by a rank's cores: by its device where it has one that
 * can, else by the host's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GENERATION_H
#define MW_GENERATION_H

#include "graph/edges.h"
#include "graph500/generator.h"
#include "mpe/world.h"
#include "traversal/rows.h"

MW_BEGIN_DECLS

/* Local. Edges first .. first + n - 1 into `out`, which has room for them; where that is
 * of cores, they stay there. With weights, if the list has any. */
int mw_generate(struct mw_world *world, const struct mw_kronecker *k, uint64_t first,
                uint64_t n, struct mw_edges *out) MW_NODISCARD;

/* ---- for its kernels --------------------------------------------------------------------- */

struct mw_generation {
    const struct mw_kronecker *kronecker; /* where the cores reach it */
    uint64_t first, n;
    uint32_t *narrow; /* [2 * n], one of the two; as mw_kronecker_edges() */
    uint64_t *wide;
    float *weight; /* [n], or NULL: none are wanted */
};

extern const struct mw_row mw_generation_row;
struct mw_generation_sweeps {
    mw_kernel *generate;
};

MW_END_DECLS
#endif
