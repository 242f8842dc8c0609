/* ptx.hpp -- what portability/kokkos/whole/ptx.hpp says in assembler, where kernels are fibers (fibers.hpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_PTX_HPP
#define MWK_WHOLE_PTX_HPP

#include "fibers.hpp"

#include <chrono>

namespace mwk::whole
{

inline void *shared_memory()
{
    return fibers::shared_here();
}
inline uint32_t set_bit_if(bool is, uint32_t *word, uint32_t bit)
{
    return is ? atomicOr(word, bit) : UINT32_MAX;
}
inline void prefetch(const void *) {}
inline void add_relaxed(unsigned long long *p, unsigned long long x)
{
    atomicAdd(p, x);
}
inline unsigned long long load_relaxed(const unsigned long long *p)
{
    fibers::wait_a_moment();
    return __ldcg(p);
}
inline uint64_t nanoseconds()
{
    return static_cast<uint64_t>(
        std::chrono::steady_clock::now().time_since_epoch().count());
}
inline uint64_t look_at(const uint64_t *p)
{
    fibers::wait_a_moment();
    return __ldcg(p);
}
inline uint64_t acquire(const uint64_t *p)
{
    return look_at(p);
}
inline void fence_of_all_devices()
{
    __threadfence();
}
inline void store_two(uint64_t *p, uint64_t x, uint64_t y)
{
    __stcg(p + 1, y);
    __stcg(p, x);
}
inline uint32_t arrive(uint32_t *counter)
{
    return atomicAdd(counter, 1);
}

} // namespace mwk::whole

#endif
