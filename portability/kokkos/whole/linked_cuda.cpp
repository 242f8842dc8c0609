/* linked_cuda.cpp -- a whole search of several ranks whose devices do not reach each other's memory: of several hosts, or
 * where the exchange is asked for. The host queues kernels (linked.hpp) and gathers of the devices' library, and waits once a
 * level, for the heads of letters; a top-down level of more edges than a letter has room for takes a second wait, since the
 * library wants to know how many records are sent. What a level does and which way it goes is as in whole_cuda.cpp.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/whole/linked_cuda.hpp"

#include "kokkos/trading.hpp"
#include "kokkos/whole/linked.hpp"
#include "kokkos/whole/setting.hpp"

#include "base/clock.h"
#include "base/status.h"

#include <vector>

namespace mwk::whole
{

/* Who ends the process waits for its device first, which would wait for the others. */
[[noreturn]] static void give_up(mw_trade *t, const std::string &why)
{
    trade_gives_up(t);
    Kokkos::abort(why.c_str());
}

/* One search. */
template <class Kind> class linked
{
  public:
    explicit linked(const bfs_state &state)
        : w(*state.whole), s(search_of<Kind>(state, row_of(state))),
          stream(exec().cuda_stream())
    {
        x.heard.got = s.block[0] + s.part.own + BFS_WHOLE_GOT;
        x.heard.rank = s.rank;
        x.heard.n_ranks = s.n_ranks;
        x.after = 1;
    }

    void run()
    {
        bool up = false, queued = true, told = false;
        count n_edges_before = 1, n_visited = 0, unvisited_edges = s.n_entries;
        w.recounts = UINT32_MAX;
        start();
        double since = mw_now();
        for (x.level = 0;; x.level++) {
            count n_edges, n_found;
            bool overflows;
            sum_up(n_edges, n_found, overflows);
            n_visited += n_found;
            for (uint32_t r = 0; r < s.n_ranks; r++)
                visited_of[r] += head(r, FOUND);
            unvisited_edges = up ? n_edges : unvisited_edges - n_edges;
            note_level(n_found, unvisited_edges, !queued && !up);
            w.is_cut = n_found > 0 && x.level >= w.most_levels;
            if (n_found == 0 || w.is_cut)
                break;
            const bool turns = !up && (!queued || overflows ||
                                       static_cast<double>(n_edges) * s.alpha >
                                           static_cast<double>(unvisited_edges));
            up |= turns; /* and never back */
            queued = up || will_queue(s, n_edges, n_edges_before, unvisited_edges);
            n_edges_before = n_edges;
            if (!up) {
                go_down(n_edges, queued);
                told |= !queued;
            } else {
                if (turns && !told) /* top-down they have not heard of all */
                    tell_visited();
                go_up(n_visited);
                swap_bitmaps();
                if (turns) /* what was visited before stays for the recount */
                    x.after = 2;
            }
            const double now = mw_now();
            if (x.level < BFS_WHOLE_LEVELS) {
                w.level[x.level].ns = static_cast<uint64_t>(1e9 * (now - since));
                w.level[x.level].up = up;
            }
            since = now;
        }
        w.n_levels = x.level;
        w.reached = w.reached_only ? s.visited[x.before] + s.my_words : nullptr;
        if (w.reached_only)
            return;
        forget_kernel<<<w.n_blocks, THREADS, 0, stream>>>(s, x);
        answers_kernel<<<w.n_blocks, THREADS, 0, stream>>>(s);
        check(cudaGetLastError(), "answers of a whole search");
    }

  private:
    bfs_whole &w;
    search<Kind> s;
    const cudaStream_t stream;
    step x = {};
    uint64_t visited_of[MW_LINKED_MAX] = {}; /* labels of a rank */

    static const typename Kind::offset *row_of(const bfs_state &state)
    {
        const void *const row = is_narrow(state)
                                    ? static_cast<const void *>(room(state).narrow_row)
                                    : state.g->row;
        return static_cast<const typename Kind::offset *>(row);
    }

    void queue(void (*kernel)(search<Kind>, step), uint32_t bytes = 0)
    {
        kernel<<<w.n_blocks, THREADS, bytes, stream>>>(s, x);
        check(cudaGetLastError(), "a level of a whole search");
    }
    void swap_bitmaps()
    {
        const uint32_t t = x.before;
        x.before = x.after;
        x.after = t;
    }

    void must(int rc)
    {
        if (rc != MW_OK)
            give_up(w.trade, mw_error_text());
    }

    /* ---- what ranks tell each other ---- */

    uint32_t head(uint32_t rank, uint32_t what) const
    {
        return w.head[rank][what];
    }
    /* Words of all ranks' labels. */
    void gather_words(uint32_t bitmap)
    {
        must(trade_gathers(w.trade, s.visited[bitmap], UINT64_C(4) << s.slice_bits));
    }
    /* Queued: all ranks' letters, and words of a bitmap beside them. */
    void write(phase p, bool words = false, uint32_t bitmap = 0)
    {
        x.letter_words = p == phase::UP && x.tells_all ? LETTER_HEAD : s.letter_words;
        write_kernel<<<1, THREADS, 0, stream>>>(s, x, p);
        check(cudaGetLastError(), "a letter to all ranks");
        must(trade_opens());
        must(trade_gathers(w.trade, s.block[0] + s.part.letter,
                           x.letter_words * sizeof(uint32_t)));
        if (words)
            gather_words(bitmap);
        must(trade_closes());
        n_written++;
        read_kernel<<<s.n_ranks, THREADS, 0, stream>>>(s, x, p, n_written);
        check(cudaGetLastError(), "letters of all ranks");
    }
    /* Until the heads of the last letters are here. */
    void wait()
    {
        constexpr uint32_t LOOKS = 1 << 16; /* between two at the clock */
        const volatile uint32_t &n_heard = w.n_heard;
        double since = 0;
        for (uint32_t i = 1; n_heard != n_written; i++) {
            if (i % LOOKS != 0)
                continue;
            const cudaError_t e = cudaStreamQuery(stream);
            if (e != cudaErrorNotReady)
                check(e, "a whole search");
            must(trade_is_well(w.trade));
            since = since > 0 ? since : mw_now();
            if (w.patience_ns > 0 && mw_now() - since > 1e-9 * w.patience_ns)
                give_up(w.trade,
                        "the device of another rank has not come to a gather of all "
                        "ranks' devices for " +
                            std::to_string(w.patience_ns / 1000000) + " ms");
        }
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    }
    void sum_up(count &n_edges, count &n_found, bool &overflows) const
    {
        n_edges = n_found = 0;
        overflows = false;
        for (uint32_t r = 0; r < s.n_ranks; r++) {
            n_edges += static_cast<count>(head(r, EDGES_HIGH)) << 32 | head(r, EDGES_LOW);
            n_found += head(r, FOUND);
            overflows |= head(r, OVERFLOWS) != 0;
        }
    }
    /* Of delegated vertices, when a level is over: the next one goes along what it has told. What had no room in a
     * letter is sent. */
    void hear_delegated()
    {
        std::vector<passing> sent;
        for (uint32_t r = 0; r < s.n_ranks; r++) {
            news &h = x.heard;
            h.first_told[r] += h.told[r];
            h.told[r] = head(r, REACHED) - h.first_told[r];
            if (h.told[r] <= letter_words(s))
                continue;
            uint32_t *const at = s.block[0] + s.part.told +
                                 static_cast<uint64_t>(r) * s.most_delegates +
                                 h.first_told[r];
            const uint64_t bytes = h.told[r] * sizeof *at;
            if (r != s.rank)
                sent.push_back({at, bytes, r, false});
            for (uint32_t i = 0; r == s.rank && i < s.n_others; i++)
                sent.push_back({at, bytes, bfs_whole_other(s.rank, i, s.n_ranks), true});
        }
        if (!sent.empty())
            must(trade_passes(w.trade, sent.data(), static_cast<uint32_t>(sent.size())));
    }
    /* Records of a rank that its letter has no room for. */
    bool has_many(uint32_t rank) const
    {
        uint64_t n = 0;
        for (uint32_t r = 0; r < s.n_ranks; r++)
            n += head(rank, RECORDS + r);
        return n > letter_pairs(s);
    }
    void pass_records()
    {
        uint64_t to[MW_LINKED_MAX] = {}, from[MW_LINKED_MAX] = {};
        for (uint32_t r = 0; r < s.n_ranks; r++) {
            to[r] = has_many(s.rank) ? head(s.rank, RECORDS + r) : 0;
            from[r] = has_many(r) ? head(r, RECORDS + s.rank) : 0;
        }
        pass_pairs(to, from, false);
    }
    /* Pairs of `out`, for each rank its own or the same for all, to where records come to. */
    void pass_pairs(const uint64_t *to, const uint64_t *from, bool the_same)
    {
        std::vector<passing> sent;
        const uint64_t bytes = sizeof(uint2);
        uint32_t *const block = s.block[0];
        for (uint32_t i = 0; i < s.n_others; i++) {
            const uint32_t r = bfs_whole_other(s.rank, i, s.n_ranks);
            const uint64_t room = (static_cast<uint64_t>(i) << s.label_bits) * 2;
            x.heard.passed[r] = static_cast<uint32_t>(from[r]);
            if (to[r] > 0)
                sent.push_back(
                    {block + s.part.out + (the_same ? 0 : room), to[r] * bytes, r, true});
            if (from[r] > 0)
                sent.push_back(
                    {block + s.part.records + room, from[r] * bytes, r, false});
        }
        if (!sent.empty())
            must(trade_passes(w.trade, sent.data(), static_cast<uint32_t>(sent.size())));
    }
    /* Lists of words, n[r] of rank r, which the others put to their places. */
    void pass_lists(const uint64_t *n)
    {
        uint64_t to[MW_LINKED_MAX];
        for (uint64_t &all : to)
            all = n[s.rank];
        pass_pairs(to, n, true);
        queue(apply_kernel<Kind>);
    }
    /* Are words listed where few have changed? Not where all of them go as fast: on one host a gather of 4 MiB takes
     * no longer than a list. *Measured* on two H200: lists made 426 and 1,137 GTEPS at SCALE 24 and 26 where gathers
     * made 435 and 1,194; as two hosts, 115 and 99 at 24. */
    bool lists() const
    {
        constexpr uint32_t NEAR_BITS = 20;
        return w.far || s.slice_bits > NEAR_BITS;
    }
    /* As bottom-up begins: the words of all labels that are visited, if those are few; else all words. */
    void tell_visited()
    {
        uint64_t n[MW_LINKED_MAX] = {}, most = 0;
        for (uint32_t r = 0; r < s.n_ranks; r++) {
            n[r] =
                visited_of[r] + 1; /* bits beyond a rank's labels may be one word more */
            most = n[r] > most ? n[r] : most;
        }
        if (!lists() || most > LISTED || most > UINT64_C(1) << s.slice_bits >> 3) {
            gather_words(x.before);
            return;
        }
        queue(list_kernel<Kind>);
        fill_kernel<<<1, THREADS, 0, stream>>>(s, static_cast<uint32_t>(n[s.rank]));
        check(cudaGetLastError(), "words of visited labels");
        pass_lists(n);
    }

    /* ---- levels ---- */

    void start()
    {
        start_kernel<<<w.n_blocks, THREADS, 0, stream>>>(s);
        check(cudaGetLastError(), "the root of a whole search");
        x.level = UINT32_MAX;
        write(phase::DOWN);
        wait();
        hear_delegated();
    }
    void note_level(count n_found, count unvisited_edges, bool recounts)
    {
        if (x.level > BFS_WHOLE_LEVELS)
            return;
        w.level[x.level].n_active = n_found;
        w.level[x.level].n_unvisited_edges = unvisited_edges;
        if (recounts) {
            w.recounts = x.level;
            w.before = s.visited[x.before] + s.my_words;
        }
    }
    void go_down(count n_edges, bool queues)
    {
        if (!queues && n_edges > s.queues_up_to * HEADS_FROM) {
            queue(heads_kernel<Kind>, sizeof(shared));
            gather_words(x.after);
            swap_bitmaps();
        }
        uint64_t n_told = 0;
        for (uint32_t r = 0; r < s.n_ranks; r++)
            n_told += x.heard.told[r];
        x.queues = queues;
        x.are_cut = n_told > FEW_TOLD;
        if (x.are_cut)
            queue(cut_kernel<Kind>);
        queue(down_kernel<Kind>, sizeof(shared));
        write(phase::SENT);
        for (uint32_t &n : x.heard.passed)
            n = 0;
        if (n_edges > letter_pairs(s)) { /* else all records have come */
            wait();
            pass_records();
        }
        queue(receive_kernel<Kind>);
        write(phase::DOWN, !queues, x.before);
        wait();
        hear_delegated();
    }
    /* Where few are unvisited, ranks tell what they have changed; who has not changed anything had it from the level
     * before. */
    void go_up(count n_visited)
    {
        const bool sums_up =
            (n_visited << s.summary_shift) * BY_SUMMARY<Kind> < s.n_connected;
        const bool few = !sums_up && s.n_connected - n_visited < s.n_connected / FEW;
        x.tells_all = !few || !lists();
        if (!x.tells_all)
            keep_others_words();
        if (sums_up)
            queue(summarise_kernel<Kind>);
        queue(sums_up ? up_kernel<Kind, true>
              : few   ? few_kernel<Kind>
                      : up_kernel<Kind, false>,
              sizeof(shared));
        write(phase::UP, x.tells_all, x.after);
        wait();
        if (!x.tells_all)
            pass_changes();
    }
    void keep_others_words()
    {
        const uint64_t mine = s.my_words, slice = UINT64_C(1) << s.slice_bits;
        const uint64_t behind = s.n_all_words - mine - slice;
        uint32_t *const to = s.visited[x.after], *const from = s.visited[x.before];
        copy_words(to, from, mine);
        copy_words(to + mine + slice, from + mine + slice, behind);
    }
    void copy_words(uint32_t *to, const uint32_t *from, uint64_t n)
    {
        if (n > 0)
            check(cudaMemcpyAsync(to, from, n * sizeof *to, cudaMemcpyDeviceToDevice,
                                  stream),
                  "words of other ranks");
    }
    void pass_changes()
    {
        uint64_t n[MW_LINKED_MAX] = {};
        bool any = false, all = false;
        for (uint32_t r = 0; r < s.n_ranks; r++) {
            n[r] = head(r, CHANGED) > letter_pairs(s) ? head(r, CHANGED) : 0;
            any |= n[r] > 0;
            all |= n[r] > LISTED;
        }
        if (all)
            gather_words(x.after);
        else if (any)
            pass_lists(n);
    }

    uint32_t n_written = w.n_heard;
};

bool linked_search(const bfs_state &s)
{
    if (s.whole->trade == nullptr)
        return false;
    if (is_narrow(s))
        linked<kind<uint32_t, true, true>>(s).run();
    else
        linked<kind<uint64_t, true, true>>(s).run();
    return true;
}

uint32_t linked_blocks()
{
    int n_processors = 0;
    check(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount,
                                 exec().cuda_device()),
          "processors of the device");
    return static_cast<uint32_t>(n_processors * BLOCKS);
}

} // namespace mwk::whole
