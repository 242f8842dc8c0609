/* bfs_kokkos.cpp -- breadth-first search on Kokkos: the modules and the sweeps of the table in
 * bfs_table.c, one function each.
 *
 * Top-down: the frontier's edges are dealt evenly (for_units()); who first takes a vertex's mark
 * sets its parent. The bitmaps `visited` and the marks decide, so neither parents nor lists are
 * looked at, and columns of this rank have no use for `seen`. Bottom-up: heads go over places, a
 * place a lane, so that heads and parents are read as streams; rows over labels, a label a lane,
 * each to its first visited neighbour.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/frontier.hpp"
#include "kokkos/records.hpp"
#include "kokkos/whole/whole.hpp"

#include "algorithms/bfs/bfs_state.h"

namespace mwk
{
namespace bfs
{

bfs_state &state_of(void *job)
{
    return *static_cast<bfs_state *>(static_cast<mw_job *>(job)->state);
}

KOKKOS_INLINE_FUNCTION void set_parent(const bfs_state &s, uint64_t place, mw_vid parent,
                                       bool wide)
{
    mw_set_number(s.parent, place, parent, wide);
}

KOKKOS_INLINE_FUNCTION bool has_parent(const bfs_state &s, uint64_t place, bool wide)
{
    return mw_number(s.parent, place, wide) != (wide ? UINT64_MAX : UINT32_MAX);
}

/* ---- top-down -------------------------------------------------------------------------------- */

/* For columns of others: is there a use in sending? Once for each that `seen` has a bit for. */
KOKKOS_INLINE_FUNCTION bool is_news(const bfs_state &s, uint64_t *seen, uint32_t owner,
                                    uint32_t label, uint64_t column)
{
    if (s.seen_kind != BFS_OWN_AND_HUBS)
        return mw_take_bit(seen, column);
    if (label < s.n_drop_hubs)
        return mw_take_bit(seen, s.seen_hubs + owner * s.seen_stride + label);
    return true;
}

void generate(mw_cpe *self, void *arg)
{
    turn t;
    mw_job *const job = static_cast<mw_job *>(arg);
    bfs_state &state = state_of(arg);
    const bfs_state s = state;
    const mw_graph g = *s.g;
    const drafts out = drafts_of(t, job, job->first, job->last);
    uint64_t *const seen = s.lane[self->lane].seen, *const count = t.count();
    const uint32_t me = job->at->rank;
    const bool counts_drops = s.n_drop_hubs > 0 && out.at != nullptr;
    const mw_hubs *const h = s.visited_hubs;
    const uint64_t *const hubs =
        counts_drops ? t.sent(HUBS, h->visited, job->at->n_ranks * uint64_t(h->n_words))
                     : nullptr;
    const uint64_t hub_words = counts_drops ? h->n_words : 0;
    for_units(
        "forward generator", s.f.list_end, s.f.n_list, job->first, job->last,
        KOKKOS_LAMBDA(uint64_t i, uint64_t before, uint64_t unit) {
            const uint32_t u = s.f.list[i];
            const uint64_t column = mw_number(g.column, g.row[u] + unit - before, g.wide);
            const uint32_t owner = mw_column_owner(column, g.label_bits);
            const uint32_t label = mw_column_label(column, g.label_bits);
            if (owner == me) {
                if (claim(s.f, label))
                    set_parent(s, g.place_of[label], mw_vertex_at(&g, me, g.place_of[u]),
                               g.wide);
            } else if (is_news(s, seen, owner, label, column)) {
                out.emit(unit, owner, label, g.place_of[u]);
            } else if (label < s.n_drop_hubs && mw_bit(hubs + owner * hub_words, label)) {
                Kokkos::atomic_add(&count[2], UINT64_C(1));
            }
        });
    claimed(&state.f, self->lane);
    if (counts_drops) {
        uint64_t grown[3];
        t.counts(grown, 3);
        state.lane[self->lane].n_dropped += grown[2];
    }
    drafts_send(t, self, job, out, job->last - job->first);
}

