/* small_levels_cuda.cpp -- levels of few vertices, as grids and roads have thousands of, by a team of blocks (team.hpp).
 *
 * Where levels stay small, the kernel of a whole search pauses (whole_cuda.cpp), and a team goes on. A block keeps the labels
 * that it finds in its shared memory, with their rows; memory has the bitmap, rows and parents alone.
 *
 * A level is a chain: the bit of each column by an atomic, then a meeting, and meanwhile the next level's rows, and their
 * first columns. Each entry is a lane's. A block knows its own labels only; but every DEALT levels all are dealt to all
 * blocks anew, and counted. *Measured* on an H200: docs/lab/gpu.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#include "kokkos/whole/small_levels_cuda.hpp"

#include "kokkos/whole/phases.hpp"
#include "kokkos/whole/team.hpp"

#include <cuda_pipeline.h>

namespace mwk::whole
{

constexpr uint32_t DEALT = 32; /* levels */

/* A label of the frontier, and its row. */
struct node {
    uint64_t start;
    uint32_t label, length;
};

/* What a block keeps of a level. */
struct nodes {
    uint64_t start[KEPT];
    uint32_t length[KEPT], label[KEPT], name[KEPT];
    uint32_t column[KEPT][AHEAD];
    uint32_t n_edges,
        dealt_at; /* entries of all; where they begin among all that are dealt */
    __device__ __forceinline__ void put(uint32_t i, const node &x)
    {
        start[i] = x.start;
        length[i] = x.length;
        label[i] = x.label;
    }
};

/* ---- a level ------------------------------------------------------------------------------------------- */

/* All lanes: for whom there is no room. */
template <class Kind>
__device__ __noinline__ void queue_rest(const search<Kind> &s, uint32_t level, bool is,
                                        uint32_t label)
{
    tally *const next = s.of_level + (level + 1) % 3;
    const uint32_t n = is;
    count n_edges = 0;
    enqueue<Kind, 1>(s, s.queue[~level & 1], &is, &label, next, n_edges);
    add(next, n_edges, n);
}

/* A label, and its row. */
template <class Kind>
__device__ __forceinline__ node node_of(const search<Kind> &s, uint32_t label)
{
    node x = {0, label, 1};
#pragma unroll
    for (uint32_t k = 1; k <= BFS_WHOLE_LADDER; k++)
        x.length += label < s.ladder.first[k];
    if (x.length > BFS_WHOLE_LADDER) {
        x.start = __ldg(s.row + label);
        x.length = static_cast<uint32_t>(__ldg(s.row + label + 1) - x.start);
        return x;
    }
#pragma unroll
    for (uint32_t k = 1; k <= BFS_WHOLE_LADDER; k++)
        x.start = x.length == k ? s.ladder.start[k] : x.start;
    x.start += static_cast<uint64_t>(label) * x.length;
    return x;
}

/* All lanes: an edge to `end` from who is called `name`. Whoever sets the bit is the parent. While the atomic is on its
 * way, so is the row of `end` to the cache. */
template <class Kind>
__device__ __forceinline__ void claim_small(const search<Kind> &s, uint32_t level,
                                            bool is_edge, uint32_t end, uint32_t name)
{
    const uint32_t word =
        set_bit_if(is_edge, s.visited[0] + (end >> 5), UINT32_C(1) << (end & 31));
    const node there = is_edge ? node_of(s, end) : node{};
    if (is_edge) {
        prefetch(s.column + there.start);
        prefetch(s.name + end);
    }
    const bool found = !has(word, end);
    if (found)
        s.parent[end] = name;
    keep<nodes>(level + 1, found, there.length > PIECE, there,
                [&](bool is) { queue_rest(s, level, is, end); });
}

/* All lanes, each with a row or none: entries from `from` on, `step` apart, up to `to`. */
template <class Kind>
__device__ __noinline__ void along(const search<Kind> &s, uint32_t level, uint64_t start,
                                   uint32_t from, uint32_t to, uint32_t step,
                                   uint32_t name)
{
    for (; __any_sync(ALL, from < to); from += step) {
        const bool is = from < to;
        claim_small(s, level, is, is ? __ldg(s.column + start + from) : 0, name);
    }
}

