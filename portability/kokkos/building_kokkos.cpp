/* building_kokkos.cpp -- a graph is built on Kokkos: the sweeps of the table in building.c, one function each.
 *
 * Only cursors and counters are atomic, so rows are filled in any order; sorted, they are the same whoever
 * came first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "devices/building.h"

namespace mwk
{
namespace building
{

mw_building &state_of(void *job)
{
    return *static_cast<mw_building *>(static_cast<mw_job *>(job)->state);
}

/* As mw_digest_of() makes it; parts of it are added up by the host. */
void digest(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    const uint64_t n_parts = s.n_digests;
    Kokkos::parallel_for(
        "digest", indices(0, n_parts), KOKKOS_LAMBDA(uint64_t i) {
            mw_digest sum = {0, 0, 0, 0};
            for (uint64_t k = i; k < s.n_tuples; k += n_parts)
                mw_digest_add(&sum, low(s.tuple[k]), high(s.tuple[k]));
            s.digests[i] = sum;
        });
    std::vector<mw_digest> all(n_parts);
    get(all.data(), s.digests, n_parts * sizeof(mw_digest));
    state.digest = mw_digest();
    for (const mw_digest &d : all)
        mw_digest_join(&state.digest, &d);
}

/* ---- labels -------------------------------------------------------------------------------------- */

/* The tuples that are there just now: mine, or a piece of somebody's. */
struct tuples {
    const uint64_t *at;
    uint64_t n;
};
tuples tuples_of(const mw_building &s)
{
    return s.its == nullptr
               ? tuples{s.tuple, s.n_tuples}
               : tuples{reinterpret_cast<const uint64_t *>(s.its), s.n_words / 2};
}

KOKKOS_INLINE_FUNCTION void count_end(const mw_building &s, uint32_t v)
{
    uint64_t place;
    if (mw_is_mine(&s.partition, v, &place))
        Kokkos::atomic_add(&s.degree[place], UINT32_C(1));
}

/* One rank does not ask whose an end is, which takes 6 % of its time. */
void degrees(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    const tuples list = tuples_of(s);
    if (s.partition.n_ranks == 1)
        Kokkos::parallel_for(
            "degrees", indices(0, list.n), KOKKOS_LAMBDA(uint64_t i) {
                const uint64_t tuple = list.at[i];
                const uint32_t u = low(tuple), v = high(tuple);
                if (u == v)
                    return;
                Kokkos::atomic_add(&s.degree[u], UINT32_C(1));
                Kokkos::atomic_add(&s.degree[v], UINT32_C(1));
            });
    else
        Kokkos::parallel_for(
            "own degrees", indices(0, list.n), KOKKOS_LAMBDA(uint64_t i) {
                const uint64_t tuple = list.at[i];
                const uint32_t u = low(tuple), v = high(tuple);
                if (u == v)
                    return;
                count_end(s, u);
                count_end(s, v);
            });
    t.wait();
}

constexpr uint32_t DIGITS = UINT32_C(1) << MW_ORDER_DIGIT;

/* A pass of the sort; in: NULL: all places. */
struct ordering {
    const uint32_t *degree, *in;
    uint32_t *out, *count; /* count: [DIGITS * n_parts] */
    uint64_t n_in, n_parts;
    uint32_t most, shift;
};

/* f(place, its count) of those that have an edge, of a part, in their order. */
template <class F>
KOKKOS_INLINE_FUNCTION void for_part(const ordering &o, uint64_t part, F f)
{
    const uint64_t first = part * MW_ORDER_STRETCH;
    for (uint64_t i = first; i < first + MW_ORDER_STRETCH && i < o.n_in; i++) {
        const uint32_t place = o.in == nullptr ? static_cast<uint32_t>(i) : o.in[i];
        const uint32_t degree = o.degree[place];
        if (degree > 0)
            f(place,
              &o.count[((o.most - degree) >> o.shift) % DIGITS * o.n_parts + part]);
    }
}

void pass(const ordering &o)
{
    fill("digits", o.count, DIGITS * o.n_parts, UINT32_C(0));
    Kokkos::parallel_for(
        "digits", indices(0, o.n_parts), KOKKOS_LAMBDA(uint64_t part) {
            for_part(o, part, [](uint32_t, uint32_t *count) { ++*count; });
        });
    Kokkos::parallel_scan(
        "sum of digits", indices(0, DIGITS * o.n_parts),
        KOKKOS_LAMBDA(uint64_t i, uint32_t & sum, bool final) {
            const uint32_t own = o.count[i];
            if (final)
                o.count[i] = sum;
            sum += own;
        });
    Kokkos::parallel_for(
        "order", indices(0, o.n_parts), KOKKOS_LAMBDA(uint64_t part) {
            for_part(o, part,
                     [&](uint32_t place, uint32_t *at) { o.out[(*at)++] = place; });
        });
}

