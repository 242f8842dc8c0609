/* devices_host.cpp -- the host's own cores are the device: Kokkos Serial, OpenMP, Threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "kokkos/devices.hpp"

#include <cstdio>
#include <unistd.h>

namespace mwk
{

uint32_t list_devices(mw_device *out, uint32_t room)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (room > 0) {
        *out = mw_device();
        std::snprintf(out->name, sizeof out->name, "%s, the host's cores", exec::name());
        out->bytes = pages > 0 && page > 0 ? uint64_t(pages) * uint64_t(page) : 0;
    }
    return 1;
}

} // namespace mwk
