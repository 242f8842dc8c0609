/* sssp_elements.h -- what shortest paths do to one edge, one record and one vertex: written once, for
 * all kinds of core (shuffle/patterns.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_ELEMENTS_H
#define SSSP_ELEMENTS_H

#include "algorithms/sssp/sssp_state.h"
#include "traversal/common_elements.h"

/* ---- a round ------------------------------------------------------------------------------- */

/* Where the state of a rank of this host begins, by its number there: words of bitmaps from mine. */
MW_FN int64_t sssp_part_of(const struct sssp_state *s, uint32_t near)
{
    return ((int64_t)near - s->host_rank) * (int64_t)s->stride;
}

/* At that rank the node has a way of this distance, by this parent: a word. Is it news? */
MW_FN bool sssp_claims(const struct sssp_state *s, int64_t part, uint32_t node,
                       uint64_t word)
{
    uint64_t *const words = s->word + 64 * part;
    uint64_t is = mw_load(words, node, true);
    while (word >> 32 < is >> 32) {
        if (mw_claim(words, node, is, word, true))
            return true;
        is = mw_load(words, node, true);
    }
    return false;
}

MW_FN void sssp_lower(const struct sssp_state *s, int64_t part, uint32_t node,
                      uint64_t word)
{
    if (sssp_claims(s, part, node, word))
        mw_set_bit((word >> 32 < s->limit ? s->near : s->far) + part, node);
}

/* The word of a way of this length by u, of which the word is `from`. */
MW_FN uint64_t sssp_word_by(const struct sssp_state *s, uint32_t u, uint64_t from,
                            float distance)
{
    return mw_word_of_float(distance,
                            s->counts_hops ? (uint32_t)from + UINT32_C(1) : s->name[u]);
}

/* A way from u, of which the word is `from`. Most are no news. */
MW_FN bool sssp_falls(const struct sssp_state *s, int64_t part, uint32_t node, uint32_t u,
                      uint64_t from, float distance)
{
    return mw_bits_of_float(distance) < mw_load(s->word + 64 * part, node, true) >> 32 &&
           sssp_claims(s, part, node, sssp_word_by(s, u, from, distance));
}

MW_FN void sssp_offer(const struct sssp_state *s, int64_t part, uint32_t node, uint32_t u,
                      uint64_t from, float distance)
{
    if (sssp_falls(s, part, node, u, from, distance))
        mw_set_bit((mw_bits_of_float(distance) < s->limit ? s->near : s->far) + part,
                   node);
}

/* The way from u by an entry. */
MW_FN void sssp_go(const struct sssp_state *s, const struct mw_graph *g, uint32_t u,
                   uint64_t entry, struct mw_emitter *e)
{
    const uint64_t column = mw_number(s->rows.column, entry, g->wide);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    const uint32_t node = mw_column_label(column, g->label_bits);
    const uint64_t from = mw_load(s->word, u, true);
    const float distance = mw_float_of_word(from) + s->rows.weight[entry];
    if (mw_here(e, owner)) {
        sssp_offer(s, 0, node, u, from, distance);
        return;
    }
    const uint32_t near = s->has_peers ? mw_near(e, owner) : MW_FAR;
    if (near != MW_FAR)
        sssp_offer(s, sssp_part_of(s, near), node, u, from, distance);
    else
        mw_emit(e, owner, node, sssp_word_by(s, u, from, distance));
}

enum { SSSP_ENTRIES_AHEAD = 12 };

/* Who is at the entry will be asked for soon. */
MW_FN void sssp_look_ahead(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t entry)
{
    const uint64_t column = mw_number(s->rows.column, entry, g->wide);
    mw_prefetch(s->word + mw_column_label(column, g->label_bits));
}

/* The landmark's search, which counts hops, goes by light edges. */
MW_FN bool sssp_is_taken(const struct sssp_state *s, float weight)
{
    return !s->counts_hops || weight < s->light;
}

/* Entry k of row i of the list: its neighbour has a way through here. */
MW_FN void sssp_relax(const struct sssp_state *s, const struct mw_graph *g, uint64_t i,
                      uint64_t k, struct mw_emitter *e)
{
    const uint32_t u = s->list[i];
    const uint64_t entry = s->begin[u] + k;
    const uint64_t ahead = entry + SSSP_ENTRIES_AHEAD;
    if (!sssp_is_taken(s, s->rows.weight[entry]))
        return;
    if (ahead < s->rows.n_entries && sssp_is_taken(s, s->rows.weight[ahead]))
        sssp_look_ahead(s, g, ahead);
    sssp_go(s, g, u, entry, e);
}

