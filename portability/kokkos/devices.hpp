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

/* Bytes that may be taken of one now, by a process that runs there; 0: not known. */
uint64_t room_of(uint32_t device);

/* What one does now, and how two reach each other. */
void state_of(uint32_t device, mw_device_state *out);
void link_of(uint32_t a, uint32_t b, char *out, size_t room);

/* Is all over that is queued on this process' device, or has failed? Of those whose libraries trade
 * records (trading.hpp). */
bool queue_is_done();

/* Whether NVIDIA's driver is here, of its devices only (driver_cuda.cpp). */
bool driver_is_there();

/* What the device's library says is wrong; "": nothing that it knows. */
const char *trouble();

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
