/* small_rounds_cuda.cpp -- rounds of few ways, as weighted grids and roads have thousands of, by a team of blocks (team.hpp).
 *
 * A block keeps in its shared memory who is near: nodes with their words and rows. A node that has come nearer since it was
 * kept stands there twice, and the first of the two is left out. Who is far has a bit in memory, as in large rounds.
 *
 * A round is a chain: the words of all neighbours, for each that comes nearer the least of two words, then a meeting, and
 * meanwhile the next rows. It takes as long for a thousand entries as for ten. So buckets grow where rounds have few
 * entries, unless their width is given: there are fewer rounds, of which some go along a node in vain.
 *
 * A word may lose to one of the same distance, by a neighbour who had read that this node was further. That neighbour came
 * to the distance in an earlier round, and the node in this one or later, since a meeting follows each atomic that has
 * returned. So rounds rise along a cycle of nodes of one distance: there is none (sssp_state.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/whole/small_rounds_cuda.hpp"

#include <cuda_pipeline.h>

namespace mwk::whole
{

constexpr uint32_t DEALT = 16;              /* rounds */
constexpr uint32_t WORTH_OF_TEAM = 6 << 10; /* as WORTH */
constexpr uint32_t BUCKET =
    64; /* rounds that a bucket counts for, since it looks at all bits */

/* A node that is near: its word when it became so, and its row. */
struct way {
    count word;
    uint64_t start;
    uint32_t label, length;
};

/* What a block keeps of a round. */
struct ways {
    count word[KEPT];
    uint64_t start[KEPT];
    uint32_t label[KEPT], length[KEPT], name[KEPT];
    uint32_t column[KEPT][AHEAD];
    float weight[KEPT][AHEAD];
    __device__ __forceinline__ void put(uint32_t i, const way &w)
    {
        word[i] = w.word;
        start[i] = w.start;
        label[i] = w.label;
        length[i] = w.length;
    }
};

/* The way to a label by its word. */
__device__ __forceinline__ way way_to(const paths &p, uint32_t label, count word)
{
    const uint64_t start = __ldg(p.row + label);
    return {word, start, label, static_cast<uint32_t>(__ldg(p.row + label + 1) - start)};
}

/* All lanes: who is near in the next round is queued as in large rounds, once. */
__device__ __noinline__ void queue_near(const paths &p, uint32_t round, bool is,
                                        uint32_t label)
{
    of_lane next = {round, 0, 0, 0, 0, ALL};
    const uint32_t bit = UINT32_C(1) << (label & 31);
    if (is)
        is = (atomicOr(p.near[(round + 1) & 1] + (label >> 5), bit) & bit) == 0;
    queue_up<1>(p, &is, &label, next);
    if (next.n_entries > 0)
        atomicAdd(&p.of_round[(round + 1) % 3].n_entries, next.n_entries);
}

/* All lanes: who is near in the next round. */
__device__ __forceinline__ void keep_near(const paths &p, uint32_t round, bool is,
                                          const way &w)
{
    keep<ways>(round + 1, is, w.length > max(PIECE, p.short_up_to), w,
               [&](bool is_left) { queue_near(p, round, is_left, w.label); });
}

/* All lanes: the entry to `end`, which is `weight` further than `from`; is_entry: there is one. */
__device__ __forceinline__ void relax_small(const paths &p, of_lane &mine, bool is_entry,
                                            uint32_t from, count word, uint32_t name,
                                            uint32_t end, float weight)
{
    const bool is = is_entry && sssp_is_taken(&p.s, weight);
    const count own = is ? __ldcg(words_of(p) + from) : 0;
    count to = is ? __ldcg(words_of(p) + end) : 0;
    way w = is ? way_to(p, end, 0) : way{};
    mine.n_relaxed += is_entry;
    w.word = mw_word_of_float(mw_float_of_word(word) + weight, name);
    const bool tries = own >> 32 == word >> 32 && w.word >> 32 < to >> 32;
    if (tries) {
        prefetch(p.column + w.start);
        prefetch(p.weight + w.start);
    }
    if (tries)
        to = atomicMin(words_of(p) + end, w.word);
    const bool wins = tries && w.word >> 32 < to >> 32;
    const uint32_t distance = static_cast<uint32_t>(w.word >> 32);
    const bool is_near = wins && distance < mine.limit;
    if (wins && !is_near) {
        atomicOr(p.far + (end >> 5), UINT32_C(1) << (end & 31));
        mine.least_far = distance < mine.least_far ? distance : mine.least_far;
    }
    keep_near(p, mine.round, is_near, w);
}

