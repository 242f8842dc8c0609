/* bfs_inspect_kokkos.cpp -- trees are judged on Kokkos: the sweeps of the table in bfs_inspect.c, one
 * function each.
 *
 * Nobody waits for another but at the end of a sweep. Steps of a climb are read while others are at
 * them: an ancestor and how far it is away are one word of 64 bits, and each such word that was ever there is
 * true.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "algorithms/bfs/bfs_inspect.h"

namespace mwk
{
namespace inspect
{

bfs_inspection &state_of(void *job)
{
    return *static_cast<bfs_inspection *>(static_cast<mw_job *>(job)->state);
}

/* ---- tuples ------------------------------------------------------------------------------------ */

constexpr uint32_t FROM_LOWER = UINT32_C(1) << 31;

void degrees(mw_cpe *, void *arg)
{
    turn t;
    const bfs_inspection s = state_of(arg);
    Kokkos::parallel_for(
        "degrees", indices(0, 2 * s.n_piece), KOKKOS_LAMBDA(uint64_t i) {
            Kokkos::atomic_add(&s.up[mw_number(s.piece, i, s.wide_piece)], UINT64_C(1));
        });
    t.wait(); /* the next piece takes its room */
}

/* Many tuples first, in powers of two with eighths: 1 to 15 have classes of their own. */
KOKKOS_INLINE_FUNCTION uint64_t class_of(uint64_t degree)
{
    uint32_t top = 0;
    if (degree == 0)
        return BFS_CLASSES - 1;
    while (degree >> top > 1)
        top++;
    const uint64_t eighths = (top >= 3 ? degree >> (top - 3) : degree << (3 - top)) & 7;
    return BFS_CLASSES - 2 - (8 * top + eighths);
}

/* Places of a class keep their order, so that what is read by number goes forward in what
 * is stored by place. A stretch of places is one core's: it counts them by class, then it
 * deals them out. */
void numbers(mw_cpe *, void *arg)
{
    turn t;
    const bfs_inspection s = state_of(arg);
    const uint64_t n = s.n, n_parts = (n + BFS_CLASS_PLACES - 1) / BFS_CLASS_PLACES;
    uint32_t *const count = s.level; /* [BFS_CLASSES * n_parts] */
    fill("classes", count, BFS_CLASSES * n_parts, UINT32_C(0));
    Kokkos::parallel_for(
        "classes", indices(0, n_parts), KOKKOS_LAMBDA(uint64_t part) {
            const uint64_t first = part * BFS_CLASS_PLACES,
                           end = first + BFS_CLASS_PLACES;
            for (uint64_t p = first; p < end && p < n; p++)
                count[class_of(s.up[p]) * n_parts + part]++;
        });
    Kokkos::parallel_scan(
        "sum of classes", indices(0, BFS_CLASSES * n_parts),
        KOKKOS_LAMBDA(uint64_t i, uint32_t & sum, bool final) {
            const uint32_t own = count[i];
            if (final)
                count[i] = sum;
            sum += own;
        });
    Kokkos::parallel_for(
        "numbers", indices(0, n_parts), KOKKOS_LAMBDA(uint64_t part) {
            const uint64_t first = part * BFS_CLASS_PLACES,
                           end = first + BFS_CLASS_PLACES;
            for (uint64_t p = first; p < end && p < n; p++) {
                const uint32_t x = count[class_of(s.up[p]) * n_parts + part]++;
                s.number_of[p] = x;
                s.place_of[x] = static_cast<uint32_t>(p);
            }
        });
    fill("lengths", s.up, n, UINT64_C(0));
}

/* Tuple i of the piece, as it is kept. */
KOKKOS_INLINE_FUNCTION uint64_t arranged(const bfs_inspection &s, uint64_t i)
{
    const uint32_t u = s.number_of[mw_number(s.piece, 2 * i, s.wide_piece)];
    const uint32_t v = s.number_of[mw_number(s.piece, 2 * i + 1, s.wide_piece)];
    return u > v ? joined(u, v) : joined(v, u | FROM_LOWER);
}

void rows(mw_cpe *, void *arg)
{
    turn t;
    const bfs_inspection s = state_of(arg);
    Kokkos::parallel_for(
        "lengths", indices(0, s.n_piece), KOKKOS_LAMBDA(uint64_t i) {
            Kokkos::atomic_add(&s.up[high(arranged(s, i))], UINT64_C(1));
        });
    t.wait();
}

