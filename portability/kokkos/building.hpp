/* building.hpp -- what the sweeps that build a graph have in common: of labels and of several ranks
 * (building_kokkos.cpp), and of rows (building_rows_kokkos.cpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_BUILDING_HPP
#define MWK_BUILDING_HPP

#include "kokkos/space.hpp"

#include "devices/building.h"

namespace mwk
{
namespace building
{

inline mw_building &state_of(void *job)
{
    return *static_cast<mw_building *>(static_cast<mw_job *>(job)->state);
}

/* Ends of the tuples that are there just now: mine, or a piece of somebody's. */
struct tuples {
    const uint64_t *at;
    uint64_t n;
};
inline tuples tuples_of(const mw_building &s)
{
    return s.its == nullptr
               ? tuples{s.tuple, s.n_tuples}
               : tuples{reinterpret_cast<const uint64_t *>(s.its), s.n_items};
}

/* A bit of `keep` for each of n: how many are kept before each 64, and in all. */
void sum_kept(const mw_building &s, uint64_t n, uint64_t &n_kept);

/* Kept ones before the i-th. */
KOKKOS_INLINE_FUNCTION uint64_t kept_before(const mw_building &s, uint64_t i)
{
    const uint32_t *const half = halves(s.keep) + i / 64 * 2;
    const uint32_t below = (UINT32_C(1) << i % 32) - 1;
    return s.sum[i / 64] +
           (i % 64 < 32 ? ones(half[0] & below) : ones(half[0]) + ones(half[1] & below));
}

/* Sweeps of rows. */
void enter(mw_cpe *, void *arg);
void sort(mw_cpe *, void *arg);
void merge(mw_cpe *, void *arg);
void keep(mw_cpe *, void *arg);
void pack(mw_cpe *, void *arg);

} // namespace building
} // namespace mwk

#endif
