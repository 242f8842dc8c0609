/* whole_cuda.cpp -- a whole search in one kernel, on GPUs of NVIDIA: all levels between one launch and one
 * wait, with barriers of the grid between them. Kokkos has no such barrier, so this is CUDA; what a
 * level does is in top_down.hpp and bottom_up.hpp, what threads share in search.hpp.
 *
 * Top-down until the next frontier's edges exceed the unvisited ones / alpha, then bottom-up to the end. A level
 * of more than QUEUES_UP_TO does not queue what it finds, for the next one will be bottom-up. When all is
 * reached, parents go to their places in the input's numbering. Kernels of several ranks do so together (peers.hpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#include "kokkos/whole/bottom_up.hpp"
#include "kokkos/whole/top_down.hpp"

#include <cstring>

namespace mwk
{
namespace whole
{

/* Measured as search.hpp's. */
constexpr unsigned QUEUES_UP_TO = 1500; /* levels of fewer edges than all / this queue */
constexpr unsigned QUEUES_ANYHOW = 10;  /* those of fewer than that / this, in any case */
constexpr unsigned HEADS_FROM = 8; /* heads first where a level has this times as many */
constexpr unsigned FEW = 100;      /* fewer labels than all / this are unvisited */
template <class Kind>
constexpr unsigned BY_SUMMARY = /* fewer visited labels than bits of the summary / this */
    Kind::several ? 4 : 2;

/* ---- the kernel ---------------------------------------------------------------------------------- */

/* Bits beyond my labels are set, so that nobody looks for their parents; and the root's. */
template <class Kind> __device__ void clear(const search<Kind> &s, uint32_t root)
{
    uint32_t *const mine = my_part(s, s.visited[0]);
    if (Kind::several)
        for (uint64_t w = my_thread(); w < s.n_all_words; w += n_threads())
            if (w - s.my_words >= s.n_words)
                s.visited[0][w] = 0;
    for (uint64_t w = my_thread(); w < s.n_words; w += n_threads())
        mine[w] = (32 * w >= s.n_labels       ? ALL
                   : 32 * w + 32 > s.n_labels ? ALL << (s.n_labels - 32 * w)
                                              : 0) |
                  (root < s.n_labels && w == root >> 5 ? UINT32_C(1) << (root & 31) : 0);
    if (my_thread() < 3)
        s.of_level[my_thread()] = tally{};
    if (my_thread() < s.n_others)
        *sent_to(s, static_cast<uint32_t>(my_thread())) = 0;
    if (Kind::several && my_thread() == 0)
        s.block[0][s.part.own + BFS_WHOLE_REACHED] = 0;
}

/* The first warp of all, which has cleared what it needs. */
template <class Kind> __device__ void begin(const search<Kind> &s, uint32_t label)
{
    if (my_thread() >= 32)
        return;
    bool is = lane() == 0;
    count n_edges = 0;
    __syncwarp();
    if (is)
        s.parent[label] = s.root;
    enqueue<Kind, 1>(s, s.queue[0], &is, &label, &s.of_level[0], n_edges);
    if (lane() == 0) {
        s.of_level[0].n_edges = n_edges;
        s.of_level[0].n_found = 1;
    }
}

template <class Kind>
__device__ void forget_unvisited(const search<Kind> &s, const uint32_t *visited)
{
    for (uint64_t w = my_thread(); w < s.n_words; w += n_threads())
        for (uint32_t open = ~__ldcg(visited + w); open != 0; open &= open - 1)
            s.parent[w * 32 + __ffs(open) - 1] = ALL;
}

/* Parents to their places. Labels are in the order of places within a degree, so what
 * threads of a block read for neighbouring places lies together, degree by degree: a
 * block takes whole pieces of the places, and its threads meet each other's reads in
 * L1. Four neighbouring places are a thread's: 16 bytes at once. */