void starts(mw_cpe *, void *arg)
{
    turn t;
    const bfs_inspection s = state_of(arg);
    Kokkos::parallel_scan(
        "starts", indices(0, s.n), KOKKOS_LAMBDA(uint64_t x, uint64_t & sum, bool final) {
            const uint64_t own = s.up[x];
            if (final)
                s.up[x] = sum;
            sum += own;
        });
}

void tuples(mw_cpe *, void *arg)
{
    turn t;
    const bfs_inspection s = state_of(arg);
    Kokkos::parallel_for(
        "sort", indices(0, s.n_piece), KOKKOS_LAMBDA(uint64_t i) {
            const uint64_t tuple = arranged(s, i);
            s.tuple[Kokkos::atomic_fetch_add(&s.up[high(tuple)], UINT64_C(1))] = tuple;
        });
    t.wait();
}

/* As mw_digest_of() makes it; parts of it are added up by the host. */
void digest(mw_cpe *, void *arg)
{
    turn t;
    bfs_inspection &state = state_of(arg);
    const bfs_inspection s = state;
    const uint64_t n_room = s.n / (sizeof(mw_digest) / sizeof *s.up); /* up: [n + 3] */
    const uint64_t n_parts = mw_max(1, mw_min(n_room, BFS_DIGESTS));
    mw_digest *const part = reinterpret_cast<mw_digest *>(s.up);
    Kokkos::parallel_for(
        "digest", indices(0, n_parts), KOKKOS_LAMBDA(uint64_t i) {
            mw_digest sum = {0, 0, 0, 0};
            for (uint64_t k = i; k < s.n_tuples; k += n_parts) {
                const uint64_t tuple = s.tuple[k];
                const uint64_t a = s.place_of[high(tuple)];
                const uint64_t b = s.place_of[low(tuple) & ~FROM_LOWER];
                const bool from_b = low(tuple) & FROM_LOWER;
                mw_digest_add(&sum, from_b ? b : a, from_b ? a : b);
            }
            part[i] = sum;
        });
    std::vector<mw_digest> all(n_parts);
    get(all.data(), part, n_parts * sizeof *part);
    state.digest = mw_digest();
    for (const mw_digest &d : all)
        mw_digest_join(&state.digest, &d);
}

/* ---- faults -------------------------------------------------------------------------------------- */

/* Places u and v, levels as they are packed: `none` of nobody's. */
KOKKOS_INLINE_FUNCTION void wrong(const bfs_inspection &s, uint32_t rule, mw_vid u,
                                  mw_vid v, uint32_t level_u, uint32_t level_v)
{
    Kokkos::atomic_add(&s.found->n_wrong[rule], UINT64_C(1));
    if (Kokkos::atomic_fetch_add(&s.found->n_first, UINT32_C(1)) > 0)
        return;
    s.found->first.rule = rule;
    s.found->first.u = u;
    s.found->first.v = v;
    s.found->first.level_u = level_u;
    s.found->first.level_v = level_v;
}

/* ---- several ranks: whose parents are whose ----------------------------------------------------- */

KOKKOS_INLINE_FUNCTION mw_vid number_at(const void *numbers, uint64_t i, bool wide)
{
    const mw_vid x = mw_number(numbers, i, wide);
    return !wide && x == UINT32_MAX ? UINT64_MAX : x;
}

/* In 32 bits: what no vertex has is still no vertex', and none is none. */
void tell(mw_cpe *, void *arg)
{
    turn t;
    const bfs_inspection s = state_of(arg);
    Kokkos::parallel_for(
        "tell parents", indices(0, mw_my_places(&s.partition)),
        KOKKOS_LAMBDA(uint64_t place) {
            const mw_vid x = number_at(s.own_parent, place, s.own_wide);
            s.told_parent[place] = x == UINT64_MAX   ? UINT32_MAX
                                   : x >= UINT32_MAX ? UINT32_MAX - 1
                                                     : static_cast<uint32_t>(x);
        });
    t.wait(); /* the host, or another device, looks at them now */
}

void gather(mw_cpe *, void *arg)
{
    turn t;
    const bfs_inspection s = state_of(arg);
    Kokkos::parallel_for(
        "gather", indices(0, mw_places_at(&s.partition, s.teller)),
        KOKKOS_LAMBDA(uint64_t place) {
            s.all[mw_vertex(&s.partition, s.teller, place)] = s.its_parent[place];
        });
    t.wait(); /* the next rank's take their room */
}

