/* skeleton_kokkos.hpp -- the patterns of shuffle/patterns.h on Kokkos.
 *
 * A pattern here is a function of the host that queues loops for the device's cores (space.hpp). The
 * state and its graph go with each loop by value; numbers that the host reads it reads between loops.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_HPP
#define MW_SKELETON_HPP

#include "kokkos/frontier.hpp"
#include "kokkos/records.hpp"
#include "kokkos/row_sums.hpp"
#include "kokkos/space.hpp"

#include "graph/graph.h"

#include <type_traits>

/* Of one unit or record, which makes at most one record. */
struct mw_emitter {
    const mwk::drafts *out;
    uint64_t unit;
    uint32_t rank;
};

/* A record for this rank is never made. */
MW_FN bool mw_here(const mw_emitter *e, uint32_t owner)
{
    return owner == e->rank;
}

/* Devices' ranks share no state. */
MW_FN uint32_t mw_near(const mw_emitter *e, uint32_t owner)
{
    return mw_here(e, owner) ? 0 : MW_FAR;
}

MW_FN void mw_emit(mw_emitter *e, uint32_t owner, uint32_t child, uint64_t value)
{
    e->out->emit(e->unit, owner, child, value);
}

/* ---- what patterns share --------------------------------------------------------------------- */

/* A constant expression would be a constant of the device as well for clang's HIP, and that has no
 * such functions. */
#define MW_KERNEL_TABLE(type, ...)                                                       \
    extern "C" const type MW_KERNELS;                                                    \
    const type MW_KERNELS = mwk::of_host(type{__VA_ARGS__});

#define MWK_KERNEL_BEGINS(name, type)                                                    \
    void name([[maybe_unused]] mw_cpe *self, void *arg)                                  \
    {                                                                                    \
        mwk::turn t;                                                                     \
        mw_job *const job = static_cast<mw_job *>(arg);                                  \
        const type state = *static_cast<const type *>(job->state);                       \
        const mw_graph graph = *state.g;                                                 \
        [[maybe_unused]] const type *const s = &state;                                   \
        [[maybe_unused]] const mw_graph *const g = &graph;                               \
        [[maybe_unused]] const uint32_t rank = graph.partition.rank;

/* f(i) of first .. last - 1. */
#define MWK_FOR(name, first, last, i)                                                    \
    Kokkos::parallel_for(                                                                \
        #name, mwk::indices((first), (last)), KOKKOS_LAMBDA(uint64_t i)

/* ---- sources, handlers, sinks ---------------------------------------------------------------- */

#define MW_UNITS(name, type, element)                                                    \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    const mwk::drafts out = mwk::drafts_of(t, job, job->first, job->last);               \
    MWK_FOR(name, job->first, job->last, i)                                              \
    {                                                                                    \
        mw_emitter e = {&out, i, rank};                                                  \
        element(&state, &graph, i, &e);                                                  \
    });                                                                                  \
    mwk::drafts_send(t, self, job, out, job->last - job->first);                         \
    }

#define MW_ENTRIES(name, type, end, n, wanted, element)                                  \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    const mwk::drafts out = mwk::drafts_of(t, job, job->first, job->last);               \
    mwk::for_units(                                                                      \
        #name, (end), (n), job->first, job->last,                                        \
        KOKKOS_LAMBDA(uint64_t i, uint64_t before, uint64_t unit) {                      \
            mw_emitter e = {&out, unit, rank};                                           \
            if (wanted(&state, i))                                                       \
                element(&state, &graph, i, unit - before, &e);                           \
        });                                                                              \
    mwk::drafts_send(t, self, job, out, job->last - job->first);                         \
    }

/* What the lane keeps goes to cores by value. */
#define MWK_COUNT(element_says)                                                          \
    const uint64_t n_ = (element_says);                                                  \
    if (n_ > 0 && out.at != nullptr)                                                     \
        Kokkos::atomic_add(count, n_);

#define MWK_COUNTED(grown)                                                               \
    if (out.at != nullptr) {                                                             \
        uint64_t n_counted;                                                              \
        t.counts(&n_counted, 1);                                                         \
        (grown) += n_counted;                                                            \
    }

