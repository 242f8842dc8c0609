/* cc_elements.h -- what components do to one edge, one question, one record and one vertex:
 * written once, for all kinds of core (shuffle/patterns.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_ELEMENTS_H
#define CC_ELEMENTS_H

#include "algorithms/cc/cc_forest.h"
#include "algorithms/cc/cc_state.h"
#include "traversal/common_elements.h"

MW_FN mw_vid cc_own(const struct mw_graph *g, uint64_t place)
{
    return mw_vertex_at(g, g->partition.rank, place);
}

/* ---- a round ------------------------------------------------------------------------------- */

/* The representative of a place, or its own one if that is here too; halves the way there. */
MW_FN mw_vid cc_above(const struct cc_state *s, const struct mw_graph *g, uint64_t place)
{
    const mw_vid up = mw_load(s->comp, place, g->wide);
    uint32_t owner;
    const uint64_t up_place = mw_locate(&g->partition, up, &owner);
    if (owner != g->partition.rank || up_place == place)
        return up;
    const mw_vid next = mw_load(s->comp, up_place, g->wide);
    if (next < up)
        mw_lower(s->comp, place, next, g->wide);
    return next;
}

/* Does the owner's vertex need no record? Of hosts those of all ranks here are in their forest. */
MW_FN bool cc_is_near(const struct cc_state *s, const struct mw_graph *g, uint32_t owner)
{
    return s->by_hosts ? s->host_of[owner] == s->host : owner == g->partition.rank;
}

/* v and `value` are of one component. Follows the representatives of both, downwards, while
 * they are here: until they meet, or the larger one is its own representative and gets the
 * smaller, or lives elsewhere and is told. (Two cores may hook one vertex at a time and the smaller
 * value wins; it has fallen then, and tells of it in the next round.) */
MW_FN void cc_join(const struct cc_state *s, const struct mw_graph *g, mw_vid v,
                   mw_vid value, struct mw_emitter *e)
{
    while (value < v) {
        uint32_t owner;
        const uint64_t place = mw_locate(&g->partition, v, &owner);
        if (!mw_here(e, owner)) {
            mw_emit(e, owner, (uint32_t)place, value);
            return;
        }
        const mw_vid up = cc_above(s, g, place);
        if (up == v) {
            mw_lower(s->comp, place, value, g->wide);
            return;
        }
        v = mw_max(up, value);
        value = mw_min(up, value);
    }
}

/* The same between hosts: who is near is in the forest and knows already. */
MW_FN void cc_tell_vertex(const struct cc_state *s, const struct mw_graph *g, mw_vid v,
                          mw_vid value, struct mw_emitter *e)
{
    uint32_t owner;
    if (!s->by_hosts) {
        cc_join(s, g, v, value, e);
        return;
    }
    const uint64_t place = mw_locate(&g->partition, v, &owner);
    if (value < v && !cc_is_near(s, g, owner))
        mw_emit(e, owner, (uint32_t)place, value);
}

MW_FN bool cc_has_fallen(const struct cc_state *s, uint64_t i)
{
    return s->is[i] != s->was[i];
}

/* Entry k of who is left is a neighbour; behind them stands the last representative. */
MW_FN void cc_tell_entry(const struct cc_state *s, const struct mw_graph *g, uint64_t i,
                         uint64_t k, struct mw_emitter *e)
{
    const uint32_t u = s->left[i];
    const uint64_t entry = g->row[u] + k;
    if (entry < g->row[u + 1]) {
        const uint64_t column = mw_number(g->column, entry, g->wide);
        cc_tell_vertex(s, g, mw_number(g->name, column, g->wide), s->is[i], e);
    } else if (s->was[i] != CC_NONE)
        cc_tell_vertex(s, g, s->was[i], s->is[i], e);
}

/* A representative that is near is its own already: cc_follow() has seen to that, or cc_root_of(). */
MW_FN void cc_ask_representative(const struct cc_state *s, const struct mw_graph *g,
                                 uint64_t i, struct mw_emitter *e)
{
    uint32_t owner;
    const uint64_t up = mw_locate(&g->partition, s->is[i], &owner);
    if (!cc_is_near(s, g, owner))
        mw_emit(e, owner, (uint32_t)up, g->place_of[s->left[i]]);
}

/* m->child is the representative, m->value the place of who asks for a smaller one. */
MW_FN void cc_answer(const struct cc_state *s, const struct mw_graph *g,
                     const struct mw_visit *m, struct mw_emitter *e)
{
    const mw_vid own = cc_own(g, m->child);
    const mw_vid value = s->by_hosts ? cc_root_of(s->forest, own, g->wide)
                                     : mw_load(s->comp, m->child, g->wide);
    if (value < own)
        mw_emit(e, m->sender, (uint32_t)m->value, value);
}

