/* devices_cuda.cpp -- GPUs of NVIDIA. MW_KOKKOS_ARCH is the compute capability that Kokkos was
 * built for, times ten; 0: not known.
 *
 * What they do just now, and how they are linked, the driver's management library says (NVML). It is
 * asked if it is there, and declared here: nothing is built or linked for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "base/hash.h"
#include "kokkos/devices.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

namespace mwk
{

/* ---- the management library -------------------------------------------------------------------- */

namespace
{

typedef void *nvml_device;
enum { NVML_SM = 1, NVML_MEMORY = 2, NVML_P2P_NVLINK = 2, NVML_LINKS_MOST = 18 };

/* Functions that are absent stay NULL; those of a device return 0 when they are good. */
struct nvml {
    int (*init)();
    int (*driver)(char *, unsigned);
    int (*by_bus)(const char *, nvml_device *);
    int (*clock)(nvml_device, int, unsigned *);
    int (*clock_most)(nvml_device, int, unsigned *);
    int (*power)(nvml_device, unsigned *);
    int (*power_most)(nvml_device, unsigned *);
    int (*energy)(nvml_device, unsigned long long *); /* millijoules */
    int (*temperature)(nvml_device, int, unsigned *);
    int (*peers)(nvml_device, nvml_device, int, int *);
    int (*link)(nvml_device, unsigned, int *);
    bool there;
};

template <class F> void find_symbol(void *library, const char *name, F *to)
{
    *to = reinterpret_cast<F>(dlsym(library, name));
}

nvml open_nvml()
{
    nvml n = nvml();
    void *const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return n;
    find_symbol(library, "nvmlInit_v2", &n.init);
    find_symbol(library, "nvmlSystemGetDriverVersion", &n.driver);
    find_symbol(library, "nvmlDeviceGetHandleByPciBusId_v2", &n.by_bus);
    find_symbol(library, "nvmlDeviceGetClockInfo", &n.clock);
    find_symbol(library, "nvmlDeviceGetMaxClockInfo", &n.clock_most);
    find_symbol(library, "nvmlDeviceGetPowerUsage", &n.power);
    find_symbol(library, "nvmlDeviceGetEnforcedPowerLimit", &n.power_most);
    find_symbol(library, "nvmlDeviceGetTotalEnergyConsumption", &n.energy);
    find_symbol(library, "nvmlDeviceGetTemperature", &n.temperature);
    find_symbol(library, "nvmlDeviceGetP2PStatus", &n.peers);
    find_symbol(library, "nvmlDeviceGetNvLinkState", &n.link);
    n.there = n.init != nullptr && n.by_bus != nullptr && n.init() == 0;
    return n;
}

const nvml &management()
{
    static const nvml is = open_nvml();
    return is;
}

bool managed(uint32_t device, nvml_device *out)
{
    char bus[32] = "";
    return management().there &&
           cudaDeviceGetPCIBusId(bus, sizeof bus, static_cast<int>(device)) ==
               cudaSuccess &&
           management().by_bus(bus, out) == 0;
}

/* NVLinks of a device that are up. */
uint32_t links_of(nvml_device d)
{
    uint32_t n = 0;
    for (unsigned i = 0; management().link != nullptr && i < NVML_LINKS_MOST; i++) {
        int up = 0;
        n += management().link(d, i, &up) == 0 && up;
    }
    return n;
}

} // namespace

/* ---- devices ----------------------------------------------------------------------------------- */

static uint64_t id_of(const cudaDeviceProp &is)
{
    return mw_hash(MW_HASH_OF_NOTHING, is.uuid.bytes, sizeof is.uuid.bytes) | 1;
}

