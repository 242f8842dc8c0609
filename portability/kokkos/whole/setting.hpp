/* setting.hpp -- the host's side of a whole search: where everything is that its kernels use, of a search's state and
 * of its room.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_SETTING_HPP
#define MWK_WHOLE_SETTING_HPP

#include "kokkos/whole/search.hpp"

#include "kokkos/whole/phases.hpp"

#include <string>
#include <utility>

namespace mwk::whole
{

inline void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess)
        Kokkos::abort((std::string(what) + ": " + cudaGetErrorString(e)).c_str());
}

/* Queued: so many blocks of a kernel, which do not wait for each other. */
template <class... Parameter, class... Argument>
inline void launch_blocks(void (*kernel)(Parameter...), uint32_t n_blocks,
                          const char *what, Argument... x)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3(n_blocks);
    c.blockDim = dim3(THREADS);
    c.stream = exec().cuda_stream();
    check(cudaLaunchKernelEx(&c, kernel, Parameter(x)...), what);
}

/* As many blocks of a kernel as run at once, for they wait for each other. */
template <class Kernel> inline int blocks_at_once(Kernel kernel, uint64_t n_bytes)
{
    int n_processors = 0, each = 0;
    check(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount,
                                 exec().cuda_device()),
          "processors of the device");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(n_bytes)),
          "shared memory of blocks that run at once");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, THREADS, n_bytes),
          "blocks that run at once");
    return n_processors * each;
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
    standing *standing_at;
    team_memory *of_team;
    small_level *told_small;
    bfs_whole_ladder *ladder;
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
        left.take(standing_at, 1);
        left.take(of_team, 1);
        left.take(told_small, BFS_WHOLE_LEVELS + 1);
        left.take(ladder, 1);
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

inline bool is_narrow(const bfs_state &s)
{
    return s.whole->n_entries < UINT32_MAX;
}

template <class Kind> inline void know_delegated(const bfs_state &s, search<Kind> &x)
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
template <class Kind> inline void join(const bfs_state &s, search<Kind> &x)
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
    x.block[0] = w.block[Kind::linked ? 0 : x.rank];
    for (uint32_t i = 0; !Kind::linked && i < x.n_others; i++)
        x.block[1 + i] = w.block[bfs_whole_other(x.rank, i, x.n_ranks)];
    x.part = bfs_whole_block_of(x.n_ranks, x.label_bits, w.most_delegates, Kind::linked);
    x.letter_words = bfs_whole_letter(x.n_ranks);
    for (int i = 0; i < 3; i++)
        x.visited[i] = x.block[0] + x.part.visited[i];
    x.patience_ns = w.patience_ns;
    know_delegated(s, x);
}

/* Of three bitmaps those two come first. */
inline void order_bitmaps(uint32_t *(&all)[3], uint32_t *const (&first)[2])
{
    for (int i = 0; i < 2; i++)
        for (int k = i; k < 3; k++)
            if (all[k] == first[i])
                std::swap(all[i], all[k]);
}

template <class Kind>
inline search<Kind> search_of(const bfs_state &s, const typename Kind::offset *row)
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
    if (s.whole->paused != BFS_WHOLE_GOES_ON)
        order_bitmaps(x.visited, s.whole->visited);
    x.parent = r.parent;
    x.of_level = r.of_level;
    x.standing_at = r.standing_at;
    x.small_edges = s.whole->small_edges;
    x.of_team = r.of_team;
    x.told_small = r.told_small;
    x.ladder = s.whole->ladder;
    for (int i = 0; i < 2; i++)
        x.queue[i] = r.queue[i];
    x.most_pieces = bfs_whole_pieces(g.n_labels);
    x.most_huge = bfs_whole_labels(g.n_labels) / 128;
    x.queues_up_to = x.n_entries / QUEUES_UP_TO;
    x.alpha = s.whole->alpha;
    x.most_levels = s.whole->most_levels;
    x.reached_only = s.whole->reached_only;
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

} // namespace mwk::whole

#endif
