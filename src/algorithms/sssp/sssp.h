/* sssp.h -- shortest paths from one root: kernel 3 of Graph500.
 *
 * Delta-stepping (Meyer and Sanders 2003): vertices whose distance has fallen are relaxed in buckets of
 * rising distance, a bucket again and again until none in it falls any more. Of long rows light entries go first, and
 * instead of relaxing heavy ones vertices that are not settled pull (Chakaravarthy, Checconi, Murali, Petrini and
 * Sabharwal 2017).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SSSP_H
#define MW_SSSP_H

#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* Keyed. Its values are parent and distance: the root's parent is the root, an unreached vertex has none and is infinitely far. A parent's
 * distance and the weight of an edge to it, added as floats, are the vertex's own distance, bit for
 * bit. */
extern const struct mw_algorithm mw_algorithm_sssp;
/* The same without levels (sssp_async.h). */
extern const struct mw_algorithm mw_algorithm_sssp_async;

struct mw_sssp_rule {
    float
        delta; /* the width of a bucket; 0: MW_SSSP_SPREAD mean weights / mean degree, or where
                 * rows are long and were not pruned, one */
    bool unpruned; /* no edge is left out of the rows */
    bool
        by_rounds; /* a device is asked round by round, also where it has a whole search */
    bool alone;    /* answers come from this rank's words only */
    bool no_crew;  /* small buckets are rounds, too */
    bool counts_hops; /* in place of parents: how many edges lead there */
};
#define MW_SSSP_SPREAD 4.0

enum mw_sssp_fact {
    MW_SSSP_BUCKETS, /* that were not empty */
    MW_SSSP_ROUNDS,  /* exchanges, several a bucket */
    MW_SSSP_RELAXED, /* entries of rows that were looked at, those looked at again included */
    MW_SSSP_PULLED, /* those of them at which a vertex looked that was not settled */
    MW_SSSP_FACTS
};

MW_END_DECLS
#endif
