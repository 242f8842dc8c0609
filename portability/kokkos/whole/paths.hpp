/* paths.hpp -- a round of shortest paths by all blocks of a device; paths_cuda.cpp goes from round to round. Small ones are a
 * team's (small_rounds_cuda.cpp).
 *
 *      relax     those near: who comes nearer is near in the next round, or far
 *      bound     the landmark has come nearer: nobody is further than by it
 *      promote   nobody is near: the next bucket begins at the least distance of those far
 *
 * Who is near has a bit, in two bitmaps that take turns. The first `most_queued` of a round are also queued, and the next
 * round goes along the queue; where there are more, along the bitmap, so that rows and words are read in order.
 * Rows up to `short_up_to` are a lane's, dealt to the lanes of a warp; of longer ones each warp takes pieces.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_PATHS_HPP
#define MWK_WHOLE_PATHS_HPP

#include "kokkos/skeleton_kokkos.hpp"
#include "kokkos/whole/setting.hpp"
#include "kokkos/whole/top_down.hpp"

#include "algorithms/sssp/sssp_elements.h"

namespace mwk::whole
{

constexpr uint32_t QUEUED = 64,
                   MOST_QUEUED =
                       1 << 16;       /* of that many labels one is queued; or so many */
constexpr uint32_t WORTH = 128 << 10; /* entries of a round: with fewer buckets grow */
constexpr float WIDEST =
    1024; /* times the width that was chosen: then a search that becomes wide still has buckets */
constexpr uint32_t SMALL_ROUNDS = 16; /* that follow each other, before it does */
constexpr uint32_t SHORT =
    32; /* entries of a row that is no long one, whatever the mean is */
constexpr uint32_t LONGER =
    8; /* than the mean: an eighth of all rows at most, each of which may be listed twice */

/* What a round leaves to the next one. Three of them take turns. */
struct round_tally {
    count n_near;       /* all of them */
    count n_long;       /* rows, and in the lower half their pieces */
    count n_entries;    /* of the rows of those that are queued */
    uint32_t least_far; /* bits of a distance; ALL: nobody has become far */
};

/* Where one kernel leaves the search to the next one. */
struct paths_standing {
    uint32_t round, below, limit, least_far;
    count n_buckets, n_rounds;
    float width; /* of buckets */
};

/* What a bucket of small rounds has come to. Three of them take turns. */
struct bucket_tally {
    count n_entries;    /* looked at */
    uint32_t least_far; /* bits of a distance; ALL: nobody is far */
};

/* A search's memory, of cores. */
struct paths {
    sssp_state s;
    mw_graph g;
    const uint64_t *row;
    const uint32_t *column;
    const float *weight;
    uint32_t *near[2], *far; /* bitmaps */
    uint32_t *queue[2], *long_row[2],
        *long_from[2];     /* the last: pieces of the rows before */
    round_tally *of_round; /* [3] */
    paths_standing *standing_at;
    count *n_relaxed; /* of all kernels of the search */
    uint32_t short_up_to, most_queued;
    uint32_t small; /* entries of a round that a team takes over */
    team_memory *of_team;
    bucket_tally *bucket; /* [3] */
};

/* Labels of a warp that are near: numbers among 1024. */
__device__ __forceinline__ uint16_t *near_here()
{
    __shared__ uint16_t near[WARPS][1024];
    return near[threadIdx.x >> 5];
}

__device__ __forceinline__ count *words_of(const paths &p)
{
    return reinterpret_cast<count *>(p.s.word);
}
__device__ __forceinline__ uint32_t length_of(const paths &p, uint32_t label)
{
    return static_cast<uint32_t>(__ldg(p.row + label + 1) - __ldg(p.row + label));
}

/* What a round is to a lane, and what the lane has come to in it; n_relaxed of all rounds. */
struct of_lane {
    uint32_t round, below, limit;
    count n_entries, n_relaxed;
    uint32_t least_far;
};

/* A row in pieces, of this round or of the next one. */
__device__ __forceinline__ void list_long(const paths &p, uint32_t round, uint32_t label,
                                          uint32_t length)
{
    const count at = atomicAdd(&p.of_round[round % 3].n_long,
                               static_cast<count>(1) << 32 | pieces_of(length));
    p.long_row[round & 1][at >> 32] = label;
    p.long_from[round & 1][at >> 32] = static_cast<uint32_t>(at);
}

