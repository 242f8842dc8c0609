/* peers.hpp -- what the kernels of several ranks, each on a device of its own, tell each other. They store it in
 * each other's memory (algorithms/bfs/bfs_whole.h, struct bfs_whole_block), and meet between two phases of a
 * level. Nobody reads another's memory.
 *
 *      words      of my labels' bits, into everybody's bitmap: tell()
 *      records    of others' labels that I lead to, with their parent: send(). Who has a label decides: receive()
 *      numbers    of the delegated vertices that were reached: tell_delegated(). Each rank goes along its pieces of their rows
 *      counts     of a level, as mail at a meeting: meet()
 *
 * Why parents are right. A label's parent is stored by its rank alone, by the one thread whose atomic set the label's bit in that
 * rank's own bitmap; whether an edge of this rank's own led there or a record, it comes from a label of the level that is searched. A bit of
 * another's label, as it is here, may be missing; then a record is made that its rank takes for old. It is never set too
 * early: in a top-down level nobody asks when it was set, and the words that a level tells go to the bitmap
 * that only the next one reads. The first bottom-up level has all words of all ranks told first.
 *
 * Why nobody overwrites what is still read. Words go to a bitmap that no rank reads before the next meeting; records and mail lie
 * in rooms that are used again two meetings later, when all who had to read have come to the one between. Numbers of delegated vertices
 * are each told once in a search, behind those before.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_PEERS_HPP
#define MWK_WHOLE_PEERS_HPP

#include "kokkos/whole/search.hpp"

#include <cooperative_groups.h>

namespace mwk::whole
{

/* Words go to others as soon as a warp has them, while the rest of the level is searched.
 * False: when it is over, which is there to be measured (docs/gpu.md). */
constexpr bool TELLS_AT_ONCE = true;

/* ---- words -------------------------------------------------------------------------------------------- */

/* What is here, at `at` of my block, to the same place of all others. */
template <class Kind, class T>
__device__ __forceinline__ void tell(const search<Kind> &s, const uint32_t *at, T x)
{
    for (uint32_t i = 0; i < s.n_others; i++)
        __stcg(reinterpret_cast<T *>(s.block[1 + i] + (at - s.block[0])), x);
}

__device__ __forceinline__ bool differs(uint32_t a, uint32_t b)
{
    return a != b;
}
__device__ __forceinline__ bool differs(uint4 a, uint4 b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w;
}

/* What the others have had of it since the last level but one. */
template <class Kind, class T>
__device__ __forceinline__ T told_before(const search<Kind> &, const T *at)
{
    if constexpr (Kind::several)
        return __ldcg(at);
    else
        return T{};
}

/* A word of a bottom-up level's outcome, or four. Several ranks: unless the others have it. */
template <class Kind, class T>
__device__ __forceinline__ void put(const search<Kind> &s, uint32_t *at, T x, bool all,
                                    T told)
{
    if constexpr (Kind::several) {
        if (!all && !differs(told, x))
            return;
        if (TELLS_AT_ONCE)
            tell(s, at, x);
    }
    __stcg(reinterpret_cast<T *>(at), x);
}

/* All threads of the grid: all words of my labels; without zeros, where others have zeros there. */
template <class Kind>
__device__ void tell_all(const search<Kind> &s, uint32_t *bitmap, bool zeros)
{
    uint32_t *const mine = my_part(s, bitmap);
    for (uint64_t i = 4 * my_thread(); i < s.n_words; i += 4 * n_threads()) {
        const uint4 x = __ldcg(reinterpret_cast<const uint4 *>(mine + i));
        if (zeros || (x.x | x.y | x.z | x.w) != 0)
            tell(s, mine + i, x);
    }
}

/* ---- records ------------------------------------------------------------------------------------------ */

template <class Kind>
__device__ __forceinline__ uint2 *records_at(const search<Kind> &s, uint32_t *block,
                                             uint32_t sender)
{
    return reinterpret_cast<uint2 *>(block + s.part.records) +
           (static_cast<uint64_t>(sender) << s.label_bits);
}

template <class Kind>
__device__ __forceinline__ uint32_t *sent_to(const search<Kind> &s, uint32_t i)
{
    return s.block[0] + s.part.own + BFS_WHOLE_SENT + i;
}

/* The numbers that a rank has told, in somebody's block. */
template <class Kind>
__device__ __forceinline__ uint32_t *told_by(const search<Kind> &s, uint32_t *block,
                                             uint32_t rank)
{
    return block + s.part.told + static_cast<uint64_t>(rank) * s.most_delegates;
}

