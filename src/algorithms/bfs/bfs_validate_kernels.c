/* bfs_validate_kernels.c -- what the validator does to one vertex, one tuple, one record.
 *
 * Compiled once per skeleton: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/bfs/bfs_validate.h"

/* ---- children: every reached vertex tells its parent's owner ---------------------------- */

/* Counted in the first pass, placed in the second: first_child[] moves meanwhile. */
static void child_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct mw_validation *v = state;
    (void)self;
    if (v->children == NULL) {
        MW_ADD_RELAXED(&v->first_child[m->child + 2], 1);
        return;
    }
    const uint64_t at = MW_ADD_RELAXED(&v->first_child[m->child + 1], 1);
    const mw_vid child = m->value * v->comm->size + m->sender;
    mw_set_number(v->children, at, child, v->wide);
}

static void child_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_validation *v = state;
    for (uint64_t place = first; place < last; place++) {
        const mw_vid parent = mw_parent_at(v, place);
        const mw_vid self = place * v->comm->size + v->comm->rank;
        struct mw_visit m = {place, 0, v->comm->rank};
        uint32_t owner;
        if (parent == MW_NO_VERTEX || parent == self)
            continue;
        if (parent >= v->edges->n_vertices) {
            if (v->children == NULL)
                mw_wrong(&v->lane[e->self->lane], MW_RULE_TREE, self, parent, 0, 0);
            continue;
        }
        m.child = (uint32_t)mw_locate(&v->partition, parent, &owner);
        if (mw_here(e, owner))
            child_update(v, &m, e->self);
        else
            mw_emit(e, owner, m.child, place);
    }
}

/* ---- walk: depths from the root, over the children ---------------------------------------- */

static void walk_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct mw_validation *v = state;
    struct mw_validation_lane *l = &v->lane[self->lane];
    v->level[m->child] = v->depth + 1; /* a child has one parent: set once */
    if (l->n_next == l->room) {
        const uint64_t room = 2 * l->room + 4096;
        uint32_t *more = mw_alloc("places of a lane", room, sizeof *more);
        if (more == NULL) {
            l->status = MW_ERR_NOMEM;
            return;
        }
        if (l->n_next > 0)
            memcpy(more, l->next, l->n_next * sizeof *more);
        mw_free(l->next);
        l->next = more;
        l->room = room;
    }
    l->next[l->n_next++] = m->child;
}

static void walk_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_validation *v = state;
    for (uint64_t i = mw_item_of(v->list_end, v->n_list, first), at = first; at < last;
         i++) {
        const uint64_t start = i > 0 ? v->list_end[i - 1] : 0;
        const uint64_t end = mw_min(last, v->list_end[i]);
        for (; at < end; at++) {
            const uint64_t k = v->first_child[v->list[i]] + at - start;
            struct mw_visit m = {0, 0, 0};
            uint32_t owner;
            m.child = (uint32_t)mw_locate(&v->partition,
                                          mw_number(v->children, k, v->wide), &owner);
            if (mw_here(e, owner))
                walk_update(v, &m, e->self);
            else
                mw_emit(e, owner, m.child, 0);
        }
    }
}

/* ---- edges: every tuple against depths and parents ----------------------------------------- */

/* A level that the search went on from: edges out of it may not leave the tree. */
MW_FN bool went_on(const struct mw_validation *v, uint32_t level)
{
    return level != MW_NO_LEVEL && level < v->last;
}

/* At v's owner: the edge (u, v) of a directed graph. */
MW_FN void judge_directed(struct mw_validation *v, mw_vid u, uint32_t level_u,
                          uint32_t level_v, mw_vid self, struct mw_validation_lane *l)
{
    if (level_u == MW_NO_LEVEL)
        return; /* it may lead anywhere */
    l->n_edges++;
    if (level_v == MW_NO_LEVEL && went_on(v, level_u))
        mw_wrong(l, MW_RULE_SPANS, u, self, level_u, level_v);
    else if (level_v != MW_NO_LEVEL && level_v > level_u + 1)
        mw_wrong(l, MW_RULE_LEVELS, u, self, level_u, level_v);
}

/* At v's owner: u is on this level; without directions it is the end with the smaller
 * number. */
MW_FN void judge(struct mw_validation *v, mw_vid u, uint32_t level_u, uint32_t place_v,
                 struct mw_validation_lane *l)
{
    const uint32_t level_v = v->level[place_v];
    const mw_vid self = (uint64_t)place_v * v->comm->size + v->comm->rank;
    if (v->edges->directed) {
        judge_directed(v, u, level_u, level_v, self, l);
        return;
    }
    if (level_u == MW_NO_LEVEL || level_v == MW_NO_LEVEL) {
        if (went_on(v, level_u) || went_on(v, level_v))
            mw_wrong(l, MW_RULE_SPANS, u, self, level_u, level_v);
        return;
    }
    if (level_u - level_v + 1 > 2)
        mw_wrong(l, MW_RULE_LEVELS, u, self, level_u, level_v);
    l->n_edges++;
}

static void edge_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct mw_validation *v = state;
    judge(v, MW_NO_VERTEX, (uint32_t)m->value - 1, m->child, &v->lane[self->lane]);
}

