/* fibers.hpp -- kernels of CUDA on the host's cores, as functions: a block is a thread of the system, and each of its threads a
 * fiber there, which goes on until it meets others. So what lanes, blocks and grids do to each other is done, but
 * memory is ordered more strictly than a device orders it, and fibers of a block change at meetings only.
 *
 * All lanes of a warp have to come to what a warp does together, as they do in these kernels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWT_FIBERS_HPP
#define MWT_FIBERS_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/* ---- words of CUDA ---------------------------------------------------------------------------------- */

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __noinline__
#define __align__(n) alignas(n)
#define __shared__   static thread_local

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct alignas(8) uint2 {
    uint32_t x, y;
};
struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};
inline uint2 make_uint2(uint32_t x, uint32_t y)
{
    return {x, y};
}
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return {x, y, z, w};
}

/* ---- fibers ------------------------------------------------------------------------------------------ */

namespace fibers
{

constexpr unsigned WARP = 32;

/* Whoever comes last lets all go on. */
struct meeting {
    unsigned times = 0, arrived = 0;
};
struct warp {
    meeting all;
    uint64_t said[2][WARP];
};
struct grid {
    unsigned n_blocks;
    std::atomic<unsigned> times{0}, arrived{0};
};

unsigned thread_here(); /* of the block */
unsigned block_here();
unsigned n_threads_here(); /* of the block */
unsigned n_blocks_here();
warp &warp_here();
grid &grid_here();
void *shared_here();

void meet(meeting &all, unsigned n);
void meet_block();
void meet_grid();
void wait_a_moment(); /* for what another block does */
unsigned n_runs();    /* of kernels, since the program began */
void run(unsigned n_blocks, unsigned n_threads, size_t n_shared,
         const std::function<void()> &kernel);

template <class T> uint64_t as_word(T x)
{
    uint64_t word = 0;
    static_assert(sizeof x <= sizeof word, "");
    std::memcpy(&word, &x, sizeof x);
    return word;
}
template <class T> T as(uint64_t word)
{
    T x;
    std::memcpy(&x, &word, sizeof x);
    return x;
}

/* All lanes: f of what all say. */
template <class T, class F> auto together(uint32_t mask, T mine, F f)
{
    warp &w = warp_here();
    const unsigned half = w.all.times & 1;
    if (mask != UINT32_MAX)
        std::abort();
    w.said[half][thread_here() % WARP] = as_word(mine);
    meet(w.all, WARP);
    return f(w.said[half]);
}

struct index {
    unsigned (*of)();
    operator unsigned() const
    {
        return of();
    }
};
struct indices {
    index x;
};

} // namespace fibers

constexpr fibers::indices threadIdx = {{fibers::thread_here}},
                          blockIdx = {{fibers::block_here}},
                          gridDim = {{fibers::n_blocks_here}},
                          blockDim = {{fibers::n_threads_here}};

/* ---- lanes of a warp ----------------------------------------------------------------------------------- */

