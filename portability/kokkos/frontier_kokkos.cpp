/* frontier_kokkos.cpp -- sweeps of traversal/frontier.h that are tuned for Kokkos, and that of traversal.h.
 *
 * A list is made by teams, whose lanes have 32 labels each; the general MW_LIST_BITS would walk over all labels
 * twice to know what is before each, which `part` says already.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/frontier.hpp"
#include "traversal/traversal.h"

namespace mwk
{
namespace frontier
{

static mw_frontier *frontier_of(void *job)
{
    return static_cast<mw_frontier *>(static_cast<mw_job *>(job)->state);
}

/* Whoever claims says that lists are incomplete, so few are none. */
void join_none(mw_cpe *, void *job)
{
    mw_frontier_list_none(frontier_of(job));
}

/* A part is a team's; what is before it in the list says part[]. */
void list(mw_cpe *, void *job)
{
    turn t;
    const mw_frontier f = *frontier_of(job);
    if (f.n_parts == 0)
        return;
    Kokkos::parallel_for(
        "list", teams_of(f.n_parts), KOKKOS_LAMBDA(const member &team) {
            const uint64_t part = static_cast<uint64_t>(team.league_rank());
            const int size = team.team_size();
            uint64_t n = f.part[part].n_found, n_edges = f.part[part].n_edges;
            const uint64_t end = f.part[part + 1].n_found;
            for (uint64_t first = 0; n < end && first < PART_HALVES;
                 first += static_cast<uint64_t>(size)) {
                const uint64_t k = first + static_cast<uint64_t>(team.team_rank());
                const uint64_t half = part * PART_HALVES + k;
                const bool mine = k < PART_HALVES && half < 2 * f.n_words;
                const uint32_t bits = mine ? halves(f.bits)[half] : 0;
                uint64_t mine_n = ones(bits), mine_edges = 0;
                for (uint32_t b = bits; b != 0; b &= b - 1) {
                    const uint64_t l = 32 * half + lowest(b);
                    mine_edges += f.row[l + 1] - f.row[l];
                }
                const uint64_t before = team.team_scan(mine_n);
                const uint64_t edges_before = team.team_scan(mine_edges);
                uint64_t at = n + before, at_edges = n_edges + edges_before;
                for (uint32_t b = bits; b != 0; b &= b - 1) {
                    const uint64_t l = 32 * half + lowest(b);
                    at_edges += f.row[l + 1] - f.row[l];
                    f.list[at] = static_cast<uint32_t>(l);
                    f.list_end[at++] = at_edges;
                }
                uint64_t after = before + mine_n, edges_after = edges_before + mine_edges;
                team.team_broadcast(after, size - 1);
                team.team_broadcast(edges_after, size - 1);
                n += after;
                n_edges += edges_after;
            }
        });
}

/* ---- levels that are kept ------------------------------------------------------------------ */

void levels(mw_cpe *, void *job)
{
    turn t;
    const mw_traversal *const state =
        static_cast<mw_traversal *>(static_cast<mw_job *>(job)->state);
    const uint64_t *const visited = state->algorithm->visited(state);
    const uint32_t *const place_of = state->placed->place_of;
    uint32_t *const level_at = state->level_at, level = state->n_levels;
    uint64_t *const has_level = state->has_level;
    Kokkos::parallel_for(
        "levels", indices(0, (state->placed->n_labels + UINT64_C(63)) / 64),
        KOKKOS_LAMBDA(uint64_t w) {
            const uint64_t fresh = visited[w] & ~has_level[w];
            has_level[w] |= fresh;
            for (uint32_t side = 0; side < 2; side++)
                for (uint32_t b = static_cast<uint32_t>(fresh >> 32 * side); b != 0;
                     b &= b - 1)
                    level_at[place_of[64 * w + 32 * side + lowest(b)]] = level;
        });
    t.wait(); /* the host reads them when it likes */
}

} // namespace frontier
} // namespace mwk

using namespace mwk::frontier;

MWK_TUNED(mw_frontier_sweeps, tuned.join_few = join_none; tuned.list = list;
          tuned.list_few = list;)
MWK_TABLE(mw_traversal_sweeps, levels)