#define MW_LANE_ENTRIES(name, type, lane, member, end, n, wanted, element)               \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    const mwk::drafts out = mwk::drafts_of(t, job, job->first, job->last);               \
    uint64_t *const count = t.count();                                                   \
    const auto mine = *(lane);                                                           \
    mwk::for_units(                                                                      \
        #name, (end), (n), job->first, job->last,                                        \
        KOKKOS_LAMBDA(uint64_t i, uint64_t before, uint64_t unit) {                      \
            mw_emitter e = {&out, unit, rank};                                           \
            if (!wanted(&state, i))                                                      \
                return;                                                                  \
            MWK_COUNT(element(&state, &graph, &mine, i, unit - before, &e))              \
        });                                                                              \
    mwk::drafts_send(t, self, job, out, job->last - job->first);                         \
    MWK_COUNTED((lane)->member)                                                          \
    }

#define MW_TALLY MW_TALLY_UNITS

#define MW_REPLIES(name, type, element)                                                  \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    uint64_t n;                                                                          \
    const mw_visit *const visit = mwk::visits_of(t, job, &n);                            \
    const mwk::drafts out = mwk::drafts_of(t, job, 0, n);                                \
    MWK_FOR(name, 0, n, i)                                                               \
    {                                                                                    \
        mw_emitter e = {&out, i, rank};                                                  \
        element(&state, &graph, &visit[i], &e);                                          \
    });                                                                                  \
    mwk::drafts_send(t, self, job, out, n);                                              \
    }

#define MW_LANE_REPLIES(name, type, lane, member, element)                               \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    uint64_t n, *const count = t.count();                                                \
    const mw_visit *const visit = mwk::visits_of(t, job, &n);                            \
    const mwk::drafts out = mwk::drafts_of(t, job, 0, n);                                \
    const auto mine = *(lane);                                                           \
    MWK_FOR(name, 0, n, i)                                                               \
    {                                                                                    \
        mw_emitter e = {&out, i, rank};                                                  \
        MWK_COUNT(element(&state, &graph, &mine, &visit[i], &e))                         \
    });                                                                                  \
    mwk::drafts_send(t, self, job, out, n);                                              \
    MWK_COUNTED((lane)->member)                                                          \
    }

/* The next visits take their room, so this kernel waits. */
#define MW_UPDATES(name, type, element)                                                  \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    uint64_t n;                                                                          \
    const mw_visit *const visit = mwk::visits_of(t, job, &n);                            \
    MWK_FOR(name, 0, n, i)                                                               \
    {                                                                                    \
        element(&state, &graph, &visit[i]);                                              \
    });                                                                                  \
    t.wait();                                                                            \
    }

/* ---- sweeps ---------------------------------------------------------------------------------- */

#define MW_QUEUE(name, type, n, element)                                                 \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    MWK_FOR(name, 0, (n), i)                                                             \
    {                                                                                    \
        element(&state, &graph, i);                                                      \
    });                                                                                  \
    }

#define MW_WAITED(name, queued)                                                          \
    void name(mw_cpe *self, void *arg)                                                   \
    {                                                                                    \
        queued(self, arg);                                                               \
        mwk::turn().wait();                                                              \
    }

/* Waits, for it may be a run's last. */
#define MW_EACH(name, type, n, element)                                                  \
    MW_QUEUE(name##_queue, type, n, element)                                             \
    MW_WAITED(name, name##_queue)

/* A lane's cores share its walk over all items. */
#define MW_LANE_QUEUE(name, type, lane, n, element)                                      \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    const auto mine = *(lane);                                                           \
    MWK_FOR(name, 0, (n), i)                                                             \
    {                                                                                    \
        element(&state, &graph, &mine, i);                                               \
    });                                                                                  \
    }

#define MW_PAIRS(name, type, end, n, n_units, wanted, element)                           \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    mwk::for_units(                                                                      \
        #name, (end), (n), 0, (n_units),                                                 \
        KOKKOS_LAMBDA(uint64_t i, uint64_t before, uint64_t unit) {                      \
            if (wanted(&state, i))                                                       \
                element(&state, &graph, i, unit - before);                               \
        });                                                                              \
    }

/* Rows and words are dealt as they come. */
#define MW_SUM_WORDS(name, type, n, element, total) MW_SUM(name, type, n, element, total)

#define MW_ROWS(name, type, end, n, element) MW_EACH(name, type, n, element)

