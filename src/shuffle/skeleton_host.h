/* skeleton_host.h -- the shuffle on cache-coherent cores: a record for this rank is
 * never made; the element that would have received it runs at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_H
#define MW_SKELETON_H

enum { MW_SHORT_CIRCUIT = 1 };

#include "shuffle/emitter.h"
#include "shuffle/patterns.h"

#endif
