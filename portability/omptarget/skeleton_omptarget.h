/* skeleton_omptarget.h -- the patterns of shuffle/patterns.h by OpenMP's target regions.
 *
 * A pattern here is a function of the host that runs regions (region.h). The state and its graph go
 * with each region by value; numbers that the host reads it reads between regions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_H
#define MW_SKELETON_H

#include "omptarget/frontier.h"
#include "omptarget/records.h"
#include "omptarget/region.h"

#include "graph/graph.h"

/* Of one unit or record, which makes at most one record. */
struct mw_emitter {
    const struct mwo_drafts *out;
    uint64_t unit;
    uint32_t rank;
};

/* A record for this rank is never made. */
MW_FN bool mw_here(const struct mw_emitter *e, uint32_t owner)
{
    return owner == e->rank;
}

/* Devices' ranks share no state. */
MW_FN uint32_t mw_near(const struct mw_emitter *e, uint32_t owner)
{
    return mw_here(e, owner) ? 0 : MW_FAR;
}

MW_FN void mw_emit(const struct mw_emitter *e, uint32_t owner, uint32_t child,
                   uint64_t value)
{
    mwo_emit(e->out, e->unit, owner, child, value);
}

/* ---- what patterns share ----------------------------------------------------------------- */

#define MW_KERNEL_TABLE(type, ...)                                                       \
    extern const struct type MW_KERNELS;                                                 \
    const struct type MW_KERNELS = {__VA_ARGS__};

#define MWO_KERNEL_BEGINS(name, type)                                                    \
    static void name(struct mw_cpe *self, void *arg)                                     \
    {                                                                                    \
        struct mw_job *const job = (struct mw_job *)arg;                                 \
        const struct type state = *(const struct type *)job->state;                      \
        const struct mw_graph graph = *state.g;                                          \
        const struct type *const s = &state;                                             \
        const struct mw_graph *const g = &graph;                                         \
        const uint32_t rank = graph.partition.rank;                                      \
        (void)self, (void)s, (void)g, (void)rank;

/* ---- sources, handlers, sinks ------------------------------------------------------------ */

#define MW_UNITS(name, type, element)                                                    \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const struct mwo_drafts out = mwo_drafts_of(job, job->first, job->last);             \
    MWO_ALL(i, job->first, job->last)                                                    \
    {                                                                                    \
        struct mw_emitter e = {&out, i, rank};                                           \
        element(&state, &graph, i, &e);                                                  \
    }                                                                                    \
    mwo_drafts_send(self, job, &out, job->last - job->first);                            \
    }

#define MW_ENTRIES(name, type, end, n, wanted, element)                                  \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t *const ends = (end), n_items = (n);                                   \
    const struct mwo_drafts out = mwo_drafts_of(job, job->first, job->last);             \
    MWO_ALL(unit, job->first, job->last)                                                 \
    {                                                                                    \
        const uint64_t i = mw_item_of(ends, n_items, unit);                              \
        struct mw_emitter e = {&out, unit, rank};                                        \
        if (wanted(&state, i))                                                           \
            element(&state, &graph, i, unit - (i > 0 ? ends[i - 1] : 0), &e);            \
    }                                                                                    \
    mwo_drafts_send(self, job, &out, job->last - job->first);                            \
    }

/* What the lane keeps goes to cores by value. */
#define MWO_COUNTED(grown)                                                               \
    if (out.at != NULL)                                                                  \
        (grown) += n_counted;

#define MW_LANE_ENTRIES(name, type, lane, member, end, n, wanted, element)               \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t *const ends = (end), n_items = (n);                                   \
    const struct mwo_drafts out = mwo_drafts_of(job, job->first, job->last);             \
    const __typeof__(*(lane)) mine = *(lane);                                            \
    uint64_t n_counted = 0;                                                              \
    MWO_SUM(unit, job->first, job->last, n_counted)                                      \
    {                                                                                    \
        const uint64_t i = mw_item_of(ends, n_items, unit);                              \
        struct mw_emitter e = {&out, unit, rank};                                        \
        if (wanted(&state, i))                                                           \
            n_counted +=                                                                 \
                element(&state, &graph, &mine, i, unit - (i > 0 ? ends[i - 1] : 0), &e); \
    }                                                                                    \
    mwo_drafts_send(self, job, &out, job->last - job->first);                            \
    MWO_COUNTED((lane)->member)                                                          \
    }

#define MW_TALLY MW_TALLY_UNITS