MW_FN bool sssp_has_way(const struct sssp_state *s, uint64_t u)
{
    return mw_load(s->word, u, true) != SSSP_NO_WORD;
}

/* Where those to other ranks' leaves begin that the node tells. */
MW_FN uint64_t sssp_first_told(const struct sssp_state *s, uint32_t node)
{
    return s->n_inner + (node > 0 ? s->told_end[node - 1] : 0);
}

/* Entry k of those to other ranks' leaves in row u. */
MW_FN void sssp_tell_leaf(const struct sssp_state *s, const struct mw_graph *g,
                          uint64_t u, uint64_t k, struct mw_emitter *e)
{
    sssp_go(s, g, (uint32_t)u, sssp_first_told(s, (uint32_t)u) + k, e);
}

MW_FN void sssp_settle(const struct sssp_state *s, const struct mw_graph *g,
                       const struct mw_visit *m)
{
    (void)g;
    sssp_lower(s, 0, m->child, m->value);
}

MW_FN void sssp_sample_at(const struct sssp_state *s, const struct mw_graph *g,
                          uint64_t i)
{
    s->sample[i] = g->weight[i * s->sample_step];
}

/* ---- before a run -------------------------------------------------------------------------- */

MW_FN void sssp_forget_node(const struct sssp_state *s, const struct mw_graph *g,
                            uint64_t node)
{
    (void)g;
    s->word[node] = SSSP_NO_WORD;
    if (node % 64 != 0)
        return;
    s->near[node / 64] = s->far[node / 64] = 0;
    if (s->heavy != NULL)
        s->owing[node / 64] = 0;
}

MW_FN void sssp_begin_at(const struct sssp_state *s, const struct mw_graph *g, uint64_t i)
{
    uint64_t word;
    const uint32_t at = sssp_first(s, g, &word);
    (void)i;
    if (at == MW_NO_LABEL)
        return;
    sssp_words_of_peers(s, g)[at] = word;
    (s->near - sssp_before(s, g) / 64)[at / 64] |= UINT64_C(1) << (at % 64);
}

/* ---- between rounds ------------------------------------------------------------------------ */

MW_FN uint64_t sssp_units_of(const struct sssp_state *s, const struct mw_graph *g,
                             uint64_t u)
{
    (void)g;
    return s->end[u] - s->begin[u];
}

/* They are listed, and relaxed. */
MW_FN void sssp_forget_near_word(const struct sssp_state *s, const struct mw_graph *g,
                                 uint64_t w)
{
    (void)g;
    if (s->part == SSSP_LIGHT)
        s->owing[w] |= s->near[w];
    s->near[w] = 0;
}

/* Who owes heavy entries pays them in the next round. */
MW_FN void sssp_owe_word(const struct sssp_state *s, const struct mw_graph *g, uint64_t w)
{
    (void)g;
    s->near[w] = s->owing[w];
    s->owing[w] = 0;
}

/* Of a word of those that are far: who is in the bucket is near from now on. Who has fallen below it
 * was near at that time. */
MW_FN uint64_t sssp_next_word(const struct sssp_state *s, const struct mw_graph *g,
                              uint64_t w)
{
    uint64_t stay = 0, near = 0, n = 0;
    (void)g;
    for (uint64_t bits = s->far[w]; bits != 0; bits &= bits - 1) {
        const uint64_t bit = bits & (~bits + 1);
        const uint64_t distance = s->word[64 * w + mw_lowest_bit(bits)] >> 32;
        if (distance >= s->limit) {
            stay |= bit;
            n++;
            mw_lower(s->least, SSSP_LEAST_FAR, distance, true);
        } else if (distance >= s->below)
            near |= bit;
    }
    s->far[w] = stay;
    s->near[w] |= near;
    return n;
}

MW_FN uint64_t sssp_n_told(const struct sssp_state *s)
{
    return s->asks_landmark ? (uint64_t)SSSP_LEASTS + 1 : (uint64_t)SSSP_LEASTS;
}

/* The host hears of the least ones, which begin anew, and where the landmark is. */
MW_FN void sssp_tell(const struct sssp_state *s, const struct mw_graph *g, uint64_t i)
{
    if (i == SSSP_LEASTS) {
        s->told->landmark =
            sssp_words_of_peers(s, g)[s->hook[s->landmark_place].at] >> 32;
    } else {
        s->told->least[i] = s->least[i];
        s->least[i] = UINT64_MAX;
    }
}

/* A landmark at this distance: there is a way by it to the node, so of longer ones nobody need hear. A word without
 * a parent, of a distance that is above the true one, so that it will fall; all ones: there is none. */
