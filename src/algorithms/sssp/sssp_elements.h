/* sssp_elements.h -- what shortest paths do to one edge, one record and one vertex: written once, for
 * all kinds of core (shuffle/patterns.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_ELEMENTS_H
#define SSSP_ELEMENTS_H

#include "algorithms/sssp/sssp_state.h"

/* ---- a round ------------------------------------------------------------------------------- */

/* The vertex has a way of this distance, by this parent: a word. */
MW_FN void sssp_lower(const struct sssp_state *s, uint32_t label, uint64_t word)
{
    const uint64_t distance = word >> 32;
    uint64_t is = mw_load(s->word, label, true);
    while (distance < is >> 32) {
        if (mw_claim(s->word, label, is, word, true)) {
            mw_set_bit(distance < s->limit ? s->near : s->far, label);
            return;
        }
        is = mw_load(s->word, label, true);
    }
}

MW_FN bool sssp_any(const struct sssp_state *s, uint64_t i)
{
    (void)s, (void)i;
    return true;
}

/* The word of a way of this length by u, of which the word is `from`. */
MW_FN uint64_t sssp_word_by(const struct sssp_state *s, const struct mw_graph *g,
                            uint32_t u, uint64_t from, float distance)
{
    const uint64_t number = s->counts_hops
                                ? (uint32_t)from + UINT64_C(1)
                                : mw_vertex_at(g, g->partition.rank, g->place_of[u]);
    return mw_word_of_float(distance, (uint32_t)number);
}

/* The way from u by an entry of its row. Most find a neighbour that is as near already. */
MW_FN void sssp_go(const struct sssp_state *s, const struct mw_graph *g, uint32_t u,
                   const void *columns, const float *weights, uint64_t entry,
                   struct mw_emitter *e)
{
    const uint64_t column = mw_number(columns, entry, g->wide);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    const uint32_t label = mw_column_label(column, g->label_bits);
    const uint64_t from = mw_load(s->word, u, true);
    const float distance = mw_float_of_word(from) + weights[entry];
    if (!mw_here(e, owner))
        mw_emit(e, owner, label, sssp_word_by(s, g, u, from, distance));
    else if (mw_bits_of_float(distance) < mw_load(s->word, label, true) >> 32)
        sssp_lower(s, label, sssp_word_by(s, g, u, from, distance));
}

enum { SSSP_ENTRIES_AHEAD = 12 };

/* Who is at the entry will be asked for soon. */
MW_FN void sssp_look_ahead(const struct sssp_state *s, const struct mw_graph *g,
                           const void *columns, uint64_t entry)
{
    const uint64_t column = mw_number(columns, entry, g->wide);
    mw_prefetch(s->word + mw_column_label(column, g->label_bits));
}

/* The landmark's search, which counts hops, goes by light edges. */
MW_FN bool sssp_is_taken(const struct sssp_state *s, float weight)
{
    return !s->counts_hops || weight < s->light;
}

/* Entry k of row i of the list, in these rows: its neighbour has a way through here. */
MW_FN void sssp_relax_in(const struct sssp_state *s, const struct mw_graph *g,
                         const uint64_t *row, const void *columns, const float *weights,
                         uint64_t i, uint64_t k, uint64_t n, struct mw_emitter *e)
{
    const uint32_t u = s->list[i];
    const uint64_t entry = row[u] + k;
    const uint64_t ahead = entry + SSSP_ENTRIES_AHEAD;
    if (!sssp_is_taken(s, weights[entry]))
        return;
    if (ahead < n && sssp_is_taken(s, weights[ahead]))
        sssp_look_ahead(s, g, columns, ahead);
    sssp_go(s, g, u, columns, weights, entry, e);
}

MW_FN void sssp_relax(const struct sssp_state *s, const struct mw_graph *g, uint64_t i,
                      uint64_t k, struct mw_emitter *e)
{
    if (s->kept_row != NULL)
        sssp_relax_in(s, g, s->kept_row, s->kept_column, s->kept_weight, i, k,
                      s->counts->n_inner, e);
    else
        sssp_relax_in(s, g, g->row, g->column, g->weight, i, k, g->row[g->n_labels], e);
}

MW_FN bool sssp_has_way(const struct sssp_state *s, uint64_t u)
{
    return s->word[u] != SSSP_NO_WORD;
}

/* Entry k of those to other ranks' leaves in row u. */
MW_FN void sssp_tell_leaf(const struct sssp_state *s, const struct mw_graph *g,
                          uint64_t u, uint64_t k, struct mw_emitter *e)
{
    const uint64_t entry = s->counts->n_inner + (u > 0 ? s->leaf_end[u - 1] : 0) + k;
    sssp_go(s, g, (uint32_t)u, s->kept_column, s->kept_weight, entry, e);
}

MW_FN void sssp_settle(const struct sssp_state *s, const struct mw_graph *g,
                       const struct mw_visit *m)
{
    (void)g;
    sssp_lower(s, m->child, m->value);
}