/* All threads of a block: the rows of its labels, each of which takes 2^most_bits lanes at most. */
template <class Kind>
__device__ void go_along_small(const search<Kind> &s, uint32_t level, uint32_t most_bits)
{
    const nodes &now = kept_here<nodes>().at(level);
    const uint32_t n = kept_here<nodes>().n_at(level);
    const uint32_t bits = kept_here<nodes>().lane_bits_of_row(level, most_bits);
    const uint32_t each = 1u << bits, alone_up_to = max(each, ALONE_UP_TO);
    for (uint32_t at = threadIdx.x; (at & ~31u) < n << bits; at += THREADS) {
        const uint32_t i = at >> bits, k = at & (each - 1);
        const uint32_t length = i < n ? now.length[i] : 0, name = i < n ? now.name[i] : 0;
        uint32_t end = 0;
        if (k < length)
            end = k < AHEAD ? now.column[i][k] : __ldg(s.column + now.start[i] + k);
        claim_small(s, level, k < length, end, name);
        if (!__any_sync(ALL, length > each))
            continue;
        const uint64_t start = i < n ? now.start[i] : 0;
        along(s, level, start, each + k, min(length, alone_up_to), each, name);
        for (uint32_t left = __ballot_sync(ALL, k == 0 && length > alone_up_to);
             left != 0; left &= left - 1) {
            const int whose = __ffs(left) - 1;
            along(s, level, __shfl_sync(ALL, start, whose), alone_up_to + lane(),
                  __shfl_sync(ALL, length, whose), 32, __shfl_sync(ALL, name, whose));
        }
    }
}

/* Threads of a block but the clerk's warp: the first columns of a level's rows, and what its labels are called. */
template <class Kind>
__device__ __forceinline__ void fetch(const search<Kind> &s, uint32_t level)
{
    nodes &now = kept_here<nodes>().at(level);
    const uint32_t n = kept_here<nodes>().n_at(level);
    uint32_t n_edges = 0;
    for (uint32_t i = threadIdx.x; i < n; i += CLERK) {
        const uint32_t length = now.length[i];
        const uint32_t *const column = s.column + now.start[i];
#pragma unroll
        for (uint32_t k = 0; k < AHEAD; k++)
            if (k < length)
                __pipeline_memcpy_async(&now.column[i][k], column + k,
                                        sizeof now.column[i][k]);
        __pipeline_memcpy_async(&now.name[i], s.name + now.label[i], sizeof now.name[i]);
        n_edges += length;
    }
    __pipeline_commit();
    if ((threadIdx.x & ~31u) < n) {
        n_edges = __reduce_add_sync(ALL, n_edges);
        if (lane() == 0)
            atomicAdd(&now.n_edges, n_edges);
    }
    __pipeline_wait_prior(0);
}

/* ---- dealing --------------------------------------------------------------------------------------------- */

/* Labels of a level that is dealt stand where the next one's will be queued. */
template <class Kind>
__device__ __forceinline__ uint32_t *dealt(const search<Kind> &s, uint32_t level)
{
    return s.queue[~level & 1].short_row;
}

/* All threads of a block: its labels, and their edges, to those that are dealt. */
template <class Kind>
__device__ void deal_out(const search<Kind> &s, uint32_t level, uint32_t slot)
{
    nodes &now = kept_here<nodes>().at(level);
    const uint32_t n = kept_here<nodes>().n_at(level);
    small_level &to = s.of_team->dealt[slot];
    uint32_t n_edges = 0;
    if (threadIdx.x == 0 && n > 0)
        now.dealt_at = static_cast<uint32_t>(atomicAdd(&to.n, static_cast<count>(n)));
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < n; i += THREADS) {
        n_edges += now.length[i];
        dealt(s, level)[now.dealt_at + i] = now.label[i];
    }
    if ((threadIdx.x & ~31u) >= n)
        return;
    n_edges = __reduce_add_sync(ALL, n_edges);
    if (lane() == 0)
        atomicAdd(&to.n_entries, static_cast<count>(n_edges));
}

