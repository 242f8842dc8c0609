/* cooperative_groups.h -- a grid of blocks that are fibers (fibers.hpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWT_COOPERATIVE_GROUPS_H
#define MWT_COOPERATIVE_GROUPS_H

#include "fibers.hpp"

namespace cooperative_groups
{

struct grid_group {
    void sync() const
    {
        fibers::meet_grid();
    }
};
inline grid_group this_grid()
{
    return {};
}

} // namespace cooperative_groups

#endif
