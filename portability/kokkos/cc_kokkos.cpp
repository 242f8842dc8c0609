/* cc_kokkos.cpp -- connected components on Kokkos: the modules and the sweeps of the table in
 * cc.c, one function each. What is said in cc_state.h of values that come late and twice is what
 * makes plain reads enough here: a number is only ever lowered, by an atomic minimum.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/records.hpp"
#include "kokkos/space.hpp"

#include "algorithms/cc/cc_state.h"

namespace mwk
{
namespace cc
{

cc_state &state_of(void *job)
{
    return *static_cast<cc_state *>(static_cast<mw_job *>(job)->state);
}

KOKKOS_INLINE_FUNCTION void lower_to(void *table, uint64_t i, uint64_t value, bool wide)
{
    if (wide)
        Kokkos::atomic_fetch_min(static_cast<uint64_t *>(table) + i, value);
    else
        Kokkos::atomic_fetch_min(static_cast<uint32_t *>(table) + i,
                                 static_cast<uint32_t>(value));
}

/* Another core may be lowering it: the compiler is to read it each time. */
KOKKOS_INLINE_FUNCTION mw_vid comp_at(const void *comp, uint64_t i, bool wide)
{
    return wide ? static_cast<const volatile uint64_t *>(comp)[i]
                : static_cast<const volatile uint32_t *>(comp)[i];
}

/* ---- a round ----------------------------------------------------------------------------------- */

/* The representative of a place, or its own one if that is here too; halves the way there. */
KOKKOS_INLINE_FUNCTION mw_vid above(const mw_graph &g, void *comp, uint64_t place)
{
    const mw_vid up = comp_at(comp, place, g.wide);
    uint32_t owner;
    const uint64_t up_place = mw_locate(&g.partition, up, &owner);
    if (owner != g.partition.rank || up_place == place)
        return up;
    const mw_vid next = comp_at(comp, up_place, g.wide);
    if (next < up)
        lower_to(comp, place, next, g.wide);
    return next;
}

/* v and `value` are of one component: as join() of cc_kernels.c. */
KOKKOS_INLINE_FUNCTION void join(const mw_graph &g, void *comp, mw_vid v, mw_vid value,
                                 uint64_t unit, const drafts &out)
{
    while (value < v) {
        uint32_t owner;
        const uint64_t place = mw_locate(&g.partition, v, &owner);
        if (owner != g.partition.rank) {
            out.emit(unit, owner, static_cast<uint32_t>(place), value);
            return;
        }
        const mw_vid up = above(g, comp, place);
        if (up == v) {
            lower_to(comp, place, value, g.wide);
            return;
        }
        v = up > value ? up : value;
        value = up > value ? value : up;
    }
}

void tell(mw_cpe *self, void *arg)
{
    turn t;
    mw_job *const job = static_cast<mw_job *>(arg);
    const cc_state s = state_of(arg);
    const mw_graph g = *s.g;
    const drafts out = drafts_of(t, job, job->first, job->last);
    for_units(
        "teller", s.left_end, s.counts->n_left, job->first, job->last,
        KOKKOS_LAMBDA(uint64_t i, uint64_t before, uint64_t unit) {
            const mw_vid is = s.is[i], was = s.was[i];
            if (is == was)
                return;
            mw_vid to = was;
            if (unit + 1 < s.left_end[i])
                to = mw_number(
                    g.name, mw_number(g.column, g.row[s.left[i]] + unit - before, g.wide),
                    g.wide);
            if (to != CC_NONE)
                join(g, s.comp, to, is, unit, out);
        });
    drafts_send(t, self, job, out, job->last - job->first);
}

void ask(mw_cpe *self, void *arg)
{
    turn t;
    mw_job *const job = static_cast<mw_job *>(arg);
    const cc_state s = state_of(arg);
    const mw_graph g = *s.g;
    const drafts out = drafts_of(t, job, job->first, job->last);
    Kokkos::parallel_for(
        "asker", indices(job->first, job->last), KOKKOS_LAMBDA(uint64_t i) {
            uint32_t owner;
            const uint64_t up = mw_locate(&g.partition, s.is[i], &owner);
            if (owner != g.partition.rank)
                out.emit(i, owner, static_cast<uint32_t>(up), g.place_of[s.left[i]]);
        });
    drafts_send(t, self, job, out, job->last - job->first);
}

