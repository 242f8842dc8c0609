/* linked_cuda.hpp -- whole searches of linked ranks (linked_cuda.cpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_LINKED_CUDA_HPP
#define MWK_WHOLE_LINKED_CUDA_HPP

#include "kokkos/space.hpp"

#include "algorithms/bfs/bfs_state.h"

namespace mwk::whole
{

/* All ranks; false: they are not linked. What it has queued last is to be waited for. */
bool linked_search(const bfs_state &s);

/* Blocks of its kernels. */
uint32_t linked_blocks();

} // namespace mwk::whole

#endif
