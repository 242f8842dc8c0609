/* rows.c -- see rows.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/rows.h"

void mw_rows_find(const struct mw_algorithm *a, const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_rows *out)
{
    const struct mw_row_table table = {a->row, a->n_rows, a->kernels, a->sweeps};
    const uint32_t all = (1U << MW_EXCHANGES_MAX) - 1;
    const uint32_t used = a->exchanges != NULL ? a->exchanges(shape, world) : all;
    *out = (struct mw_rows){.modules = {.n = 0}};
    for (uint32_t i = 0; i < a->n_rows; i++) {
        const uint32_t variant = a->variant != NULL ? a->variant(shape, world, i) : 0;
        if (a->row[i].exchanges == 0)
            out->sweep[i] = mw_sweep_find(&a->row[i], a->sweeps, world->backend);
        else
            mw_modules_add(&table, i, variant, used, world->backend, &world->groups,
                           &out->modules);
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
    for (uint32_t i = 0; i < rows->modules.n; i++)
        if (rows->modules.row[i].cores_kernel == NULL &&
            rows->modules.row[i].kernel == NULL)
            lacks = rows->modules.row[i].name;
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