/* ---- rule 1: a tree --------------------------------------------------------------------------------- */

KOKKOS_INLINE_FUNCTION mw_vid parent_at(const bfs_inspection &s, uint64_t place)
{
    return number_at(s.parent, place, s.wide);
}

KOKKOS_INLINE_FUNCTION bool is_number(uint32_t x)
{
    return x < BFS_NOBODY;
}

constexpr uint64_t ROOTED = UINT64_C(1) << 40; /* beside at most 2^31 that are counted */

void parents(mw_cpe *, void *arg)
{
    turn t;
    bfs_inspection &state = state_of(arg);
    const bfs_found nothing = bfs_found();
    uint64_t sum = 0;
    put(state.found, &nothing, sizeof nothing);
    get(&state.root_number, state.number_of + state.root, sizeof state.root_number);
    const bfs_inspection s = state;
    Kokkos::parallel_reduce(
        "take parents", indices(0, s.n),
        KOKKOS_LAMBDA(uint64_t x, uint64_t & n) {
            const uint64_t place = s.place_of[x];
            const mw_vid parent = parent_at(s, place);
            uint32_t up = BFS_LOST, steps = 1;
            if (parent == UINT64_MAX)
                up = BFS_NOBODY;
            else if (parent < s.n)
                up = s.number_of[parent];
            if (up == x) {
                up = x == s.root_number ? up : BFS_LOST;
                steps = 0;
                n += x == s.root_number ? ROOTED : 0;
            }
            n += parent != UINT64_MAX;
            s.parent_number[x] = up;
            s.up[x] = joined(steps, up);
        },
        sum);
    state.n_reached = sum % ROOTED;
    state.rooted = sum >= ROOTED;
}

void climb(mw_cpe *, void *arg)
{
    turn t;
    bfs_inspection &state = state_of(arg);
    const bfs_inspection s = state;
    const uint32_t root = s.root_number;
    uint64_t n_climbing = 0;
    Kokkos::parallel_reduce(
        "climb", indices(0, s.n),
        KOKKOS_LAMBDA(uint64_t x, uint64_t & n) {
            const volatile uint64_t *const up = s.up;
            uint32_t at = low(up[x]), steps = high(up[x]);
            if (at == root || !is_number(at))
                return;
            for (int hop = 0; hop < BFS_HOPS && at != root && is_number(at); hop++) {
                const uint64_t on = up[at];
                at = is_number(low(on)) ? low(on) : BFS_LOST;
                steps += high(on);
            }
            const_cast<volatile uint64_t *>(up)[x] = joined(steps, at);
            n += at != root && is_number(at);
        },
        n_climbing);
    state.n_climbing = n_climbing;
}

/* ---- levels ----------------------------------------------------------------------------------------- */

/* 2^shift levels of `bits` bits each make a word; all ones: none. */
struct packing {
    uint32_t bits, shift, none;
};

packing packing_of(uint32_t bits)
{
    const uint32_t shift = bits == 4 ? 3 : bits == 8 ? 2 : bits == 16 ? 1 : 0;
    return {bits, shift, UINT32_MAX >> (32 - bits)};
}

KOKKOS_INLINE_FUNCTION uint32_t level_at(const uint32_t *level, uint32_t x,
                                         const packing &p)
{
    const uint32_t which = x & ((UINT32_C(1) << p.shift) - 1);
    return level[x >> p.shift] >> which * p.bits & p.none;
}

/* Packs the levels, and says what the deepest is; those that do not fit are not there. */
uint32_t pack(const bfs_inspection &s, const packing &p, bool tells)
{
    const uint64_t per_word = UINT64_C(1) << p.shift;
    uint32_t deepest = 0;
    Kokkos::parallel_reduce(
        "pack levels", indices(0, (s.n + per_word - 1) / per_word),
        KOKKOS_LAMBDA(uint64_t w, uint32_t & most) {
            uint32_t word = 0;
            for (uint64_t k = 0; k < per_word; k++) {
                const uint64_t x = w * per_word + k;
                uint32_t level = p.none;
                if (x < s.n) {
                    const uint64_t up = s.up[x];
                    if (s.rooted && low(up) == s.root_number) {
                        level = high(up) < p.none ? high(up) : p.none;
                        most = high(up) > most ? high(up) : most;
                    } else if (tells && low(up) != BFS_NOBODY) {
                        const uint64_t place = s.place_of[x];
                        wrong(s, MW_RULE_TREE, place, parent_at(s, place), 0, 0);
                    }
                }
                word |= level << k * p.bits;
            }
            s.level[w] = word;
        },
        Kokkos::Max<uint32_t>(deepest));
    return deepest;
}