template <class Kind> class answers
{
  public:
    __device__ explicit answers(const search<Kind> &search) : s(search) {}
    /* What a thread will need next is on its way before it asks for the parents of these. */
    __device__ void write() const
    {
        const uint64_t n_fours = s.n_places / 4;
        uint4 label[AT_ONCE], later[AT_ONCE], parent[AT_ONCE];
        uint64_t at = blockIdx.x * PIECE + threadIdx.x;
        load(label, at, n_fours);
        for (; at < n_fours; at += gridDim.x * PIECE) {
            load(later, at + gridDim.x * PIECE, n_fours);
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++)
                parent[k] = make_uint4(parent_of(label[k].x), parent_of(label[k].y),
                                       parent_of(label[k].z), parent_of(label[k].w));
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                if (at + k * THREADS < n_fours)
                    put_four(at + k * THREADS, parent[k]);
                label[k] = later[k];
            }
        }
        const uint64_t rest = 4 * n_fours + my_thread();
        if (rest < s.n_places)
            s.answer[rest] = rest == s.root_place ? s.root : parent_of(s.label_of[rest]);
    }

  private:
    static constexpr int AT_ONCE = 2;
    static constexpr uint64_t PIECE = THREADS * AT_ONCE;
    const search<Kind> &s;

    __device__ __forceinline__ uint32_t parent_of(uint32_t label) const
    {
        return label < s.n_labels ? s.parent[label] : ALL;
    }
    __device__ __forceinline__ void load(uint4 *label, uint64_t at,
                                         uint64_t n_fours) const
    {
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            label[k] = at + k * THREADS < n_fours
                           ? __ldcs(reinterpret_cast<const uint4 *>(s.label_of) + at +
                                    k * THREADS)
                           : make_uint4(ALL, ALL, ALL, ALL);
    }
    /* A root without neighbours has no label, and is its own parent all the same. */
    __device__ __forceinline__ void put_four(uint64_t at, uint4 x) const
    {
        if (at == s.root_place / 4) {
            const uint32_t k = s.root_place % 4;
            x = make_uint4(k == 0 ? s.root : x.x, k == 1 ? s.root : x.y,
                           k == 2 ? s.root : x.z, k == 3 ? s.root : x.w);
        }
        __stcs(reinterpret_cast<uint4 *>(s.answer) + at, x);
    }
};

template <class T> __device__ __forceinline__ void swap(T &a, T &b)
{
    const T t = a;
    a = b;
    b = t;
}

/* Does a top-down level queue what it finds? Not where the next one will be bottom-up: where it
 * has many edges; and where it has some, and the next would have too many if it grew as this
 * one did. All ranks say the same. */
template <class Kind>
__device__ bool will_queue(const search<Kind> &s, count n_edges, count n_before,
                           count n_unvisited)
{
    const double n = static_cast<double>(n_edges);
    return n_edges <= s.queues_up_to &&
           (n_edges * QUEUES_ANYHOW <= s.queues_up_to ||
            n * n * s.alpha <=
                static_cast<double>(n_before) * static_cast<double>(n_unvisited));
}

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

/* What a search has come to as a level begins. What all threads keep from level to level they lack,
 * and spill, within one: so one thread keeps it for its block. */
struct progress {
    count unvisited_edges, n_visited, n_edges; /* the last: of the frontier */
};

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

template <class Kind>
__global__ void __launch_bounds__(THREADS, BLOCKS) search_kernel(search<Kind> s)
{
    meetings<Kind> all(s);
    const bool first = my_thread() == 0;
    const uint32_t
        root = /* beyond all labels where it has no neighbour, or is another's */
        Kind::several && s.root_place == UINT64_MAX ? ALL : s.label_of[s.root_place];
    uint32_t before = 0, after = 1; /* bitmaps: numbers take less to keep */
    bool up = false, queued = true, told = false;
    uint32_t level = 0, n_up = 0;
    __shared__ progress of_block[2]; /* this level's and the last one's, in turn */
    __shared__ uint64_t since;       /* the first's */

    if (threadIdx.x == 0)
        of_block[1] = {s.n_entries, 0, 1};
    clear(s, root);
    if (root < s.n_labels)
        begin(s, root);
    all.meet(s.of_level);
    if (first) {
        s.told->recounts = ALL;
        since = nanoseconds();
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
        if (now.n_found == 0)
            break;
        const bool turns = !up && (!queued || overflows ||
                                   static_cast<double>(now.n_edges) * s.alpha >
                                       static_cast<double>(unvisited_edges));
        up |= turns; /* and never back */
        queued = up || will_queue(s, now.n_edges, last.n_edges, unvisited_edges);
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
            if (turns) /* what was visited before stays for the recount */
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
    forget_unvisited(s, my_part(s, s.visited[before]));
    all.wait();
    if (first) {
        s.told->n_levels = level;
        all.end();
    }
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

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess)
        Kokkos::abort((std::string(what) + ": " + cudaGetErrorString(e)).c_str());
}

/* Pieces of the room, each from an address that any load may start at. */
class pieces_of_room
{
  public:
    pieces_of_room(uint32_t *room, uint64_t n_words) : at(room), end(room + n_words) {}
    template <class T> void take(T *&p, uint64_t n)
    {
        constexpr uint64_t LINE = 256 / sizeof *at;
        p = reinterpret_cast<T *>(at);
        at += (n * sizeof(T) / sizeof *at + LINE - 1) / LINE * LINE;
        if (at > end)
            Kokkos::abort("the room of a whole search is too small: bfs_whole_words()");
    }