MW_FN uint64_t sssp_bound_by(const struct sssp_state *s, uint64_t node, float distance)
{
    const uint64_t by =
        mw_bits_of_float(distance + s->kept_way[node] + s->margin) + UINT64_C(1);
    return by < MW_BITS_OF_INFINITY ? by << 32 | UINT32_MAX : SSSP_NO_WORD;
}

MW_FN void sssp_bound_node(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t node)
{
    const uint64_t by = sssp_bound_by(s, node, s->to_landmark);
    (void)g;
    s->word[node] = mw_min(s->word[node], by);
}

/* ---- pull ---------------------------------------------------------------------------------- */

/* The node takes the least way by a neighbour, lightest edges first, until no heavier one could be shorter. Returns how
 * many entries it looked at. */
MW_FN uint64_t sssp_pull_node(const struct sssp_state *s, const struct mw_graph *g,
                              uint64_t node, mw_word *changed)
{
    const uint64_t *const words = sssp_words_of_peers(s, g);
    const uint64_t is = s->word[node], first = s->rows.row[node],
                   last = s->rows.row[node + 1];
    uint64_t best = is >> 32, entry = first;
    uint64_t by = 0;
    if (best <= s->settled)
        return 0;
    for (; entry < last; entry++) {
        const float weight = s->rows.weight[entry];
        if (mw_bits_of_float(s->from +
                             sssp_least_of_class(s, sssp_class_of(s, weight))) >= best)
            break;
        const uint64_t column = mw_number(s->rows.column, entry, g->wide);
        const uint32_t at = sssp_at(s, mw_column_owner(column, g->label_bits),
                                    mw_column_label(column, g->label_bits));
        const uint64_t from = mw_load(words, at, true);
        if (from >> 32 >= best)
            continue;
        const uint64_t distance = mw_bits_of_float(mw_float_of_word(from) + weight);
        if (distance < best)
            best = distance, by = column;
    }
    if (best < is >> 32) {
        mw_store(s->word, node, best << 32 | s->names[by], true);
        *changed |= (mw_word)1 << node % MW_WORD_BITS;
    }
    return entry - first;
}

/* Nobody owes anything then: each neighbour of those who do has looked. */
MW_FN uint64_t sssp_pull_word(const struct sssp_state *s, const struct mw_graph *g,
                              uint64_t w)
{
    mw_word changed = 0;
    uint64_t n = 0;
    const uint64_t last = mw_min(MW_WORD_BITS * (w + 1), s->rows.n);
    for (uint64_t node = MW_WORD_BITS * w; node < last; node++)
        n += sssp_pull_node(s, g, node, &changed);
    mw_put_word(s->near, w, changed);
    mw_put_word(s->far, w, 0);
    mw_put_word(s->owing, w, 0);
    return n;
}

/* ---- after them ---------------------------------------------------------------------------- */

/* Who has no node finds the word behind all others, all ones: no parent, and further than infinity. Nothing here
 * is a branch, for it would often be guessed wrong, and found out late; but the root, which may be a leaf, or
 * isolated. */
MW_FN void sssp_answer_at(const struct sssp_state *s, const struct mw_graph *g,
                          uint64_t place)
{
    const struct sssp_hook hook = s->hook[place];
    const uint64_t word = sssp_words_of_peers(s, g)[hook.at];
    const uint64_t no_way = UINT64_C(0) - (word == SSSP_NO_WORD);
    uint64_t parent = hook.parent != SSSP_NO_LEAF ? hook.parent : (uint32_t)word;
    uint32_t distance = mw_bits_of_float(mw_float_of_word(word) + hook.weight);
    if (place == s->root_place)
        parent = s->root, distance = 0;
    else
        parent |= no_way;
    mw_set_number(s->parent, place, parent, g->wide);
    s->distance[place] =
        mw_float_of_bits(distance < MW_BITS_OF_INFINITY ? distance : MW_BITS_OF_INFINITY);
}

MW_FN bool sssp_is_reached(const struct sssp_state *s, uint64_t place)
{
    return mw_bits_of_float(s->distance[place]) < MW_BITS_OF_INFINITY;
}

MW_FN uint64_t sssp_reached(const struct sssp_state *s, const struct mw_graph *g,
                            uint64_t place)
{
    (void)g;
    return sssp_is_reached(s, place);
}

MW_FN uint64_t sssp_ends(const struct sssp_state *s, const struct mw_graph *g,
                         uint64_t place)
{
    return sssp_is_reached(s, place) ? g->degree[place] : 0;
}

#endif
