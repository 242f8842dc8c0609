/* cc_inspect.c -- see cc_inspect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_inspect.h"

#include "base/mem.h"
#include "devices/placed.h"
#include "shuffle/kernel_lists.h"

enum { N_VALUES = 1 };
#define UNCOUNTED UINT64_MAX

struct cc_inspector {
    struct cc_inspection s;
    struct mw_inspector k;
    uint64_t n_trees; /* of the tuples of all ranks; UNCOUNTED: not yet */
};

/* ---- the table --------------------------------------------------------------------------- */

MW_KERNELS_OF(sweeps, cc_inspect_sweeps, MW_KINDS_WITHOUT_MESH)

#define SWEEP(member) .kernel = MW_ENTRY(cc_inspect_sweeps, member)

/* clang-format off */
const struct mw_row cc_inspect_row[CC_INSPECT_ROWS] = {
    [CC_INSPECT_TUPLES]  = {.name = "judge tuples",    SWEEP(tuples),  .reads = "tuples, answer", .writes = "faults of rule 1; a sum", .unit = "a tuple"},
    [CC_INSPECT_NAMES]   = {.name = "judge names",     SWEEP(names),   .reads = "answer", .writes = "faults of rule 2; a sum", .unit = "a vertex of a share"},
    [CC_INSPECT_PLANT]   = {.name = "plant",           SWEEP(plant),   .reads = "nothing", .writes = "up", .unit = "a vertex"},
    [CC_INSPECT_UNITE]   = {.name = "unite tuples",    SWEEP(unite),   .reads = "tuples", .writes = "up", .unit = "a tuple"},
    [CC_INSPECT_COPY]    = {.name = "copy forest",     SWEEP(copy),    .reads = "up", .writes = "all", .unit = "a vertex"},
    [CC_INSPECT_TAKE_IN] = {.name = "take in forests", SWEEP(take_in), .reads = "a rank's up", .writes = "all", .unit = "a vertex"},
    [CC_INSPECT_TREES]   = {.name = "count trees",     SWEEP(trees),   .reads = "all", .writes = "a sum", .unit = "a vertex"},
};
/* clang-format on */

/* Runs a sweep, and says what it adds up. */
static uint64_t sweep(struct cc_inspector *k, enum cc_inspect_sweep row)
{
    const struct mw_sweep_row found =
        mw_sweep_find(&cc_inspect_row[row], sweeps, k->k.world->backend);
    k->k.sum = 0;
    mw_sweep_run(&found, k->k.world, &k->s);
    return k->k.sum;
}

/* ---- memory ------------------------------------------------------------------------------ */

static void forest_sizes(uint64_t n_vertices, struct mw_sizes *out)
{
    const struct cc_inspection *s = NULL;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "forest of the tuples", n_vertices,
                    sizeof *s->up);
}

void cc_inspector_sizes(const struct mw_check_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint32_t first = out->n;
    if (!mw_inspection_possible(world->backend, world->groups.n_ranks, shape->n_vertices))
        return;
    mw_sizes_add(out, MW_SEARCHING, "inspection of components", 1,
                 sizeof(struct cc_inspector));
    mw_inspection_sizes(shape, world, N_VALUES, false, out);
    forest_sizes(shape->n_vertices, out);
    if (world->groups.n_ranks > 1)
        mw_parts_sizes(shape->n_vertices * sizeof(uint32_t), MW_SEARCHING, world, out);
    for (uint32_t i = first; i < out->n; i++)
        out->row[i].spare = world->apart;
}

