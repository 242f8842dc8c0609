/* cc_kernels.c -- what components do to one edge, one question and one record.
 *
 * Compiled once per skeleton: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/cc/cc_state.h"

/* The representative of a place, or its own one if that is here too; halves the way there. */
MW_FN mw_vid above(struct cc_state *s, uint64_t place)
{
    const mw_vid up = cc_comp(s, place);
    uint32_t owner;
    const uint64_t up_place = mw_locate(&s->g->partition, up, &owner);
    if (owner != s->g->partition.rank || up_place == place)
        return up;
    const mw_vid next = cc_comp(s, up_place);
    if (next < up)
        mw_lower(s->comp, place, next, s->g->wide);
    return next;
}

/* v and `value` are of one component. Follows the representatives of both, downwards, while
 * they are here: until they meet, or the larger one is its own representative and gets the
 * smaller, or lives elsewhere and is told. (Two cores may hook one vertex at a time and the smaller
 * value wins; it has fallen then, and tells of it in the next round.) */
MW_FN void join(struct cc_state *s, mw_vid v, mw_vid value, struct mw_emitter *e)
{
    while (value < v) {
        uint32_t owner;
        const uint64_t place = mw_locate(&s->g->partition, v, &owner);
        if (!mw_here(e, owner)) {
            mw_emit(e, owner, (uint32_t)place, value);
            return;
        }
        const mw_vid up = above(s, place);
        if (up == v) {
            mw_lower(s->comp, place, value, s->g->wide);
            return;
        }
        v = mw_max(up, value);
        value = mw_min(up, value);
    }
}

/* Units are cut anywhere, so a long row is told by several cores. */
static void tell(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct cc_state *s = state;
    const struct mw_graph *g = s->g;
    for (uint64_t i = mw_item_of(s->left_end, s->counts->n_left, first), at = first;
         at < last; i++) {
        const uint64_t start = i > 0 ? s->left_end[i - 1] : 0;
        const uint64_t row = g->row[s->left[i]] - start;
        const uint64_t end = mw_min(last, s->left_end[i]);
        if (s->is[i] == s->was[i])
            at = end;
        for (; at < end; at++)
            if (at + 1 < s->left_end[i])
                join(s,
                     mw_number(g->name, mw_number(g->column, row + at, g->wide), g->wide),
                     s->is[i], e);
            else if (s->was[i] != CC_NONE)
                join(s, s->was[i], s->is[i], e);
    }
}

/* A representative that is here is its own already: look() has seen to that. */
static void ask(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct cc_state *s = state;
    for (uint64_t i = first; i < last; i++) {
        const uint64_t place = s->g->place_of[s->left[i]];
        uint32_t owner;
        const uint64_t up = mw_locate(&s->g->partition, s->is[i], &owner);
        if (owner != s->g->partition.rank)
            mw_emit(e, owner, (uint32_t)up, place);
    }
}

/* m->child is the representative, m->value the place of who asks for a smaller one. */
static void answer(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    const struct cc_state *s = state;
    const mw_vid value = cc_comp(s, m->child);
    if (value < cc_own(s, m->child))
        mw_emit(e, m->sender, (uint32_t)m->value, value);
}

static void hear(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct cc_state *s = state;
    (void)self;
    mw_lower(s->comp, m->child, m->value, s->g->wide);
}

/* ---- sizes: every vertex with an edge is counted at its representative ------------------ */

static void count(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct cc_state *s = state;
    (void)self;
    mw_count(&s->size[m->child], m->value);
}

static void count_run(struct cc_state *s, mw_vid comp, uint64_t n, struct mw_emitter *e)
{
    struct mw_visit m = {n, 0, s->g->partition.rank};
    uint32_t owner;
    if (n == 0)
        return;
    m.child = (uint32_t)mw_locate(&s->g->partition, comp, &owner);
    if (mw_here(e, owner))
        count(s, &m, e->self);
    else
        mw_emit(e, owner, m.child, n);
}

/* One record for neighbours in the input that belong together: most do. */
static void belong(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct cc_state *s = state;
    mw_vid comp = CC_NONE;
    uint64_t n = 0;
    for (uint64_t place = first; place < last; place++) {
        if (s->g->label_of[place] == MW_NO_LABEL)
            continue;
        const mw_vid mine = cc_comp(s, place);
        if (mine != comp || n == UINT32_MAX) {
            count_run(s, comp, n, e);
            comp = mine;
            n = 0;
        }
        n++;
    }
    count_run(s, comp, n, e);
}

/* ---- kernels ---------------------------------------------------------------------------- */

MW_KERNEL(tell_kernel, mw_run_expand, tell)
MW_KERNEL(ask_kernel, mw_run_expand, ask)
MW_KERNEL(answer_kernel, mw_run_reply, answer)
MW_KERNEL(hear_kernel, mw_run_update, hear)
MW_KERNEL(belong_kernel, mw_run_expand, belong)
MW_KERNEL(count_kernel, mw_run_update, count)

const struct cc_kernels MW_KERNELS = {
    .tell = tell_kernel,
    .ask = ask_kernel,
    .answer = answer_kernel,
    .hear = hear_kernel,
    .belong = belong_kernel,
    .count = count_kernel,
};