void handle(mw_cpe *self, void *arg)
{
    turn t;
    bfs_state &state = state_of(arg);
    const bfs_state s = state;
    const mw_graph g = *s.g;
    uint64_t n;
    const mw_visit *const visit = visits_of(t, static_cast<mw_job *>(arg), &n);
    Kokkos::parallel_for(
        "forward handler", indices(0, n), KOKKOS_LAMBDA(uint64_t i) {
            const mw_visit m = visit[i];
            if (claim(s.f, m.child))
                set_parent(s, g.place_of[m.child], mw_vertex_at(&g, m.sender, m.value),
                           g.wide);
        });
    claimed(&state.f, self->lane);
    t.wait(); /* the next visits take their room */
}

void pieces(mw_cpe *self, void *arg)
{
    turn t;
    bfs_state &state = state_of(arg);
    const bfs_state s = state;
    const bfs_delegates x = s.delegates;
    const mw_delegates d = *x.d;
    const mw_graph g = *s.g;
    for_units(
        "pieces", x.piece_end, x.n_pieces, 0, x.piece_end[x.n_pieces - 1],
        KOKKOS_LAMBDA(uint64_t i, uint64_t before, uint64_t unit) {
            const uint32_t label = d.label[x.piece[i].start + unit - before];
            if (claim(s.f, label))
                set_parent(s, g.place_of[label], x.piece[i].parent, g.wide);
        });
    claimed(&state.f, self->lane);
    t.wait(); /* the host lists other pieces next */
}

/* ---- bottom-up by bitmap ----------------------------------------------------------------------- */

void heads(mw_cpe *, void *arg)
{
    turn t;
    const bfs_state s = state_of(arg);
    const mw_graph g = *s.g;
    const uint64_t *const waiting = s.waiting_valid ? s.waiting : g.connected;
    for_halves(
        "heads", 2 * ((g.n_places + 63) / 64),
        KOKKOS_LAMBDA(const member &team, uint64_t half) {
            const uint32_t todo = halves(waiting)[half];
            const uint32_t left = which(team, todo, [&](uint32_t lane) {
                const uint64_t p = 32 * half + lane;
                if (has_parent(s, p, g.wide))
                    return false;
                if (mw_bit(s.known, mw_number(g.head, p, g.wide))) {
                    set_parent(s, p, mw_number(g.head_name, p, g.wide), g.wide);
                    return false;
                }
                mw_set_bit(s.f.mark_bit, g.label_of[p]);
                return true;
            });
            Kokkos::single(Kokkos::PerThread(team),
                           [&]() { halves(s.waiting)[half] = left; });
        });
}

/* The first visited neighbour of a label from entry `skip` of its row on becomes its parent: by its
 * name, or by its column where the graph has no table of names. */
KOKKOS_INLINE_FUNCTION bool find_parent(const bfs_state &s, const mw_graph &g, uint64_t l,
                                        uint64_t skip)
{
    const uint64_t end = g.in_row[l + 1];
    for (uint64_t k = g.in_row[l] + skip; k < end; k++) {
        const uint64_t column = mw_number(g.in_column, k, g.wide);
        if (!mw_bit(s.known, column))
            continue;
        set_parent(s, g.place_of[l],
                   s.unnamed == nullptr ? mw_number(g.name, column, g.wide) : column,
                   g.wide);
        return true;
    }
    return false;
}

void rows(mw_cpe *self, void *arg)
{
    turn t;
    bfs_state &state = state_of(arg);
    const bfs_state s = state;
    const mw_graph g = *s.g;
    const uint64_t skip = s.heads_first;
    put_all(
        t, &state.f, self->lane, "rows",
        KOKKOS_LAMBDA(const member &team, uint64_t half) {
            const uint32_t open = unvisited(s.f, half);
            const uint32_t todo = s.heads_first ? halves(s.f.mark_bit)[half] : open;
            if (s.heads_first && 32 * half >= s.first_leaf)
                return open & ~todo; /* the head was all they have */
            const uint32_t left = which(team, todo, [&](uint32_t lane) {
                return !find_parent(s, g, 32 * half + lane, skip);
            });
            if (s.unnamed != nullptr)
                Kokkos::single(Kokkos::PerThread(team),
                               [&]() { halves(s.unnamed)[half] |= todo & ~left; });
            return open & ~left;
        });
    if (s.heads_first)
        fill("marks", s.f.mark_bit, s.f.n_words, UINT64_C(0));
}

