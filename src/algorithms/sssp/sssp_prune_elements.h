/* sssp_prune_elements.h -- what pruning does to one entry and one label: written once, as sssp_elements.h is.
 *
 *      landmark   prune    which entries stay; how many of a label, which all ranks hear
 *      part       number   who has a row is a node, in order of labels; the others are leaves
 *      starts     keep     where each node's entries go, and there they are
 *      nodes      name     columns say nodes, not labels; and places their nodes
 *
 * Between the landmark's search and the first one nobody needs words and lists. They say of a label then:
 *
 *      list_end   bits of the length of its way to the landmark
 *      word       entries in its row, above those to other ranks' leaves; SSSP_NO_WORD: it is a leaf
 *      list       its node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_PRUNE_ELEMENTS_H
#define SSSP_PRUNE_ELEMENTS_H

#include "algorithms/sssp/sssp_elements.h"

MW_FN uint64_t sssp_own_column(const struct mw_graph *g, uint64_t label)
{
    return mw_column(g->partition.rank, (uint32_t)label, g->label_bits);
}

/* ---- which entries stay ---------------------------------------------------------------------- */

MW_FN void sssp_landmark_label(const struct sssp_state *s, const struct mw_graph *g,
                               uint64_t label)
{
    const uint64_t word = s->word[label];
    s->landmark[sssp_own_column(g, label)] = (uint32_t)(word >> 32);
    if (word == SSSP_NO_WORD)
        return;
    mw_lower(s->least, SSSP_HOPS_LEFT, UINT64_MAX - (uint32_t)word, true);
    mw_lower(s->least, SSSP_BITS_LEFT, UINT64_MAX - (word >> 32), true);
}

/* Not a number: there is no way. */
MW_FN float sssp_from_landmark(const struct sssp_state *s, uint64_t column)
{
    return mw_float_of_bits(s->landmark[column]);
}

/* Who has no way yet takes the least by a neighbour that has one. */
MW_FN uint64_t sssp_reach_label(const struct sssp_state *s, const struct mw_graph *g,
                                uint64_t label)
{
    float least = mw_float_of_bits(MW_BITS_OF_INFINITY);
    if (s->word[label] != SSSP_NO_WORD)
        return 0;
    for (uint64_t entry = g->row[label]; entry < g->row[label + 1]; entry++) {
        const float by = sssp_from_landmark(s, mw_number(g->column, entry, g->wide)) +
                         g->weight[entry];
        least = by < least ? by : least;
    }
    if (mw_bits_of_float(least) == MW_BITS_OF_INFINITY)
        return 0;
    s->word[label] = mw_word_of_float(least, (uint32_t)s->n_hops + 1);
    return 1;
}

