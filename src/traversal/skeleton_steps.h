/* skeleton_steps.h -- what the management core's pass over an algorithm's one file sees: no kernels, and
 * all that steps, tables and checks are made with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_STEPS_H
#define MW_SKELETON_STEPS_H

#include "shuffle/skeleton_none.h"

#include "base/mem.h"
#include "devices/placed.h"
#include "traversal/oracle.h"
#include "traversal/plugin.h"
#include "traversal/traversal.h"

#endif