void levels(mw_cpe *, void *arg)
{
    turn t;
    bfs_inspection &state = state_of(arg);
    const bfs_inspection s = state;
    state.bits = 4;
    state.deepest = pack(s, packing_of(4), s.partition.rank == 0); /* all find the same */
    while (state.deepest >= packing_of(state.bits).none) {
        state.bits *= 2;
        state.deepest = pack(s, packing_of(state.bits), false);
    }
}

/* ---- rules 3 and 4: edges ---------------------------------------------------------------------------- */

/* A tuple of two ends that is a fault. */
KOKKOS_INLINE_FUNCTION void wrong_tuple(const bfs_inspection &s, uint32_t rule,
                                        uint32_t a, uint32_t b, uint32_t level_a,
                                        uint32_t level_b, uint32_t none)
{
    wrong(s, rule, s.place_of[a], s.place_of[b], level_a == none ? MW_NO_LEVEL : level_a,
          level_b == none ? MW_NO_LEVEL : level_b);
}

KOKKOS_INLINE_FUNCTION void look_at_parent(const bfs_inspection &s, uint32_t child,
                                           uint32_t parent)
{
    if (s.parent_number[child] == parent)
        s.parent_number[child] = BFS_CONFIRMED;
}

/* The edge between a and b; true: it counts. */
KOKKOS_INLINE_FUNCTION bool judge_edge(const bfs_inspection &s, uint32_t a, uint32_t b,
                                       uint32_t level_a, uint32_t level_b, uint32_t none)
{
    if (level_a == none || level_b == none) {
        if (level_a != level_b && (level_a != none ? level_a : level_b) < s.last)
            wrong_tuple(s, MW_RULE_SPANS, a, b, level_a, level_b, none);
        return false;
    }
    if (level_a == level_b + 1)
        look_at_parent(s, a, b);
    else if (level_b == level_a + 1)
        look_at_parent(s, b, a);
    else if (level_a != level_b)
        wrong_tuple(s, MW_RULE_LEVELS, a, b, level_a, level_b, none);
    return true;
}

/* The edge from a to b. */
KOKKOS_INLINE_FUNCTION bool judge_directed(const bfs_inspection &s, uint32_t a,
                                           uint32_t b, uint32_t level_a, uint32_t level_b,
                                           uint32_t none)
{
    if (level_a == none)
        return false; /* it may lead anywhere */
    if (level_b == none) {
        if (level_a < s.last)
            wrong_tuple(s, MW_RULE_SPANS, a, b, level_a, level_b, none);
    } else if (level_b == level_a + 1) {
        look_at_parent(s, b, a);
    } else if (level_b > level_a + 1) {
        wrong_tuple(s, MW_RULE_LEVELS, a, b, level_a, level_b, none);
    }
    return true;
}

/* A tuple, whose ends are on these levels; true: it counts as an edge. */
KOKKOS_INLINE_FUNCTION bool judge_tuple(const bfs_inspection &s, uint64_t tuple,
                                        uint32_t level_a, uint32_t level_b, uint32_t none)
{
    const uint32_t a = high(tuple), b = low(tuple) & ~FROM_LOWER;
    if (a == b) {
        if (level_a != none)
            Kokkos::atomic_add(&s.found->n_self_loops, UINT64_C(1));
        return false;
    }
    if (!s.directed)
        return judge_edge(s, a, b, level_a, level_b, none);
    return low(tuple) & FROM_LOWER ? judge_directed(s, b, a, level_b, level_a, none)
                                   : judge_directed(s, a, b, level_a, level_b, none);
}

/* A core has several tuples on their way at a time, a quarter of the list apart, so that
 * neighbours read neighbouring ones. */
constexpr int AT_ONCE = 4;