void answer(mw_cpe *self, void *arg)
{
    turn t;
    mw_job *const job = static_cast<mw_job *>(arg);
    const cc_state s = state_of(arg);
    const mw_graph g = *s.g;
    uint64_t n;
    const mw_visit *const visit = visits_of(t, job, &n);
    const drafts out = drafts_of(t, job, 0, n);
    Kokkos::parallel_for(
        "representative", indices(0, n), KOKKOS_LAMBDA(uint64_t i) {
            const mw_visit m = visit[i];
            const mw_vid value = comp_at(s.comp, m.child, g.wide);
            if (value < mw_vertex(&g.partition, g.partition.rank, m.child))
                out.emit(i, m.sender, static_cast<uint32_t>(m.value), value);
        });
    drafts_send(t, self, job, out, n);
}

void hear(mw_cpe *, void *arg)
{
    turn t;
    const cc_state s = state_of(arg);
    const bool wide = s.g->wide;
    uint64_t n;
    const mw_visit *const visit = visits_of(t, static_cast<mw_job *>(arg), &n);
    Kokkos::parallel_for(
        "hearer", indices(0, n), KOKKOS_LAMBDA(uint64_t i) {
            lower_to(s.comp, visit[i].child, visit[i].value, wide);
        });
    t.wait();
}

/* ---- sizes -------------------------------------------------------------------------------------- */

void belong(mw_cpe *self, void *arg)
{
    turn t;
    mw_job *const job = static_cast<mw_job *>(arg);
    const cc_state s = state_of(arg);
    const mw_graph g = *s.g;
    const drafts out = drafts_of(t, job, job->first, job->last);
    Kokkos::parallel_for(
        "member", indices(job->first, job->last), KOKKOS_LAMBDA(uint64_t p) {
            uint32_t owner;
            if (g.label_of[p] == MW_NO_LABEL)
                return;
            const uint64_t up =
                mw_locate(&g.partition, comp_at(s.comp, p, g.wide), &owner);
            if (owner == g.partition.rank)
                Kokkos::atomic_add(&s.size[up], UINT64_C(1));
            else
                out.emit(p, owner, static_cast<uint32_t>(up), 1);
        });
    drafts_send(t, self, job, out, job->last - job->first);
}

void count(mw_cpe *, void *arg)
{
    turn t;
    const cc_state s = state_of(arg);
    uint64_t n;
    const mw_visit *const visit = visits_of(t, static_cast<mw_job *>(arg), &n);
    Kokkos::parallel_for(
        "counter", indices(0, n), KOKKOS_LAMBDA(uint64_t i) {
            Kokkos::atomic_add(&s.size[visit[i].child], visit[i].value);
        });
    t.wait();
}

/* ---- sweeps ------------------------------------------------------------------------------------- */

KOKKOS_INLINE_FUNCTION bool was_reached(const cc_state &s, uint64_t place, bool wide)
{
    return mw_number(s.parent, place, wide) != (wide ? UINT64_MAX : UINT32_MAX);
}

/* Places are in the order of their vertices. */
void reached(mw_cpe *, void *arg)
{
    turn t;
    const cc_state s = state_of(arg);
    const mw_graph g = *s.g;
    uint64_t first = g.n_places;
    Kokkos::parallel_reduce(
        "reached", indices(0, g.n_places),
        KOKKOS_LAMBDA(uint64_t p, uint64_t & least) {
            if (p < least && was_reached(s, p, g.wide))
                least = p;
        },
        Kokkos::Min<uint64_t>(first));
    s.counts->reached = first < g.n_places
                            ? mw_vertex(&g.partition, g.partition.rank, first)
                            : MW_NO_VERTEX;
}