/* All lanes: label[k] is near in the next round. */
template <int N>
__device__ __forceinline__ void queue_up(const paths &p, const bool *is_new,
                                         const uint32_t *label, of_lane &mine)
{
    const uint32_t next = mine.round + 1;
    uint32_t length[N], set[N], n = 0, at = 0;
#pragma unroll
    for (int k = 0; k < N; k++) {
        set[k] = __ballot_sync(ALL, is_new[k]);
        n += __popc(set[k]);
    }
    if (n > 0 && lane() == 0)
        at = static_cast<uint32_t>(
            atomicAdd(&p.of_round[next % 3].n_near, static_cast<count>(n)));
    at = __shfl_sync(ALL, at, 0);
    if (n == 0 || at + n > p.most_queued)
        return;
#pragma unroll
    for (int k = 0; k < N; k++)
        length[k] = is_new[k] ? length_of(p, label[k]) : 0;
#pragma unroll
    for (int k = 0; k < N; k++) {
        const bool is_long = length[k] > p.short_up_to;
        if (is_new[k])
            p.queue[next & 1][at + before_me(set[k])] = is_long ? ALL : label[k];
        if (is_long)
            list_long(p, next, label[k], length[k]);
        at += __popc(set[k]);
        mine.n_entries += length[k];
    }
}

/* Who of these ways is shorter, is its label's; is_new: who is in the bucket now, and not near yet. Each step is asked for
 * all four before any answer is waited for. */
__device__ __forceinline__ void come_nearer(const paths &p, const uint32_t *label,
                                            count *is, const count *word, bool *is_new,
                                            of_lane &mine)
{
    uint32_t *const near = p.near[(mine.round + 1) & 1];
    bool tries[AT_ONCE], wins[AT_ONCE], again = false;
    count before[AT_ONCE];
    uint32_t bits[AT_ONCE];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        wins[k] = false;
        tries[k] = word[k] >> 32 < is[k] >> 32;
        again |= tries[k];
    }
    while (again) {
        again = false;
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            if (tries[k])
                before[k] = atomicCAS(words_of(p) + label[k], is[k], word[k]);
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            if (tries[k]) {
                wins[k] = before[k] == is[k];
                is[k] = before[k];
                tries[k] = !wins[k] && word[k] >> 32 < is[k] >> 32;
                again |= tries[k];
            }
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        const uint32_t distance = static_cast<uint32_t>(word[k] >> 32);
        const uint32_t bit = UINT32_C(1) << (label[k] & 31);
        bits[k] = ALL;
        if (wins[k] && distance < mine.limit)
            bits[k] = atomicOr(near + (label[k] >> 5), bit);
        if (!wins[k] || distance < mine.limit)
            continue;
        atomicOr(p.far + (label[k] >> 5), bit);
        mine.least_far = distance < mine.least_far ? distance : mine.least_far;
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        is_new[k] = !has(bits[k], label[k]);
}

/* The end of a bucket that begins at a distance; never of an empty one. */
__device__ __forceinline__ uint32_t limit_from(uint32_t least, float width)
{
    const uint32_t bits = mw_bits_of_float(mw_float_of_bits(least) + width);
    return bits > least ? bits : least + 1;
}

/* The width of the next bucket. Rounds of fewer entries than are `worth` one take as long as if they had so many. */
__device__ __forceinline__ float next_width(const paths &p, float width, count n_entries,
                                            uint32_t n_rounds, uint32_t worth)
{
    if (p.s.delta_given || n_rounds == 0)
        return width;
    const count each = n_entries / n_rounds;
    if (each < worth)
        return min(1.5F * width, WIDEST * p.s.delta);
    return each > 2 * static_cast<count>(worth) ? max(width / 1.5F, p.s.delta) : width;
}

/* The number that a word by this label has, of which the word is `from`. */
__device__ __forceinline__ uint32_t name_of(const paths &p, uint32_t label, count from)
{
    return static_cast<uint32_t>(sssp_word_by(&p.s, label, from, 0));
}

/* All lanes: entries at[k] of rows of those whose words are from[k], and who are called name[k]. */
__device__ __forceinline__ void relax(const paths &p, const bool *is_entry,
                                      const uint64_t *at, const uint32_t *name,
                                      const count *from, of_lane &mine)
{
    uint32_t end[AT_ONCE];
    float weight[AT_ONCE];
    count is[AT_ONCE], word[AT_ONCE];
    bool is_new[AT_ONCE], any = false;
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        end[k] = is_entry[k] ? __ldg(p.column + at[k]) : 0;
        weight[k] = is_entry[k] ? __ldg(p.weight + at[k]) : 0;
        mine.n_relaxed += is_entry[k];
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        is[k] = is_entry[k] && sssp_is_taken(&p.s, weight[k])
                    ? __ldcg(words_of(p) + end[k])
                    : 0;
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        word[k] = mw_word_of_float(mw_float_of_word(from[k]) + weight[k], name[k]);
    come_nearer(p, end, is, word, is_new, mine);
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        any |= is_new[k];
    if (__any_sync(ALL, any))
        queue_up<AT_ONCE>(p, is_new, end, mine);
}

