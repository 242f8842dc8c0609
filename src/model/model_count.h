/* model_count.h -- counts, on a generated graph, the messages that the paper's own form of
 * the search would send: forward and backward records with hubs known beforehand.
 *
 * An exact count, not a model: the graph of the benchmark is built in memory of one process
 * and searched from the given roots by the same rule of direction as the program's. Every
 * vertex counts as on a node of its own, so nothing is saved because two vertices share one.
 *
 *   top-down    an entry of the frontier is a record, unless it leads to a hub that was
 *               reached before the level
 *   bottom-up   a vertex that has a hub in the frontier asks nobody; another one asks each
 *               neighbour that is no hub, once; every asked neighbour in the frontier
 *               answers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_COUNT_H
#define MW_MODEL_COUNT_H

#include "model/model_profile.h"

MW_BEGIN_DECLS

enum { MW_COUNT_SCALE_MAX = 24 }; /* rows of 32 bits in one memory */

struct mw_count_conf {
    uint32_t scale, edgefactor;
    uint64_t seed[2];
    struct mw_direction_rule rule;
    uint32_t n_roots; /* MW_PROFILE_SEARCHES at most */
    const mw_vid *root;
};

/* Local. Makes a whole profile: levels, edges and hub counts; nothing is said of records
 * that a run sent. MW_ERR_REFUSED beyond MW_COUNT_SCALE_MAX; MW_ERR_USAGE for a root
 * outside the graph. */
int mw_model_count(const struct mw_count_conf *conf, struct mw_profile *out) MW_NODISCARD;

MW_END_DECLS
#endif
