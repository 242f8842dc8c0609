/* frontier.h -- how kernels of the backend "omptarget" put what they have reached into the frontier
 * (traversal/frontier.h). There is one lane, the host's, so marks are bits; nobody writes lists of
 * claims, marks are joined.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWO_FRONTIER_H
#define MWO_FRONTIER_H

#include "omptarget/region.h"
#include "traversal/frontier.h"

MW_BEGIN_DECLS

/* After a region that has written all of `bits`: counts them, by part and for the lane. */
void mwo_frontier_put(const struct mw_frontier *f, uint32_t lane);

MW_END_DECLS
#endif
