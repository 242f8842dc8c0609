/* construct_kernels.c -- what kernel 1 does to one edge and to one record.
 *
 * Compiled once per skeleton: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "graph/construct.h"

/* The bins of whoever owns a vertex; NULL: it takes a record to get there. */
MW_FN struct mw_bins *bins_of(struct mw_construction *c, const struct mw_emitter *e,
                              uint32_t owner)
{
    if (c->shelf.of == NULL)
        return mw_here(e, owner) ? &c->bins : NULL;
    const uint32_t near = mw_near(e, owner);
    return near != MW_FAR ? &c->shelf.of[near] : NULL;
}

/* ---- count: how often does each vertex occur? ---------------------------------------- */

MW_FN bool count_place(const struct mw_construction *c, struct mw_bins *bins,
                       uint32_t place, uint32_t lane)
{
    uint32_t *room = mw_bins_add(bins, lane, place >> c->bin_shift, sizeof *room);
    if (room == NULL)
        return false;
    *room = place;
    return true;
}

static void count_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct mw_construction *c = state;
    (void)count_place(c, &c->bins, m->child, self->lane);
}

MW_FN void count_end(struct mw_construction *c, mw_vid v, struct mw_emitter *e)
{
    uint32_t owner;
    const uint32_t place = (uint32_t)mw_locate(&c->g->partition, v, &owner);
    struct mw_bins *bins = bins_of(c, e, owner);
    const bool counted = bins != NULL && count_place(c, bins, place, e->self->lane);
    if (!counted && bins != &c->bins) /* no room on the shelf: it travels */
        mw_emit(e, owner, place, 0);
}

MW_FN void count_ends(struct mw_construction *c, uint64_t first, uint64_t last,
                      struct mw_emitter *e, enum mw_ends ends)
{
    for (uint64_t i = c->first_edge + first; i < c->first_edge + last; i++) {
        mw_vid u, v;
        mw_edges_get(c->edges, i, &u, &v);
        if (u == v)
            continue;
        if (ends != MW_SECOND_ENDS)
            count_end(c, u, e);
        if (ends != MW_FIRST_ENDS)
            count_end(c, v, e);
    }
}

/* Calls one of three copies of a function, each made for its ends. */
#define BY_ENDS(c, function, ...)                                                        \
    ((c)->ends == MW_BOTH_ENDS    ? function(__VA_ARGS__, MW_BOTH_ENDS)                  \
     : (c)->ends == MW_FIRST_ENDS ? function(__VA_ARGS__, MW_FIRST_ENDS)                 \
                                  : function(__VA_ARGS__, MW_SECOND_ENDS))

/* The same for functions that are also made for lists with weights. */
#define BY_ENDS_AND_WEIGHTS(c, function, ...)                                            \
    ((c)->weights != MW_WEIGHTS_NONE ? BY_ENDS_AS(c, function, true, __VA_ARGS__)        \
                                     : BY_ENDS_AS(c, function, false, __VA_ARGS__))
#define BY_ENDS_AS(c, function, weighted, ...)                                           \
    ((c)->ends == MW_BOTH_ENDS    ? function(__VA_ARGS__, MW_BOTH_ENDS, weighted)        \
     : (c)->ends == MW_FIRST_ENDS ? function(__VA_ARGS__, MW_FIRST_ENDS, weighted)       \
                                  : function(__VA_ARGS__, MW_SECOND_ENDS, weighted))

static void count_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_construction *c = state;
    BY_ENDS(c, count_ends, c, first, last, e);
}

/* ---- build: rows --------------------------------------------------------------------- */

/* `column` may have the order above it. */
MW_FN bool add_entry(const struct mw_construction *c, struct mw_bins *bins,
                     uint32_t place, uint64_t column, float weight, uint32_t lane,
                     bool weighted)
{
    const uint64_t bin = (place - c->first_place) >> c->bin_shift;
    if (c->g->wide || (weighted && c->weights == MW_WEIGHTS_FIRST)) {
        struct mw_wide_entry *room = mw_bins_add(bins, lane, bin, sizeof *room);
        if (room == NULL)
            return false;
        *room = (struct mw_wide_entry){column, place, weight};
    } else if (weighted) {
        struct mw_weighted_entry *room = mw_bins_add(bins, lane, bin, sizeof *room);
        if (room == NULL)
            return false;
        *room = (struct mw_weighted_entry){place, (uint32_t)column, weight};
    } else {
        struct mw_entry *room = mw_bins_add(bins, lane, bin, sizeof *room);
        if (room == NULL)
            return false;
        *room = (struct mw_entry){place, (uint32_t)column};
    }
    return true;
}

/* "v has the neighbour u." */
struct end {
    mw_vid u, v;
};

