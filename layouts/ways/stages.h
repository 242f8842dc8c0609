/* stages.h -- messages that have several ways, or go several ways at once: what each can do next.
 *
 * A stage is a message that stands at a core. It has ways, of which it takes one: whichever has
 * room first (an OR). A way has targets, each a core to go to and the stage there; all must have
 * room at the same moment, and each then gets a copy (an AND). A stage without ways is consumed.
 *
 *      stage --or--> way --and--> target, target, ...
 *
 * Flows are stages with one way of one target. Adaptive messages to one sink share their stages:
 * what they do next depends on the core, the sink, and the direction that they came from.
 *
 * Sources are numbered: the layout's flows as they are, then a pair of source and sink for each
 * two ends of the adaptive routes (source-major, without a core to itself), then broadcasts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_STAGES_H
#define MW_LAYOUT_STAGES_H

#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

struct mw_target {
    uint32_t stage;
    mw_channel channel; /* of the hop */
};

struct mw_stage {
    mw_core core;
    uint32_t first_way, n_ways;
};

struct mw_stages {
    uint32_t n, n_ways, n_targets;
    struct mw_stage *stage;   /* owned */
    uint32_t *first_target;   /* owned; [n_ways + 1] */
    struct mw_target *target; /* owned */
    uint32_t n_starts;
    uint32_t *start;  /* owned; [n_starts] a stage, */
    uint64_t *source; /* owned; and the number of its source */
};

enum { MW_STAGES_MAX = 1 << 22 };

/* Of all sources, or of those n (source NULL: all). MW_ERR_DATA: the turns leave a pair without a
 * way; MW_ERR_REFUSED: too many; MW_ERR_NOMEM. */
int mw_stages_make(const struct mw_layout *l, const uint64_t *source, uint64_t n,
                   struct mw_stages *out) MW_NODISCARD;
void mw_stages_fini(struct mw_stages *s); /* zeroed is legal */

uint64_t mw_sources_count(const struct mw_layout *l);
/* "0,0 -> 2,2", "broadcast 0,0 row col", or the cores of a flow. */
void mw_source_print(const struct mw_layout *l, uint64_t source, FILE *out);

/* The node that a copy on its way to that target holds next. */
MW_FN mw_mesh_node mw_target_node(const struct mw_layout *l, const struct mw_stages *s,
                                  enum mw_mesh_model m, uint32_t from,
                                  const struct mw_target *t)
{
    return mw_channel_node(l, m, s->stage[from].core, s->stage[t->stage].core,
                           t->channel);
}

MW_END_DECLS
#endif