/* ---- bottom-up by messages ------------------------------------------------------------------ */

/* What a row's entries tell without asking. */
enum answer { FOUND, NOTHING, ASK };

KOKKOS_INLINE_FUNCTION answer look_up(const bfs_state &s, const mw_graph &g, uint64_t l,
                                      uint32_t me, const uint64_t *hubs,
                                      uint64_t hub_words, const uint32_t *hub_place,
                                      uint64_t n_hubs)
{
    const uint64_t end = g.in_row[l + 1];
    answer so_far = NOTHING;
    for (uint64_t k = g.in_row[l]; k < end; k++) {
        const uint64_t column = mw_number(g.in_column, k, g.wide);
        const uint32_t owner = mw_column_owner(column, g.label_bits);
        const uint32_t label = mw_column_label(column, g.label_bits);
        uint32_t place;
        if (label < s.n_look_hubs) {
            if (!mw_bit(hubs + owner * hub_words, label))
                continue;
            place = hub_place[owner * n_hubs + label];
        } else if (s.look_at_own && owner == me) {
            if (!mw_bit(s.f.visited, label))
                continue;
            place = g.place_of[label];
        } else {
            so_far = ASK;
            continue;
        }
        set_parent(s, g.place_of[l], mw_vertex_at(&g, owner, place), g.wide);
        return FOUND;
    }
    return so_far;
}

/* Who is found goes to the frontier's bits and stays there until it is joined. */
void lookup(mw_cpe *, void *arg)
{
    turn t;
    const bfs_state s = state_of(arg);
    const mw_graph g = *s.g;
    const uint64_t n_ranks = g.comm->size;
    const uint32_t me = g.comm->rank;
    const bool any = s.n_look_hubs > 0;
    const mw_hubs *const h = s.visited_hubs;
    const uint64_t *const hubs =
        any ? t.sent(HUBS, h->visited, n_ranks * h->n_words) : nullptr;
    const uint32_t *const place =
        any ? t.sent(HUB_PLACES, h->place, n_ranks * h->n_hubs) : nullptr;
    const uint64_t hub_words = any ? h->n_words : 0, n_hubs = any ? h->n_hubs : 0;
    for_halves(
        "lookup", 2 * s.f.n_words, KOKKOS_LAMBDA(const member &team, uint64_t half) {
            const uint32_t open = unvisited(s.f, half);
            uint32_t asking = 0;
            /* A lane knows of itself alone, so it is asked twice: who is left, and who asks. */
            const uint32_t left = which(team, open, [&](uint32_t lane) {
                const answer a =
                    look_up(s, g, 32 * half + lane, me, hubs, hub_words, place, n_hubs);
                if (a == ASK)
                    asking |= UINT32_C(1) << lane;
                return a != FOUND;
            });
            const uint32_t mine = asking;
            const uint32_t all =
                which(team, left, [&](uint32_t lane) { return mine >> lane & 1; });
            Kokkos::single(Kokkos::PerThread(team), [&]() {
                halves(s.asking)[half] = all;
                halves(s.f.bits)[half] = open & ~left;
            });
        });
}

/* Who has not been answered yet, with the entries of this round: as a list in the order of
 * labels, then its units, summed up. */
