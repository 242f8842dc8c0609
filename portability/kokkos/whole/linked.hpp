/* linked.hpp -- the kernels of a whole search whose ranks' devices do not reach each other's memory. A phase of a level is
 * a kernel; what ranks have to say when it is over is written in a letter, and all ranks get all letters by one gather of
 * the devices' library, on the same queue (linked_cuda.cpp).
 *
 *      head      [LETTER_HEAD] counts, as mail has them: enum head. The host reads those, and the records to each rank
 *      body      after a top-down phase records to others, in the order in which those go round; after a level the numbers of
 *                delegated vertices that it reached; after a bottom-up one the words that it changed. Where it has no room for
 *                all, it has none, and what is to be said goes in a gather or in sends of its own
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_WHOLE_LINKED_HPP
#define MWK_WHOLE_LINKED_HPP

#include "kokkos/whole/phases.hpp"

namespace mwk::whole
{

enum head {
    EDGES_LOW,
    EDGES_HIGH,
    FOUND,
    OVERFLOWS,
    REACHED,                   /* delegated vertices, so far */
    CHANGED,                   /* words, in this level */
    RECORDS = BFS_WHOLE_COUNTS /* [n_ranks] to each rank */
};
static_assert(CHANGED < RECORDS && BFS_WHOLE_HEAD <= THREADS,
              "heads have room, and a thread for each word");

/* What a letter is about. */
enum class phase : uint32_t { SENT, DOWN, UP };

/* What ranks have said, for the kernels of a level: by rank. */
struct news {
    uint32_t first_told[MW_LINKED_MAX], told[MW_LINKED_MAX];
    uint32_t passed[MW_LINKED_MAX]; /* records that came by sends of their own */
    const uint32_t *got; /* [MW_LINKED_MAX] of cores: records that came by letter */
    uint32_t rank, n_ranks;

    __device__ __forceinline__ uint32_t n_told(uint32_t r, uint32_t *first) const
    {
        *first = first_told[r];
        return told[r];
    }
    __device__ __forceinline__ uint32_t n_records(uint32_t i) const
    {
        const uint32_t r = bfs_whole_other(rank, i, n_ranks);
        return passed[r] + __ldcg(got + r);
    }
};

/* A level, for all its kernels. */
struct step {
    uint32_t level, before, after; /* bitmaps */
    bool queues, are_cut;          /* top-down */
    bool tells_all; /* bottom-up: in a gather of words, so letters are heads */
    uint32_t letter_words;
    news heard;
};

template <class Kind>
__device__ __forceinline__ tally *tally_of(const search<Kind> &s, uint32_t level)
{
    return s.of_level + level % 3;
}

template <class Kind>
__device__ __forceinline__ uint32_t *letter_of(const search<Kind> &s, const step &x,
                                               uint32_t rank)
{
    return s.block[0] + s.part.letter + rank * x.letter_words;
}

/* ---- phases -------------------------------------------------------------------------------------------- */

template <class Kind> __global__ void start_kernel(search<Kind> s)
{
    const uint32_t
        root = /* beyond all labels where it has no neighbour, or is another's */
        s.root_place == UINT64_MAX ? ALL : s.label_of[s.root_place];
    clear(s, root);
    if (root < s.n_labels)
        begin(s, root);
}

template <class Kind>
__global__ void __launch_bounds__(THREADS, BLOCKS) heads_kernel(search<Kind> s, step x)
{
    heads(s, s.visited[x.before], s.visited[x.after], tally_of(s, x.level + 1));
}

template <class Kind> __global__ void cut_kernel(search<Kind> s, step x)
{
    (void)cut_delegated(s, x.heard, tally_of(s, x.level));
}

template <class Kind>
__device__ __forceinline__ top_down_level level_of(const search<Kind> &s, const step &x)
{
    return {s.visited[x.before],
            s.queue[x.level & 1],
            s.queue[~x.level & 1],
            tally_of(s, x.level + 1),
            x.queues,
            0,
            0};
}

template <class Kind>
__global__ void __launch_bounds__(THREADS, BLOCKS) down_kernel(search<Kind> s, step x)
{
    const tally *const mine = tally_of(s, x.level);
    const tally now = {__ldcg(&mine->n_queued), __ldcg(&mine->n_huge), 0, 0, 0, 0};
    top_down_level l = level_of(s, x);
    forget_waiting();
    along_delegated(s, l, x.heard, x.are_cut ? mine : nullptr);
    top_down(s, l, now);
    send_rest(s);
    add(l.next, l.n_edges, l.n_found);
}

