/* skeleton_kokkos.hpp -- an emitter of one rank, which makes no record (fibers.hpp); in place of Kokkos' own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_HPP
#define MW_SKELETON_HPP

#include "kokkos/space.hpp"

#include "graph/graph.h"

struct mw_emitter {
    uint32_t rank;
};
MW_FN bool mw_here(const mw_emitter *e, uint32_t owner)
{
    return owner == e->rank;
}
MW_FN uint32_t mw_near(const mw_emitter *e, uint32_t owner)
{
    return mw_here(e, owner) ? 0 : MW_FAR;
}
MW_FN void mw_emit(mw_emitter *, uint32_t, uint32_t, uint64_t)
{
    std::abort();
}

#endif
