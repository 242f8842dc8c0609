/* rows.c -- see rows.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/rows.h"

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
            out->module[out->n_modules++] =
                mw_row_module(row, variant, a->kernels, world->backend, &world->groups);
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
