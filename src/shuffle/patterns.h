/* patterns.h -- the loops that kernels are made of, on cores of a host and of a mesh.
 *
 * An algorithm writes elements: functions that do something to one unit, one entry, one record or
 * one item. A pattern makes a kernel of an element; a kind of core has its own header of patterns.
 * This one serves the skeletons of C. kokkos/skeleton_kokkos.hpp and omptarget/skeleton_omptarget.h
 * have the same names, so elements are written once, in what C11 and C++17 have in common.
 *
 *      pattern      the element sees                    the kernel
 *      MW_UNITS     a unit, an emitter                  is a source: at most one record a unit
 *      MW_ENTRIES   an entry of a listed row, emitter   is a source: long rows are many cores' work
 *      MW_TALLY     a unit                              is a source: counts at the owners of vertices
 *      MW_TALLIED   --                                  is the sink of that
 *      MW_GIVE      a unit; says a float                is a source: sums at the owners of vertices
 *      MW_GIVEN     --                                  is the sink of that
 *      MW_REPLIES   a record, an emitter                is a handler that emits
 *      MW_UPDATES   a record                            is a sink
 *      MW_EACH      an item                             is a sweep
 *      MW_ROWS      a row                               is a sweep, with rows dealt by their entries
 *      MW_QUEUE     an item                             is one that the host need not wait for
 *      MW_PAIRS     an entry of a listed row            is a sweep, with rows shared as above
 *      MW_ROW_SUMS  an entry of a row; says a real      is a sweep, and each row gets the sum of its entries
 *      MW_SUM       an item; says a number              is a sweep, and adds them up
 *      MW_SUM_WORDS a word of a bitmap; says a number   is a sweep, and adds them up
 *      MW_FIRST     an item; yes or no                  is a sweep, and finds the first yes
 *      MW_LIST      an item; out or not                 is a sweep, and lists who is not, in no order
 *      MW_BITS      a bit of a word; yes or no          is a sweep: words in, words out
 *      MW_REACH     the same                            ... which are put into the frontier
 *      MW_LIST_BITS a bit of a word; says a number      is a sweep, and lists those, with sums
 *      MW_KEEP      an entry of a list; yes or no       is a sweep: a list without the others
 *      MW_RUNNING   an item; says a number              is a sweep, and each gets the sum up to it
 *
 * MW_LANE_ENTRIES, MW_LANE_REPLIES and MW_LANE_QUEUE have an element that sees as well what its core's lane
 * keeps, of which a device has a copy: the last is done to all items by every lane, the others add up.
 *
 * `name` is the kernel's, `type` the state's, which has a graph `g`. Elements begin with (s, g): a
 * device has copies of both. Whatever else a pattern needs is an expression in `s`, of what the
 * host reads. What several cores use is read by mw_load() and mw_bit(), and changed by mw_store(),
 * mw_lower(), mw_claim(), mw_add(), mw_add_number(), mw_or(), mw_add_real(), mw_set_bit() and
 * mw_take_bit() (numbers.h).
 *
 * C99 plus base.h: slave compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PATTERNS_H
#define MW_PATTERNS_H

#include "shuffle/job.h"

/* The kernels of this kind of core, which kernels.h finds by the name that the build gives. */
#define MW_KERNEL_TABLE(type, ...)                                                       \
    extern const struct type MW_KERNELS;                                                 \
    const struct type MW_KERNELS = {__VA_ARGS__};

/* ---- sources, handlers, sinks ---------------------------------------------------------------- */