/* All threads of a block: its share of n labels. All blocks have theirs when they meet next. */
template <class Kind>
__device__ void take(const search<Kind> &s, uint32_t level, const uint32_t *list,
                     uint32_t n)
{
    kept<nodes> &mine = kept_here<nodes>();
    const uint32_t first = share_of_block(n), n_mine = share_of_block(n, 1) - first;
    for (uint32_t i = threadIdx.x; i < n_mine; i += THREADS)
        mine.at(level).put(i, node_of(s, __ldcg(list + first + i)));
    if (threadIdx.x == 0) {
        mine.n[level % 3] = n_mine;
        mine.at(level).n_edges = 0;
    }
}

/* ---- from one kernel to the other and back ------------------------------------------------------------- */

/* The clerk: what a level had, when it is over. */
template <class Kind> class ledger
{
  public:
    __device__ explicit ledger(const search<Kind> &search)
        : s(search), since(search.standing_at->since)
    {
    }
    __device__ __forceinline__ void note(uint32_t level)
    {
        kept<nodes> &mine = kept_here<nodes>();
        const uint32_t n = mine.n_at(level), n_edges = mine.at(level).n_edges;
        n_before += n;
        n_edges_before += n_edges;
        mine.at(level).n_edges = 0; /* for the next but one */
        mine.forget(level);
        if (level > BFS_WHOLE_LEVELS)
            return;
        atomicAdd(&s.told_small[level].n, static_cast<count>(n));
        atomicAdd(&s.told_small[level].n_entries, static_cast<count>(n_edges));
        if (blockIdx.x > 0 || level == BFS_WHOLE_LEVELS)
            return;
        const uint64_t at = nanoseconds();
        s.told->level[level].ns = at - since;
        since = at;
    }
    /* What all levels had, of this block. */
    __device__ __forceinline__ void close() const
    {
        atomicAdd(&s.standing_at->last.n_visited, n_before);
        atomicAdd(&s.standing_at->last.unvisited_edges, ~n_edges_before + 1);
        if (blockIdx.x == 0)
            s.standing_at->since = since;
    }

  private:
    const search<Kind> &s;
    uint64_t since;
    count n_before = 0, n_edges_before = 0;
};

/* All threads of a block: what the levels had that are told, of which the first one left so many edges unvisited. */
template <class Kind>
__device__ void tell_levels(const search<Kind> &s, uint32_t from, uint32_t to,
                            count unvisited_edges)
{
    uint64_t *const n_edges =
        kept_here<nodes>().of[0].start; /* nobody is kept any more */
    const uint32_t level = from + threadIdx.x;
    const bool is = level < to && level <= BFS_WHOLE_LEVELS;
    static_assert(BFS_WHOLE_LEVELS < THREADS && BFS_WHOLE_LEVELS < KEPT,
                  "a level is a thread's");
    __syncthreads();
    if (is)
        n_edges[threadIdx.x] = __ldcg(&s.told_small[level].n_entries);
    __syncthreads();
    if (!is)
        return;
    s.told->level[level].n_active = __ldcg(&s.told_small[level].n);
    if (level == BFS_WHOLE_LEVELS)
        return;
    for (uint32_t l = 0; l <= threadIdx.x; l++)
        unvisited_edges -= n_edges[l];
    s.told->level[level].n_unvisited_edges = unvisited_edges;
    s.told->level[level].up = false;
}

/* All threads of the team: labels that are dealt, to the queues of large levels. */
template <class Kind>
__device__ void store_level(const search<Kind> &s, uint32_t level, uint32_t n)
{
    count not_counted = 0;
    for (uint32_t at = my_thread() & ~31u; at < n; at += n_threads()) {
        bool is = at + lane() < n;
        const uint32_t label = is ? __ldcg(dealt(s, level) + at + lane()) : 0;
        enqueue<Kind, 1>(s, s.queue[level & 1], &is, &label, s.of_level + level % 3,
                         not_counted);
    }
}

