/* lending_none.cpp -- no device reaches another process' memory: not asked of this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/lending.hpp"

namespace mwk
{

const lending_calls *const lending_of_device = nullptr;

} // namespace mwk
