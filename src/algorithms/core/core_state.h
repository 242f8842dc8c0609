/* core_state.h -- what the kernels of one run of core numbers share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CORE_STATE_H
#define CORE_STATE_H

#include "graph/graph.h"
#include "shuffle/job.h"
#include "traversal/active.h"

MW_BEGIN_DECLS

struct core_counts {
    uint64_t n_left;         /* core.n_left, when TRIM has found it */
    uint64_t n_low;          /* that the last k has found */
    uint64_t n_rounds, most; /* of a whole run */
};

struct core {
    const struct mw_graph *g;
    struct mw_active listed; /* who is peeled in this round */
    void *number;            /* [n_places] the answer; 0 without edges */
    uint64_t *lost;          /* [n_labels] neighbours that were peeled */
    uint64_t *low;           /* bitmap of labels: k neighbours are left, or fewer */
    uint64_t *peeled;        /* bitmap of labels */
    struct core_counts *counts;
    struct core_crew *crew;  /* of one host's cores */
    uint64_t k, n_left;      /* no label from n_left on is left */
    uint64_t n_rounds, most; /* of this run; the largest number */
};

/* By hand: all rounds at once, of one rank and narrow columns. NULL where nobody has it. It keeps neighbours that
 * are left in lost[], with 32 bits each, and what rounds find in listed.end[]. */
struct core_whole {
    mw_kernel *peel;
};

/* A whole run keeps counts in listed.end: of graphs with fewer labels there is no room. */
#define CORE_WHOLE_LABELS 64

MW_END_DECLS
#endif
