/* building_kokkos.cpp -- a graph is built on Kokkos: the sweeps of the table in building.c, one function each; those of
 * rows are in building_rows_kokkos.cpp.
 *
 * Only cursors and counters are atomic, so rows are filled in any order; sorted, they are the same whoever
 * came first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/building.hpp"

namespace mwk
{
namespace building
{

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
            for (uint64_t k = i; s.tuple_weight != nullptr && k < s.n_tuples;
                 k += n_parts)
                mw_digest_add_weight(&sum, low(s.tuple[k]), high(s.tuple[k]),
                                     s.tuple_weight[k]);
            s.digests[i] = sum;
        });
    std::vector<mw_digest> all(n_parts);
    get(all.data(), s.digests, n_parts * sizeof(mw_digest));
    state.digest = mw_digest();
    for (const mw_digest &d : all)
        mw_digest_join(&state.digest, &d);
}

/* ---- labels -------------------------------------------------------------------------------------- */

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
    uint32_t *const half[] = {static_cast<uint32_t *>(s.entry),
                              static_cast<uint32_t *>(s.entry) + s.n};
    ordering o = {s.degree, nullptr, half[0], half[1] + s.n, s.n, 0, most, 0};
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
    const uint64_t n_long = state.longer[mw_building_sorted_log2(s.weighted)];
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
    const uint32_t words = s.width - 1;
    if (s.beside == nullptr)
        Kokkos::parallel_for(
            "tell", indices(0, s.n_items * s.width),
            KOKKOS_LAMBDA(uint64_t i) { s.mine[i] = s.source[i]; });
    else
        Kokkos::parallel_for(
            "tell with weights", indices(0, s.n_items), KOKKOS_LAMBDA(uint64_t i) {
                for (uint32_t k = 0; k < words; k++)
                    s.mine[i * s.width + k] = s.source[i * words + k];
                s.mine[i * s.width + words] = mw_bits_of_float(s.beside[i]);
            });
    t.wait(); /* the host, or another device, looks at them now */
}

void gather(mw_cpe *, void *arg)
{
    turn t;
    const mw_building s = state_of(arg);
    Kokkos::parallel_for(
        "gather", indices(0, s.n_items), KOKKOS_LAMBDA(uint64_t i) {
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

/* The i-th column of the teller's. */
KOKKOS_INLINE_FUNCTION uint32_t its_column(const mw_building &s, uint64_t i)
{
    return s.its[i * s.width];
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
        "mine", 2 * (s.n_items / 64 + 1),
        /* all that is summed */ KOKKOS_LAMBDA(const member &team, uint64_t half) {
            const uint32_t mine =
                which(team, first_of(s.n_items, 32 * half), [&](uint32_t lane) {
                    return mw_column_owner(its_column(s, 32 * half + lane),
                                           s.label_bits) == s.partition.rank;
                });
            Kokkos::single(Kokkos::PerThread(team),
                           [&]() { halves(s.keep)[half] = mine; });
        });
    sum_kept(s, s.n_items, n_mine);
    Kokkos::parallel_for(
        "deal", indices(0, s.n_items), KOKKOS_LAMBDA(uint64_t i) {
            if (!mw_bit(s.keep, i))
                return;
            const uint64_t to = s.n_pieces + kept_before(s, i);
            s.piece[to] =
                static_cast<uint32_t>(mw_column_label(its_column(s, i), s.label_bits));
            if (s.piece_weight != nullptr)
                s.piece_weight[to] = mw_float_of_bits(s.its[i * s.width + 1]);
        });
    get(here, s.delegates + s.teller, sizeof here);
    const uint64_t first_piece = here[0];
    Kokkos::parallel_for(
        "starts", indices(0, here[1] - here[0]), KOKKOS_LAMBDA(uint64_t d) {
            const uint64_t row = s.its_row[d];
            if (row >= s.first && row - s.first < s.n_items)
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