#define MW_REPLIES(name, type, element)                                                  \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    uint64_t n;                                                                          \
    const struct mw_visit *const visit = mwo_visits_of(job, &n);                         \
    const struct mwo_drafts out = mwo_drafts_of(job, 0, n);                              \
    MWO_ALL(i, 0, n)                                                                     \
    {                                                                                    \
        struct mw_emitter e = {&out, i, rank};                                           \
        element(&state, &graph, &visit[i], &e);                                          \
    }                                                                                    \
    mwo_drafts_send(self, job, &out, n);                                                 \
    }

#define MW_LANE_REPLIES(name, type, lane, member, element)                               \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    uint64_t n, n_counted = 0;                                                           \
    const struct mw_visit *const visit = mwo_visits_of(job, &n);                         \
    const struct mwo_drafts out = mwo_drafts_of(job, 0, n);                              \
    const __typeof__(*(lane)) mine = *(lane);                                            \
    MWO_SUM(i, 0, n, n_counted)                                                          \
    {                                                                                    \
        struct mw_emitter e = {&out, i, rank};                                           \
        n_counted += element(&state, &graph, &mine, &visit[i], &e);                      \
    }                                                                                    \
    mwo_drafts_send(self, job, &out, n);                                                 \
    MWO_COUNTED((lane)->member)                                                          \
    }

#define MW_UPDATES(name, type, element)                                                  \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    uint64_t n;                                                                          \
    const struct mw_visit *const visit = mwo_visits_of(job, &n);                         \
    MWO_ALL(i, 0, n)                                                                     \
    element(&state, &graph, &visit[i]);                                                  \
    }

/* ---- sweeps ------------------------------------------------------------------------------ */

#define MW_EACH(name, type, n, element)                                                  \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    MWO_ALL(i, 0, (n))                                                                   \
    element(&state, &graph, i);                                                          \
    }

#define MW_QUEUE MW_EACH
#define MW_WAITED(name, queued)                                                          \
    static void name(struct mw_cpe *self, void *arg)                                     \
    {                                                                                    \
        queued(self, arg);                                                               \
    }

/* A lane's cores share its walk over all items. */
#define MW_LANE_QUEUE(name, type, lane, n, element)                                      \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const __typeof__(*(lane)) mine = *(lane);                                            \
    MWO_ALL(i, 0, (n))                                                                   \
    element(&state, &graph, &mine, i);                                                   \
    }

#define MW_PAIRS(name, type, end, n, n_units, wanted, element)                           \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t *const ends = (end), n_items = (n);                                   \
    MWO_ALL(unit, 0, (n_units))                                                          \
    {                                                                                    \
        const uint64_t i = mw_item_of(ends, n_items, unit);                              \
        if (wanted(&state, i))                                                           \
            element(&state, &graph, i, unit - (i > 0 ? ends[i - 1] : 0));                \
    }                                                                                    \
    }

/* The lanes of a team share a row. */
/* Rows and words are dealt as they come. */
#define MW_SUM_WORDS(name, type, n, element, total) MW_SUM(name, type, n, element, total)

#define MW_ROWS(name, type, end, n, element) MW_EACH(name, type, n, element)

#define MW_ROW_SUMS(name, type, end, n, amount, fetch, sums)                             \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t *const ends = (end);                                                  \
    double *const row_sum = (sums);                                                      \
    MWO_EACH(i, (n))                                                                     \
    {                                                                                    \
        const uint64_t n_here = ends[i] - (i > 0 ? ends[i - 1] : 0);                     \
        double sum = 0;                                                                  \
        MWO_LANES((+ : sum))                                                             \
        for (uint64_t k = 0; k < n_here; k++)                                            \
            sum += amount(&state, &graph, i, k);                                         \
        row_sum[i] = sum;                                                                \
    }                                                                                    \
    }

#define MW_SUM(name, type, n, element, total)                                            \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    uint64_t all = 0;                                                                    \
    MWO_SUM(i, 0, (n), all)                                                              \
    all += element(&state, &graph, i);                                                   \
    *(total) += all;                                                                     \
    }

/* Chunks of items, of which a lane goes through one in order. */
#define MWO_FOR_CHUNK(i, c, n)                                                           \
    for (uint64_t i = (c)*MWO_CHUNK, end_ = mw_min(i + MWO_CHUNK, (n)); i < end_; i++)