/* Places by falling degree, least significant digit first: equal ones stay in the order
 * of the input. */
void order(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    uint32_t most = 0;
    uint64_t n_labels = 0;
    Kokkos::parallel_reduce(
        "most", indices(0, s.n),
        KOKKOS_LAMBDA(uint64_t p, uint32_t & x) {
            x = s.degree[p] > x ? s.degree[p] : x;
        },
        Kokkos::Max<uint32_t>(most));
    Kokkos::parallel_reduce(
        "connected", indices(0, s.n),
        KOKKOS_LAMBDA(uint64_t p, uint64_t & x) { x += s.degree[p] > 0; }, n_labels);
    uint32_t *const half[] = {s.entry, s.entry + s.n};
    ordering o = {s.degree, nullptr, half[0], s.entry + 2 * s.n, s.n, 0, most, 0};
    do {
        o.n_parts = (o.n_in + MW_ORDER_STRETCH - 1) / MW_ORDER_STRETCH;
        pass(o);
        o.in = o.out;
        o.out = o.in == half[0] ? half[1] : half[0];
        o.n_in = n_labels;
        o.shift += MW_ORDER_DIGIT;
    } while (o.shift < 32 && most >> o.shift > 0);
    t.wait();
    state.order = o.in;
    state.n_labels = n_labels;
    state.longest = most;
}

/* The least k with degree <= 2^k. */
KOKKOS_INLINE_FUNCTION uint32_t class_of(uint32_t degree)
{
    uint32_t k = 0;
    while (k < 32 && degree > UINT64_C(1) << k)
        k++;
    return k;
}

void labels(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    uint64_t told[MW_BUILDING_CLASSES];
    fill("labels", s.label_of, s.n, MW_NO_LABEL);
    fill("classes", s.told, uint64_t(MW_BUILDING_TOLD), UINT64_C(0));
    Kokkos::parallel_for(
        "labels", indices(0, s.n_labels), KOKKOS_LAMBDA(uint64_t l) {
            const uint32_t place = s.order[l];
            const uint32_t mine = class_of(s.degree[place]);
            const uint32_t before = l > 0 ? class_of(s.degree[s.order[l - 1]])
                                          : uint32_t(MW_BUILDING_CLASSES);
            s.place_of[l] = place;
            s.label_of[place] = static_cast<uint32_t>(l);
            mw_set_bit(s.connected, place);
            for (uint32_t k = mine; k < before; k++)
                s.told[k] = l;
            for (uint32_t k = 0; k < mine && l + 1 == s.n_labels; k++)
                s.told[k] = s.n_labels;
        });
    Kokkos::parallel_scan(
        "rows", indices(0, s.n_labels),
        KOKKOS_LAMBDA(uint64_t l, uint64_t & sum, bool final) {
            if (final)
                s.row[l + 1] = sum;
            sum += s.degree[s.place_of[l]];
        });
    get(told, s.told, sizeof told);
    for (int k = 0; k < MW_BUILDING_CLASSES; k++)
        state.longer[k] = told[k];
    /* Cursors: what stands one further is where a row begins. */
    const uint64_t n_long = state.longer[MW_SORTED_LOG2];
    state.n_entries = state.n_long = 0;
    if (s.n_labels > 0) {
        uint32_t place, degree;
        get(&state.n_entries, s.row + s.n_labels, sizeof state.n_entries);
        get(&place, s.place_of + s.n_labels - 1, sizeof place);
        get(&degree, s.degree + place, sizeof degree);
        state.n_entries += degree;
        if (n_long < s.n_labels)
            get(&state.n_long, s.row + n_long + 1, sizeof state.n_long);
        else
            state.n_long = state.n_entries;
    }
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* The row of column a gets b, if it is here. */
KOKKOS_INLINE_FUNCTION void enter_end(const mw_building &s, uint32_t a, uint32_t b)
{
    if (mw_column_owner(a, s.label_bits) != s.partition.rank)
        return;
    const uint64_t label = mw_column_label(a, s.label_bits);
    s.entry[Kokkos::atomic_fetch_add(&s.row[label + 1], UINT64_C(1))] =
        mw_building_entry(&s, b);
}

void enter(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    const tuples list = tuples_of(s);
    Kokkos::parallel_for(
        "enter", indices(0, list.n), KOKKOS_LAMBDA(uint64_t i) {
            const uint64_t tuple = list.at[i];
            const uint32_t u = low(tuple), v = high(tuple);
            if (u == v)
                return;
            const uint32_t a = s.column_of[u], b = s.column_of[v];
            enter_end(s, a, b);
            enter_end(s, b, a);
        });
    t.wait();
}

constexpr int SORTED = 1 << MW_SORTED_LOG2;
constexpr uint32_t SECOND = UINT32_C(1)
                            << 31; /* of two rows in a piece; columns are below */

/* Each 2^log2 of the keys by itself, rising. */
KOKKOS_INLINE_FUNCTION void sort_keys(const member &team, uint32_t *key, int log2)
{
    for (int size = 2; size <= 1 << log2; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const bool mirrored = stride == size / 2;
            team.team_barrier();
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, SORTED / 2), [&](int x) {
                const int below = x & (stride - 1), i = 2 * x - below;
                const int k = mirrored ? i + size - 1 - 2 * below : i + stride;
                const uint32_t a = key[i], b = key[k];
                if (a > b) {
                    key[i] = b;
                    key[k] = a;
                }
            });
        }
    team.team_barrier();
}

