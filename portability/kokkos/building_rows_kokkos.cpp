/* building_rows_kokkos.cpp -- rows are built on Kokkos: filled, sorted, merged, and packed without duplicates.
 *
 * All is written for both kinds of entry.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/building.hpp"

namespace mwk
{
namespace building
{

/* ---- entries --------------------------------------------------------------------------------------- */

/* 32 bits of a column; or above 32 of a weight. */
using plain = uint32_t;
using weighted = uint64_t;

template <class E> E *entries(const mw_building &s)
{
    return static_cast<E *>(s.entry);
}

/* f(an entry's type), by what the graph is to have. */
template <class F> void by_entry(const mw_building &s, const F &f)
{
    if (s.weighted)
        f(weighted());
    else
        f(plain());
}

KOKKOS_INLINE_FUNCTION uint32_t column_in(plain entry)
{
    return entry;
}
KOKKOS_INLINE_FUNCTION uint32_t column_in(weighted entry)
{
    return high(entry);
}

/* Tuples with what their entries have of them. */
template <class E> struct listed {
    tuples list;
    KOKKOS_INLINE_FUNCTION uint64_t ends(uint64_t i) const
    {
        return list.at[i];
    }
    KOKKOS_INLINE_FUNCTION plain entry(uint64_t, uint32_t column) const
    {
        return column;
    }
};

/* A word more for each, if somebody tells them. */
template <> struct listed<weighted> {
    tuples list;
    const uint32_t *told; /* NULL: tuples are two words, and their weights apart */
    const float *weight;  /* NULL: all are 1 */

    KOKKOS_INLINE_FUNCTION uint64_t ends(uint64_t i) const
    {
        return told == nullptr ? list.at[i] : joined(told[3 * i + 1], told[3 * i]);
    }
    KOKKOS_INLINE_FUNCTION weighted entry(uint64_t i, uint32_t column) const
    {
        return joined(column, bits(i));
    }
    KOKKOS_INLINE_FUNCTION uint32_t bits(uint64_t i) const
    {
        if (told != nullptr)
            return told[3 * i + 2];
        return mw_bits_of_float(weight != nullptr ? weight[i] : 1.0F);
    }
};

listed<plain> listed_of(const mw_building &s, plain)
{
    return {tuples_of(s)};
}
listed<weighted> listed_of(const mw_building &s, weighted)
{
    const bool told = s.its != nullptr && s.width == 3;
    return {tuples_of(s), told ? s.its : nullptr,
            s.its == nullptr ? s.tuple_weight : nullptr};
}

/* The row of column a gets the entry, if it is here. */
template <class E>
KOKKOS_INLINE_FUNCTION void enter_end(const mw_building &s, E *to, uint32_t a, E entry)
{
    if (mw_column_owner(a, s.label_bits) != s.partition.rank)
        return;
    const uint64_t label = mw_column_label(a, s.label_bits);
    to[Kokkos::atomic_fetch_add(&s.row[label + 1], UINT64_C(1))] = entry;
}

template <class E> struct entering {
    mw_building s;
    listed<E> all;

    KOKKOS_INLINE_FUNCTION void operator()(uint64_t i) const
    {
        E *const to = static_cast<E *>(s.entry);
        const uint64_t tuple = all.ends(i);
        const uint32_t u = low(tuple), v = high(tuple);
        if (u == v)
            return;
        const uint32_t a = s.column_of[u], b = s.column_of[v];
        enter_end(s, to, a, all.entry(i, mw_building_entry(&s, b)));
        enter_end(s, to, b, all.entry(i, mw_building_entry(&s, a)));
    }
};

void enter(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    by_entry(s, [&](auto e) {
        const auto all = listed_of(s, e);
        Kokkos::parallel_for("enter", indices(0, all.list.n),
                             entering<decltype(e)>{s, all});
    });
    t.wait();
}

/* ---- in order --------------------------------------------------------------------------------------- */

template <class E>
constexpr int SORTED_LOG2 = sizeof(E) == sizeof(weighted) ? int(MW_SORTED_WEIGHTED_LOG2)
                                                          : int(MW_SORTED_LOG2);
