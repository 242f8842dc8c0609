/* core_crew.h -- core numbers on one host's cores, of all its ranks, which meet by themselves (traversal/crew.h).
 *
 *      labels  each has one core, which alone counts what it has left
 *      list    of each core: those of its labels that are left
 *      scan    for one k: a core goes along its list and takes who has k neighbours left or fewer
 *      drain   each one taken costs its neighbours one each; who comes down to k by that is taken at once. To neighbours
 *              of other cores an item goes (shuffle/boxes.h)
 *      go on   the next phase takes what others have put, and drains what follows from it, until nobody has put any
 *
 * So nothing is atomic. Few cores of one rank, or cores that are shared with others, leave all labels to
 * one, which needs no boxes.
 *
 * Kabir and Madduri (2017) take at once, too, by atomic additions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CORE_CREW_H
#define CORE_CREW_H

#include "algorithms/core/core_state.h"
#include "base/sizes.h"
#include "shuffle/boxes.h"
#include "traversal/crew.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* A core's line. */
struct core_post {
    uint64_t done;
    uint64_t entry; /* of the row that it was in when its boxes were full; 0: of none */
    uint32_t n_peeled, begin; /* of the run; where its part of lists and queues is */
    uint32_t n_list, least;   /* of those on the list, the fewest neighbours left */
    uint32_t behind;          /* no label of its own from here on is left */
    uint32_t first, n_queue;  /* of those taken, the next that tells its neighbours */
    uint32_t n_sent;          /* items, in its last phase */
    char fill[MW_CACHE_LINE - 48];
};
MW_STATIC_ASSERT(sizeof(struct core_post) == MW_CACHE_LINE, "one line a core");

/* Shared by the ranks of the host. */
struct core_crew_host {
    uint64_t order;
    char fill[MW_CACHE_LINE - sizeof(uint64_t)];
    /* The lead's, of a phase: what is taken, and a label from which on none is left. Of the run: phases, and the largest
     * number. */
    uint32_t k, behind;
    uint32_t n_rounds, most;
    char fill_phase[MW_CACHE_LINE - 4 * sizeof(uint32_t)];
    struct core_post post[MW_CREW_CORES]; /* core by core, rank by rank */
};
MW_STATIC_ASSERT(offsetof(struct core_crew_host, post) % MW_CACHE_LINE == 0, "lines");

struct core_crew {
    struct mw_crew meet;
    struct core_crew_host *host; /* NULL: there is no crew */
    struct mw_boxes boxes;       /* shared, too */
};

struct mw_algorithm_shape;
/* Local: what a crew takes. Collective: its memory, if there is one; and away with it. */
void core_crew_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out);
int core_crew_open(struct mw_traversal *t, const void *options) MW_NODISCARD;
void core_crew_close(struct mw_traversal *t);
/* Collective over the host, before the kernel. */
int core_crew_begin(struct mw_traversal *t) MW_NODISCARD;

mw_kernel core_crew_kernel; /* all cores of the host's ranks */

MW_END_DECLS
#endif
