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
 * Linked ranks store the same in their own blocks alone; linked.hpp brings it to the others.
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
 * False: when it is over, which is there to be measured (docs/lab/gpu.md). */
constexpr bool TELLS_AT_ONCE = true;

/* ---- words -------------------------------------------------------------------------------------------- */

/* What is here, at `at` of my block, to the same place of all others. */
template <class Kind, class T>
__device__ __forceinline__ void tell(const search<Kind> &s, const uint32_t *at, T x)
{
    for (uint32_t i = 0; !Kind::linked && i < s.n_others; i++)
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

/* A letter has a head, then so many single words, or pairs. */
constexpr uint32_t LETTER_HEAD = BFS_WHOLE_HEAD;
template <class Kind>
__host__ __device__ __forceinline__ uint32_t letter_words(const search<Kind> &s)
{
    return s.letter_words - LETTER_HEAD;
}
template <class Kind>
__host__ __device__ __forceinline__ uint32_t letter_pairs(const search<Kind> &s)
{
    return letter_words(s) / 2;
}
constexpr uint32_t LISTED = 1 << 16; /* words that a rank lists; of more all are sent */

/* Linked: a word of mine that the others do not have. Beyond LISTED they are not even counted. */
template <class Kind>
__device__ __forceinline__ void note_change(const search<Kind> &s, const uint32_t *at,
                                            uint32_t x)
{
    uint32_t *const n = s.block[0] + s.part.own + BFS_WHOLE_CHANGED;
    if (__ldcg(n) > LISTED)
        return;
    const uint32_t i = atomicAdd(n, 1);
    if (i < LISTED)
        reinterpret_cast<uint2 *>(s.block[0] + s.part.out)[i] =
            make_uint2(static_cast<uint32_t>(at - s.block[0]), x);
}
template <class Kind>
__device__ __forceinline__ void note_changes(const search<Kind> &s, const uint32_t *at,
                                             uint32_t x, uint32_t before)
{
    if (x != before)
        note_change(s, at, x);
}
template <class Kind>
__device__ __forceinline__ void note_changes(const search<Kind> &s, const uint32_t *at,
                                             uint4 x, uint4 before)
{
    note_changes(s, at, x.x, before.x);
    note_changes(s, at + 1, x.y, before.y);
    note_changes(s, at + 2, x.z, before.z);
    note_changes(s, at + 3, x.w, before.w);
}

/* A word of a bottom-up level's outcome, or four. Several ranks: unless the others have it. */
template <class Kind, class T>
__device__ __forceinline__ void put(const search<Kind> &s, uint32_t *at, T x, bool all,
                                    T told)
{
    if constexpr (Kind::linked) {
        if (!all)
            note_changes(s, at, x, told);
    } else if constexpr (Kind::several) {
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

/* Linked: to the i-th other, until it is passed. */
template <class Kind>
__device__ __forceinline__ uint2 *records_out(const search<Kind> &s, uint32_t i)
{
    return reinterpret_cast<uint2 *>(s.block[0] + s.part.out) +
           (static_cast<uint64_t>(i) << s.label_bits);
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
    uint32_t n[WARPS][MW_LINKED_MAX];
};
__device__ __forceinline__ waiting &waiting_here()
{
    return *static_cast<waiting *>(shared_memory());
}

/* All threads of a block, before a top-down level. */
__device__ __forceinline__ void forget_waiting()
{
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < WARPS * MW_LINKED_MAX; i += THREADS)
        waiting_here().n[i / MW_LINKED_MAX][i % MW_LINKED_MAX] = 0;
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
    uint2 *const room = Kind::linked
                            ? records_out(s, i)
                            : records_at(s, s.block[1 + i], bfs_whole_back(i, s.n_ranks));
    return room + __shfl_sync(ALL, at, 0);
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

/* All threads of the grid; of several ranks those of all. Every thread has one and goes
 * to the same meetings.
 *
 * Of several ranks, the block that comes last of a rank's sends what that rank has to say to
 * all ranks, itself among them. A word of mail has in its lower half the meeting it belongs to, so it is
 * its own flag; every block of every rank waits for all of them, and keeps them in shared memory. */
template <class Kind> class meetings
{
  public:
    __device__ explicit meetings(const search<Kind> &search)
        : s(search), grid(cooperative_groups::this_grid()),
          n(Kind::several ? __ldcg(own() + BFS_WHOLE_MET) : 0)
    {
        if constexpr (Kind::several)
            if (threadIdx.x < MW_PEERS_MAX)
                heard_here().done[threadIdx.x] = 0;
    }
    /* What was stored before is seen by all afterwards; and of `now` all are told. In the
     * middle of a level: its delegated vertices are done with. */
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
    /* The tally of a level, after a meeting that was told it: edges and vertices of all ranks,
     * queues of this one. */
    __device__ __forceinline__ tally of_all(const tally *mine, bool &overflows) const
    {
        if constexpr (Kind::several) {
            const uint32_t *const me = heard_here().word[s.rank];
            const count n_queued = static_cast<count>(me[PIECES]) << 32 | me[SHORT_ROWS];
            tally t = {n_queued, me[HUGE_ROWS], 0, 0, 0, 0};
            overflows = false;
            for (uint32_t r = 0; r < s.n_ranks; r++) {
                const uint32_t *const its = heard_here().word[r];
                const count edges =
                    static_cast<count>(its[EDGES_HIGH]) << 32 | its[EDGES_LOW];
                t.n_edges += edges & ~OVERFLOWS;
                t.n_found += its[FOUND];
                overflows |= (edges & OVERFLOWS) != 0;
            }
            return t;
        } else {
            const tally t = read(mine);
            overflows = overflow(t);
            return t;
        }
    }
    /* What the i-th other has sent. */
    __device__ __forceinline__ uint32_t n_records(uint32_t i) const
    {
        return heard_here().word[bfs_whole_other(s.rank, i, s.n_ranks)][RECORDS];
    }
    /* What the rank has told for this level: from *first on, how many. */
    __device__ __forceinline__ uint32_t n_told(uint32_t rank, uint32_t *first) const
    {
        *first = heard_here().done[rank];
        return heard_here().word[rank][REACHED] - *first;
    }
    /* One thread, when the search is over. */
    __device__ void end() const
    {
        if constexpr (Kind::several)
            own()[BFS_WHOLE_MET] = n;
    }

  private:
    /* The last three are for the rank itself. */
    enum {
        EDGES_LOW,
        EDGES_HIGH,
        FOUND,
        RECORDS, /* for whom it is sent to */
        REACHED,
        SHORT_ROWS,
        PIECES,
        HUGE_ROWS,
        WORDS
    };
    static constexpr count OVERFLOWS = static_cast<count>(1) << 63; /* of edges */
    static_assert(WORDS == BFS_WHOLE_MAIL, "bfs_whole.h has room");
    static_assert(MW_PEERS_MAX * WORDS <= THREADS, "a thread hears each word");
    /* What a block has heard, by rank. */
    struct heard {
        uint32_t word[MW_PEERS_MAX][WORDS];
        uint32_t done[MW_PEERS_MAX];
        uint32_t records
            [MW_PEERS_MAX]; /* to the i-th other; the last block's, while it sends */
    };

    const search<Kind> &s;
    cooperative_groups::grid_group grid;
    uint32_t n;

    __device__ __forceinline__ uint32_t *own() const
    {
        return s.block[0] + s.part.own;
    }
    __device__ __forceinline__ static heard &heard_here()
    {
        __shared__ heard block;
        return block;
    }
    __device__ __forceinline__ static tally read(const tally *t)
    {
        return {__ldcg(&t->n_queued),
                __ldcg(&t->n_huge),
                __ldcg(&t->n_edges),
                __ldcg(&t->n_found),
                0,
                0};
    }
    __device__ __forceinline__ bool overflow(const tally &t) const
    {
        return t.n_huge > s.most_huge || t.n_queued >> 32 > s.most_pieces;
    }
    __device__ __forceinline__ uint64_t *mail_of(uint32_t *block, uint32_t rank) const
    {
        return reinterpret_cast<uint64_t *>(block + s.part.mail) +
               ((n & 1) * MW_PEERS_MAX + rank) * static_cast<uint32_t>(WORDS);
    }

    __device__ void meet_others(const tally *now, bool in_the_middle)
    {
        const uint32_t rank = threadIdx.x / WORDS, what = threadIdx.x % WORDS;
        heard &h = heard_here();
        __syncthreads();
        n++;
        if (threadIdx.x == 0 && arrive(own() + BFS_WHOLE_ARRIVED) + 1 == n * gridDim.x)
            send_counts(now);
        if (rank < s.n_ranks) {
            if (in_the_middle && what == REACHED)
                h.done[rank] = h.word[rank][REACHED];
            h.word[rank][what] = wait_for(rank, what);
        }
        __syncthreads();
    }
    /* One thread. All is read before anybody hears of it, and goes on; others are told first, for
     * they have a longer way. Loops are unrolled, so that what is read is in registers: on two
     * halves of an H200 searches at SCALE 20 took 4 % longer from shared memory. */
    __device__ void send_counts(const tally *now) const
    {
        uint32_t records[MW_PEERS_MAX];
        const tally t = read(now);
        const count edges = t.n_edges | (overflow(t) ? OVERFLOWS : 0);
        const uint32_t reached = __ldcg(own() + BFS_WHOLE_REACHED);
#pragma unroll
        for (uint32_t i = 0; i < MW_PEERS_MAX; i++)
            records[i] = i < s.n_others ? __ldcg(sent_to(s, i)) : 0;
        fence_of_all_devices();
#pragma unroll
        for (uint32_t i = 0; i < MW_PEERS_MAX; i++) {
            if (i >= s.n_ranks)
                break;
            uint64_t *const to = mail_of(s.block[i < s.n_others ? 1 + i : 0], s.rank);
            store_two(to + EDGES_LOW, flagged(edges), flagged(edges >> 32));
            store_two(to + FOUND, flagged(t.n_found), flagged(records[i]));
            store_two(to + REACHED, flagged(reached), flagged(t.n_queued));
            store_two(to + PIECES, flagged(t.n_queued >> 32), flagged(t.n_huge));
        }
    }
    /* A word of mail: the lower half of x. */
    __device__ __forceinline__ uint64_t flagged(count x) const
    {
        return static_cast<uint64_t>(x) << 32 | n;
    }
    /* Who is never seen again, for its process has ended, say, must not keep this device. The time
     * is that of all work since this block has come, of all ranks. */
    __device__ uint32_t wait_for(uint32_t rank, uint32_t what) const
    {
        constexpr uint32_t LOOKS = 1 << 12; /* between two at the clock */
        const uint64_t *const word = mail_of(s.block[0], rank) + what;
        uint64_t since = 0;
        for (uint32_t i = 1; static_cast<uint32_t>(look_at(word)) != n; i++) {
            if (i % LOOKS != 0 || s.patience_ns == 0 || rank == s.rank)
                continue;
            since = since != 0 ? since : nanoseconds();
            if (nanoseconds() - since > s.patience_ns) {
                s.told->lost = rank + 1;
                __threadfence_system();
                __trap();
            }
        }
        return static_cast<uint32_t>(acquire(word) >> 32);
    }
};

} // namespace mwk::whole

#endif
