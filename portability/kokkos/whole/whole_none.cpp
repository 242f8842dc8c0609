/* whole_none.cpp -- no search in one kernel: Kokkos has no barrier of all cores, and for this device
 * nothing else is used here. A level is a few kernels (bfs_kokkos.cpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/whole/whole.hpp"

namespace mwk
{

/* A device's as well: the table below has to be constant, which for clang's HIP is one of both. */
KOKKOS_FUNCTION static void nothing(void *) {}

const whole_kernels whole_of_device = {nothing, nullptr, nullptr};

} // namespace mwk