template <class E> constexpr int SORTED = 1 << SORTED_LOG2<E>;
/* Of two rows in a piece; columns are below. */
template <class E> constexpr E SECOND = static_cast<E>(E{1} << (8 * sizeof(E) - 1));
template <class E> constexpr E NONE = static_cast<E>(~E{0});

/* Each 2^log2 of the keys by itself, rising. */
template <class E>
KOKKOS_INLINE_FUNCTION void sort_keys(const member &team, E *key, int log2)
{
    for (int size = 2; size <= 1 << log2; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const bool mirrored = stride == size / 2;
            team.team_barrier();
            Kokkos::parallel_for(
                Kokkos::TeamThreadRange(team, SORTED<E> / 2), [&](int x) {
                    const int below = x & (stride - 1), i = 2 * x - below;
                    const int k = mirrored ? i + size - 1 - 2 * below : i + stride;
                    const E a = key[i], b = key[k];
                    if (a > b) {
                        key[i] = b;
                        key[k] = a;
                    }
                });
        }
    team.team_barrier();
}

template <class E> struct sorting {
    const uint64_t *row;
    E *entry;
    uint64_t first, last; /* of labels; long rows: of entries */
    int log2;             /* of the room of a row */

    /* Rows of up to 2^log2 entries, as many as there is room for. */
    KOKKOS_INLINE_FUNCTION void operator()(const member &team) const
    {
        E *const key =
            static_cast<E *>(team.team_shmem().get_shmem(SORTED<E> * sizeof(E)));
        const uint64_t base = first + (static_cast<uint64_t>(team.league_rank())
                                       << (SORTED_LOG2<E> - log2));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, SORTED<E>), [&](int i) {
            const uint64_t at = place(base, i);
            key[i] = at != UINT64_MAX ? entry[at] : NONE<E>;
        });
        sort_keys(team, key, log2);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, SORTED<E>), [&](int i) {
            const uint64_t at = place(base, i);
            if (at != UINT64_MAX)
                entry[at] = key[i];
        });
    }
    KOKKOS_INLINE_FUNCTION uint64_t place(uint64_t base, int i) const
    {
        const uint64_t l = base + static_cast<uint64_t>(i >> log2);
        const uint64_t at = static_cast<uint64_t>(i & ((1 << log2) - 1));
        return l < last && at < row[l + 1] - row[l] ? row[l] + at : UINT64_MAX;
    }
};

/* Of long rows: entries that stand in one piece, of one row or of the end of one and the
 * beginning of the next. */
template <class E> struct sorting_pieces {
    const uint64_t *row;
    E *entry;
    uint64_t n_rows, n;

    KOKKOS_INLINE_FUNCTION void operator()(const member &team) const
    {
        E *const key =
            static_cast<E *>(team.team_shmem().get_shmem(SORTED<E> * sizeof(E)));
        const uint64_t base = static_cast<uint64_t>(team.league_rank()) * SORTED<E>;
        const uint64_t next = row[1 + mw_item_of(row + 1, n_rows, base)];
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, SORTED<E>), [&](int i) {
            const uint64_t at = base + static_cast<uint64_t>(i);
            key[i] = at >= n ? NONE<E> : at >= next ? entry[at] | SECOND<E> : entry[at];
        });
        sort_keys(team, key, SORTED_LOG2<E>);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, SORTED<E>), [&](int i) {
            const uint64_t at = base + static_cast<uint64_t>(i);
            if (at < n)
                entry[at] = key[i] & ~SECOND<E>;
        });
    }
};

/* Of any kind of entry. */
constexpr int SORTED_BYTES = SORTED<plain> * static_cast<int>(sizeof(plain));
static_assert(SORTED_BYTES == SORTED<weighted> * static_cast<int>(sizeof(weighted)), "");

template <class F> void for_pieces(const char *name, uint64_t n, const F &f)
{
    if (n > 0)
        Kokkos::parallel_for(
            name, teams_of(n).set_scratch_size(0, Kokkos::PerTeam(SORTED_BYTES + 64)), f);
}

