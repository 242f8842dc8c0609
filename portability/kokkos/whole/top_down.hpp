/* top_down.hpp -- top-down levels of a whole search: the edges of the three queues (queues.hpp), AT_ONCE of
 * them a lane.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_TOP_DOWN_HPP
#define MWK_WHOLE_TOP_DOWN_HPP

#include "kokkos/whole/queues.hpp"

namespace mwk::whole
{

constexpr int AT_ONCE =
    4; /* 8 and 16 want more registers than there are: 5 and 15 % slower */

/* A level, and what this lane has found in it. */
struct top_down_level {
    uint32_t *visited;
    queues now, then;
    tally *next;
    bool queues_finds; /* false: the next level will be bottom-up */
    count n_edges;
    uint32_t n_found;
};

/* Of what a lane has found: mine gets its parent, the rest is sent. */
template <class Kind>
__device__ __forceinline__ void keep_mine(const search<Kind> &s, top_down_level &l,
                                          const bool *found, const uint32_t *end,
                                          const uint32_t *name)
{
    uint32_t label[AT_ONCE];
    bool mine[AT_ONCE], away[AT_ONCE], any_mine = false, any_away = false;
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        label[k] = end[k] & ((UINT32_C(1) << s.label_bits) - 1);
        mine[k] = found[k] && end[k] >> s.label_bits == s.rank;
        away[k] = found[k] && !mine[k];
        any_mine |= mine[k];
        any_away |= away[k];
        if (mine[k])
            s.parent[label[k]] = name[k];
        l.n_found += mine[k];
    }
    if (__any_sync(ALL, any_away))
        send<Kind, AT_ONCE>(s, away, end, name);
    if (l.queues_finds && __any_sync(ALL, any_mine))
        enqueue<Kind, AT_ONCE>(s, l.then, mine, label, l.next, l.n_edges);
}

/* All lanes: edges to the columns end[k] from whoever is called name[k]. Whoever leads to a label that nobody has visited
 * is its parent; of another rank's label that rank hears. A plain read of L2 comes first, so that most edges cost no atomic. */
template <class Kind>
__device__ __forceinline__ void claim(const search<Kind> &s, top_down_level &l,
                                      const bool *is_edge, const uint32_t *end,
                                      const uint32_t *name)
{
    uint32_t word[AT_ONCE];
    bool found[AT_ONCE], any = false;
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        word[k] = is_edge[k] ? __ldcg(l.visited + (end[k] >> 5)) : ALL;
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        if (!has(word[k], end[k]))
            word[k] = atomicOr(l.visited + (end[k] >> 5), UINT32_C(1) << (end[k] & 31));
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        found[k] = !has(word[k], end[k]);
        if constexpr (Kind::several)
            continue;
        if (found[k])
            s.parent[end[k]] = name[k];
        any |= found[k];
        l.n_found += found[k];
    }
    if constexpr (Kind::several) {
        keep_mine(s, l, found, end, name);
        return;
    }
    if (l.queues_finds && __any_sync(ALL, any))
        enqueue<Kind, AT_ONCE>(s, l.then, found, end, l.next, l.n_edges);
}

/* All lanes: entries first to last - 1, which are one vertex's. */
template <class Kind>
__device__ __forceinline__ void claim_row(const search<Kind> &s, top_down_level &l,
                                          uint64_t first, uint64_t last,
                                          uint32_t its_name)
{
    const uint32_t name[AT_ONCE] = {its_name, its_name, its_name, its_name};
    for (uint64_t from = first; from < last; from += 32 * AT_ONCE) {
        uint32_t end[AT_ONCE];
        bool is_edge[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const uint64_t i = from + k * 32 + lane();
            is_edge[k] = i < last;
            end[k] = is_edge[k] ? __ldg(s.column + i) : 0;
        }
        claim(s, l, is_edge, end, name);
    }
}

/* Every warp walks the list of huge rows; their pieces are dealt round robin, on from one 32 rows to the next. */
template <class Kind>
__device__ __forceinline__ void huge_rows(const search<Kind> &s, top_down_level &l,
                                          count n_huge)
{
    count dealt = 0;
    for (count first = 0; first < n_huge; first += 32) {
        uint32_t label = 0, length = 0;
        uint64_t row = 0;
        if (first + lane() < n_huge) {
            label = __ldcg(l.now.huge_row + first + lane());
            row = __ldg(s.row + label);
            length = static_cast<uint32_t>(__ldg(s.row + label + 1) - row);
        }
        const uint32_t n_mine = pieces_of(length), to_here = sum_to_here(n_mine);
        const uint32_t n_pieces = __shfl_sync(ALL, to_here, 31);
        uint32_t i = (my_warp() + n_warps() - static_cast<uint32_t>(dealt % n_warps())) %
                     n_warps();
        for (; i < n_pieces; i += n_warps()) {
            const int whose = __popc(__ballot_sync(ALL, to_here <= i));
            const uint32_t name = name_of_mine(s, __shfl_sync(ALL, label, whose));
            const uint32_t before = __shfl_sync(ALL, to_here - n_mine, whose);
            const uint64_t start = __shfl_sync(ALL, row, whose);
            const uint64_t end = start + __shfl_sync(ALL, length, whose);
            const uint64_t from = start + static_cast<uint64_t>(i - before) * PIECE;
            claim_row(s, l, from, end < from + PIECE ? end : from + PIECE, name);
        }
        dealt += n_pieces;
    }
}