/* All lanes, each with a row or none: entries from `at` on, `step` apart, up to `to`. */
__device__ __noinline__ void relax_rest(const paths &p, of_lane &mine, uint32_t from,
                                        count word, uint32_t name, uint64_t at,
                                        uint64_t to, uint32_t step)
{
    for (; __any_sync(ALL, at < to); at += step) {
        const bool is = at < to;
        relax_small(p, mine, is, from, word, name, is ? __ldg(p.column + at) : 0,
                    is ? __ldg(p.weight + at) : 0);
    }
}

/* All threads of a block: the rows of its nodes, each of which takes 2^most_bits lanes at most. */
__device__ void relax_kept(const paths &p, of_lane &mine, uint32_t most_bits)
{
    const ways &now = kept_here<ways>().at(mine.round);
    const uint32_t n = kept_here<ways>().n_at(mine.round);
    const uint32_t bits = kept_here<ways>().lane_bits_of_row(mine.round, most_bits);
    const uint32_t each = 1u << bits, alone_up_to = max(each, ALONE_UP_TO);
    for (uint32_t at = threadIdx.x; (at & ~31u) < n << bits; at += THREADS) {
        const uint32_t i = at >> bits, k = at & (each - 1);
        const bool is = i < n;
        const uint32_t length = is ? now.length[i] : 0;
        const uint32_t from = is ? now.label[i] : 0, name = is ? now.name[i] : 0;
        const count word = is ? now.word[i] : 0;
        const uint64_t row = is ? now.start[i] : 0;
        uint32_t end = 0;
        float weight = 0;
        if (k < length) {
            end = k < AHEAD ? now.column[i][k] : __ldg(p.column + row + k);
            weight = k < AHEAD ? now.weight[i][k] : __ldg(p.weight + row + k);
        }
        relax_small(p, mine, k < length, from, word, name, end, weight);
        if (!__any_sync(ALL, length > each))
            continue;
        relax_rest(p, mine, from, word, name, row + each + k,
                   row + min(length, alone_up_to), each);
        for (uint32_t left = __ballot_sync(ALL, k == 0 && length > alone_up_to);
             left != 0; left &= left - 1) {
            const int whose = __ffs(left) - 1;
            const uint64_t its_row = __shfl_sync(ALL, row, whose);
            relax_rest(p, mine, __shfl_sync(ALL, from, whose),
                       __shfl_sync(ALL, word, whose), __shfl_sync(ALL, name, whose),
                       its_row + alone_up_to + lane(),
                       its_row + __shfl_sync(ALL, length, whose), 32);
        }
    }
}

