/* frontier_elements.h -- what sweeps of frontier.h do to one word of labels: written once, for all kinds of core
 * (shuffle/patterns.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FRONTIER_ELEMENTS_H
#define FRONTIER_ELEMENTS_H

#include "traversal/frontier.h"

MW_FN uint64_t mw_frontier_degree(const struct mw_frontier *f, uint64_t label)
{
    return f->row[label + 1] - f->row[label];
}

MW_FN void mw_frontier_note_degree(const struct mw_frontier *f, const struct mw_graph *g,
                                   uint64_t w)
{
    const uint64_t first = 64 * w, last = mw_min(first + 64, f->n_labels);
    const uint64_t degree = mw_frontier_degree(f, first);
    bool same = degree < MW_MIXED_DEGREES;
    (void)g;
    for (uint64_t l = first + 1; same && l < last; l++)
        same = mw_frontier_degree(f, l) == degree;
    f->word_degree[w] = same ? (uint32_t)degree : MW_MIXED_DEGREES;
}

MW_FN mw_word mw_frontier_marked(const struct mw_frontier *f, const struct mw_graph *g,
                                 uint64_t w, mw_word looked, mw_word yes, mw_word second)
{
    (void)g, (void)looked, (void)yes, (void)second;
    return mw_frontier_take_word(f, w);
}

MW_FN void mw_frontier_visit_bits(const struct mw_frontier *f, const struct mw_graph *g,
                                  uint64_t w)
{
    (void)g;
    if (f->bits[w] != 0)
        mw_frontier_visit_word(f, w, f->bits[w]);
}

#endif