/* element(s, g, unit, e) */
#define MW_UNITS(name, type, element)                                                    \
    static void name##_units(void *state, uint64_t first, uint64_t last,                 \
                             struct mw_emitter *e)                                       \
    {                                                                                    \
        const struct type *const s = (const struct type *)state;                         \
        for (uint64_t i = first; i < last; i++)                                          \
            element(s, s->g, i, e);                                                      \
    }                                                                                    \
    MW_KERNEL(name, mw_run_expand, name##_units)

/* Entries first .. last - 1 of the rows in a list, of which end[i] counts those of rows 0 .. i: what
 * follows is done for entry k of row i. wanted(s, i) chooses rows. */
#define MW_FOR_ENTRIES(s, end, n, first, last, wanted)                                   \
    for (uint64_t i = mw_item_of((end), (n), (first)), at_ = (first); at_ < (last); i++) \
        for (uint64_t before_ = i > 0 ? (end)[i - 1] : 0,                                \
                      stop_ = mw_min((last), (end)[i]),                                  \
                      k = (at_ = wanted(s, i) ? at_ : stop_) - before_;                  \
             at_ < stop_; at_++, k++)

/* element(s, g, i, k, e) */
#define MW_ENTRIES(name, type, end, n, wanted, element)                                  \
    static void name##_entries(void *state, uint64_t first, uint64_t last,               \
                               struct mw_emitter *e)                                     \
    {                                                                                    \
        const struct type *const s = (const struct type *)state;                         \
        MW_FOR_ENTRIES(s, end, n, first, last, wanted)                                   \
        element(s, s->g, i, k, e);                                                       \
    }                                                                                    \
    MW_KERNEL(name, mw_run_expand, name##_entries)

/* element(s, g, l, i, k, e), where l points to what is at `lane`, an expression in `s` and `self`: says
 * a number, by which lane->member grows where there is another rank. */
#define MW_LANE_ENTRIES(name, type, lane, member, end, n, wanted, element)               \
    static void name##_entries(void *state, uint64_t first, uint64_t last,               \
                               struct mw_emitter *e)                                     \
    {                                                                                    \
        const struct type *const s = (const struct type *)state;                         \
        const struct mw_cpe *const self = e->self;                                       \
        __typeof__(lane) const mine_ = (lane);                                           \
        uint64_t n_ = 0;                                                                 \
        MW_FOR_ENTRIES(s, end, n, first, last, wanted)                                   \
        n_ += element(s, s->g, mine_, i, k, e);                                          \
        mine_->member += n_;                                                             \
    }                                                                                    \
    MW_KERNEL(name, mw_run_expand, name##_entries)

/* vertex(s, g, unit): at which the unit is counted, or MW_NO_VERTEX. Neighbours are often of one
 * vertex: a record, or an addition, counts a run of them. */
#define MW_TALLY(name, type, vertex, table)                                              \
    MW_FN void name##_run(const struct type *s, mw_vid v, uint64_t n,                    \
                          struct mw_emitter *e)                                          \
    {                                                                                    \
        uint32_t owner;                                                                  \
        if (n == 0)                                                                      \
            return;                                                                      \
        const uint64_t place = mw_locate(&s->g->partition, v, &owner);                   \
        if (mw_here(e, owner))                                                           \
            mw_add(&(table)[place], n);                                                  \
        else                                                                             \
            mw_emit(e, owner, (uint32_t)place, n);                                       \
    }                                                                                    \
    static void name##_units(void *state, uint64_t first, uint64_t last,                 \
                             struct mw_emitter *e)                                       \
    {                                                                                    \
        const struct type *const s = (const struct type *)state;                         \
        mw_vid at = MW_NO_VERTEX;                                                        \
        uint64_t n = 0;                                                                  \
        for (uint64_t i = first; i < last; i++) {                                        \
            const mw_vid v = vertex(s, s->g, i);                                         \
            if (v == MW_NO_VERTEX)                                                       \
                continue;                                                                \
            if (v != at || n == UINT32_MAX) {                                            \
                name##_run(s, at, n, e);                                                 \
                at = v;                                                                  \
                n = 0;                                                                   \
            }                                                                            \
            n++;                                                                         \
        }                                                                                \
        name##_run(s, at, n, e);                                                         \
    }                                                                                    \
    MW_KERNEL(name, mw_run_expand, name##_units)

/* element(s, g, m, e): at most one record. */
#define MW_REPLIES(name, type, element)                                                  \
    static void name##_record(void *state, const struct mw_visit *m,                     \
                              struct mw_emitter *e)                                      \
    {                                                                                    \
        const struct type *const s = (const struct type *)state;                         \
        element(s, s->g, m, e);                                                          \
    }                                                                                    \
    MW_KERNEL(name, mw_run_reply, name##_record)

/* element(s, g, l, m, e): at most one record; says a number, as above. */
#define MW_LANE_REPLIES(name, type, lane, member, element)                               \
    static void name##_record(void *state, const struct mw_visit *m,                     \
                              struct mw_emitter *e)                                      \
    {                                                                                    \
        const struct type *const s = (const struct type *)state;                         \
        const struct mw_cpe *const self = e->self;                                       \
        (lane)->member += element(s, s->g, (lane), m, e);                                \
    }                                                                                    \
    MW_KERNEL(name, mw_run_reply, name##_record)

/* element(s, g, m) */
#define MW_UPDATES(name, type, element)                                                  \
    static void name##_record(void *state, const struct mw_visit *m,                     \
                              const struct mw_cpe *self)                                 \
    {                                                                                    \
        const struct type *const s = (const struct type *)state;                         \
        (void)self;                                                                      \
        element(s, s->g, m);                                                             \
    }                                                                                    \
    MW_KERNEL(name, mw_run_update, name##_record)

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* Of copies the compiler knows that no store of an element changes them. */
#define MW_SWEEP_BEGINS(name, type)                                                      \
    static void name(struct mw_cpe *self, void *arg)                                     \
    {                                                                                    \
        const struct type state_ = *(const struct type *)((struct mw_job *)arg)->state;  \
        const struct mw_graph graph_ = *state_.g;                                        \
        const struct type *const s = &state_;                                            \
        const struct mw_graph *const g = &graph_;                                        \
        (void)self, (void)g;

/* element(s, g, i) */
#define MW_EACH(name, type, n, element)                                                  \
    MW_SWEEP_BEGINS(name, type)                                                          \
    uint64_t from_, to_;                                                                 \
    mw_share(self, 0, (n), &from_, &to_);                                                \
    for (uint64_t i = from_; i < to_; i++)                                               \
        element(s, g, i);                                                                \
    }

/* element(s, g, i) of each row; end[i] counts the entries of rows 0 .. i. Parts of rows have equal numbers of
 * entries, and a core takes every so manieth part: what an entry costs may depend on how long its row is. */
#define MW_ROWS(name, type, end, n, element)                                             \
    MW_SWEEP_BEGINS(name, type)                                                          \
    const uint64_t *const end_ = (end);                                                  \
    const uint64_t n_cores_ = mw_cores_beside(self), n_parts_ = mw_row_parts(self);      \
    for (uint64_t part_ = self->id, from_, to_; part_ < n_parts_; part_ += n_cores_) {   \
        mw_part_of_rows(end_, (n), part_, n_parts_, &from_, &to_);                       \
        for (uint64_t i = from_; i < to_; i++)                                           \
            element(s, g, i);                                                            \
    }                                                                                    \
    }

