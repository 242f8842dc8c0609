/* space.hpp -- where kernels of CUDA run that are fibers (fibers.hpp); in place of Kokkos' own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_SPACE_HPP
#define MWK_SPACE_HPP

#include <Kokkos_Core.hpp>

#define MW_FN static inline

#include "cpe/cluster.h"
#include "kokkos/numbers.hpp"
#include "shuffle/job.h"

namespace mwk
{

struct exec {
    int cuda_device() const
    {
        return 0;
    }
    cudaStream_t cuda_stream() const
    {
        return nullptr;
    }
};
struct turn {
    turn() {}
    ~turn() {}
    void wait() {}
};

} // namespace mwk

/* The tables have names of their own, beside those of the library. */
#define MWK_TUNED(type, ...)                                                             \
    extern "C" type type##_of_fibers();                                                  \
    type type##_of_fibers()                                                              \
    {                                                                                    \
        type tuned = {};                                                                 \
        __VA_ARGS__                                                                      \
        return tuned;                                                                    \
    }

#endif
