/* triangles_kokkos.cpp -- triangles on Kokkos, row by row: a team marks a vertex' neighbours in memory of its own, and its
 * lanes look up there what one neighbour after the other offers.
 *
 * There are marks, 32 KiB of bits, for the first vertices of the order, which are hubs, so nearly all that is offered has one. What lies
 * beyond is searched for in the row. Of directed graphs the general kernels count.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "algorithms/triangles/triangles_state.h"

namespace mwk
{
namespace clustering
{

constexpr uint64_t MARKED = UINT64_C(1) << 18, TEAMS = 4096;

/* Where a column stands in the order of all. */
KOKKOS_INLINE_FUNCTION uint64_t place_of(const mw_graph &g, mw_vid column)
{
    return mw_column_label(column, g.label_bits) * g.partition.n_ranks +
           mw_column_owner(column, g.label_bits);
}

/* Is a column among the first n entries of row i? */
KOKKOS_INLINE_FUNCTION bool is_near(const mw_graph &g, const uint32_t *marks, uint64_t i,
                                    uint64_t n, mw_vid column)
{
    const uint64_t at = place_of(g, column);
    return at < MARKED ? (marks[at / 32] >> at % 32 & 1) != 0
                       : triangles_has(&g, g.column, g.row[i], n, column);
}

/* The neighbours of label i get marks, or lose them. */
KOKKOS_INLINE_FUNCTION void mark(const member &team, const mw_graph &g, uint32_t *marks,
                                 uint64_t i, int n, bool is_near)
{
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](int k) {
        const uint64_t at =
            place_of(g, mw_number(g.column, g.row[i] + static_cast<uint64_t>(k), g.wide));
        if (at < MARKED && is_near)
            Kokkos::atomic_or(&marks[at / 32], UINT32_C(1) << at % 32);
        else if (at < MARKED)
            marks[at / 32] = 0;
    });
    team.team_barrier();
}

KOKKOS_INLINE_FUNCTION uint64_t count_row(const member &team, const ::triangles &s,
                                          const mw_graph &g, const uint32_t *marks,
                                          uint64_t i, int n)
{
    uint64_t all = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, n),
        [&](int k, uint64_t &sum) {
            const uint64_t entry = static_cast<uint64_t>(k);
            const triangles_offer o =
                triangles_offer_of(&s, &g, mw_number(g.column, g.row[i] + entry, g.wide));
            uint64_t found = 0;
            Kokkos::parallel_reduce(
                Kokkos::ThreadVectorRange(team, static_cast<int>(o.n)),
                [&](int j, uint64_t &x) {
                    x += is_near(
                        g, marks, i, entry,
                        mw_number(o.column, o.first + static_cast<uint64_t>(j), g.wide));
                },
                found);
            sum += found;
        },
        all);
    return all;
}

void count(mw_cpe *, void *job)
{
    turn t;
    const ::triangles s =
        *static_cast<const ::triangles *>(static_cast<mw_job *>(job)->state);
    const mw_graph g = *s.g;
    const uint64_t n_labels = g.n_labels, n_teams = n_labels < TEAMS ? n_labels : TEAMS;
    const size_t bytes = MARKED / 8;
    if (n_teams == 0)
        return;
    Kokkos::parallel_for(
        "count triangles by rows",
        teams_of(n_teams, lanes()).set_scratch_size(0, Kokkos::PerTeam(bytes + 64)),
        KOKKOS_LAMBDA(const member &team) {
            uint32_t *const marks =
                static_cast<uint32_t *>(team.team_scratch(0).get_shmem(bytes));
            Kokkos::parallel_for(
                Kokkos::TeamVectorRange(team, static_cast<int>(MARKED / 32)),
                [&](int w) { marks[w] = 0; });
            team.team_barrier();
            for (uint64_t i = static_cast<uint64_t>(team.league_rank()); i < n_labels;
                 i += n_teams) {
                const int n = static_cast<int>(g.row[i + 1] - g.row[i]);
                if (n < 2)
                    continue;
                mark(team, g, marks, i, n, true);
                const uint64_t all = count_row(team, s, g, marks, i, n);
                Kokkos::single(Kokkos::PerTeam(team),
                               [&]() { s.triangles[g.place_of[i]] += all; });
                team.team_barrier();
                mark(team, g, marks, i, n, false);
            }
        });
}

} // namespace clustering
} // namespace mwk

MWK_TUNED(triangles_whole, tuned.count = mwk::clustering::count;)
