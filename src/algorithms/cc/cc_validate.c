/* cc_validate.c -- see cc_validate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_validate.h"

#include "algorithms/cc/contract.h"
#include "base/mem.h"
#include "io/names.h"
#include "shuffle/kernel_lists.h"

#include <string.h>

static uint64_t tuple_units(void *state)
{
    return ((const struct cc_checking *)state)->edges->n;
}

static uint64_t place_units(void *state)
{
    return mw_my_places(&((const struct cc_checking *)state)->deal);
}

MW_KERNELS_OF(kernels, cc_validate_kernels, MW_KINDS_OF_HOSTS)

#define KERNEL(member) MW_ENTRY(cc_validate_kernels, member)
enum { AT_TUPLES, AT_MEMBERS };
enum { TUPLES = 1 << AT_TUPLES, MEMBERS = 1 << AT_MEMBERS };

/* clang-format off */
static const struct mw_row rows[] = {
    /* name              takes                       emits                       kernel          a source's work, and its most records a unit; exchanges */
    {"tuple generator", {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, MW_TO_FIRST}, KERNEL(tuple),  tuple_units, 1, .exchanges = TUPLES},
    {"vertex",          {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, MW_TO_FIRST},  KERNEL(member), place_units, 1, .exchanges = MEMBERS},
    {"tuple relay",     {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, 0,              NULL,        0, .exchanges = TUPLES},
    {"name teller",     {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, MW_TO_FIRST},  KERNEL(tell),   NULL,        0, .exchanges = TUPLES},
    {"name relay",      {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  0,              NULL,        0, .exchanges = TUPLES | MEMBERS},
    {"name judge",      {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(judge),  NULL,        0, .exchanges = TUPLES},
    {"namesake",        {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(name),   NULL,        0, .exchanges = MEMBERS},
};
/* clang-format on */

const struct mw_row_table cc_checking_table = {
    .row = rows, .n_rows = sizeof rows / sizeof *rows, .kernels = kernels};

/* Collective: rules 1 and 2, by lane. */
static int check_rules(struct mw_world *w, struct cc_checking *c)
{
    struct mw_pipeline *p = NULL;
    struct mw_modules m;
    int rc;
    mw_modules_find(&cc_checking_table, TUPLES | MEMBERS, w->backend, &w->groups, &m);
    MW_TRY(rc, mw_modules_new(m.row, m.n, c,
                              mw_place_records(c->edges->n_vertices, w->comm->size,
                                               c->edges->n_vertices),
                              w, &p));
    mw_pipeline_bound(p, mw_my_places(&c->deal));
    MW_TRY(rc, mw_comm_agree(w->comm, mw_pipeline_run(p, m.exchange[AT_TUPLES])));
    MW_TRY(rc, mw_comm_agree(w->comm, mw_pipeline_run(p, m.exchange[AT_MEMBERS])));
end:
    mw_pipeline_free(p);
    return rc;
}

/* This rank's first fault as an error, MW_OK if it has none. */
static int own_fault(const struct mw_world *w, const struct cc_checking *c)
{
    for (uint32_t i = 0; i < mw_world_lanes(w); i++) {
        const struct cc_checking_lane *l = &c->lane[i];
        const struct mw_names *names = c->edges->names;
        char v[MW_NAME_ROOM], is[MW_NAME_ROOM], other[MW_NAME_ROOM];
        if (l->rule == MW_CC_EDGES)
            return mw_fail(
                MW_ERR_INVALID,
                "validation failed: rule 1, an edge leads from one component "
                "to another: vertex %s is said to be of %s, its neighbour of %s",
                mw_names_text(names, l->vertex, v), mw_names_text(names, l->is, is),
                mw_names_text(names, l->other, other));
        if (l->rule == MW_CC_MEMBERS)
            return mw_fail(
                MW_ERR_INVALID,
                "validation failed: rule 2, a component is not called after its "
                "smallest vertex: vertex %s is said to be of %s",
                mw_names_text(names, l->vertex, v), mw_names_text(names, l->is, is));
    }
    return MW_OK;
}

static int judge_count(struct mw_cc_validator *v, uint64_t said, struct mw_verdict *out)
{
    uint64_t counted = v->n_components;
    if (counted == UINT64_MAX) {
        const int rc = mw_contract_count(v->world->comm, v->edges, &counted);
        if (rc != MW_OK)
            return rc;
        v->n_components = counted;
    }
    if (said == counted)
        return MW_OK;
    out->n_wrong[MW_CC_COUNT]++;
    return mw_fail(MW_ERR_INVALID,
                   "validation failed: rule 3, %llu components are said to be there, but "
                   "contraction of the edges counts %llu",
                   (unsigned long long)said, (unsigned long long)counted);
}

/* Collective. What the lanes have counted; *said components. */
static int add_up(const struct mw_world *w, const struct cc_checking *c, uint64_t *said,
                  struct mw_verdict *out)
{
    int rc;
    for (uint32_t i = 0; i < mw_world_lanes(w); i++) {
        *said += c->lane[i].n_said;
        out->n_edges += c->lane[i].n_edges;
        out->n_self_loops += c->lane[i].n_self_loops;
        for (uint32_t r = 0; r < MW_CC_RULES; r++)
            out->n_wrong[r] += c->lane[i].n_wrong[r];
    }
    MW_TRY(rc, mw_comm_sum(w->comm, said, 1));
    rc = mw_verdict_sum(out, w->comm);
    out->n_reached = c->edges->n_vertices;
end:
    return rc;
}

int mw_cc_validate(struct mw_cc_validator *v, const void *comp, bool wide,
                   struct mw_verdict *out)
{
    struct mw_world *const world = v->world;
    const struct mw_edges *const edges = v->edges;
    struct cc_checking c = {.edges = edges, .comp = comp, .wide = wide};
    uint64_t said = 0;
    int rc = MW_OK;

    memset(out, 0, sizeof *out);
    c.deal = mw_edges_partition(edges, world->comm->rank, world->comm->size);
    MW_NEW(rc, c.lane, "checking lanes", mw_world_lanes(world));
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = check_rules(world, &c);
    if (rc == MW_OK)
        rc = add_up(world, &c, &said, out);
    if (rc == MW_OK)
        rc = mw_comm_agree(world->comm, own_fault(world, &c));
    if (rc == MW_OK)
        rc = judge_count(v, said, out);
    mw_free(c.lane);
    return rc;
}

void mw_cc_validator_sizes(const struct mw_check_shape *shape,
                           const struct mw_world_shape *world, struct mw_sizes *out)
{
    struct mw_modules m;
    struct mw_sizes parts = {0};
    mw_sizes_add(out, MW_SEARCHING, "checking lanes", world->n_lanes,
                 sizeof(struct cc_checking_lane));
    mw_modules_find(&cc_checking_table, TUPLES | MEMBERS, world->backend, &world->groups,
                    &m);
    mw_modules_sizes(
        m.row, m.n,
        mw_place_records(shape->n_vertices, world->groups.n_ranks, shape->n_vertices),
        world, MW_SEARCHING, &parts);
    mw_sizes_fold(out, MW_SEARCHING, "batches of tuples", &parts);
    mw_contract_sizes(shape->n_vertices, shape->n_places, out);
}