template <class Kind>
__device__ __forceinline__ void pieces(const search<Kind> &s, top_down_level &l,
                                       uint32_t n_pieces)
{
    for (uint32_t i = my_warp(); i < n_pieces; i += n_warps()) {
        const uint2 piece = __ldcg(l.now.piece + i);
        const uint64_t from =
            __ldg(s.row + piece.x) + static_cast<uint64_t>(piece.y) * PIECE;
        const uint64_t end = __ldg(s.row + piece.x + 1);
        claim_row(s, l, from, end < from + PIECE ? end : from + PIECE,
                  name_of_mine(s, piece.x));
    }
}

/* Which lane's row has the edge, of those that the sums of lengths tell: a binary search in registers. */
__device__ __forceinline__ int lane_of_edge(uint32_t edge, bool is_edge, uint32_t to_here)
{
    int low = 0;
#pragma unroll
    for (int half = 16; half > 0; half >>= 1) {
        const uint32_t to_there = __shfl_sync(ALL, to_here, low + half - 1);
        if (is_edge && to_there <= edge)
            low += half;
    }
    return low;
}

/* A few rows at once where there are fewer than 32 for each warp. */
template <class Kind>
__device__ __forceinline__ void short_rows(const search<Kind> &s, top_down_level &l,
                                           uint32_t n_rows)
{
    uint64_t at_once = (static_cast<uint64_t>(n_rows) + n_warps() - 1) / n_warps();
    if (at_once > 32)
        at_once = 32;
    for (uint64_t i = my_warp() * at_once; i < n_rows; i += n_warps() * at_once) {
        uint32_t its_name = 0, length = 0;
        uint64_t row = 0;
        if (lane() < at_once && i + lane() < n_rows) {
            const uint32_t label = __ldcg(l.now.short_row + i + lane());
            row = __ldg(s.row + label);
            length = static_cast<uint32_t>(__ldg(s.row + label + 1) - row);
            its_name = name_of_mine(s, label);
        }
        const uint32_t to_here = sum_to_here(length), before = to_here - length;
        const uint32_t n_edges = __shfl_sync(ALL, to_here, 31);
        for (uint32_t from = 0; from < n_edges; from += 32 * AT_ONCE) {
            uint32_t end[AT_ONCE], name[AT_ONCE];
            bool is_edge[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                const uint32_t edge = from + k * 32 + lane();
                is_edge[k] = edge < n_edges;
                const int whose = lane_of_edge(edge, is_edge[k], to_here);
                name[k] = __shfl_sync(ALL, its_name, whose);
                const uint32_t first = __shfl_sync(ALL, before, whose);
                const uint64_t start = __shfl_sync(ALL, row, whose);
                end[k] = is_edge[k] ? __ldg(s.column + start + (edge - first)) : 0;
            }
            claim(s, l, is_edge, end, name);
        }
    }
}

template <class Kind>
__device__ __forceinline__ void top_down(const search<Kind> &s, top_down_level &l,
                                         const tally &now)
{
    huge_rows(s, l, now.n_huge);
    pieces(s, l, static_cast<uint32_t>(now.n_queued >> 32));
    short_rows(s, l, static_cast<uint32_t>(now.n_queued));
}

/* What others have sent of my labels, after a meeting: edges like my own. */
template <class Kind>
__device__ __forceinline__ void receive(const search<Kind> &s, top_down_level &l,
                                        const meetings<Kind> &all)
{
    for (uint32_t i = 0; i < s.n_others; i++) {
        const count n = all.n_records(i);
        const uint2 *const record = records_at(s, s.block[0], i);
        for (count from = my_warp() * 32 * AT_ONCE; from < n;
             from += static_cast<count>(n_warps()) * 32 * AT_ONCE) {
            uint32_t end[AT_ONCE], name[AT_ONCE];
            bool is_edge[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                const count at = from + k * 32 + lane();
                is_edge[k] = at < n;
                const uint2 r = is_edge[k] ? __ldcg(record + at) : make_uint2(0, 0);
                end[k] = s.rank << s.label_bits | r.x;
                name[k] = r.y;
            }
            claim(s, l, is_edge, end, name);
        }
    }
}

} // namespace mwk::whole

#endif
