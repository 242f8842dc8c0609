/* bfs_elements.h -- what sweeps of a search do to one place, one label, or one word of either: written once,
 * for all kinds of core (shuffle/patterns.h). What records do is in bfs_records.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_ELEMENTS_H
#define BFS_ELEMENTS_H

#include "algorithms/bfs/bfs_state.h"
#include "traversal/common_elements.h"

/* ---- bottom-up by bitmap --------------------------------------------------------------------- */

MW_FN mw_word bfs_waiting_word(const struct bfs_state *s, const struct mw_graph *g,
                               uint64_t w)
{
    return mw_word_of(s->waiting_valid ? s->waiting : g->connected, w);
}

/* A place whose head is not visited waits on, and its row is to look. */
MW_FN bool bfs_waits_on(const struct bfs_state *s, const struct mw_graph *g,
                        uint64_t place)
{
    if (bfs_has_parent(s, place, g->wide))
        return false;
    if (mw_bit(s->known, mw_number(g->head, place, g->wide))) {
        bfs_set_parent(s, place, mw_number(g->head_name, place, g->wide), g->wide);
        return false;
    }
    mw_set_bit(s->f.mark_bit, g->label_of[place]);
    return true;
}

MW_YES_INTO(bfs_put_waiting, bfs_state, s->waiting)

/* Labels whose rows are to look: those whose head was not visited, or all that are not. Beyond the first
 * leaf the head was all they have. */
MW_FN mw_word bfs_rows_word(const struct bfs_state *s, const struct mw_graph *g,
                            uint64_t w)
{
    const mw_word open = mw_frontier_open(&s->f, w);
    (void)g;
    if (!s->heads_first)
        return open;
    /* What is marked is open. Both words are asked for now, and are near when rows are done. */
    return MW_WORD_BITS * w >= s->first_leaf ? 0 : open & mw_word_of(s->f.mark_bit, w);
}

/* The first column from entry k to `end` of the rows inwards that is visited; false: none is. */
MW_FN bool bfs_first_known(const struct bfs_state *s, const struct mw_graph *g,
                           uint64_t k, uint64_t end, uint64_t *column, bool wide)
{
    for (; k < end; k++) {
        *column = mw_number(g->in_column, k, wide);
        if (mw_bit(s->known, *column))
            return true;
    }
    return false;
}

/* The first visited neighbour of a label becomes its parent: by its name, or by its column where the graph
 * has no table of names. */
MW_FN bool bfs_find_parent(const struct bfs_state *s, const struct mw_graph *g,
                           uint64_t label)
{
    const uint64_t end = g->in_row[label + 1];
    uint64_t column;
    MW_TOUCH(g->in_row, 8 * label);
    if (!bfs_first_known(s, g, g->in_row[label] + s->heads_first, end, &column, g->wide))
        return false; /* or a row without even a head */
    bfs_set_parent(s, g->place_of[label],
                   s->unnamed == NULL ? mw_number(g->name, column, g->wide) : column,
                   g->wide);
    return true;
}

/* The others have a parent, from here or from heads. */
MW_FN mw_word bfs_found_word(const struct bfs_state *s, const struct mw_graph *g,
                             uint64_t w, mw_word looked, mw_word found, mw_word second)
{
    const mw_word open = mw_frontier_open(&s->f, w);
    const mw_word were = s->heads_first ? mw_frontier_take_word(&s->f, w) : open;
    (void)g, (void)looked, (void)second;
    if (s->unnamed != NULL)
        mw_put_word(s->unnamed, w, mw_word_of(s->unnamed, w) | found);
    return (open & ~were) | found;
}

/* ---- bottom-up by messages ------------------------------------------------------------------- */

/* What a row's entries tell without asking. */
enum { BFS_NOTHING = 0, BFS_FOUND = 1, BFS_ASK = 2 };

MW_FN uint32_t bfs_look_up(const struct bfs_state *s, const struct mw_graph *g,
                           uint64_t label, bool wide)
{
    const uint64_t end = g->in_row[label + 1];
    uint32_t so_far = BFS_NOTHING;
    MW_TOUCH(g->in_row, 8 * label);
    for (uint64_t k = g->in_row[label]; k < end; k++) {
        const uint64_t column = mw_number(g->in_column, k, wide);
        const uint32_t owner = mw_column_owner(column, g->label_bits);
        const uint32_t other = mw_column_label(column, g->label_bits);
        uint32_t place;
        if (other < s->n_look_hubs) {
            if (!bfs_hub_is_visited(s, owner, other))
                continue;
            place = s->hubs.place[owner * s->hubs.n_hubs + other];
        } else if (s->look_at_own && owner == g->partition.rank) {
            if (!mw_bit(s->f.visited, other))
                continue;
            place = g->place_of[other];
        } else {
            so_far = BFS_ASK;
            continue;
        }
        bfs_set_parent(s, g->place_of[label], mw_vertex_at(g, owner, place), wide);
        return BFS_FOUND;
    }
    return so_far;
}

MW_FN mw_word bfs_open_word(const struct bfs_state *s, const struct mw_graph *g,
                            uint64_t w)
{
    (void)g;
    return mw_frontier_open(&s->f, w);
}

MW_FN uint32_t bfs_look_up_row(const struct bfs_state *s, const struct mw_graph *g,
                               uint64_t label)
{
    return bfs_look_up(s, g, label, g->wide);
}