template <class Kind>
__global__ void __launch_bounds__(THREADS, BLOCKS) receive_kernel(search<Kind> s, step x)
{
    top_down_level l = level_of(s, x);
    receive(s, l, x.heard);
    add(l.next, l.n_edges, l.n_found);
}

template <class Kind> __global__ void summarise_kernel(search<Kind> s, step x)
{
    summarise(s, s.visited[x.before]);
}

template <class Kind, bool BY_SUMMARY>
__global__ void __launch_bounds__(THREADS, BLOCKS) up_kernel(search<Kind> s, step x)
{
    bottom_up<Kind, BY_SUMMARY>(s, s.visited[x.before], s.visited[x.after], x.tells_all,
                                tally_of(s, x.level + 1));
}

template <class Kind>
__global__ void __launch_bounds__(THREADS, BLOCKS) few_kernel(search<Kind> s, step x)
{
    bottom_up_of_few(s, s.visited[x.before], s.visited[x.after], x.tells_all,
                     tally_of(s, x.level + 1));
}

template <class Kind> __global__ void forget_kernel(search<Kind> s, step x)
{
    forget_unvisited(s, my_part(s, s.visited[x.before]));
}

template <class Kind>
__global__ void __launch_bounds__(THREADS, BLOCKS) answers_kernel(search<Kind> s)
{
    answers<Kind>(s).write();
}

/* ---- lists of words ------------------------------------------------------------------------------------ */

/* My words of a bitmap with a bit that counts, filled up to n pairs with what nobody reads. */
template <class Kind> __global__ void list_kernel(search<Kind> s, step x)
{
    uint32_t *const mine = my_part(s, s.visited[x.before]);
    for (uint64_t w = my_thread(); 32 * w < s.n_labels; w += n_threads()) {
        const uint32_t word = __ldcg(mine + w);
        const uint32_t mask =
            s.n_labels - 32 * w >= 32 ? ALL : (UINT32_C(1) << (s.n_labels - 32 * w)) - 1;
        if ((word & mask) != 0)
            note_change(s, mine + w, word);
    }
}
template <class Kind> __global__ void fill_kernel(search<Kind> s, uint32_t n)
{
    uint32_t *const own = s.block[0] + s.part.own;
    const uint32_t nobodys = static_cast<uint32_t>(s.part.own) + BFS_WHOLE_OWN - 1;
    for (uint32_t i = own[BFS_WHOLE_CHANGED] + threadIdx.x; i < n; i += blockDim.x)
        reinterpret_cast<uint2 *>(s.block[0] + s.part.out)[i] = make_uint2(nobodys, 0);
    __syncthreads();
    if (threadIdx.x == 0)
        own[BFS_WHOLE_CHANGED] = 0;
}

/* What has come by sends of its own: x.heard.passed. */
template <class Kind> __global__ void apply_kernel(search<Kind> s, step x)
{
    for (uint32_t i = 0; i < s.n_others; i++) {
        const uint32_t n = x.heard.passed[bfs_whole_other(s.rank, i, s.n_ranks)];
        const uint2 *const pair = records_at(s, s.block[0], i);
        for (uint64_t k = my_thread(); k < n; k += n_threads())
            s.block[0][pair[k].x] = pair[k].y;
    }
}

/* ---- letters ------------------------------------------------------------------------------------------- */

__device__ __forceinline__ void copy_pairs(uint2 *to, const uint2 *from, uint32_t n)
{
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        to[i] = __ldcg(from + i);
}

template <class Kind>
__device__ void write_body(const search<Kind> &s, const step &x, phase p,
                           const uint32_t *head)
{
    uint32_t *const body = letter_of(s, x, s.rank) + LETTER_HEAD;
    uint2 *const pairs = reinterpret_cast<uint2 *>(body);
    if (p == phase::DOWN) {
        const uint32_t first = x.heard.first_told[s.rank] + x.heard.told[s.rank];
        const uint32_t n = head[REACHED] - first;
        for (uint32_t i = threadIdx.x; n <= letter_words(s) && i < n; i += blockDim.x)
            body[i] = __ldcg(told_by(s, s.block[0], s.rank) + first + i);
    }
    if (p == phase::UP && !x.tells_all && head[CHANGED] <= letter_pairs(s))
        copy_pairs(pairs, reinterpret_cast<const uint2 *>(s.block[0] + s.part.out),
                   head[CHANGED]);
    uint32_t before = 0, all = 0;
    for (uint32_t i = 0; i < s.n_others; i++)
        all += head[RECORDS + bfs_whole_other(s.rank, i, s.n_ranks)];
    for (uint32_t i = 0; p == phase::SENT && all <= letter_pairs(s) && i < s.n_others;
         i++) {
        const uint32_t n = head[RECORDS + bfs_whole_other(s.rank, i, s.n_ranks)];
        copy_pairs(pairs + before, records_out(s, i), n);
        before += n;
    }
}

