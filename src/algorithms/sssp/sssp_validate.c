/* sssp_validate.c -- see sssp_validate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_validate.h"

#include "algorithms/bfs/bfs_validate.h"
#include "algorithms/sssp/sssp.h"
#include "base/mem.h"
#include "io/names.h"
#include "shuffle/kernel_lists.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct mw_sssp_validator {
    struct sssp_checking c; /* first: what kernels get */
    struct mw_world *world;
    struct mw_validator *tree;
    struct mw_pipeline *pipeline;
    struct mw_modules modules;
};

static uint64_t place_units(void *state)
{
    return mw_my_places(&((const struct sssp_checking *)state)->deal);
}

static uint64_t tuple_units(void *state)
{
    return ((const struct sssp_checking *)state)->edges->n;
}

MW_KERNELS_OF(kernels, sssp_validate_kernels, MW_KINDS_OF_HOSTS)

#define KERNEL(member) MW_ENTRY(sssp_validate_kernels, member)
enum { AT_ABOVE, AT_TUPLES };
enum { ABOVE = 1 << AT_ABOVE, TUPLES = 1 << AT_TUPLES };

/* clang-format off */
static const struct mw_row rows[] = {
    /* name               takes                       emits                       kernel          a source's work, and its most records a unit; exchanges */
    {"asker above",      {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, MW_TO_FIRST}, KERNEL(ask),    place_units, 1, .exchanges = ABOVE},
    {"weighted tuple",   {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, MW_TO_FIRST}, KERNEL(tuple),  tuple_units, 2, .exchanges = TUPLES},
    {"weight relay",     {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, 0,              NULL,        0, .exchanges = ABOVE | TUPLES},
    {"parent above",     {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, MW_TO_FIRST},  KERNEL(answer), NULL,        0, .exchanges = ABOVE},
    {"distance teller",  {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, MW_TO_FIRST},  KERNEL(tell),   NULL,        0, .exchanges = TUPLES},
    {"distance relay",   {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  0,              NULL,        0, .exchanges = ABOVE | TUPLES},
    {"hearer of above",  {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(hear),   NULL,        0, .exchanges = ABOVE},
    {"distance judge",   {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(judge),  NULL,        0, .exchanges = TUPLES},
};
/* clang-format on */

const struct mw_row_table sssp_checking_table = {
    .row = rows, .n_rows = sizeof rows / sizeof *rows, .kernels = kernels};

/* Values are a vertex below a weight. */
static struct mw_record_bits record_bits(const struct mw_partition *deal)
{
    return (struct mw_record_bits){mw_bits_for(mw_most_places(deal)), 64, 0};
}

static void own_sizes(const struct mw_partition *deal, uint32_t n_lanes,
                      struct mw_sizes *out)
{
    const struct sssp_checking *c = NULL;
    const uint64_t n = mw_my_places(deal);
    mw_sizes_add(out, MW_SEARCHING, "validator of paths", 1,
                 sizeof(struct mw_sssp_validator));
    mw_sizes_add(out, MW_SEARCHING, "distances above", n, sizeof *c->above);
    mw_sizes_add(out, MW_SEARCHING, "confirmed paths", n, sizeof *c->confirmed);
    mw_sizes_add(out, MW_SEARCHING, "path checking lanes", n_lanes, sizeof *c->lane);
}

int mw_sssp_validator_new(struct mw_world *world, const struct mw_edges *edges,
                          struct mw_sssp_validator **out)
{
    int rc = MW_OK;
    struct mw_sssp_validator *v;
    struct mw_sizes sizes = {0};
    *out = NULL;
    MW_NEW(rc, v, "validator of paths", 1);
    struct sssp_checking *c = &v->c;
    v->world = world;
    c->edges = edges;
    c->deal = mw_edges_partition(edges, world->comm->rank, world->comm->size);
    if (edges->n_vertices > MW_NARROW_VERTICES) {
        rc = mw_fail(MW_ERR_REFUSED, "validation of paths: more than 2^32 - 1 vertices");
        goto end;
    }
    own_sizes(&c->deal, mw_world_lanes(world), &sizes);
    MW_TAKE(rc, c->above, &sizes, "distances above");
    MW_TAKE(rc, c->confirmed, &sizes, "confirmed paths");
    MW_TAKE(rc, c->lane, &sizes, "path checking lanes");
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_validator_new(world, edges, &v->tree);
    if (rc == MW_OK) {
        mw_modules_find(&sssp_checking_table, ABOVE | TUPLES, world->backend,
                        &world->groups, &v->modules);
        rc = mw_modules_new(v->modules.row, v->modules.n, &v->c, record_bits(&v->c.deal),
                            world, &v->pipeline);
    }
    if (rc != MW_OK) {
        mw_sssp_validator_free(v);
        return rc;
    }
    mw_pipeline_bound(v->pipeline, mw_my_places(&v->c.deal));
    *out = v;
    return MW_OK;
}

void mw_sssp_validator_free(struct mw_sssp_validator *v)
{
    if (v == NULL)
        return;
    mw_pipeline_free(v->pipeline);
    mw_validator_free(v->tree);
    MW_FREE_ALL(v->c.above, v->c.confirmed, v->c.lane, v);
}

/* ---- what is wrong ------------------------------------------------------------------------- */

static void note_fault(struct sssp_checking_lane *l, struct sssp_fault fault)
{
    l->n_wrong[fault.rule]++;
    if (l->worst.rule == 0 || fault.rule < l->worst.rule)
        l->worst = fault;
}

/* By place, when all tuples have been looked at. */
static void tally(struct mw_sssp_validator *v, mw_vid root, struct mw_verdict *out)
{
    struct sssp_checking *c = &v->c;
    const uint64_t nobody = c->wide ? UINT64_MAX : UINT32_MAX;
    for (uint64_t p = 0; p < mw_my_places(&c->deal); p++) {
        const uint64_t parent = mw_number(c->parent, p, c->wide);
        const mw_vid at = mw_vertex(&c->deal, c->deal.rank, p);
        const float is = c->distance[p];
        struct sssp_fault fault = {0, at, parent == nobody ? MW_NO_VERTEX : parent, is,
                                   c->above[p]};
        const bool reached = parent != nobody;
        out->n_reached += reached;
        if (isnan(is) || is < 0 || reached != (is < INFINITY) ||
            (reached && mw_validator_level(v->tree, p) == MW_NO_LEVEL) ||
            (at == root && is > 0))
            fault.rule = MW_SSSP_TREE;
        else if (reached && at != root && !c->confirmed[p])
            fault.rule = MW_SSSP_PARENTS;
        if (fault.rule != 0)
            note_fault(&c->lane[0], fault);
    }
}

static const char *sentence(uint32_t rule)
{
    switch (rule) {
    case MW_SSSP_TREE:
        return "rule 1, not a tree of paths: vertex, parent and distance do not lead to "
               "the "
               "root";
    case MW_SSSP_EDGES:
        return "rule 3, there is a shorter way by an edge";
    case MW_SSSP_SPANS:
        return "rule 4, an edge leaves the tree";
    default:
        return "rule 5, no edge from the parent is as long as the distance says";
    }
}

/* A fault of the lowest rule that this rank has found broken, as an error; MW_OK if it has none. */
static int own_fault(const struct mw_sssp_validator *v, mw_vid root)
{
    const struct mw_names *names = v->c.edges->names;
    char from[MW_NAME_ROOM], at[MW_NAME_ROOM], other[MW_NAME_ROOM];
    const struct sssp_fault *f = &v->c.lane[0].worst;
    for (uint32_t i = 1; i < mw_world_lanes(v->world); i++) {
        const struct sssp_fault *g = &v->c.lane[i].worst;
        if (g->rule != 0 && (f->rule == 0 || g->rule < f->rule))
            f = g;
    }
    if (f->rule == 0)
        return MW_OK;
    return mw_fail(MW_ERR_INVALID,
                   "validation failed: root %s: %s: vertex %s, parent or neighbour %s, "
                   "distance %.9g, and by the other %.9g",
                   mw_names_text(names, root, from), sentence(f->rule),
                   mw_names_text(names, f->vertex, at),
                   f->other == MW_NO_VERTEX ? "none"
                                            : mw_names_text(names, f->other, other),
                   (double)f->distance, (double)f->by);
}

/* ---- validation ----------------------------------------------------------------------------- */

int mw_sssp_validate(struct mw_sssp_validator *v, mw_vid root, const void *parent,
                     bool wide, const float *distance, struct mw_verdict *out)
{
    struct sssp_checking *c = &v->c;
    struct mw_comm *comm = v->world->comm;
    const uint32_t n_lanes = mw_world_lanes(v->world);
    struct mw_verdict sum = {0};
    int rc = MW_OK;
    *out = sum;
    if (c->edges->weight == NULL && c->edges->n > 0)
        rc = mw_fail(MW_ERR_REFUSED, "validation of paths: the list has no weights");
    MW_TRY(rc, mw_comm_agree(comm, rc));
    c->parent = parent;
    c->wide = wide;
    c->distance = distance;
    memset(c->lane, 0, n_lanes * sizeof *c->lane);
    MW_TRY(rc, mw_validate_tree(v->tree, root, parent, wide, out));
    MW_TRY(rc, mw_comm_agree(
                   comm, mw_pipeline_run(v->pipeline, v->modules.exchange[AT_ABOVE])));
    MW_TRY(rc, mw_comm_agree(
                   comm, mw_pipeline_run(v->pipeline, v->modules.exchange[AT_TUPLES])));
    tally(v, root, &sum);
    for (uint32_t i = 0; i < n_lanes; i++) {
        sum.n_edges += c->lane[i].n_edges;
        sum.n_self_loops += c->lane[i].n_self_loops;
        for (uint32_t r = 0; r < MW_SSSP_RULES; r++)
            sum.n_wrong[r] += c->lane[i].n_wrong[r];
    }
    MW_TRY(rc, mw_verdict_sum(&sum, comm));
    *out = sum;
    rc = mw_comm_agree(comm, own_fault(v, root));
end:
    return rc;
}

void mw_sssp_validator_sizes(const struct mw_check_shape *shape,
                             const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_partition deal =
        mw_partition_of(shape->n_vertices, world->rank, world->groups.n_ranks);
    struct mw_modules m;
    struct mw_sizes parts = {0};
    own_sizes(&deal, world->n_lanes, out);
    mw_validator_sizes(shape, world, out);
    mw_modules_find(&sssp_checking_table, ABOVE | TUPLES, world->backend, &world->groups,
                    &m);
    mw_modules_sizes(m.row, m.n, record_bits(&deal), world, MW_SEARCHING, &parts);
    mw_sizes_fold(out, MW_SEARCHING, "batches of weighted tuples", &parts);
}