void askers(mw_cpe *, void *arg)
{
    turn t;
    bfs_state &state = state_of(arg);
    const bfs_state s = state;
    const mw_graph g = *s.g;
    uint64_t n = 0, n_units = 0;
    Kokkos::parallel_scan(
        "askers", indices(0, 2 * s.f.n_words),
        KOKKOS_LAMBDA(uint64_t half, uint64_t & at, bool final) {
            uint32_t asks = halves(s.asking)[half] & ~halves(s.f.mark_bit)[half];
            if (final)
                halves(s.asking)[half] = asks;
            for (; asks != 0; asks &= asks - 1) {
                const uint64_t l = 32 * half + lowest(asks);
                const uint64_t left =
                    g.in_row[l + 1] - bfs_beyond_hubs(&g, s.n_look_hubs, l, g.wide);
                if (left <= s.ask_from)
                    continue;
                if (final)
                    s.f.list[at] = static_cast<uint32_t>(l);
                at++;
            }
        },
        n);
    Kokkos::parallel_scan(
        "questions", indices(0, n),
        KOKKOS_LAMBDA(uint64_t i, uint64_t & units, bool final) {
            const uint64_t l = s.f.list[i];
            const uint64_t left =
                g.in_row[l + 1] - bfs_beyond_hubs(&g, s.n_look_hubs, l, g.wide);
            units += (left < s.ask_to ? left : s.ask_to) - s.ask_from;
            if (final)
                s.f.list_end[i] = units;
        },
        n_units);
    t.wait();
    s.f.part[s.f.n_parts].n_found = n;
    s.f.part[s.f.n_parts].n_edges = n_units;
}

void ask(mw_cpe *self, void *arg)
{
    turn t;
    mw_job *const job = static_cast<mw_job *>(arg);
    bfs_state &state = state_of(arg);
    const bfs_state s = state;
    const mw_graph g = *s.g;
    const drafts out = drafts_of(t, job, job->first, job->last);
    const uint32_t me = job->at->rank;
    for_units(
        "backward generator", s.f.list_end, s.f.n_list, job->first, job->last,
        KOKKOS_LAMBDA(uint64_t i, uint64_t before, uint64_t unit) {
            const uint32_t u = s.f.list[i];
            const uint64_t entry = bfs_beyond_hubs(&g, s.n_look_hubs, u, g.wide) +
                                   s.ask_from + unit - before;
            const uint64_t column = mw_number(g.in_column, entry, g.wide);
            const uint32_t owner = mw_column_owner(column, g.label_bits);
            if (owner != me) /* else it was looked up: not visited */
                out.emit(unit, owner, mw_column_label(column, g.label_bits), u);
        });
    state.lane[self->lane].n_questions +=
        drafts_send(t, self, job, out, job->last - job->first);
}

void reply(mw_cpe *self, void *arg)
{
    turn t;
    mw_job *const job = static_cast<mw_job *>(arg);
    bfs_state &state = state_of(arg);
    const bfs_state s = state;
    const mw_graph g = *s.g;
    uint64_t n;
    const mw_visit *const visit = visits_of(t, job, &n);
    const drafts out = drafts_of(t, job, 0, n);
    Kokkos::parallel_for(
        "backward handler", indices(0, n), KOKKOS_LAMBDA(uint64_t i) {
            const mw_visit m = visit[i];
            if (mw_bit(s.f.visited, m.child))
                out.emit(i, m.sender, static_cast<uint32_t>(m.value),
                         g.place_of[m.child]);
        });
    state.lane[self->lane].n_answers += drafts_send(t, self, job, out, n);
}

void join(mw_cpe *self, void *arg)
{
    turn t;
    bfs_state &state = state_of(arg);
    const bfs_state s = state;
    put_all(
        t, &state.f, self->lane, "join", KOKKOS_LAMBDA(const member &, uint64_t half) {
            return halves(s.f.bits)[half] | halves(s.f.mark_bit)[half];
        });
    fill("marks", s.f.mark_bit, s.f.n_words, UINT64_C(0));
}

/* ---- names, after the last level ------------------------------------------------------------- */