/* All lanes, each with a label or ALL: rows that are not long. */
__device__ __forceinline__ void relax_rows(const paths &p, uint32_t label, of_lane &mine)
{
    uint32_t length = 0, its_name = 0;
    uint64_t row = 0;
    count word = 0;
    if (label != ALL) {
        row = __ldg(p.row + label);
        length = static_cast<uint32_t>(__ldg(p.row + label + 1) - row);
        word = __ldcg(words_of(p) + label);
        its_name = name_of(p, label, word);
    }
    const uint32_t to_here = sum_to_here(length), before = to_here - length;
    const uint32_t n_entries = __shfl_sync(ALL, to_here, 31);
    for (uint32_t first = 0; first < n_entries; first += 32 * AT_ONCE) {
        uint32_t name[AT_ONCE];
        uint64_t at[AT_ONCE];
        count from[AT_ONCE];
        bool is_entry[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const uint32_t entry = first + k * 32 + lane();
            is_entry[k] = entry < n_entries;
            const int whose = lane_of_edge(entry, is_entry[k], to_here);
            name[k] = __shfl_sync(ALL, its_name, whose);
            from[k] = __shfl_sync(ALL, word, whose);
            at[k] =
                __shfl_sync(ALL, row, whose) + (entry - __shfl_sync(ALL, before, whose));
        }
        relax(p, is_entry, at, name, from, mine);
    }
}

/* All threads: those queued. A few rows at once where there are fewer than 32 for each warp. */
inline __device__ void relax_queue(const paths &p, uint32_t n, of_lane &mine)
{
    const uint32_t *const queue = p.queue[mine.round & 1];
    uint32_t *const near = p.near[mine.round & 1];
    const uint32_t each = (n + n_warps() - 1) / n_warps();
    const uint32_t at_once = each < 32 ? each : 32;
    for (uint32_t i = my_warp() * at_once; i < n; i += n_warps() * at_once) {
        uint32_t label = ALL;
        if (lane() < at_once && i + lane() < n)
            label = __ldcg(queue + i + lane());
        if (label != ALL)
            atomicAnd(near + (label >> 5), ~(UINT32_C(1) << (label & 31)));
        relax_rows(p, label, mine);
    }
}

/* All threads: those near, in order; long rows are only listed. */
inline __device__ void relax_near(const paths &p, of_lane &mine)
{
    const uint32_t n_words = (p.s.rows.n + 31) / 32;
    uint32_t *const near = p.near[mine.round & 1];
    uint16_t *const here = near_here();
    /* Words of a warp are far from each other, for the first ones have the longest rows. */
    const uint32_t each = (n_words + n_warps() - 1) / n_warps();
    const uint32_t at_once = each < 32 ? each : 32,
                   apart = (n_words + at_once - 1) / at_once;
    for (uint32_t at = my_warp(); at < apart; at += n_warps()) {
        const uint32_t w = at + lane() * apart;
        uint32_t bits = lane() < at_once && w < n_words ? __ldcg(near + w) : 0;
        if (bits != 0)
            __stcg(near + w, 0);
        uint32_t to = sum_to_here(__popc(bits));
        const uint32_t n = __shfl_sync(ALL, to, 31);
        to -= __popc(bits);
        for (; bits != 0; bits &= bits - 1)
            here[to++] = static_cast<uint16_t>(32 * lane() + __ffs(bits) - 1);
        __syncwarp();
        for (uint32_t i = 0; i < n; i += 32) {
            uint32_t label = ALL;
            if (i + lane() < n)
                label =
                    32 * (at + (here[i + lane()] >> 5) * apart) + (here[i + lane()] & 31);
            const uint32_t length = label != ALL ? length_of(p, label) : 0;
            if (length > p.short_up_to) {
                list_long(p, mine.round, label, length);
                label = ALL;
            }
            relax_rows(p, label, mine);
        }
        __syncwarp();
    }
}