/* Puts it where v's owner will find it; false: it takes a record. */
MW_FN bool enter(struct mw_construction *c, uint32_t owner_v, uint64_t place_v,
                 uint64_t column, float weight, const struct mw_emitter *e, bool weighted)
{
    struct mw_bins *bins = bins_of(c, e, owner_v);
    const bool entered = bins != NULL && add_entry(c, bins, (uint32_t)place_v, column,
                                                   weight, e->self->lane, weighted);
    return entered || bins == &c->bins; /* out of memory: the bins remember */
}

MW_FN void build_end(struct mw_construction *c, mw_vid v, uint64_t column, float weight,
                     struct mw_emitter *e, bool weighted)
{
    uint32_t owner_v;
    const uint64_t place_v = mw_locate(&c->g->partition, v, &owner_v);
    if (!enter(c, owner_v, place_v, column, weight, e, weighted))
        mw_emit_extra(e, owner_v, (uint32_t)place_v, column, mw_bits_of_float(weight));
}

/* One end in ROUNDS is this round's, which no processor foresees: so ends are picked
 * without a branch, a block at a time, and then dealt with. */
enum { BLOCK = 128 };

struct ends {
    struct end end[2 * BLOCK + 1];
    uint8_t tuple[2 * BLOCK + 1]; /* of the block; unless weighted not written */
};

MW_FN uint32_t pick_ends(const struct mw_construction *c, uint64_t first, uint64_t last,
                         struct ends *x, enum mw_ends ends, bool weighted)
{
    struct end *const end = x->end;
    const uint64_t begin = first;
    const struct mw_edges *edges = c->edges;
    const struct mw_partition *p = &c->g->partition;
    const struct mw_places round = mw_places_of(p, c->first_place, c->last_place);
    uint32_t n = 0;
    for (; first < last; first++) {
        mw_vid u, v;
        mw_edges_get(edges, first, &u, &v);
        if (ends != MW_FIRST_ENDS) {
            end[n] = (struct end){u, v};
            if (weighted)
                x->tuple[n] = (uint8_t)(first - begin);
            n += (uint32_t)mw_stands_in(p, &round, v) & (uint32_t)(u != v);
        }
        if (ends != MW_SECOND_ENDS) {
            end[n] = (struct end){v, u};
            if (weighted)
                x->tuple[n] = (uint8_t)(first - begin);
            n += (uint32_t)mw_stands_in(p, &round, u) & (uint32_t)(u != v);
        }
    }
    return n;
}

/* What the i-th of the ends picked from tuple `first` on has beside it. */
MW_FN uint64_t order_of(const struct mw_construction *c, uint64_t first,
                        const struct ends *x, uint32_t i)
{
    return c->first_order + first + x->tuple[i];
}

MW_FN float weight_of(const struct mw_construction *c, uint64_t first,
                      const struct ends *x, uint32_t i, bool weighted)
{
    return weighted ? mw_edges_weight(c->edges, first + x->tuple[i]) : 0;
}

MW_FN void build_ends(struct mw_construction *c, uint64_t first, uint64_t last,
                      struct mw_emitter *e, enum mw_ends ends, bool weighted)
{
    struct ends x;
    struct end *const end = x.end;
    const bool wide = c->g->wide;
    const char *const column_of = c->column_of;
    for (; first < last; first += BLOCK) {
        const uint32_t n =
            pick_ends(c, first, mw_min(first + BLOCK, last), &x, ends, weighted);
        for (uint32_t i = 0; i < n; i++) { /* each column is a cache miss of its own */
            uint32_t owner;
            const uint64_t place = mw_locate(&c->g->partition, end[i].u, &owner);
            end[i].u = owner * c->most_places + place; /* from now on where it stands */
            __builtin_prefetch(column_of + end[i].u * mw_number_bytes(wide));
        }
        for (uint32_t i = 0; i < n; i++) {
            uint64_t column = mw_number(column_of, end[i].u, wide);
            if (weighted)
                column = mw_value_with_order(c, column, order_of(c, first, &x, i));
            build_end(c, end[i].v, column, weight_of(c, first, &x, i, weighted), e,
                      weighted);
        }
    }
}

static void build_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_construction *c = state;
    BY_ENDS_AND_WEIGHTS(c, build_ends, c, c->first_edge + first, c->first_edge + last, e);
}

/* The column of a vertex of this rank. */
MW_FN uint64_t column_here(const struct mw_graph *g, uint64_t place)
{
    return mw_column(g->comm->rank, g->label_of[place], g->label_bits);
}

/* To u's owner: v has the neighbour u. Also where that is this rank, but for v's that it
 * reaches. */
MW_FN void ask_ends(struct mw_construction *c, uint64_t first, uint64_t last,
                    struct mw_emitter *e, enum mw_ends ends, bool weighted)
{
    const struct mw_partition *p = &c->g->partition;
    struct ends x;
    struct end *const end = x.end;
    for (; first < last; first += BLOCK) {
        const uint32_t n =
            pick_ends(c, first, mw_min(first + BLOCK, last), &x, ends, weighted);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t owner_u, owner_v;
            const uint64_t place_u = mw_locate(p, end[i].u, &owner_u);
            const uint64_t place_v = mw_locate(p, end[i].v, &owner_v);
            const uint64_t order =
                weighted ? mw_value_with_order(c, 0, order_of(c, first, &x, i)) : 0;
            const float weight = weight_of(c, first, &x, i, weighted);
            if (!mw_here(e, owner_u) ||
                !enter(c, owner_v, place_v, column_here(c->g, place_u) | order, weight, e,
                       weighted))
                mw_emit_extra(e, owner_u, (uint32_t)place_u, end[i].v | order,
                              mw_bits_of_float(weight));
        }
    }
}