MW_FN void cc_hear(const struct cc_state *s, const struct mw_graph *g,
                   const struct mw_visit *m)
{
    if (s->by_hosts)
        cc_unite_trees(s->forest, cc_own(g, m->child), m->value, g->wide);
    else
        mw_lower(s->comp, m->child, m->value, g->wide);
}

/* Sizes: every vertex with an edge is counted at its representative. */
MW_FN mw_vid cc_member_of(const struct cc_state *s, const struct mw_graph *g,
                          uint64_t place)
{
    return g->label_of[place] == MW_NO_LABEL ? MW_NO_VERTEX
                                             : mw_load(s->comp, place, g->wide);
}

/* ---- between rounds ------------------------------------------------------------------------ */

MW_FN bool cc_is_reached(const struct cc_state *s, const struct mw_graph *g,
                         uint64_t place)
{
    if (s->reached_bit != NULL) {
        const uint32_t u = g->label_of[place], is = u == MW_NO_LABEL ? 0 : u;
        return (u == is) & (s->reached_bit[is / 32] >> is % 32 & 1);
    }
    return mw_number(s->parent, place, g->wide) != (g->wide ? UINT64_MAX : UINT32_MAX);
}

/* The component of a place as the search leaves it; true: it needs no round. Without a branch, for
 * no processor guesses which places have edges. */
MW_FN bool cc_begin_place(const struct cc_state *s, const struct mw_graph *g,
                          uint64_t place, bool is_reached)
{
    const mw_vid mask = (mw_vid)0 - (mw_vid)is_reached, own = cc_own(g, place);
    mw_set_number(s->comp, place, (s->reached & mask) | (own & ~mask), g->wide);
    return is_reached & !s->cut;
}

MW_FN uint32_t cc_label_of(const struct cc_state *s, const struct mw_graph *g,
                           uint64_t place)
{
    (void)s;
    return g->label_of[place];
}

MW_FN uint64_t cc_units_of(const struct cc_state *s, const struct mw_graph *g, uint64_t i)
{
    return g->row[s->left[i] + 1] - g->row[s->left[i]] + 1;
}

MW_FN void cc_set_units(const struct cc_state *s, const struct mw_graph *g, uint64_t i,
                        uint64_t sum)
{
    (void)g;
    s->left_end[i] = sum;
    s->is[i] = CC_NONE;
}

/* Follows representatives while they are here, and goes there at once. They are smaller, and the
 * list is nearly in the order of places, so theirs have mostly been followed before. */
MW_FN mw_vid cc_follow(const struct cc_state *s, const struct mw_graph *g, uint64_t place)
{
    const uint32_t me = g->partition.rank;
    mw_vid comp = mw_load(s->comp, place, g->wide), at = cc_own(g, place);
    uint32_t owner = me;
    while (comp < at && owner == me) {
        const uint64_t up = mw_locate(&g->partition, comp, &owner);
        at = comp;
        if (owner == me)
            comp = mw_load(s->comp, up, g->wide);
    }
    mw_store(s->comp, place, comp, g->wide);
    return comp;
}

/* 1: the component has fallen since the last look, and tells of it in this round. */
MW_FN uint64_t cc_look(const struct cc_state *s, const struct mw_graph *g, uint64_t i)
{
    const uint64_t place = g->place_of[s->left[i]];
    s->was[i] = s->is[i];
    s->is[i] = s->by_hosts ? cc_root_of(s->forest, cc_own(g, place), g->wide)
                           : cc_follow(s, g, place);
    return s->is[i] != s->was[i];
}

/* ---- edges of who is left, once: a forest of vertices (cc_forest.h) ------------------------------- */

MW_FN uint64_t cc_members(const struct cc_state *s)
{
    return s->settles_all ? s->g->n_places : s->counts->n_left;
}

MW_FN mw_vid cc_name_of(const struct cc_state *s, uint64_t column)
{
    return mw_number(s->names, column, s->wide_names);
}

MW_FN mw_vid cc_vertex_of(const struct cc_state *s, uint64_t label)
{
    return cc_name_of(s, s->first_column + label);
}

/* All ranks of a host together plant all vertices of the graph, or each who is left there. */
MW_FN uint64_t cc_seeds(const struct cc_state *s)
{
    return s->of_all ? s->n_planted : s->counts->n_left;
}

