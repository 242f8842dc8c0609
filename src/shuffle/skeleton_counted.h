/* skeleton_counted.h -- serial kernels that count what they touch (cpe/meter.h): what an emulation's management
 * core runs, and is charged for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_COUNTED_H
#define MW_SKELETON_COUNTED_H

#include "cpe/meter.h"

#define MW_TOUCH(table, byte) mw_meter_note((table), (byte))
#define MW_COUNTS             1

#include "shuffle/skeleton_serial.h"

#endif
