/* bottom_up.hpp -- bottom-up levels of a whole search, and the heads before a large top-down one.
 *
 * A warp has OWN words of the bitmap, 256 labels. First it looks at the heads of those that are not visited: coalesced
 * reads, and a bit each that lies in shared memory for most, since heads are hubs. Those that missed and have more than
 * a head come together, 32 of them then go along their rows, a lane each; a row that is still undecided after
 * some steps is looked at by the whole warp.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_BOTTOM_UP_HPP
#define MWK_WHOLE_BOTTOM_UP_HPP

#include "kokkos/whole/peers.hpp"

namespace mwk::whole
{

constexpr uint32_t OWN = 8;          /* words of a warp at once */
constexpr uint32_t HUB_WORDS = 8192; /* of the first labels' bits: in shared memory */
constexpr int SUMMARY_BITS = 18; /* at most 2^18, in the same place; of one rank 2^17 */
constexpr int STEPS = 8, ENTRIES = 8; /* of a lane along its row; entries a step */
constexpr int STEPS_BY_SUMMARY = 32;  /* where most looks end in shared memory */
constexpr uint32_t LONG_ROW =
    32; /* of few unvisited ones: entries that a lane looks at alone */

/* The dynamic shared memory of a block. */
struct shared {
    uint32_t bits[HUB_WORDS];         /* of hubs, or the summary */
    uint32_t found[WARPS][OWN];       /* new bits */
    uint16_t missed[WARPS][32 * OWN]; /* labels of mine whose heads were not visited */
};

__device__ __forceinline__ shared &mine()
{
    return *static_cast<shared *>(shared_memory());
}

/* All threads of the grid, before the level: a bit for 2^summary_shift labels, 5 or more,
 * any of which is visited. */
template <class Kind>
__device__ void summarise(const search<Kind> &s, const uint32_t *visited)
{
    const uint32_t words = UINT32_C(1) << (s.summary_shift - 5); /* for a bit */
    const uint32_t n_bits = (s.n_all_words + words - 1) / words,
                   n_out = (n_bits + 31) / 32;
    for (uint32_t w = static_cast<uint32_t>(my_thread() >> 5); w < n_out;
         w += static_cast<uint32_t>(n_threads() >> 5)) {
        const uint32_t bit = 32 * w + lane();
        uint32_t any = 0;
        if (bit < n_bits)
            for (uint32_t k = 0; k < words && bit * words + k < s.n_all_words; k++)
                any |= __ldcg(visited + bit * words + k);
        const uint32_t out = __ballot_sync(ALL, any != 0);
        if (lane() == 0)
            __stcg(s.summary + w, out);
    }
}

/* "Visited before this level?", where most looks end in shared memory: at the bits of
 * hubs, or, where few are visited at all, at the summary; of one rank hubs have half of
 * its room. */
