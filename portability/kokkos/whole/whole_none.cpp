/* whole_none.cpp -- no search in one kernel (algorithms/bfs/bfs_whole.h): Kokkos has no barrier of all cores, and
 * for this device nothing else is used here. A level is a few kernels (bfs_device_sweeps.c); none is tuned.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "algorithms/bfs/bfs_state.h"
#include "algorithms/core/core_state.h"
#include "algorithms/sssp/sssp_state.h"

MWK_TUNED(bfs_sweeps, )
MWK_TUNED(core_whole, )
MWK_TUNED(sssp_sweeps, )
