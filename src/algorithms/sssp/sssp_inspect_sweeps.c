/* sssp_inspect_sweeps.c -- what an inspection of shortest paths does to one vertex and one tuple.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/sssp/sssp_inspect.h"
#include "traversal/inspection_elements.h"

MW_FN float sssp_said_distance(const struct sssp_inspection *s, mw_vid v)
{
    return mw_float_of_bits(mw_said_of(&s->i, v, 1));
}

MW_FN bool sssp_is_finite(float distance)
{
    return distance < mw_float_of_bits(MW_BITS_OF_INFINITY);
}

/* All ranks find the same of vertices; the first one says so. */
MW_FN void sssp_no_tree(const struct sssp_inspection *s)
{
    if (s->i.partition.rank == 0)
        mw_find_wrong(&s->i, MW_SSSP_TREE);
}

/* ---- vertices ------------------------------------------------------------------------------ */

/* Rule 1 of one vertex: a distance that is none, or without a parent, or the other way round; a parent that is no
 * vertex; a root that is not where it should be. Another root is a ring of one. No comparison with NaN holds. */
MW_FN bool sssp_hangs_wrong(const struct sssp_inspection *s, mw_vid v, uint32_t parent,
                            float distance)
{
    const bool reached = parent != MW_NOT_SAID;
    return !(distance >= 0) || reached != sssp_is_finite(distance) ||
           (reached && parent >= s->i.n) ||
           (v == s->root && (parent != v || distance > 0));
}

/* Sums are of who was reached, and above that of who climbs. */
MW_FN uint64_t sssp_take_said(const struct sssp_inspection *s, const struct mw_graph *g,
                              uint64_t v)
{
    const uint32_t parent = mw_said_of(&s->i, v, 0);
    const float distance = sssp_said_distance(s, v);
    const bool reached = parent != MW_NOT_SAID,
               wrong = sssp_hangs_wrong(s, v, parent, distance);
    const bool climbs =
        reached && !wrong && v != s->root && sssp_said_distance(s, parent) == distance;
    (void)g;
    if (wrong)
        sssp_no_tree(s);
    else if (v == s->root)
        mw_confirm(&s->i, v);
    s->up[v] = climbs ? parent : SSSP_GROUND;
    return (uint64_t)reached | (uint64_t)climbs << 32;
}

/* 1: not there yet. */
MW_FN uint64_t sssp_climb_on(const struct sssp_inspection *s, const struct mw_graph *g,
                             uint64_t v)
{
    const uint32_t at = (uint32_t)mw_load(s->up, v, false);
    (void)g;
    if (at == SSSP_GROUND)
        return 0;
    mw_store(s->up, v, mw_load(s->up, at, false), false);
    return mw_load(s->up, v, false) != SSSP_GROUND;
}

/* Who would be there by now goes round. */
MW_FN void sssp_note_ring(const struct sssp_inspection *s, const struct mw_graph *g,
                          uint64_t v)
{
    (void)g;
    if (s->up[v] != SSSP_GROUND)
        sssp_no_tree(s);
}

/* ---- tuples ------------------------------------------------------------------------------------- */

/* At an end of an edge: there is a way of so much through the other one. */
MW_FN void sssp_judge_end(const struct sssp_inspection *s, float is, float by)
{
    const uint32_t rule = sssp_rule_of_way(is, by, s->i.directed);
    if (rule != 0)
        mw_find_wrong(&s->i, rule);
}

MW_FN void sssp_confirm_end(const struct sssp_inspection *s, mw_vid v, mw_vid other,
                            float is, float by)
{
    if (mw_said_of(&s->i, v, 0) == other && by == is)
        mw_confirm(&s->i, v);
}

/* 1: the tuple is an edge that the answer is about. */
MW_FN uint64_t sssp_judge_tuple(const struct sssp_inspection *s, const struct mw_graph *g,
                                uint64_t k)
{
    const mw_vid u = s->i.tuple[2 * k], v = s->i.tuple[2 * k + 1];
    const float weight = s->i.weight != NULL ? s->i.weight[k] : 1;
    const float at_u = sssp_said_distance(s, u), at_v = sssp_said_distance(s, v);
    const float by_u = at_u + weight, by_v = at_v + weight;
    (void)g;
    if (u == v) {
        if (sssp_is_finite(at_u))
            mw_add(&s->i.found->n_self_loops, 1);
        return 0;
    }
    sssp_judge_end(s, at_v, by_u);
    sssp_confirm_end(s, v, u, at_v, by_u);
    if (!s->i.directed) {
        sssp_judge_end(s, at_u, by_v);
        sssp_confirm_end(s, u, v, at_u, by_v);
    }
    return sssp_is_finite(at_u);
}

MW_SUM(sssp_taker, sssp_inspection, s->i.n, sssp_take_said, s->i.sum)
MW_SUM(sssp_climber, sssp_inspection, s->i.n, sssp_climb_on, s->i.sum)
MW_EACH(sssp_ring_noter, sssp_inspection, s->i.n, sssp_note_ring)
MW_SUM(sssp_tuple_judge, sssp_inspection, s->i.n_tuples, sssp_judge_tuple, s->i.sum)

MW_KERNEL_TABLE(sssp_inspect_sweeps, sssp_taker, sssp_climber, sssp_ring_noter,
                sssp_tuple_judge)