template <class E> void sort_all(const mw_building &s)
{
    constexpr int most = SORTED_LOG2<E>;
    for (int k = 1; k <= most; k++) {
        const uint64_t first = s.longer[k], last = s.longer[k - 1];
        const uint64_t n_rows = UINT64_C(1) << (most - k);
        for_pieces("sort", (last - first + n_rows - 1) / n_rows,
                   sorting<E>{s.row, entries<E>(s), first, last, k});
    }
    for_pieces("sort pieces", (s.n_long + SORTED<E> - 1) / SORTED<E>,
               sorting_pieces<E>{s.row, entries<E>(s), s.longer[most], s.n_long});
}

void sort(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    by_entry(s, [&](auto e) { sort_all<decltype(e)>(s); });
    t.wait();
}

/* Pieces of a row, of 2^log2 entries counted from the one in which it begins, are in
 * order; afterwards each two of them are. A core makes EACH entries of the result: where
 * it begins, a search in both says. */
template <class E> struct merging {
    static constexpr uint64_t EACH = 16;
    const uint64_t *row;
    const E *from;
    E *to;
    uint64_t n_rows, n;
    uint32_t log2;

    KOKKOS_INLINE_FUNCTION void operator()(uint64_t core) const
    {
        const uint64_t last = least(n, (core + 1) * EACH);
        for (uint64_t i = core * EACH; i < last;)
            i = merge_from(i, last);
    }
    /* Entries i and on, of one row and one pair of pieces; returns how far it came. */
    KOKKOS_INLINE_FUNCTION uint64_t merge_from(uint64_t i, uint64_t last) const
    {
        const uint64_t l = mw_item_of(row + 1, n_rows, i);
        const uint64_t begin = row[l], end = row[l + 1];
        const uint64_t origin = begin >> SORTED_LOG2<E> << SORTED_LOG2<E>;
        const uint64_t pair = origin + ((i - origin) >> (log2 + 1) << (log2 + 1));
        const uint64_t middle = least(end, pair + (UINT64_C(1) << log2));
        const uint64_t stop = least(end, pair + (UINT64_C(2) << log2));
        const uint64_t a0 = pair > begin ? pair : begin, done = i - a0;
        /* Of the `done` before i so many are of the first piece. */
        const uint64_t n_a = middle - a0, n_b = stop - middle;
        uint64_t low = done > n_b ? done - n_b : 0, high = least(done, n_a);
        while (low < high) {
            const uint64_t mid = low + (high - low) / 2;
            if (from[a0 + mid] <= from[middle + done - 1 - mid])
                low = mid + 1;
            else
                high = mid;
        }
        uint64_t a = a0 + low, b = middle + done - low;
        last = least(last, stop);
        for (; i < last; i++)
            to[i] =
                b >= stop || (a < middle && from[a] <= from[b]) ? from[a++] : from[b++];
        return i;
    }
    static KOKKOS_INLINE_FUNCTION uint64_t least(uint64_t a, uint64_t b)
    {
        return a < b ? a : b;
    }
};

template <class E> struct copying {
    const E *from;
    E *to;
    KOKKOS_INLINE_FUNCTION void operator()(uint64_t i) const
    {
        to[i] = from[i];
    }
};

template <class E> void merge_all(const mw_building &s)
{
    constexpr uint32_t log2 = SORTED_LOG2<E>;
    constexpr uint64_t each = merging<E>::EACH;
    const uint64_t pieces = (s.longest >> log2) + 2; /* of a row, at most */
    E *const entry = entries<E>(s), *const merged = static_cast<E *>(s.merged);
    merging<E> m = {s.row, entry, merged, s.longer[log2], s.n_long, log2};
    for (; pieces > UINT64_C(1) << (m.log2 - log2); m.log2++) {
        Kokkos::parallel_for("merge", indices(0, (s.n_long + each - 1) / each), m);
        m.from = m.to;
        m.to = m.from == entry ? merged : entry;
    }
    if (m.from != entry)
        Kokkos::parallel_for("merged", indices(0, s.n_long), copying<E>{m.from, entry});
}

