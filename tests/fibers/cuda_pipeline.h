/* cuda_pipeline.h -- copies that are done at once (fibers.hpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWT_CUDA_PIPELINE_H
#define MWT_CUDA_PIPELINE_H

#include "fibers.hpp"

inline void __pipeline_memcpy_async(void *to, const void *from, size_t n)
{
    std::memcpy(to, from, n);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(int) {}

#endif
