/* devices_hip.cpp -- GPUs of AMD.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/devices.hpp"

#include <hip/hip_runtime_api.h>

namespace mwk
{

static void tell(int device, mw_device *out)
{
    hipDeviceProp_t is;
    const hipError_t error = hipGetDeviceProperties(&is, device);
    if (error != hipSuccess) {
        std::snprintf(out->name, sizeof out->name, "HIP device");
        std::snprintf(out->unusable, sizeof out->unusable, "%s",
                      hipGetErrorString(error));
        return;
    }
    std::snprintf(out->name, sizeof out->name, "%s (%s)", is.name, is.gcnArchName);
    out->bytes = is.totalGlobalMem;
}

uint32_t list_devices(mw_device *out, uint32_t room)
{
    int n = 0;
    const hipError_t error = hipGetDeviceCount(&n);
    if (error != hipSuccess || n == 0)
        return no_devices(out, room, "HIP",
                          error != hipSuccess ? hipGetErrorString(error)
                                              : "there is no device");
    for (int i = 0; i < n && uint32_t(i) < room; i++) {
        out[i] = mw_device();
        tell(i, &out[i]);
    }
    return uint32_t(n);
}

} // namespace mwk
