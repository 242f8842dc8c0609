/* team.hpp -- blocks that meet in hardware and read each other's shared memory: what NVIDIA calls a cluster. Devices
 * before compute capability 9.0 have teams of one block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_TEAM_HPP
#define MWK_WHOLE_TEAM_HPP

#include "kokkos/whole/search.hpp"
#include "kokkos/whole/setting.hpp"

#include <cooperative_groups.h>

namespace mwk::whole
{

constexpr uint32_t TEAM = 16, TEAM_ANYWHERE =
                                  8; /* blocks; any device with clusters has the second */

/* Levels or rounds of one call: some seconds, so that no call is taken for one that hangs. */
constexpr uint32_t AT_A_CALL = 1 << 18;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
/* All threads of the team: what was stored before is seen by all afterwards. */
__device__ __forceinline__ void meet_team()
{
    cooperative_groups::this_cluster().sync();
}
/* What lies at the same place in the shared memory of block r. */
template <class T> __device__ __forceinline__ T *there(T *here, uint32_t r)
{
    return cooperative_groups::this_cluster().map_shared_rank(here, r);
}
#else
__device__ __forceinline__ void meet_team()
{
    __syncthreads();
}
template <class T> __device__ __forceinline__ T *there(T *here, uint32_t)
{
    return here;
}
#endif

/* ---- the host's side ------------------------------------------------------------------------------------ */

inline cudaLaunchConfig_t as_team(uint32_t n_blocks, uint64_t n_bytes,
                                  cudaLaunchAttribute *attribute)
{
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim = {n_blocks, 1, 1};
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3(n_blocks);
    c.blockDim = dim3(THREADS);
    c.dynamicSmemBytes = n_bytes;
    c.stream = exec().cuda_stream();
    c.attrs = attribute;
    c.numAttrs = n_blocks > 1;
    return c;
}

/* Blocks of a team of this kernel; one where the device has no larger ones, or the kernel was compiled for such. */
template <class Kernel> inline uint32_t team_of_device(Kernel kernel, uint64_t n_bytes)
{
    cudaFuncAttributes compiled = {};
    cudaLaunchAttribute attribute = {};
    int major = 0, n_teams = 0;
    check(cudaFuncGetAttributes(&compiled, kernel), "a team of blocks");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor,
                                 exec().cuda_device()),
          "capability of the device");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(n_bytes)),
          "shared memory of a team");
    if (major < 9 || compiled.binaryVersion < 90 || compiled.ptxVersion < 90)
        return 1;
    const cudaLaunchConfig_t large = as_team(TEAM, n_bytes, &attribute);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "a large team");
    if (cudaOccupancyMaxActiveClusters(&n_teams, kernel, &large) == cudaSuccess &&
        n_teams > 0)
        return TEAM;
    (void)cudaGetLastError();
    return TEAM_ANYWHERE;
}

} // namespace mwk::whole

#endif
