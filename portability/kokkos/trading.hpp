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

/* A stretch of memory of cores that goes to a rank of the group, or comes from one. */
struct passing {
    void *at;
    uint64_t bytes;
    uint32_t rank;
    bool sends;
};

/* Behind the kernels that are queued, and before those that will be; nobody waits. Errors are recorded.
 * Between trade_opens() and trade_closes() several are one operation of the library. */
int trade_opens();
int trade_closes();
/* Each rank's `bytes`, mine at `all` + my rank * bytes, become all ranks'. */
int trade_gathers(mw_trade *t, void *all, uint64_t bytes);
int trade_passes(mw_trade *t, const passing *stretch, uint32_t n);
/* What the library has found by now, of this rank or another one. */
int trade_is_well(mw_trade *t);
/* What is queued ends, though others have not come. Nothing is told afterwards. */
void trade_gives_up(mw_trade *t);

} // namespace mwk

#endif