/* Is the way by the landmark shorter than the edge, whatever is rounded? */
MW_FN void sssp_prune_entry(const struct sssp_state *s, const struct mw_graph *g,
                            uint64_t u, uint64_t k)
{
    const uint64_t entry = g->row[u] + k;
    const float by = sssp_from_landmark(s, sssp_own_column(g, u)) +
                     sssp_from_landmark(s, mw_number(g->column, entry, g->wide)) +
                     s->margin;
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

/* How many neighbours are left, for all ranks: 2^32 - 1 at most. The way to the landmark is this one's alone from now
 * on. */
MW_FN uint64_t sssp_length_label(const struct sssp_state *s, const struct mw_graph *g,
                                 uint64_t u)
{
    uint64_t n = 0;
    const uint64_t first = g->row[u], last = g->row[u + 1];
    for (uint64_t w = first / 64; 64 * w < last; w++)
        n += mw_count_bits(sssp_kept_of_word(s->kept, w, first, last));
    s->list_end[u] = s->landmark[sssp_own_column(g, u)];
    s->landmark[sssp_own_column(g, u)] = (uint32_t)n;
    return n;
}

/* ---- whose they are -------------------------------------------------------------------------- */

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

/* Is it a peer's? Such leaves and neighbours find each other; of others the leaf is told. */
MW_FN bool sssp_is_peers(const struct sssp_state *s, const struct mw_graph *g,
                         uint64_t column)
{
    return mw_column_owner(column, g->label_bits) - s->first_peer < s->n_peers;
}

MW_FN void sssp_part_label(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t u)
{
    uint64_t n_inner = 0, n_told = 0;
    bool hangs = false;
    SSSP_FOR_KEPT(s, g, u, entry, column, leaf)
    {
        const bool near = sssp_is_peers(s, g, column);
        n_inner += !leaf;
        n_told += leaf && !near;
        hangs =
            near && s->landmark[sssp_own_column(g, u)] == 1 && s->landmark[column] > 1;
    }
    s->word[u] = hangs ? SSSP_NO_WORD : n_inner << 32 | n_told;
}

MW_FN uint64_t sssp_has_row(const struct sssp_state *s, const struct mw_graph *g,
                            uint64_t u)
{
    (void)g;
    return s->word[u] != SSSP_NO_WORD;
}

MW_FN void sssp_set_node(const struct sssp_state *s, const struct mw_graph *g, uint64_t u,
                         uint64_t sum)
{
    if (sssp_has_row(s, g, u))
        s->list[u] = (uint32_t)(sum - 1);
}

/* ---- where they go --------------------------------------------------------------------------- */

MW_FN uint64_t sssp_inner_of(const struct sssp_state *s, const struct mw_graph *g,
                             uint64_t u)
{
    return sssp_has_row(s, g, u) ? s->word[u] >> 32 : 0;
}

MW_FN void sssp_set_start(const struct sssp_state *s, const struct mw_graph *g,
                          uint64_t u, uint64_t sum)
{
    if (sssp_has_row(s, g, u))
        s->kept_row[s->list[u] + UINT64_C(1)] = sum;
}

MW_FN uint64_t sssp_told_of(const struct sssp_state *s, const struct mw_graph *g,
                            uint64_t u)
{
    return sssp_has_row(s, g, u) ? (uint32_t)s->word[u] : 0;
}

MW_FN void sssp_set_told(const struct sssp_state *s, const struct mw_graph *g, uint64_t u,
                         uint64_t sum)
{
    if (sssp_has_row(s, g, u))
        s->told_end[s->list[u]] = sum;
}

MW_FN void sssp_keep_entry(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t to, uint64_t column, uint64_t entry)
{
    mw_set_number(s->kept_column, to, column, g->wide);
    s->kept_weight[to] = g->weight[entry];
}

/* The way of a node, and the entries of its row, with columns as they were. */
MW_FN void sssp_keep_label(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t u)
{
    if (!sssp_has_row(s, g, u))
        return;
    const uint32_t node = s->list[u];
    s->kept_way[node] = mw_float_of_bits((uint32_t)s->list_end[u]);
    uint64_t inner = s->kept_row[node], told = sssp_first_told(s, node);
    SSSP_FOR_KEPT(s, g, u, entry, column, leaf)
    {
        if (leaf && sssp_is_peers(s, g, column))
            continue;
        sssp_keep_entry(s, g, leaf ? told++ : inner++, column, entry);
    }
}

/* The same, by weight: classes are counted first. Nobody asks for an order of leaves, nor, if nothing was pruned, for a
 * way. */
MW_FN void sssp_order_label(const struct sssp_state *s, const struct mw_graph *g,
                            uint64_t u)
{
    uint32_t at[SSSP_CLASSES] = {0}, sum = 0;
    if (!sssp_has_row(s, g, u))
        return;
    const uint32_t node = s->list[u];
    uint64_t told = sssp_first_told(s, node);
    if (s->kept_way != NULL)
        s->kept_way[node] = mw_float_of_bits((uint32_t)s->list_end[u]);
    SSSP_FOR_KEPT(s, g, u, entry, column, leaf)
    at[sssp_class_of(s, g->weight[entry])] += !leaf;
    for (uint32_t c = 0; c < SSSP_CLASSES; c++) {
        const uint32_t n = at[c];
        if (c == s->light_class)
            s->heavy[node] = s->kept_row[node] + sum;
        at[c] = sum;
        sum += n;
    }
    SSSP_FOR_KEPT(s, g, u, entry, column, leaf)
    {
        if (leaf && sssp_is_peers(s, g, column))
            continue;
        sssp_keep_entry(
            s, g,
            leaf ? told++ : s->kept_row[node] + at[sssp_class_of(s, g->weight[entry])]++,
            column, entry);
    }
}

/* ---- what they are called --------------------------------------------------------------------- */

/* For all ranks. */
MW_FN void sssp_node_label(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t u)
{
    s->landmark[sssp_own_column(g, u)] = s->list[u];
}

MW_FN void sssp_name_entry(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t entry)
{
    const uint64_t column = mw_number(s->kept_column, entry, g->wide);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    mw_set_number(s->kept_column, entry,
                  mw_column(owner, s->landmark[column], g->label_bits), g->wide);
}

/* Of rows that are not pruned a label is a node. Nodes of all ranks stand where their distances were. */
MW_FN void sssp_hook_place(const struct sssp_state *s, const struct mw_graph *g,
                           uint64_t place)
{
    const bool is_pruned = s->kept_row != NULL;
    const uint32_t me = g->partition.rank, label = g->label_of[place];
    struct sssp_hook hook = {sssp_at(s, me, is_pruned ? s->n_nodes : g->n_labels),
                             SSSP_NO_LEAF, 0};
    if (label != MW_NO_LABEL && (!is_pruned || sssp_has_row(s, g, label))) {
        const uint32_t node = is_pruned ? s->list[label] : label;
        hook.at = sssp_at(s, me, node);
        s->name[node] = (uint32_t)mw_vertex_at(g, me, place);
    } else if (label != MW_NO_LABEL)
        SSSP_FOR_KEPT(s, g, label, entry, column, leaf)
        {
            const uint32_t owner = mw_column_owner(column, g->label_bits);
            (void)leaf;
            hook.at = sssp_at(s, owner, s->landmark[column]);
            hook.parent =
                (uint32_t)(owner == me
                               ? mw_vertex_at(
                                     g, me,
                                     g->place_of[mw_column_label(column, g->label_bits)])
                               : mw_number(g->name, column, g->wide));
            hook.weight = g->weight[entry];
        }
    s->hook[place] = hook;
}

#endif