MW_FN void sssp_sample_at(const struct sssp_state *s, const struct mw_graph *g,
                          uint64_t i)
{
    s->sample[i] = g->weight[i * s->sample_step];
}

/* ---- before a run -------------------------------------------------------------------------- */

MW_FN void sssp_forget_label(const struct sssp_state *s, const struct mw_graph *g,
                             uint64_t label)
{
    (void)g;
    s->word[label] = SSSP_NO_WORD;
    if (label % 64 == 0)
        s->near[label / 64] = s->far[label / 64] = 0;
}

MW_FN void sssp_begin_at(const struct sssp_state *s, const struct mw_graph *g, uint64_t i)
{
    const uint32_t label =
        s->root_place != SSSP_NO_PLACE ? g->label_of[s->root_place] : MW_NO_LABEL;
    (void)i;
    if (label == MW_NO_LABEL)
        return;
    s->word[label] = s->counts_hops ? 0 : s->root;
    s->near[label / 64] |= UINT64_C(1) << (label % 64);
}

/* ---- between rounds ------------------------------------------------------------------------ */

MW_FN uint64_t sssp_units_of(const struct sssp_state *s, const struct mw_graph *g,
                             uint64_t u)
{
    return s->kept_row != NULL ? s->kept_row[u + 1] - s->kept_row[u]
                               : g->row[u + 1] - g->row[u];
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
        const uint64_t label = 64 * w + mw_lowest_bit(bits);
        const uint64_t distance = s->word[label] >> 32;
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

/* The host hears of the least ones, which begin anew. */
MW_FN void sssp_tell_least_of(const struct sssp_state *s, const struct mw_graph *g,
                              uint64_t i)
{
    (void)g;
    s->counts->least[i] = s->least[i];
    s->least[i] = UINT64_MAX;
}

/* ---- after them ---------------------------------------------------------------------------- */

/* A leaf hangs on its only neighbour, which has its word; other ranks have told theirs. Of a pair of
 * neighbours without others both have a word, or neither has. */
MW_FN void sssp_hang_label(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t label)
{
    const uint64_t entry = s->kept_row[label];
    if (s->word[label] != SSSP_NO_WORD || s->kept_row[label + 1] - entry != 1)
        return;
    const uint64_t column = mw_number(s->kept_column, entry, g->wide);
    const uint32_t u = mw_column_label(column, g->label_bits);
    if (mw_column_owner(column, g->label_bits) != g->partition.rank ||
        s->word[u] == SSSP_NO_WORD)
        return;
    const uint64_t from = s->word[u];
    s->word[label] =
        sssp_word_by(s, g, u, from, mw_float_of_word(from) + s->kept_weight[entry]);
}

/* Who has no label finds the word behind all others, for a branch would often be guessed wrong; all ones
 * are no parent, and further than infinity. An isolated root is all that it reaches. */
MW_FN void sssp_answer_at(const struct sssp_state *s, const struct mw_graph *g,
                          uint64_t place)
{
    const uint32_t label = g->label_of[place];
    uint64_t word = s->word[mw_min(label, g->n_labels)];
    if (place == s->root_place && label == MW_NO_LABEL)
        word = s->root;
    const uint64_t distance = mw_min(word >> 32, MW_BITS_OF_INFINITY);
    mw_set_number(s->parent, place, word == SSSP_NO_WORD ? UINT64_MAX : (uint32_t)word,
                  g->wide);
    s->distance[place] = mw_float_of_bits((uint32_t)distance);
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

/* ---- pruning, once ------------------------------------------------------------------------- */

MW_FN uint64_t sssp_own_column(const struct mw_graph *g, uint64_t label)
{
    return mw_column(g->partition.rank, (uint32_t)label, g->label_bits);
}

MW_FN void sssp_landmark_label(const struct sssp_state *s, const struct mw_graph *g,
                               uint64_t label)
{
    const uint64_t word = s->word[label];
    s->landmark[sssp_own_column(g, label)] = mw_float_of_word(word);
    if (word == SSSP_NO_WORD)
        return;
    mw_lower(s->least, SSSP_HOPS_LEFT, UINT64_MAX - (uint32_t)word, true);
    mw_lower(s->least, SSSP_BITS_LEFT, UINT64_MAX - (word >> 32), true);
}

/* Who has no way yet takes the least by a neighbour that has one. */
MW_FN uint64_t sssp_reach_label(const struct sssp_state *s, const struct mw_graph *g,
                                uint64_t label)
{
    float least = mw_float_of_bits(MW_BITS_OF_INFINITY);
    if (s->word[label] != SSSP_NO_WORD)
        return 0;
    for (uint64_t entry = g->row[label]; entry < g->row[label + 1]; entry++) {
        const float by =
            s->landmark[mw_number(g->column, entry, g->wide)] + g->weight[entry];
        least = by < least ? by : least; /* not a number: the neighbour has none */
    }
    if (mw_bits_of_float(least) == MW_BITS_OF_INFINITY)
        return 0;
    s->word[label] = mw_word_of_float(least, (uint32_t)s->n_hops + 1);
    return 1;
}

/* Is the way by the landmark shorter than the edge, whatever is rounded? Not a number: there is none. */
MW_FN void sssp_prune_entry(const struct sssp_state *s, const struct mw_graph *g,
                            uint64_t u, uint64_t k)
{
    const uint64_t entry = g->row[u] + k;
    const float by = s->landmark[sssp_own_column(g, u)] +
                     s->landmark[mw_number(g->column, entry, g->wide)] + s->margin;
    if (!(g->weight[entry] > by))
        mw_set_bit(s->kept, entry);
}

/* Bits first .. last - 1 of the bitmap that are in its word w. */
MW_FN uint64_t sssp_kept_of_word(const uint64_t *kept, uint64_t w, uint64_t first,
                                 uint64_t last)
{
    uint64_t bits = kept[w];
    if (w == first / 64)
        bits &= UINT64_MAX << (first % 64);
    if (w == last / 64)
        bits &= (UINT64_C(1) << (last % 64)) - 1;
    return bits;
}

/* How many of its entries are kept. */
MW_FN uint64_t sssp_length_label(const struct sssp_state *s, const struct mw_graph *g,
                                 uint64_t u)
{
    uint64_t n = 0;
    const uint64_t first = g->row[u], last = g->row[u + 1];
    for (uint64_t w = first / 64; 64 * w < last; w++)
        n += mw_count_bits(sssp_kept_of_word(s->kept, w, first, last));
    return s->kept_row[u + 1] = n;
}

/* For all ranks: how many neighbours are left. */
MW_FN void sssp_degree_label(const struct sssp_state *s, const struct mw_graph *g,
                             uint64_t u)
{
    s->landmark[sssp_own_column(g, u)] = (float)s->kept_row[u + 1];
}

/* What follows is done for each kept entry of row u, a `column`; `leaf`: its only neighbour is u. Two of
 * these are no leaves of each other. */
#define SSSP_FOR_KEPT(s, g, u, entry, column, leaf)                                      \
    for (uint64_t first_ = g->row[u], last_ = g->row[u + 1], w_ = first_ / 64;           \
         64 * w_ < last_; w_++)                                                          \
        for (uint64_t bits_ = sssp_kept_of_word(s->kept, w_, first_, last_), entry = 0,  \
                      column = 0, leaf = 0;                                              \
             bits_ != 0 &&                                                               \
             (entry = 64 * w_ + mw_lowest_bit(bits_),                                    \
             column = mw_number(g->column, entry, g->wide),                              \
             leaf = s->landmark[column] == 1 && s->landmark[sssp_own_column(g, u)] > 1,  \
             true);                                                                      \
             bits_ &= bits_ - 1)

/* A leaf of this rank finds its distance itself. */
MW_FN bool sssp_is_told(const struct mw_graph *g, uint64_t column)
{
    return mw_column_owner(column, g->label_bits) != g->partition.rank;
}

MW_FN void sssp_part_label(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t u)
{
    uint64_t n_leaves = 0, n_told = 0;
    SSSP_FOR_KEPT(s, g, u, entry, column, leaf)
    {
        n_leaves += leaf;
        n_told += leaf && sssp_is_told(g, column);
    }
    s->kept_row[u + 1] -= n_leaves;
    s->leaf_end[u] = n_told;
}

MW_FN uint64_t sssp_length_of(const struct sssp_state *s, const struct mw_graph *g,
                              uint64_t u)
{
    (void)g;
    return s->kept_row[u + 1];
}

MW_FN void sssp_set_start(const struct sssp_state *s, const struct mw_graph *g,
                          uint64_t u, uint64_t sum)
{
    (void)g;
    s->kept_row[u + 1] = sum;
}

MW_FN uint64_t sssp_leaves_of(const struct sssp_state *s, const struct mw_graph *g,
                              uint64_t u)
{
    (void)g;
    return s->leaf_end[u];
}

MW_FN void sssp_set_leaves(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t u, uint64_t sum)
{
    (void)g;
    s->leaf_end[u] = sum;
}

MW_FN void sssp_keep_label(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t u)
{
    uint64_t inner = s->kept_row[u];
    uint64_t outer = s->counts->n_inner + (u > 0 ? s->leaf_end[u - 1] : 0);
    SSSP_FOR_KEPT(s, g, u, entry, column, leaf)
    {
        if (leaf && !sssp_is_told(g, column))
            continue;
        const uint64_t to = leaf ? outer++ : inner++;
        mw_set_number(s->kept_column, to, column, g->wide);
        s->kept_weight[to] = g->weight[entry];
    }
}

#endif