inline uint32_t __ballot_sync(uint32_t mask, bool is)
{
    return fibers::together(mask, is, [](const uint64_t *said) {
        uint32_t set = 0;
        for (unsigned i = 0; i < fibers::WARP; i++)
            set |= uint32_t(said[i] != 0) << i;
        return set;
    });
}
inline bool __any_sync(uint32_t mask, bool is)
{
    return __ballot_sync(mask, is) != 0;
}
inline bool __all_sync(uint32_t mask, bool is)
{
    return __ballot_sync(mask, is) == UINT32_MAX;
}
template <class T> T __shfl_sync(uint32_t mask, T x, int lane)
{
    return fibers::together(mask, x, [=](const uint64_t *said) {
        return fibers::as<T>(said[unsigned(lane) % fibers::WARP]);
    });
}
template <class T> T __shfl_up_sync(uint32_t mask, T x, unsigned by)
{
    const unsigned lane = fibers::thread_here() % fibers::WARP;
    return __shfl_sync(mask, x, int(lane >= by ? lane - by : lane));
}
template <class T> T __shfl_down_sync(uint32_t mask, T x, unsigned by)
{
    const unsigned lane = fibers::thread_here() % fibers::WARP;
    return __shfl_sync(mask, x, int(lane + by < fibers::WARP ? lane + by : lane));
}
template <class T, class F> T mwt_reduce(uint32_t mask, T x, F f)
{
    return fibers::together(mask, x, [=](const uint64_t *said) {
        T all = fibers::as<T>(said[0]);
        for (unsigned i = 1; i < fibers::WARP; i++)
            all = f(all, fibers::as<T>(said[i]));
        return all;
    });
}
template <class T> T __reduce_add_sync(uint32_t mask, T x)
{
    return mwt_reduce(mask, x, [](T a, T b) { return T(a + b); });
}
template <class T> T __reduce_min_sync(uint32_t mask, T x)
{
    return mwt_reduce(mask, x, [](T a, T b) { return b < a ? b : a; });
}
template <class T> T __reduce_max_sync(uint32_t mask, T x)
{
    return mwt_reduce(mask, x, [](T a, T b) { return a < b ? b : a; });
}
inline void __syncwarp(uint32_t mask = UINT32_MAX)
{
    fibers::together(mask, 0, [](const uint64_t *) { return 0; });
}
inline void __syncthreads()
{
    fibers::meet_block();
}
inline int __popc(uint32_t x)
{
    return __builtin_popcount(x);
}
inline int __ffs(uint32_t x)
{
    return __builtin_ffs(int(x));
}
inline void __trap()
{
    std::abort();
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

inline void __threadfence()
{
    std::atomic_thread_fence(std::memory_order_seq_cst);
}
inline void __threadfence_system()
{
    __threadfence();
}
template <class T> T __ldg(const T *p)
{
    return *p;
}
template <class T> T __ldcs(const T *p)
{
    return *p;
}
template <class T> T __ldcg(const T *p)
{
    if constexpr (std::is_scalar_v<T>)
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);
    else
        return *p;
}
template <class T, class U> void __stcg(T *p, U x)
{
    if constexpr (std::is_scalar_v<T>)
        __atomic_store_n(p, T(x), __ATOMIC_SEQ_CST);
    else
        *p = x;
}
template <class T> void __stcs(T *p, T x)
{
    *p = x;
}
template <class T, class U> T atomicAdd(T *p, U x)
{
    return __atomic_fetch_add(p, T(x), __ATOMIC_SEQ_CST);
}
template <class T, class U> T atomicSub(T *p, U x)
{
    return __atomic_fetch_sub(p, T(x), __ATOMIC_SEQ_CST);
}
template <class T, class U> T atomicOr(T *p, U x)
{
    return __atomic_fetch_or(p, T(x), __ATOMIC_SEQ_CST);
}
template <class T, class U> T atomicAnd(T *p, U x)
{
    return __atomic_fetch_and(p, T(x), __ATOMIC_SEQ_CST);
}
template <class T> T atomicCAS(T *p, T old, T x)
{
    __atomic_compare_exchange_n(p, &old, x, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return old;
}
template <class T, class U> T atomicMin(T *p, U x)
{
    T is = *p;
    while (T(x) < is && !__atomic_compare_exchange_n(p, &is, T(x), false,
                                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return is;
}
template <class T, class U> T atomicMax(T *p, U x)
{
    T is = *p;
    while (is < T(x) && !__atomic_compare_exchange_n(p, &is, T(x), false,
                                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return is;
}
template <class A, class B> std::common_type_t<A, B> max(A a, B b)
{
    return a < b ? b : a;
}
template <class A, class B> std::common_type_t<A, B> min(A a, B b)
{
    return b < a ? b : a;
}

/* ---- the host's side --------------------------------------------------------------------------------------- */

enum cudaError_t { cudaSuccess };
enum {
    cudaDevAttrMultiProcessorCount,
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaMemcpyDeviceToHost,
    cudaMemcpyHostToDevice
};
using cudaStream_t = void *;
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
};

constexpr unsigned MWT_PROCESSORS = 2;

inline const char *cudaGetErrorString(cudaError_t)
{
    return "";
}
inline cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int)
{
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, int, int)
{
    *value = MWT_PROCESSORS;
    return cudaSuccess;
}
template <class Kernel> cudaError_t cudaFuncSetAttribute(Kernel, int, int)
{
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, Kernel, int, size_t)
{
    *n = 1;
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *p, int x, size_t n, cudaStream_t)
{
    std::memset(p, x, n);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, int,
                                   cudaStream_t)
{
    std::memcpy(to, from, n);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T &to, const void *from, size_t n, size_t, int,
                                    cudaStream_t)
{
    std::memcpy(static_cast<void *>(&to), from, n);
    return cudaSuccess;
}
template <class... P, size_t... I>
void mwt_run(void (*kernel)(P...), dim3 grid, dim3 block, void *const *args,
             size_t n_shared, std::index_sequence<I...>)
{
    fibers::run(grid.x, block.x, n_shared, [=] {
        kernel(*static_cast<std::remove_cv_t<std::remove_reference_t<P>> *>(args[I])...);
    });
}
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                        void **args, size_t n_shared, cudaStream_t)
{
    mwt_run(kernel, grid, block, args, n_shared, std::index_sequence_for<P...>{});
    return cudaSuccess;
}
/* A kernel goes along all there is, whatever the number of blocks: so here are few. */
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*kernel)(P...), A... x)
{
    fibers::run(min(c->gridDim.x, 2U), c->blockDim.x, c->dynamicSmemBytes,
                [=] { kernel(x...); });
    return cudaSuccess;
}

#endif
