/* trade.h -- of world.h: who ends what mw_world_trade() has opened.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TRADE_H
#define MW_TRADE_H

#include "mpe/world.h"

void mw_world_end_trade(struct mw_world *w); /* local */

#endif
