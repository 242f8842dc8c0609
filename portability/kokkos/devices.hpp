/* devices.hpp -- the devices of this host as the space that Kokkos was built for sees them. One
 * file per kind of device, chosen in cmake/kokkos.cmake; they ask the device's own library, for
 * Kokkos has no name for them, and knows none before it runs on one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_DEVICES_HPP
#define MWK_DEVICES_HPP

#include "cpe/cluster.h"

namespace mwk
{

/* How many there are; the first `room` of them are told of. Where there is none, one that cannot be
 * used says why. */
uint32_t list_devices(mw_device *out, uint32_t room);

} // namespace mwk

#endif
