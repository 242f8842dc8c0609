/* rows.c -- see rows.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/rows.h"

#include "relay/relay.h"
#include "traversal/placed.h"

static mw_kernel *entry(const void *kernels, uint32_t i)
{
    mw_kernel *const *list = kernels;
    return list[i];
}

static struct mw_port port_of(struct mw_port p, const struct mw_groups *groups)
{
    if (p.hop == MW_TO_FIRST)
        p.hop = (uint8_t)mw_first_hop(groups);
    return p;
}

static struct mw_module module_of(const struct mw_algorithm *a, const struct mw_row *row,
                                  uint32_t variant, const struct mw_world_shape *world)
{
    const struct mw_backend *b = world->backend;
    struct mw_module m = {.name = row->name,
                          .takes = port_of(row->takes, &world->groups),
                          .emits = port_of(row->emits, &world->groups),
                          .units = row->units,
                          .records_per_unit = row->records_per_unit};
    if (row->takes.hop == MW_TO_RELAY) {
        m.kernel = mw_relay_of_mpe(b);
        m.cores_kernel = mw_relay_of_cores(b);
    } else {
        const uint32_t i = row->kernel + variant;
        m.kernel = mw_host_reaches(b) ? entry(mw_kernels_of_mpe(a->kernels, b), i) : NULL;
        m.cores_kernel = entry(mw_kernels_of_cores(a->kernels, b), i);
    }
    return m;
}

struct mw_sweep_row mw_sweep_find(const struct mw_row *row,
                                  const struct mw_kernel_table *sweeps,
                                  const struct mw_backend *backend)
{
    return (struct mw_sweep_row){
        .cores = entry(mw_kernels_of_cores(sweeps, backend), row->kernel),
        .mpe = entry(mw_kernels_of_mpe(sweeps, backend), row->kernel),
        .few = row->few,
        .reached = mw_host_reaches(backend)};
}

void mw_sweep_run(const struct mw_sweep_row *sweep, struct mw_world *world, void *state)
{
    struct mw_cpe self = {.id = 0, .n = 1, .lane = 0};
    struct mw_job job = {.state = state};
    if (!sweep->reached)
        world->backend->run(world->cluster[0], sweep->cores, &job);
    else if (sweep->few)
        sweep->mpe(&self, &job);
    else
        mw_world_run(world, sweep->cores != NULL ? sweep->cores : sweep->mpe, &job);
}

void mw_rows_find(const struct mw_algorithm *a, const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_rows *out)
{
    const bool relay = world->groups.width > 1;
    const uint32_t all = (1U << MW_EXCHANGES_MAX) - 1;
    const uint32_t used = a->exchanges != NULL ? a->exchanges(shape, world) : all;
    *out = (struct mw_rows){.n_modules = 0};
    for (uint32_t i = 0; i < a->n_rows; i++) {
        const struct mw_row *row = &a->row[i];
        const uint32_t variant = a->variant != NULL ? a->variant(shape, world, i) : 0;
        if (row->exchanges == 0)
            out->sweep[i] = mw_sweep_find(row, a->sweeps, world->backend);
        else if ((row->exchanges & used) != 0 &&
                 (relay || row->takes.hop != MW_TO_RELAY)) {
            for (uint32_t k = 0; k < MW_EXCHANGES_MAX; k++)
                out->exchange[k] |= (uint32_t)(row->exchanges >> k & 1) << out->n_modules;
            out->row_of[out->n_modules] = i;
            out->module[out->n_modules++] = module_of(a, row, variant, world);
        }
    }
}

int mw_rows_check(const struct mw_rows *rows, const struct mw_algorithm *a,
                  const struct mw_world *world)
{
    const char *const backend = world->backend->name;
    const char *lacks = NULL;
    if (mw_host_reaches(world->backend))
        return MW_OK;
    if (world->conf.engine_mpe)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "--engine mpe: the management core does not reach the memory of "
                       "backend '%s'; let its cores work (--engine cpe)",
                       backend);
    for (uint32_t i = 0; i < rows->n_modules; i++)
        if (rows->module[i].cores_kernel == NULL && rows->module[i].kernel == NULL)
            lacks = rows->module[i].name;
    for (uint32_t i = 0; i < a->n_rows; i++)
        if (a->row[i].exchanges == 0 && !a->row[i].optional &&
            rows->sweep[i].cores == NULL)
            lacks = a->row[i].name;
    if (lacks != NULL)
        return mw_fail(
            MW_ERR_UNAVAILABLE,
            "%s, %s: backend '%s' has no kernel for it, and the management core "
            "does not reach its memory; use another backend",
            a->name, lacks, backend);
    return MW_OK;
}
