/* skeleton_serial.h -- the shuffle without a short circuit: a record for this rank
 * travels through a batch like any other. The paper's way, and the oracle of the tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_H
#define MW_SKELETON_H

#include "cpe/meter.h"

/* An emulation's management core runs these kernels, too, and is charged for what they touch. */
#define MW_TOUCH(table, byte) mw_meter_note((table), (byte))

enum { MW_SHORT_CIRCUIT = 0 };

#include "shuffle/emitter.h"
#include "shuffle/patterns.h"

#endif