MW_FN void cc_plant(const struct cc_state *s, const struct mw_graph *g, uint64_t i)
{
    const mw_vid v = s->of_all ? s->first_planted + i : cc_vertex_of(s, s->left[i]);
    mw_set_number(s->forest, v, v, g->wide);
}

MW_FN void cc_unite_entries(const struct cc_state *s, const struct mw_graph *g,
                            uint64_t u, uint64_t end)
{
    const mw_vid v = cc_vertex_of(s, u);
    for (uint64_t k = g->row[u]; k < end; k++)
        cc_unite_trees(s->forest, v, cc_name_of(s, mw_number(g->column, k, g->wide)),
                       g->wide);
}

/* A sample of the edges first (Sutton, Ben-Nun and Barak 2018: Afforest). That makes one tree of most. It is united by
 * stretches of places. Where these are stretches of vertices, a core first unites edges within its own; no other core
 * touches those trees, so plain stores suffice. It lists labels with an edge out of the stretch, as far as its part of
 * left[] has room: this is only a sample. Else nearly all edges would leave. */
struct cc_stretch {
    uint64_t from, to;            /* places */
    uint64_t listed, last_listed; /* of left[] */
    mw_vid first_vertex, span;    /* and the last vertex less the first */
};

/* Ranks that began at their first place would write the same lines of the forest at a time; so each begins elsewhere. */
MW_FN struct cc_stretch cc_stretch_at(const struct cc_state *s, const struct mw_graph *g,
                                      uint64_t i)
{
    const uint32_t n = s->n_stretches, k = (uint32_t)((i + g->partition.rank) % n);
    struct cc_stretch x;
    x.from = mw_stretch_begins(g->n_places, n, k);
    x.to = mw_stretch_begins(g->n_places, n, k + 1);
    x.listed = mw_stretch_begins(g->n_labels, n, k);
    x.last_listed = mw_stretch_begins(g->n_labels, n, k + 1);
    x.first_vertex = x.from < x.to ? cc_own(g, x.from) : 0;
    x.span = x.from < x.to ? cc_own(g, x.to - 1) - x.first_vertex : 0;
    return x;
}

MW_FN uint64_t cc_first_end(const struct mw_graph *g, uint32_t u)
{
    return mw_min(g->row[u] + CC_FIRST_ENTRIES, g->row[u + 1]);
}

/* Unites what is within the stretch; does an edge leave it? */
MW_FN bool cc_unite_within(const struct cc_state *s, const struct mw_graph *g,
                           const struct cc_stretch *x, uint32_t u, mw_vid v, bool wide)
{
    const uint64_t end = cc_first_end(g, u);
    bool leaves = false;
    for (uint64_t k = g->row[u]; k < end; k++) {
        const uint64_t column = mw_number(g->column, k, wide);
        const mw_vid w = mw_number(s->names, column, wide && s->wide_names);
        const bool is_within =
            (column - s->first_column < g->n_labels) & (w - x->first_vertex <= x->span);
        if (is_within)
            cc_unite_own_trees(s->forest, v, w, wide);
        leaves |= !is_within;
    }
    return leaves;
}

MW_FN void cc_unite_places(const struct cc_state *s, const struct mw_graph *g,
                           struct cc_stretch x, bool is_own, bool wide)
{
    for (uint64_t place = x.from; place < x.to; place++) {
        const uint32_t u = g->label_of[place],
                       far = g->label_of[mw_min(place + CC_FAR_AHEAD, x.to - 1)],
                       near = g->label_of[mw_min(place + CC_NEAR_AHEAD, x.to - 1)];
        if (far != MW_NO_LABEL)
            mw_prefetch(&g->row[far]);
        if (near != MW_NO_LABEL)
            mw_prefetch((const char *)g->column + g->row[near] * (wide ? 8 : 4));
        if (u == MW_NO_LABEL)
            continue;
        if (!is_own)
            cc_unite_entries(s, g, u, cc_first_end(g, u));
        else if (cc_unite_within(s, g, &x, u, cc_own(g, place), wide) &&
                 x.listed < x.last_listed)
            s->left[x.listed++] = u;
    }
    if (x.listed < x.last_listed)
        s->left[x.listed] = MW_NO_LABEL;
}

MW_FN void cc_unite_stretch(const struct cc_state *s, const struct mw_graph *g,
                            uint64_t i)
{
    const struct cc_stretch x = cc_stretch_at(s, g, i);
    if (!s->has_own_stretches)
        cc_unite_places(s, g, x, false, g->wide);
    else if (g->wide)
        cc_unite_places(s, g, x, true, true);
    else
        cc_unite_places(s, g, x, true, false);
}

