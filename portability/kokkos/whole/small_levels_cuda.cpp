/* small_levels_cuda.cpp -- levels of few vertices, as grids and roads have thousands of, by a team of blocks.
 *
 * A barrier of all blocks and queues in memory cost ten microseconds a level, whatever it holds. So where levels stay
 * small, the kernel of a whole search pauses (whole_cuda.cpp), and one team goes on: blocks that NVIDIA calls a
 * cluster, which meet in hardware and read each other's shared memory. There the frontier lies. Memory has the bitmap, rows and
 * parents alone.
 *
 * A level is a chain: columns, then the bit of each by an atomic while its row is looked up, then a meeting. Who finds a
 * label keeps it in its own block. Every DEALT levels all are dealt to all blocks anew, so that none ends up with a whole
 * wave; between, a block knows its own labels only, and nobody counts. *Measured* on an H200: docs/lab/gpu.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#include "kokkos/whole/small_levels_cuda.hpp"

#include "kokkos/whole/phases.hpp"
#include "kokkos/whole/team.hpp"

namespace mwk::whole
{

constexpr uint32_t KEPT = 2048; /* labels of a level that a block keeps */
constexpr uint32_t DEALT = 8;   /* levels */
static_assert(BFS_WHOLE_LEVELS % DEALT == 0, "it is dealt, since all is counted there");
constexpr uint32_t ALONE_UP_TO =
    16; /* entries of a row; of a longer one the rest is all lanes' */

/* A label of the frontier, and its row. */
struct __align__(16) entry
{
    uint64_t start;
    uint32_t length, label;
};

/* What a block keeps: of two levels in turn, counts of three: this one's, the next one's, and one that is
 * cleared meanwhile. */
struct kept {
    entry of_level[2][KEPT];
    uint32_t n[3],
        n_edges[3]; /* n may exceed KEPT: the rest is queued as in large levels */
    uint32_t
        overflows; /* the level of which a block of the team has found more than it keeps; 0: none */
    uint32_t end;                   /* the first level in which this block has nothing */
    count n_before, n_edges_before; /* of all levels before this one */
    uint32_t first[TEAM +
                   1]; /* dealt: entries of the blocks before each; the last is the sum */
    uint32_t n_edges_of_all;
};

__device__ __forceinline__ kept &kept_here()
{
    extern __shared__ __align__(16) uint32_t memory[];
    return *reinterpret_cast<kept *>(memory);
}

/* ---- a level ------------------------------------------------------------------------------------------- */

/* All threads of a block, after a meeting: what all blocks keep of the level. */
__device__ __forceinline__ void count_all(uint32_t level)
{
    kept &mine = kept_here();
    if (threadIdx.x < 32) {
        const bool is = lane() < gridDim.x;
        const uint32_t n = is ? *there(&mine.n[level % 3], lane()) : 0;
        const uint32_t n_edges = is ? *there(&mine.n_edges[level % 3], lane()) : 0;
        const uint32_t to_here = sum_to_here(n), all = __reduce_add_sync(ALL, n_edges);
        if (lane() <= gridDim.x)
            mine.first[lane()] = to_here - n;
        if (lane() == 0)
            mine.n_edges_of_all = all;
    }
    __syncthreads();
}

/* All lanes: found[k], label[k] with its row, is kept for the next level; where there is no room, queued. */
template <class Kind, int N>
__device__ __forceinline__ void
keep(const search<Kind> &s, uint32_t level, bool *found, const uint32_t *label,
     const typename Kind::offset *start, const uint32_t *length)
{
    kept &mine = kept_here();
    const uint32_t next = (level + 1) % 3, half = ~level & 1;
    uint32_t n = 0, n_edges = 0, at = 0;
    uint32_t set[N];
    bool any_left = false;
#pragma unroll
    for (int k = 0; k < N; k++) {
        set[k] = __ballot_sync(ALL, found[k]);
        n += __popc(set[k]);
        n_edges += found[k] ? length[k] : 0;
    }
    if (n == 0)
        return;
    n_edges = __reduce_add_sync(ALL, n_edges);
    if (lane() == 0) {
        at = atomicAdd(&mine.n[next], n);
        atomicAdd(&mine.n_edges[next], n_edges);
    }
    at = __shfl_sync(ALL, at, 0);
#pragma unroll
    for (int k = 0; k < N; k++) {
        const uint32_t i = at + before_me(set[k]);
        at += __popc(set[k]);
        if (found[k] && i < KEPT) {
            mine.of_level[half][i] = {start[k], length[k], label[k]};
            found[k] = false;
        }
        any_left |= found[k];
    }
    if (!__any_sync(ALL, any_left))
        return;
    count not_counted = 0;
    enqueue<Kind, N>(s, s.queue[half], found, label, s.of_level + next, not_counted);
    if (lane() < gridDim.x)
        *there(&mine.overflows, lane()) = level + 1;
}