template <class Kind, bool BY_SUMMARY> class visited_before
{
  public:
    __device__ __forceinline__ visited_before(const search<Kind> &search,
                                              const uint32_t *visited)
        : s(search), all(visited), near(mine().bits), shift(search.summary_shift)
    {
        const uint32_t words = UINT32_C(1) << (shift - 5);
        const uint32_t n =
            BY_SUMMARY ? HUBS_BESIDE + ((s.n_all_words + words - 1) / words + 31) / 32
                       : HUB_WORDS;
        for (uint32_t i = threadIdx.x; i < n; i += THREADS) {
            bool sums_up = BY_SUMMARY;
            if constexpr (HUBS_BESIDE > 0)
                sums_up = BY_SUMMARY && i >= HUBS_BESIDE;
            const uint32_t hub = BY_SUMMARY ? i : word_of_hub(i);
            near[i] = sums_up               ? __ldcg(s.summary + i - HUBS_BESIDE)
                      : hub < s.n_all_words ? __ldcg(all + hub)
                                            : 0;
        }
        __syncthreads();
    }
    /* The word with its bit, which may be another one's where the summary knows that none
     * is set. */
    __device__ __forceinline__ uint32_t word(uint32_t label) const
    {
        if (BY_SUMMARY) {
            bool is_hub = false;
            if constexpr (HUBS_BESIDE > 0)
                is_hub = label >> 5 < HUBS_BESIDE;
            const uint32_t bit = is_hub ? label : 32 * HUBS_BESIDE + (label >> shift);
            const uint32_t x = near[bit >> 5];
            if (is_hub)
                return x;
            if (!has(x, bit))
                return 0;
        }
        return all[label >> 5];
    }
    /* The same, of a head. One expression, so that loads of many heads are under way at once. */
    __device__ __forceinline__ uint32_t word_of_head(uint32_t label) const
    {
        return !BY_SUMMARY && is_near(label) ? near[place_of_near(label)] : word(label);
    }

  private:
    static constexpr uint32_t HUBS_BESIDE = /* the summary: words */
        Kind::several ? 0 : HUB_WORDS / 2;
    const search<Kind> &s;
    const uint32_t *all;
    uint32_t *near;
    int shift;

    __device__ __forceinline__ uint32_t in_slice(uint32_t label) const
    {
        return label >> 5 & ((UINT32_C(1) << s.slice_bits) - 1);
    }
    __device__ __forceinline__ bool is_near(uint32_t label) const
    {
        return Kind::several ? in_slice(label) >> s.hub_bits == 0
                             : label >> 5 < HUB_WORDS;
    }
    __device__ __forceinline__ uint32_t place_of_near(uint32_t label) const
    {
        return Kind::several ? label >> s.label_bits << s.hub_bits | in_slice(label)
                             : label >> 5;
    }
    /* Which one the i-th in shared memory is; of several ranks each has its share. */
    __device__ __forceinline__ uint32_t word_of_hub(uint32_t i) const
    {
        return Kind::several ? (i >> s.hub_bits << s.slice_bits) +
                                   (i & ((UINT32_C(1) << s.hub_bits) - 1))
                             : i;
    }
};

/* ---- heads ------------------------------------------------------------------------------------------- */

/* Of my words, from `first` on: who is open, and whose head was visited. Parents are set. */
template <class Kind, class Before>
__device__ __forceinline__ void look_at_heads(const search<Kind> &s, const Before &before,
                                              uint32_t first, uint32_t my_word,
                                              bool *open, bool *hit)
{
    uint2 head[OWN];
    uint32_t word[OWN];
#pragma unroll
    for (uint32_t j = 0; j < OWN; j++) {
        open[j] = !(__shfl_sync(ALL, my_word, j) >> lane() & 1);
        head[j] = open[j] ? __ldg(s.head + (first + j) * 32 + lane()) : make_uint2(0, 0);
    }
#pragma unroll
    for (uint32_t j = 0; j < OWN; j++)
        word[j] = open[j] ? before.word_of_head(head[j].x) : 0;
#pragma unroll
    for (uint32_t j = 0; j < OWN; j++) {
        hit[j] = has(word[j], head[j].x);
        if (hit[j])
            s.parent[(first + j) * 32 + lane()] = head[j].y;
    }
}

/* Before a large top-down level that does not queue: heads alone. They settle in order,
 * with coalesced writes, most of what the level would scatter. Others are told all, so
 * they send less. */
