/* core_crew.h -- core numbers of one rank on its host's cores, which meet by themselves (traversal/crew.h).
 *
 *      list    of each core: labels that it looks after, which shrinks
 *      scan    for one k: a core goes along its list and takes who has k neighbours left or fewer
 *      drain   each one taken costs its neighbours one each; who comes down to k is taken by who did that, at once.
 *              So a k is one meeting, however long its chains are
 *      share   a core that has nothing left to do says so. Others stop, and all share what is left
 *
 * Kabir and Madduri (2017) peel so, but for the sharing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CORE_CREW_H
#define CORE_CREW_H

#include "algorithms/core/core_state.h"
#include "traversal/crew.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* A core's line. */
struct core_post {
    uint64_t done;
    uint64_t n_entries, n_peeled; /* of the run; rows of those are what they cost */
    uint32_t n_list, least;       /* of those on the list, the fewest neighbours left */
    uint32_t from[2], to[2]; /* of its queue, what it has left to others; by parity */
    bool is_full;            /* its queue had no room for some */
    char fill[MW_CACHE_LINE - 49];
};
MW_STATIC_ASSERT(sizeof(struct core_post) == MW_CACHE_LINE, "one line a core");

struct core_crew {
    uint64_t order;
    char fill[MW_CACHE_LINE - sizeof(uint64_t)];
    uint32_t n_idle; /* cores that have nothing left to do in this phase */
    char fill_idle[MW_CACHE_LINE - sizeof(uint32_t)];
    /* The lead's, of a phase. n_made: cores that may have left something in the last one. */
    uint32_t k, parity, n_made;
    char fill_phase[MW_CACHE_LINE - 3 * sizeof(uint32_t)];
    struct core_post post[MW_CREW_CORES];
    struct mw_crew meet;
    uint64_t room; /* of a queue */
};
MW_STATIC_ASSERT(offsetof(struct core_crew, post) % MW_CACHE_LINE == 0, "lines");

/* Local: whether the host's cores can have one. */
bool core_crew_can(const struct mw_traversal *t);
/* Local, before the kernel. */
void core_crew_begin(struct mw_traversal *t);

mw_kernel core_crew_kernel; /* all cores of the rank */

MW_END_DECLS
#endif
