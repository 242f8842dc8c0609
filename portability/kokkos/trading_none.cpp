/* trading_none.cpp -- no library through which such devices send each other records: not asked of this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/trading.hpp"

#include "base/status.h"

namespace mwk
{

const mw_trading *const trading_of_device = nullptr;
void trade_makes(mw_trade *, void *) {}
const void *trade_has(const mw_trade *)
{
    return nullptr;
}
int trade_opens()
{
    return MW_ERR_UNAVAILABLE;
}
int trade_closes()
{
    return MW_ERR_UNAVAILABLE;
}
int trade_gathers(mw_trade *, void *, uint64_t)
{
    return MW_ERR_UNAVAILABLE;
}
int trade_passes(mw_trade *, const passing *, uint32_t)
{
    return MW_ERR_UNAVAILABLE;
}
int trade_is_well(mw_trade *)
{
    return MW_ERR_UNAVAILABLE;
}

void trade_gives_up(mw_trade *) {}

} // namespace mwk
