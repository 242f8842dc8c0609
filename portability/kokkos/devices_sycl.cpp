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

} // namespace mwk