MW_FN void cc_unite_leaving(const struct cc_state *s, const struct mw_graph *g,
                            uint64_t i)
{
    struct cc_stretch x = cc_stretch_at(s, g, i);
    for (; x.listed < x.last_listed && s->left[x.listed] != MW_NO_LABEL; x.listed++)
        cc_unite_entries(s, g, s->left[x.listed], cc_first_end(g, s->left[x.listed]));
}

/* Of hosts, whose trees end at their borders, all edges. */
MW_FN void cc_unite_row(const struct cc_state *s, const struct mw_graph *g, uint64_t u)
{
    cc_unite_entries(s, g, u, g->row[u + 1]);
}

/* Each edge from its larger end, or where a sample was united from the one that sees to it, or from both. */
MW_FN void cc_unite(const struct cc_state *s, const struct mw_graph *g, uint64_t i,
                    uint64_t k)
{
    const uint32_t u = s->left[i];
    const uint64_t entry = g->row[u] + k;
    if (entry == g->row[u + 1])
        return; /* what rounds have behind the neighbours */
    const uint64_t column = mw_number(g->column, entry, g->wide);
    const mw_vid a = cc_vertex_of(s, u), b = cc_name_of(s, column);
    if (b < a || s->of_all) /* then nobody unites it from the other end */
        cc_unite_trees(s->forest, a, b, g->wide);
}

/* When all are united. Who has its root above it already is not written: its neighbours may be other ranks'. */
MW_FN mw_vid cc_settle_place(const struct cc_state *s, const struct mw_graph *g,
                             uint64_t place)
{
    const mw_vid v = cc_own(g, place), above = mw_load(s->forest, v, g->wide);
    mw_vid top = above;
    for (mw_vid up; (up = mw_load(s->forest, top, g->wide)) != top;)
        top = up;
    if (top != above)
        mw_store(s->forest, v, top, g->wide);
    if (s->forest != s->comp)
        mw_store(s->comp, place, top, g->wide);
    return top;
}

MW_FN void cc_settle(const struct cc_state *s, const struct mw_graph *g, uint64_t i)
{
    cc_settle_place(s, g, s->settles_all ? i : g->place_of[s->left[i]]);
}

/* Of all, true: it is in the largest tree of a sample. All its other edges lead to vertices that are in it, or outside,
 * and those see to them. */
MW_FN bool cc_settle_sampled(const struct cc_state *s, const struct mw_graph *g,
                             uint64_t place, bool has_edges)
{
    const bool is_in = cc_settle_place(s, g, place) == s->largest;
    return is_in & has_edges;
}

MW_FN bool cc_has_edges(const struct cc_state *s, const struct mw_graph *g,
                        uint64_t place)
{
    (void)s;
    return g->label_of[place] != MW_NO_LABEL;
}

/* Has no neighbour at another host: rounds pass it over. */
MW_FN bool cc_is_inner(const struct cc_state *s, const struct mw_graph *g, uint64_t place)
{
    const uint32_t u = g->label_of[place];
    if (u == MW_NO_LABEL)
        return false;
    for (uint64_t k = g->row[u]; k < g->row[u + 1]; k++) {
        const uint64_t column = mw_number(g->column, k, g->wide);
        if (!cc_is_near(s, g, mw_column_owner(column, g->label_bits)))
            return false;
    }
    return true;
}

/* ---- devices of several ranks: all edges of who is left, at each------------------------------------ */

/* Behind the neighbours stands the vertex itself. */
MW_FN void cc_tell_edge(const struct cc_state *s, const struct mw_graph *g, uint64_t i,
                        uint64_t k)
{
    const uint32_t u = s->left[i];
    const uint64_t entry = g->row[u] + k, at = (i > 0 ? s->left_end[i - 1] : 0) + k;
    const mw_vid v = cc_own(g, g->place_of[u]);
    s->told[2 * at] = (uint32_t)v;
    s->told[2 * at + 1] =
        (uint32_t)(entry < g->row[u + 1]
                       ? mw_number(g->name, mw_number(g->column, entry, g->wide), g->wide)
                       : v);
}

MW_FN void cc_plant_told(const struct cc_state *s, const struct mw_graph *g, uint64_t k)
{
    const uint32_t v = s->its_told[2 * k];
    (void)g;
    mw_store(s->forest, v, v, false);
}

MW_FN void cc_unite_told(const struct cc_state *s, const struct mw_graph *g, uint64_t k)
{
    const mw_vid a = s->its_told[2 * k], b = s->its_told[2 * k + 1];
    (void)g;
    if (a != b)
        cc_unite_trees(s->forest, a, b, false);
}

#endif
