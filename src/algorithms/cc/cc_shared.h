/* cc_shared.h -- ranks of a host, whose cores make trees of who is left in a forest that they share: no round of
 * records follows, if all ranks are of one host. Else rounds are of vertices with a neighbour at another host.
 *
 *      plant -> unite -> settle                                       the search has left few
 *      plant -> unite stretches, leaving -> rest -> unite -> settle   it was cut, and all ranks are of one host
 *      plant -> unite rows -> border -> rounds -> settle              it was cut, and they are of several
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_SHARED_H
#define CC_SHARED_H

#include "algorithms/cc/cc_state.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

struct cc_shared {
    bool has_forest; /* of a host's ranks, or of one rank's cores */
    bool is_whole;   /* all ranks share it */
    void *window;    /* the host's; NULL: one rank, or no room */
};

/* Local: what it takes. */
void cc_shared_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out);
/* Collective; fills in *c, and of s what is of the forest and of hosts. Without room for a forest there is none. */
int cc_shared_open(struct mw_traversal *t, struct cc_state *s, struct cc_shared *c)
    MW_NODISCARD;
/* Collective; all zero is legal. */
void cc_shared_close(struct mw_traversal *t, struct cc_shared *c);
/* Local: do cores of a host make the forest, of which they may sample the edges? */
bool cc_shared_is_of_cores(const struct mw_traversal *t, const struct cc_shared *c);
/* Local, when it is known whether the search was cut, and before s is used: is there a forest in this run? */
bool cc_shared_begin(const struct mw_traversal *t, struct cc_state *s,
                     const struct cc_shared *c);
/* Collective, behind CC_BEGIN or in its place: comp[] is of trees. Without hosts all is done; *n_left are those who were in it. */
int cc_shared_unite(struct mw_traversal *t, struct cc_state *s, uint64_t *n_left)
    MW_NODISCARD;

MW_END_DECLS
#endif
