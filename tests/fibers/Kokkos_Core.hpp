/* Kokkos_Core.hpp -- as much of Kokkos as kernels of CUDA need where they are fibers (fibers.hpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWT_KOKKOS_CORE_HPP
#define MWT_KOKKOS_CORE_HPP

#include "fibers.hpp"

#define KOKKOS_INLINE_FUNCTION inline

namespace Kokkos
{

inline void abort(const char *what)
{
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}
template <class T> T atomic_compare_exchange(T *p, T old, T x)
{
    return atomicCAS(p, old, x);
}
template <class T> T atomic_fetch_min(T *p, T x)
{
    return atomicMin(p, x);
}
template <class T> T atomic_fetch_or(T *p, T x)
{
    return atomicOr(p, x);
}
template <class T> void atomic_add(T *p, T x)
{
    if constexpr (std::is_floating_point_v<T>)
        *p += x;
    else
        atomicAdd(p, x);
}
template <class T> void atomic_or(T *p, T x)
{
    atomicOr(p, x);
}

} // namespace Kokkos

#endif