#define MW_ROW_SUMS(name, type, end, n, amount, fetch, sums)                             \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    double *const sum = (sums);                                                          \
    const uint64_t *const ends = (end);                                                  \
    const uint64_t n_of_graph = /* 0: these are a list's */                              \
        ends == graph.row + 1 || ends == graph.in_row + 1 ? graph.n_entries : 0;         \
    if (graph.wide)                                                                      \
        mwk::sum_rows(                                                                   \
            #name, ends, (n), n_of_graph, sum, KOKKOS_LAMBDA(uint64_t i, uint64_t k) {   \
                return amount(&state, &graph, i, k);                                     \
            });                                                                          \
    else                                                                                 \
        mwk::sum_rows(                                                                   \
            #name, ends, (n), n_of_graph, sum, KOKKOS_LAMBDA(uint64_t i, uint64_t k) {   \
                mw_graph narrow = graph; /* the compiler then knows it */                \
                narrow.wide = false;                                                     \
                return amount(&state, &narrow, i, k);                                    \
            });                                                                          \
    }

#define MW_SUM(name, type, n, element, total)                                            \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    uint64_t all = 0;                                                                    \
    Kokkos::parallel_reduce(                                                             \
        #name, mwk::indices(0, (n)),                                                     \
        KOKKOS_LAMBDA(uint64_t i, uint64_t &sum) { sum += element(&state, &graph, i); }, \
        all);                                                                            \
    *(total) += all;                                                                     \
    }

/* In pieces that grow, for it is near as a rule. */
#define MW_FIRST(name, type, n, is, found)                                               \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    uint64_t first = UINT64_MAX;                                                         \
    for (uint64_t from = 0, to; from < (n) && first == UINT64_MAX; from = to) {          \
        to = mw_min(16 * from + 65536, (n));                                             \
        Kokkos::parallel_reduce(                                                         \
            #name, mwk::indices(from, to),                                               \
            KOKKOS_LAMBDA(uint64_t i, uint64_t &least) {                                 \
                if (i < least && is(&state, &graph, i))                                  \
                    least = i;                                                           \
            },                                                                           \
            Kokkos::Min<uint64_t>(first));                                               \
    }                                                                                    \
    found(s, g, mw_min(first, (n)));                                                     \
    }

#define MW_LIST(name, type, n, candidates, look, visit, list, value, n_listed)           \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    *(n_listed) += mwk::list_items(                                                      \
        t, #name, (n), mwk::halves(candidates), (list),                                  \
        KOKKOS_LAMBDA(uint64_t i) { return look(&state, &graph, i); },                   \
        KOKKOS_LAMBDA([[maybe_unused]] uint64_t i, bool seen) {                          \
            return visit(&state, &graph, i, seen);                                       \
        },                                                                               \
        KOKKOS_LAMBDA(uint64_t i) { return value(&state, &graph, i); });                 \
    }

#define MW_RUNNING(name, type, n, size, set, total)                                      \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    uint64_t all = 0;                                                                    \
    Kokkos::parallel_scan(                                                               \
        #name, mwk::indices(0, (n)),                                                     \
        KOKKOS_LAMBDA(uint64_t i, uint64_t &sum, bool final) {                           \
            sum += size(&state, &graph, i);                                              \
            if (final)                                                                   \
                set(&state, &graph, i, sum);                                             \
        },                                                                               \
        all);                                                                            \
    *(total) = all;                                                                      \
    }

/* Those that stay, with their sizes, go to a room; then back, with their sums. */
#define MW_KEEP(name, type, list, end, n, keeps, n_kept, total)                          \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t n_items = (n);                                                        \
    uint32_t *const out = (list), *const kept = t.room<uint32_t>(mwk::LISTS, n_items);   \
    uint64_t *const ends = (end), *const sizes =                                         \
                                      t.room<uint64_t>(mwk::LIST_ENDS, n_items);         \
    uint64_t n_out = 0, all = 0;                                                         \
    Kokkos::parallel_scan(                                                               \
        #name, mwk::indices(0, n_items),                                                 \
        KOKKOS_LAMBDA(uint64_t i, uint64_t &at, bool final) {                            \
            if (!keeps(&state, &graph, i))                                               \
                return;                                                                  \
            if (final) {                                                                 \
                kept[at] = out[i];                                                       \
                sizes[at] = ends[i] - (i > 0 ? ends[i - 1] : 0);                         \
            }                                                                            \
            at++;                                                                        \
        },                                                                               \
        n_out);                                                                          \
    Kokkos::parallel_scan(                                                               \
        #name, mwk::indices(0, n_out),                                                   \
        KOKKOS_LAMBDA(uint64_t k, uint64_t &sum, bool final) {                           \
            sum += sizes[k];                                                             \
            if (!final)                                                                  \
                return;                                                                  \
            out[k] = kept[k];                                                            \
            ends[k] = sum;                                                               \
        },                                                                               \
        all);                                                                            \
    *(n_kept) = n_out;                                                                   \
    *(total) = all;                                                                      \
    }