/* Components of all places; those that are left, as a list in the order of places. */
void begin(mw_cpe *, void *arg)
{
    turn t;
    const cc_state s = state_of(arg);
    const mw_graph g = *s.g;
    uint64_t n = 0;
    Kokkos::parallel_for(
        "name places", indices(0, g.n_places), KOKKOS_LAMBDA(uint64_t p) {
            mw_set_number(s.comp, p,
                          was_reached(s, p, g.wide)
                              ? s.reached
                              : mw_vertex(&g.partition, g.partition.rank, p),
                          g.wide);
        });
    Kokkos::parallel_scan(
        "begin", indices(0, g.n_places),
        KOKKOS_LAMBDA(uint64_t p, uint64_t & at, bool final) {
            if (!bit(g.connected, p) || (!s.cut && was_reached(s, p, g.wide)))
                return;
            if (final)
                s.left[at] = g.label_of[p];
            at++;
        },
        n);
    t.wait();
    s.counts->n_left = n;
}

/* Units of each that is left, summed up; returns how many there are. */
uint64_t sum_units(const cc_state &s, uint64_t n_left)
{
    const mw_graph g = *s.g;
    uint64_t n_units = 0;
    Kokkos::parallel_scan(
        "units", indices(0, n_left),
        KOKKOS_LAMBDA(uint64_t i, uint64_t & sum, bool final) {
            sum += g.row[s.left[i] + 1] - g.row[s.left[i]] + 1;
            if (final) {
                s.left_end[i] = sum;
                s.is[i] = CC_NONE;
            }
        },
        n_units);
    return n_units;
}

void units(mw_cpe *, void *arg)
{
    turn t;
    const cc_state s = state_of(arg);
    const uint64_t n_units = sum_units(s, s.counts->n_left);
    t.wait();
    s.counts->n_units = n_units;
}

/* Follows representatives while they are here, and goes there at once. */
KOKKOS_INLINE_FUNCTION mw_vid follow(const mw_graph &g, void *comp_of, uint64_t place)
{
    const uint32_t me = g.partition.rank;
    mw_vid comp = comp_at(comp_of, place, g.wide),
           at = mw_vertex(&g.partition, me, place);
    uint32_t owner = me;
    while (comp < at && owner == me) {
        const uint64_t up = mw_locate(&g.partition, comp, &owner);
        at = comp;
        if (owner == me)
            comp = comp_at(comp_of, up, g.wide);
    }
    mw_set_number(comp_of, place, comp, g.wide);
    return comp;
}

void look(mw_cpe *self, void *arg)
{
    turn t;
    cc_state &state = state_of(arg);
    const cc_state s = state;
    const mw_graph g = *s.g;
    uint64_t n = 0;
    Kokkos::parallel_reduce(
        "look", indices(0, s.counts->n_left),
        KOKKOS_LAMBDA(uint64_t i, uint64_t & sum) {
            s.was[i] = s.is[i];
            s.is[i] = follow(g, s.comp, g.place_of[s.left[i]]);
            sum += s.is[i] != s.was[i];
        },
        n);
    state.lane[self->lane].n_active = n;
}

/* ---- one rank: all of it at once ------------------------------------------------------------------ */

/* With one rank a vertex is its place and a column a label. comp[] is a forest: a
 * representative is its own, and everybody else's is smaller. Only representatives change
 * hands (unite()); who has one keeps it or gets one further up, by a plain store, for
 * late or twice it is one all the same. */
KOKKOS_INLINE_FUNCTION mw_vid root_of(void *comp, mw_vid v, bool wide)
{
    mw_vid up = comp_at(comp, v, wide);
    while (up != v) {
        const mw_vid next = comp_at(comp, up, wide);
        if (next == up)
            return up;
        mw_set_number(comp, v, next, wide);
        v = next;
        up = comp_at(comp, v, wide);
    }
    return v;
}

/* The same, when all are united, and nobody else is led on: each comp[] has one writer. */
KOKKOS_INLINE_FUNCTION mw_vid last_root_of(const void *comp, mw_vid v, bool wide)
{
    for (mw_vid up; (up = comp_at(comp, v, wide)) != v;)
        v = up;
    return v;
}

/* True if `v` was a representative still and is one no more. */
KOKKOS_INLINE_FUNCTION bool hand_over(void *comp, mw_vid v, mw_vid to, bool wide)
{
    if (wide)
        return Kokkos::atomic_compare_exchange(static_cast<uint64_t *>(comp) + v,
                                               uint64_t(v), uint64_t(to)) == v;
    return Kokkos::atomic_compare_exchange(static_cast<uint32_t *>(comp) + v, uint32_t(v),
                                           uint32_t(to)) == v;
}

