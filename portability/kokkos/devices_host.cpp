/* devices_host.cpp -- the host's own cores are the device: Kokkos Serial, OpenMP, Threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "base/here.h"
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
        out->id = mw_number_here(0);
    }
    return 1;
}

/* All that there is to say, results say of the host. */
void state_of(uint32_t, mw_device_state *out)
{
    *out = mw_device_state();
    std::snprintf(out->library, sizeof out->library, "Kokkos %d.%d.%d",
                  KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                  KOKKOS_VERSION % 100);
}

void link_of(uint32_t, uint32_t, char *out, size_t room)
{
    std::snprintf(out, room, "the host's memory");
}

uint64_t room_of(uint32_t)
{
    return 0;
}

bool queue_is_done()
{
    exec().fence();
    return true;
}

const char *trouble()
{
    return "";
}

} // namespace mwk
