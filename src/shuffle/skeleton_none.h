/* skeleton_none.h -- no kernels: a file with elements, patterns and steps, as the management core's
 * pass sees it. The patterns are those of patterns.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_NONE_H
#define MW_SKELETON_NONE_H

enum { MW_SHORT_CIRCUIT = 0 };

#include "shuffle/emitter.h"
#include "shuffle/numbers.h"

#define MW_STEPS
#define MW_BITS(...)
#define MW_EACH(...)
#define MW_ENTRIES(...)
#define MW_FIRST(...)
#define MW_GIVE(...)
#define MW_GIVEN(...)
#define MW_LANE_ENTRIES(...)
#define MW_LANE_QUEUE(...)
#define MW_LANE_REPLIES(...)
#define MW_KEEP(...)
#define MW_LIST(...)
#define MW_LIST_BITS(...)
#define MW_PAIRS(...)
#define MW_QUEUE(...)
#define MW_REACH(...)
#define MW_REPLIES(...)
#define MW_ROWS(...)
#define MW_ROW_SUMS(...)
#define MW_RUNNING(...)
#define MW_SUM(...)
#define MW_SUM_WORDS(...)
#define MW_TALLIED(...)
#define MW_TALLY(...)
#define MW_UNITS(...)
#define MW_UPDATES(...)
#define MW_WAITED(...)
#define MW_KERNEL_TABLE(...)

#endif