template <class Kind>
__global__ void __launch_bounds__(THREADS, 1)
    small_levels_kernel(const __grid_constant__ search<Kind> s)
{
    kept<nodes> &mine = kept_here<nodes>();
    const bool first = my_thread() == 0;
    const standing began = *s.standing_at;
    const uint32_t most = s.small_edges / 2; /* labels of a level that is small */
    const uint32_t behind = began.level + min(AT_A_CALL, s.most_levels - began.level);
    uint32_t level = began.level, slot = 0, said, n = 0;
    const uint32_t most_bits = lane_bits(s.row[1] - s.row[0]);
    count n_edges = 0;
    team all(s.of_team);
    ledger<Kind> book(s);

    mine.clear();
    if (threadIdx.x < 2)
        mine.of[threadIdx.x].n_edges = 0;
    take(s, level, s.queue[level & 1].short_row,
         static_cast<uint32_t>(s.of_level[level % 3].n_queued));
    for (uint64_t l = my_thread(); l <= BFS_WHOLE_LEVELS; l += n_threads())
        s.told_small[l] = {0, 0};
    all.meet(true, [&] { fetch(s, level); });
    if (my_thread() < 3)
        s.of_level[my_thread()] = tally{};
    all.meet();
    for (;;) {
        go_along_small(s, level, most_bits);
        level++;
        const bool is_over = level >= behind;
        if (level % DEALT != 0 && !is_over) {
            said = all.meet(
                false, [&] { return mine.say(level); }, [&] { book.note(level - 1); },
                [&] { fetch(s, level); });
            if (said > 0 && said <= most)
                continue;
        } else {
            __syncthreads();
            if (threadIdx.x == CLERK)
                book.note(level - 1);
        }
        deal_out(s, level, slot);
        said = all.meet(
            true, [&] { return mine.overflows * HAS_TOO_MUCH; }, [] {}, [] {});
        n = static_cast<uint32_t>(__ldcg(&s.of_team->dealt[slot].n));
        n_edges = __ldcg(&s.of_team->dealt[slot].n_entries);
        slot = (slot + 1) % 3;
        if (first)
            s.of_team->dealt[(slot + 1) % 3] = {0, 0};
        if (n == 0 || n > most || said > 0 || is_over || n_edges > 2 * s.small_edges)
            break;
        take(s, level, dealt(s, level), n);
        all.meet(false, [&] { fetch(s, level); });
    }
    store_level(s, level, n);
    if (threadIdx.x == CLERK)
        book.close();
    if (blockIdx.x == 0)
        tell_levels(s, began.level, level, began.last.unvisited_edges);
    if (first) {
        const count rest = atomicAdd(&s.of_level[level % 3].n_edges, n_edges);
        atomicAdd(&s.of_level[level % 3].n_found, static_cast<count>(n));
        s.standing_at->last.n_edges = rest + n_edges;
        s.standing_at->level = level;
    }
}

/* ---- the host's side ------------------------------------------------------------------------------------ */

using narrow = kind<uint32_t, false>;
using wide = kind<uint64_t, false>;

template <class Kind> static uint32_t team_of()
{
    static const uint32_t n_blocks =
        team_of_device(small_levels_kernel<Kind>, sizeof(kept<nodes>));
    return n_blocks;
}

uint32_t small_levels_edges(bool is_narrow)
{
    return small_for_team(is_narrow ? team_of<narrow>() : team_of<wide>());
}

template <class Kind> static void launch(const bfs_state &s, const void *row)
{
    const search<Kind> x =
        search_of<Kind>(s, static_cast<const typename Kind::offset *>(row));
    launch_team(small_levels_kernel<Kind>, team_of<Kind>(), sizeof(kept<nodes>),
                x.of_team, x, "small levels");
}

void small_levels(const bfs_state &s)
{
    is_narrow(s) ? launch<narrow>(s, room(s).narrow_row) : launch<wide>(s, s.g->row);
}

} // namespace mwk::whole