/* Threads of a block but the clerk's warp: the first entries of a round's rows, and what its nodes are called. */
__device__ __forceinline__ void fetch_ways(const paths &p, uint32_t round)
{
    ways &now = kept_here<ways>().at(round);
    const uint32_t n = kept_here<ways>().n_at(round);
    for (uint32_t i = threadIdx.x; i < n; i += CLERK) {
        const uint32_t length = now.length[i];
        const uint64_t start = now.start[i];
#pragma unroll
        for (uint32_t k = 0; k < AHEAD; k++)
            if (k < length) {
                __pipeline_memcpy_async(&now.column[i][k], p.column + start + k,
                                        sizeof now.column[i][k]);
                __pipeline_memcpy_async(&now.weight[i][k], p.weight + start + k,
                                        sizeof now.weight[i][k]);
            }
        now.name[i] = name_of(p, now.label[i], now.word[i]);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

/* ---- dealing --------------------------------------------------------------------------------------------- */

/* Nodes of a round that is dealt stand where the next one's will be queued. */
__device__ __forceinline__ uint32_t *dealt_ways(const paths &p, uint32_t round)
{
    return p.queue[~round & 1];
}

/* All threads of a block: its nodes, and their entries, to those that are dealt; each once. */
__device__ void deal_out_ways(const paths &p, uint32_t round, small_level &to)
{
    const ways &now = kept_here<ways>().at(round);
    const uint32_t n = kept_here<ways>().n_at(round);
    for (uint32_t at = threadIdx.x; (at & ~31u) < n; at += THREADS) {
        const bool is =
            at < n && __ldcg(words_of(p) + now.label[at]) >> 32 == now.word[at] >> 32;
        const uint32_t set = __ballot_sync(ALL, is);
        const uint32_t n_entries = __reduce_add_sync(ALL, is ? now.length[at] : 0);
        count first = 0;
        if (lane() == 0 && set != 0) {
            first = atomicAdd(&to.n, static_cast<count>(__popc(set)));
            atomicAdd(&to.n_entries, static_cast<count>(n_entries));
        }
        first = __shfl_sync(ALL, first, 0);
        if (is)
            dealt_ways(p, round)[first + before_me(set)] = now.label[at];
    }
}

/* All threads of a block: its share of n nodes, whose words may be lower by now; ALL: none. All blocks have theirs when
 * they meet next. `queued`: they were, for a large round, so they have bits. */
__device__ void take_ways(const paths &p, uint32_t round, const uint32_t *list,
                          uint32_t n, bool queued)
{
    kept<ways> &mine = kept_here<ways>();
    for (uint32_t i = share_of_block(n) + threadIdx.x; i < share_of_block(n, 1);
         i += THREADS) {
        const uint32_t label = __ldcg(list + i);
        if (label == ALL)
            continue;
        mine.at(round).put(atomicAdd(&mine.n[round % 3], 1),
                           way_to(p, label, __ldcg(words_of(p) + label)));
        if (queued)
            atomicAnd(p.near[round & 1] + (label >> 5), ~(UINT32_C(1) << (label & 31)));
    }
}

/* ---- a bucket ------------------------------------------------------------------------------------------- */

/* All threads of the team: who is far and in the new bucket is near in this round. */
__device__ void promote_small(const paths &p, of_lane &mine)
{
    const uint32_t n_words = (p.s.rows.n + 31) / 32;
    of_lane before = mine; /* as if the last round had found them */
    before.round--;
    for (uint32_t at = 32 * my_warp(); at < n_words; at += 32 * n_warps()) {
        const uint32_t w = at + lane();
        const uint32_t had = w < n_words ? __ldcg(p.far + w) : 0;
        uint32_t stay = 0;
        for (uint32_t left = had; __any_sync(ALL, left != 0); left &= left - 1) {
            const uint32_t bit = left & (~left + 1);
            const uint32_t label = bit != 0 ? 32 * w + __ffs(left) - 1 : 0;
            const count word = bit != 0 ? __ldcg(words_of(p) + label) : 0;
            const uint32_t distance = static_cast<uint32_t>(word >> 32);
            const bool is = bit != 0 && distance >= mine.below && distance < mine.limit;
            if (bit != 0 && distance >= mine.limit) {
                stay |= bit;
                mine.least_far = distance < mine.least_far ? distance : mine.least_far;
            }
            keep_near(p, before.round, is, is ? way_to(p, label, word) : way{});
        }
        if (stay != had)
            __stcg(p.far + w, stay);
    }
}

/* All lanes: what a bucket has come to, told to all. */
__device__ __forceinline__ void tell_bucket(const paths &p, uint32_t slot, of_lane &mine,
                                            count &told)
{
    const count n = sum_at_0(mine.n_relaxed - told);
    const uint32_t least = __reduce_min_sync(ALL, mine.least_far);
    told = mine.n_relaxed;
    mine.least_far = ALL;
    if (lane() != 0)
        return;
    if (n > 0)
        atomicAdd(&p.bucket[slot].n_entries, n);
    if (least != ALL)
        atomicMin(&p.bucket[slot].least_far, least);
}

/* All threads of the team: who is near is queued for a large round. */
__device__ void leave(const paths &p, const of_lane &mine)
{
    const ways &now = kept_here<ways>().at(mine.round);
    const uint32_t n = kept_here<ways>().n_at(mine.round);
    const uint32_t least = __reduce_min_sync(ALL, mine.least_far);
    const count n_relaxed = sum_at_0(mine.n_relaxed);
    for (uint32_t at = threadIdx.x; (at & ~31u) < n; at += THREADS)
        queue_near(p, mine.round - 1, at < n, at < n ? now.label[at] : 0);
    if (lane() != 0)
        return;
    if (n_relaxed > 0)
        atomicAdd(p.n_relaxed, n_relaxed);
    if (least != ALL)
        atomicMin(&p.of_round[mine.round % 3].least_far, least);
}

__global__ void __launch_bounds__(THREADS, 1)
    small_rounds_kernel(const __grid_constant__ paths p)
{
    kept<ways> &mine = kept_here<ways>();
    const bool first = my_thread() == 0;
    paths_standing at = *p.standing_at;
    uint32_t slot = 0, bucket_slot = 0, said = 0, n_steps = 0;
    const uint32_t most_bits = lane_bits(p.row[1] - p.row[0]);
    count n_rounds = at.n_rounds, told = 0;
    team all(p.of_team);
    of_lane here = {at.round, at.below, at.limit, 0, 0, at.least_far};
    const auto say = [&] { return mine.say(here.round); };

    mine.clear();
    const round_tally now = p.of_round[at.round % 3];
    here.least_far = now.least_far < here.least_far ? now.least_far : here.least_far;
    take_ways(p, at.round, p.queue[at.round & 1], static_cast<uint32_t>(now.n_near),
              true);
    take_ways(p, at.round, p.long_row[at.round & 1],
              static_cast<uint32_t>(now.n_long >> 32), true);
    all.meet();
    if (my_thread() < 3) {
        p.of_round[my_thread()] = {0, 0, 0, ALL};
        p.bucket[my_thread()] = {0, ALL};
    }
    said = all.meet(
        true, say, [] {}, [&] { fetch_ways(p, here.round); });
    for (bool promotes;;) {
        if (said > p.small || n_steps >= AT_A_CALL)
            break;
        promotes = said == 0; /* nobody is near */
        if (promotes) {
            tell_bucket(p, bucket_slot, here, told);
            all.meet();
            const uint32_t least = __ldcg(&p.bucket[bucket_slot].least_far);
            at.width =
                next_width(p, at.width, __ldcg(&p.bucket[bucket_slot].n_entries),
                           static_cast<uint32_t>(at.n_rounds - n_rounds), WORTH_OF_TEAM);
            n_rounds = at.n_rounds;
            bucket_slot = (bucket_slot + 1) % 3;
            if (first)
                p.bucket[(bucket_slot + 1) % 3] = {0, ALL};
            if (least == ALL)
                break;
            here.below = here.limit;
            here.limit = limit_from(least, at.width);
            at.n_buckets++;
            n_steps += BUCKET;
            promote_small(p, here);
        } else {
            relax_kept(p, here, most_bits);
            at.n_rounds++;
            here.round++;
            n_steps++;
        }
        said = all.meet(
            promotes, say, [&] { mine.forget(here.round - 1); },
            [&] { fetch_ways(p, here.round); });
        if (here.round % DEALT != 0 || said == 0 || said > p.small)
            continue;
        deal_out_ways(p, here.round, p.of_team->dealt[slot]);
        all.meet();
        const count n = __ldcg(&p.of_team->dealt[slot].n);
        const count n_entries = __ldcg(&p.of_team->dealt[slot].n_entries);
        slot = (slot + 1) % 3;
        if (first)
            p.of_team->dealt[(slot + 1) % 3] = {0, 0};
        if (threadIdx.x == 0)
            mine.n[here.round % 3] = 0;
        __syncthreads();
        take_ways(p, here.round, dealt_ways(p, here.round), static_cast<uint32_t>(n),
                  false);
        all.meet(false, [&] { fetch_ways(p, here.round); });
        said = static_cast<uint32_t>(n);
        if (n_entries > 2 * p.small)
            break;
    }
    leave(p, here);
    if (first)
        *p.standing_at = {here.round,   here.below,  here.limit, ALL,
                          at.n_buckets, at.n_rounds, at.width};
}

/* ---- the host's side ------------------------------------------------------------------------------------ */

static uint32_t team_of_rounds()
{
    static const uint32_t n_blocks =
        team_of_device(small_rounds_kernel, sizeof(kept<ways>));
    return n_blocks;
}

/* A block takes its shares of two lists, each of which may be one more than the mean. */
uint32_t small_rounds_entries()
{
    return small_for_team(team_of_rounds()) - 2 * team_of_rounds();
}

void small_rounds(const paths &p)
{
    launch_team(small_rounds_kernel, team_of_rounds(), sizeof(kept<ways>), p.of_team, p,
                "small rounds of shortest paths");
}

} // namespace mwk::whole