struct sorting {
    const uint64_t *row;
    uint32_t *entry;
    uint64_t first, last; /* of labels; long rows: of entries */
    int log2;             /* of the room of a row */

    /* Rows of up to 2^log2 entries, as many as there is room for. */
    KOKKOS_INLINE_FUNCTION void operator()(const member &team) const
    {
        uint32_t *const key = static_cast<uint32_t *>(
            team.team_shmem().get_shmem(SORTED * sizeof(uint32_t)));
        const uint64_t base = first + (static_cast<uint64_t>(team.league_rank())
                                       << (MW_SORTED_LOG2 - log2));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, SORTED), [&](int i) {
            const uint64_t at = place(base, i);
            key[i] = at != UINT64_MAX ? entry[at] : UINT32_MAX;
        });
        sort_keys(team, key, log2);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, SORTED), [&](int i) {
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
struct sorting_pieces {
    const uint64_t *row;
    uint32_t *entry;
    uint64_t n_rows, n;

    KOKKOS_INLINE_FUNCTION void operator()(const member &team) const
    {
        uint32_t *const key = static_cast<uint32_t *>(
            team.team_shmem().get_shmem(SORTED * sizeof(uint32_t)));
        const uint64_t base = static_cast<uint64_t>(team.league_rank()) * SORTED;
        const uint64_t next = row[1 + mw_item_of(row + 1, n_rows, base)];
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, SORTED), [&](int i) {
            const uint64_t at = base + static_cast<uint64_t>(i);
            key[i] = at >= n ? UINT32_MAX : at >= next ? entry[at] | SECOND : entry[at];
        });
        sort_keys(team, key, MW_SORTED_LOG2);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, SORTED), [&](int i) {
            const uint64_t at = base + static_cast<uint64_t>(i);
            if (at < n)
                entry[at] = key[i] & ~SECOND;
        });
    }
};

template <class F> void for_pieces(const char *name, uint64_t n, const F &f)
{
    if (n > 0)
        Kokkos::parallel_for(
            name,
            teams_of(n).set_scratch_size(
                0, Kokkos::PerTeam(static_cast<int>(SORTED * sizeof(uint32_t)) + 64)),
            f);
}

void sort(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    for (int k = 1; k <= MW_SORTED_LOG2; k++) {
        const uint64_t first = s.longer[k], last = s.longer[k - 1];
        const uint64_t n_rows = UINT64_C(1) << (MW_SORTED_LOG2 - k);
        for_pieces("sort", (last - first + n_rows - 1) / n_rows,
                   sorting{s.row, s.entry, first, last, k});
    }
    for_pieces("sort pieces", (s.n_long + SORTED - 1) / SORTED,
               sorting_pieces{s.row, s.entry, s.longer[MW_SORTED_LOG2], s.n_long});
    t.wait();
}

/* Pieces of a row, of 2^log2 entries counted from the one in which it begins, are in
 * order; afterwards each two of them are. A core makes EACH entries of the result: where
 * it begins, a search in both says. */
