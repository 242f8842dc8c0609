/* small_rounds_cuda.hpp -- rounds of few ways, by a team of blocks (small_rounds_cuda.cpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_SMALL_ROUNDS_CUDA_HPP
#define MWK_WHOLE_SMALL_ROUNDS_CUDA_HPP

#include "kokkos/whole/paths.hpp"
#include "kokkos/whole/team.hpp"

namespace mwk::whole
{

/* Entries of a round that a team of this device takes over. It gives back a round of twice as many. */
uint32_t small_rounds_entries();

/* After the kernel of all blocks has paused: queues the rounds from there to the end, or to one that is not small. */
void small_rounds(const paths &p);

} // namespace mwk::whole

#endif
