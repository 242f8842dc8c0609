/* bfs_kokkos.cpp -- what breadth-first search has tuned on Kokkos: a whole search in one kernel. The rest is
 * bfs_device_kernels.c and bfs_device_sweeps.c. One H200, SCALE 26: level by level 354 GTEPS, whole 1,459;
 * *measured*, docs/gpu.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/whole/whole.hpp"

#include "algorithms/bfs/bfs_state.h"

MWK_TUNED(bfs_sweeps, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
          nullptr, nullptr, nullptr, nullptr, nullptr, mwk::whole_of_device.prepare,
          mwk::whole_of_device.search, mwk::whole_of_device.recount, nullptr, nullptr,
          nullptr)
