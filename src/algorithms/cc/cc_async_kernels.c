/* cc_async_kernels.c -- elements of cc_async.h in patterns.
 *
 * Compiled once per kind of core: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/cc/cc_async.h"
#include "traversal/common_elements.h"

MW_FN void settle(const struct cc_async *s, const struct mw_graph *g,
                  const struct mw_visit *m)
{
    uint64_t is = MW_LOAD_RELAXED(&s->least[m->child]);
    (void)g;
    while (m->value < is)
        if (MW_SWAP_RELAXED(&s->least[m->child], &is, m->value)) {
            mw_worklist_add(&s->work, m->child, 0);
            return;
        }
}

/* Entry k of row i of the list: the neighbour hears of the least. */
MW_FN void relax(const struct cc_async *s, const struct mw_graph *g, uint64_t i,
                 uint64_t k, struct mw_emitter *e)
{
    const uint32_t u = s->work.list[i];
    MW_TELL(settle, s, g, mw_row_column(g, u, k), MW_LOAD_RELAXED(&s->least[u]), e);
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

MW_ENTRIES(relaxer, cc_async, s->work.list_end, s->work.n_listed, mw_any, relax)
MW_UPDATES(settler, cc_async, settle)
MW_EACH(beginner, cc_async, g->n_labels, begin)
MW_SUM(answerer, cc_async, g->n_places, answer, s->n_least)

MW_KERNEL_TABLE(cc_async_kernels, relaxer, settler, beginner, answerer)
