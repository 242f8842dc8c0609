/* vector_check.h -- vectors against what check and explore say: a study's worth of layouts as
 * one command.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_VECTOR_CHECK_H
#define MW_VECTOR_CHECK_H

#include "cli/layout/mesh_vectors.h"

#include <stdio.h>

MW_BEGIN_DECLS

struct mw_vector_tally {
    uint32_t n, n_wrong, n_bounded;
    FILE *
        out; /* a line for each fact: "ok", "WRONG", or "open" if a search met its limit */
    bool quiet; /* only those that are not ok */
};

/* Verdicts of the three models, length and edges of the witnesses, that every cycle can be
 * realised at depth 1, single writers; of scripts whether they hang. limit: states of one
 * search; 0: the usual. */
int mw_vector_check(const struct mw_vector *v, uint64_t limit, struct mw_vector_tally *t)
    MW_NODISCARD;

/* The listed exhaustive searches and least numbers in flight; scripts as above. */
int mw_vector_explore(const struct mw_vector *v, uint64_t limit,
                      struct mw_vector_tally *t) MW_NODISCARD;

/* All 16 ways to forbid one clockwise and one counter-clockwise turn on n x n nearest
 * neighbours, as layouts of one flow per allowed pair of hops, in the link model. */
int mw_vector_turns(const struct mw_turns *turns, uint32_t n, struct mw_vector_tally *t)
    MW_NODISCARD;

MW_END_DECLS
#endif
