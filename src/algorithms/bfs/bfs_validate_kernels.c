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
    const mw_vid child = mw_vertex(&v->partition, m->sender, m->value);
    mw_set_number(v->children, at, child, v->wide);
}

static void child_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_validation *v = state;
    for (uint64_t place = first; place < last; place++) {
        const mw_vid parent = mw_parent_at(v, place);
        const mw_vid self = mw_vertex(&v->partition, v->comm->rank, place);
        struct mw_visit m = {place, 0, v->comm->rank, 0};
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
            struct mw_visit m = {0, 0, 0, 0};
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

/* The edge (u, v) of a directed graph. */
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

/* u is on this level; without directions it is the end with the smaller number, where a record
 * says so. */
MW_FN void judge(struct mw_validation *v, mw_vid u, uint32_t level_u, mw_vid self,
                 uint32_t level_v, struct mw_validation_lane *l)
{
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

MW_FN mw_vid vertex_of(const struct mw_validation *v, uint32_t place)
{
    return mw_vertex(&v->partition, v->comm->rank, place);
}

static void edge_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct mw_validation *v = state;
    judge(v, MW_NO_VERTEX, (uint32_t)m->value - 1, vertex_of(v, m->child),
          v->level[m->child], &v->lane[self->lane]);
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

/* An end of a tuple, and where it stands in what the host shares; UINT64_MAX: nowhere. */
struct end {
    mw_vid v;
    uint64_t at;
    uint32_t owner, place;
};

MW_FN struct end end_of(const struct mw_validation *v, mw_vid vertex,
                        const struct mw_emitter *e)
{
    struct end x = {vertex, 0, 0, 0};
    x.place = (uint32_t)mw_locate(&v->partition, vertex, &x.owner);
    const uint32_t near = v->shared             ? mw_near(e, x.owner)
                          : mw_here(e, x.owner) ? 0
                                                : MW_FAR;
    x.at = near == MW_FAR ? UINT64_MAX : near * v->stride + x.place;
    return x;
}

MW_FN bool on_host(const struct end *x)
{
    return x->at != UINT64_MAX;
}

static void edge_reply(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    struct mw_validation *v = state;
    struct mw_validation_lane *l = &v->lane[e->self->lane];
    const bool directed = v->edges->directed;
    const mw_vid u = vertex_of(v, m->child);
    const mw_vid other = directed ? m->value / 2 : m->value;
    const uint32_t level = v->level[m->child];

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
    const struct end x = end_of(v, other, e);
    if (on_host(&x))
        judge(v, u, level, other, v->levels[x.at], l);
    else
        mw_emit(e, x.owner, x.place, level + 1); /* MW_NO_LEVEL becomes 0 */
}

/* Tuples are dealt with a block at a time, so that what is looked at in no order can be fetched
 * ahead. A parent can only be where the depth is one less, which spares most of the looks at
 * parents; whether it is no processor foresees, so the looks are picked without a branch. */
enum { BLOCK = 32 };

struct block {
    uint32_t n, n_looks;
    struct end a[BLOCK], b[BLOCK];
    uint64_t at[BLOCK]; /* of the looks: whose parent, and which it would be */
    mw_vid parent[BLOCK];
};

MW_FN void fill_block(struct block *k, const struct mw_validation *v, uint64_t first,
                      const struct mw_emitter *e)
{
    for (uint32_t i = 0; i < k->n; i++) {
        mw_vid a, b;
        mw_edges_get(v->edges, first + i, &a, &b);
        k->a[i] = end_of(v, a, e);
        k->b[i] = end_of(v, b, e);
        if (on_host(&k->a[i]))
            __builtin_prefetch(&v->levels[k->a[i].at]);
        if (on_host(&k->b[i]))
            __builtin_prefetch(&v->levels[k->b[i].at]);
    }
}

/* Both ends are on this host: nothing travels. */
MW_FN void edge_here(struct mw_validation *v, const struct end *a, const struct end *b,
                     struct block *k, struct mw_validation_lane *l)
{
    const uint32_t level_a = v->levels[a->at], level_b = v->levels[b->at];
    const bool below = level_a + 1 == level_b;
    const bool above = level_b + 1 == level_a && !v->edges->directed;
    if (a->v == b->v) {
        l->n_self_loops += level_a != MW_NO_LEVEL;
        return;
    }
    k->at[k->n_looks] = below ? b->at : a->at;
    k->parent[k->n_looks] = below ? a->v : b->v;
    k->n_looks += (uint32_t)below | (uint32_t)above;
    judge(v, a->v, level_a, b->v, level_b, l);
}

MW_FN void look_at_parents(struct mw_validation *v, const struct block *k)
{
    const char *parents = v->parents != NULL ? v->parents : v->parent;
    for (uint32_t i = 0; i < k->n_looks; i++)
        __builtin_prefetch(parents + k->at[i] * mw_number_bytes(v->wide));
    for (uint32_t i = 0; i < k->n_looks; i++)
        if (mw_number(parents, k->at[i], v->wide) == k->parent[i])
            MW_STORE_RELAXED(&v->all_confirmed[k->at[i]], 1);
}

static void edge_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_validation *v = state;
    struct mw_validation_lane *l = &v->lane[e->self->lane];
    struct block k;
    for (; first < last; first += k.n) {
        k.n = (uint32_t)mw_min(BLOCK, last - first);
        k.n_looks = 0;
        fill_block(&k, v, first, e);
        for (uint32_t i = 0; i < k.n; i++) {
            const struct end *a = &k.a[i], *b = &k.b[i];
            if (on_host(a) && on_host(b)) {
                edge_here(v, a, b, &k, l);
                continue;
            }
            mw_emit(e, a->owner, a->place, other_end(v, b->v, false));
            if (a->v != b->v)
                mw_emit(e, b->owner, b->place, other_end(v, a->v, true));
        }
        look_at_parents(v, &k);
    }
}

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

MW_KERNEL(child_generate, mw_run_expand, child_expand)
MW_KERNEL(child_handle, mw_run_update, child_update)
MW_KERNEL(walk_generate, mw_run_expand, walk_expand)
MW_KERNEL(walk_handle, mw_run_update, walk_update)
MW_KERNEL(edge_generate, mw_run_expand, edge_expand)
MW_KERNEL(edge_tell, mw_run_reply_ahead, edge_reply, fetch_both)
MW_KERNEL(edge_judge, mw_run_update_ahead, edge_update, fetch_level)

const struct bfs_validate_kernels MW_KERNELS = {
    .child_generate = child_generate,
    .child_handle = child_handle,
    .walk_generate = walk_generate,
    .walk_handle = walk_handle,
    .edge_generate = edge_generate,
    .edge_tell = edge_tell,
    .edge_judge = edge_judge,
};
