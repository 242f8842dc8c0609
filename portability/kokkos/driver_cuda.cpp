/* driver_cuda.cpp -- the functions of NVIDIA's driver that Kokkos' own archive calls. They are defined here, and
 * open the driver's library when they are called: were it linked, no program would start without it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/devices.hpp"

#include <dlfcn.h>

namespace mwk
{

static void *driver()
{
    static void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library;
}

bool driver_is_there()
{
    return driver() != nullptr;
}

enum { NO_DEVICE = 100 }; /* CUDA_ERROR_NO_DEVICE */

template <class... Args> static int call_driver(const char *name, Args... args)
{
    using function = int (*)(Args...);
    const function f =
        driver() != nullptr ? reinterpret_cast<function>(dlsym(driver(), name)) : nullptr;
    return f != nullptr ? f(args...) : NO_DEVICE;
}

} // namespace mwk

/* As cuda.h has them, whose types are numbers and pointers. Nobody else of this process sees them. */
#define MWK_OF_DRIVER extern "C" __attribute__((visibility("hidden"))) int
MWK_OF_DRIVER cuCtxGetDevice(int *device)
{
    return mwk::call_driver("cuCtxGetDevice", device);
}
MWK_OF_DRIVER cuCtxPushCurrent_v2(void *context)
{
    return mwk::call_driver("cuCtxPushCurrent_v2", context);
}
MWK_OF_DRIVER cuStreamGetCtx(void *stream, void **context)
{
    return mwk::call_driver("cuStreamGetCtx", stream, context);
}
