/* search.hpp -- a whole search in one kernel of CUDA: what all its threads share, and what the lanes of
 * a warp do together. whole_cuda.cpp is the kernel.
 *
 * The state is a bitmap of visited labels and a parent for each. There is no bitmap of the frontier,
 * and no levels: bottom-up asks "visited before this level?", so two bitmaps swap roles.
 *
 * Several ranks: each has parents for its own labels, and bitmaps of the labels of all. Columns are bits of those. What is
 * common to their kernels is in peers.hpp.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_SEARCH_HPP
#define MWK_WHOLE_SEARCH_HPP

#include "kokkos/space.hpp"
#include "kokkos/whole/ptx.hpp"

#include "algorithms/bfs/bfs_state.h"
#include "graph/delegates.h"

namespace mwk::whole
{

using count = unsigned long long; /* what atomics add to */

/* Measured on an H200 by a probe of ours. Two blocks of a processor at least: 64
 * registers a thread. */
constexpr int THREADS = 512, WARPS = THREADS / 32, BLOCKS = 2;
constexpr uint32_t ALL =
    UINT32_MAX; /* the lanes of a warp; a word of visited labels; no parent */

/* What a level leaves to the next one. Three of them take turns: this level's, the next
 * one's, and one that is cleared meanwhile. */
struct tally {
    count n_queued; /* short rows; in the upper half pieces of long ones */
    count n_huge;   /* rows so long that all warps share each */
    count
        n_edges; /* top-down: out of what was queued; bottom-up: out of what stays unvisited */
    count n_found;
    count n_cut; /* several ranks: what is listed of the delegated, before a level */
    count n_uncut;
};

/* What a search has come to as a level begins. */
struct progress {
    count unvisited_edges, n_visited, n_edges; /* the last: of the frontier */
};

/* Where one kernel leaves a search to the next one: before a top-down level. */
struct standing {
    uint32_t level;
    bool follows_up; /* a bottom-up level, so nobody is queued */
    bool has_been_up;
    progress
        last; /* as the level before began; but behind a team, and one that turns back, n_edges are of this level */
    uint64_t since; /* when this one began, by the device's clock */
};

/* What the blocks of a team find in a level. */
struct small_level {
    count n, n_entries;
};

/* A team's memory, all 0 before its kernel begins: team.hpp. */
struct team_memory {
    count met[2]; /* of two meetings in turn: arrivals; above, what they have said */
    small_level dealt
        [3]; /* in turn: this deal's, the next one's, and one that is cleared meanwhile */
};

/* Rows that top-down goes along: a rank's own, or the pieces of delegated vertices that
 * lead here. */
template <class Kind> struct rows {
    const typename Kind::offset *start; /* [n + 1] */
    const uint32_t *entry, *name;
    uint32_t above; /* the part of a column that entries lack */
};

/* The frontier of a top-down level, by the length of rows, so that no warp waits for
 * another: queues.hpp. */
struct queues {
    uint32_t *short_row, *huge_row;
    uint2 *piece; /* label, number of the piece */
};

/* What kernels are made for. `Offset` is what row[] has: 32 bits where they suffice, for
 * it is read all the time. */
template <class Offset, bool SEVERAL, bool LINKED = false> struct kind {
    using offset = Offset;
    static constexpr bool several = SEVERAL; /* ranks */
    static constexpr bool linked = LINKED;   /* which do not reach each other's memory */
};

