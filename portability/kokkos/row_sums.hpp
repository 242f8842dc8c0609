/* row_sums.hpp -- what entries of each row add up to: MW_ROW_SUMS on Kokkos.
 *
 * A short row has 2^k lanes, about one for eight entries; lane j takes entries j, j + 2^k, and so on. Entries of long rows
 * are dealt evenly: many teams share a hub's row, and each adds its part. On a GPU the lookups bound this: each reads a
 * little more than one sector of L2. Several lookups of a lane at once only drive hubs out of L1 (measured, decision 154).
 *
 * A graph's rows are by falling length, as a rule, so rows with equally many lanes are neighbours: a kind of rows ends
 * with the last one that is too long for it. Where that was is remembered. It decides who sums a row, and any does it
 * right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_ROW_SUMS_HPP
#define MWK_ROW_SUMS_HPP

#include "kokkos/space.hpp"

namespace mwk
{

constexpr uint64_t ENTRIES_OF_LANE = 8; /* about */

/* Rows of kind k have 2^k lanes, and no more than ENTRIES_OF_LANE entries for each, as a rule. Others are long. */
constexpr uint64_t lanes_of_kind(uint32_t k)
{
    return UINT64_C(1) << k;
}

/* Of row i: entries first, first + n_lanes, ... of those before `last`. */
template <class F>
KOKKOS_INLINE_FUNCTION double sum_of_lane(uint64_t i, uint64_t first, uint64_t last,
                                          uint64_t n_lanes, const F &amount)
{
    double all = 0;
    for (uint64_t k = first; k < last; k += n_lanes)
        all += amount(i, k);
    return all;
}

/* A type and no lambda: see filling. */
struct row_behind {
    const uint64_t *end;
    uint64_t length;
    KOKKOS_INLINE_FUNCTION void operator()(uint64_t i, uint64_t &behind) const
    {
        if (end[i] - (i > 0 ? end[i - 1] : 0) > length)
            behind = i + 1 > behind ? i + 1 : behind;
    }
};

/* The rows of a graph of so many entries; 0: of a list. Those are in no order that helps, so all are taken for long
 * ones. */
inline known_rows know_rows(const char *name, const uint64_t *end, uint64_t n_rows,
                            uint64_t n_of_graph)
{
    const bool by_length = n_of_graph > 0 && lanes() == 32;
    known_rows &known = here().rows;
    if (by_length && known.end == end && known.n_rows == n_rows &&
        known.n_of_graph == n_of_graph)
        return known;
    known_rows rows = {end, n_rows, n_of_graph, {}, 0};
    for (uint32_t k = 0; k < ROW_KINDS; k++) {
        rows.behind[k] = n_rows;
        if (by_length)
            Kokkos::parallel_reduce(name, indices(0, n_rows),
                                    row_behind{end, ENTRIES_OF_LANE * lanes_of_kind(k)},
                                    Kokkos::Max<uint64_t>(rows.behind[k]));
    }
    const uint64_t n_long = rows.behind[ROW_KINDS - 1];
    if (n_long > 0)
        get(&rows.n_long_entries, end + n_long - 1, sizeof *end);
    if (by_length)
        known = rows;
    return rows;
}

/* Rows first .. last - 1, each by n_lanes lanes. */
template <class F>
inline void sum_short_rows(const char *name, const uint64_t *end, uint64_t first,
                           uint64_t last, int n_lanes, double *sum, F amount)
{
    const uint64_t each = static_cast<uint64_t>(LANES_OF_TEAM / n_lanes);
    if (first >= last)
        return;
    if (n_lanes == 1) {
        Kokkos::parallel_for(
            name, indices(first, last), KOKKOS_LAMBDA(uint64_t i) {
                sum[i] = sum_of_lane(i, 0, end[i] - (i > 0 ? end[i - 1] : 0), 1, amount);
            });
        return;
    }
    Kokkos::parallel_for(
        name, teams_of<many_teams>((last - first + each - 1) / each, n_lanes),
        KOKKOS_LAMBDA(const member &team) {
            const uint64_t row = first + static_cast<uint64_t>(team.league_rank()) * each;
            const uint64_t n = row + each < last ? each : last - row;
            Kokkos::parallel_for(
                Kokkos::TeamThreadRange(team, static_cast<int>(n)), [&](int r) {
                    const uint64_t i = row + static_cast<uint64_t>(r);
                    const uint64_t length = end[i] - (i > 0 ? end[i - 1] : 0);
                    double all = 0;
                    Kokkos::parallel_reduce(
                        Kokkos::ThreadVectorRange(team, n_lanes),
                        [&](int lane, double &x) {
                            x += sum_of_lane(i, static_cast<uint64_t>(lane), length,
                                             static_cast<uint64_t>(n_lanes), amount);
                        },
                        all);
                    Kokkos::single(Kokkos::PerThread(team), [&]() { sum[i] = all; });
                });
        });
}

