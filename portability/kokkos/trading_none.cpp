/* trading_none.cpp -- no library through which such devices send each other records: not asked of this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/trading.hpp"

namespace mwk
{

const mw_trading *const trading_of_device = nullptr;
void trade_makes(mw_trade *, void *) {}
const void *trade_has(const mw_trade *)
{
    return nullptr;
}

} // namespace mwk