template <class Kind> struct search {
    uint32_t n_labels, first_leaf;    /* from which on rows have one entry */
    uint32_t n_words;                 /* of their bits: whole lines of 128 */
    count n_entries;                  /* of all ranks */
    uint32_t n_connected;             /* labels of all ranks */
    const typename Kind::offset *row; /* [n_labels + 1] */
    const uint32_t *column;
    const uint2 *head; /* the first entry of each row, and its name: at hand when its bit
                             is known */
    const uint32_t *name; /* by label */

    uint32_t *visited[3]; /* [n_all_words] */
    uint32_t n_all_words;
    uint32_t *parent; /* by label; in the input's numbering, as names are */
    tally *of_level;  /* [3] */
    standing *standing_at;
    queues queue[2];
    count most_pieces, most_huge;
    count queues_up_to; /* edges: a level with more does not queue what it finds */
    double alpha;
    uint32_t
        small_edges; /* one rank: levels of no more edges are small (small_levels_cuda.cpp); 0: none are */
    bfs_whole_ladder ladder;
    team_memory *of_team;
    small_level *told_small; /* [BFS_WHOLE_LEVELS + 1] */
    uint32_t most_levels, reached_only;
    uint32_t *summary; /* of visited labels: a bit for 2^summary_shift of them */
    int summary_shift;

    uint64_t root_place;
    uint32_t root;
    const uint32_t *label_of; /* by place */
    uint32_t *answer;         /* by place: parents */
    uint64_t n_places;
    bfs_whole *told; /* of both */

    /* Several ranks: peers.hpp. Words of labels of a rank begin at rank << slice_bits,
     * mine at my_words. */
    uint32_t rank, n_ranks, n_others, label_bits, slice_bits, my_words;
    uint32_t hub_bits; /* of each rank 2^hub_bits words of hubs lie in shared memory */
    uint32_t *block[MW_PEERS_MAX]; /* mine, and those of the others as they go round */
    bfs_whole_block part;
    uint32_t letter_words; /* linked */
    uint64_t patience_ns;

    /* Delegated vertices, by their numbers (bfs_whole.h); my first labels are
     * n_my_delegates of them. */
    uint32_t first_delegate, n_my_delegates, n_delegates, most_delegates;
    rows<Kind> delegated;
    uint2 *cut;      /* number, which piece: of rows up to HUGE_ROW */
    uint32_t *uncut; /* number */
};

/* The words of my labels. */
template <class Kind, class Word>
__device__ __forceinline__ Word *my_part(const search<Kind> &s, Word *bitmap)
{
    return Kind::several ? bitmap + s.my_words : bitmap;
}

/* Of one of my labels. */
template <class Kind>
__device__ __forceinline__ uint32_t name_of_mine(const search<Kind> &s, uint32_t label)
{
    return __ldg(s.name + (Kind::several ? s.rank << s.label_bits | label : label));
}

/* ---- who am I ------------------------------------------------------------------------------------ */

__device__ __forceinline__ uint32_t lane()
{
    return threadIdx.x & 31;
}
/* Neighbouring warps are in different blocks: what follows each other in memory is dealt
 * to all processors. */
__device__ __forceinline__ uint32_t my_warp()
{
    return (threadIdx.x >> 5) * gridDim.x + blockIdx.x;
}
__device__ __forceinline__ uint32_t n_warps()
{
    return gridDim.x * WARPS;
}
__device__ __forceinline__ uint64_t my_thread()
{
    return static_cast<uint64_t>(blockIdx.x) * THREADS + threadIdx.x;
}
__device__ __forceinline__ uint64_t n_threads()
{
    return static_cast<uint64_t>(gridDim.x) * THREADS;
}

/* ---- the lanes of a warp --------------------------------------------------------------------------- */

/* Of this lane and those before it. */
template <class T> __device__ __forceinline__ T sum_to_here(T x)
{
#pragma unroll
    for (uint32_t back = 1; back < 32; back <<= 1) {
        const T before = __shfl_up_sync(ALL, x, back);
        if (lane() >= back)
            x += before;
    }
    return x;
}

/* Known to lane 0 alone. */
__device__ __forceinline__ count sum_at_0(count x)
{
#pragma unroll
    for (int further = 16; further > 0; further >>= 1)
        x += __shfl_down_sync(ALL, x, further);
    return x;
}

/* Lanes before this one that are in the set. */
__device__ __forceinline__ uint32_t before_me(uint32_t set)
{
    return __popc(set & ((UINT32_C(1) << lane()) - 1));
}

__device__ __forceinline__ bool has(uint32_t word, uint32_t label)
{
    return word >> (label & 31) & 1;
}

/* What a warp has done in a level. */
__device__ __forceinline__ void add(tally *next, count n_edges, uint32_t n_found)
{
    n_edges = sum_at_0(n_edges);
    n_found = __reduce_add_sync(ALL, n_found);
    if (lane() != 0)
        return;
    if (n_edges > 0)
        atomicAdd(&next->n_edges, n_edges);
    if (n_found > 0)
        atomicAdd(&next->n_found, static_cast<count>(n_found));
}

} // namespace mwk::whole

#endif
