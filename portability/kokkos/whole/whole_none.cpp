/* whole_none.cpp -- no search in one kernel: Kokkos has no barrier of all cores, and for this device
 * nothing else is used here. A level is a few kernels (bfs_device_sweeps.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/whole/whole.hpp"

namespace mwk
{

const whole_kernels whole_of_device = {nullptr, nullptr, nullptr};

} // namespace mwk
