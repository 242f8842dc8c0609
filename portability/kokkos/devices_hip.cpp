/* devices_hip.cpp -- GPUs of AMD.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "base/here.h"
#include "kokkos/devices.hpp"

#include <hip/hip_runtime_api.h>

namespace mwk
{

static void describe_device(int device, mw_device *out)
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
    out->id = mw_number_here(static_cast<uint64_t>(is.pciDomainID) << 32 |
                             static_cast<uint64_t>(is.pciBusID) << 8 |
                             static_cast<uint64_t>(is.pciDeviceID));
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
        describe_device(i, &out[i]);
    }
    return uint32_t(n);
}

void state_of(uint32_t device, mw_device_state *out)
{
    hipDeviceProp_t is;
    int version = 0;
    *out = mw_device_state();
    if (hipRuntimeGetVersion(&version) == hipSuccess)
        std::snprintf(out->library, sizeof out->library, "HIP %d", version);
    if (hipDriverGetVersion(&version) == hipSuccess)
        std::snprintf(out->driver, sizeof out->driver, "%d", version);
    if (hipGetDeviceProperties(&is, static_cast<int>(device)) == hipSuccess) {
        out->clock_most_mhz = static_cast<uint32_t>(is.clockRate / 1000);
        out->memory_clock_mhz = static_cast<uint32_t>(is.memoryClockRate / 1000);
    }
}

void link_of(uint32_t a, uint32_t b, char *out, size_t room)
{
    int can = 0;
    (void)hipDeviceCanAccessPeer(&can, static_cast<int>(a), static_cast<int>(b));
    std::snprintf(out, room, "%s", can != 0 ? "peer access" : "through the host");
}

uint64_t room_of(uint32_t device)
{
    size_t free = 0, all = 0;
    if (hipSetDevice(static_cast<int>(device)) != hipSuccess ||
        hipMemGetInfo(&free, &all) != hipSuccess) {
        (void)hipGetLastError();
        return 0;
    }
    return free;
}

bool queue_is_done()
{
    return hipStreamQuery(exec().hip_stream()) != hipErrorNotReady;
}

const char *trouble()
{
    const hipError_t error = hipDeviceSynchronize();
    return error != hipSuccess ? hipGetErrorString(error) : "";
}

} // namespace mwk