template <class Kind>
__device__ void heads(const search<Kind> &s, const uint32_t *visited, uint32_t *then,
                      tally *next)
{
    const visited_before<Kind, false> before(s, visited);
    uint32_t n_found = 0;
    uint32_t *const out = my_part(s, then);
    for (uint32_t c = my_warp(); c < s.n_words / OWN; c += n_warps()) {
        const uint32_t first = c * OWN,
                       my_word = __ldcg(my_part(s, visited) + first + lane() % OWN);
        bool open[OWN], hit[OWN];
        uint32_t found = 0;
        look_at_heads(s, before, first, my_word, open, hit);
#pragma unroll
        for (uint32_t j = 0; j < OWN; j++) {
            const uint32_t bits = __ballot_sync(ALL, hit[j]);
            if (lane() == j)
                found = bits;
        }
        if (lane() < OWN) {
            n_found += __popc(found);
            __stcg(out + first + lane(), my_word | found);
            if constexpr (Kind::several)
                tell(s, out + first + lane(), my_word | found);
        }
    }
    add(next, 0, n_found);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* A row that a lane goes along: entries at to last - 1 are left. They are counted from 16 bytes
 * on in which it begins, at `first`. */
struct walk {
    const uint32_t *row;
    uint32_t first, at, last;
    uint32_t parent; /* where it is found */
    bool goes, found;
};

/* Some steps of each lane along its row, for as long as any goes on. */
template <class Before>
__device__ __forceinline__ void walk_alone(const Before &before, int n_steps, walk &w)
{
#pragma unroll 1
    for (int step = 0; step < n_steps && __any_sync(ALL, w.goes); step++) {
        if (!w.goes)
            continue;
        const uint4 x = __ldg(reinterpret_cast<const uint4 *>(w.row + w.at));
        uint4 y = x;
        if (w.at + 4 < w.last)
            y = __ldg(reinterpret_cast<const uint4 *>(w.row + w.at + 4));
        const uint32_t end[ENTRIES] = {x.x, x.y, x.z, x.w, y.x, y.y, y.z, y.w};
        uint32_t word[ENTRIES];
#pragma unroll
        for (int k = 0; k < ENTRIES; k++)
            word[k] = (k >= 3 || w.at + k >= w.first) && w.at + k < w.last
                          ? before.word(end[k])
                          : 0;
#pragma unroll
        for (int k = ENTRIES - 1; k >= 0; k--)
            if (has(word[k], end[k])) {
                w.parent = end[k];
                w.found = true;
            }
        w.at += ENTRIES;
        w.goes = !w.found && w.at < w.last;
    }
}

/* All lanes along the rows of those that still go, one after another. */
template <class Before>
__device__ __forceinline__ void walk_together(const Before &before, walk &w)
{
    constexpr int AT_ONCE = 4;
    for (uint32_t left = __ballot_sync(ALL, w.goes); left != 0; left &= left - 1) {
        const int whose = __ffs(left) - 1;
        const uint64_t address = reinterpret_cast<uint64_t>(w.row);
        const uint32_t *const row =
            reinterpret_cast<const uint32_t *>(__shfl_sync(ALL, address, whose));
        const uint32_t last = __shfl_sync(ALL, w.last, whose);
        for (uint32_t at = __shfl_sync(ALL, w.at, whose); at < last; at += 32 * AT_ONCE) {
            uint32_t end[AT_ONCE], word[AT_ONCE], visited = ALL;
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                const uint32_t i = at + k * 32 + lane();
                end[k] = i < last ? __ldg(row + i) : ALL;
            }
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++)
                word[k] = end[k] != ALL ? before.word(end[k]) : 0;
#pragma unroll
            for (int k = AT_ONCE - 1; k >= 0; k--)
                if (has(word[k], end[k]))
                    visited = end[k];
            const uint32_t lanes = __ballot_sync(ALL, visited != ALL);
            if (lanes == 0)
                continue;
            const uint32_t parent = __shfl_sync(ALL, visited, __ffs(lanes) - 1);
            if (static_cast<int>(lane()) == whose) {
                w.parent = parent;
                w.found = true;
            }
            break;
        }
    }
}

/* ---- levels: `all` words are told, or those that differ --------------------------------------------- */

/* Labels of mine that missed, in their order. */
__device__ __forceinline__ uint32_t collect(const bool *missed)
{
    uint16_t *const list = mine().missed[threadIdx.x >> 5];
    uint32_t n = 0;
#pragma unroll
    for (uint32_t j = 0; j < OWN; j++) {
        const uint32_t lanes = __ballot_sync(ALL, missed[j]);
        if (missed[j])
            list[n + before_me(lanes)] = static_cast<uint16_t>(32 * j + lane());
        n += __popc(lanes);
    }
    return n;
}