/* One block: what I have to say. Counters of what is said in it begin again; and the tally of the level after the next one
 * is cleared when a level is over. */
template <class Kind> __global__ void write_kernel(search<Kind> s, step x, phase p)
{
    __shared__ uint32_t head[BFS_WHOLE_HEAD];
    uint32_t *const own = s.block[0] + s.part.own;
    const tally *const t = tally_of(s, x.level + 1);
    if (threadIdx.x < BFS_WHOLE_HEAD)
        head[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        const count n_edges = __ldcg(&t->n_edges), n_queued = __ldcg(&t->n_queued);
        head[EDGES_LOW] = static_cast<uint32_t>(n_edges);
        head[EDGES_HIGH] = static_cast<uint32_t>(n_edges >> 32);
        head[FOUND] = static_cast<uint32_t>(__ldcg(&t->n_found));
        head[OVERFLOWS] =
            __ldcg(&t->n_huge) > s.most_huge || n_queued >> 32 > s.most_pieces;
        head[REACHED] = __ldcg(own + BFS_WHOLE_REACHED);
        head[CHANGED] = __ldcg(own + BFS_WHOLE_CHANGED);
    }
    if (threadIdx.x < s.n_others)
        head[RECORDS + bfs_whole_other(s.rank, threadIdx.x, s.n_ranks)] =
            __ldcg(sent_to(s, threadIdx.x));
    __syncthreads();
    if (threadIdx.x < BFS_WHOLE_HEAD)
        letter_of(s, x, s.rank)[threadIdx.x] = head[threadIdx.x];
    write_body(s, x, p, head);
    if (threadIdx.x < s.n_others)
        *sent_to(s, threadIdx.x) = 0;
    if (threadIdx.x == 0) {
        own[BFS_WHOLE_CHANGED] = 0;
        if (p != phase::SENT)
            s.of_level[(x.level + 2) % 3] = tally{};
    }
}

template <class Kind>
__device__ void read_records(const search<Kind> &s, uint32_t r, const uint32_t *letter)
{
    uint32_t before = 0, all = 0;
    for (uint32_t i = 0; i < s.n_others; i++)
        all += letter[RECORDS + bfs_whole_other(r, i, s.n_ranks)];
    for (uint32_t i = 0; bfs_whole_other(r, i, s.n_ranks) != s.rank; i++)
        before += letter[RECORDS + bfs_whole_other(r, i, s.n_ranks)];
    const uint32_t n = all <= letter_pairs(s) ? letter[RECORDS + s.rank] : 0;
    uint32_t back = 0;
    while (bfs_whole_other(s.rank, back, s.n_ranks) != r)
        back++;
    copy_pairs(records_at(s, s.block[0], back),
               reinterpret_cast<const uint2 *>(letter + LETTER_HEAD) + before, n);
    if (threadIdx.x == 0)
        s.block[0][s.part.own + BFS_WHOLE_GOT + r] = n;
}

/* A block for each rank: what it has said goes to its place here, and heads to the host. */
template <class Kind>
__global__ void read_kernel(search<Kind> s, step x, phase p, uint32_t n_heard)
{
    const uint32_t r = blockIdx.x;
    const uint32_t *const letter = letter_of(s, x, r), *const body = letter + LETTER_HEAD;
    if (r == s.rank) {
        const uint32_t n = RECORDS + s.n_ranks;
        for (uint32_t i = threadIdx.x; i < s.n_ranks * n; i += blockDim.x)
            s.told->head[i / n][i % n] = letter_of(s, x, i / n)[i % n];
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0)
            *static_cast<volatile uint32_t *>(&s.told->n_heard) = n_heard;
        return;
    }
    if (p == phase::SENT)
        read_records(s, r, letter);
    if (p == phase::DOWN) {
        const uint32_t first = x.heard.first_told[r] + x.heard.told[r];
        const uint32_t n = letter[REACHED] - first;
        for (uint32_t i = threadIdx.x; n <= letter_words(s) && i < n; i += blockDim.x)
            told_by(s, s.block[0], r)[first + i] = body[i];
    }
    const uint32_t n = p == phase::UP && !x.tells_all ? letter[CHANGED] : 0;
    for (uint32_t i = threadIdx.x; n <= letter_pairs(s) && i < n; i += blockDim.x)
        s.block[0][body[2 * i]] = body[2 * i + 1];
}

} // namespace mwk::whole

#endif
