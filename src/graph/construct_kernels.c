/* construct_kernels.c -- what kernel 1 does to one edge and to one record.
 *
 * Compiled once per skeleton: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "graph/construct.h"

/* ---- count: how often does each vertex occur? ---------------------------------------- */

static void count_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    struct mw_construction *c = state;
    uint32_t *room = mw_bins_add(&c->bins, self->lane, m->child >> c->bin_shift);
    if (room != NULL)
        *room = m->child;
}

MW_FN void count_end(struct mw_construction *c, mw_vid v, struct mw_emitter *e)
{
    struct mw_visit m = {0, 0, 0};
    uint32_t owner;
    m.child = (uint32_t)mw_divide(&c->deal, v, &owner);
    if (mw_here(e, owner))
        count_update(c, &m, e->self);
    else
        mw_emit(e, owner, m.child, 0);
}

static void count_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_construction *c = state;
    for (uint64_t i = c->first_edge + first; i < c->first_edge + last; i++) {
        mw_vid u, v;
        mw_edges_get(c->edges, i, &u, &v);
        if (u == v)
            continue;
        count_end(c, u, e);
        count_end(c, v, e);
    }
}

/* ---- build: rows --------------------------------------------------------------------- */

MW_FN void add_entry(struct mw_construction *c, uint32_t place, uint64_t column,
                     uint32_t lane)
{
    void *room = mw_bins_add(&c->bins, lane, (place - c->first_place) >> c->bin_shift);
    if (room == NULL)
        return;
    if (c->g->wide) {
        const struct mw_wide_entry entry = {column, place, 0};
        memcpy(room, &entry, sizeof entry);
    } else {
        const struct mw_entry entry = {place, (uint32_t)column};
        memcpy(room, &entry, sizeof entry);
    }
}

MW_FN uint64_t column_of(const struct mw_construction *c, uint64_t place)
{
    return (uint64_t)c->world->comm->rank << c->g->label_bits | c->g->label_of[place];
}

/* v has the neighbour u. */
MW_FN void build_end(struct mw_construction *c, mw_vid u, mw_vid v, struct mw_emitter *e)
{
    uint32_t owner_u, owner_v;
    const uint64_t place_v = mw_divide(&c->deal, v, &owner_v);
    if (place_v - c->first_place >= c->last_place - c->first_place)
        return; /* another round's */
    const uint64_t place_u = mw_divide(&c->deal, u, &owner_u);
    if (mw_here(e, owner_u) && mw_here(e, owner_v))
        add_entry(c, (uint32_t)place_v, column_of(c, place_u), e->self->lane);
    else
        mw_emit(e, owner_u, (uint32_t)place_u, v);
}

static void build_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    struct mw_construction *c = state;
    for (uint64_t i = first; i < last; i++) {
        mw_vid u, v;
        mw_edges_get(c->edges, i, &u, &v);
        if (u == v)
            continue;
        build_end(c, u, v, e);
        build_end(c, v, u, e);
    }
}

static void row_update(void *state, const struct mw_visit *m, const struct mw_cpe *self)
{
    add_entry(state, m->child, m->value, self->lane);
}

/* m->child here is the neighbour of m->value: say so to the owner of m->value. */
static void label_reply(void *state, const struct mw_visit *m, struct mw_emitter *e)
{
    struct mw_construction *c = state;
    uint32_t owner;
    const uint32_t place = (uint32_t)mw_divide(&c->deal, m->value, &owner);
    const uint64_t column = column_of(c, m->child);
    if (mw_here(e, owner))
        add_entry(c, place, column, e->self->lane);
    else
        mw_emit(e, owner, place, column);
}

/* ---- kernels -------------------------------------------------------------------------- */

static void count_generate(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    MW_BY_RECORD(job, mw_run_expand, self, job, count_expand);
}

static void count_handle(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    MW_BY_RECORD(job, mw_run_update, self, job, count_update);
}

static void build_generate(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    MW_BY_RECORD(job, mw_run_expand, self, job, build_expand);
}

static void build_label(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    MW_BY_RECORD(job, mw_run_reply, self, job, label_reply);
}

static void build_row(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    MW_BY_RECORD(job, mw_run_update, self, job, row_update);
}

const struct mw_construction_kernels MW_KERNELS = {
    .count_generate = count_generate,
    .count_handle = count_handle,
    .build_generate = build_generate,
    .build_label = build_label,
    .build_row = build_row,
};
