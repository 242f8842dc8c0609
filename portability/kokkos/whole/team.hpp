/* team.hpp -- some blocks of a device that make what is small: levels of few vertices, rounds of few ways. All blocks of a
 * device would wait longer for each other than they work.
 *
 * They meet in memory: each adds one to a count, and waits until it is what all have added. One thread of a block
 * does that, its *clerk*, while the others read what they need next; so a meeting costs nothing where that takes as
 * long. Who arrives may say something to all.
 *
 * A block keeps what it finds. Every so often all is *dealt* anew through memory, so that none ends up with most of it.
 * *Measured* on an H200: docs/lab/gpu.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_TEAM_HPP
#define MWK_WHOLE_TEAM_HPP

#include "kokkos/whole/search.hpp"
#include "kokkos/whole/setting.hpp"

namespace mwk::whole
{

constexpr uint32_t TEAM = 128; /* blocks, where as many run at once */

/* Levels or rounds of one call: some tenths of a second, so that no call is taken for one that hangs. */
constexpr uint32_t AT_A_CALL = 1 << 17;

/* The clerk, of a warp of its own. */
constexpr uint32_t CLERK = THREADS - 32;

/* What a block says that has found more than it keeps; else, how many rows it keeps. */
constexpr uint32_t HAS_TOO_MUCH = 1 << 20;

/* What all have said at the last meeting, as the clerk has heard it. */
__device__ __forceinline__ uint32_t &said_here()
{
    __shared__ uint32_t said;
    return said;
}

/* ---- what a block keeps ------------------------------------------------------------------------------------ */

constexpr uint32_t KEPT = 512; /* rows of a level or round */
static_assert(TEAM * KEPT < HAS_TOO_MUCH, "what all keep is less");
constexpr uint32_t
    AHEAD_BITS = 2,
    AHEAD = 1 << AHEAD_BITS; /* entries of a row that are at hand when its level begins */
constexpr uint32_t ALONE_UP_TO =
    16; /* entries of a row that its lanes take; of a longer one the rest is a warp's */

/* 2^n lanes: what a row may want. Labels have rows by falling length, as a rule, so the first one tells. */
__device__ __forceinline__ uint32_t lane_bits(uint64_t length_of_first)
{
    uint32_t bits = AHEAD_BITS;
    while (bits < 5 && length_of_first > 1u << bits)
        bits++;
    return bits;
}

/* Of two levels in turn; counts of three: this one's, the next one's, and one that is cleared meanwhile. Rows are put() in
 * their place. */
template <class Rows> struct kept {
    Rows of[2];
    uint32_t n[3];      /* may exceed KEPT: the rest is queued as in large levels */
    uint32_t overflows; /* 1: it does in the next level */
    __device__ __forceinline__ Rows &at(uint32_t level)
    {
        return of[level & 1];
    }
    __device__ __forceinline__ uint32_t n_at(uint32_t level) const
    {
        return min(n[level % 3], KEPT);
    }
    /* The clerk: nobody is kept yet for the level after the next one. */
    __device__ __forceinline__ void forget(uint32_t level)
    {
        n[(level + 2) % 3] = 0;
    }
    /* 2^n lanes take a row, as far as the block has them. */
    __device__ __forceinline__ uint32_t lane_bits_of_row(uint32_t level,
                                                         uint32_t most) const
    {
        uint32_t bits = AHEAD_BITS;
        while (bits < most && n_at(level) << (bits + 1) <= THREADS)
            bits++;
        return bits;
    }
    /* All threads, before the first level. */
    __device__ __forceinline__ void clear()
    {
        if (threadIdx.x < 3)
            n[threadIdx.x] = 0;
        if (threadIdx.x == 0)
            overflows = 0;
        __syncthreads();
    }
    /* What a block says of a level, as it arrives there. */
    __device__ __forceinline__ uint32_t say(uint32_t level) const
    {
        return overflows != 0 ? HAS_TOO_MUCH : n_at(level);
    }
};

/* Of n that are dealt, where those of this block begin, or of so many blocks behind it. What was found together stays
 * together, for it is read together. */
__device__ __forceinline__ uint32_t share_of_block(uint32_t n, uint32_t behind = 0)
{
    return static_cast<uint32_t>(static_cast<uint64_t>(n) * (blockIdx.x + behind) /
                                 gridDim.x);
}

/* In shared memory. */
template <class Rows> __device__ __forceinline__ kept<Rows> &kept_here()
{
    return *static_cast<kept<Rows> *>(shared_memory());
}

