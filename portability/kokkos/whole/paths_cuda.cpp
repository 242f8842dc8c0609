/* paths_cuda.cpp -- shortest paths in one kernel, on GPUs of NVIDIA and one rank: all rounds of all buckets between one launch
 * and one wait, where the general way (sssp_rounds.c) takes four kernels and two waits a round. Where rounds are small, as
 * on grids, the kernel pauses and a team of blocks goes on (small_rounds_cuda.cpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/whole/paths.hpp"
#include "kokkos/whole/small_rounds_cuda.hpp"

#include <cooperative_groups.h>

namespace mwk::whole
{

__device__ __forceinline__ void meet_all()
{
    cooperative_groups::this_grid().sync();
}

/* All lanes: what this warp has come to, told to the next round. */
__device__ __forceinline__ void tell_next(round_tally *next, const of_lane &mine)
{
    const count n = sum_at_0(mine.n_entries);
    const uint32_t least = __reduce_min_sync(ALL, mine.least_far);
    if (lane() != 0)
        return;
    if (n > 0)
        atomicAdd(&next->n_entries, n);
    if (least != ALL)
        atomicMin(&next->least_far, least);
}

/* All threads. */
__device__ void relax_all(const paths &p, const round_tally *now, count n_near,
                          of_lane &mine)
{
    const bool are_queued = n_near <= p.most_queued;
    if (are_queued) {
        relax_queue(p, static_cast<uint32_t>(n_near), mine);
    } else {
        relax_near(p, mine);
        meet_all();
    }
    relax_long(p, __ldcg(&now->n_long), are_queued, mine);
}

/* What all threads keep from round to round they lack within one, so one thread of a block keeps what it can. */
struct of_block {
    paths_standing at;
    count n_entries;   /* of this bucket's rounds */
    uint64_t n_before; /* rounds before it */
};

/* One thread of a block: the next bucket begins at the least distance of those far. */
__device__ __forceinline__ void begin_bucket(const paths &p, of_block &here,
                                             uint32_t least)
{
    paths_standing &at = here.at;
    at.width = next_width(p, at.width, here.n_entries,
                          static_cast<uint32_t>(at.n_rounds - here.n_before), WORTH);
    at.limit = limit_from(least, at.width);
    at.n_buckets++;
    here.n_before = at.n_rounds;
    here.n_entries = 0;
}

/* From the root, or from where a team has left; until SMALL_ROUNDS were small. */
template <bool BEGINS>
__global__ void __launch_bounds__(THREADS, BLOCKS) paths_kernel(paths p)
{
    __shared__ of_block here;
    const bool first = my_thread() == 0;
    of_lane mine = {FIRST_ROUND - 1, 0, 0, 0, 0, ALL};
    uint32_t n_small = 0, landmark = ALL, least_far;
    bool is_done;
    if (threadIdx.x == 0) {
        here.at =
            BEGINS ? paths_standing{FIRST_ROUND, 0, limit_from(0, p.s.delta), ALL, 1, 0,
                                    p.s.delta}
                   : *p.standing_at;
        here.n_entries = 0;
        here.n_before = here.at.n_rounds;
    }
    if (BEGINS) {
        begin_paths(p);
        meet_all();
        if (my_thread() < 32) {
            begin_at_root(p, mine);
            tell_next(p.of_round + FIRST_ROUND % 3, mine);
        }
    }
    meet_all();
    least_far = here.at.least_far;
    mine.limit = here.at.limit;
    mine.below = here.at.below;
    for (mine.round = here.at.round;; mine.round++) {
        const round_tally *const now = p.of_round + mine.round % 3;
        const count n_near = __ldcg(&now->n_near), n_entries = __ldcg(&now->n_entries);
        const count n_long = __ldcg(&now->n_long);
        const bool is_small = n_near <= p.most_queued && n_entries <= p.small &&
                              n_long >> 32 == static_cast<uint32_t>(n_long);
        least_far = min(__ldcg(&now->least_far), least_far);
        is_done = n_near == 0 && least_far == ALL;
        n_small = is_small ? n_small + 1 : 0;
        if (is_done || n_small > SMALL_ROUNDS)
            break;
        if (first)
            p.of_round[(mine.round + 2) % 3] = {0, 0, 0, ALL};
        if (n_near == 0) {
            if (threadIdx.x == 0)
                begin_bucket(p, here, least_far);
            __syncthreads();
            mine.below = mine.limit;
            mine.limit = here.at.limit;
            least_far = ALL;
        } else if (threadIdx.x == 0) {
            here.at.n_rounds++;
            here.n_entries += n_near <= p.most_queued ? n_entries : 2 * WORTH;
        }
        mine.n_entries = 0;
        mine.least_far = ALL;
        bound_nodes(p, landmark);
        if (n_near == 0)
            promote(p, mine);
        else
            relax_all(p, now, n_near, mine);
        tell_next(p.of_round + (mine.round + 1) % 3, mine);
        meet_all();
    }
    const count n_relaxed = sum_at_0(mine.n_relaxed);
    if (lane() == 0 && n_relaxed > 0)
        atomicAdd(p.n_relaxed, n_relaxed);
    meet_all();
    if (first) {
        here.at.round = mine.round;
        here.at.below = mine.below;
        here.at.least_far = least_far;
        *p.standing_at = here.at;
        p.s.counts->n_relaxed = *p.n_relaxed;
        p.s.counts->n_rounds = here.at.n_rounds;
        p.s.counts->n_buckets = here.at.n_buckets;
        p.s.counts->is_done = is_done;
    }
}