/* `name`: what `queued` does, and waits for it. */
#define MW_WAITED(name, queued)                                                          \
    static void name(struct mw_cpe *self, void *arg)                                     \
    {                                                                                    \
        queued(self, arg);                                                               \
    }

/* The host goes on at once; it waits where it looks at what this has done. */
#define MW_QUEUE MW_EACH

/* element(s, g, l, i), by every lane. Nobody waits. */
#define MW_LANE_QUEUE(name, type, lane, n, element)                                      \
    MW_SWEEP_BEGINS(name, type)                                                          \
    const __typeof__(*(lane)) mine_ = *(lane);                                           \
    for (uint64_t i = 0; i < (n); i++)                                                   \
        element(s, g, &mine_, i);                                                        \
    }

/* element(s, g, i, k); n_units is end[n - 1]. */
#define MW_PAIRS(name, type, end, n, n_units, wanted, element)                           \
    MW_SWEEP_BEGINS(name, type)                                                          \
    uint64_t from_, to_;                                                                 \
    mw_share(self, 0, (n_units), &from_, &to_);                                          \
    MW_FOR_ENTRIES(s, end, n, from_, to_, wanted)                                        \
    element(s, g, i, k);                                                                 \
    }

enum { MW_FETCHED_AHEAD = 64 }; /* entries of rows; 256 are as good (measured) */
/* For rows whose entries are not in one place. */
#define MW_FETCH_NOTHING(s, g, j) ((void)(j))

/* sums[i] becomes the sum of amount(s, g, i, k), a double, over the entries of row i: end[i] counts those
 * of rows 0 .. i. A row is one core's, and cores take parts in turn, as above. Four sums, for each addition waits
 * for the last one. Of narrow graphs the loop has a constant. fetch(s, g, j) begins to fetch what entry j of all rows
 * needs, some entries before. */
