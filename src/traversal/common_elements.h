/* common_elements.h -- what elements of algorithms have in common (shuffle/patterns.h): for a kernel, behind
 * its skeleton.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_COMMON_ELEMENTS_H
#define MW_COMMON_ELEMENTS_H

#include "graph/graph.h"

/* ---- wanted: rows, and bits of words --------------------------------------------------------- */

MW_FN bool mw_any(const void *s, uint64_t i)
{
    (void)s, (void)i;
    return true;
}

MW_FN mw_word mw_all_labels(const void *s, const struct mw_graph *g, uint64_t w)
{
    (void)s;
    return mw_word_below(w, g->n_labels);
}

/* The last element of a MW_BITS(): who says yes is a bit of the bitmap, an expression in `s`. */
#define MW_YES_INTO(name, type, bitmap)                                                  \
    MW_FN void name(const struct type *s, const struct mw_graph *g, uint64_t w,          \
                    mw_word looked, mw_word yes, mw_word second)                         \
    {                                                                                    \
        (void)g, (void)looked, (void)second;                                             \
        mw_put_word((bitmap), w, yes);                                                   \
    }

/* ---- the row of label i ----------------------------------------------------------------------- */

MW_FN uint64_t mw_row_entries(const void *s, const struct mw_graph *g, uint64_t i)
{
    (void)s;
    return g->row[i + 1] - g->row[i];
}

/* The column in entry k, and in that of edges inwards. */
MW_FN uint64_t mw_row_column(const struct mw_graph *g, uint64_t i, uint64_t k)
{
    return mw_number(g->column, g->row[i] + k, g->wide);
}

MW_FN uint64_t mw_in_row_column(const struct mw_graph *g, uint64_t i, uint64_t k)
{
    return mw_number(g->in_column, g->in_row[i] + k, g->wide);
}

/* ---- records ------------------------------------------------------------------------------------ */

/* A value to the vertex that a column names: as a record; or hear(s, g, m), the element of the sink, does
 * here what it does with one. */
#define MW_TELL(hear, s, g, to_column, x, e)                                             \
    do {                                                                                 \
        const uint64_t column_ = (to_column);                                            \
        const uint32_t owner_ = mw_column_owner(column_, (g)->label_bits);               \
        const struct mw_visit m_ = {(x), mw_column_label(column_, (g)->label_bits),      \
                                    owner_, 0};                                          \
        if (mw_here((e), owner_))                                                        \
            hear((s), (g), &m_);                                                         \
        else                                                                             \
            mw_emit((e), owner_, m_.child, m_.value);                                    \
    } while (0)

#endif
