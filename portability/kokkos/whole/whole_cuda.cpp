/* whole_cuda.cpp -- a whole search in one kernel, on GPUs of NVIDIA: all levels between one launch and one
 * wait, with barriers of the grid between them. Kokkos has no such barrier, so this is CUDA; what a
 * level does is in top_down.hpp and bottom_up.hpp, what threads share in search.hpp.
 *
 * Top-down until the next frontier's edges exceed the unvisited ones / alpha, then bottom-up. A level of more than
 * QUEUES_UP_TO does not queue what it finds, for the next one will be bottom-up. When all is reached, parents go to
 * their places in the input's numbering. Kernels of several ranks do so together (peers.hpp).
 *
 * One rank's pauses before levels that stay small, which a team makes (small_levels_cuda.cpp), and is resumed behind them. It
 * also pauses to turn back: where many levels were bottom-up, and this one found little.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#include "kokkos/whole/linked_cuda.hpp"
#include "kokkos/whole/phases.hpp"
#include "kokkos/whole/setting.hpp"
#include "kokkos/whole/small_levels_cuda.hpp"

#include <algorithm>
#include <cstring>

namespace mwk
{
namespace whole
{

/* ---- the kernel ---------------------------------------------------------------------------------- */

/* A top-down level from the queues of the last one. */
template <class Kind>
__device__ void go_down(const search<Kind> &s, meetings<Kind> &all, top_down_level &l,
                        const tally &now, tally *mine)
{
    if constexpr (Kind::several) {
        const bool are_cut = cut_delegated(s, all, mine);
        if (are_cut)
            all.wait();
        forget_waiting();
        along_delegated(s, l, all, are_cut ? mine : nullptr);
    }
    top_down(s, l, now);
    if constexpr (Kind::several) {
        send_rest(s);
        all.meet(l.next, true);
        if (my_thread() < s.n_others)
            *sent_to(s, static_cast<uint32_t>(my_thread())) = 0;
        receive(s, l, all);
    }
    add(l.next, l.n_edges, l.n_found);
}

/* Several ranks' search, but for its root: a function that is not inlined reads it as a
 * kernel does its arguments. */
template <class Kind> __constant__ search<Kind> common;

/* Has all registers. Inlined it spills, in its loops, what the kernel keeps from level to
 * level: on two halves of an H200 at SCALE 26 the two large levels took 340 and 129 us so, and 333
 * and 121 this way. One rank spills less, and it made no difference. */
template <class Kind, bool BY_SUMMARY>
__device__ __noinline__ void bottom_up_apart(const uint32_t *visited, uint32_t *then,
                                             bool all, tally *next)
{
    bottom_up<Kind, BY_SUMMARY>(common<Kind>, visited, then, all, next);
}

template <class Kind, bool BY_SUMMARY>
__device__ __forceinline__ void go_along_all(const search<Kind> &s,
                                             const uint32_t *visited, uint32_t *then,
                                             bool all, tally *next)
{
    if constexpr (Kind::several)
        bottom_up_apart<Kind, BY_SUMMARY>(visited, then, all, next);
    else
        bottom_up<Kind, BY_SUMMARY>(s, visited, then, all, next);
}

/* A bottom-up level from `visited` to `then`, of which others have to hear all, or what is new. */
template <class Kind>
__device__ void go_up(const search<Kind> &s, meetings<Kind> &all, const uint32_t *visited,
                      uint32_t *then, count n_visited, bool tells_all, tally *next)
{
    if ((n_visited << s.summary_shift) * BY_SUMMARY<Kind> < s.n_connected) {
        summarise(s, visited);
        all.wait();
        go_along_all<Kind, true>(s, visited, then, tells_all, next);
    } else if (s.n_connected - n_visited < s.n_connected / FEW) {
        bottom_up_of_few(s, visited, then, tells_all, next);
    } else {
        go_along_all<Kind, false>(s, visited, then, tells_all, next);
    }
    if (Kind::several && !TELLS_AT_ONCE) {
        all.wait();
        tell_all(s, then, true);
    }
}