/* Records of a warp wait in shared memory, which top-down does not use, until many of
 * them go at once: a counter of a whole device takes one atomic in some nanoseconds. */
struct waiting {
    uint2 record[WARPS][256]; /* for each other rank its share */
    uint32_t n[WARPS][MW_PEERS_MAX];
};
__device__ __forceinline__ waiting &waiting_here()
{
    extern __shared__ __align__(16) uint32_t memory[];
    return *reinterpret_cast<waiting *>(memory);
}

/* All threads of a block, before a top-down level. */
__device__ __forceinline__ void forget_waiting()
{
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < WARPS * MW_PEERS_MAX; i += THREADS)
        waiting_here().n[i / MW_PEERS_MAX][i % MW_PEERS_MAX] = 0;
    __syncthreads();
}

/* All lanes: room for n records at the i-th other rank. */
template <class Kind>
__device__ __forceinline__ uint2 *room_there(const search<Kind> &s, uint32_t i,
                                             uint32_t n)
{
    uint32_t at = 0;
    if (lane() == 0)
        at = atomicAdd(sent_to(s, i), n);
    return records_at(s, s.block[1 + i], bfs_whole_back(i, s.n_ranks)) +
           __shfl_sync(ALL, at, 0);
}

template <class Kind>
__device__ __forceinline__ void send_waiting(const search<Kind> &s, uint32_t i)
{
    waiting &w = waiting_here();
    const uint32_t me = threadIdx.x >> 5, n = w.n[me][i];
    const uint2 *const record = w.record[me] + i * (256 / s.n_others);
    __syncwarp();
    if (n == 0)
        return;
    uint2 *const to = room_there(s, i, n);
    for (uint32_t k = lane(); k < n; k += 32)
        __stcg(to + k, record[k]);
    if (lane() == 0)
        w.n[me][i] = 0;
    __syncwarp();
}

/* All lanes: labels of others among end[k] to whom they belong. Each is sent once in a
 * search at most, since its bit is set here, so there is room for all. */
template <class Kind, int N>
__device__ __forceinline__ void send(const search<Kind> &s, const bool *away,
                                     const uint32_t *end, const uint32_t *name)
{
    const uint32_t mask = (UINT32_C(1) << s.label_bits) - 1;
    const uint32_t me = threadIdx.x >> 5, most = 256 / s.n_others;
    waiting &w = waiting_here();
    for (uint32_t i = 0; i < s.n_others; i++) {
        const uint32_t to = bfs_whole_other(s.rank, i, s.n_ranks);
        uint32_t n = 0;
#pragma unroll
        for (int k = 0; k < N; k++)
            n += __popc(__ballot_sync(ALL, away[k] && end[k] >> s.label_bits == to));
        if (n == 0)
            continue;
        if (w.n[me][i] + n > most)
            send_waiting(s, i);
        const uint32_t before = w.n[me][i];
        uint2 *record = n > most ? room_there(s, i, n) : w.record[me] + i * most + before;
        __syncwarp();
        if (n <= most && lane() == 0)
            w.n[me][i] = before + n;
#pragma unroll
        for (int k = 0; k < N; k++) {
            const bool is = away[k] && end[k] >> s.label_bits == to;
            const uint32_t lanes = __ballot_sync(ALL, is);
            if (is)
                record[before_me(lanes)] = make_uint2(end[k] & mask, name[k]);
            record += __popc(lanes);
        }
        __syncwarp();
    }
}

/* All lanes, at the end of a level. */
template <class Kind> __device__ void send_rest(const search<Kind> &s)
{
    for (uint32_t i = 0; i < s.n_others; i++)
        send_waiting(s, i);
}

/* ---- meetings ----------------------------------------------------------------------------------------- */

__device__ __forceinline__ uint64_t nanoseconds()
{
    uint64_t t;
    asm volatile("mov.u64 %0,%globaltimer;" : "=l"(t));
    return t;
}

/* Nothing is known by it but the word: who has seen it makes a fence, once. Blocks that
 * work beside this one keep their L1. */
