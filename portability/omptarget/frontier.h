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

/* Takes a label for the next frontier; true for one of all who try. */
MW_FN bool mwo_claim(const struct mw_frontier *f, uint32_t label)
{
    return !mw_bit(f->visited, label) && mw_take_bit(f->mark_bit, label);
}

/* After kernels that claim: marks are to be joined, for no list is complete. */
void mwo_claimed(struct mw_frontier *f, uint32_t lane);

/* After a region that has written all of `bits`: counts them, by part and for the lane. */
void mwo_frontier_put(const struct mw_frontier *f, uint32_t lane);

MW_END_DECLS
#endif