struct merging {
    static constexpr uint64_t EACH = 16;
    const uint64_t *row;
    const uint32_t *from;
    uint32_t *to;
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
        const uint64_t origin = begin >> MW_SORTED_LOG2 << MW_SORTED_LOG2;
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

struct copying {
    const uint32_t *from;
    uint32_t *to;
    KOKKOS_INLINE_FUNCTION void operator()(uint64_t i) const
    {
        to[i] = from[i];
    }
};

void merge(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    const uint64_t pieces = (s.longest >> MW_SORTED_LOG2) + 2; /* of a row, at most */
    merging m = {s.row,    s.entry,       s.merged, s.longer[MW_SORTED_LOG2],
                 s.n_long, MW_SORTED_LOG2};
    if (s.n_long == 0)
        return;
    for (; pieces > UINT64_C(1) << (m.log2 - MW_SORTED_LOG2); m.log2++) {
        Kokkos::parallel_for(
            "merge", indices(0, (s.n_long + merging::EACH - 1) / merging::EACH), m);
        m.from = m.to;
        m.to = m.from == s.entry ? s.merged : s.entry;
    }
    if (m.from != s.entry)
        Kokkos::parallel_for("merged", indices(0, s.n_long), copying{m.from, s.entry});
    t.wait();
}

/* ---- without duplicates ------------------------------------------------------------------------------ */

/* Of n bits that are kept: how many before each 64, and in all. */
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

void keep(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    uint64_t n_kept = 0;
    Kokkos::parallel_for(
        "firsts", indices(0, s.n_labels),
        KOKKOS_LAMBDA(uint64_t l) { mw_set_bit(s.keep, s.row[l]); });
    for_halves(
        "keep", (s.n_entries + 31) / 32,
        KOKKOS_LAMBDA(const member &team, uint64_t half) {
            const uint32_t first = halves(s.keep)[half];
            const uint32_t more = which(team, first_of(s.n_entries, 32 * half) & ~first,
                                        [&](uint32_t lane) {
                                            const uint64_t i = 32 * half + lane;
                                            return s.entry[i] != s.entry[i - 1];
                                        });
            Kokkos::single(Kokkos::PerThread(team),
                           [&]() { halves(s.keep)[half] = first | more; });
        });
    sum_kept(s, s.n_entries, n_kept);
    state.n_kept = n_kept;
}

/* Kept entries before entry i. */
KOKKOS_INLINE_FUNCTION uint64_t kept_before(const mw_building &s, uint64_t i)
{
    const uint32_t *const half = halves(s.keep) + i / 64 * 2;
    const uint32_t below = (UINT32_C(1) << i % 32) - 1;
    return s.sum[i / 64] +
           (i % 64 < 32 ? ones(half[0] & below) : ones(half[0]) + ones(half[1] & below));
}

void pack(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    uint64_t first_leaf = 0;
    if (s.partition.n_ranks == 1)
        Kokkos::parallel_for(
            "pack", indices(0, s.n_entries), KOKKOS_LAMBDA(uint64_t i) {
                if (mw_bit(s.keep, i))
                    s.column[kept_before(s, i)] = s.entry[i];
            });
    else
        Kokkos::parallel_for(
            "pack columns", indices(0, s.n_entries), KOKKOS_LAMBDA(uint64_t i) {
                if (mw_bit(s.keep, i))
                    s.column[kept_before(s, i)] = mw_building_column(&s, s.entry[i]);
            });
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

/* ---- beside the rows --------------------------------------------------------------------------------- */

void names(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    if (s.partition.n_ranks == 1)
        Kokkos::parallel_for(
            "names", indices(0, s.n_labels),
            KOKKOS_LAMBDA(uint64_t l) { s.name[l] = s.place_of[l]; });
    else
        Kokkos::parallel_for(
            "names", indices(0, s.n_vertices), KOKKOS_LAMBDA(uint64_t v) {
                const uint32_t column = s.column_of[v];
                if (column != MW_NO_LABEL)
                    s.name[column] = static_cast<uint32_t>(v);
            });
    t.wait();
}

void heads(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    Kokkos::parallel_for(
        "heads", indices(0, s.n), KOKKOS_LAMBDA(uint64_t p) {
            const uint32_t l = s.label_of[p];
            const bool has = l != MW_NO_LABEL;
            const uint32_t head =
                has ? s.column[s.row[l]] : static_cast<uint32_t>(s.no_column);
            s.head[p] = head;
            s.head_name[p] = has ? s.name[head] : 0;
        });
    t.wait();
}

/* ---- several ranks --------------------------------------------------------------------------------- */

void tell(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    Kokkos::parallel_for("tell", indices(0, s.n_words), copying{s.source, s.mine});
    t.wait(); /* the host, or another device, looks at them now */
}

void gather(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    Kokkos::parallel_for(
        "gather", indices(0, s.n_words), KOKKOS_LAMBDA(uint64_t i) {
            const uint32_t label = s.its[i];
            s.column_of[mw_vertex(&s.partition, s.teller, s.first + i)] =
                label == MW_NO_LABEL
                    ? label
                    : static_cast<uint32_t>(mw_column(s.teller, label, s.label_bits));
        });
    t.wait(); /* the next piece takes their room */
}

/* Rows of the shortest that may be delegated, and longer ones. */
void lengths(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    fill("lengths", s.told, uint64_t(MW_DELEGATES_CLASSES), UINT64_C(0));
    Kokkos::parallel_for(
        "lengths", indices(0, s.n_labels), KOKKOS_LAMBDA(uint64_t l) {
            const uint64_t length = s.row[l + 1] - s.row[l];
            if (length >= s.least)
                Kokkos::atomic_add(&s.told[mw_delegates_class(length)], length);
        });
    get(s.in, s.told, MW_DELEGATES_CLASSES * sizeof *s.in);
}

/* Up to the last label whose row is that long. */
void bound(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    uint64_t n_here = 0;
    Kokkos::parallel_reduce(
        "bound", indices(0, s.n_labels),
        KOKKOS_LAMBDA(uint64_t l, uint64_t & x) {
            if (s.row[l + 1] - s.row[l] >= s.least && l >= x)
                x = l + 1;
        },
        Kokkos::Max<uint64_t>(n_here));
    state.n_here = n_here;
}

/* Entries of mine that lead to a delegated vertex: each is one of a piece. */
void count_pieces(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    uint64_t n_pieces = 0;
    Kokkos::parallel_reduce(
        "count pieces", indices(0, s.n_kept),
        KOKKOS_LAMBDA(uint64_t i, uint64_t & n) {
            const uint32_t owner = mw_column_owner(s.column[i], s.label_bits);
            const uint64_t label = mw_column_label(s.column[i], s.label_bits);
            n += label < s.delegates[owner + 1] - s.delegates[owner];
        },
        n_pieces);
    state.n_pieces = n_pieces;
}

/* Of a piece of the teller's delegated rows: what leads to me, in its order, which is that of my labels
 * in each row. */
void deal(mw_cpe *, void *arg)
{
    turn t;
    mw_building &state = state_of(arg);
    const mw_building s = state;
    uint64_t n_mine = 0, here[2];
    for_halves(
        "mine", 2 * (s.n_words / 64 + 1),
        /* all that is summed */ KOKKOS_LAMBDA(const member &team, uint64_t half) {
            const uint32_t mine =
                which(team, first_of(s.n_words, 32 * half), [&](uint32_t lane) {
                    return mw_column_owner(s.its[32 * half + lane], s.label_bits) ==
                           s.partition.rank;
                });
            Kokkos::single(Kokkos::PerThread(team),
                           [&]() { halves(s.keep)[half] = mine; });
        });
    sum_kept(s, s.n_words, n_mine);
    Kokkos::parallel_for(
        "deal", indices(0, s.n_words), KOKKOS_LAMBDA(uint64_t i) {
            if (mw_bit(s.keep, i))
                s.piece[s.n_pieces + kept_before(s, i)] =
                    static_cast<uint32_t>(mw_column_label(s.its[i], s.label_bits));
        });
    get(here, s.delegates + s.teller, sizeof here);
    const uint64_t first_piece = here[0];
    Kokkos::parallel_for(
        "starts", indices(0, here[1] - here[0]), KOKKOS_LAMBDA(uint64_t d) {
            const uint64_t row = s.its_row[d];
            if (row >= s.first && row - s.first < s.n_words)
                s.piece_start[first_piece + d] =
                    s.n_pieces + kept_before(s, row - s.first);
        });
    t.wait();
    state.n_pieces += n_mine;
}

} // namespace building
} // namespace mwk

using namespace mwk::building;

MWK_TABLE(mw_building_sweeps, digest, degrees, order, labels, enter, sort, merge, keep,
          pack, heads, tell, gather, names, lengths, bound, count_pieces, deal)