/* ---- the host's side ------------------------------------------------------------------------------------ */

static paths paths_of(const sssp_state &s)
{
    const mw_graph &g = *s.g;
    const uint64_t n = s.rows.n, mean = n > 0 ? s.rows.n_entries / n + 1 : 0;
    paths p = {};
    p.s = s;
    p.g = g;
    p.row = s.rows.row;
    p.column = static_cast<const uint32_t *>(s.rows.column);
    p.weight = s.rows.weight;
    p.near[0] = reinterpret_cast<uint32_t *>(s.near);
    p.near[1] =
        static_cast<uint32_t *>(s.parent); /* not written before the search is over */
    p.far = reinterpret_cast<uint32_t *>(s.far);
    p.queue[0] = s.list;
    p.queue[1] = reinterpret_cast<uint32_t *>(s.list_end);
    for (int half = 0; half < 2; half++) {
        p.long_row[half] = p.queue[1] + n + 2 * half * (n / 4);
        p.long_from[half] = p.long_row[half] + n / 4;
    }
    p.of_round = static_cast<round_tally *>(s.rounds);
    p.standing_at = reinterpret_cast<paths_standing *>(p.of_round + 3);
    p.n_relaxed = reinterpret_cast<count *>(p.standing_at + 1);
    p.of_team = reinterpret_cast<team_memory *>(p.n_relaxed + 1);
    p.bucket = reinterpret_cast<bucket_tally *>(p.of_team + 1);
    static_assert(3 * sizeof(round_tally) + sizeof(paths_standing) + sizeof(count) +
                          sizeof(team_memory) + 3 * sizeof(bucket_tally) <=
                      SSSP_ROUNDS_BYTES,
                  "sssp_state.h has room");
    p.small = small_rounds_entries();
    p.short_up_to = SHORT > LONGER * mean ? SHORT : static_cast<uint32_t>(LONGER * mean);
    p.most_queued = static_cast<uint32_t>(n / QUEUED > MOST_QUEUED ? n / QUEUED
                                          : n < MOST_QUEUED        ? n
                                                                   : MOST_QUEUED);
    return p;
}

template <bool BEGINS> static void launch(const paths &p)
{
    const auto kernel = paths_kernel<BEGINS>;
    static const int n_blocks = blocks_at_once(kernel, 0);
    paths x = p;
    void *args[] = {&x};
    check(cudaLaunchCooperativeKernel(kernel, dim3(n_blocks), dim3(THREADS), args, 0,
                                      exec().cuda_stream()),
          "shortest paths");
}

static void run_paths(mw_cpe *, void *job)
{
    const sssp_state &s = *static_cast<sssp_state *>(static_cast<mw_job *>(job)->state);
    s.counts->is_done = 0;
    for (bool begins = true; s.counts->is_done == 0; begins = false) {
        turn t; /* of each call one, for none may take too long */
        check(cudaSetDevice(exec().cuda_device()), "device"); /* of this thread */
        const paths p = paths_of(s);
        if (begins)
            launch<true>(p);
        else {
            small_rounds(p);
            launch<false>(p);
        }
        t.wait();
    }
}

} // namespace mwk::whole

/* What shortest paths have tuned here; the rest is sssp_sweeps.c. *Measured*: docs/lab/gpu.md. */
MWK_TUNED(sssp_sweeps, tuned.whole = mwk::whole::run_paths;)
