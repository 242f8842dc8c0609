/* peeling_cuda.cpp -- core numbers in one kernel, on GPUs of NVIDIA and one rank: all rounds of all k between one launch and
 * one wait, where the general way (algorithms/core/core.c) takes some kernels and a wait a round.
 *
 * A label has a count of neighbours that are left. Those who have k when no one has fewer are found by going along all labels,
 * and are peeled in a round: each neighbour that has more than k loses one, and who comes down to k that way, by one
 * atomic alone, is peeled in the next round. Nobody who was peeled has as many as the next k, so none is found twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/whole/setting.hpp"
#include "kokkos/whole/top_down.hpp"

#include "algorithms/core/core_state.h"

#include <cooperative_groups.h>

namespace mwk::whole
{

constexpr uint32_t SHORT_ROW = 256, /* entries, whatever the mean is */
    LONGER_THAN_MEAN = 8; /* times the mean: an eighth of all rows at most are */

/* What a round leaves to the next one. Three of them take turns. */
struct peeling_round {
    count n_short;
    count n_long; /* rows, and in the lower half their pieces */
};

constexpr int32_t NOBODY = INT32_MAX;

/* What a look at all labels finds. Three of them take turns. */
struct peeling_look {
    int32_t least;   /* neighbours left, of those that have more than k */
    uint32_t behind; /* the last label that has k or more */
};

struct peeling {
    uint32_t n_labels;
    const uint64_t *row;
    const uint32_t *column, *place_of;
    int32_t *left; /* may fall below 0 of who is peeled already */
    uint32_t *number;
    uint32_t *short_row, *long_row, *long_from; /* of all rounds, one after the other */
    uint32_t short_up_to;
    peeling_round *of_round; /* [3] */
    peeling_look *of_look;   /* [3] */
    core_counts *told;
};

/* All lanes: who is peeled in the next round, which begins behind `short_base` and `long_base`. */
__device__ __forceinline__ void list_peeled(const peeling &p, peeling_round *next,
                                            uint32_t short_base, count long_base, bool is,
                                            uint32_t label)
{
    const uint32_t length =
        is ? static_cast<uint32_t>(__ldg(p.row + label + 1) - __ldg(p.row + label)) : 0;
    const bool is_long = length > p.short_up_to;
    const uint32_t set = __ballot_sync(ALL, is && !is_long);
    count at = 0;
    if (set != 0 && lane() == 0)
        at = atomicAdd(&next->n_short, static_cast<count>(__popc(set)));
    at = __shfl_sync(ALL, at, 0);
    if (is && !is_long)
        p.short_row[short_base + static_cast<uint32_t>(at) + before_me(set)] = label;
    if (!is_long)
        return;
    const count mine = long_base + atomicAdd(&next->n_long, static_cast<count>(1) << 32 |
                                                                pieces_of(length));
    p.long_row[mine >> 32] = label;
    p.long_from[mine >> 32] = static_cast<uint32_t>(mine);
}

/* All lanes: the neighbours end[k] lose one. */
__device__ __forceinline__ void lose(const peeling &p, int32_t k, peeling_round *next,
                                     uint32_t short_base, count long_base,
                                     const bool *is_entry, const uint32_t *end)
{
    int32_t left[AT_ONCE];
    bool is_new[AT_ONCE], any = false;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++)
        left[i] = is_entry[i] ? __ldcg(p.left + end[i]) : 0;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++)
        left[i] = left[i] > k ? atomicSub(p.left + end[i], 1) : 0;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        is_new[i] = left[i] == k + 1;
        any |= is_new[i];
    }
    if (!__any_sync(ALL, any))
        return;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++)
        list_peeled(p, next, short_base, long_base, is_new[i], end[i]);
}