#define MW_ROW_SUMS(name, type, end, n, amount, fetch, sums)                             \
    MW_FN double name##_row(const struct type *s, const struct mw_graph *g, uint64_t i,  \
                            uint64_t n_, uint64_t ahead_)                                \
    {                                                                                    \
        double a_ = 0, b_ = 0, c_ = 0, d_ = 0;                                           \
        uint64_t k = 0;                                                                  \
        for (; k + 4 <= n_; k += 4) {                                                    \
            for (uint64_t j = ahead_ + k; ahead_ != 0 && j < ahead_ + k + 4; j++)        \
                fetch(s, g, j);                                                          \
            a_ += amount(s, g, i, k);                                                    \
            b_ += amount(s, g, i, k + 1);                                                \
            c_ += amount(s, g, i, k + 2);                                                \
            d_ += amount(s, g, i, k + 3);                                                \
        }                                                                                \
        for (; k < n_; k++) {                                                            \
            if (ahead_ != 0)                                                             \
                fetch(s, g, ahead_ + k);                                                 \
            a_ += amount(s, g, i, k);                                                    \
        }                                                                                \
        return (a_ + b_) + (c_ + d_);                                                    \
    }                                                                                    \
    MW_SWEEP_BEGINS(name, type)                                                          \
    const uint64_t *const end_ = (end);                                                  \
    const uint64_t n_cores_ = mw_cores_beside(self), n_parts_ = mw_row_parts(self);      \
    struct mw_graph narrow_ = graph_;                                                    \
    narrow_.wide = false;                                                                \
    for (uint64_t part_ = self->id, from_, to_; part_ < n_parts_; part_ += n_cores_) {   \
        mw_part_of_rows(end_, (n), part_, n_parts_, &from_, &to_);                       \
        uint64_t first_ = from_ > 0 ? end_[from_ - 1] : 0;                               \
        const uint64_t fetched_ = to_ > 0 ? end_[to_ - 1] : 0;                           \
        for (uint64_t i = from_; i < to_; first_ = end_[i++]) {                          \
            const uint64_t n_ = end_[i] - first_;                                        \
            const uint64_t ahead_ =                                                      \
                end_[i] + MW_FETCHED_AHEAD <= fetched_ ? first_ + MW_FETCHED_AHEAD : 0;  \
            (sums)[i] = g->wide       ? name##_row(s, g, i, n_, 0)                       \
                        : ahead_ != 0 ? name##_row(s, &narrow_, i, n_, ahead_)           \
                                      : name##_row(s, &narrow_, i, n_, 0);               \
        }                                                                                \
    }                                                                                    \
    }

/* *total grows by the sum of element(s, g, i). */
#define MW_SUM(name, type, n, element, total)                                            \
    MW_SWEEP_BEGINS(name, type)                                                          \
    uint64_t from_, to_, sum_ = 0;                                                       \
    mw_share(self, 0, (n), &from_, &to_);                                                \
    for (uint64_t i = from_; i < to_; i++)                                               \
        sum_ += element(s, g, i);                                                        \
    mw_add((total), sum_);                                                               \
    }

/* found(s, g, i): the first i for which is(s, g, i), or n. One core, for it is near as a rule. */
#define MW_FIRST(name, type, n, is, found)                                               \
    MW_SWEEP_BEGINS(name, type)                                                          \
    uint64_t i = 0;                                                                      \
    if (self->id != 0)                                                                   \
        return;                                                                          \
    while (i < (n) && !is(s, g, i))                                                      \
        i++;                                                                             \
    found(s, g, i);                                                                      \
    }

/* visit(s, g, i, look(s, g, i)) for each of n items; true: it is out, and then it is one of the bitmap `candidates`.
 * The other candidates get into list[] as value(s, g, i), for later sweeps, and *n_listed grows by as many. An item may be
 * visited up to three times, and the second time changes nothing. look() says yes or no, and neither writes anything nor
 * reads what visit() writes, so that a device looks at several items at once. On hosts a word of the bitmap is one core's.
 * Of plain graphs, narrow ones whose vertices are dealt singly, the loop has constants that let a compiler make vectors
 * of it. */
