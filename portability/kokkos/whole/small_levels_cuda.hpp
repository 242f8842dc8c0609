/* small_levels_cuda.hpp -- levels of few vertices, by a team of blocks (small_levels_cuda.cpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_SMALL_LEVELS_CUDA_HPP
#define MWK_WHOLE_SMALL_LEVELS_CUDA_HPP

#include "kokkos/space.hpp"

#include "algorithms/bfs/bfs_state.h"

namespace mwk::whole
{

/* Edges of a level that a team of this device takes over. It gives back a level of twice as many. */
uint32_t small_levels_edges(bool is_narrow);

/* One rank, after its kernel has paused (bfs_whole.h): queues the levels from there to the end, or to one that
 * is not small. What it has queued is to be waited for. */
void small_levels(const bfs_state &s);

} // namespace mwk::whole

#endif