/* Of a level that follows a bottom-up one: who was found is queued, and what of its progress only that tells. */
template <class Kind>
__device__ void turn_back(const search<Kind> &s, meetings<Kind> &all, uint32_t level)
{
    tally *const now = s.of_level + level % 3;
    const count left = __ldcg(&now->n_edges);
    count n_edges = 0;
    all.wait();
    if (my_thread() == 0)
        now->n_edges = 0;
    all.wait();
    for (uint64_t at = 32 * my_warp(); at < s.n_words; at += 32 * n_warps()) {
        const uint64_t w = at + lane();
        uint32_t found =
            w < s.n_words ? __ldcg(s.visited[0] + w) & ~__ldcg(s.visited[1] + w) : 0;
        for (; __any_sync(ALL, found != 0); found &= found - 1) {
            bool is = found != 0;
            const uint32_t label = static_cast<uint32_t>(32 * w) + __ffs(found) - 1;
            enqueue<Kind, 1>(s, s.queue[level & 1], &is, &label, now, n_edges);
        }
    }
    add(now, n_edges, 0);
    all.wait();
    if (my_thread() == 0) {
        n_edges = __ldcg(&now->n_edges);
        s.standing_at->last.n_edges = n_edges;
        s.standing_at->last.unvisited_edges = left + n_edges;
    }
    all.wait();
}

/* From the root, or resumed. */
template <class Kind, bool RESUMED>
__global__ void __launch_bounds__(THREADS, BLOCKS) search_kernel(search<Kind> s)
{
    meetings<Kind> all(s);
    const bool first = my_thread() == 0;
    const uint32_t
        root = /* beyond all labels where it has no neighbour, or is another's */
        Kind::several && s.root_place == UINT64_MAX ? ALL : s.label_of[s.root_place];
    uint32_t before = 0, after = 1; /* bitmaps: numbers take less to keep */
    bool up = false, queued = true, told = false, is_cut = false;
    uint32_t level = RESUMED ? s.standing_at->level : 0, n_up = 0;
    const bool has_been_up = RESUMED && s.standing_at->has_been_up;
    /* What all threads keep from level to level they lack, and spill, within one: so one thread keeps it for
     * its block. This level's and the last one's, in turn. */
    __shared__ progress of_block[2];
    __shared__ uint64_t since;     /* the first's */
    __shared__ uint32_t turned_at; /* the first bottom-up level */

    if constexpr (RESUMED)
        if (s.standing_at->follows_up)
            turn_back(s, all, level);
    if (threadIdx.x == 0)
        of_block[(level + 1) & 1] =
            RESUMED ? s.standing_at->last : progress{s.n_entries, 0, 1};
    if constexpr (!RESUMED) {
        clear(s, root);
        if (root < s.n_labels)
            begin(s, root);
    }
    all.meet(s.of_level);
    if (first) {
        if (!has_been_up)
            s.told->recounts = ALL;
        s.told->paused = BFS_WHOLE_GOES_ON;
        since = RESUMED ? s.standing_at->since : nanoseconds();
    }
    for (;; level++) {
        uint32_t *const visited = s.visited[before], *const then = s.visited[after];
        tally *const next = s.of_level + (level + 1) % 3;
        bool overflows;
        const tally now = all.of_all(s.of_level + level % 3, overflows);
        const progress last = of_block[(level + 1) & 1];
        const count n_visited = last.n_visited + now.n_found;
        const count unvisited_edges =
            up ? now.n_edges : last.unvisited_edges - now.n_edges;
        if (threadIdx.x == 0)
            of_block[level & 1] = {unvisited_edges, n_visited, now.n_edges};
        if (first && level <= BFS_WHOLE_LEVELS) {
            s.told->level[level].n_active = now.n_found;
            s.told->level[level].n_unvisited_edges = unvisited_edges;
            if (!queued && !up) {
                s.told->recounts = level;
                s.told->before = my_part(s, visited);
            }
        }
        is_cut = now.n_found > 0 && level >= s.most_levels;
        if (now.n_found == 0 || is_cut)
            break;
        const bool stays_down = RESUMED && now.n_edges <= s.small_edges;
        const bool turns = !up && (!queued || overflows ||
                                   (static_cast<double>(now.n_edges) * s.alpha >
                                        static_cast<double>(unvisited_edges) &&
                                    !stays_down));
        if (!Kind::several && /* which leaves `queued` as it is */
            (up ? turns_back(s, level - turned_at, now)
                : queued && !turns && is_small(s, level, now, last.n_edges))) {
            if (first) {
                *s.standing_at = {level, up, has_been_up || up, last, since};
                s.told->visited[0] = visited;
                s.told->visited[1] = then;
                s.told->paused = up ? BFS_WHOLE_TURNS_BACK : BFS_WHOLE_STAYS_SMALL;
            }
            return;
        }
        up |= turns;
        if (threadIdx.x == 0 && turns)
            turned_at = level;
        /* One level's edges are counted after the search, no more. */
        queued = up || has_been_up ||
                 will_queue(s, now.n_edges, last.n_edges, unvisited_edges);
        if (first)
            s.of_level[(level + 2) % 3] = tally{};
        if (!up) {
            if (!queued && now.n_edges > s.queues_up_to * HEADS_FROM) {
                heads(s, visited, then, next);
                swap(before, after);
                all.meet(next);
            }
            top_down_level l = {s.visited[before],
                                s.queue[level & 1],
                                s.queue[~level & 1],
                                next,
                                queued,
                                0,
                                0};
            go_down(s, all, l, now, s.of_level + level % 3);
            if (Kind::several && !queued) { /* the next one is bottom-up */
                all.wait();
                tell_all(s, s.visited[before], false);
                told = true;
            }
        } else {
            if (Kind::several && turns &&
                !told) { /* top-down they have not heard of all */
                tell_all(s, visited, false);
                all.meet(next);
            }
            go_up(s, all, visited, then, n_visited, Kind::several && n_up++ < 2, next);
            swap(before, after);
            static_assert(UPWARDS >= 2,
                          "who turns back has two bitmaps of bottom-up levels");
            if (turns && !has_been_up) /* what was visited before stays for the recount */
                after = 2;
        }
        all.meet(next);
        if (first && level < BFS_WHOLE_LEVELS) {
            const uint64_t at = nanoseconds();
            s.told->level[level].ns = at - since;
            s.told->level[level].up = up;
            since = at;
        }
    }
    if (!s.reached_only)
        forget_unvisited(s, my_part(s, s.visited[before]));
    all.wait();
    if (first) {
        s.told->n_levels = level;
        s.told->is_cut = is_cut;
        s.told->reached = s.reached_only ? my_part(s, s.visited[before]) : nullptr;
        all.end();
    }
    if (!s.reached_only)
        answers<Kind>(s).write();
}