#define MW_LIST(name, type, n, candidates, look, visit, list, value, n_listed)           \
    MW_FN bool name##_out(const struct type *s, const struct mw_graph *g, uint64_t i)    \
    {                                                                                    \
        return visit(s, g, i, look(s, g, i));                                            \
    }                                                                                    \
    static void name##_word(const struct type *s, const struct mw_graph *g, uint64_t w)  \
    {                                                                                    \
        uint64_t left = (candidates)[w];                                                 \
        for (uint64_t bits = left; bits != 0; bits &= bits - 1)                          \
            if (name##_out(s, g, 64 * w + (uint64_t)__builtin_ctzll(bits)))              \
                left &= ~(bits & (~bits + 1));                                           \
        uint64_t at = MW_ADD_RELAXED(n_listed, (uint64_t)__builtin_popcountll(left));    \
        for (uint64_t bits = left; bits != 0; bits &= bits - 1)                          \
            (list)[at++] = value(s, g, 64 * w + (uint64_t)__builtin_ctzll(bits));        \
    }                                                                                    \
    MW_FN uint64_t name##_visit(const struct type state_, const struct mw_graph graph_,  \
                                uint64_t first, uint64_t last)                           \
    {                                                                                    \
        uint64_t n_out = 0;                                                              \
        for (uint64_t i = first; i < last; i++)                                          \
            n_out += name##_out(&state_, &graph_, i);                                    \
        return n_out;                                                                    \
    }                                                                                    \
    MW_SWEEP_BEGINS(name, type)                                                          \
    struct mw_graph plain_ = graph_;                                                     \
    const bool is_plain_ = !graph_.wide && mw_deals_singly(&graph_.partition);           \
    uint64_t from_, to_;                                                                 \
    plain_.wide = false;                                                                 \
    plain_.partition.bits = plain_.partition.block_bits = 0;                             \
    mw_share(self, 0, ((n) + 63) / 64, &from_, &to_);                                    \
    for (uint64_t w = from_; w < to_; w++) {                                             \
        const uint64_t first_ = 64 * w, last_ = mw_min(first_ + 64, (n));                \
        const uint64_t n_out_ = is_plain_ ? name##_visit(state_, plain_, first_, last_)  \
                                          : name##_visit(state_, graph_, first_, last_); \
        if (n_out_ < (uint64_t)__builtin_popcountll((candidates)[w]))                    \
            name##_word(s, g, w);                                                        \
    }                                                                                    \
    }

/* set(s, g, i, sum of size(s, g, 0 .. i)); *total: of all. One core: the list is short. */
#define MW_RUNNING(name, type, n, size, set, total)                                      \
    MW_SWEEP_BEGINS(name, type)                                                          \
    uint64_t sum_ = 0;                                                                   \
    if (self->id != 0)                                                                   \
        return;                                                                          \
    for (uint64_t i = 0; i < (n); i++) {                                                 \
        sum_ += size(s, g, i);                                                           \
        set(s, g, i, sum_);                                                              \
    }                                                                                    \
    *(total) = sum_;                                                                     \
    }

/* Of a list and the sums of its sizes those for which keeps(s, g, i) stay, in order: list[], end[], *n_kept
 * and *total as MW_LIST_BITS() has them. One core: the list is short. */
#define MW_KEEP(name, type, list, end, n, keeps, n_kept, total)                          \
    MW_SWEEP_BEGINS(name, type)                                                          \
    uint64_t at_ = 0, sum_ = 0, before_ = 0;                                             \
    if (self->id != 0)                                                                   \
        return;                                                                          \
    for (uint64_t i = 0; i < (n); i++) {                                                 \
        const uint64_t size_ = (end)[i] - before_;                                       \
        before_ = (end)[i];                                                              \
        if (!keeps(s, g, i))                                                             \
            continue;                                                                    \
        (list)[at_] = (list)[i];                                                         \
        (end)[at_++] = sum_ += size_;                                                    \
    }                                                                                    \
    *(n_kept) = at_;                                                                     \
    *(total) = sum_;                                                                     \
    }

/* ---- words of a bitmap ----------------------------------------------------------------------- */

/* A word is mw_word, as this kind of core takes bits (numbers.h), and one core's alone. Sweeps are of
 * n 64-bit words, of which a core takes every n-th part. */
#define MW_FOR_MY_WORDS(self, n_words, part, w)                                          \
    for (uint64_t part = (self)->id; part * MW_PART_WORDS < (n_words);                   \
         part += (self)->n)                                                              \
        for (uint64_t w = part * MW_PART_WORDS,                                          \
                      last_ = mw_min(w + MW_PART_WORDS, (n_words));                      \
             w < last_; w++)

/* *total grows by the sum of element(s, g, w) of n words. */
#define MW_SUM_WORDS(name, type, n, element, total)                                      \
    MW_SWEEP_BEGINS(name, type)                                                          \
    uint64_t sum_ = 0;                                                                   \
    MW_FOR_MY_WORDS(self, (n), part, w)                                                  \
    sum_ += element(s, g, w);                                                            \
    mw_add((total), sum_);                                                               \
    }