__device__ __forceinline__ uint32_t look_at(const uint32_t *p)
{
    uint32_t x;
    asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ void store_release(uint32_t *p, uint32_t x)
{
    asm volatile("st.release.gpu.global.u32 [%0],%1;" ::"l"(p), "r"(x) : "memory");
}
/* The same of other devices. */
__device__ __forceinline__ uint64_t load_from_others(const uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.relaxed.sys.global.u64 %0,[%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ void store_for_others(uint64_t *p, uint64_t x)
{
    asm volatile("st.release.sys.global.u64 [%0],%1;" ::"l"(p), "l"(x) : "memory");
}

/* All threads of the grid; of several ranks those of all. Every thread has one and goes
 * to the same meetings. */
template <class Kind> class meetings
{
  public:
    __device__ explicit meetings(const search<Kind> &search)
        : s(search), grid(cooperative_groups::this_grid()),
          n(Kind::several ? __ldcg(own() + BFS_WHOLE_MET) : 0)
    {
    }
    /* What was stored before is seen by all afterwards; and of `now` what others are
     * told. In the middle of a level: its delegated vertices are done with. */
    __device__ void meet(const tally *now, bool in_the_middle = false)
    {
        if constexpr (Kind::several)
            meet_others(now, in_the_middle);
        else
            grid.sync();
    }
    /* The same of this device alone. */
    __device__ void wait()
    {
        grid.sync();
    }
    /* The tally of a level, after a meeting: edges and vertices of all ranks, queues of
     * this one. */
    __device__ __forceinline__ tally of_all(const tally *mine, bool &overflows) const
    {
        tally t = {__ldcg(&mine->n_queued), __ldcg(&mine->n_huge), 0, 0, 0, 0};
        if constexpr (Kind::several) {
            t.n_edges = __ldcg(&sum()->n_edges);
            t.n_found = __ldcg(&sum()->n_found);
            overflows = __ldcg(&sum()->overflows) != 0;
        } else {
            t.n_edges = __ldcg(&mine->n_edges);
            t.n_found = __ldcg(&mine->n_found);
            overflows = overflow(t);
        }
        return t;
    }
    /* What the i-th other has sent. */
    __device__ __forceinline__ uint32_t n_records(uint32_t i) const
    {
        return __ldcg(&sum()->n_records[i]);
    }
    /* What the rank has told for this level: from *first on, how many. */
    __device__ __forceinline__ uint32_t n_told(uint32_t rank, uint32_t *first) const
    {
        *first = __ldcg(&sum()->done[rank]);
        return __ldcg(&sum()->told[rank]) - *first;
    }
    /* A thread for each rank, before a search. */
    __device__ void forget(uint32_t rank) const
    {
        sum()->done[rank] = sum()->told[rank] = 0;
    }
    /* One thread, when the search is over. */
    __device__ void end() const
    {
        if constexpr (Kind::several)
            own()[BFS_WHOLE_MET] = n;
    }

  private:
    /* Of all ranks, as this one has heard. */
    struct total {
        count n_edges, n_found;
        uint32_t overflows, n_records[MW_PEERS_MAX];
        uint32_t told[MW_PEERS_MAX], done[MW_PEERS_MAX]; /* by rank */
    };
    static_assert(sizeof(total) <= (BFS_WHOLE_OWN - BFS_WHOLE_TOTAL) * sizeof(uint32_t),
                  "bfs_whole.h has room");
    enum { EDGES_LOW, EDGES_HIGH, FOUND, OVERFLOWS, RECORDS, REACHED, WORDS };
    static_assert(WORDS <= BFS_WHOLE_MAIL, "bfs_whole.h has room");

    const search<Kind> &s;
    cooperative_groups::grid_group grid;
    uint32_t n;

    __device__ __forceinline__ uint32_t *own() const
    {
        return s.block[0] + s.part.own;
    }
    __device__ __forceinline__ total *sum() const
    {
        return reinterpret_cast<total *>(own() + BFS_WHOLE_TOTAL);
    }
    __device__ __forceinline__ bool overflow(const tally &t) const
    {
        return t.n_huge > s.most_huge || t.n_queued >> 32 > s.most_pieces;
    }
    __device__ __forceinline__ uint64_t *mail_of(uint32_t *block, uint32_t rank) const
    {
        return reinterpret_cast<uint64_t *>(block + s.part.mail) +
               ((n & 1) * MW_PEERS_MAX + rank) * static_cast<uint32_t>(BFS_WHOLE_MAIL);
    }

    /* The block of threads that comes last talks to the others, for all of this rank, and
     * lets the rest go on. */
    __device__ void meet_others(const tally *now, bool in_the_middle)
    {
        bool last = false;
        __syncthreads();
        n++;
        if (threadIdx.x == 0) {
            __threadfence();
            last = atomicAdd(own() + BFS_WHOLE_ARRIVED, 1U) == gridDim.x - 1;
            __threadfence();
        }
        if (__syncthreads_or(last))
            talk(now, in_the_middle);
        else if (threadIdx.x == 0) {
            while (static_cast<int32_t>(look_at(own() + BFS_WHOLE_OPEN) - n) < 0)
                continue;
            __threadfence();
        }
        __syncthreads();
    }
    /* A word for each thread: in its lower half the meeting it belongs to, so it is
     * its own flag. What is known here is looked up while the others' words are on
     * their way. */
    __device__ void talk(const tally *now, bool in_the_middle)
    {
        __shared__ uint32_t heard[MW_PEERS_MAX][WORDS];
        const uint32_t i = threadIdx.x / WORDS, what = threadIdx.x % WORDS;
        const uint32_t k = threadIdx.x, n_others = s.n_others;
        const uint32_t of = k < n_others ? bfs_whole_other(s.rank, k, s.n_ranks) : s.rank;
        count edges = 0, found = 0;
        uint32_t overflows = 0, reached = 0;
        if (i < n_others)
            store_for_others(mail_of(s.block[1 + i], s.rank) + what,
                             static_cast<uint64_t>(word_for(now, i, what)) << 32 | n);
        if (k == 0) {
            edges = __ldcg(&now->n_edges);
            found = __ldcg(&now->n_found);
            overflows = word_for(now, 0, OVERFLOWS);
        }
        if (k == n_others)
            reached = word_for(now, 0, REACHED);
        if (k <= n_others && in_the_middle)
            __stcg(&sum()->done[of], __ldcg(&sum()->told[of]));
        if (i < n_others)
            heard[i][what] = wait_for(bfs_whole_other(s.rank, i, s.n_ranks), what);
        __syncthreads();
        if (k < n_others)
            __stcg(&sum()->n_records[k], heard[k][RECORDS]);
        if (k <= n_others)
            __stcg(&sum()->told[of], k < n_others ? heard[k][REACHED] : reached);
        __syncthreads();
        if (k != 0)
            return;
        for (uint32_t r = 0; r < n_others; r++) {
            edges += static_cast<count>(heard[r][EDGES_HIGH]) << 32 | heard[r][EDGES_LOW];
            found += heard[r][FOUND];
            overflows |= heard[r][OVERFLOWS];
        }
        __stcg(&sum()->n_edges, edges);
        __stcg(&sum()->n_found, found);
        __stcg(&sum()->overflows, overflows);
        __stcg(own() + BFS_WHOLE_ARRIVED, 0U);
        store_release(own() + BFS_WHOLE_OPEN, n);
    }
    __device__ __forceinline__ uint32_t word_for(const tally *now, uint32_t i,
                                                 uint32_t what) const
    {
        const tally t = {__ldcg(&now->n_queued),
                         __ldcg(&now->n_huge),
                         __ldcg(&now->n_edges),
                         __ldcg(&now->n_found),
                         0,
                         0};
        return static_cast<uint32_t>(what == EDGES_LOW    ? t.n_edges
                                     : what == EDGES_HIGH ? t.n_edges >> 32
                                     : what == FOUND      ? t.n_found
                                     : what == OVERFLOWS  ? overflow(t)
                                     : what == RECORDS
                                         ? __ldcg(sent_to(s, i))
                                         : __ldcg(own() + BFS_WHOLE_REACHED));
    }
    /* Who is never seen again, for its process has ended, say, must not keep this device. */
    __device__ uint32_t wait_for(uint32_t rank, uint32_t what) const
    {
        constexpr uint32_t LOOKS = 1 << 12; /* between two at the clock */
        const uint64_t *const word = mail_of(s.block[0], rank) + what;
        uint64_t since = 0, x = load_from_others(word);
        for (uint32_t i = 1; static_cast<uint32_t>(x) != n; i++) {
            x = load_from_others(word);
            if (i % LOOKS != 0 || s.patience_ns == 0)
                continue;
            since = since != 0 ? since : nanoseconds();
            if (nanoseconds() - since > s.patience_ns) {
                s.told->lost = rank + 1;
                __threadfence_system();
                __trap();
            }
        }
        __threadfence_system();
        return static_cast<uint32_t>(x >> 32);
    }
};

} // namespace mwk::whole

#endif