void ask_name(mw_cpe *self, void *arg)
{
    turn t;
    mw_job *const job = static_cast<mw_job *>(arg);
    const bfs_state s = state_of(arg);
    const mw_graph g = *s.g;
    const drafts out = drafts_of(t, job, job->first, job->last);
    const uint32_t me = job->at->rank;
    Kokkos::parallel_for(
        "name asker", indices(job->first, job->last), KOKKOS_LAMBDA(uint64_t u) {
            if (!mw_bit(s.unnamed, u))
                return;
            const uint64_t place = g.place_of[u];
            const uint64_t column = mw_number(s.parent, place, g.wide);
            const uint32_t owner = mw_column_owner(column, g.label_bits);
            const uint32_t label = mw_column_label(column, g.label_bits);
            if (owner == me)
                set_parent(s, place, mw_vertex_at(&g, me, g.place_of[label]), g.wide);
            else
                out.emit(u, owner, label, u);
        });
    drafts_send(t, self, job, out, job->last - job->first);
}

void hear_name(mw_cpe *, void *arg)
{
    turn t;
    const bfs_state s = state_of(arg);
    const mw_graph g = *s.g;
    uint64_t n;
    const mw_visit *const visit = visits_of(t, static_cast<mw_job *>(arg), &n);
    Kokkos::parallel_for(
        "name handler", indices(0, n), KOKKOS_LAMBDA(uint64_t i) {
            const mw_visit m = visit[i];
            set_parent(s, g.place_of[m.child], mw_vertex_at(&g, m.sender, m.value),
                       g.wide);
        });
    t.wait(); /* the next visits take their room */
}

/* ---- before top-down levels -------------------------------------------------------------------- */

void refresh(mw_cpe *self, void *arg)
{
    turn t;
    const bfs_state s = state_of(arg);
    uint64_t *const seen = s.lane[self->lane].seen;
    const uint64_t *const from = s.known != nullptr ? s.known : s.f.visited;
    Kokkos::parallel_for(
        "refresh", indices(0, s.known != nullptr ? s.n_seen_words : s.f.n_words),
        KOKKOS_LAMBDA(uint64_t w) { seen[w] |= from[w]; });
}

void absorb(mw_cpe *self, void *arg)
{
    turn t;
    const bfs_state s = state_of(arg);
    const mw_hubs *const h = s.visited_hubs;
    const uint64_t n_words = (s.n_drop_hubs + UINT64_C(63)) / 64, n_ranks = h->comm->size;
    const uint64_t me = h->comm->rank, hub_words = h->n_words;
    uint64_t *const seen = s.lane[self->lane].seen + s.seen_hubs / 64;
    const uint64_t *const visited = t.sent(HUBS, h->visited, n_ranks * hub_words);
    Kokkos::parallel_for(
        "absorb", indices(0, n_ranks * n_words), KOKKOS_LAMBDA(uint64_t i) {
            const uint64_t r = i / n_words, w = i % n_words;
            if (r != me)
                seen[r * (s.seen_stride / 64) + w] |= visited[r * hub_words + w];
        });
}

/* ---- delegates --------------------------------------------------------------------------------- */

void tell(mw_cpe *, void *arg)
{
    turn t;
    const bfs_state s = state_of(arg);
    const bfs_delegates x = s.delegates;
    const mw_delegates d = *x.d;
    const uint32_t me = s.g->comm->rank;
    Kokkos::parallel_for(
        "tell", indices(0, x.n_words), KOKKOS_LAMBDA(uint64_t w) {
            const uint64_t n = mw_delegates_here(&d, me);
            const uint64_t here = first_of(n, 64 * w) |
                                  static_cast<uint64_t>(first_of(n, 64 * w + 32)) << 32;
            const uint64_t reached =
                here != 0 ? s.f.visited[w] | (s.f.listed ? 0 : s.f.bits[w]) : 0;
            x.news[w] = here & reached & ~x.told[w];
            x.told[w] |= x.news[w];
        });
    t.wait();
}