/* No bit is to be visited, and none is asked for. */
#define MW_NONE(s, g, i) 0

/* visit(s, g, i) for each bit i of todo(s, g, w): 0, 1 for yes, or 2. done(s, g, w, looked, yes, second)
 * gets the bits that were visited, and those for which it was 1, and 2. */
#define MW_VISIT_WORD(s, g, w, looked, yes, second, todo, visit)                         \
    const mw_word looked = todo(s, g, w);                                                \
    mw_word yes = 0, second = 0;                                                         \
    for (mw_word bits_ = looked; bits_ != 0; bits_ &= bits_ - 1) {                       \
        const uint32_t b_ = (uint32_t)__builtin_ctzll(bits_);                            \
        const uint32_t is_ = visit(s, g, MW_WORD_BITS * (w) + b_);                       \
        yes |= (mw_word)(is_ & 1) << b_;                                                 \
        second |= (mw_word)(is_ >> 1) << b_;                                             \
    }

#define MW_BITS(name, type, n, todo, visit, done)                                        \
    MW_SWEEP_BEGINS(name, type)                                                          \
    MW_FOR_MY_WORDS(self, (n), part, w)                                                  \
    {                                                                                    \
        MW_VISIT_WORD(s, g, w, looked_, yes_, second_, todo, visit)                      \
        done(s, g, w, looked_, yes_, second_);                                           \
    }                                                                                    \
    }

/* The same for all words of a frontier (traversal/frontier.h), an expression in `s`: done() says which
 * labels of the word are reached. */
#define MW_REACH(name, type, frontier, todo, visit, done)                                \
    MW_SWEEP_BEGINS(name, type)                                                          \
    const struct mw_frontier *const f_ = (frontier);                                     \
    for (uint64_t part = self->id; part < f_->n_parts; part += self->n) {                \
        const uint64_t first_ = part * MW_PART_WORDS;                                    \
        const uint64_t n_ = mw_min(MW_PART_WORDS, f_->n_words - first_);                 \
        uint64_t reached_[MW_PART_WORDS];                                                \
        for (uint64_t k_ = 0; k_ < n_; k_++) {                                           \
            const uint64_t w_ = first_ + k_;                                             \
            MW_VISIT_WORD(s, g, w_, looked_, yes_, second_, todo, visit)                 \
            reached_[k_] = done(s, g, w_, looked_, yes_, second_);                       \
        }                                                                                \
        mw_frontier_put(f_, self->lane, part, reached_, n_);                             \
    }                                                                                    \
    }

/* list[]: of the bits of bits(s, g, w) in n words those whose size(s, g, i) is not 0; end[]: the sum of
 * sizes up to each. *n_listed and *total, 0 before: how many, and the sum of all. What one core lists is in
 * order, and cores are not. bits() may change w, and is called once or twice. */
#define MW_FOR_SIZES(w, i, self, n_words, bits, size)                                    \
    MW_FOR_MY_WORDS(self, n_words, part_, w)                                             \
    for (uint64_t left_ = bits(s, g, w), size_, i;                                       \
         left_ != 0 && (i = 64 * w + mw_lowest_bit(left_), size_ = size(s, g, i), true); \
         left_ &= left_ - 1)                                                             \
        if (size_ != 0)

#define MW_LIST_BITS(name, type, n_words, bits, size, list, end, n_listed, total)        \
    MW_SWEEP_BEGINS(name, type)                                                          \
    uint64_t n_here_ = 0, sum_ = 0, all_ = 0, at_;                                       \
    MW_FOR_SIZES(w, i, self, n_words, bits, size)                                        \
    {                                                                                    \
        n_here_++;                                                                       \
        all_ += size_;                                                                   \
    }                                                                                    \
    if (n_here_ == 0)                                                                    \
        return;                                                                          \
    mw_take_room((n_listed), (total), n_here_, all_, &at_, &sum_);                       \
    MW_FOR_SIZES(w, i, self, n_words, bits, size)                                        \
    {                                                                                    \
        (list)[at_] = (uint32_t)i;                                                       \
        (end)[at_++] = sum_ += size_;                                                    \
    }                                                                                    \
    }

#include "shuffle/patterns_of_all.h"

#endif
