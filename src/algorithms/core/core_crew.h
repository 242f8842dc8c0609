/* core_crew.h -- core numbers of one rank on its host's cores, which meet by themselves (traversal/crew.h).
 *
 *      labels  each has one core, which alone counts what it has left
 *      list    of each core: those of its labels that are left
 *      scan    for one k: a core goes along its list and takes who has k neighbours left or fewer
 *      drain   each one taken costs its neighbours one each; who comes down to k by that is taken at once. To neighbours
 *              of other cores an item goes (shuffle/boxes.h)
 *      go on   the next phase takes what others have put, and drains what follows from it, until nobody has put any
 *
 * So nothing is atomic. Few cores leave all labels to one, which needs no boxes.
 *
 * Kabir and Madduri (2017) take at once, too, by atomic additions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CORE_CREW_H
#define CORE_CREW_H

#include "algorithms/core/core_state.h"
#include "shuffle/boxes.h"
#include "traversal/crew.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* A core's line. */
struct core_post {
    uint64_t done;
    uint64_t n_entries; /* of the run: what its labels' rows cost */
    uint64_t entry; /* of the row that it was in when its boxes were full; 0: of none */
    uint32_t n_peeled, begin; /* of the run; where its part of lists and queues is */
    uint32_t n_list, least;   /* of those on the list, the fewest neighbours left */
    uint32_t first, n_queue;  /* of those taken, the next that tells its neighbours */
    uint32_t n_sent;          /* items, in its last phase */
    char fill[MW_CACHE_LINE - 52];
};
MW_STATIC_ASSERT(sizeof(struct core_post) == MW_CACHE_LINE, "one line a core");

struct core_crew {
    uint64_t order;
    char fill[MW_CACHE_LINE - sizeof(uint64_t)];
    /* The lead's, of a phase: what is taken, boxes to take from, and labels of whom some are left. */
    uint32_t k, parity, n_left;
    char fill_phase[MW_CACHE_LINE - 3 * sizeof(uint32_t)];
    struct core_post post[MW_CREW_CORES];
    struct mw_crew meet;
    struct mw_boxes boxes;
};
MW_STATIC_ASSERT(offsetof(struct core_crew, post) % MW_CACHE_LINE == 0, "lines");

/* Local: whether the host's cores can have one. */
bool core_crew_can(const struct mw_traversal *t);
/* Local, before the kernel. */
void core_crew_begin(struct mw_traversal *t);

mw_kernel core_crew_kernel; /* all cores of the rank */

MW_END_DECLS
#endif
