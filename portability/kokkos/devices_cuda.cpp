/* devices_cuda.cpp -- GPUs of NVIDIA. MW_KOKKOS_ARCH is the compute capability that Kokkos was
 * built for, times ten; 0: not known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/devices.hpp"

#include <cuda_runtime_api.h>

namespace mwk
{

static void tell(int device, mw_device *out)
{
    cudaDeviceProp is;
    const cudaError_t error = cudaGetDeviceProperties(&is, device);
    if (error != cudaSuccess) {
        std::snprintf(out->name, sizeof out->name, "CUDA device");
        std::snprintf(out->unusable, sizeof out->unusable, "%s",
                      cudaGetErrorString(error));
        return;
    }
    std::snprintf(out->name, sizeof out->name, "%.*s",
                  static_cast<int>(sizeof out->name) - 1, is.name);
    out->bytes = is.totalGlobalMem;
    if (10 * is.major + is.minor < MW_KOKKOS_ARCH)
        std::snprintf(out->unusable, sizeof out->unusable,
                      "it has compute capability %d.%d, this build is for %d.%d",
                      is.major, is.minor, MW_KOKKOS_ARCH / 10, MW_KOKKOS_ARCH % 10);
}

uint32_t list_devices(mw_device *out, uint32_t room)
{
    int n = 0;
    const cudaError_t error = cudaGetDeviceCount(&n);
    if (error != cudaSuccess || n == 0)
        return no_devices(out, room, "CUDA",
                          error != cudaSuccess ? cudaGetErrorString(error)
                                               : "there is no device");
    for (int i = 0; i < n && uint32_t(i) < room; i++) {
        out[i] = mw_device();
        tell(i, &out[i]);
    }
    return uint32_t(n);
}

} // namespace mwk