/* The word before; all bits where it is not asked for. Without a branch, so that what a lane asks for is on its way at once. */
__device__ __forceinline__ uint32_t set_bit_if(bool is, uint32_t *word, uint32_t bit)
{
    uint32_t before = ALL;
    asm volatile("{ .reg .pred p;\n"
                 "  setp.ne.u32 p, %3, 0;\n"
                 "  @p atom.global.or.b32 %0, [%1], %2; }"
                 : "+r"(before)
                 : "l"(word), "r"(bit), "r"(static_cast<uint32_t>(is))
                 : "memory");
    return before;
}

/* All lanes: edges to end[k] from `name`. Whoever sets the bit is the parent. */
template <class Kind>
__device__ __forceinline__ void claim_small(const search<Kind> &s, uint32_t level,
                                            const bool *is_edge, const uint32_t *end,
                                            uint32_t name)
{
    uint32_t word[AT_ONCE], length[AT_ONCE];
    typename Kind::offset start[AT_ONCE], behind[AT_ONCE];
    bool found[AT_ONCE];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        start[k] = is_edge[k] ? __ldg(s.row + end[k]) : 0;
        behind[k] = is_edge[k] ? __ldg(s.row + end[k] + 1) : 0;
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        word[k] = set_bit_if(is_edge[k], s.visited[0] + (end[k] >> 5),
                             UINT32_C(1) << (end[k] & 31));
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        found[k] = !has(word[k], end[k]);
        length[k] = static_cast<uint32_t>(behind[k] - start[k]);
        if (found[k])
            s.parent[end[k]] = name;
    }
    keep<Kind, AT_ONCE>(s, level, found, end, start, length);
}

/* All lanes, each with a row or none: entries from `from` on, `step` apart, up to `to`. */
template <class Kind>
__device__ __forceinline__ void along(const search<Kind> &s, uint32_t level,
                                      uint64_t start, uint32_t from, uint32_t to,
                                      uint32_t step, uint32_t name)
{
    for (; __any_sync(ALL, from < to); from += AT_ONCE * step) {
        uint32_t end[AT_ONCE];
        bool is_edge[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            is_edge[k] = from + k * step < to;
            end[k] = is_edge[k] ? __ldg(s.column + start + from + k * step) : 0;
        }
        claim_small(s, level, is_edge, end, name);
    }
}

/* The i-th of a level: of all blocks, or of mine. */
__device__ __forceinline__ entry entry_at(uint32_t level, uint32_t i, bool is_dealt)
{
    kept &mine = kept_here();
    if (!is_dealt)
        return mine.of_level[level & 1][i];
    uint32_t r = 0;
    for (uint32_t b = 1; b < gridDim.x; b++)
        r += i >= mine.first[b];
    return *there(&mine.of_level[level & 1][i - mine.first[r]], r);
}

/* All threads of the team. */
template <class Kind>
__device__ void go_along_small(const search<Kind> &s, uint32_t level, bool is_dealt)
{
    const kept &mine = kept_here();
    const uint32_t n = is_dealt ? mine.first[gridDim.x] : mine.n[level % 3];
    const uint32_t step = 32 * (is_dealt ? n_warps() : WARPS);
    for (uint32_t at = 32 * (is_dealt ? my_warp() : threadIdx.x >> 5); at < n;
         at += step) {
        entry e = {0, 0, 0};
        uint32_t name = 0;
        if (at + lane() < n) {
            e = entry_at(level, at + lane(), is_dealt);
            name = __ldg(s.name + e.label);
        }
        along(s, level, e.start, 0, e.length < ALONE_UP_TO ? e.length : ALONE_UP_TO, 1,
              name);
        for (uint32_t left = __ballot_sync(ALL, e.length > ALONE_UP_TO); left != 0;
             left &= left - 1) {
            const int whose = __ffs(left) - 1;
            along(s, level, __shfl_sync(ALL, e.start, whose), ALONE_UP_TO + lane(),
                  __shfl_sync(ALL, e.length, whose), 32, __shfl_sync(ALL, name, whose));
        }
    }
}

/* ---- from one kernel to the other and back ------------------------------------------------------------- */

/* All threads of the team: the short rows that are queued, dealt to the blocks. */
template <class Kind> __device__ void load_level(const search<Kind> &s, uint32_t level)
{
    kept &mine = kept_here();
    const uint32_t n = static_cast<uint32_t>(s.of_level[level % 3].n_queued);
    if (threadIdx.x < 3)
        mine.n[threadIdx.x] = mine.n_edges[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        mine.overflows = 0;
        mine.end = level;
        mine.n_before = mine.n_edges_before = 0;
    }
    __syncthreads();
    for (uint32_t i = static_cast<uint32_t>(my_thread()); i < n;
         i += static_cast<uint32_t>(n_threads())) {
        const uint32_t label = s.queue[level & 1].short_row[i];
        const uint64_t start = s.row[label];
        const uint32_t length = static_cast<uint32_t>(s.row[label + 1] - start);
        mine.of_level[level & 1][atomicAdd(&mine.n[level % 3], 1)] = {start, length,
                                                                      label};
        atomicAdd(&mine.n_edges[level % 3], length);
    }
    meet_team();
    if (my_thread() < 3)
        s.of_level[my_thread()] = tally{};
    meet_team();
}