void judge(mw_cpe *, void *arg)
{
    turn t;
    bfs_inspection &state = state_of(arg);
    const bfs_inspection s = state;
    const packing p = packing_of(s.bits);
    const uint64_t apart = (s.n_tuples + AT_ONCE - 1) / AT_ONCE;
    uint64_t n_apart = 0;
    Kokkos::parallel_reduce(
        "judge", indices(0, apart),
        KOKKOS_LAMBDA(uint64_t i, uint64_t & n) {
            uint64_t tuple[AT_ONCE];
            uint32_t level_a[AT_ONCE], level_b[AT_ONCE];
            for (int k = 0; k < AT_ONCE; k++) {
                const uint64_t at = i + static_cast<uint64_t>(k) * apart;
                tuple[k] = s.tuple[at < s.n_tuples ? at : i];
            }
            for (int k = 0; k < AT_ONCE; k++) {
                level_a[k] = level_at(s.level, high(tuple[k]), p);
                level_b[k] = level_at(s.level, low(tuple[k]) & ~FROM_LOWER, p);
            }
            for (int k = 0; k < AT_ONCE; k++)
                if (i + static_cast<uint64_t>(k) * apart < s.n_tuples)
                    n += !judge_tuple(s, tuple[k], level_a[k], level_b[k], p.none);
        },
        n_apart);
    state.n_edges = s.n_tuples - n_apart;
}

/* ---- rule 5: parents are neighbours -------------------------------------------------------------------- */

/* Does number x hang on a parent that no tuple of mine has beside it? */
KOKKOS_INLINE_FUNCTION bool is_doubted(const bfs_inspection &s, uint32_t x,
                                       uint32_t level, uint32_t none)
{
    return level != none && level > 0 && s.parent_number[x] != BFS_CONFIRMED;
}

void doubt(mw_cpe *, void *arg)
{
    turn t;
    const bfs_inspection s = state_of(arg);
    const packing p = packing_of(s.bits);
    Kokkos::parallel_for(
        "doubt", indices(0, (s.n + 31) / 32), KOKKOS_LAMBDA(uint64_t w) {
            uint32_t word = 0;
            for (uint64_t k = 0; k < 32 && 32 * w + k < s.n; k++) {
                const uint32_t x = s.number_of[32 * w + k];
                word |= static_cast<uint32_t>(
                            is_doubted(s, x, level_at(s.level, x, p), p.none))
                        << k;
            }
            s.doubt[w] = word;
        });
    t.wait(); /* the host, or another device, looks at them now */
}

void settle(mw_cpe *, void *arg)
{
    turn t;
    const bfs_inspection s = state_of(arg);
    Kokkos::parallel_for(
        "settle", indices(0, s.n_words), KOKKOS_LAMBDA(uint64_t i) {
            s.unsettled[i] =
                s.teller == 0 ? s.its_doubt[i] : s.unsettled[i] & s.its_doubt[i];
        });
    t.wait();
}

KOKKOS_INLINE_FUNCTION void wrong_parent(const bfs_inspection &s, uint32_t x,
                                         uint32_t level)
{
    const uint64_t vertex = s.place_of[x];
    wrong(s, MW_RULE_EDGES, vertex, parent_at(s, vertex), level, level - 1);
}

void tally(mw_cpe *, void *arg)
{
    turn t;
    bfs_inspection &state = state_of(arg);
    const bfs_inspection s = state;
    const packing p = packing_of(s.bits);
    if (s.partition.n_ranks == 1)
        Kokkos::parallel_for(
            "tally", indices(0, s.n), KOKKOS_LAMBDA(uint64_t i) {
                const uint32_t x = static_cast<uint32_t>(i);
                const uint32_t level = level_at(s.level, x, p);
                if (is_doubted(s, x, level, p.none))
                    wrong_parent(s, x, level);
            });
    else
        Kokkos::parallel_for(
            "tally", indices(0, s.n_words), KOKKOS_LAMBDA(uint64_t i) {
                for (uint32_t word = s.unsettled[i]; word != 0; word &= word - 1) {
                    const uint32_t x =
                        s.number_of[32 * (s.first_word + i) + lowest(word)];
                    wrong_parent(s, x, level_at(s.level, x, p));
                }
            });
    get(&state.told, s.found, sizeof state.told);
}

} // namespace inspect
} // namespace mwk

using namespace mwk::inspect;

MWK_TABLE(bfs_inspect_sweeps, degrees, numbers, rows, starts, tuples, digest, tell,
          gather, parents, climb, levels, judge, doubt, settle, tally)
