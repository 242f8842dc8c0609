/* sources.h -- vertices that an algorithm starts from, drawn by a seed: the same on any number of ranks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SOURCES_H
#define MW_SOURCES_H

#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* Collective. source[] gets *n_drawn vertices, each once, that have an edge (directed: that leaves them);
 * `n` of them, or fewer where there are fewer, or where they are few and hard to find; one at least if
 * there is any edge. */
MW_SHOWN int mw_sources_draw(const struct mw_traversal *t, uint32_t n, uint64_t seed,
                             mw_vid *source, uint32_t *n_drawn) MW_NODISCARD;

MW_END_DECLS
#endif
