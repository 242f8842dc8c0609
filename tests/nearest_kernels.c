/* nearest_kernels.c -- see nearest.h. Compiled once per kind of core.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "nearest.h"

MW_FN bool nearest_wanted(const struct nearest_state *s, uint64_t i)
{
    (void)s, (void)i;
    return true;
}

MW_FN void nearest_say(const struct nearest_state *s, const struct mw_graph *g,
                       uint64_t i, uint64_t k, struct mw_emitter *e)
{
    const uint64_t column = mw_number(g->column, g->row[i] + k, g->wide);
    const uint64_t value =
        nearest_pack(mw_vertex(&g->partition, g->partition.rank, g->place_of[i]));
    uint32_t owner;
    const uint64_t place =
        mw_locate(&g->partition, mw_number(g->name, column, g->wide), &owner);
    if (mw_here(e, owner))
        mw_lower(s->best, place, value, true);
    else
        mw_emit(e, owner, (uint32_t)place, value);
}

MW_FN void nearest_keep(const struct nearest_state *s, const struct mw_graph *g,
                        const struct mw_visit *m)
{
    (void)g;
    mw_lower(s->best, m->child, m->value, true);
}

MW_ENTRIES(nearest_tell, nearest_state, s->g->row + 1, s->g->n_labels, nearest_wanted,
           nearest_say)
MW_UPDATES(nearest_hear, nearest_state, nearest_keep)

MW_KERNEL_TABLE(nearest_kernels, nearest_tell, nearest_hear)