KOKKOS_INLINE_FUNCTION void unite_two(void *comp, mw_vid a, mw_vid b, bool wide)
{
    for (;;) {
        a = root_of(comp, a, wide);
        b = root_of(comp, b, wide);
        if (a == b || hand_over(comp, a > b ? a : b, a > b ? b : a, wide))
            return;
    }
}

/* The smallest vertex that the search has reached, of cores. */
const uint64_t *least_reached(turn &t, const cc_state &s)
{
    const mw_graph g = *s.g;
    uint64_t *const least = t.room<uint64_t>(TABLES, 1);
    Kokkos::View<uint64_t, memory_of_cores, Kokkos::MemoryTraits<Kokkos::Unmanaged>> out(
        least);
    Kokkos::parallel_reduce(
        "least reached", indices(0, g.n_places),
        KOKKOS_LAMBDA(uint64_t p, uint64_t & sum) {
            if (p < sum && was_reached(s, p, g.wide))
                sum = p;
        },
        Kokkos::Min<uint64_t, memory_of_cores>(out));
    return least;
}

/* Components of all places, of whom the search has not reached their own; the connected
 * ones of these as a list, in no order. Returns how many there are. */
uint64_t name_and_list(turn &t, const cc_state &s)
{
    const mw_graph g = *s.g;
    const uint64_t *const least = least_reached(t, s), before = here().before[0];
    uint64_t *const n_listed = t.count();
    uint64_t n;
    for_halves(
        "name and list", (g.n_places + 31) / 32,
        KOKKOS_LAMBDA(const member &team, uint64_t half) {
            const uint32_t connected = halves(g.connected)[half];
            const uint32_t left =
                which(team, first_of(g.n_places, 32 * half), [&](uint32_t lane) {
                    const uint64_t p = 32 * half + lane;
                    const bool is = was_reached(s, p, g.wide);
                    mw_set_number(s.comp, p, is ? *least : p, g.wide);
                    return (s.cut || !is) && (connected >> lane & 1);
                });
            Kokkos::single(Kokkos::PerThread(team), [&]() {
                if (left == 0)
                    return;
                uint64_t at =
                    Kokkos::atomic_fetch_add(n_listed, uint64_t(ones(left))) - before;
                for (uint32_t bits = left; bits != 0; bits &= bits - 1)
                    s.left[at++] = g.label_of[32 * half + lowest(bits)];
            });
        });
    t.counts(&n, 1);
    return n;
}

/* Each edge of who is left once, from its larger end; then everybody is told. */
void unite(mw_cpe *, void *arg)
{
    turn t;
    const cc_state s = state_of(arg);
    const mw_graph g = *s.g;
    const uint64_t n = s.counts->n_left = name_and_list(t, s);
    if (n == 0)
        return;
    for_units(
        "unite", s.left_end, n, 0, sum_units(s, n),
        KOKKOS_LAMBDA(uint64_t i, uint64_t before, uint64_t unit) {
            const uint64_t entry = g.row[s.left[i]] + unit - before;
            if (entry == g.row[s.left[i] + 1])
                return; /* what rounds have beside its edges */
            const mw_vid from = g.place_of[s.left[i]],
                         to = g.place_of[mw_number(g.column, entry, g.wide)];
            if (to < from)
                unite_two(s.comp, from, to, g.wide);
        });
    Kokkos::parallel_for(
        "representatives", indices(0, n), KOKKOS_LAMBDA(uint64_t i) {
            const uint64_t place = g.place_of[s.left[i]];
            mw_set_number(s.comp, place, last_root_of(s.comp, place, g.wide), g.wide);
        });
    t.wait();
}

} // namespace cc
} // namespace mwk

using namespace mwk::cc;

const cc_kernels cc_kernels_kokkos =
    mwk::of_host(cc_kernels{tell, ask, answer, hear, belong, count});
const cc_sweeps cc_sweeps_kokkos =
    mwk::of_host(cc_sweeps{reached, begin, units, look, unite});
