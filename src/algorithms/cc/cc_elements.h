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

MW_FN bool cc_has_fallen(const struct cc_state *s, uint64_t i)
{
    return s->is[i] != s->was[i];
}

/* Of a place that leads to another one here; else it leads nowhere, or to another rank. */
MW_FN bool cc_leads_on(const struct cc_state *s, const struct mw_graph *g, uint64_t place,
                       uint64_t *up)
{
    uint32_t owner;
    *up = mw_locate(&g->partition, mw_load(s->comp, place, g->wide), &owner);
    return owner == g->partition.rank && *up != place;
}

/* Where a rank has united its own edges, a tree is as one vertex: comp[] of its smallest says what is known of all,
 * and the others' lead there, maybe by the smallest of a tree that this one has been joined to. Halves the way. */
MW_FN uint64_t cc_home(const struct cc_state *s, const struct mw_graph *g, uint64_t place)
{
    uint64_t up, next;
    while (cc_leads_on(s, g, place, &up)) {
        if (!cc_leads_on(s, g, up, &next))
            return up;
        mw_lower(s->comp, place, cc_own(g, next), g->wide);
        place = next;
    }
    return place;
}

/* What is heard of a place is said to its home, which leads nowhere here at that moment: who leads on does so for
 * good, for what it was told before has gone to its home. */
MW_FN void cc_lower_home(const struct cc_state *s, const struct mw_graph *g,
                         uint64_t place, mw_vid value)
{
    mw_vid is;
    uint32_t owner;
    uint64_t up;
    do {
        place = cc_home(s, g, place);
        is = mw_load(s->comp, place, g->wide);
        up = mw_locate(&g->partition, is, &owner);
    } while ((owner == g->partition.rank && up != place) ||
             (value < is && !mw_claim(s->comp, place, is, value, g->wide)));
}

MW_FN bool cc_is_led(const struct cc_state *s, const struct mw_graph *g, uint64_t place)
{
    uint64_t up;
    return s->in_places && cc_leads_on(s, g, place, &up);
}

MW_FN bool cc_is_united(const struct cc_state *s, const struct mw_graph *g,
                        uint64_t column)
{
    return s->in_places && mw_column_owner(column, g->label_bits) == g->partition.rank;
}

/* Of trees each home has its last representative told, if that is another rank's: its own name it has had changed. */
MW_FN bool cc_knows_was(const struct cc_state *s, const struct mw_graph *g, uint64_t i)
{
    return s->in_places && (mw_owner(&g->partition, s->was[i]) == g->partition.rank ||
                            cc_is_led(s, g, g->place_of[s->left[i]]));
}

/* Entry k of who is left is a neighbour; behind them stands the last representative. */
MW_FN void cc_tell_entry(const struct cc_state *s, const struct mw_graph *g, uint64_t i,
                         uint64_t k, struct mw_emitter *e)
{
    const uint32_t u = s->left[i];
    const uint64_t entry = g->row[u] + k;
    if (entry < g->row[u + 1]) {
        const uint64_t column = mw_number(g->column, entry, g->wide);
        if (!cc_is_united(s, g, column))
            cc_join(s, g, mw_number(g->name, column, g->wide), s->is[i], e);
    } else if (s->was[i] != CC_NONE && !cc_knows_was(s, g, i))
        cc_join(s, g, s->was[i], s->is[i], e);
}

/* A representative that is here is its own already: cc_follow() has seen to that. */
MW_FN void cc_ask_representative(const struct cc_state *s, const struct mw_graph *g,
                                 uint64_t i, struct mw_emitter *e)
{
    uint32_t owner;
    const uint64_t up = mw_locate(&g->partition, s->is[i], &owner);
    if (owner != g->partition.rank && !cc_is_led(s, g, g->place_of[s->left[i]]))
        mw_emit(e, owner, (uint32_t)up, g->place_of[s->left[i]]);
}

/* m->child is the representative, m->value the place of who asks for a smaller one. */
MW_FN void cc_answer(const struct cc_state *s, const struct mw_graph *g,
                     const struct mw_visit *m, struct mw_emitter *e)
{
    const mw_vid value = mw_load(s->comp, m->child, g->wide);
    if (value < cc_own(g, m->child))
        mw_emit(e, m->sender, (uint32_t)m->value, value);
}

MW_FN void cc_hear(const struct cc_state *s, const struct mw_graph *g,
                   const struct mw_visit *m)
{
    if (s->in_places)
        cc_lower_home(s, g, m->child, m->value);
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
    return mw_number(s->parent, place, g->wide) != (g->wide ? UINT64_MAX : UINT32_MAX);
}

/* The component of a place as the search leaves it; true: it needs no round. Without a branch, for
 * no processor guesses which places have edges. */
