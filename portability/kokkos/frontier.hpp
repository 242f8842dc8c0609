/* frontier.hpp -- how kernels on Kokkos put what they have reached into the frontier
 * (traversal/frontier.h).
 *
 * There is one lane, the host's, so marks are bits. Nobody writes lists of claims: marks are
 * joined, a walk over one bit a label, which costs a device less than it takes to begin.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_FRONTIER_HPP
#define MWK_FRONTIER_HPP

#include "kokkos/space.hpp"
#include "traversal/frontier.h"

namespace mwk
{

/* Edges out of `bits`, of which all lanes of a thread have the same; `degree`: word_degree[]. */
KOKKOS_INLINE_FUNCTION uint64_t edges_of(const mw_frontier &f, const member &team,
                                         uint64_t half, uint32_t bits, uint32_t degree)
{
    uint64_t n = 0;
    if (bits == 0)
        return 0;
    if (degree != MW_MIXED_DEGREES)
        return static_cast<uint64_t>(ones(bits)) * degree;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, 32),
        [&](int lane, uint64_t &sum) {
            const uint64_t l = 32 * half + static_cast<uint64_t>(lane);
            if (bits >> lane & 1)
                sum += f.row[l + 1] - f.row[l];
        },
        n);
    return n;
}

constexpr uint64_t PART_HALVES = 2 * MW_PART_WORDS;
constexpr int FOUND_BITS = 13;

/* One sweep over all labels: reached(team, half) are those of 32 that are put. Waits, and tells the
 * lane. Counts of a team travel as one number: at most 2^12 are found, and 2^50 edges. */
template <class F>
inline void put_all(turn &t, const mw_frontier *state, uint32_t lane, const char *name,
                    F reached)
{
    const mw_frontier f = *state;
    uint64_t *const count = t.count();
    uint64_t grown[2];
    if (f.n_parts > 0)
        Kokkos::parallel_for(
            name, teams_of<many_teams>(f.n_parts, lanes()),
            KOKKOS_LAMBDA(const member &team) {
                const uint64_t part = static_cast<uint64_t>(team.league_rank());
                const uint64_t first = part * PART_HALVES, left = 2 * f.n_words - first;
                const int n = static_cast<int>(left < PART_HALVES ? left : PART_HALVES);
                uint64_t found = 0;
                Kokkos::parallel_reduce(
                    Kokkos::TeamThreadRange(team, n),
                    [&](int k, uint64_t &sum) {
                        const uint64_t half = first + static_cast<uint64_t>(k);
                        /* Asked for now, it is there when `reached` is done. */
                        const uint32_t degree = f.word_degree[half / 2];
                        const uint32_t bits = reached(team, half);
                        sum += (edges_of(f, team, half, bits, degree) << FOUND_BITS) +
                               ones(bits);
                        Kokkos::single(Kokkos::PerThread(team),
                                       [&]() { halves(f.bits)[half] = bits; });
                    },
                    found);
                Kokkos::single(Kokkos::PerTeam(team), [&]() {
                    const uint64_t n_found = found & ((UINT64_C(1) << FOUND_BITS) - 1);
                    f.part[part].n_found = n_found;
                    f.part[part].n_edges = found >> FOUND_BITS;
                    if (n_found > 0) {
                        Kokkos::atomic_add(&count[0], n_found);
                        Kokkos::atomic_add(&count[1], found >> FOUND_BITS);
                    }
                });
            });
    t.counts(grown, 2);
    state->lane[lane].n_found += grown[0];
    state->lane[lane].n_edges += grown[1];
}

} // namespace mwk

#endif