void merge(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    if (s.n_long == 0)
        return;
    by_entry(s, [&](auto e) { merge_all<decltype(e)>(s); });
    t.wait();
}

/* ---- without duplicates ------------------------------------------------------------------------------ */

void sum_kept(const mw_building &s, uint64_t n, uint64_t &n_kept)
{
    Kokkos::parallel_scan(
        "sums", indices(0, n / 64 + 1),
        KOKKOS_LAMBDA(uint64_t w, uint64_t & sum, bool final) {
            if (final)
                s.sum[w] = sum;
            sum += ones(halves(s.keep)[2 * w]) + ones(halves(s.keep)[2 * w + 1]);
        });
    Kokkos::parallel_reduce(
        "kept", indices(0, n / 64 + 1),
        KOKKOS_LAMBDA(uint64_t w, uint64_t & sum) {
            sum += ones(halves(s.keep)[2 * w]) + ones(halves(s.keep)[2 * w + 1]);
        },
        n_kept);
}

/* The first of each column, which has the least weight. */
template <class E> void mark_kept(const mw_building &s)
{
    const E *const entry = entries<E>(s);
    Kokkos::parallel_for(
        "firsts", indices(0, s.n_labels),
        KOKKOS_LAMBDA(uint64_t l) { mw_set_bit(s.keep, s.row[l]); });
    for_halves(
        "keep", (s.n_entries + 31) / 32,
        KOKKOS_LAMBDA(const member &team, uint64_t half) {
            const uint32_t first = halves(s.keep)[half];
            const uint32_t more = which(
                team, first_of(s.n_entries, 32 * half) & ~first, [&](uint32_t lane) {
                    const uint64_t i = 32 * half + lane;
                    return column_in(entry[i]) != column_in(entry[i - 1]);
                });
            Kokkos::single(Kokkos::PerThread(team),
                           [&]() { halves(s.keep)[half] = first | more; });
        });
}

void keep(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    uint64_t n_kept = 0;
    by_entry(s, [&](auto e) { mark_kept<decltype(e)>(s); });
    sum_kept(s, s.n_entries, n_kept);
    state.n_kept = n_kept;
}

KOKKOS_INLINE_FUNCTION void put_weight(const mw_building &, uint64_t, plain) {}
KOKKOS_INLINE_FUNCTION void put_weight(const mw_building &s, uint64_t to, weighted entry)
{
    s.weight[to] = mw_float_of_bits(low(entry));
}

/* One rank's entries are columns. */
template <class E> void pack_entries(const mw_building &s)
{
    const E *const entry = entries<E>(s);
    if (s.partition.n_ranks == 1)
        Kokkos::parallel_for(
            "pack", indices(0, s.n_entries), KOKKOS_LAMBDA(uint64_t i) {
                if (!mw_bit(s.keep, i))
                    return;
                const uint64_t to = kept_before(s, i);
                s.column[to] = column_in(entry[i]);
                put_weight(s, to, entry[i]);
            });
    else
        Kokkos::parallel_for(
            "pack columns", indices(0, s.n_entries), KOKKOS_LAMBDA(uint64_t i) {
                if (!mw_bit(s.keep, i))
                    return;
                const uint64_t to = kept_before(s, i);
                s.column[to] = mw_building_column(&s, column_in(entry[i]));
                put_weight(s, to, entry[i]);
            });
}

void pack(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    uint64_t first_leaf = 0;
    by_entry(s, [&](auto e) { pack_entries<decltype(e)>(s); });
    Kokkos::parallel_for(
        "rows", indices(0, s.n_labels + 1),
        KOKKOS_LAMBDA(uint64_t l) { s.row[l] = kept_before(s, s.row[l]); });
    Kokkos::parallel_reduce(
        "leaves", indices(0, s.n_labels),
        KOKKOS_LAMBDA(uint64_t l, uint64_t & x) {
            if (s.row[l + 1] - s.row[l] > 1 && l >= x)
                x = l + 1;
        },
        Kokkos::Max<uint64_t>(first_leaf));
    state.first_leaf = first_leaf;
}

} // namespace building
} // namespace mwk
