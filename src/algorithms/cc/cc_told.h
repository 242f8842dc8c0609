/* cc_told.h -- several ranks, each of which unites all edges of who is left: ranks tell each other theirs
 * (devices/parts.h), when they are few, and no round of records follows.
 *
 *      tell edges -> plant told, of each rank -> unite told, of each rank -> settle
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_TOLD_H
#define CC_TOLD_H

#include "algorithms/cc/cc_state.h"
#include "devices/parts.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

struct cc_told {
    struct mw_parts parts;
    uint32_t *forest; /* [n_vertices] of the device */
    uint64_t most;    /* edges, with a unit for each vertex; 0: ranks do not tell */
};

/* Local: what it takes, if ranks tell. */
void cc_told_sizes(const struct mw_algorithm_shape *shape,
                   const struct mw_world_shape *world, struct mw_sizes *out);
/* Collective; fills in c->most and pointers of s, and leaves the former 0, and all is well, where ranks cannot
 * tell, or one has no room. */
int cc_told_open(struct mw_traversal *t, struct cc_state *s, struct cc_told *c)
    MW_NODISCARD;
/* Collective; all zero is legal. */
void cc_told_close(struct mw_traversal *t, struct cc_told *c);
/* Collective, when it is known who is left: all have their components, *done, or some rank has too much to tell. */
int cc_told_unite(struct mw_traversal *t, struct cc_state *s, struct cc_told *c,
                  bool *done) MW_NODISCARD;

MW_END_DECLS
#endif
