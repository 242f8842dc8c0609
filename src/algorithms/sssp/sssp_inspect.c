/* sssp_inspect.c -- see sssp_inspect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_inspect.h"

#include "base/mem.h"
#include "devices/placed.h"
#include "shuffle/kernel_lists.h"

enum {
    N_VALUES = 2,
    MOST_CLIMBS =
        33 /* each doubles what an ancestor is away; and there are fewer than 2^32 */
};

struct sssp_inspector {
    struct sssp_inspection s;
    struct mw_inspector k;
};

/* ---- the table --------------------------------------------------------------------------- */

MW_KERNELS_OF(sweeps, sssp_inspect_sweeps, MW_KINDS_WITHOUT_MESH)

#define SWEEP(member) .kernel = MW_ENTRY(sssp_inspect_sweeps, member)

/* clang-format off */
const struct mw_row sssp_inspect_row[SSSP_INSPECT_ROWS] = {
    [SSSP_INSPECT_TAKE]  = {.name = "take paths",    SWEEP(take),  .reads = "answer", .writes = "up; faults of rule 1; sums", .unit = "a vertex"},
    [SSSP_INSPECT_CLIMB] = {.name = "climb level",   SWEEP(climb), .reads = "up", .writes = "up; a sum", .unit = "a vertex"},
    [SSSP_INSPECT_RINGS] = {.name = "note rings",    SWEEP(rings), .reads = "up", .writes = "faults of rule 1", .unit = "a vertex"},
    [SSSP_INSPECT_JUDGE] = {.name = "judge weights", SWEEP(judge), .reads = "tuples, weights, answer", .writes = "answer, whose parents are confirmed; faults of rules 3 and 4; a sum", .unit = "a tuple"},
};
/* clang-format on */

/* Runs a sweep, and says what it adds up. */
static uint64_t sweep(struct sssp_inspector *k, enum sssp_inspect_sweep row)
{
    const struct mw_sweep_row found =
        mw_sweep_find(&sssp_inspect_row[row], sweeps, k->k.world->backend);
    k->k.sum = 0;
    mw_sweep_run(&found, k->k.world, &k->s);
    return k->k.sum;
}

/* ---- memory ------------------------------------------------------------------------------ */

static void own_sizes(uint64_t n_vertices, struct mw_sizes *out)
{
    const struct sssp_inspection *s = NULL;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "ancestors as far away", n_vertices,
                    sizeof *s->up);
}

void sssp_inspector_sizes(const struct mw_check_shape *shape,
                          const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint32_t first = out->n;
    if (!mw_inspection_possible(world->backend, world->groups.n_ranks, shape->n_vertices))
        return;
    mw_sizes_add(out, MW_SEARCHING, "inspection of paths", 1,
                 sizeof(struct sssp_inspector));
    mw_inspection_sizes(shape, world, N_VALUES, true, out);
    own_sizes(shape->n_vertices, out);
    for (uint32_t i = first; i < out->n; i++)
        out->row[i].spare = world->apart;
}

int sssp_inspector_new(struct mw_world *world, struct mw_edges *edges,
                       struct sssp_inspector **out)
{
    const struct mw_inspector_need need = {N_VALUES, true,
                                           edges->n_vertices * sizeof(uint32_t)};
    struct sssp_inspector *k;
    struct mw_sizes sizes = {0};
    bool here = false;
    int rc = MW_OK;
    *out = NULL;
    MW_NEW(rc, k, "inspection of paths", 1);
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_inspector_open(&k->k, &k->s.i, world, edges, &need, &here);
    if (rc == MW_OK && here) {
        own_sizes(edges->n_vertices, &sizes);
        k->s.up = mw_place(world, MW_OF_CORES, &sizes, "ancestors as far away",
                           sizeof *k->s.up);
        rc = mw_comm_agree(world->comm, k->s.up != NULL ? MW_OK : MW_ERR_NOMEM);
        here = rc == MW_OK;
        if (rc == MW_ERR_NOMEM) {
            mw_error_clear();
            rc = MW_OK;
        }
    }
    if (rc == MW_OK && here)
        *out = k;
    else
        sssp_inspector_free(k);
    return rc;
}

void sssp_inspector_free(struct sssp_inspector *k)
{
    if (k == NULL)
        return;
    if (k->s.up != NULL)
        mw_unplace(k->k.world, MW_OF_CORES, k->s.up);
    mw_inspector_close(&k->k);
    mw_free(k);
}

/* ---- a run --------------------------------------------------------------------------------- */

static void climb(struct sssp_inspector *k, uint64_t n)
{
    for (int i = 0; n > 0 && i < MOST_CLIMBS; i++)
        n = sweep(k, SSSP_INSPECT_CLIMB);
    if (n > 0)
        (void)sweep(k, SSSP_INSPECT_RINGS);
}

int sssp_inspect(struct sssp_inspector *k, mw_vid root, const void *parent, bool wide,
                 const float *distance, struct mw_verdict *out)
{
    const struct mw_own_values own[N_VALUES] = {{parent, wide}, {distance, false}};
    struct sssp_inspection *const s = &k->s;
    *out = (struct mw_verdict){0};
    MW_NEED(mw_inspector_gather(&k->k, own));
    s->g = s->i.g;
    s->root = root;
    const uint64_t taken = sweep(k, SSSP_INSPECT_TAKE);
    climb(k, taken >> 32);
    out->n_edges = sweep(k, SSSP_INSPECT_JUDGE);
    MW_NEED(mw_inspector_settle(&k->k, &out->n_wrong[MW_SSSP_PARENTS]));
    if (s->i.partition.rank == 0) /* all know it alike */
        out->n_reached = taken & UINT32_MAX;
    return mw_inspector_sum(&k->k, out);
}
