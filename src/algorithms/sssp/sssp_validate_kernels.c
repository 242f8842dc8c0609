/* sssp_validate_kernels.c -- what the validator of shortest paths does to one vertex, one tuple, one
 * record.
 *
 * A record says a vertex and a weight, 32 bits each. Weights are not negative, so the sign's bit says
 * which end of a directed edge hears it.
 *
 * Compiled once per skeleton: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/sssp/sssp_state.h"
#include "algorithms/sssp/sssp_validate.h"

#define SECOND UINT64_C(0x8000000000000000)

MW_FN mw_vid sssp_parent_of(const struct sssp_checking *c, uint64_t place)
{
    const uint64_t none = c->wide ? UINT64_MAX : UINT32_MAX;
    const uint64_t parent = mw_number(c->parent, place, c->wide);
    return parent == none ? MW_NO_VERTEX : parent;
}

MW_FN mw_vid sssp_vertex_at(const struct sssp_checking *c, uint64_t place)
{
    return mw_vertex(&c->deal, c->deal.rank, place);
}

static void sssp_wrong(struct sssp_checking *c, const struct mw_cpe *self,
                       struct sssp_fault fault)
{
    struct sssp_checking_lane *l = &c->lane[self->lane];
    l->n_wrong[fault.rule]++;
    if (l->worst.rule == 0 || fault.rule < l->worst.rule)
        l->worst = fault;
}

/* ---- above: what is the distance of my parent? ------------------------------------------- */

/* m->value is the parent's distance. */
static void hear_above(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct sssp_checking *c = state;
    (void)self;
    c->above[m->child] = mw_float_of_bits((uint32_t)m->value);
}

/* m->child is the parent, m->value the place of who asks. */
static void answer_above(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    struct sssp_checking *c = state;
    const struct mw_visit back = {mw_bits_of_float(c->distance[m->child]),
                                  (uint32_t)m->value, c->deal.rank, 0};
    if (mw_here(e, m->sender))
        hear_above(c, &back, e->self);
    else
        mw_emit(e, m->sender, back.child, back.value);
}

/* Whose parent is here knows it; others ask. */
static void ask_above(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct sssp_checking *c = state;
    for (uint64_t place = first; place < last; place++) {
        const mw_vid parent = sssp_parent_of(c, place);
        uint32_t owner;
        c->above[place] = mw_float_of_bits(MW_BITS_OF_INFINITY);
        c->confirmed[place] = 0;
        if (parent >= c->edges->n_vertices)
            continue;
        const uint64_t at = mw_locate(&c->deal, parent, &owner);
        if (mw_here(e, owner))
            c->above[place] = c->distance[at];
        else
            mw_emit(e, owner, (uint32_t)at, place);
    }
}

/* ---- tuples: both ends ----------------------------------------------------------------------- */

/* At the end of an edge: there is a way of so much through the other end. */
static void judge_way(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct sssp_checking *c = state;
    const float is = c->distance[m->child], by = mw_float_of_bits((uint32_t)m->value);
    const uint32_t rule = sssp_rule_of_way(is, by, c->edges->directed);
    const struct sssp_fault fault = {rule, sssp_vertex_at(c, m->child), MW_NO_VERTEX, is,
                                     by};
    if (rule != 0)
        sssp_wrong(c, self, fault);
}

/* At an end of a tuple: m->value is the weight above the other end. */
static void tell_way(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    struct sssp_checking *c = state;
    struct sssp_checking_lane *l = &c->lane[e->self->lane];
    const bool directed = c->edges->directed, second = (m->value & SECOND) != 0;
    const float weight = mw_float_of_word(m->value & ~SECOND);
    const mw_vid here = sssp_vertex_at(c, m->child), other = m->value & UINT32_MAX;
    const float is = c->distance[m->child];
    const bool reached = is < mw_float_of_bits(MW_BITS_OF_INFINITY);
    if (here == other) {
        l->n_self_loops += reached;
        return;
    }
    if ((second || !directed) && sssp_parent_of(c, m->child) == other &&
        c->above[m->child] + weight == is)
        MW_STORE_RELAXED(&c->confirmed[m->child], (uint8_t)1);
    if (second && directed)
        return;
    l->n_edges += reached && (directed || here < other);
    struct mw_visit there = {mw_bits_of_float(is + weight), 0, c->deal.rank, 0};
    uint32_t owner;
    there.child = (uint32_t)mw_locate(&c->deal, other, &owner);
    if (mw_here(e, owner))
        judge_way(c, &there, e->self);
    else
        mw_emit(e, owner, there.child, there.value);
}

/* A reply's record must not leave by the port of questions, so an end that is here replies by itself only
 * where the other one is here, too. */
static void tell_ends(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct sssp_checking *c = state;
    for (uint64_t i = first; i < last; i++) {
        mw_vid u, v;
        mw_edges_get(c->edges, i, &u, &v);
        const uint64_t weight = (uint64_t)mw_bits_of_float(c->edges->weight[i]) << 32;
        struct mw_visit at_u = {weight | v, 0, c->deal.rank, 0},
                        at_v = {weight | u | SECOND, 0, c->deal.rank, 0};
        uint32_t owner_u, owner_v;
        at_u.child = (uint32_t)mw_locate(&c->deal, u, &owner_u);
        at_v.child = (uint32_t)mw_locate(&c->deal, v, &owner_v);
        if (mw_here(e, owner_u) && mw_here(e, owner_v)) {
            tell_way(c, &at_u, e);
            if (u != v)
                tell_way(c, &at_v, e);
            continue;
        }
        mw_emit(e, owner_u, at_u.child, at_u.value);
        if (u != v)
            mw_emit(e, owner_v, at_v.child, at_v.value);
    }
}

/* ---- kernels ---------------------------------------------------------------------------- */

MW_KERNEL(ask_kernel, mw_run_expand, ask_above)
MW_KERNEL(answer_kernel, mw_run_reply, answer_above)
MW_KERNEL(hear_kernel, mw_run_update, hear_above)
MW_KERNEL(tuple_kernel, mw_run_expand, tell_ends)
MW_KERNEL(tell_kernel, mw_run_reply, tell_way)
MW_KERNEL(judge_kernel, mw_run_update, judge_way)

const struct sssp_validate_kernels MW_KERNELS = {
    .ask = ask_kernel,
    .answer = answer_kernel,
    .hear = hear_kernel,
    .tuple = tuple_kernel,
    .tell = tell_kernel,
    .judge = judge_kernel,
};
