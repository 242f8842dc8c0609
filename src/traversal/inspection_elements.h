/* inspection_elements.h -- what an inspection does to one place, one vertex and one word of bits, and what the
 * sweeps of checks have in common.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_INSPECTION_ELEMENTS_H
#define MW_INSPECTION_ELEMENTS_H

#include "traversal/common_elements.h"
#include "traversal/inspection.h"

/* ---- for sweeps of checks ------------------------------------------------------------------ */

MW_FN void mw_find_wrong(const struct mw_inspection *s, uint32_t rule)
{
    mw_add(&s->found->n_wrong[rule], 1);
}

MW_FN uint32_t mw_said_of(const struct mw_inspection *s, mw_vid v, uint32_t value)
{
    return (uint32_t)mw_load(s->answer, v * s->n_values + value, false);
}

/* The first value of v is as a tuple has it. */
MW_FN void mw_confirm(const struct mw_inspection *s, mw_vid v)
{
    mw_store(s->answer, v * s->n_values, MW_CONFIRMED, false);
}

MW_FN bool mw_in_doubt(const struct mw_inspection *s, mw_vid v)
{
    const uint32_t said = mw_said_of(s, v, 0);
    return said != MW_NOT_SAID && said != MW_CONFIRMED;
}

/* ---- answers of all ranks ------------------------------------------------------------------- */

/* In 32 bits: what no vertex has is still no vertex', none is none, and nothing is confirmed yet. */
MW_FN uint32_t mw_own_value(const struct mw_inspection *s, uint32_t k, uint64_t place)
{
    const bool wide = s->own[k].wide;
    const uint64_t x = mw_load(s->own[k].value, place, wide);
    return x < MW_CONFIRMED                                   ? (uint32_t)x
           : x == (wide ? UINT64_MAX : (uint64_t)MW_NOT_SAID) ? MW_NOT_SAID
                                                              : MW_CONFIRMED - 1;
}

MW_FN void mw_tell_place(const struct mw_inspection *s, const struct mw_graph *g,
                         uint64_t place)
{
    (void)g;
    for (uint32_t k = 0; k < s->n_values; k++)
        s->told[k * s->stride + place] = mw_own_value(s, k, place);
}

MW_FN void mw_gather_place(const struct mw_inspection *s, const struct mw_graph *g,
                           uint64_t place)
{
    const mw_vid v = mw_vertex(&s->partition, s->teller, place);
    (void)g;
    for (uint32_t k = 0; k < s->n_values; k++)
        s->answer[v * s->n_values + k] = s->teller == s->partition.rank
                                             ? mw_own_value(s, k, place)
                                             : s->its[k * s->stride + place];
}

/* ---- doubts -------------------------------------------------------------------------------------- */

MW_FN mw_word mw_all_vertices(const struct mw_inspection *s, const struct mw_graph *g,
                              uint64_t w)
{
    (void)g;
    return mw_word_below(w, s->n);
}

MW_FN bool mw_doubt_vertex(const struct mw_inspection *s, const struct mw_graph *g,
                           uint64_t v)
{
    (void)g;
    return mw_in_doubt(s, v);
}

MW_YES_INTO(mw_put_doubts, mw_inspection, s->doubt)

MW_FN uint64_t mw_settle_word(const struct mw_inspection *s, const struct mw_graph *g,
                              uint64_t w)
{
    mw_word left = mw_word_of(s->its_doubt, w);
    uint64_t n = 0;
    (void)g;
    if (s->teller > 0)
        left &= mw_word_of(s->unsettled, w);
    mw_put_word(s->unsettled, w, left);
    for (; left != 0 && s->teller + 1 == s->partition.n_ranks; left &= left - 1)
        n++;
    return n;
}

#endif
