/* devices_sycl.cpp -- GPUs that SYCL finds, in the order in which Kokkos counts them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/devices.hpp"

#include <sycl/sycl.hpp>

namespace mwk
{

uint32_t list_devices(mw_device *out, uint32_t room)
{
    const std::vector<sycl::device> gpu =
        sycl::device::get_devices(sycl::info::device_type::gpu);
    if (gpu.empty())
        return no_devices(out, room, "SYCL", "there is no GPU");
    for (size_t i = 0; i < gpu.size() && i < room; i++) {
        out[i] = mw_device();
        std::snprintf(out[i].name, sizeof out[i].name, "%s",
                      gpu[i].get_info<sycl::info::device::name>().c_str());
        out[i].bytes = gpu[i].get_info<sycl::info::device::global_mem_size>();
    }
    return uint32_t(gpu.size());
}

void state_of(uint32_t device, mw_device_state *out)
{
    const std::vector<sycl::device> gpu =
        sycl::device::get_devices(sycl::info::device_type::gpu);
    *out = mw_device_state();
    if (device >= gpu.size())
        return;
    std::snprintf(out->driver, sizeof out->driver, "%s",
                  gpu[device].get_info<sycl::info::device::driver_version>().c_str());
    std::snprintf(out->library, sizeof out->library, "%s",
                  gpu[device].get_info<sycl::info::device::version>().c_str());
    out->clock_most_mhz = gpu[device].get_info<sycl::info::device::max_clock_frequency>();
}

void link_of(uint32_t, uint32_t, char *out, size_t room)
{
    std::snprintf(out, room, "through the host");
}

uint64_t room_of(uint32_t)
{
    return 0;
}

const char *trouble()
{
    return "";
}

} // namespace mwk
