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
template <bool ALL_MINE, class Kind>
__device__ __forceinline__ void keep_mine(const search<Kind> &s, top_down_level &l,
                                          const bool *found, const uint32_t *end,
                                          const uint32_t *name)
{
    uint32_t label[AT_ONCE];
    bool mine[AT_ONCE], away[AT_ONCE], any_mine = false, any_away = false;
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        label[k] = end[k] & ((UINT32_C(1) << s.label_bits) - 1);
        mine[k] = found[k] && (ALL_MINE || end[k] >> s.label_bits == s.rank);
        away[k] = found[k] && !mine[k];
        any_mine |= mine[k];
        any_away |= away[k];
        if (mine[k])
            s.parent[label[k]] = name[k];
        l.n_found += mine[k];
    }
    if (!ALL_MINE && __any_sync(ALL, any_away))
        send<Kind, AT_ONCE>(s, away, end, name);
    if (l.queues_finds && __any_sync(ALL, any_mine))
        enqueue<Kind, AT_ONCE>(s, l.then, mine, label, l.next, l.n_edges);
}

/* All lanes: edges to the columns end[k] from whoever is called name[k]. Whoever leads to
 * a label that nobody has visited is its parent; of another rank's label that rank hears.
 * A plain read of L2 comes first, so that most edges cost no atomic. */
template <bool ALL_MINE, class Kind>
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
        keep_mine<ALL_MINE>(s, l, found, end, name);
        return;
    }
    if (l.queues_finds && __any_sync(ALL, any))
        enqueue<Kind, AT_ONCE>(s, l.then, found, end, l.next, l.n_edges);
}

/* Whose, is known when it is compiled: then they are a kernel's arguments, which take no
 * registers. */
template <bool OWN, class Kind>
__device__ __forceinline__ rows<Kind> rows_of(const search<Kind> &s)
{
    if constexpr (OWN)
        return {s.row, s.column, s.name + (Kind::several ? s.rank << s.label_bits : 0),
                0};
    else
        return s.delegated;
}

/* All lanes: entries first to last - 1, which are one vertex's. */
template <bool OWN, class Kind>
__device__ __forceinline__ void claim_row(const search<Kind> &s, top_down_level &l,
                                          uint64_t first, uint64_t last,
                                          uint32_t its_name)
{
    const rows<Kind> x = rows_of<OWN>(s);
    const uint32_t name[AT_ONCE] = {its_name, its_name, its_name, its_name};
    for (uint64_t from = first; from < last; from += 32 * AT_ONCE) {
        uint32_t end[AT_ONCE];
        bool is_edge[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const uint64_t i = from + k * 32 + lane();
            is_edge[k] = i < last;
            end[k] = is_edge[k] ? __ldg(x.entry + i) | x.above : 0;
        }
        claim<!OWN>(s, l, is_edge, end, name);
    }
}

/* Which lane's row has the edge, of those that the sums of lengths tell: a binary search
 * in registers. */
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

/* Every warp walks the list of huge rows; their pieces are dealt round robin, on from one
 * 32 rows to the next. */
template <bool OWN, class Kind>
__device__ __forceinline__ void huge_rows(const search<Kind> &s, top_down_level &l,
                                          const uint32_t *list, count n_huge)
{
    const rows<Kind> x = rows_of<OWN>(s);
    count dealt = 0;
    for (count first = 0; first < n_huge; first += 32) {
        uint32_t which = 0, length = 0;
        uint64_t row = 0;
        if (first + lane() < n_huge) {
            which = __ldcg(list + first + lane());
            row = __ldg(x.start + which);
            length = static_cast<uint32_t>(__ldg(x.start + which + 1) - row);
        }
        const uint32_t n_mine = pieces_of(length), to_here = sum_to_here(n_mine);
        const uint32_t n_pieces = __shfl_sync(ALL, to_here, 31);
        uint32_t i = (my_warp() + n_warps() - static_cast<uint32_t>(dealt % n_warps())) %
                     n_warps();
        for (; i < n_pieces; i += n_warps()) {
            const int whose = __popc(__ballot_sync(ALL, to_here <= i));
            const uint32_t name = __ldg(x.name + __shfl_sync(ALL, which, whose));
            const uint32_t before = __shfl_sync(ALL, to_here - n_mine, whose);
            const uint64_t start = __shfl_sync(ALL, row, whose);
            const uint64_t end = start + __shfl_sync(ALL, length, whose);
            const uint64_t from = start + static_cast<uint64_t>(i - before) * PIECE;
            claim_row<OWN>(s, l, from, end < from + PIECE ? end : from + PIECE, name);
        }
        dealt += n_pieces;
    }
}

