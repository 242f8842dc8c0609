/* cc_async_kernels.c -- elements of cc_async.h in patterns.
 *
 * Compiled once per kind of core: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/cc/cc_async.h"

MW_FN bool any(const struct cc_async *s, uint64_t i)
{
    (void)s, (void)i;
    return true;
}

MW_FN void lower(const struct cc_async *s, uint32_t label, uint64_t vertex)
{
    uint64_t is = MW_LOAD_RELAXED(&s->least[label]);
    while (vertex < is)
        if (MW_SWAP_RELAXED(&s->least[label], &is, vertex)) {
            mw_worklist_add(&s->work, label, 0);
            return;
        }
}

/* Entry k of row i of the list: the neighbour hears of the least. */
MW_FN void relax(const struct cc_async *s, const struct mw_graph *g, uint64_t i,
                 uint64_t k, struct mw_emitter *e)
{
    const uint32_t u = s->work.list[i];
    const uint64_t column = mw_number(g->column, g->row[u] + k, g->wide);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    const uint32_t label = mw_column_label(column, g->label_bits);
    const uint64_t vertex = MW_LOAD_RELAXED(&s->least[u]);
    if (mw_here(e, owner))
        lower(s, label, vertex);
    else
        mw_emit(e, owner, label, vertex);
}

MW_FN void settle(const struct cc_async *s, const struct mw_graph *g,
                  const struct mw_visit *m)
{
    (void)g;
    lower(s, m->child, m->value);
}

MW_FN void begin(const struct cc_async *s, const struct mw_graph *g, uint64_t label)
{
    s->least[label] = mw_vertex_at(g, g->partition.rank, g->place_of[label]);
    mw_worklist_add(&s->work, label, 0);
}

/* Who has no edge is alone. Says whether the component is called after this vertex. */
MW_FN uint64_t answer(const struct cc_async *s, const struct mw_graph *g, uint64_t place)
{
    const uint32_t label = g->label_of[place];
    const mw_vid v = mw_vertex_at(g, g->partition.rank, place);
    const uint64_t comp = label == MW_NO_LABEL ? v : s->least[label];
    mw_set_number(s->comp, place, comp, g->wide);
    return comp == v;
}

MW_ENTRIES(relaxer, cc_async, s->work.list_end, s->work.n_listed, any, relax)
MW_UPDATES(settler, cc_async, settle)
MW_EACH(beginner, cc_async, g->n_labels, begin)
MW_SUM(answerer, cc_async, g->n_places, answer, s->n_least)

MW_KERNEL_TABLE(cc_async_kernels, relaxer, settler, beginner, answerer)