/* Rows of those that missed; the edges of those that stay unvisited. */
template <class Kind, class Before>
__device__ __forceinline__ count look_along_rows(const search<Kind> &s,
                                                 const Before &before, int n_steps,
                                                 uint32_t first, uint32_t n_missed)
{
    shared &m = mine();
    const uint32_t me = threadIdx.x >> 5;
    count edges_left = 0;
    for (uint32_t from = 0; from < n_missed; from += 32) {
        const bool is = from + lane() < n_missed;
        const uint32_t which = is ? m.missed[me][from + lane()] : 0;
        const uint32_t label = first * 32 + which;
        walk w = {};
        if (is) {
            const typename Kind::offset begin =
                __ldg(s.row + label) + 1; /* behind the head */
            w.first = static_cast<uint32_t>(begin & 3);
            w.row = s.column + (begin - w.first);
            w.last = static_cast<uint32_t>(__ldg(s.row + label + 1) - (begin - w.first));
        }
        w.goes = w.first < w.last;
        walk_alone(before, n_steps, w);
        walk_together(before, w);
        if (is && !w.found)
            edges_left += w.last - w.first + 1;
        if (w.found) {
            s.parent[label] = __ldg(s.name + w.parent);
            atomicOr(&m.found[me][which >> 5], UINT32_C(1) << (which & 31));
        }
    }
    return edges_left;
}

template <class Kind, bool BY_SUMMARY>
__device__ void bottom_up(const search<Kind> &s, const uint32_t *visited, uint32_t *then,
                          bool all, tally *next)
{
    constexpr uint32_t TOGETHER = 16; /* warps that have a line of 128 words together */
    const visited_before<Kind, BY_SUMMARY> before(s, visited);
    shared &m = mine();
    const uint32_t me = threadIdx.x >> 5;
    uint32_t *const out = my_part(s, then);
    uint32_t n_found = 0;
    count edges_left = 0;
    for (uint32_t line = my_warp() / TOGETHER; line < s.n_words / (TOGETHER * OWN);
         line += n_warps() / TOGETHER) {
        const uint32_t first = (line * TOGETHER + my_warp() % TOGETHER) * OWN;
        const uint32_t my_word = __ldcg(my_part(s, visited) + first + lane() % OWN);
        uint32_t told = my_word; /* linked, the others have it */
        if constexpr (!Kind::linked)
            told = all ? 0 : told_before(s, out + first + lane() % OWN);
        if (__all_sync(ALL, my_word == ALL)) {
            if (lane() < OWN)
                put(s, out + first + lane(), ALL, all, told);
            continue;
        }
        bool open[OWN], hit[OWN];
        look_at_heads(s, before, first, my_word, open, hit);
#pragma unroll
        for (uint32_t j = 0; j < OWN; j++) {
            const uint32_t bits = __ballot_sync(ALL, hit[j]);
            if (lane() == j)
                m.found[me][j] = bits;
            const bool missed = open[j] && !hit[j];
            const bool leaf = (first + j) * 32 + lane() >= s.first_leaf;
            edges_left += missed && leaf;
            open[j] = missed && !leaf;
        }
        const uint32_t n_missed = collect(open);
        __syncwarp();
        edges_left += look_along_rows(s, before, BY_SUMMARY ? STEPS_BY_SUMMARY : STEPS,
                                      first, n_missed);
        __syncwarp();
        if (lane() < OWN) {
            n_found += __popc(m.found[me][lane()]);
            put(s, out + first + lane(), my_word | m.found[me][lane()], all, told);
        }
        __syncwarp();
    }
    add(next, edges_left, n_found);
}

/* The parent of a label that few share the look with; ALL: none. Lanes without a label
 * take part. */