inline __device__ void relax_long(const paths &p, count n_long, bool are_queued,
                                  of_lane &mine)
{
    const uint32_t half = mine.round & 1, n_pieces = static_cast<uint32_t>(n_long);
    for (uint32_t i = my_warp(); i < n_pieces; i += n_warps()) {
        const uint32_t which =
            row_of_piece(p.long_from[half], static_cast<uint32_t>(n_long >> 32), i);
        const uint32_t label = __ldcg(p.long_row[half] + which);
        const uint32_t piece = i - __ldcg(p.long_from[half] + which);
        if (are_queued && piece == 0 && lane() == 0)
            atomicAnd(p.near[half] + (label >> 5), ~(UINT32_C(1) << (label & 31)));
        const uint64_t start =
            __ldg(p.row + label) + static_cast<uint64_t>(piece) * PIECE;
        const uint64_t behind = __ldg(p.row + label + 1);
        const uint64_t end = behind < start + PIECE ? behind : start + PIECE;
        const count word = __ldcg(words_of(p) + label);
        const uint32_t its_name = name_of(p, label, word);
        const uint32_t name[AT_ONCE] = {its_name, its_name, its_name, its_name};
        const count from[AT_ONCE] = {word, word, word, word};
        for (uint64_t first = start; first < end; first += 32 * AT_ONCE) {
            uint64_t at[AT_ONCE];
            bool is_entry[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                at[k] = first + k * 32 + lane();
                is_entry[k] = at[k] < end;
            }
            relax(p, is_entry, at, name, from, mine);
        }
    }
}

/* All threads: who is far and in the new bucket is near now. Who has come below it since has been relaxed. */
inline __device__ void promote(const paths &p, of_lane &mine)
{
    const uint32_t n_words = (p.s.rows.n + 31) / 32;
    uint32_t *const near = p.near[(mine.round + 1) & 1];
    for (uint32_t at = 32 * my_warp(); at < n_words; at += 32 * n_warps()) {
        const uint32_t w = at + lane();
        const uint32_t had = w < n_words ? __ldcg(p.far + w) : 0;
        uint32_t stay = 0, goes = 0;
        for (uint32_t left = had; __any_sync(ALL, left != 0); left &= left - 1) {
            const uint32_t bit = left & (~left + 1);
            const uint32_t label = 32 * w + __ffs(left) - 1;
            const uint32_t distance =
                bit != 0 ? static_cast<uint32_t>(__ldcg(words_of(p) + label) >> 32) : 0;
            const bool is_new =
                bit != 0 && distance >= mine.below && distance < mine.limit;
            if (bit != 0 && distance >= mine.limit) {
                stay |= bit;
                mine.least_far = distance < mine.least_far ? distance : mine.least_far;
            }
            goes |= is_new ? bit : 0;
            queue_up<1>(p, &is_new, &label, mine);
        }
        if (stay != had)
            __stcg(p.far + w, stay);
        if (goes != 0)
            __stcg(near + w, goes);
    }
}

/* All lanes of any warp: where the landmark has come nearer than `seen`, words of this thread's nodes are bounded
 * (sssp_bound_node()). Others lower them at the same time, so nobody need wait for anybody. */
inline __device__ void bound_nodes(const paths &p, uint32_t &seen)
{
    if (p.s.kept_way == nullptr)
        return;
    count word = 0;
    if (lane() == 0)
        word = __ldcg(words_of(p) + p.s.hook[p.s.landmark_place].at);
    word = __shfl_sync(ALL, word, 0);
    const float distance = mw_float_of_word(word);
    if (static_cast<uint32_t>(word >> 32) >= seen || !(distance <= 2 * p.s.greatest))
        return;
    seen = static_cast<uint32_t>(word >> 32);
    for (uint64_t node = my_thread(); node < p.s.rows.n; node += n_threads()) {
        const count by = sssp_bound_by(&p.s, node, distance);
        if (by < __ldcg(words_of(p) + node))
            atomicMin(words_of(p) + node, by);
    }
}

/* All threads, before the first round. */
inline __device__ void begin_paths(const paths &p)
{
    for (uint64_t w = my_thread(); w < (p.s.rows.n + 31) / 32; w += n_threads())
        p.near[0][w] = p.near[1][w] = 0;
    if (my_thread() < 3)
        p.of_round[my_thread()] = {0, 0, 0, ALL};
    if (my_thread() == 0)
        *p.n_relaxed = 0;
}

constexpr uint32_t FIRST_ROUND = 3;

/* The first warp of all: the root is near in the first round. */
inline __device__ void begin_at_root(const paths &p, of_lane &mine)
{
    uint64_t word;
    const uint32_t label = sssp_first(&p.s, &p.g, &word);
    const bool is = lane() == 0 && label != MW_NO_LABEL;
    if (is)
        p.near[FIRST_ROUND & 1][label >> 5] = UINT32_C(1) << (label & 31);
    queue_up<1>(p, &is, &label, mine);
}

} // namespace mwk::whole

#endif
