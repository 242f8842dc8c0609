/* skeleton_serial.h -- the shuffle without a short circuit: a record for this rank
 * travels through a batch like any other. The paper's way, and the oracle of the tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_H
#define MW_SKELETON_H

enum { MW_SHORT_CIRCUIT = 0 };

#include "shuffle/emitter.h"
#include "shuffle/patterns.h"

#endif
