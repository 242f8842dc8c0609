/* cc_inspect_sweeps.c -- what an inspection of components does to one tuple and one vertex.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/cc/cc_forest.h"
#include "algorithms/cc/cc_inspect.h"
#include "traversal/inspection_elements.h"

/* 1: the tuple is no self-loop. */
MW_FN uint64_t cc_judge_tuple(const struct cc_inspection *s, const struct mw_graph *g,
                              uint64_t k)
{
    const mw_vid u = s->i.tuple[2 * k], v = s->i.tuple[2 * k + 1];
    (void)g;
    if (u == v)
        mw_add(&s->i.found->n_self_loops, 1);
    else if (mw_said_of(&s->i, u, 0) != mw_said_of(&s->i, v, 0))
        mw_find_wrong(&s->i, MW_CC_EDGES);
    return u != v;
}

/* 1: the vertex is one that a component is called after. */
MW_FN uint64_t cc_judge_name(const struct cc_inspection *s, const struct mw_graph *g,
                             uint64_t k)
{
    const mw_vid v = s->first + k, is = mw_said_of(&s->i, v, 0);
    (void)g;
    if (is == v)
        return 1;
    if (is > v || mw_said_of(&s->i, is, 0) != is)
        mw_find_wrong(&s->i, MW_CC_MEMBERS);
    return 0;
}

/* ---- a forest of the tuples ------------------------------------------------------------------ */

MW_FN void cc_plant_vertex(const struct cc_inspection *s, const struct mw_graph *g,
                           uint64_t v)
{
    (void)g;
    s->up[v] = (uint32_t)v;
}

MW_FN void cc_unite_tuple(const struct cc_inspection *s, const struct mw_graph *g,
                          uint64_t k)
{
    (void)g;
    cc_unite_trees(s->up, s->i.tuple[2 * k], s->i.tuple[2 * k + 1], false);
}

MW_FN void cc_copy_vertex(const struct cc_inspection *s, const struct mw_graph *g,
                          uint64_t v)
{
    (void)g;
    s->all[v] = s->up[v];
}

MW_FN void cc_take_in_vertex(const struct cc_inspection *s, const struct mw_graph *g,
                             uint64_t v)
{
    const mw_vid up = mw_load(s->its_up, v, false);
    (void)g;
    if (up != v)
        cc_unite_trees(s->all, v, up, false);
}

MW_FN uint64_t cc_is_root(const struct cc_inspection *s, const struct mw_graph *g,
                          uint64_t v)
{
    (void)g;
    return s->all[v] == v;
}

MW_SUM(cc_tuple_judge, cc_inspection, s->i.n_tuples, cc_judge_tuple, s->i.sum)
MW_SUM(cc_name_judge, cc_inspection, s->n_share, cc_judge_name, s->i.sum)
MW_EACH(cc_planter, cc_inspection, s->i.n, cc_plant_vertex)
MW_EACH(cc_tuple_uniter, cc_inspection, s->i.n_tuples, cc_unite_tuple)
MW_EACH(cc_forest_copier, cc_inspection, s->i.n, cc_copy_vertex)
MW_EACH(cc_forest_taker, cc_inspection, s->i.n, cc_take_in_vertex)
MW_SUM(cc_root_counter, cc_inspection, s->i.n, cc_is_root, s->i.sum)

MW_KERNEL_TABLE(cc_inspect_sweeps, cc_tuple_judge, cc_name_judge, cc_planter,
                cc_tuple_uniter, cc_forest_copier, cc_forest_taker, cc_root_counter)