  private:
    uint32_t *at, *const end;
};

/* Where everything is. What is the same for all searches of a graph comes first. */
struct room {
    uint2 *head;
    uint32_t *narrow_row;
    uint32_t *parent, *visited[3], *summary;
    tally *of_level;
    queues queue[2];
    uint32_t *narrow_start, *delegate_name, *uncut; /* of delegated vertices */
    uint2 *cut;

    explicit room(const bfs_state &s)
    {
        const bfs_whole &w = *s.whole;
        const uint32_t n_labels = s.g->n_labels, n_delegates = w.n_delegates;
        const uint64_t n = bfs_whole_labels(n_labels);
        pieces_of_room left(
            w.room, bfs_whole_words(n_labels) +
                        bfs_whole_delegated_words(n_delegates, w.n_delegated_entries));
        left.take(head, n);
        left.take(narrow_row, n + 1);
        left.take(parent, n);
        for (uint32_t *&bits : visited)
            left.take(bits, n / 32);
        left.take(summary, (UINT32_C(1) << SUMMARY_BITS) / 32 + 32);
        left.take(of_level, 3);
        for (queues &q : queue) {
            left.take(q.short_row, n);
            left.take(q.piece, bfs_whole_pieces(n_labels));
            left.take(q.huge_row, n / 128);
        }
        if (n_delegates == 0)
            return;
        left.take(narrow_start, n_delegates + 1);
        left.take(delegate_name, n_delegates);
        left.take(uncut, n_delegates);
        left.take(cut, bfs_whole_delegated_pieces(n_delegates, w.n_delegated_entries));
    }
};

static bool is_narrow(const bfs_state &s)
{
    return s.whole->n_entries < UINT32_MAX;
}

template <class Kind> static void know_delegated(const bfs_state &s, search<Kind> &x)
{
    const bfs_whole &w = *s.whole;
    const room r(s);
    x.first_delegate = w.first_delegate;
    x.n_my_delegates = w.n_my_delegates;
    x.n_delegates = w.n_delegates;
    x.most_delegates = w.most_delegates;
    if (w.n_delegates == 0)
        return;
    const mw_delegates &d = *s.g->delegates;
    const void *const start =
        is_narrow(s) ? static_cast<const void *>(r.narrow_start) : d.start;
    x.delegated = {static_cast<const typename Kind::offset *>(start), d.label,
                   r.delegate_name, x.rank << x.label_bits};
    x.cut = r.cut;
    x.uncut = r.uncut;
}

/* Bitmaps of all labels in the block that all ranks reach. */
template <class Kind> static void join(const bfs_state &s, search<Kind> &x)
{
    const bfs_whole &w = *s.whole;
    const mw_graph &g = *s.g;
    x.rank = g.comm->rank;
    x.n_ranks = w.n_ranks;
    x.n_others = x.n_ranks - 1;
    x.label_bits = g.label_bits;
    x.slice_bits = x.label_bits - 5;
    x.my_words = x.rank << x.slice_bits;
    x.n_all_words = x.n_ranks << x.slice_bits;
    while (x.n_ranks << (x.hub_bits + 1) <= HUB_WORDS && x.hub_bits < x.slice_bits)
        x.hub_bits++;
    x.block[0] = w.block[x.rank];
    for (uint32_t i = 0; i < x.n_others; i++)
        x.block[1 + i] = w.block[bfs_whole_other(x.rank, i, x.n_ranks)];
    x.part = bfs_whole_block_of(x.n_ranks, x.label_bits, w.most_delegates);
    for (int i = 0; i < 3; i++)
        x.visited[i] = x.block[0] + x.part.visited[i];
    x.patience_ns = w.patience_ns;
    know_delegated(s, x);
}