/* All lanes: a row is kept for a level; queue_rest(is): for whom there is no room, or whose row is too long. */
template <class Rows, class Row, class Queue>
__device__ __forceinline__ void keep(uint32_t level, bool is, bool is_long,
                                     const Row &row, Queue queue_rest)
{
    kept<Rows> &mine = kept_here<Rows>();
    const uint32_t set = __ballot_sync(ALL, is && !is_long);
    uint32_t at = 0;
    if (!__any_sync(ALL, is))
        return;
    if (lane() == 0)
        at = atomicAdd(&mine.n[level % 3], __popc(set));
    at = __shfl_sync(ALL, at, 0) + before_me(set);
    if (is && !is_long && at < KEPT)
        mine.at(level).put(at, row);
    is = is && (is_long || at >= KEPT);
    if (!__any_sync(ALL, is))
        return;
    queue_rest(is);
    mine.overflows = 1;
}

/* ---- meetings ---------------------------------------------------------------------------------------------- */

/* All threads of all blocks have one. */
class team
{
  public:
    __device__ explicit team(team_memory *of_all) : all(of_all) {}

    /* All threads. Returns the sum of what blocks say(), which the clerk is asked for when all threads of its block are here;
     * when it has said so, it does note(), and all but its warp do meanwhile(). `tells`: whatever was stored before by
     * anybody is seen by everybody afterwards. Else only what threads of a block have stored for each other is, and
     * what atomics have done that had returned: these are done in one place for all. */
    template <class Say, class Note, class Meanwhile>
    __device__ __forceinline__ uint32_t meet(bool tells, Say say, Note note,
                                             Meanwhile meanwhile)
    {
        __syncthreads();
        if (threadIdx.x < CLERK) {
            meanwhile();
        } else if (threadIdx.x == CLERK) {
            count *const met = all->met + (n_meetings & 1);
            if (tells)
                __threadfence();
            add_relaxed(met, 1 | static_cast<count>(say()) << 32);
            note();
            n_arrivals += n_meetings & 1 ? 0 : gridDim.x;
            const uint32_t now = wait(met);
            if (tells)
                __threadfence();
            said_here() = now - two_ago;
            two_ago = one_ago;
            one_ago = now;
        }
        n_meetings++;
        __syncthreads();
        return said_here();
    }
    /* Saying nothing. */
    template <class Meanwhile>
    __device__ __forceinline__ void meet(bool tells, Meanwhile meanwhile)
    {
        meet(
            tells, [] { return 0U; }, [] {}, meanwhile);
    }
    __device__ __forceinline__ void meet()
    {
        meet(true, [] {});
    }

  private:
    team_memory *const all;
    /* Of the clerk: arrivals at this meeting's count, and what had been said by the last meetings. */
    uint32_t n_meetings = 0, n_arrivals = 0;
    uint32_t one_ago = 0, two_ago = 0; /* modulo 2^32, as sums are */

    /* What all have said when all are here. */
    __device__ __forceinline__ uint32_t wait(const count *met) const
    {
        count is;
        do
            is = load_relaxed(met);
        while (static_cast<uint32_t>(is) < n_arrivals);
        return static_cast<uint32_t>(is >> 32);
    }
};

/* ---- the host's side ------------------------------------------------------------------------------------ */

/* Entries of a level or round that is small for a team of so many blocks: dealt, it can be kept. */
inline uint32_t small_for_team(uint32_t n_blocks)
{
    constexpr uint32_t MOST = 1 << 15;
    return n_blocks * KEPT < MOST ? n_blocks * KEPT : MOST;
}

/* Blocks of a team whose kernel is this one. */
template <class Kernel> inline uint32_t team_of_device(Kernel kernel, uint64_t n_bytes)
{
    const uint32_t n = static_cast<uint32_t>(blocks_at_once(kernel, n_bytes));
    return n < TEAM ? n : TEAM;
}

/* Queued: the kernel, whose only argument is x, by so many blocks at once. */
template <class Kernel, class Argument>
inline void launch_team(Kernel kernel, uint32_t n_blocks, uint64_t n_bytes,
                        team_memory *memory, Argument x, const char *what)
{
    void *args[] = {&x};
    check(cudaMemsetAsync(memory, 0, sizeof *memory, exec().cuda_stream()), what);
    check(cudaLaunchCooperativeKernel(kernel, dim3(n_blocks), dim3(THREADS), args,
                                      n_bytes, exec().cuda_stream()),
          what);
}

} // namespace mwk::whole

#endif
