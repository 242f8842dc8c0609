/* whole.hpp -- a whole search in one kernel (algorithms/bfs/bfs_whole.h), where the device has a barrier
 * of all its cores. CMake chooses which file says so (cmake/kokkos.cmake).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_HPP
#define MWK_WHOLE_HPP

#include "kokkos/space.hpp"

namespace mwk
{

struct whole_kernels {
    /* nullptr, all: there are none. The first before each search, outside the clock: queued. */
    mw_kernel *prepare, *search, *recount;
};
extern const whole_kernels whole_of_device;

} // namespace mwk

#endif
