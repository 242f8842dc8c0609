/* bfs_records.h -- what a search does to one edge of the frontier, one question and one record: written
 * once, for all kinds of core (shuffle/patterns.h).
 *
 * Here cores of a device share a lane: who first takes a vertex's mark sets its parent. The bitmaps
 * `visited` and the marks decide, so neither parents nor lists are looked at, and columns of this rank have
 * no use for `seen`. Cores of hosts and of a mesh claim in blocks instead, each with a lane of its own
 * (bfs_kernels.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_RECORDS_H
#define BFS_RECORDS_H

#include "algorithms/bfs/bfs_state.h"

/* ---- top-down, by cores that share a lane ------------------------------------------------------- */

/* True for one of all who try. Of the edges few get so far: the parent is read afterwards. */
MW_FN bool bfs_take_label(const struct bfs_state *s, uint32_t label)
{
    return !mw_bit(s->f.visited, label) && mw_take_bit(s->f.mark_bit, label);
}

/* For columns of others: is there a use in sending? Once for each that `seen` has a bit for. */
MW_FN bool bfs_is_news(const struct bfs_state *s, const struct bfs_lane *l,
                       uint32_t owner, uint32_t label, uint64_t column)
{
    if (s->seen_kind != BFS_OWN_AND_HUBS)
        return mw_take_bit(l->seen, column);
    if (label < s->n_drop_hubs)
        return mw_take_bit(l->seen, s->seen_hubs + owner * s->seen_stride + label);
    return true;
}

MW_FN bool bfs_any_row(const struct bfs_state *s, uint64_t i)
{
    (void)s, (void)i;
    return true;
}

/* Entry k of listed row i. 1: a record to a hub that is known to be visited was dropped. */
MW_FN uint64_t bfs_expand_entry(const struct bfs_state *s, const struct mw_graph *g,
                                const struct bfs_lane *l, uint64_t i, uint64_t k,
                                struct mw_emitter *e)
{
    const uint32_t u = s->f.list[i];
    const uint64_t column = mw_number(g->column, g->row[u] + k, g->wide);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    const uint32_t label = mw_column_label(column, g->label_bits);
    if (mw_here(e, owner)) {
        if (bfs_take_label(s, label))
            bfs_set_parent(s, g->place_of[label], mw_vertex_at(g, owner, g->place_of[u]),
                           g->wide);
    } else if (bfs_is_news(s, l, owner, label, column)) {
        mw_emit(e, owner, label, g->place_of[u]);
    } else {
        return label < s->n_drop_hubs && bfs_hub_is_visited(s, owner, label);
    }
    return 0;
}

MW_FN void bfs_hear_visit(const struct bfs_state *s, const struct mw_graph *g,
                          const struct mw_visit *m)
{
    if (bfs_take_label(s, m->child))
        bfs_set_parent(s, g->place_of[m->child], mw_vertex_at(g, m->sender, m->value),
                       g->wide);
}

/* Entry k of active piece i. */
MW_FN void bfs_piece_entry(const struct bfs_state *s, const struct mw_graph *g,
                           uint64_t i, uint64_t k)
{
    const struct bfs_piece piece = s->delegates.of_cores.piece[i];
    const uint32_t label = s->delegates.label[piece.start + k];
    if (bfs_take_label(s, label))
        bfs_set_parent(s, g->place_of[label], piece.parent, g->wide);
}

/* ---- bottom-up by messages: all cores ------------------------------------------------------------ */

/* u asks the owner of an entry of its row. One that is looked up already is not visited. */
MW_FN uint64_t bfs_ask_owner(const struct mw_graph *g, uint32_t u, uint64_t entry,
                             struct mw_emitter *e, bool wide)
{
    const uint64_t column = mw_number(g->in_column, entry, wide);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    if (mw_here(e, owner))
        return 0;
    mw_emit(e, owner, mw_column_label(column, g->label_bits), u);
    return 1;
}

/* Entry k of those that listed label i asks for in this round. */
MW_FN uint64_t bfs_ask_entry(const struct bfs_state *s, const struct mw_graph *g,
                             const struct bfs_lane *l, uint64_t i, uint64_t k,
                             struct mw_emitter *e)
{
    const uint32_t u = s->f.list[i];
    const uint64_t first = bfs_beyond_hubs(g, s->n_look_hubs, u, g->wide);
    (void)l;
    return bfs_ask_owner(g, u, first + s->ask_from + k, e, g->wide);
}

/* Backward handler: the asked vertex is m->child. A yes turns round and travels on as a visit; a no is
 * silence. */
MW_FN uint64_t bfs_answer(const struct bfs_state *s, const struct mw_graph *g,
                          const struct bfs_lane *l, const struct mw_visit *m,
                          struct mw_emitter *e)
{
    (void)l;
    if (!mw_bit(s->f.visited, m->child))
        return 0;
    mw_emit(e, m->sender, (uint32_t)m->value, g->place_of[m->child]);
    return 1;
}

/* ---- names, after the last level: all cores ------------------------------------------------------- */

/* u has found a parent by its column only. The owner answers as it answers questions, for a parent is
 * visited. */
MW_FN void bfs_ask_name_of(const struct bfs_state *s, const struct mw_graph *g,
                           uint64_t u, struct mw_emitter *e, bool wide)
{
    const uint64_t column = mw_number(s->parent, g->place_of[u], wide);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    const uint32_t label = mw_column_label(column, g->label_bits);
    if (mw_here(e, owner))
        bfs_set_parent(s, g->place_of[u], mw_vertex_at(g, owner, g->place_of[label]),
                       wide);
    else
        mw_emit(e, owner, label, u);
}

MW_FN void bfs_ask_name(const struct bfs_state *s, const struct mw_graph *g, uint64_t u,
                        struct mw_emitter *e)
{
    if (mw_bit(s->unnamed, u))
        bfs_ask_name_of(s, g, u, e, g->wide);
}

MW_FN void bfs_hear_name(const struct bfs_state *s, const struct mw_graph *g,
                         const struct mw_visit *m)
{
    bfs_set_parent(s, g->place_of[m->child], mw_vertex_at(g, m->sender, m->value),
                   g->wide);
}

#endif