template <class Kind>
static search<Kind> search_of(const bfs_state &s, const typename Kind::offset *row)
{
    const mw_graph &g = *s.g;
    const room r(s);
    search<Kind> x = {};
    x.n_labels = g.n_labels;
    x.first_leaf = static_cast<uint32_t>(s.first_leaf);
    x.n_all_words = x.n_words = static_cast<uint32_t>(bfs_whole_labels(g.n_labels) / 32);
    x.n_entries = g.n_entries;
    x.n_connected = static_cast<uint32_t>(g.n_connected);
    x.row = row;
    x.column = static_cast<const uint32_t *>(g.column);
    x.head = r.head;
    x.name = static_cast<const uint32_t *>(g.name);
    for (int i = 0; i < 3; i++)
        x.visited[i] = r.visited[i];
    x.parent = r.parent;
    x.of_level = r.of_level;
    for (int i = 0; i < 2; i++)
        x.queue[i] = r.queue[i];
    x.most_pieces = bfs_whole_pieces(g.n_labels);
    x.most_huge = bfs_whole_labels(g.n_labels) / 128;
    x.queues_up_to = x.n_entries / QUEUES_UP_TO;
    x.alpha = s.whole->alpha;
    x.summary = r.summary;
    if (Kind::several)
        join(s, x);
    const int summary_bits = Kind::several ? SUMMARY_BITS : SUMMARY_BITS - 1;
    for (x.summary_shift = 5; 32 * static_cast<uint64_t>(x.n_all_words) >
                              UINT64_C(1) << (summary_bits + x.summary_shift);)
        x.summary_shift++;
    x.root_place = s.root_place;
    x.root = static_cast<uint32_t>(s.root);
    x.label_of = g.label_of;
    x.answer = static_cast<uint32_t *>(s.parent);
    x.n_places = g.n_places;
    x.told = s.whole;
    return x;
}

static_assert(sizeof(waiting) <= sizeof(shared), "top-down waits where bottom-up looks");

/* As many blocks as run at once, for they wait for each other. */
template <class Kind> static int blocks_of_device()
{
    int n_processors = 0, each = 0;
    const auto kernel = search_kernel<Kind>;
    check(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount,
                                 exec().cuda_device()),
          "processors of the device");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               sizeof(shared)),
          "shared memory of a whole search");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, THREADS,
                                                        sizeof(shared)),
          "blocks of a whole search");
    return n_processors * each;
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

template <class Kind> static void launch(const bfs_state &s)
{
    const void *const row =
        is_narrow(s) ? static_cast<const void *>(room(s).narrow_row) : s.g->row;
    search<Kind> x = search_of<Kind>(s, static_cast<const typename Kind::offset *>(row));
    if constexpr (Kind::several)
        tell_device(x);
    void *args[] = {&x};
    check(cudaLaunchCooperativeKernel(search_kernel<Kind>, dim3(s.whole->n_blocks),
                                      dim3(THREADS), args, sizeof(shared),
                                      exec().cuda_stream()),
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

static void run(mw_cpe *, void *job)
{
    turn t;
    const bfs_state &s = state_of(job);
    if (s.whole->n_ranks > 1)
        is_narrow(s) ? launch<narrow_of_several>(s) : launch<wide_of_several>(s);
    else
        is_narrow(s) ? launch<narrow>(s) : launch<wide>(s);
    if (s.whole->n_ranks > 1)
        wait_for_all(s);
    else
        t.wait();
}

static void prepare_delegated(const bfs_state &s)
{
    const room r(s);
    const uint32_t n = s.whole->n_delegates;
    if (n == 0)
        return;
    const mw_delegates &d = *s.g->delegates;
    prepare_delegated_kernel<<<256, THREADS, 0, exec().cuda_stream()>>>(
        s.whole->n_ranks, s.g->label_bits, n, d.first, d.start,
        static_cast<const uint32_t *>(s.g->name), r.narrow_start, r.delegate_name);
    check(cudaGetLastError(), "pieces of delegated rows");
}

static void prepare(mw_cpe *, void *job)
{
    turn t;
    const bfs_state &s = state_of(job);
    if (s.whole == nullptr || s.whole->n_blocks > 0)
        return;
    const room r(s);
    prepare_kernel<<<1024, THREADS, 0, exec().cuda_stream()>>>(
        s.g->n_labels, s.g->row, static_cast<const uint32_t *>(s.g->column),
        static_cast<const uint32_t *>(s.g->name), r.head,
        is_narrow(s) ? r.narrow_row : nullptr);
    check(cudaGetLastError(), "heads of a whole search");
    prepare_delegated(s);
    s.whole->n_blocks = static_cast<uint32_t>(
        s.whole->n_ranks > 1 ? is_narrow(s) ? blocks_of_device<narrow_of_several>()
                                            : blocks_of_device<wide_of_several>()
        : is_narrow(s) ? blocks_of_device<narrow>()
                             : blocks_of_device<wide>());
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
    recount_kernel<<<256, THREADS, 0, stream>>>(s.g->n_labels, s.g->row, w.before, edges);
    check(cudaGetLastError(), "edges of a level");
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
MWK_TUNED(bfs_sweeps, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
          nullptr, nullptr, nullptr, nullptr, nullptr, mwk::whole::prepare,
          mwk::whole::run, mwk::whole::recount, nullptr, nullptr, nullptr)
