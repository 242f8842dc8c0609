/* fill.h -- a deadlock by construction: fills a cycle of buffers from behind.
 *
 * A dead state is a cycle of buffers, each full, the head of each in need of the next; all
 * other buffers may be empty, and what stands behind the heads may be anything. Such a state is
 * built backwards: take the last message out of a buffer and back along its flow to its
 * source, if all buffers on that way are empty. What has been taken away never comes back, so
 * more and more ways open: no choice is ever wrong, and if all messages are gone, the
 * same ways forwards, in reverse order, are a trace. Cost: steps of the trace, whatever the
 * depths.
 *
 *      buffer   [ x x x h ]      x: any flow through this buffer, whose way is free
 *                      head     h: a flow that goes on to the next buffer of the cycle
 *
 * If the net has a cycle, there is one that can be filled, whatever the capacities (all are at
 * least 1). Let S be the buffers from which a cycle can be reached. Whatever a flow passes before a buffer of S is in S as
 * well. Let t(q) be the least number of buffers that a flow passes before q, over the flows
 * that go on from q to a buffer of S; take such a flow for q, and follow it one step. The walk
 * from S to S ends in a cycle. Fill its buffers, the largest t first, each with messages of its
 * own flow: on their way they pass only buffers of smaller t, which are still empty. So a
 * layout whose graph has a cycle has a reachable deadlock, and it takes no more messages
 * than that cycle holds. Other cycles are tried as well, since they may need fewer steps.
 *
 * Only a bound on the messages in flight can make all of this fail, where the cycles that can
 * be filled so are too large. Then explore.c searches.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_FILL_H
#define MW_LAYOUT_FILL_H

#include "layouts/explore/net.h"

MW_BEGIN_DECLS

enum { MW_FILL_CYCLES_MAX = 4096 }; /* tried at most: the shortest through each edge */

/* Local. MW_OK: *step (the caller's to free) leads to a wait-for cycle of *n_on_cycle buffers,
 * on_cycle[] (room: n_buffers), and every other buffer is empty. MW_DONE: no cycle could be
 * filled with at most `inflight` messages (0: no bound). MW_ERR_NOMEM. */
int mw_net_fill(const struct mw_net *net, uint64_t inflight, struct mw_step **step,
                uint64_t *n_steps, uint32_t *on_cycle, uint32_t *n_on_cycle) MW_NODISCARD;

MW_END_DECLS
#endif
