/* sssp_async_kernels.c -- elements of sssp_async.h in patterns: as in sssp_elements.h, but who falls is added
 * to a work list.
 *
 * Compiled once per kind of core: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/sssp/sssp_async.h"
#include "algorithms/sssp/sssp_elements.h"

/* Entry k of row i of the list: its neighbour has a way through here. */
MW_FN void relax(const struct sssp_async *a, const struct mw_graph *g, uint64_t i,
                 uint64_t k, struct mw_emitter *e)
{
    const struct sssp_state *const s = a->s;
    const uint32_t u = a->work.list[i];
    const uint64_t entry = a->work.row[u] + k;
    const uint64_t column = mw_number(s->rows.column, entry, g->wide);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    const uint32_t node = mw_column_label(column, g->label_bits);
    const uint64_t from = mw_load(s->word, u, true);
    const float distance = mw_float_of_word(from) + s->rows.weight[entry];
    if (entry + SSSP_ENTRIES_AHEAD < s->rows.n_entries)
        sssp_look_ahead(s, g, entry + SSSP_ENTRIES_AHEAD);
    if (!mw_here(e, owner))
        mw_emit(e, owner, node, sssp_word_by(s, u, from, distance));
    else if (mw_bits_of_float(distance) < mw_load(s->word, node, true) >> 32)
        mw_worklist_lower(&a->work, s->word, node, sssp_word_by(s, u, from, distance));
}

MW_FN void settle(const struct sssp_async *a, const struct mw_graph *g,
                  const struct mw_visit *m)
{
    (void)g;
    mw_worklist_lower(&a->work, a->s->word, m->child, m->value);
}

MW_ENTRIES(relaxer, sssp_async, s->work.list_end, s->work.n_listed, mw_any, relax)
MW_UPDATES(settler, sssp_async, settle)

MW_KERNEL_TABLE(sssp_async_kernels, relaxer, settler)