#define MW_FIRST(name, type, n, is, found)                                               \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t n_items = (n);                                                        \
    uint64_t *const least = (uint64_t *)mwo_room(MWO_CHUNKS, sizeof *least);             \
    uint64_t first = n_items;                                                            \
    mwo_put(least, &first, sizeof first);                                                \
    MWO_ALL(c, 0, mwo_chunks(n_items))                                                   \
    {                                                                                    \
        uint64_t i = c * MWO_CHUNK;                                                      \
        const uint64_t end_ = mw_min(i + MWO_CHUNK, n_items);                            \
        while (i < end_ && !is(&state, &graph, i))                                       \
            i++;                                                                         \
        if (i < end_)                                                                    \
            mw_lower(least, 0, i, true);                                                 \
    }                                                                                    \
    mwo_get(&first, least, sizeof first);                                                \
    found(s, g, first);                                                                  \
    }

#define MW_LIST(name, type, n, candidates, look, visit, list, value, n_listed)           \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t n_items = (n), n_chunks = mwo_chunks(n_items);                        \
    const uint64_t *const bitmap = (candidates);                                         \
    uint64_t *const before =                                                             \
        (uint64_t *)mwo_room(MWO_CHUNKS, n_chunks * sizeof *before);                     \
    MWO_ALL(c, 0, n_chunks)                                                              \
    {                                                                                    \
        uint64_t sum = 0;                                                                \
        MWO_FOR_CHUNK(i, c, n_items)                                                     \
        sum += !visit(&state, &graph, i, look(&state, &graph, i)) && mw_bit(bitmap, i);  \
        before[c] = sum;                                                                 \
    }                                                                                    \
    *(n_listed) += mwo_sum_up(before, n_chunks);                                         \
    __typeof__(list) const out = (list);                                                 \
    MWO_ALL(c, 0, n_chunks)                                                              \
    {                                                                                    \
        uint64_t at = before[c];                                                         \
        MWO_FOR_CHUNK(i, c, n_items)                                                     \
        if (mw_bit(bitmap, i) && !visit(&state, &graph, i, look(&state, &graph, i)))     \
            out[at++] = value(&state, &graph, i);                                        \
    }                                                                                    \
    }

#define MW_RUNNING(name, type, n, size, set, total)                                      \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t n_items = (n), n_chunks = mwo_chunks(n_items);                        \
    uint64_t *const before =                                                             \
        (uint64_t *)mwo_room(MWO_CHUNKS, n_chunks * sizeof *before);                     \
    MWO_ALL(c, 0, n_chunks)                                                              \
    {                                                                                    \
        uint64_t sum = 0;                                                                \
        MWO_FOR_CHUNK(i, c, n_items)                                                     \
        sum += size(&state, &graph, i);                                                  \
        before[c] = sum;                                                                 \
    }                                                                                    \
    *(total) = mwo_sum_up(before, n_chunks);                                             \
    MWO_ALL(c, 0, n_chunks)                                                              \
    {                                                                                    \
        uint64_t sum = before[c];                                                        \
        MWO_FOR_CHUNK(i, c, n_items)                                                     \
        {                                                                                \
            sum += size(&state, &graph, i);                                              \
            set(&state, &graph, i, sum);                                                 \
        }                                                                                \
    }                                                                                    \
    }

/* Those that stay go to a room with their sums, by chunks; then back. */
#define MW_KEEP(name, type, list, end, n, keeps, n_kept, total)                          \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t n_items = (n), n_chunks = mwo_chunks(n_items);                        \
    uint32_t *const out = (list);                                                        \
    uint64_t *const ends = (end);                                                        \
    uint64_t *const before =                                                             \
        (uint64_t *)mwo_room(MWO_CHUNKS, 2 * n_chunks * sizeof *before);                 \
    MWO_ALL(c, 0, n_chunks)                                                              \
    {                                                                                    \
        uint64_t n_here = 0, sum = 0;                                                    \
        MWO_FOR_CHUNK(i, c, n_items)                                                     \
        if (keeps(&state, &graph, i)) {                                                  \
            n_here++;                                                                    \
            sum += ends[i] - (i > 0 ? ends[i - 1] : 0);                                  \
        }                                                                                \
        before[c] = n_here;                                                              \
        before[n_chunks + c] = sum;                                                      \
    }                                                                                    \
    const uint64_t n_out = mwo_sum_up(before, n_chunks);                                 \
    const uint64_t all = mwo_sum_up(before + n_chunks, n_chunks);                        \
    uint32_t *const kept = (uint32_t *)mwo_room(MWO_LIST, n_out * sizeof *kept);         \
    uint64_t *const kept_end =                                                           \
        (uint64_t *)mwo_room(MWO_LIST_END, n_out * sizeof *kept_end);                    \
    MWO_ALL(c, 0, n_chunks)                                                              \
    {                                                                                    \
        uint64_t at = before[c], sum = before[n_chunks + c];                             \
        MWO_FOR_CHUNK(i, c, n_items)                                                     \
        if (keeps(&state, &graph, i)) {                                                  \
            sum += ends[i] - (i > 0 ? ends[i - 1] : 0);                                  \
            kept[at] = out[i];                                                           \
            kept_end[at++] = sum;                                                        \
        }                                                                                \
    }                                                                                    \
    MWO_ALL(k, 0, n_out)                                                                 \
    {                                                                                    \
        out[k] = kept[k];                                                                \
        ends[k] = kept_end[k];                                                           \
    }                                                                                    \
    *(n_kept) = n_out;                                                                   \
    *(total) = all;                                                                      \
    }

