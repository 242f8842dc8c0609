/* replay_ways.h -- plays a trace of a mesh whose messages have several ways (layouts/ways/), as
 * mw_trace_replay() does for flows, which calls this.
 *
 * A step says which way is taken where there are several: "put 0,0 way 1". What is found at the end
 * is a knot: nodes that are full, and only wait for each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_REPLAY_WAYS_H
#define MW_LAYOUT_REPLAY_WAYS_H

#include "layouts/explore/trace.h"

MW_BEGIN_DECLS

int mw_trace_replay_ways(const struct mw_layout *l, const struct mw_trace *t,
                         mw_replay_observer *observer, void *arg, mw_mesh_node *knot,
                         uint32_t *n_knot, uint64_t *in_flight) MW_NODISCARD;

MW_END_DECLS
#endif
