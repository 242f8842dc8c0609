/* athread_group.h -- the 64 cores beside the calling thread's management core.
 *
 *      closed --open--> idle --launch--> running --poll() sees done--> idle --close--> closed
 *
 * The vendor's library keeps its state per thread: a group belongs to the thread that opened
 * it, which makes all calls, and has one. C99.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ATHREAD_GROUP_H
#define MW_ATHREAD_GROUP_H

#include "cpe/cluster.h"

MW_BEGIN_DECLS

struct mw_athread_group; /* opaque */

int mw_athread_group_open(uint32_t first_lane, struct mw_athread_group **out)
    MW_NODISCARD;
void mw_athread_group_launch(struct mw_athread_group *g, mw_kernel *kernel, void *job);
/* MW_OK: idle; MW_AGAIN: running. An error: it can only be closed. */
int mw_athread_group_poll(struct mw_athread_group *g) MW_NODISCARD;
void mw_athread_group_close(struct mw_athread_group *g);

MW_END_DECLS
#endif