static void describe_device(int device, mw_device *out)
{
    cudaDeviceProp is;
    int mode = cudaComputeModeDefault;
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
    out->id = id_of(is);
    (void)cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device);
    if (10 * is.major + is.minor < MW_KOKKOS_ARCH)
        std::snprintf(out->unusable, sizeof out->unusable,
                      "it has compute capability %d.%d, this build is for %d.%d "
                      "(-DKokkos_ARCH_..., docs/gpu.md)",
                      is.major, is.minor, MW_KOKKOS_ARCH / 10, MW_KOKKOS_ARCH % 10);
    else if (mode == cudaComputeModeProhibited)
        std::snprintf(out->unusable, sizeof out->unusable,
                      "its compute mode is 'prohibited' (nvidia-smi -c 0 allows it)");
}

uint32_t list_devices(mw_device *out, uint32_t room)
{
    int n = 0;
    if (!driver_is_there())
        return no_devices(out, room, "CUDA",
                          "no driver of NVIDIA was found here (libcuda.so.1)");
    const cudaError_t error = cudaGetDeviceCount(&n);
    if (error != cudaSuccess || n == 0)
        return no_devices(out, room, "CUDA",
                          error != cudaSuccess ? cudaGetErrorString(error)
                                               : "there is no device");
    for (int i = 0; i < n && uint32_t(i) < room; i++) {
        out[i] = mw_device();
        describe_device(i, &out[i]);
    }
    return uint32_t(n);
}

void state_of(uint32_t device, mw_device_state *out)
{
    const nvml &n = management();
    nvml_device d;
    unsigned x;
    unsigned long long millijoules;
    int version = 0;
    *out = mw_device_state();
    if (cudaRuntimeGetVersion(&version) == cudaSuccess)
        std::snprintf(out->library, sizeof out->library, "CUDA %d.%d", version / 1000,
                      version % 1000 / 10);
    if (!managed(device, &d))
        return;
    if (n.driver != nullptr && n.driver(out->driver, sizeof out->driver) != 0)
        out->driver[0] = '\0';
    if (n.clock != nullptr && n.clock(d, NVML_SM, &x) == 0)
        out->clock_mhz = x;
    if (n.clock_most != nullptr && n.clock_most(d, NVML_SM, &x) == 0)
        out->clock_most_mhz = x;
    if (n.clock != nullptr && n.clock(d, NVML_MEMORY, &x) == 0)
        out->memory_clock_mhz = x;
    if (n.power != nullptr && n.power(d, &x) == 0)
        out->power_w = x / 1000.0;
    if (n.power_most != nullptr && n.power_most(d, &x) == 0)
        out->power_most_w = x / 1000.0;
    if (n.energy != nullptr && n.energy(d, &millijoules) == 0)
        out->joules = 1e-3 * static_cast<double>(millijoules);
    if (n.temperature != nullptr && n.temperature(d, 0, &x) == 0)
        out->temperature_c = x;
}

void link_of(uint32_t a, uint32_t b, char *out, size_t room)
{
    const nvml &n = management();
    nvml_device d, e;
    int can = 0, status = -1;
    const bool reaches = cudaDeviceCanAccessPeer(&can, static_cast<int>(a),
                                                 static_cast<int>(b)) == cudaSuccess &&
                         can != 0;
    if (n.there && n.peers != nullptr && managed(a, &d) && managed(b, &e) &&
        n.peers(d, e, NVML_P2P_NVLINK, &status) == 0 && status == 0)
        std::snprintf(out, room, "NVLink, %u links of each%s", links_of(d),
                      reaches ? "" : "; no peer access");
    else
        std::snprintf(out, room, "%s",
                      reaches ? "peer access over PCIe" : "through the host");
}

uint64_t room_of(uint32_t device)
{
    size_t free = 0, all = 0;
    if (cudaSetDevice(static_cast<int>(device)) != cudaSuccess ||
        cudaMemGetInfo(&free, &all) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return free;
}

bool queue_is_done()
{
    return cudaStreamQuery(exec().cuda_stream()) != cudaErrorNotReady;
}

const char *trouble()
{
    const cudaError_t error = cudaDeviceSynchronize();
    return error != cudaSuccess ? cudaGetErrorString(error) : "";
}

} // namespace mwk
