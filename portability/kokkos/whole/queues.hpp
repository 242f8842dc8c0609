/* queues.hpp -- the frontier of a top-down level of a whole search, in three queues by the length of rows:
 *
 *      short    a warp takes up to 32 rows and deals their edges to its lanes by a sum of lengths
 *      pieces   of PIECE edges of a long row, written by the warp that found the vertex
 *      huge     only listed: to write their pieces would keep one warp from the rest; every warp walks
 *               the list and takes its share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_QUEUES_HPP
#define MWK_WHOLE_QUEUES_HPP

#include "kokkos/whole/peers.hpp"

namespace mwk::whole
{

constexpr uint32_t PIECE = BFS_WHOLE_PIECE,
                   HUGE_ROW = 32 * PIECE; /* edges; measured as search.hpp's */

__device__ __forceinline__ uint32_t pieces_of(uint32_t n_edges)
{
    return (n_edges + PIECE - 1) / PIECE;
}

/* All lanes: the row of a piece, of n long ones, by a search in which each lane asks for one of 32 places. */
__device__ __forceinline__ uint32_t row_of_piece(const uint32_t *from, uint32_t n,
                                                 uint32_t piece)
{
    uint32_t low = 0;
    while (n > 1) {
        const uint32_t step = (n + 31) / 32, at = lane() * step;
        const uint32_t n_not_behind =
            __popc(__ballot_sync(ALL, at < n && __ldcg(from + low + at) <= piece));
        low += (n_not_behind - 1) * step;
        n -= (n_not_behind - 1) * step;
        n = n < step ? n : step;
    }
    return low;
}

/* All lanes. Appends the huge rows among label[k] of each lane. */
template <class Kind, int N>
__device__ __forceinline__ void queue_huge(const search<Kind> &s, const queues &q,
                                           const bool *huge, const uint32_t *label,
                                           tally *next)
{
#pragma unroll
    for (int k = 0; k < N; k++) {
        const uint32_t lanes = __ballot_sync(ALL, huge[k]);
        if (lanes == 0)
            continue;
        count at = 0;
        if (lane() == 0)
            at = atomicAdd(&next->n_huge, static_cast<count>(__popc(lanes)));
        at = __shfl_sync(ALL, at, 0) + before_me(lanes);
        if (huge[k] && at < s.most_huge)
            q.huge_row[at] = label[k];
    }
}

/* All lanes. Tells all ranks which of the labels are delegated: each goes along its piece
 * of their rows. */
template <class Kind, int N>
__device__ __forceinline__ void tell_delegated(const search<Kind> &s, bool *is_new,
                                               const uint32_t *label)
{
#pragma unroll
    for (int k = 0; k < N; k++) {
        const bool is = is_new[k] && label[k] < s.n_my_delegates;
        const uint32_t lanes = __ballot_sync(ALL, is);
        if (lanes == 0)
            continue;
        uint32_t at = 0;
        if (lane() == 0)
            at = atomicAdd(s.block[0] + s.part.own + BFS_WHOLE_REACHED, __popc(lanes));
        at = __shfl_sync(ALL, at, 0) + before_me(lanes);
        if (!is)
            continue;
        uint32_t *const mine = told_by(s, s.block[0], s.rank) + at;
        __stcg(mine, s.first_delegate + label[k]);
        tell(s, mine, s.first_delegate + label[k]);
        is_new[k] = false;
    }
}

/* All lanes, each with up to N new labels, which are forgotten. One atomic a warp makes
 * room for all of them; `n_edges` grows by their rows. What does not fit is counted and
 * not written: the next level is bottom-up then. */
template <class Kind, int N>
__device__ __forceinline__ void enqueue(const search<Kind> &s, const queues &q,
                                        bool *is_new, const uint32_t *label, tally *next,
                                        count &n_edges)
{
    uint32_t length[N];
    bool huge[N], any_huge = false;
    count mine = 0; /* short rows; above, pieces */
#pragma unroll
    for (int k = 0; k < N; k++)
        length[k] = is_new[k] ? static_cast<uint32_t>(__ldg(s.row + label[k] + 1) -
                                                      __ldg(s.row + label[k]))
                              : 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        n_edges += length[k];
    if constexpr (Kind::several)
        tell_delegated<Kind, N>(s, is_new, label);
#pragma unroll
    for (int k = 0; k < N; k++) {
        huge[k] = is_new[k] && length[k] > HUGE_ROW;
        any_huge |= huge[k];
        if (is_new[k] && !huge[k])
            mine +=
                length[k] <= PIECE ? 1 : static_cast<count>(pieces_of(length[k])) << 32;
    }
    if (__any_sync(ALL, any_huge))
        queue_huge<Kind, N>(s, q, huge, label, next);
    const count to_here = sum_to_here(mine), all = __shfl_sync(ALL, to_here, 31);
    if (all == 0)
        return;
    count at = 0;
    if (lane() == 31)
        at = atomicAdd(&next->n_queued, all);
    at = __shfl_sync(ALL, at, 31) + to_here - mine;
    uint32_t at_short = static_cast<uint32_t>(at),
             at_piece = static_cast<uint32_t>(at >> 32);
#pragma unroll
    for (int k = 0; k < N; k++) {
        const bool in_pieces = is_new[k] && !huge[k] && length[k] > PIECE;
        if (is_new[k] && !huge[k] && !in_pieces)
            q.short_row[at_short++] = label[k];
        const uint32_t n_pieces = in_pieces ? pieces_of(length[k]) : 0;
        for (uint32_t c = 0; c < n_pieces; c++)
            if (at_piece + c < s.most_pieces)
                q.piece[at_piece + c] = make_uint2(label[k], c);
        at_piece += n_pieces;
    }
}

} // namespace mwk::whole

#endif