/* ---- words of a bitmap: a thread's, whose lanes have a bit each ------------------------------- */

namespace mwk
{

/* What visits say: two words, where one of them says 2. */
struct said {
    uint32_t yes, second;
};

template <class F>
KOKKOS_INLINE_FUNCTION said visit_word(const member &team, uint32_t looked, F visit)
{
    if constexpr (std::is_same<decltype(visit(0U)), bool>::value) {
        return {which(team, looked, visit), 0};
    } else {
        uint64_t both = 0;
        if (looked == 0)
            return {0, 0};
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, 32),
            [&](int lane, uint64_t &sum) {
                if (!(looked >> lane & 1))
                    return;
                const uint64_t is = visit(static_cast<uint32_t>(lane));
                sum += (is & 1) << lane | is >> 1 << (32 + lane);
            },
            both);
        return {low(both), high(both)};
    }
}

} // namespace mwk

#define MWK_VISIT_WORD(team, w, looked, said, todo, visit)                               \
    const mw_word looked = todo(&state, &graph, w);                                      \
    const mwk::said said =                                                               \
        mwk::visit_word(team, looked, [&]([[maybe_unused]] uint32_t lane) {              \
            return visit(&state, &graph, 32 * (w) + lane);                               \
        });

/* No bit is to be visited, and none is asked for. */
#define MW_NONE(s, g, i) 0

#define MW_BITS(name, type, n, todo, visit, done)                                        \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    mwk::for_halves(                                                                     \
        #name, 2 * (n), KOKKOS_LAMBDA(const mwk::member &team, uint64_t w) {             \
            MWK_VISIT_WORD(team, w, looked, said, todo, visit)                           \
            Kokkos::single(Kokkos::PerThread(team), [&]() {                              \
                done(&state, &graph, w, looked, said.yes, said.second);                  \
            });                                                                          \
        });                                                                              \
    }

#define MW_REACH(name, type, frontier, todo, visit, done)                                \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    mwk::put_all(                                                                        \
        t, (frontier), self->lane, #name,                                                \
        KOKKOS_LAMBDA(const mwk::member &team, uint64_t w) {                             \
            MWK_VISIT_WORD(team, w, looked, said, todo, visit)                           \
            mw_word reached = 0;                                                         \
            Kokkos::single(                                                              \
                Kokkos::PerThread(team),                                                 \
                [&](mw_word &one) {                                                      \
                    one = done(&state, &graph, w, looked, said.yes, said.second);        \
                },                                                                       \
                reached);                                                                \
            return reached;                                                              \
        });                                                                              \
    }

/* First who is listed, then the sums. */
#define MW_LIST_BITS(name, type, n, bits, size, list, end, n_listed, total)              \
    MWK_KERNEL_BEGINS(name, type)                                                        \
    auto *const out = (list);                                                            \
    auto *const ends = (end);                                                            \
    uint64_t n_out = 0, all = 0;                                                         \
    Kokkos::parallel_scan(                                                               \
        #name, mwk::indices(0, 2 * (n)),                                                 \
        KOKKOS_LAMBDA(uint64_t w, uint64_t &at, bool final) {                            \
            for (mw_word left = bits(&state, &graph, w); left != 0; left &= left - 1) {  \
                const uint64_t i = 32 * w + mwk::lowest(left);                           \
                if (size(&state, &graph, i) == 0)                                        \
                    continue;                                                            \
                if (final)                                                               \
                    out[at] = static_cast<uint32_t>(i);                                  \
                at++;                                                                    \
            }                                                                            \
        },                                                                               \
        n_out);                                                                          \
    Kokkos::parallel_scan(                                                               \
        #name, mwk::indices(0, n_out),                                                   \
        KOKKOS_LAMBDA(uint64_t k, uint64_t &sum, bool final) {                           \
            sum += size(&state, &graph, out[k]);                                         \
            if (final)                                                                   \
                ends[k] = sum;                                                           \
        },                                                                               \
        all);                                                                            \
    *(n_listed) = n_out;                                                                 \
    *(total) = all;                                                                      \
    }

#include "shuffle/patterns_of_all.h"

#endif
