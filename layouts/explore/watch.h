/* watch.h -- a played mesh as a simulation would tell it, for mw_trace_watch(): the two meshes of
 * replay.c and replay_ways.c say how a node stands, and here become events of cores.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_WATCH_H
#define MW_LAYOUT_WATCH_H

#include "layouts/explore/trace.h"

MW_BEGIN_DECLS

#define MW_NO_NODE UINT32_MAX

/* How a node stands. Coupled: a core with its hand, send buffer and FIFOs; else one FIFO. */
struct mw_node_look {
    bool holds; /* a message in its hand; else any */
    uint32_t fill[MW_N_CLASSES], send;
    mw_mesh_node waits_for; /* MW_NO_NODE: it can go on, or has nothing */
};
typedef void mw_node_looker(void *mesh, mw_mesh_node node, struct mw_node_look *out);

struct mw_watcher {
    struct mw_watch watch;
    const struct mw_layout *l;
    enum mw_mesh_model model;
    mw_node_looker *look;
    void *mesh;
    struct mw_sim_event *now, *told; /* owned, [cores] */
};

/* `*out` is safe to be ended also after an error, which is MW_ERR_NOMEM. */
int mw_watcher_init(struct mw_watcher *out, const struct mw_watch *watch,
                    const struct mw_layout *l, enum mw_mesh_model model,
                    mw_node_looker *look, void *mesh) MW_NODISCARD;
void mw_watcher_fini(struct mw_watcher *w);
mw_replay_observer mw_watcher_step; /* its arg is the watcher */

int mw_trace_watch_ways(const struct mw_layout *l, const struct mw_trace *t,
                        const struct mw_watch *watch, mw_mesh_node *cycle,
                        uint32_t *n_cycle) MW_NODISCARD;

MW_END_DECLS
#endif
