/* paths_cuda.cpp -- shortest paths in one kernel, on GPUs of NVIDIA and one rank: all rounds of all buckets between one launch
 * and one wait, where the general way (sssp_rounds.c) takes four kernels and two waits a round. Where rounds are small, as
 * on grids, the kernel pauses and a team of blocks goes on (team.hpp) with the same code, which is in paths.hpp.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/whole/paths.hpp"

#include <cooperative_groups.h>

namespace mwk::whole
{

template <bool BY_TEAM> __device__ __forceinline__ void meet_all()
{
    if constexpr (BY_TEAM)
        meet_team();
    else
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

/* The end of the bucket that begins at a distance; never of an empty one. */
__device__ __forceinline__ uint32_t limit_from(const paths &p, uint32_t least)
{
    const uint32_t bits = mw_bits_of_float(mw_float_of_bits(least) + p.s.delta);
    return bits > least ? bits : least + 1;
}

/* All threads of the grid, or of the team. */
template <bool BY_TEAM>
__device__ void relax_all(const paths &p, const round_tally *now, count n_near,
                          of_lane &mine)
{
    const bool are_queued = n_near <= p.most_queued;
    if (are_queued) {
        relax_queue(p, static_cast<uint32_t>(n_near), mine);
    } else {
        relax_near(p, mine);
        meet_all<BY_TEAM>();
    }
    relax_long(p, __ldcg(&now->n_long), are_queued, mine);
}

/* From the root, or from where another kernel has left. By a team, until a round is not small; by all blocks, until SMALL_ROUNDS
 * were. */
template <bool BY_TEAM, bool BEGINS>
__global__ void __launch_bounds__(THREADS, BLOCKS) paths_kernel(paths p)
{
    const bool first = my_thread() == 0;
    paths_standing at = {FIRST_ROUND, 0, limit_from(p, 0), ALL, 1, 0, 0};
    of_lane mine = {FIRST_ROUND - 1, 0, 0, 0, 0, ALL};
    uint32_t n_small = 0, landmark = ALL;
    if (BEGINS) {
        begin_paths(p);
        meet_all<BY_TEAM>();
        if (my_thread() < 32) {
            begin_at_root(p, mine);
            tell_next(p.of_round + FIRST_ROUND % 3, mine);
        }
    } else {
        at = *p.standing_at;
    }
    meet_all<BY_TEAM>();
    const uint32_t behind = at.round + AT_A_CALL;
    for (;; at.round++) {
        const round_tally *const now = p.of_round + at.round % 3;
        const count n_near = __ldcg(&now->n_near), n_entries = __ldcg(&now->n_entries);
        const uint32_t least = __ldcg(&now->least_far);
        const uint32_t least_far = least < at.least_far ? least : at.least_far;
        const bool is_small = n_near <= p.most_queued && n_entries <= p.small;
        const bool is_large = n_near > p.most_queued || n_entries > 2 * p.small;
        at.is_done = n_near == 0 && least_far == ALL;
        n_small = is_small ? n_small + 1 : 0;
        if (at.is_done ||
            (BY_TEAM ? is_large || at.round >= behind : n_small > SMALL_ROUNDS))
            break;
        at.least_far = least_far;
        if (first)
            p.of_round[(at.round + 2) % 3] = {0, 0, 0, ALL};
        if (n_near == 0) {
            at.below = at.limit;
            at.limit = limit_from(p, least_far);
            at.least_far = ALL;
            at.n_buckets++;
        } else {
            at.n_rounds++;
        }
        mine = {at.round, at.below, at.limit, 0, mine.n_relaxed, ALL};
        if (!BY_TEAM)
            bound_nodes(p, landmark);
        if (n_near == 0)
            promote(p, mine);
        else
            relax_all<BY_TEAM>(p, now, n_near, mine);
        tell_next(p.of_round + (at.round + 1) % 3, mine);
        meet_all<BY_TEAM>();
    }
    const count n_relaxed = sum_at_0(mine.n_relaxed);
    if (lane() == 0 && n_relaxed > 0)
        atomicAdd(p.n_relaxed, n_relaxed);
    meet_all<BY_TEAM>();
    if (first) {
        *p.standing_at = at;
        p.s.counts->n_relaxed = *p.n_relaxed;
        p.s.counts->n_rounds = at.n_rounds;
        p.s.counts->n_buckets = at.n_buckets;
        p.s.counts->is_done = at.is_done;
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
    static_assert(3 * sizeof(round_tally) + sizeof(paths_standing) + sizeof(count) <=
                      SSSP_ROUNDS_BYTES,
                  "sssp_state.h has room");
    p.short_up_to = SHORT > LONGER * mean ? SHORT : static_cast<uint32_t>(LONGER * mean);
    p.most_queued = static_cast<uint32_t>(n / QUEUED > MOST_QUEUED ? n / QUEUED
                                          : n < MOST_QUEUED        ? n
                                                                   : MOST_QUEUED);
    return p;
}

template <bool BEGINS> static void launch(const paths &p)
{
    static int n_blocks = 0;
    const auto kernel = paths_kernel<false, BEGINS>;
    if (n_blocks == 0) {
        int n_processors = 0, each = 0;
        check(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount,
                                     exec().cuda_device()),
              "processors of the device");
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, THREADS, 0),
              "blocks of shortest paths");
        n_blocks = n_processors * each;
    }
    paths x = p;
    void *args[] = {&x};
    check(cudaLaunchCooperativeKernel(kernel, dim3(n_blocks), dim3(THREADS), args, 0,
                                      exec().cuda_stream()),
          "shortest paths");
}

static uint32_t team()
{
    static const uint32_t n_blocks = team_of_device(paths_kernel<true, false>, 0);
    return n_blocks;
}

static void launch_team(const paths &p)
{
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t c = as_team(team(), 0, &attribute);
    check(cudaLaunchKernelEx(&c, paths_kernel<true, false>, p),
          "small rounds of shortest paths");
}

static void run_paths(mw_cpe *, void *job)
{
    const sssp_state &s = *static_cast<sssp_state *>(static_cast<mw_job *>(job)->state);
    s.counts->is_done = 0;
    for (bool begins = true; s.counts->is_done == 0; begins = false) {
        turn t; /* of each call one, for none may take too long */
        check(cudaSetDevice(exec().cuda_device()), "device"); /* of this thread */
        paths p = paths_of(s);
        p.small = SMALL * team();
        if (begins)
            launch<true>(p);
        else {
            launch_team(p);
            launch<false>(p);
        }
        t.wait();
    }
}

} // namespace mwk::whole

/* What shortest paths have tuned here; the rest is sssp_sweeps.c. *Measured*: docs/lab/gpu.md. */
MWK_TUNED(sssp_sweeps, tuned.whole = mwk::whole::run_paths;)