/* All threads: labels that have k are listed. */
__device__ void look_for(const peeling &p, int32_t k, uint32_t n, peeling_look *found,
                         peeling_round *next, uint32_t short_base, count long_base)
{
    int32_t least = NOBODY;
    uint32_t behind = 0;
    for (uint64_t first = my_thread() & ~UINT64_C(31); first < n; first += n_threads()) {
        const uint32_t label = static_cast<uint32_t>(first) + lane();
        const int32_t left = label < n ? __ldcg(p.left + label) : 0;
        const bool is = label < n && left == k;
        if (label < n && left > k && left < least)
            least = left;
        if (label < n && left >= k)
            behind = label + 1;
        if (__any_sync(ALL, is))
            list_peeled(p, next, short_base, long_base, is, label);
    }
    least = __reduce_min_sync(ALL, least);
    behind = __reduce_max_sync(ALL, behind);
    if (lane() == 0 && behind > 0) {
        atomicMin(&found->least, least);
        atomicMax(&found->behind, behind);
    }
}

/* All threads: the rows of this round that are not long. */
__device__ void peel_short(const peeling &p, int32_t k, const uint32_t *list, count n,
                           peeling_round *next, uint32_t short_base, count long_base)
{
    const uint32_t each = static_cast<uint32_t>((n + n_warps() - 1) / n_warps());
    const uint32_t at_once = each < 32 ? each : 32;
    for (uint32_t at = my_warp() * at_once; at < n; at += n_warps() * at_once) {
        uint32_t length = 0;
        uint64_t row = 0;
        if (lane() < at_once && at + lane() < n) {
            const uint32_t label = __ldcg(list + at + lane());
            row = __ldg(p.row + label);
            length = static_cast<uint32_t>(__ldg(p.row + label + 1) - row);
            p.number[__ldg(p.place_of + label)] = static_cast<uint32_t>(k);
        }
        const uint32_t to_here = sum_to_here(length), before = to_here - length;
        const uint32_t n_entries = __shfl_sync(ALL, to_here, 31);
        for (uint32_t first = 0; first < n_entries; first += 32 * AT_ONCE) {
            uint32_t end[AT_ONCE];
            bool is_entry[AT_ONCE];
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++) {
                const uint32_t entry = first + i * 32 + lane();
                is_entry[i] = entry < n_entries;
                const int whose = lane_of_edge(entry, is_entry[i], to_here);
                const uint64_t start = __shfl_sync(ALL, row, whose);
                const uint32_t its_first = __shfl_sync(ALL, before, whose);
                end[i] = is_entry[i] ? __ldg(p.column + start + (entry - its_first)) : 0;
            }
            lose(p, k, next, short_base, long_base, is_entry, end);
        }
    }
}

/* All threads: the long rows of this round, which begin at `base`, in pieces. */
__device__ void peel_long(const peeling &p, int32_t k, count base, count n_long,
                          peeling_round *next, uint32_t short_base, count long_base)
{
    const uint32_t first_row = static_cast<uint32_t>(base >> 32);
    const uint32_t first_piece = static_cast<uint32_t>(base);
    const uint32_t n_pieces = static_cast<uint32_t>(n_long);
    for (uint32_t i = my_warp(); i < n_pieces; i += n_warps()) {
        const uint32_t which =
            first_row + row_of_piece(p.long_from + first_row,
                                     static_cast<uint32_t>(n_long >> 32),
                                     first_piece + i);
        const uint32_t label = __ldcg(p.long_row + which);
        const uint32_t piece = first_piece + i - __ldcg(p.long_from + which);
        const uint64_t start =
            __ldg(p.row + label) + static_cast<uint64_t>(piece) * PIECE;
        const uint64_t behind = __ldg(p.row + label + 1);
        const uint64_t stop = behind < start + PIECE ? behind : start + PIECE;
        if (piece == 0 && lane() == 0)
            p.number[__ldg(p.place_of + label)] = static_cast<uint32_t>(k);
        for (uint64_t first = start; first < stop; first += 32 * AT_ONCE) {
            uint32_t end[AT_ONCE];
            bool is_entry[AT_ONCE];
#pragma unroll
            for (int e = 0; e < AT_ONCE; e++) {
                const uint64_t at = first + e * 32 + lane();
                is_entry[e] = at < stop;
                end[e] = is_entry[e] ? __ldg(p.column + at) : 0;
            }
            lose(p, k, next, short_base, long_base, is_entry, end);
        }
    }
}

