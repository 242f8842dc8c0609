/* ptx.hpp -- what only the assembler of NVIDIA's devices says. All assembler is here, so that the test
 * `device_kernels` can run the kernels on the host's cores.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_PTX_HPP
#define MWK_WHOLE_PTX_HPP

#include <cstdint>

namespace mwk::whole
{

/* The memory that all threads of a block share, as much as its launch asks for. */
__device__ __forceinline__ void *shared_memory()
{
    extern __shared__ __align__(16) uint32_t memory[];
    return memory;
}

/* The word before; all bits where it is not asked for. Without a branch, so that nobody waits for another lane's. */
__device__ __forceinline__ uint32_t set_bit_if(bool is, uint32_t *word, uint32_t bit)
{
    uint32_t before = UINT32_MAX;
    asm volatile("{ .reg .pred p;\n"
                 "  setp.ne.u32 p, %3, 0;\n"
                 "  @p atom.global.or.b32 %0, [%1], %2; }"
                 : "+r"(before)
                 : "l"(word), "r"(bit), "r"(static_cast<uint32_t>(is))
                 : "memory");
    return before;
}

/* What will be read by the next level or round, to the cache that all blocks share. */
__device__ __forceinline__ void prefetch(const void *p)
{
    asm volatile("prefetch.global.L2 [%0];" : : "l"(p));
}

/* Without order among others: atomics of what all blocks count, and a look at it. */
__device__ __forceinline__ void add_relaxed(unsigned long long *p, unsigned long long x)
{
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;"
                 :
                 : "l"(p), "l"(x)
                 : "memory");
}
__device__ __forceinline__ unsigned long long load_relaxed(const unsigned long long *p)
{
    unsigned long long x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}

__device__ __forceinline__ uint64_t nanoseconds()
{
    uint64_t t;
    asm volatile("mov.u64 %0,%globaltimer;" : "=l"(t));
    return t;
}

/* A word that is its own flag is looked at, while blocks beside this one keep their L1, until it is
 * there; then it is acquired, with all that its sender had seen. Pairs with fence_of_all_devices()
 * and store_two(). */
__device__ __forceinline__ uint64_t look_at(const uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.relaxed.sys.global.u64 %0,[%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ uint64_t acquire(const uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.acquire.sys.global.u64 %0,[%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ void fence_of_all_devices()
{
    asm volatile("fence.acq_rel.sys;" ::: "memory");
}
__device__ __forceinline__ void store_two(uint64_t *p, uint64_t x, uint64_t y)
{
    asm volatile("st.relaxed.sys.global.v2.u64 [%0],{%1,%2};" ::"l"(p), "l"(x), "l"(y)
                 : "memory");
}
/* How many blocks were there before this one, which has all that they had seen. Pairs with itself. */
__device__ __forceinline__ uint32_t arrive(uint32_t *counter)
{
    uint32_t before;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0,[%1],1;"
                 : "=r"(before)
                 : "l"(counter)
                 : "memory");
    return before;
}

} // namespace mwk::whole

#endif