/* One lane: entries unit .. last - 1, of which the first is of row i or a later one. */
template <class F>
KOKKOS_INLINE_FUNCTION void sum_part(const uint64_t *end, uint64_t n_rows, uint64_t i,
                                     uint64_t unit, uint64_t last, double *sum,
                                     const F &amount)
{
    while (unit < last) {
        i = item_from(end, n_rows, i, unit);
        const uint64_t before = i > 0 ? end[i - 1] : 0;
        const uint64_t stop = end[i] < last ? end[i] : last;
        double all = 0;
        for (; unit < stop; unit++)
            all += amount(i, unit - before);
        Kokkos::atomic_add(&sum[i], all);
    }
}

constexpr uint64_t ENTRIES_OF_PIECE = 32 * ENTRIES_OF_LANE, PIECES_AT_MOST = 16;
constexpr uint64_t WORTH_ALL = 64; /* entries of a row, from which on 32 lanes share it */

/* One thread: entries at .. to - 1. Its lanes sum one row together while that has WORTH_ALL entries or more left, or
 * reaches `to`; else each lane sums ENTRIES_OF_LANE entries of the rows that follow. */
template <class F>
KOKKOS_INLINE_FUNCTION void sum_stretch(const member &team, const uint64_t *end,
                                        uint64_t n_rows, uint64_t at, uint64_t to,
                                        double *sum, const F &amount)
{
    uint64_t row = at < to ? mw_item_of(end, n_rows, at) : 0;
    while (at < to) {
        row = item_from(end, n_rows, row, at);
        const uint64_t stop = end[row] < to ? end[row] : to;
        if (stop - at < WORTH_ALL && stop < to) {
            const uint64_t last = at + ENTRIES_OF_PIECE < to ? at + ENTRIES_OF_PIECE : to;
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](int lane) {
                const uint64_t u = at + static_cast<uint64_t>(lane) * ENTRIES_OF_LANE;
                sum_part(end, n_rows, row, u,
                         u + ENTRIES_OF_LANE < last ? u + ENTRIES_OF_LANE : last, sum,
                         amount);
            });
            at = last;
            continue;
        }
        const uint64_t before = row > 0 ? end[row - 1] : 0;
        double all = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, 32),
            [&](int lane, double &x) {
                x += sum_of_lane(row, at - before + static_cast<uint64_t>(lane),
                                 stop - before, 32, amount);
            },
            all);
        Kokkos::single(Kokkos::PerThread(team),
                       [&]() { Kokkos::atomic_add(&sum[row], all); });
        at = stop;
    }
}

/* The first n_rows rows, of about n_entries. */
template <class F>
inline void sum_long_rows(const char *name, const uint64_t *end, uint64_t n_rows,
                          uint64_t n_entries, double *sum, F amount)
{
    const uint64_t n_threads = static_cast<uint64_t>(LANES_OF_TEAM / lanes());
    const uint64_t even = n_entries / (TEAMS_AT_LEAST * n_threads * ENTRIES_OF_PIECE) + 1;
    const uint64_t each =
        (even < PIECES_AT_MOST ? even : PIECES_AT_MOST) * ENTRIES_OF_PIECE;
    const uint64_t of_team = n_threads * each;
    const uint64_t n_teams = (n_entries + of_team - 1) / of_team;
    fill<double>(name, sum, n_rows, 0);
    if (n_entries == 0)
        return;
    Kokkos::parallel_for(
        name, teams_of<many_teams>(n_teams, lanes()), KOKKOS_LAMBDA(const member &team) {
            const uint64_t of_all = end[n_rows - 1];
            Kokkos::parallel_for(
                Kokkos::TeamThreadRange(team, static_cast<int>(n_threads)), [&](int t) {
                    uint64_t at = static_cast<uint64_t>(team.league_rank()) * of_team +
                                  static_cast<uint64_t>(t) * each;
                    for (; at < of_all; at += n_teams * of_team)
                        sum_stretch(team, end, n_rows, at,
                                    at + each < of_all ? at + each : of_all, sum, amount);
                });
        });
}

/* sum[i] becomes the sum of amount(i, k) of all entries k of row i; end[i] counts those of rows 0 .. i. n_of_graph: the
 * graph's entries, if these are its rows; else 0. */
template <class F>
inline void sum_rows(const char *name, const uint64_t *end, uint64_t n_rows,
                     uint64_t n_of_graph, double *sum, F amount)
{
    if (n_rows == 0)
        return;
    const known_rows rows = know_rows(name, end, n_rows, n_of_graph);
    sum_long_rows(name, end, rows.behind[ROW_KINDS - 1], rows.n_long_entries, sum,
                  amount);
    for (uint32_t k = ROW_KINDS; k-- > 0;)
        sum_short_rows(name, end, rows.behind[k], k > 0 ? rows.behind[k - 1] : n_rows,
                       static_cast<int>(lanes_of_kind(k)), sum, amount);
}

} // namespace mwk

#endif
