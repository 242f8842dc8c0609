/* graph_there.h -- a graph that the cores build where they will search it (building.h says how), phase
 * by phase; the host has counts of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GRAPH_THERE_H
#define MW_GRAPH_THERE_H

#include "graph/graph.h"
#include "mpe/world.h"

MW_BEGIN_DECLS

enum mw_built {
    MW_BUILT_DEGREES,
    MW_BUILT_LABELS,
    MW_BUILT_ENTRIES,
    MW_BUILT_SORTED,
    MW_BUILT_MERGED,
    MW_BUILT_PACKED,
    MW_BUILT_HEADS,
    MW_BUILT_PIECES,
    MW_BUILT_PHASES
};
extern const char *const mw_built_names[MW_BUILT_PHASES];

struct mw_building_rule {
    int64_t delegate; /* as mw_graph_delegate() takes it; one rank has no use for it */
    uint64_t
        piece_words; /* that a rank tells at a time, at most, an even number from 4 on; 0: MW_TOLD_WORDS */
    enum mw_weights
        weights; /* none, or MW_WEIGHTS_MINIMUM: all 1 where the list has none */
};

/* Collective. Of e->of_cores. The host has counts of the graph, and no array but where pieces of
 * delegated rows begin: they are in (*out)->of_cores. seconds: of each phase, allocations included.
 * MW_ERR_NOMEM at all ranks, and nothing is left there, where some cores' memory is too small. */
int mw_graph_build_there(struct mw_world *world, const struct mw_edges *e,
                         const struct mw_building_rule *rule,
                         double seconds[MW_BUILT_PHASES], struct mw_graph **out)
    MW_NODISCARD;
/* Before mw_graph_free(); one that was built elsewhere is left as it is. NULL is legal. */
void mw_graph_forget_there(struct mw_world *world, struct mw_graph *g);

MW_END_DECLS
#endif
