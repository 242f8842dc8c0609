/* phases.hpp -- what a whole search does before its first level and after its last one, and how a level is done,
 * for who runs the levels: one kernel (whole_cuda.cpp), or the host (linked_cuda.cpp).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_PHASES_HPP
#define MWK_WHOLE_PHASES_HPP

#include "kokkos/whole/bottom_up.hpp"
#include "kokkos/whole/top_down.hpp"

namespace mwk::whole
{

/* Measured as search.hpp's. */
constexpr unsigned QUEUES_UP_TO = 1500; /* levels of fewer edges than all / this queue */
constexpr unsigned QUEUES_ANYHOW = 10;  /* those of fewer than that / this, in any case */
constexpr unsigned HEADS_FROM = 8; /* heads first where a level has this times as many */
constexpr unsigned UPWARDS = 8;    /* bottom-up levels, before one may turn back */
constexpr unsigned FEW = 100;      /* fewer labels than all / this are unvisited */
template <class Kind>
constexpr unsigned BY_SUMMARY = /* fewer visited labels than bits of the summary / this */
    Kind::several ? 4 : 2;

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

/* Levels stay small: a team of blocks goes on from here (small_levels_cuda.cpp). Not from the first ones, which are small in
 * any graph. */
template <class Kind>
__device__ __forceinline__ bool is_small(const search<Kind> &s, uint32_t level,
                                         const tally &now, count n_edges_before)
{
    return level >= 4 && now.n_edges <= s.small_edges &&
           n_edges_before <= s.small_edges && now.n_edges <= 2 * n_edges_before &&
           now.n_huge == 0 && now.n_queued >> 32 == 0;
}

/* Of so many bottom-up levels in a row the last one found little: top-down is cheaper, even with a kernel more. Kronecker graphs
 * have fewer such levels. */
template <class Kind>
__device__ __forceinline__ bool turns_back(const search<Kind> &s, uint32_t n_up,
                                           const tally &now)
{
    return n_up >= UPWARDS && now.n_found <= s.small_edges / 4;
}

template <class T> __device__ __forceinline__ void swap(T &a, T &b)
{
    const T t = a;
    a = b;
    b = t;
}

/* Does a top-down level queue what it finds? Not where the next one will be bottom-up: where it
 * has many edges, and more than twice those of the last one; and where it has some, and the next would have too many
 * if it grew as this one did. All ranks say the same. */
template <class Kind>
__host__ __device__ bool will_queue(const search<Kind> &s, count n_edges, count n_before,
                                    count n_unvisited)
{
    const double n = static_cast<double>(n_edges);
    const bool grows_too_much = n * n * s.alpha > static_cast<double>(n_before) *
                                                      static_cast<double>(n_unvisited);
    return n_edges * QUEUES_ANYHOW <= s.queues_up_to ||
           ((n_edges <= s.queues_up_to || n_edges <= 2 * n_before) && !grows_too_much);
}

} // namespace mwk::whole

#endif