__global__ void __launch_bounds__(THREADS, BLOCKS)
    peeling_kernel(const __grid_constant__ peeling p)
{
    const auto all = cooperative_groups::this_grid();
    const bool first = my_thread() == 0;
    int32_t k = 1, most = 0;
    uint32_t n_left = p.n_labels, n_looks = 0, n_rounds = 0, short_base = 0;
    uint32_t at = 0; /* of rounds and looks */
    count long_base = 0;
    for (uint64_t l = my_thread(); l < p.n_labels; l += n_threads())
        p.left[l] = static_cast<int32_t>(p.row[l + 1] - p.row[l]);
    if (my_thread() < 3) {
        p.of_round[my_thread()] = {0, 0};
        p.of_look[my_thread()] = {NOBODY, 0};
    }
    all.sync();
    for (;;) {
        peeling_look *const look = p.of_look + n_looks++ % 3;
        look_for(p, k, n_left, look, p.of_round + at % 3, short_base, long_base);
        all.sync();
        const int32_t least = __ldcg(&look->least);
        n_left = __ldcg(&look->behind);
        if (first)
            p.of_look[(n_looks + 1) % 3] = {NOBODY, 0};
        bool any = false;
        for (;; at++) {
            peeling_round *const now = p.of_round + at % 3;
            peeling_round *const next = p.of_round + (at + 1) % 3;
            const count n_short = __ldcg(&now->n_short), n_long = __ldcg(&now->n_long);
            if (first)
                p.of_round[(at + 2) % 3] = {0, 0};
            if (n_short == 0 && n_long == 0)
                break;
            any = true;
            n_rounds++;
            most = k;
            const uint32_t *const list = p.short_row + short_base;
            const count long_from = long_base;
            short_base += static_cast<uint32_t>(n_short);
            long_base += n_long;
            peel_short(p, k, list, n_short, next, short_base, long_base);
            peel_long(p, k, long_from, n_long, next, short_base, long_base);
            all.sync();
        }
        at++; /* some may not have seen yet that this round is empty */
        if (!any && least == NOBODY)
            break;
        k = any ? k + 1 : least;
    }
    if (first) {
        p.told->n_rounds = n_rounds;
        p.told->most = static_cast<uint64_t>(most);
    }
}

/* ---- the host's side ------------------------------------------------------------------------------------ */

static void peel(mw_cpe *, void *job)
{
    const core &s = *static_cast<core *>(static_cast<mw_job *>(job)->state);
    const mw_graph &g = *s.g;
    const uint32_t n = g.n_labels;
    const uint64_t mean = g.row == nullptr ? 0 : g.n_entries / n + 1;
    turn t;
    check(cudaSetDevice(exec().cuda_device()), "device"); /* of this thread */
    peeling p = {};
    p.n_labels = n;
    p.row = g.row;
    p.column = static_cast<const uint32_t *>(g.column);
    p.place_of = g.place_of;
    p.left = reinterpret_cast<int32_t *>(s.lost);
    p.number = static_cast<uint32_t *>(s.number);
    p.short_row = s.listed.label;
    p.of_round = reinterpret_cast<peeling_round *>(s.listed.end);
    p.of_look = reinterpret_cast<peeling_look *>(p.of_round + 3);
    static_assert(3 * sizeof(peeling_round) + 3 * sizeof(peeling_look) <=
                      CORE_WHOLE_LABELS * sizeof(uint64_t) / 2,
                  "core_state.h has room");
    p.long_row = reinterpret_cast<uint32_t *>(s.lost) +
                 n; /* lost[] has 64 bits, of which left[] takes the first half */
    p.long_from = p.long_row + n / 2;
    p.short_up_to = static_cast<uint32_t>(
        SHORT_ROW > LONGER_THAN_MEAN * mean ? SHORT_ROW : LONGER_THAN_MEAN * mean);
    p.told = s.counts;
    static const int n_blocks = blocks_at_once(peeling_kernel, 0);
    void *args[] = {&p};
    check(cudaLaunchCooperativeKernel(peeling_kernel, dim3(n_blocks), dim3(THREADS), args,
                                      0, exec().cuda_stream()),
          "core numbers");
    t.wait();
}

} // namespace mwk::whole

/* What core numbers have tuned here. *Measured*: docs/lab/gpu.md. */
MWK_TUNED(core_whole, tuned.peel = mwk::whole::peel;)