template <class Kind>
__device__ __forceinline__ uint32_t look_for(const search<Kind> &s,
                                             const uint32_t *visited, bool is,
                                             uint64_t first, uint64_t last)
{
    const auto was = [&](uint32_t label) { return has(visited[label >> 5], label); };
    uint32_t parent = ALL;
    if (is && last - first <= LONG_ROW)
        for (uint64_t i = first; i < last && parent == ALL; i++) {
            const uint32_t end = __ldg(s.column + i);
            if (was(end))
                parent = end;
        }
    uint32_t left = __ballot_sync(ALL, is && last - first > LONG_ROW);
    for (; left != 0; left &= left - 1) {
        const int whose = __ffs(left) - 1;
        const uint64_t end = __shfl_sync(ALL, last, whose);
        for (uint64_t at = __shfl_sync(ALL, first, whose); at < end; at += 32) {
            const uint64_t i = at + lane();
            const uint32_t label = i < end ? __ldg(s.column + i) : 0;
            const uint32_t lanes = __ballot_sync(ALL, i < end && was(label));
            if (lanes == 0)
                continue;
            const uint32_t found = __shfl_sync(ALL, label, __ffs(lanes) - 1);
            if (static_cast<int>(lane()) == whose)
                parent = found;
            break;
        }
    }
    return parent;
}

/* The last levels, where few are unvisited: a warp reads a line of 128 words and lists who is
 * not in it; 32 of those are looked at at once, a lane each. Where bits of hubs lie elsewhere, here
 * lie those that are found, a line for each warp. */
template <class Kind>
__device__ void bottom_up_of_few(const search<Kind> &s, const uint32_t *visited,
                                 uint32_t *then, bool all, tally *next)
{
    constexpr uint32_t LINE = 128, MOST = 32 * OWN;
    static_assert(WARPS * LINE <= HUB_WORDS, "there is room");
    uint32_t *const out = my_part(s, then);
    uint32_t *const found = mine().bits + (threadIdx.x >> 5) * LINE;
    uint16_t *const list = mine().missed[threadIdx.x >> 5];
    uint32_t n_found = 0;
    count edges_left = 0;
    for (uint32_t line = my_warp(); line < s.n_words / LINE; line += n_warps()) {
        const uint32_t i = line * 32 + lane();
        uint4 four = __ldcg(reinterpret_cast<const uint4 *>(my_part(s, visited)) + i);
        /* Linked, the others have what this level begins with. */
        uint4 told = four;
        if constexpr (!Kind::linked)
            told = told_before(s, reinterpret_cast<const uint4 *>(out + 4 * i));
        const uint32_t open[4] = {~four.x, ~four.y, ~four.z, ~four.w};
        const uint32_t n_mine =
            __popc(open[0]) + __popc(open[1]) + __popc(open[2]) + __popc(open[3]);
        const uint32_t to_here = sum_to_here(n_mine), n = __shfl_sync(ALL, to_here, 31);
        reinterpret_cast<uint4 *>(found)[lane()] = make_uint4(0, 0, 0, 0);
        for (uint32_t from = 0; from < n; from += MOST) {
            uint32_t at = to_here - n_mine - from; /* below 0: beyond MOST */
#pragma unroll
            for (uint32_t k = 0; k < 4; k++)
                for (uint32_t left = open[k]; left != 0; left &= left - 1, at++)
                    if (at < MOST)
                        list[at] = static_cast<uint16_t>((4 * lane() + k) * 32 +
                                                         __ffs(left) - 1);
            __syncwarp();
            for (uint32_t j = lane(); j - lane() < n - from && j - lane() < MOST;
                 j += 32) {
                const bool is = j < n - from && j < MOST;
                const uint32_t which = is ? list[j] : 0, label = line * 32 * LINE + which;
                const uint64_t first = is ? __ldg(s.row + label) : 0;
                const uint64_t last = is ? __ldg(s.row + label + 1) : 0;
                const uint32_t parent = look_for(s, visited, is, first, last);
                if (parent == ALL) {
                    edges_left += last - first;
                    continue;
                }
                s.parent[label] = __ldg(s.name + parent);
                atomicOr(found + which / 32, UINT32_C(1) << which % 32);
                n_found++;
            }
            __syncwarp();
        }
        const uint4 is_new = reinterpret_cast<const uint4 *>(found)[lane()];
        four = make_uint4(four.x | is_new.x, four.y | is_new.y, four.z | is_new.z,
                          four.w | is_new.w);
        put(s, out + 4 * i, four, all, told);
        __syncwarp();
    }
    add(next, edges_left, n_found);
}

} // namespace mwk::whole

#endif