/* Who is found goes to the frontier's bits and stays there until it is joined. */
MW_FN void bfs_put_looked_up(const struct bfs_state *s, const struct mw_graph *g,
                             uint64_t w, mw_word looked, mw_word found, mw_word asking)
{
    (void)g, (void)looked;
    mw_put_word(s->asking, w, asking);
    mw_put_word(s->f.bits, w, found);
}

/* Who has not been answered yet. */
MW_FN mw_word bfs_asking_word(const struct bfs_state *s, const struct mw_graph *g,
                              uint64_t w)
{
    const mw_word asking =
        mw_word_of(s->asking, w) & (mw_word)~mw_frontier_marks_word(&s->f, w);
    (void)g;
    mw_put_word(s->asking, w, asking);
    return asking;
}

/* Entries that a label asks for in this round. */
MW_FN uint64_t bfs_questions_of(const struct bfs_state *s, const struct mw_graph *g,
                                uint64_t label)
{
    const uint64_t left =
        g->in_row[label + 1] - bfs_beyond_hubs(g, s->n_look_hubs, label, g->wide);
    return left > s->ask_from ? mw_min(left, s->ask_to) - s->ask_from : 0;
}

/* And what owners have answered. */
MW_FN mw_word bfs_joined_word(const struct bfs_state *s, const struct mw_graph *g,
                              uint64_t w, mw_word looked, mw_word yes, mw_word second)
{
    (void)g, (void)looked, (void)yes, (void)second;
    return mw_word_of(s->f.bits, w) | mw_frontier_take_word(&s->f, w);
}

/* ---- before top-down levels ------------------------------------------------------------------- */

MW_FN uint64_t bfs_refreshed_words(const struct bfs_state *s)
{
    return s->known != NULL ? s->n_seen_words : s->f.n_words;
}

MW_FN void bfs_refresh_word(const struct bfs_state *s, const struct mw_graph *g,
                            const struct bfs_lane *l, uint64_t w)
{
    (void)g;
    l->seen[w] |= mw_load(s->known != NULL ? s->known : s->f.visited, w, true);
}

/* Words of the hubs of a rank that top-down need not send to. */
MW_FN uint64_t bfs_drop_words(const struct bfs_state *s)
{
    return (s->n_drop_hubs + UINT64_C(63)) / 64;
}

/* Word i of those of all ranks. */
MW_FN void bfs_absorb_word(const struct bfs_state *s, const struct mw_graph *g,
                           const struct bfs_lane *l, uint64_t i)
{
    const uint64_t rank = i / bfs_drop_words(s), w = i % bfs_drop_words(s);
    if (rank != g->partition.rank)
        l->seen[s->seen_hubs / 64 + rank * (s->seen_stride / 64) + w] |=
            s->hubs.visited[rank * s->hubs.n_words + w];
}

/* ---- delegates ---------------------------------------------------------------------------------- */

/* Of word w the delegated labels of mine that are reached and were not told of. */
MW_FN void bfs_tell_word(const struct bfs_state *s, const struct mw_graph *g, uint64_t w)
{
    const struct bfs_delegates *x = &s->delegates;
    const uint64_t left = x->n_here - mw_min(x->n_here, 64 * w);
    const uint64_t here = left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
    const uint64_t reached =
        here != 0 ? s->f.visited[w] | (s->f.listed ? 0 : s->f.bits[w]) : 0;
    (void)g;
    x->news[w] = here & reached & ~x->told[w];
    x->told[w] |= x->news[w];
}

/* Of the list: who is expanded by its owner. */
MW_FN bool bfs_stays_listed(const struct bfs_state *s, const struct mw_graph *g,
                            uint64_t i)
{
    (void)g;
    return s->f.list[i] >= s->drop_below;
}

/* ---- before a search ---------------------------------------------------------------------------- */

MW_FN uint64_t bfs_reset_items(const struct bfs_state *s, const struct mw_graph *g)
{
    const uint64_t words = mw_max(s->n_seen_words, s->f.n_words);
    return mw_max(mw_max(g->n_places, words), g->n_columns / 64);
}

/* Item i of each table. */
MW_FN void bfs_reset_item(const struct bfs_state *s, const struct mw_graph *g,
                          const struct bfs_lane *l, uint64_t i)
{
    if (i < g->n_places)
        bfs_set_parent(s, i, UINT64_MAX, g->wide);
    if (i < s->n_seen_words)
        l->seen[i] = 0;
    if (s->known == NULL && i < s->f.n_words)
        s->f.visited[i] = 0;
    if (s->known != NULL && s->clears_known && i < g->n_columns / 64)
        s->known[i] = 0;
    if (s->unnamed != NULL && i < s->f.n_words)
        s->unnamed[i] = 0;
    if (s->delegates.d != NULL && i < s->delegates.n_words)
        s->delegates.told[i] = 0;
}

/* The root is the list, if it has an edge; says how many. */
MW_FN uint64_t bfs_start_root(const struct bfs_state *s, const struct mw_graph *g,
                              uint64_t i)
{
    const uint32_t label = g->label_of[s->root_place];
    (void)i;
    bfs_set_parent(s, s->root_place, s->root, g->wide);
    if (label == MW_NO_LABEL)
        return 0;
    s->f.list[0] = label;
    s->f.list_end[0] = g->row[label + 1] - g->row[label];
    mw_frontier_visit_word(&s->f, label / 64, UINT64_C(1) << (label % 64));
    return s->f.list_end[0];
}

#endif