/* Edges of visited labels. `edges` is of cores: memory of both takes no atomic of a device's. */
__global__ void recount_kernel(uint32_t n_labels, const uint64_t *row,
                               const uint32_t *visited, count *edges)
{
    __shared__ count of_block;
    count mine = 0;
    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
    for (uint64_t l = my_thread(); l < n_labels; l += n_threads())
        if (has(visited[l >> 5], l))
            mine += row[l + 1] - row[l];
    atomicAdd(&of_block, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(edges, of_block);
}

__global__ void prepare_kernel(uint32_t n_labels, const uint64_t *row,
                               const uint32_t *column, const uint32_t *name, uint2 *head,
                               uint32_t *narrow_row)
{
    for (uint64_t l = my_thread(); l <= n_labels; l += n_threads()) {
        if (narrow_row != nullptr)
            narrow_row[l] = static_cast<uint32_t>(row[l]);
        if (l == n_labels)
            continue;
        const uint32_t first = column[row[l]];
        head[l] = make_uint2(first, name[first]);
    }
}

/* Where rows of each length begin, if none is longer than those before it. */
__global__ void ladder_kernel(uint32_t n_labels, const uint64_t *row,
                              bfs_whole_ladder *ladder)
{
    constexpr uint32_t TOP = BFS_WHOLE_LADDER;
    for (uint64_t l = my_thread(); l < n_labels; l += n_threads()) {
        const uint64_t length = row[l + 1] - row[l];
        const uint64_t before = l > 0 ? row[l] - row[l - 1] : TOP + 1;
        if (length > before && before <= TOP)
            ladder->is_broken = 1;
        for (uint64_t k = length; k < before && k <= TOP; k++) {
            ladder->first[k] = static_cast<uint32_t>(l);
            ladder->start[k] = row[l] - k * l; /* modulo 2^64 */
        }
        for (uint64_t k = 0; l + 1 == n_labels && k < length && k <= TOP; k++)
            ladder->first[k] = n_labels;
    }
}

/* The pieces of my rank, and what the vertices are called whose rows they are of: rank
 * r's from first[r] on. */
__global__ void prepare_delegated_kernel(uint32_t n_ranks, uint32_t label_bits,
                                         uint64_t n_delegates, const uint64_t *first,
                                         const uint64_t *start, const uint32_t *name,
                                         uint32_t *narrow_start, uint32_t *delegate_name)
{
    for (uint64_t i = my_thread(); i <= n_delegates; i += n_threads()) {
        narrow_start[i] = static_cast<uint32_t>(start[i]);
        if (i == n_delegates)
            continue;
        uint32_t r = 0;
        while (r + 1 < n_ranks && first[r + 1] <= i)
            r++;
        delegate_name[i] = name[r << label_bits | static_cast<uint32_t>(i - first[r])];
    }
}

/* ---- the host's side ------------------------------------------------------------------------------ */

static_assert(sizeof(waiting) <= sizeof(shared), "top-down waits where bottom-up looks");

template <class Kind> static int blocks_of_device()
{
    const int n = blocks_at_once(search_kernel<Kind, false>, sizeof(shared));
    if constexpr (Kind::several)
        return n;
    else
        return std::min(n, blocks_at_once(search_kernel<Kind, true>, sizeof(shared)));
}

/* Copied when it is another graph's, so hardly ever. */
template <class Kind> static void tell_device(search<Kind> x)
{
    static search<Kind> told;
    x.root = 0;
    x.root_place = 0;
    if (std::memcmp(&x, &told, sizeof x) == 0)
        return;
    std::memcpy(&told, &x, sizeof x);
    check(cudaMemcpyToSymbolAsync(common<Kind>, &told, sizeof told, 0,
                                  cudaMemcpyHostToDevice, exec().cuda_stream()),
          "what all levels of a search need");
}

template <class Kind, bool RESUMED = false> static void launch(const bfs_state &s)
{
    const void *const row =
        is_narrow(s) ? static_cast<const void *>(room(s).narrow_row) : s.g->row;
    search<Kind> x = search_of<Kind>(s, static_cast<const typename Kind::offset *>(row));
    if constexpr (Kind::several)
        tell_device(x);
    void *args[] = {&x};
    check(cudaLaunchCooperativeKernel(search_kernel<Kind, RESUMED>,
                                      dim3(s.whole->n_blocks), dim3(THREADS), args,
                                      sizeof(shared), exec().cuda_stream()),
          "a whole search");
}

/* The kernel for this graph and these ranks. */
using narrow = kind<uint32_t, false>;
using wide = kind<uint64_t, false>;
using narrow_of_several = kind<uint32_t, true>;
using wide_of_several = kind<uint64_t, true>;

static bfs_state &state_of(void *job)
{
    check(cudaSetDevice(exec().cuda_device()), "device"); /* of this thread */
    return *static_cast<bfs_state *>(static_cast<mw_job *>(job)->state);
}

/* Who has waited for another rank too long has ended its kernel. */
static void wait_for_all(const bfs_state &s)
{
    const cudaError_t e = cudaStreamSynchronize(exec().cuda_stream());
    if (e != cudaSuccess && s.whole->lost != 0)
        Kokkos::abort(("the device of rank " + std::to_string(s.whole->lost - 1) +
                       " has not come to a meeting of all ranks' devices for " +
                       std::to_string(s.whole->patience_ns / 1000000) + " ms")
                          .c_str());
    check(e, "a whole search");
}

static void begin_search(void *job)
{
    turn t;
    const bfs_state &s = state_of(job);
    if (linked_search(s)) {
        t.wait();
        return;
    }
    if (s.whole->n_ranks > 1) {
        is_narrow(s) ? launch<narrow_of_several>(s) : launch<wide_of_several>(s);
        wait_for_all(s);
        return;
    }
    is_narrow(s) ? launch<narrow>(s) : launch<wide>(s);
    t.wait();
}

/* One rank: small levels, if it has paused for them, and on with all blocks; until the search is over, or pauses again. */
static void go_on(void *job)
{
    turn t;
    const bfs_state &s = state_of(job);
    if (s.whole->paused == BFS_WHOLE_STAYS_SMALL)
        small_levels(s);
    is_narrow(s) ? launch<narrow, true>(s) : launch<wide, true>(s);
    t.wait();
}

static void run(mw_cpe *, void *job)
{
    const bfs_whole &w =
        *static_cast<bfs_state *>(static_cast<mw_job *>(job)->state)->whole;
    for (begin_search(job); w.n_ranks == 1 && w.paused != BFS_WHOLE_GOES_ON;)
        go_on(job);
}

static void prepare_delegated(const bfs_state &s)
{
    const room r(s);
    const uint32_t n = s.whole->n_delegates;
    if (n == 0)
        return;
    const mw_delegates &d = *s.g->delegates;
    launch_blocks(prepare_delegated_kernel, 256, "pieces of delegated rows",
                  s.whole->n_ranks, s.g->label_bits, n, d.first, d.start,
                  static_cast<const uint32_t *>(s.g->name), r.narrow_start,
                  r.delegate_name);
}

/* One rank. Waits. */
static void prepare_ladder(const bfs_state &s)
{
    bfs_whole_ladder *const there = room(s).ladder;
    bfs_whole_ladder here = {};
    const cudaStream_t stream = exec().cuda_stream();
    check(cudaMemsetAsync(there, 0, sizeof *there, stream), "rows by length");
    launch_blocks(ladder_kernel, 1024, "rows by length", s.g->n_labels, s.g->row, there);
    check(cudaMemcpyAsync(&here, there, sizeof here, cudaMemcpyDeviceToHost, stream),
          "rows by length");
    check(cudaStreamSynchronize(stream), "rows by length");
    if (here.is_broken)
        std::fill_n(here.first, BFS_WHOLE_LADDER + 1, ALL);
    s.whole->ladder = here;
}

static void prepare(mw_cpe *, void *job)
{
    turn t;
    const bfs_state &s = state_of(job);
    if (s.whole == nullptr || s.whole->n_blocks > 0)
        return;
    s.whole->writes_all = 1;
    const room r(s);
    launch_blocks(prepare_kernel, 1024, "heads of a whole search", s.g->n_labels,
                  s.g->row, static_cast<const uint32_t *>(s.g->column),
                  static_cast<const uint32_t *>(s.g->name), r.head,
                  is_narrow(s) ? r.narrow_row : nullptr);
    prepare_delegated(s);
    s.whole->n_blocks = static_cast<uint32_t>(
        s.whole->trade != nullptr ? linked_blocks()
        : s.whole->n_ranks > 1    ? is_narrow(s) ? blocks_of_device<narrow_of_several>()
                                                 : blocks_of_device<wide_of_several>()
           : is_narrow(s) ? blocks_of_device<narrow>()
                                  : blocks_of_device<wide>());
    if (s.whole->n_ranks > 1 || s.whole->trade != nullptr) {
        t.wait(); /* else a search does, by the clock */
        return;
    }
    prepare_ladder(s);
    s.whole->small_edges = small_levels_edges(is_narrow(s));
}

static void recount(mw_cpe *, void *job)
{
    turn t;
    const bfs_state &s = state_of(job);
    bfs_whole &w = *s.whole;
    count *const edges = &room(s).of_level->n_edges; /* the search is over */
    const cudaStream_t stream = exec().cuda_stream();
    count visited = 0;
    check(cudaMemsetAsync(edges, 0, sizeof *edges, stream), "edges of a level");
    launch_blocks(recount_kernel, 256, "edges of a level", s.g->n_labels, s.g->row,
                  w.before, edges);
    check(
        cudaMemcpyAsync(&visited, edges, sizeof visited, cudaMemcpyDeviceToHost, stream),
        "edges of a level");
    t.wait();
    w.recounted = visited;
}

} // namespace whole

} // namespace mwk

/* What a search has tuned here; the rest is bfs_device_kernels.c and bfs_device_sweeps.c. One H200, SCALE 26:
 * level by level 354 GTEPS, whole 1,459; *measured*, docs/lab/gpu.md. */
MWK_TUNED(bfs_sweeps, tuned.prepare = mwk::whole::prepare; tuned.whole = mwk::whole::run;
          tuned.recount = mwk::whole::recount;)
