/* numbers_kernels.c -- see numbers.h. Compiled for every kind of core.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "numbers.h"

MW_FN uint64_t drawn_by(const struct numbers *s, const struct mw_graph *g, uint64_t i)
{
    return numbers_drawn(s->seed, g->partition.rank, i);
}

MW_FN mw_vid vertex_of(const struct numbers *s, const struct mw_graph *g, uint64_t i)
{
    return numbers_vertex(drawn_by(s, g, i), g->partition.n_vertices);
}

MW_FN float amount_of(const struct numbers *s, const struct mw_graph *g, uint64_t i)
{
    return numbers_amount(drawn_by(s, g, i));
}

MW_FN void hear_of(const struct numbers *s, uint64_t place, uint32_t rank, float x)
{
    mw_lower(s->least, place, mw_word_of_float(x, rank), true);
    mw_set_bit(s->called, place);
    mw_add(&s->count[place], 1);
}

MW_FN bool any_row(const struct numbers *s, uint64_t i)
{
    (void)s, (void)i;
    return true;
}

/* 1: it is a record. */
MW_FN uint64_t call_vertex(const struct numbers *s, const struct mw_graph *g,
                           const struct numbers_lane *l, uint64_t row, uint64_t i,
                           struct mw_emitter *e)
{
    (void)l, (void)row;
    const mw_vid v = vertex_of(s, g, i);
    const float x = amount_of(s, g, i);
    uint32_t owner;
    if (v == MW_NO_VERTEX)
        return 0;
    const uint64_t place = mw_locate(&g->partition, v, &owner);
    if (mw_here(e, owner)) {
        hear_of(s, place, g->partition.rank, x);
        return 0;
    }
    mw_emit(e, owner, (uint32_t)place, mw_bits_of_float(x));
    return 1;
}

MW_FN void hear_call(const struct numbers *s, const struct mw_graph *g,
                     const struct mw_visit *m)
{
    (void)g;
    hear_of(s, m->child, m->sender, mw_float_of_bits((uint32_t)m->value));
}

MW_GIVE(give, numbers, vertex_of, amount_of, s->sum)
MW_GIVEN(given, numbers, s->sum)
MW_LANE_ENTRIES(call, numbers, &s->lane[self->lane], n_sent, s->row_end, 1, any_row,
                call_vertex)
MW_UPDATES(hear, numbers, hear_call)

MW_KERNEL_TABLE(numbers_kernels, give, given, call, hear)