template <bool OWN, class Kind>
__device__ __forceinline__ void pieces(const search<Kind> &s, top_down_level &l,
                                       const uint2 *list, uint32_t n_pieces)
{
    const rows<Kind> x = rows_of<OWN>(s);
    for (uint32_t i = my_warp(); i < n_pieces; i += n_warps()) {
        const uint2 piece = __ldcg(list + i);
        const uint64_t from =
            __ldg(x.start + piece.x) + static_cast<uint64_t>(piece.y) * PIECE;
        const uint64_t end = __ldg(x.start + piece.x + 1);
        claim_row<OWN>(s, l, from, end < from + PIECE ? end : from + PIECE,
                       __ldg(x.name + piece.x));
    }
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
            claim<false>(s, l, is_edge, end, name);
        }
    }
}

/* ---- rows of delegated vertices: the pieces of them that lead to my labels ----------------------------- */

constexpr uint32_t FEW_TOLD =
    256; /* that every warp walks through sooner than all have cut them */
constexpr uint32_t CUT_UP_TO = 1024; /* pieces */

/* All lanes, each with so many pieces of a row of its own, or none; at `to` those of the
 * first begin. */
__device__ __forceinline__ void write_pieces(uint2 *to, uint32_t which, uint32_t to_here,
                                             uint32_t mine)
{
    const uint32_t all = __shfl_sync(ALL, to_here, 31);
    for (uint32_t from = 0; from < all; from += 32) {
        const uint32_t i = from + lane();
        const int whose = lane_of_edge(i, i < all, to_here);
        const uint32_t row = __shfl_sync(ALL, which, whose);
        const uint32_t before = __shfl_sync(ALL, to_here - mine, whose);
        if (i < all)
            to[i] = make_uint2(row, i - before);
    }
}

/* All threads of the grid, each warp a few of those that a rank has told. */
template <class Kind>
__device__ __forceinline__ void cut(const search<Kind> &s, const uint32_t *told,
                                    uint32_t n, tally *now)
{
    const uint32_t at_once = n >= 32 * n_warps() ? 32 : (n + n_warps() - 1) / n_warps();
    for (uint32_t at = my_warp() * at_once; at < n; at += n_warps() * at_once) {
        uint32_t which = 0, n_pieces = 0;
        if (lane() < at_once && at + lane() < n) {
            which = __ldcg(told + at + lane());
            n_pieces = pieces_of(static_cast<uint32_t>(
                __ldg(s.delegated.start + which + 1) - __ldg(s.delegated.start + which)));
        }
        const bool stays = n_pieces > CUT_UP_TO;
        const uint32_t mine = stays ? 0 : n_pieces, to_here = sum_to_here(mine);
        count to = 0;
        if (lane() == 31 && to_here > 0)
            to = atomicAdd(&now->n_cut, static_cast<count>(to_here));
        write_pieces(s.cut + __shfl_sync(ALL, to, 31), which, to_here, mine);
        if (stays)
            s.uncut[atomicAdd(&now->n_uncut, static_cast<count>(1))] = which;
    }
}

/* True: they were cut, which is to be waited for. `all` knows what ranks have told, and sent (peers.hpp, meetings;
 * linked.hpp, news). */
template <class Kind, class All>
__device__ __forceinline__ bool cut_delegated(const search<Kind> &s, const All &all,
                                              tally *now)
{
    uint32_t first, n_all = 0;
    for (uint32_t r = 0; r < s.n_ranks; r++)
        n_all += all.n_told(r, &first);
    if (n_all <= FEW_TOLD)
        return false;
#pragma unroll 1
    for (uint32_t r = 0; r < s.n_ranks; r++) {
        const uint32_t n = all.n_told(r, &first);
        cut(s, told_by(s, s.block[0], r) + first, n, now);
    }
    return true;
}

/* As they were cut, or as each rank has told them. */
template <class Kind, class All>
__device__ __forceinline__ void along_delegated(const search<Kind> &s, top_down_level &l,
                                                const All &all, const tally *cut)
{
    if (cut != nullptr)
        pieces<false>(s, l, s.cut, static_cast<uint32_t>(__ldcg(&cut->n_cut)));
#pragma unroll 1
    for (uint32_t r = 0; r < (cut != nullptr ? 1 : s.n_ranks); r++) {
        uint32_t first = 0;
        const uint32_t *const told = told_by(s, s.block[0], r);
        const count n = cut != nullptr ? __ldcg(&cut->n_uncut) : all.n_told(r, &first);
        huge_rows<false>(s, l, cut != nullptr ? s.uncut : told + first, n);
    }
}

template <class Kind>
__device__ __forceinline__ void top_down(const search<Kind> &s, top_down_level &l,
                                         const tally &now)
{
    huge_rows<true>(s, l, l.now.huge_row, now.n_huge);
    pieces<true>(s, l, l.now.piece, static_cast<uint32_t>(now.n_queued >> 32));
    short_rows(s, l, static_cast<uint32_t>(now.n_queued));
}

/* What others have sent of my labels, after a meeting: edges like my own. */
template <class Kind, class All>
__device__ __forceinline__ void receive(const search<Kind> &s, top_down_level &l,
                                        const All &all)
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
            claim<true>(s, l, is_edge, end, name);
        }
    }
}

} // namespace mwk::whole

#endif
