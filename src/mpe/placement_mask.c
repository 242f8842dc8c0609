/* placement_mask.c -- the cores of this machine in a build without hwloc: every allowed
 * processor counts as one, as nothing says which of them share a core.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/placement.h"

int mw_cores_find(const struct mw_mask *mask, struct mw_cores *out)
{
    return mw_cores_of_mask(mask, out);
}