/* All threads of the team, after count_all(): what blocks keep, to the queues of large levels; and where the
 * search stands, which was at `last` when they began. */
template <class Kind>
__device__ void store_level(const search<Kind> &s, uint32_t level, progress last,
                            uint64_t since)
{
    kept &mine = kept_here();
    const uint32_t n = mine.n[level % 3], n_of_all = mine.first[gridDim.x];
    count not_counted = 0;
    for (uint32_t at = threadIdx.x & ~31u; at < n && at < KEPT; at += THREADS) {
        bool is = at + lane() < n && at + lane() < KEPT;
        const uint32_t label = is ? mine.of_level[level & 1][at + lane()].label : 0;
        enqueue<Kind, 1>(s, s.queue[level & 1], &is, &label, s.of_level + level % 3,
                         not_counted);
    }
    if (my_thread() == 0) {
        uint32_t end = 0;
        for (uint32_t r = 0; r < gridDim.x; r++) {
            const uint32_t its = *there(&mine.end, r);
            end = its > end ? its : end;
            last.n_visited += *there(&mine.n_before, r);
            last.unvisited_edges -= *there(&mine.n_edges_before, r);
        }
        /* All is reached: the levels since were empty, so it makes no difference whose counts these are. */
        if (n_of_all == 0)
            level = end;
        s.of_level[level % 3].n_edges = mine.n_edges_of_all;
        s.of_level[level % 3].n_found = n_of_all;
        last.n_edges = mine.n_edges_of_all;
        *s.standing_at = {level, last, since};
    }
}

template <class Kind>
__global__ void __launch_bounds__(THREADS, 1) small_levels_kernel(search<Kind> s)
{
    kept &mine = kept_here();
    const bool first = my_thread() == 0;
    const progress last = s.standing_at->last;
    uint64_t since = s.standing_at->since;
    uint32_t level = s.standing_at->level;
    const uint32_t behind = level + min(AT_A_CALL, s.most_levels - level);
    count unvisited_edges = last.unvisited_edges;
    load_level(s, level);
    for (;; level++) {
        const bool is_told = level < BFS_WHOLE_LEVELS;
        const bool is_too_large =
            mine.overflows == level; /* a later one may be known already */
        const bool is_dealt =
            is_told || level % DEALT == 0 || is_too_large || level >= behind;
        if (is_dealt) {
            count_all(level);
            if (first &&
                level ==
                    BFS_WHOLE_LEVELS) /* what the last level that is told has found */
                s.told->level[level].n_active = mine.first[gridDim.x];
            if (mine.first[gridDim.x] == 0 || is_too_large || level >= behind ||
                mine.n_edges_of_all > 2 * s.small_edges)
                break;
        }
        go_along_small(s, level, is_dealt);
        if (threadIdx.x == 0) {
            const uint32_t n = mine.n[level % 3];
            mine.n_before += n;
            mine.n_edges_before += mine.n_edges[level % 3];
            mine.end = n > 0 ? level + 1 : mine.end;
            mine.n[(level + 2) % 3] = mine.n_edges[(level + 2) % 3] = 0;
        }
        if (first && is_told) {
            unvisited_edges -= mine.n_edges_of_all;
            since = note_level(s, level, mine.first[gridDim.x], unvisited_edges, since);
        }
        meet_team();
    }
    store_level(s, level, last, since);
    meet_team(); /* nobody ends while others read its shared memory */
}

/* ---- the host's side ------------------------------------------------------------------------------------ */

using narrow = kind<uint32_t, false>;
using wide = kind<uint64_t, false>;

uint32_t small_levels_edges(bool is_narrow)
{
    return KEPT * (is_narrow ? team_of_device(small_levels_kernel<narrow>, sizeof(kept))
                             : team_of_device(small_levels_kernel<wide>, sizeof(kept)));
}

template <class Kind> static void launch(const bfs_state &s, const void *row)
{
    const search<Kind> x =
        search_of<Kind>(s, static_cast<const typename Kind::offset *>(row));
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t c =
        as_team(s.whole->small_edges / KEPT, sizeof(kept), &attribute);
    check(cudaLaunchKernelEx(&c, small_levels_kernel<Kind>, x), "small levels");
}

void small_levels(const bfs_state &s)
{
    is_narrow(s) ? launch<narrow>(s, room(s).narrow_row) : launch<wide>(s, s.g->row);
}

} // namespace mwk::whole
