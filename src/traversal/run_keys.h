/* run_keys.h -- the keys of a run, whatever its algorithm: how ranks exchange, how the graph is
 * built.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RUN_KEYS_H
#define MW_RUN_KEYS_H

#include "graph/graph.h"
#include "mpe/world.h"
#include "traversal/keys.h"

MW_BEGIN_DECLS

struct mw_run_options {
    uint32_t batch_bytes, small_input;
    enum mw_exchange exchange;
    enum mw_look_up columns;
    uint64_t deal;
    bool by_host, all_devices;
};

extern const struct mw_keys mw_run_keys; /* of a struct mw_run_options */

/* Local: into what a world and a graph are made from. */
void mw_run_options_apply(const struct mw_run_options *o, struct mw_world_conf *world,
                          struct mw_graph_rule *graph);

MW_END_DECLS
#endif