static void ask_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_construction *c = state;
    BY_ENDS_AND_WEIGHTS(c, ask_ends, c, c->first_edge + first, c->first_edge + last, e);
}

/* Of u, which is here: to v's owner, with the column. */
static void tell_reply(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    struct mw_construction *c = state;
    uint32_t owner_v;
    const uint64_t place_v = mw_locate(&c->g->partition, m->value, &owner_v);
    const uint64_t column = column_here(c->g, m->child);
    if (!enter(c, owner_v, place_v, column, 0, e, false))
        mw_emit(e, owner_v, (uint32_t)place_v, column);
}

static void tell_weighted_reply(void *state, const struct mw_visit *m,
                                struct mw_emitter *e)
{
    struct mw_construction *c = state;
    uint32_t owner_v;
    const uint64_t place_v =
        mw_locate(&c->g->partition, mw_value_without_order(c, m->value), &owner_v);
    const uint64_t column =
        mw_value_with_order(c, column_here(c->g, m->child), mw_order_of(c, m->value));
    if (!enter(c, owner_v, place_v, column, mw_float_of_bits(m->extra), e, true))
        mw_emit_extra(e, owner_v, (uint32_t)place_v, column, m->extra);
}

static void fetch_label(const void *state, uint32_t child)
{
    const struct mw_construction *c = state;
    __builtin_prefetch(&c->g->label_of[child]);
}

static void row_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct mw_construction *c = state;
    (void)add_entry(c, &c->bins, m->child, m->value, 0, self->lane, false);
}

static void weighted_row_update(void *state, const struct mw_visit *m,
                                const struct mw_cpe *self)
{
    struct mw_construction *c = state;
    (void)add_entry(c, &c->bins, m->child, m->value, mw_float_of_bits(m->extra),
                    self->lane, true);
}

/* ---- name: heads whose owners are asked ------------------------------------------------ */

static void head_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_construction *c = state;
    const struct mw_graph *g = c->g;
    const uint32_t label_bits = g->label_bits;
    for (uint64_t i = first; i < last; i++) {
        const uint64_t head = mw_number(g->head, i, g->wide);
        const uint32_t owner = mw_column_owner(head, label_bits);
        const uint32_t label = mw_column_label(head, label_bits);
        if (mw_here(e, owner))
            mw_set_number(g->head_name, i, mw_vertex_at(g, owner, g->place_of[label]),
                          g->wide);
        else
            mw_emit(e, owner, label, i);
    }
}

static void head_reply(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    const struct mw_construction *c = state;
    mw_emit(e, m->sender, (uint32_t)m->value, c->g->place_of[m->child]);
}

static void head_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    const struct mw_construction *c = state;
    (void)self;
    mw_set_number(c->g->head_name, m->child, mw_vertex_at(c->g, m->sender, m->value),
                  c->g->wide);
}

/* ---- kernels -------------------------------------------------------------------------- */

MW_KERNEL(count_generate, mw_run_expand, count_expand)
MW_KERNEL(count_handle, mw_run_update, count_update)
MW_KERNEL(build_generate, mw_run_expand, build_expand)

static void build_row(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    const struct mw_construction *c = job->state;
    if (c->naming)
        MW_BY_RECORD(job, mw_run_update, self, job, head_update);
    else if (c->weights != MW_WEIGHTS_NONE)
        mw_run_update(self, job, weighted_row_update, true);
    else
        MW_BY_RECORD(job, mw_run_update, self, job, row_update);
}

static void build_ask(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    if (((const struct mw_construction *)job->state)->naming)
        MW_BY_RECORD(job, mw_run_expand, self, job, head_expand);
    else
        MW_BY_RECORD(job, mw_run_expand, self, job, ask_expand);
}

static void build_tell(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    const struct mw_construction *c = job->state;
    if (c->naming)
        MW_BY_RECORD(job, mw_run_reply, self, job, head_reply);
    else if (c->weights != MW_WEIGHTS_NONE)
        mw_run_reply_ahead(self, job, tell_weighted_reply, fetch_label, true);
    else
        MW_BY_RECORD(job, mw_run_reply_ahead, self, job, tell_reply, fetch_label);
}

const struct mw_construction_kernels MW_KERNELS = {
    .count_generate = count_generate,
    .count_handle = count_handle,
    .build_generate = build_generate,
    .build_row = build_row,
    .build_ask = build_ask,
    .build_tell = build_tell,
};