/* ---- words of a bitmap: a team's, whose lanes share the bits ------------------------------ */

#define MWO_VISIT_WORD(w, looked, yes, second, todo, visit)                              \
    const mw_word looked = todo(&state, &graph, w);                                      \
    mw_word yes = 0, second = 0;                                                         \
    MWO_LANES((| : yes, second))                                                         \
    for (uint32_t b = 0; b < MW_WORD_BITS; b++)                                          \
        if (looked >> b & 1) {                                                           \
            const uint32_t is = visit(&state, &graph, MW_WORD_BITS * (w) + b);           \
            yes |= (mw_word)(is & 1) << b;                                               \
            second |= (mw_word)(is >> 1) << b;                                           \
        }

/* No bit is to be visited, and none is asked for. */
#define MW_NONE(s, g, i) 0

#define MW_BITS(name, type, n, todo, visit, done)                                        \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    MWO_EACH(w, (n))                                                                     \
    {                                                                                    \
        MWO_VISIT_WORD(w, looked, yes, second, todo, visit)                              \
        done(&state, &graph, w, looked, yes, second);                                    \
    }                                                                                    \
    }

#define MW_REACH(name, type, frontier, todo, visit, done)                                \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    uint64_t *const reached = (frontier)->bits;                                          \
    MWO_EACH(w, (frontier)->n_words)                                                     \
    {                                                                                    \
        MWO_VISIT_WORD(w, looked, yes, second, todo, visit)                              \
        reached[w] = done(&state, &graph, w, looked, yes, second);                       \
    }                                                                                    \
    mwo_frontier_put((frontier), self->lane);                                            \
    }

/* Chunks of words: what each lists and its sums, then the lists. */
#define MWO_FOR_BITS(i, c, n, bits)                                                      \
    for (uint64_t w = (c)*MWO_CHUNK_WORDS, end_ = mw_min(w + MWO_CHUNK_WORDS, (n));      \
         w < end_; w++)                                                                  \
        for (uint64_t left_ = bits(&state, &graph, w), i;                                \
             left_ != 0 && (i = 64 * w + (uint64_t)__builtin_ctzll(left_), true);        \
             left_ &= left_ - 1)

#define MW_LIST_BITS(name, type, n, bits, size, list, end, n_listed, total)              \
    MWO_KERNEL_BEGINS(name, type)                                                        \
    const uint64_t n_words = (n);                                                        \
    const uint64_t n_chunks = (n_words + MWO_CHUNK_WORDS - 1) / MWO_CHUNK_WORDS;         \
    uint64_t *const before =                                                             \
        (uint64_t *)mwo_room(MWO_CHUNKS, 2 * n_chunks * sizeof *before);                 \
    uint32_t *const out = (list);                                                        \
    uint64_t *const ends = (end);                                                        \
    MWO_ALL(c, 0, n_chunks)                                                              \
    {                                                                                    \
        uint64_t n_here = 0, sum = 0;                                                    \
        MWO_FOR_BITS(i, c, n_words, bits)                                                \
        {                                                                                \
            const uint64_t size_ = size(&state, &graph, i);                              \
            n_here += size_ > 0;                                                         \
            sum += size_;                                                                \
        }                                                                                \
        before[c] = n_here;                                                              \
        before[n_chunks + c] = sum;                                                      \
    }                                                                                    \
    *(n_listed) = mwo_sum_up(before, n_chunks);                                          \
    *(total) = mwo_sum_up(before + n_chunks, n_chunks);                                  \
    MWO_ALL(c, 0, n_chunks)                                                              \
    {                                                                                    \
        uint64_t at = before[c], sum = before[n_chunks + c];                             \
        MWO_FOR_BITS(i, c, n_words, bits)                                                \
        {                                                                                \
            const uint64_t size_ = size(&state, &graph, i);                              \
            if (size_ > 0) {                                                             \
                out[at] = (uint32_t)i;                                                   \
                ends[at++] = sum += size_;                                               \
            }                                                                            \
        }                                                                                \
    }                                                                                    \
    }

#include "shuffle/patterns_of_all.h"

#endif
