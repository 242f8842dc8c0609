/* devices.hpp -- the devices of this host as the space that Kokkos was built for sees them. One
 * file per kind of device, chosen in cmake/kokkos.cmake; they ask the device's own library, for
 * Kokkos has no name for them, and knows none before it runs on one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_DEVICES_HPP
#define MWK_DEVICES_HPP

#include "cpe/cluster.h"

#include <cstdio>

namespace mwk
{

/* How many there are; the first `room` of them are told of. Where there is none, one that cannot be
 * used says why. */
uint32_t list_devices(mw_device *out, uint32_t room);

/* The list where there is none. */
inline uint32_t no_devices(mw_device *out, uint32_t room, const char *kind,
                           const char *why)
{
    if (room > 0) {
        *out = mw_device();
        std::snprintf(out->name, sizeof out->name, "%s", kind);
        std::snprintf(out->unusable, sizeof out->unusable, "%s", why);
    }
    return 1;
}

} // namespace mwk

#endif
