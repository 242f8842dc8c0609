/* cc_validate_kernels.c -- what the validator of components does to one tuple, one vertex, one
 * record.
 *
 * Compiled once per skeleton: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/cc/cc_validate.h"
#include "graph/graph.h"

MW_FN mw_vid said(const struct cc_checking *c, uint64_t place)
{
    return mw_number(c->comp, place, c->wide);
}

/* `vertex` is said to be of `is`, and that does not go with `other`. */
static void wrong(struct cc_checking *c, const struct mw_cpe *self, uint32_t rule,
                  mw_vid vertex, mw_vid is, mw_vid other)
{
    struct cc_checking_lane *l = &c->lane[self->lane];
    l->n_wrong[rule]++;
    if (l->rule != 0)
        return;
    l->rule = rule;
    l->vertex = vertex;
    l->is = is;
    l->other = other;
}

/* ---- 1: tuple -> one end tells its component -> the other end judges -------------------- */

/* At an end of a tuple: the other one is said to be of m->value. */
static void judge(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct cc_checking *c = state;
    const mw_vid mine = said(c, m->child);
    if (mine != m->value)
        wrong(c, self, MW_CC_EDGES, mw_vertex(&c->deal, c->deal.rank, m->child), mine,
              m->value);
}

/* At an end of a tuple: m->value is the other end. */
static void tell_other_end(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    struct cc_checking *c = state;
    struct mw_visit there = {said(c, m->child), 0, c->deal.rank, 0};
    uint32_t owner;
    there.child = (uint32_t)mw_locate(&c->deal, m->value, &owner);
    if (mw_here(e, owner))
        judge(c, &there, e->self);
    else
        mw_emit(e, owner, there.child, there.value);
}

/* The end that is elsewhere tells, so that a tuple of which one end is here travels once. */
static void tuple(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct cc_checking *c = state;
    struct cc_checking_lane *l = &c->lane[e->self->lane];
    for (uint64_t i = first; i < last; i++) {
        mw_vid u, v;
        uint32_t owner_u, owner_v;
        mw_edges_get(c->edges, i, &u, &v);
        l->n_self_loops += u == v;
        l->n_edges += u != v;
        struct mw_visit m = {0, (uint32_t)mw_locate(&c->deal, u, &owner_u), 0, 0};
        const uint32_t place_v = (uint32_t)mw_locate(&c->deal, v, &owner_v);
        if (!mw_here(e, owner_u)) {
            mw_emit(e, owner_u, m.child, v);
        } else if (!mw_here(e, owner_v)) {
            mw_emit(e, owner_v, place_v, u);
        } else {
            m.value = said(c, place_v);
            judge(c, &m, e->self);
        }
    }
}

/* ---- 2: vertex -> its component's name ---------------------------------------------------- */

/* A vertex calls its component after this one. */
static void name(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct cc_checking *c = state;
    const mw_vid v = mw_vertex(&c->deal, c->deal.rank, m->child), is = said(c, m->child);
    if (is != v)
        wrong(c, self, MW_CC_MEMBERS, v, is, v);
}

static void member(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct cc_checking *c = state;
    mw_vid before = MW_NO_VERTEX;
    for (uint64_t place = first; place < last; place++) {
        const mw_vid v = mw_vertex(&c->deal, c->deal.rank, place), is = said(c, place);
        struct mw_visit m = {0, 0, c->deal.rank, 0};
        uint32_t owner;
        c->lane[e->self->lane].n_said += is == v;
        if (is == v || (is == before && is < v))
            continue; /* asked for already */
        if (is > v) {
            wrong(c, e->self, MW_CC_MEMBERS, v, is, v);
            continue;
        }
        before = is;
        m.child = (uint32_t)mw_locate(&c->deal, is, &owner);
        if (mw_here(e, owner))
            name(c, &m, e->self);
        else
            mw_emit(e, owner, m.child, 0);
    }
}

/* ---- kernels ---------------------------------------------------------------------------- */

MW_KERNEL(tuple_kernel, mw_run_expand, tuple)
MW_KERNEL(tell_kernel, mw_run_reply, tell_other_end)
MW_KERNEL(judge_kernel, mw_run_update, judge)
MW_KERNEL(member_kernel, mw_run_expand, member)
MW_KERNEL(name_kernel, mw_run_update, name)

const struct cc_validate_kernels MW_KERNELS = {
    .tuple = tuple_kernel,
    .tell = tell_kernel,
    .judge = judge_kernel,
    .member = member_kernel,
    .name = name_kernel,
};