/* Lists are in the order of labels, and those dealt out come first. */
void drop(mw_cpe *, void *arg)
{
    turn t;
    bfs_state &state = state_of(arg);
    const bfs_state s = state;
    const mw_delegates d = *s.delegates.d;
    const uint32_t me = s.g->comm->rank;
    const uint64_t n = s.f.n_list;
    uint64_t n_gone = 0, edges_gone = 0;
    Kokkos::parallel_reduce(
        "dealt out", indices(0, n),
        KOKKOS_LAMBDA(uint64_t i, uint64_t & sum) {
            sum += s.f.list[i] < mw_delegates_here(&d, me);
        },
        n_gone);
    const uint64_t left = n - n_gone;
    if (n_gone > 0)
        get(&edges_gone, s.f.list_end + n_gone - 1, sizeof edges_gone);
    if (n_gone > 0 && left > 0) {
        uint32_t *const list = t.room<uint32_t>(LISTS, left);
        uint64_t *const end = t.room<uint64_t>(LIST_ENDS, left);
        Kokkos::parallel_for(
            "keep", indices(0, left), KOKKOS_LAMBDA(uint64_t i) {
                list[i] = s.f.list[n_gone + i];
                end[i] = s.f.list_end[n_gone + i] - edges_gone;
            });
        Kokkos::parallel_for(
            "drop", indices(0, left), KOKKOS_LAMBDA(uint64_t i) {
                s.f.list[i] = list[i];
                s.f.list_end[i] = end[i];
            });
    }
    t.wait();
    s.f.part[s.f.n_parts].n_found = left;
    s.f.part[s.f.n_parts].n_edges = s.f.n_list_edges - edges_gone;
}

/* ---- before a search --------------------------------------------------------------------------- */

void reset(mw_cpe *, void *arg)
{
    turn t;
    const bfs_state s = state_of(arg);
    whole_of_device.prepare(arg);
    const uint64_t number = mw_number_bytes(s.g->wide);
    for (uint32_t i = 0; i < s.n_lanes; i++)
        fill("seen", s.lane[i].seen, s.n_seen_words, UINT64_C(0));
    fill("parents", static_cast<uint32_t *>(s.parent), s.g->n_places * number / 4,
         UINT32_MAX);
    if (s.known == nullptr)
        fill("visited", s.f.visited, s.f.n_words, UINT64_C(0));
    else if (s.clears_known)
        fill("known", s.known, s.g->n_columns / 64, UINT64_C(0));
    if (s.unnamed != nullptr)
        fill("unnamed", s.unnamed, s.f.n_words, UINT64_C(0));
    if (s.delegates.d != nullptr)
        fill("told", s.delegates.told, s.delegates.n_words, UINT64_C(0));
    t.wait(); /* else the search waits for it, against the clock */
}

void start(mw_cpe *, void *arg)
{
    turn t;
    const bfs_state s = state_of(arg);
    const mw_graph g = *s.g;
    Kokkos::parallel_for(
        "start", indices(0, 1), KOKKOS_LAMBDA(uint64_t) {
            mw_frontier_part *const made = &s.f.part[s.f.n_parts];
            const uint32_t label = g.label_of[s.root_place];
            set_parent(s, s.root_place, s.root, g.wide);
            made->n_found = label != MW_NO_LABEL;
            made->n_edges = 0;
            if (label == MW_NO_LABEL)
                return;
            made->n_edges = g.row[label + 1] - g.row[label];
            s.f.list[0] = label;
            s.f.list_end[0] = made->n_edges;
            s.f.visited[label / 64] |= UINT64_C(1) << (label % 64);
        });
    t.wait();
}

} // namespace bfs
} // namespace mwk

using namespace mwk::bfs;

MWK_TABLE(bfs_kernels, {{generate, generate, generate}, {generate, generate, generate}},
          {handle, handle}, {ask, ask}, reply, {ask_name, ask_name},
          {hear_name, hear_name}, nullptr, /* nobody follows */
          {nullptr, nullptr}, )
MWK_TABLE(bfs_sweeps, heads, rows, refresh, absorb, lookup, join, reset, start, askers,
          pieces, tell, drop, mwk::whole_of_device.search, mwk::whole_of_device.recount,
          nullptr, nullptr, nullptr)
