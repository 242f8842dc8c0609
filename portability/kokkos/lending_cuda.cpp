/* lending_cuda.cpp -- memory that GPUs of NVIDIA of one host reach, by the handles that CUDA has for other
 * processes. A handle is of a whole allocation, which Kokkos gives nobody: its blocks begin with what it
 * knows of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/lending.hpp"

#include <cuda_runtime_api.h>

#include <cstring>

namespace mwk
{

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof mw_lent().name, "a name is a handle");

/* An error that is dealt with here is not the next one's. */
static bool good(cudaError_t e)
{
    if (e != cudaSuccess)
        (void)cudaGetLastError();
    return e == cudaSuccess;
}

static void *take_block(uint64_t bytes, unsigned char *name)
{
    void *p = nullptr;
    cudaIpcMemHandle_t handle;
    if (!good(cudaMalloc(&p, bytes)))
        return nullptr;
    if (!good(cudaMemset(p, 0, bytes)) || !good(cudaDeviceSynchronize())) {
        (void)good(cudaFree(p));
        return nullptr;
    }
    /* Where it has none, nobody reaches it: all zero. */
    std::memset(&handle, 0, sizeof handle);
    if (!good(cudaIpcGetMemHandle(&handle, p)))
        std::memset(&handle, 0, sizeof handle);
    std::memcpy(name, &handle, sizeof handle);
    return p;
}

static void give_block(void *p)
{
    (void)good(cudaFree(p));
}

static void *reach(const unsigned char *name)
{
    void *p = nullptr;
    cudaIpcMemHandle_t handle;
    std::memcpy(&handle, name, sizeof handle);
    return good(cudaIpcOpenMemHandle(&p, handle, cudaIpcMemLazyEnablePeerAccess))
               ? p
               : nullptr;
}

static void leave(void *p)
{
    (void)good(cudaIpcCloseMemHandle(p));
}

static const lending_calls calls = {take_block, give_block, reach, leave};
const lending_calls *const lending_of_device = &calls;

} // namespace mwk
