/* sssp_rounds.h -- the state of shortest paths on the management core, and the steps of a search.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_ROUNDS_H
#define SSSP_ROUNDS_H

#include "algorithms/sssp/sssp_state.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

enum { SSSP_ROUND, SSSP_LEAVES }; /* exchanges */
enum { SSSP_RELAX_STEP, SSSP_LEAVES_STEP, SSSP_PULL_STEP, SSSP_CREW_STEP };

struct mw_sssp {
    struct sssp_state s; /* first: what kernels get */
    bool prunes, orders, runs_whole;
    bool can_pull;                                     /* words of all are at hand */
    uint64_t n_nodes;                                  /* of all ranks */
    uint8_t next;                                      /* step */
    uint64_t n_buckets, n_rounds, n_relaxed, n_pulled; /* the last two: this rank's */
    uint64_t landmark; /* bits of its distance, by which words are bounded */
    /* Of this bucket, by all ranks; its width as a multiple of delta, and buckets that had little since it grew. */
    uint64_t n_bucket_rounds, n_bucket_entries;
    uint32_t widths, n_little;
    bool is_crews; /* small buckets follow each other, and there is a crew */
};

/* Local: what a core has told the host. */
const struct sssp_told *sssp_hear(struct mw_traversal *t);

/* Collective, as struct mw_algorithm has them. */
int sssp_reset(struct mw_traversal *t) MW_NODISCARD;
int sssp_start(struct mw_traversal *t, mw_vid root) MW_NODISCARD;
int sssp_step(struct mw_traversal *t, struct mw_level *level) MW_NODISCARD;
int sssp_finish(struct mw_traversal *t) MW_NODISCARD;

MW_END_DECLS
#endif