/* At u's owner: there is a tuple of u and v. */
MW_FN void confirm(struct mw_validation *v, uint32_t place_u, mw_vid other)
{
    if (mw_number(v->parent, place_u, v->wide) == other)
        MW_STORE_RELAXED(&v->confirmed[place_u], 1);
}

/* What an end hears of the other one. In a directed graph it has to know which of the two it
 * is, so the other's number is doubled. */
MW_FN uint64_t other_end(const struct mw_validation *v, mw_vid other, bool i_am_second)
{
    return v->edges->directed ? 2 * other + i_am_second : other;
}

static void edge_reply(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    struct mw_validation *v = state;
    struct mw_validation_lane *l = &v->lane[e->self->lane];
    const bool directed = v->edges->directed;
    const mw_vid u = (uint64_t)m->child * v->comm->size + v->comm->rank;
    const mw_vid other = directed ? m->value / 2 : m->value;
    const uint32_t level = v->level[m->child];
    uint32_t owner;

    if (u == other) {
        l->n_self_loops += level != MW_NO_LEVEL;
        return;
    }
    /* The smaller end does the telling, or the one that the edge leaves. */
    const bool second = directed ? m->value % 2 != 0 : u > other;
    if (second || !directed)
        confirm(v, m->child, other);
    if (second)
        return;
    const uint32_t place = (uint32_t)mw_locate(&v->partition, other, &owner);
    if (mw_here(e, owner))
        judge(v, u, level, place, l);
    else
        mw_emit(e, owner, place, level + 1); /* MW_NO_LEVEL becomes 0 */
}

/* Both ends are here: nothing travels. A parent can only be where the depth is one less,
 * which spares most of the looks at parent[]. */
MW_FN void edge_here(struct mw_validation *v, mw_vid a, mw_vid b, uint32_t place_a,
                     uint32_t place_b, struct mw_validation_lane *l)
{
    const uint32_t level_a = v->level[place_a], level_b = v->level[place_b];
    if (a == b) {
        l->n_self_loops += level_a != MW_NO_LEVEL;
        return;
    }
    if (level_a + 1 == level_b)
        confirm(v, place_b, a);
    else if (level_b + 1 == level_a && !v->edges->directed)
        confirm(v, place_a, b);
    judge(v, a, level_a, place_b, l);
}

static void edge_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_validation *v = state;
    struct mw_validation_lane *l = &v->lane[e->self->lane];
    for (uint64_t i = first; i < last; i++) {
        mw_vid a, b;
        uint32_t owner_a, owner_b;
        mw_edges_get(v->edges, i, &a, &b);
        const uint32_t place_a = (uint32_t)mw_locate(&v->partition, a, &owner_a);
        const uint32_t place_b = (uint32_t)mw_locate(&v->partition, b, &owner_b);
        if (mw_here(e, owner_a) && mw_here(e, owner_b)) {
            edge_here(v, a, b, place_a, place_b, l);
            continue;
        }
        mw_emit(e, owner_a, place_a, other_end(v, b, false));
        if (a != b)
            mw_emit(e, owner_b, place_b, other_end(v, a, true));
    }
}

/* Levels and parents are met in no order. */
static void fetch_level(const void *state, uint32_t child)
{
    const struct mw_validation *v = state;
    __builtin_prefetch(&v->level[child]);
}

static void fetch_both(const void *state, uint32_t child)
{
    const struct mw_validation *v = state;
    __builtin_prefetch(&v->level[child]);
    __builtin_prefetch((const char *)v->parent +
                       (uint64_t)child * mw_number_bytes(v->wide));
}

/* ---- kernels ------------------------------------------------------------------------------ */

#define KERNEL(name, run, element)                                                       \
    static void name(struct mw_cpe *self, void *arg)                                     \
    {                                                                                    \
        const struct mw_job *job = arg;                                                  \
        MW_BY_RECORD(job, run, self, job, element);                                      \
    }
#define KERNEL_AHEAD(name, run, element, ahead)                                          \
    static void name(struct mw_cpe *self, void *arg)                                     \
    {                                                                                    \
        const struct mw_job *job = arg;                                                  \
        MW_BY_RECORD(job, run, self, job, element, ahead);                               \
    }
KERNEL(child_generate, mw_run_expand, child_expand)
KERNEL(child_handle, mw_run_update, child_update)
KERNEL(walk_generate, mw_run_expand, walk_expand)
KERNEL(walk_handle, mw_run_update, walk_update)
KERNEL(edge_generate, mw_run_expand, edge_expand)
KERNEL_AHEAD(edge_tell, mw_run_reply_ahead, edge_reply, fetch_both)
KERNEL_AHEAD(edge_judge, mw_run_update_ahead, edge_update, fetch_level)

const struct mw_validation_kernels MW_KERNELS = {
    .child_generate = child_generate,
    .child_handle = child_handle,
    .walk_generate = walk_generate,
    .walk_handle = walk_handle,
    .edge_generate = edge_generate,
    .edge_tell = edge_tell,
    .edge_judge = edge_judge,
};