MW_FN bool cc_begin_place(const struct cc_state *s, const struct mw_graph *g,
                          uint64_t place)
{
    const bool reached = cc_is_reached(s, g, place);
    const mw_vid mask = (mw_vid)0 - (mw_vid)reached;
    const mw_vid own = s->in_places ? place : cc_own(g, place);
    mw_set_number(s->comp, place, (s->reached & mask) | (own & ~mask), g->wide);
    return (reached & !s->cut) | s->sampled;
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

/* The same as far as the smallest of a tree, which is then one step away. */
MW_FN mw_vid cc_go_home(const struct cc_state *s, const struct mw_graph *g,
                        uint64_t place)
{
    const uint64_t home = cc_home(s, g, place);
    if (home != place)
        mw_store(s->comp, place, cc_own(g, home), g->wide);
    return mw_load(s->comp, home, g->wide);
}

/* 1: the component has fallen since the last look, and tells of it in this round. */
MW_FN uint64_t cc_look(const struct cc_state *s, const struct mw_graph *g, uint64_t i)
{
    const uint64_t place = g->place_of[s->left[i]];
    s->was[i] = s->is[i];
    s->is[i] = s->in_places ? cc_go_home(s, g, place) : cc_follow(s, g, place);
    return s->is[i] != s->was[i];
}

/* ---- a rank's own edges of who is left, once -------------------------------------------------- */

/* comp[] is a forest of places (cc_forest.h). Each edge from its larger end. */
MW_FN void cc_unite_entry(const struct cc_state *s, const struct mw_graph *g, uint64_t i,
                          uint64_t k, bool several)
{
    const uint32_t u = s->left[i];
    const uint64_t entry = g->row[u] + k;
    if (entry == g->row[u + 1])
        return; /* what rounds have behind the neighbours */
    const uint64_t column = mw_number(g->column, entry, g->wide);
    if (several && mw_column_owner(column, g->label_bits) != g->partition.rank)
        return;
    const uint64_t label = several ? mw_column_label(column, g->label_bits) : column;
    const mw_vid a = g->place_of[u], b = g->place_of[label];
    if (b < a || s->sampled) /* then nobody unites it from the other end */
        cc_unite_trees(s->comp, a, b, g->wide);
}

/* One rank: a column is a label. */
MW_FN void cc_unite(const struct cc_state *s, const struct mw_graph *g, uint64_t i,
                    uint64_t k)
{
    cc_unite_entry(s, g, i, k, false);
}

/* One of several. */
MW_FN void cc_unite_own(const struct cc_state *s, const struct mw_graph *g, uint64_t i,
                        uint64_t k)
{
    cc_unite_entry(s, g, i, k, true);
}

/* One rank: a sample of the edges first (Sutton, Ben-Nun and Barak 2018: Afforest). That makes one tree of most. */
MW_FN void cc_unite_first(const struct cc_state *s, const struct mw_graph *g, uint64_t u)
{
    const uint64_t end = mw_min(g->row[u] + CC_FIRST_ENTRIES, g->row[u + 1]);
    for (uint64_t k = g->row[u]; k < end; k++)
        cc_unite_trees(s->comp, g->place_of[u],
                       g->place_of[mw_number(g->column, k, g->wide)], g->wide);
}

/* All its other edges lead to vertices that are in it, or outside, and those see to them. */
MW_FN bool cc_is_in_largest(const struct cc_state *s, const struct mw_graph *g,
                            uint64_t place)
{
    return g->label_of[place] != MW_NO_LABEL &&
           mw_number(s->comp, place, g->wide) == s->largest;
}

/* When all are united: nobody else is led on, so each comp[] has one writer. */
MW_FN void cc_settle_label(const struct cc_state *s, const struct mw_graph *g, uint64_t u)
{
    const uint64_t place = g->place_of[u];
    mw_vid v = place;
    for (mw_vid up; (up = mw_load(s->comp, v, g->wide)) != v;)
        v = up;
    mw_store(s->comp, place, v, g->wide);
}

MW_FN void cc_settle(const struct cc_state *s, const struct mw_graph *g, uint64_t i)
{
    cc_settle_label(s, g, s->left[i]);
}

/* From now on comp[] has vertices: of each tree the smallest. */
MW_FN void cc_name_own(const struct cc_state *s, const struct mw_graph *g, uint64_t place)
{
    mw_set_number(s->comp, place, cc_own(g, mw_number(s->comp, place, g->wide)), g->wide);
}

/* Neither a neighbour at another rank nor the smallest of its tree: rounds pass it over. (That one may be called after
 * a vertex of another rank already, for the search has reached both.) */
MW_FN bool cc_is_inner(const struct cc_state *s, const struct mw_graph *g, uint64_t place)
{
    const uint32_t me = g->partition.rank, u = g->label_of[place];
    const mw_vid comp = mw_load(s->comp, place, g->wide);
    if (u == MW_NO_LABEL || comp == cc_own(g, place) ||
        mw_owner(&g->partition, comp) != me)
        return false;
    for (uint64_t k = g->row[u]; k < g->row[u + 1]; k++)
        if (mw_column_owner(mw_number(g->column, k, g->wide), g->label_bits) != me)
            return false;
    return true;
}

/* What rounds have found for the smallest of a tree is all the tree's. */
MW_FN void cc_follow_place(const struct cc_state *s, const struct mw_graph *g,
                           uint64_t place)
{
    if (g->label_of[place] != MW_NO_LABEL)
        (void)cc_follow(s, g, place);
}

/* ---- several ranks: all edges of who is left, at each ------------------------------------------ */

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

MW_FN void cc_settle_told(const struct cc_state *s, const struct mw_graph *g, uint64_t i)
{
    const uint64_t place = g->place_of[s->left[i]];
    mw_set_number(s->comp, place, cc_root_of(s->forest, cc_own(g, place), false),
                  g->wide);
}

#endif
