/* numbers_sweeps.c -- see numbers.h. Compiled for every kind of core but a mesh, whose sweeps are its
 * management core's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "numbers.h"

MW_FN void change_all(const struct numbers *s, const struct mw_graph *g, uint64_t i)
{
    const uint64_t drawn = numbers_drawn(s->seed, g->partition.rank, i);
    const uint64_t bit = drawn % NUMBERS_BITS;
    mw_lower(s->low32, 0, drawn >> 32, false);
    mw_lower(s->low64, 0, drawn, true);
    mw_add_real(s->sum64, 0, numbers_amount(drawn), true);
    mw_add_real(s->sum, 0, numbers_amount(drawn), false);
    mw_add(&s->count[0], 1);
    mw_add_number(s->grown32, bit, drawn, false);
    mw_add_number(s->grown64, bit, drawn, true);
    mw_or(&s->united[bit], drawn & numbers_mix(drawn));
    mw_set_bit(s->called, bit);
    if (mw_take_bit(s->taken, bit))
        mw_add(s->n_taken, 1);
    if (mw_claim(s->claimed32, bit, 0, i + 1, false) &&
        mw_claim(s->claimed64, bit, 0, i + 1, true))
        mw_add(s->n_claimed, mw_load(s->claimed64, bit, true) == i + 1);
}

MW_FN mw_word word_in(const struct numbers *s, const struct mw_graph *g, uint64_t w)
{
    (void)g;
    return mw_word_of(s->in, w);
}

MW_FN uint32_t said_of(const struct numbers *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    return numbers_said(s->seed, i);
}

/* Only what was looked at is said of. */
MW_FN void put_said(const struct numbers *s, const struct mw_graph *g, uint64_t w,
                    mw_word looked, mw_word yes, mw_word second)
{
    (void)g;
    mw_put_word(s->yes, w, yes & looked);
    mw_put_word(s->second, w, second & looked);
}

MW_FN uint64_t size_of(const struct numbers *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    return numbers_size(s->seed, i);
}

MW_FN bool stays(const struct numbers *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    return numbers_stays(s->seed, s->list[i]);
}

MW_EACH(all, numbers, s->n_units, change_all)
MW_BITS(words, numbers, NUMBERS_WORDS, word_in, said_of, put_said)
MW_LIST_BITS(list, numbers, NUMBERS_WORDS, word_in, size_of, s->list, s->list_end,
             &s->listed->n, &s->listed->total)
MW_KEEP(keep, numbers, s->list, s->list_end, s->listed->n, stays, &s->listed->n_kept,
        &s->listed->total_kept)
MW_WAITED(words_waited, words)

MW_KERNEL_TABLE(numbers_sweeps, all, words_waited, list, keep)
