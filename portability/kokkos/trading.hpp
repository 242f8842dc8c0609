/* trading.hpp -- records that devices send each other from where they lie (cpe/memory.h, mw_trading), through NCCL, or what has
 * its functions. It is looked for when it is asked for; a build needs nothing of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_TRADING_HPP
#define MWK_TRADING_HPP

#include "cpe/memory.h"

namespace mwk
{

extern const mw_trading
    *const trading_of_device; /* nullptr: there is no such library for it */

/* What a job has made for this trade, by ranks; where cores have it. */
void trade_makes(mw_trade *t, void *records);
/* What has come, in the order of ranks. */
const void *trade_has(const mw_trade *t);

} // namespace mwk

#endif
