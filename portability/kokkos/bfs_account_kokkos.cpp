/* bfs_account_kokkos.cpp -- the sweep of bfs_account.h on Kokkos.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "algorithms/bfs/bfs_account.h"

namespace mwk
{
namespace account
{

void account(mw_cpe *, void *job)
{
    turn t;
    bfs_account &state = *static_cast<bfs_account *>(static_cast<mw_job *>(job)->state);
    const mw_graph g = *state.g;
    const void *const parent = state.parent;
    const uint64_t none = g.wide ? UINT64_MAX : UINT32_MAX;
    Kokkos::parallel_reduce(
        "reached", indices(0, g.n_places),
        KOKKOS_LAMBDA(uint64_t p, uint64_t & sum) {
            sum += mw_number(parent, p, g.wide) != none;
        },
        state.n_reached);
    Kokkos::parallel_reduce(
        "account", indices(0, g.n_places),
        KOKKOS_LAMBDA(uint64_t p, uint64_t & sum) {
            if (mw_number(parent, p, g.wide) != none)
                sum += g.degree[p];
        },
        state.n_touching);
}

} // namespace account
} // namespace mwk

MWK_TABLE(bfs_account_sweeps, mwk::account::account)