int cc_inspector_new(struct mw_world *world, struct mw_edges *edges,
                     struct cc_inspector **out)
{
    const uint32_t rank = world->comm->rank, n_ranks = world->comm->size;
    const struct mw_inspector_need need = {/* forests: of all, and one that ranks tell */
                                           N_VALUES, false,
                                           2 * edges->n_vertices * sizeof(uint32_t)};
    struct cc_inspector *k;
    bool here = false;
    int rc = MW_OK;
    *out = NULL;
    MW_NEW(rc, k, "inspection of components", 1);
    k->n_trees = UNCOUNTED;
    k->s.first = edges->n_vertices * rank / n_ranks;
    k->s.n_share = edges->n_vertices * (rank + 1) / n_ranks - k->s.first;
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_inspector_open(&k->k, &k->s.i, world, edges, &need, &here);
    if (rc == MW_OK && here)
        *out = k;
    else
        cc_inspector_free(k);
    return rc;
}

void cc_inspector_free(struct cc_inspector *k)
{
    if (k == NULL)
        return;
    mw_inspector_close(&k->k);
    mw_free(k);
}

/* ---- rule 3 ---------------------------------------------------------------------------------- */

/* Collective: `all` has the tuples of all ranks. */
static int take_in_others(struct cc_inspector *k, struct mw_parts *parts)
{
    const uint64_t bytes = k->s.i.n * sizeof *k->s.up;
    const uint32_t n_ranks = k->s.i.partition.n_ranks;
    const void *its;
    int rc;
    (void)sweep(k, CC_INSPECT_COPY);
    MW_TRY(rc, mw_parts_share(parts, 0, bytes));
    for (uint32_t r = 0; r < n_ranks; r++) {
        MW_TRY(rc, mw_parts_see(parts, r, 0, bytes, &its));
        k->s.its_up = its;
        if (r != k->s.i.partition.rank)
            (void)sweep(k, CC_INSPECT_TAKE_IN);
    }
end:
    return mw_comm_agree(k->k.world->comm, rc); /* all have read mine */
}

/* Collective. MW_ERR_NOMEM at all ranks where one has no room for a forest. */
static int count_trees(struct cc_inspector *k)
{
    struct mw_world *const w = k->k.world;
    struct cc_inspection *const s = &k->s;
    struct mw_parts parts = {0};
    struct mw_sizes sizes = {0};
    int rc;
    forest_sizes(s->i.n, &sizes);
    s->all = mw_place(w, MW_OF_CORES, &sizes, "forest of the tuples", sizeof *s->all);
    MW_TRY(rc, mw_comm_agree(w->comm, s->all != NULL ? MW_OK : MW_ERR_NOMEM));
    s->up = s->all;
    if (w->comm->size > 1) {
        MW_TRY(rc, mw_parts_open(w, s->i.n * sizeof *s->up, &parts));
        s->up = parts.mine;
    }
    (void)sweep(k, CC_INSPECT_PLANT);
    (void)sweep(k, CC_INSPECT_UNITE);
    if (w->comm->size > 1)
        MW_TRY(rc, take_in_others(k, &parts));
    k->n_trees = sweep(k, CC_INSPECT_TREES);
end:
    mw_parts_close(&parts);
    mw_unplace(w, MW_OF_CORES, s->all);
    s->up = s->all = NULL;
    return rc;
}

/* ---- a run --------------------------------------------------------------------------------- */

int cc_inspect(struct cc_inspector *k, const void *comp, bool wide,
               struct mw_verdict *out)
{
    const struct mw_own_values own = {comp, wide};
    uint64_t n_said = 0;
    *out = (struct mw_verdict){0};
    MW_NEED(mw_inspector_gather(&k->k, &own));
    k->s.g = k->s.i.g;
    if (k->n_trees == UNCOUNTED)
        MW_NEED(count_trees(k));
    out->n_edges = sweep(k, CC_INSPECT_TUPLES);
    n_said = sweep(k, CC_INSPECT_NAMES);
    out->n_reached = k->s.n_share;
    MW_NEED(mw_comm_sum(k->k.world->comm, &n_said, 1));
    out->n_wrong[MW_CC_COUNT] = n_said != k->n_trees;
    return mw_inspector_sum(&k->k, out);
}
