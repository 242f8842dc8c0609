/* row.c -- see row.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/row.h"

#include "relay/relay.h"

static struct mw_port port_of(struct mw_port p, const struct mw_groups *groups)
{
    if (p.hop == MW_TO_FIRST)
        p.hop = (uint8_t)mw_first_hop(groups);
    return p;
}

/* That of the cores' kernels of which there are none. */
static const void *nothing_of(const struct mw_kernel_table *list)
{
    while (list->kind != NULL)
        list++;
    return list->kernels;
}

static struct mw_module module_of(const struct mw_row *row, uint32_t variant,
                                  const struct mw_kernel_table *kernels,
                                  const struct mw_backend *backend,
                                  const struct mw_groups *groups)
{
    const uint32_t i = row->kernel + variant;
    struct mw_module m = {.name = row->name,
                          .takes = port_of(row->takes, groups),
                          .emits = port_of(row->emits, groups),
                          .units = row->units,
                          .records_per_unit = row->records_per_unit};
    if (row->takes.hop == MW_TO_RELAY) {
        m.kernel = mw_relay_of_mpe(backend);
        m.cores_kernel = mw_kernels_of_cores(kernels, backend) == nothing_of(kernels)
                             ? NULL
                             : mw_relay_of_cores(backend);
    } else {
        if (mw_host_reaches(backend))
            m.kernel = mw_kernel_of_mpe(kernels, backend, i);
        m.cores_kernel = mw_kernel_of_cores(kernels, backend, i);
    }
    return m;
}

void mw_modules_add(const struct mw_row_table *table, uint32_t i, uint32_t variant,
                    uint32_t exchanges, const struct mw_backend *backend,
                    const struct mw_groups *groups, struct mw_modules *out)
{
    const struct mw_row *row = &table->row[i];
    if ((row->exchanges & exchanges) == 0 ||
        (row->takes.hop == MW_TO_RELAY && groups->width == 1))
        return;
    for (uint32_t k = 0; k < MW_EXCHANGES_MAX; k++)
        out->exchange[k] |= (uint32_t)(row->exchanges >> k & 1) << out->n;
    out->row_of[out->n] = i;
    out->row[out->n++] = module_of(row, variant, table->kernels, backend, groups);
}

void mw_modules_find(const struct mw_row_table *table, uint32_t exchanges,
                     const struct mw_backend *backend, const struct mw_groups *groups,
                     struct mw_modules *out)
{
    *out = (struct mw_modules){.n = 0};
    for (uint32_t i = 0; i < table->n_rows; i++)
        mw_modules_add(table, i, 0, exchanges, backend, groups, out);
}

struct mw_sweep_row mw_sweep_find(const struct mw_row *row,
                                  const struct mw_kernel_table *sweeps,
                                  const struct mw_backend *backend)
{
    return (struct mw_sweep_row){.cores =
                                     mw_kernel_of_cores(sweeps, backend, row->kernel),
                                 .mpe = mw_kernel_of_mpe(sweeps, backend, row->kernel),
                                 .few = row->few,
                                 .reached = mw_host_reaches(backend)};
}

/* Where time is a machine's own: the management core does it, and it takes the time that it would take
 * dealt to the cores of all clusters, for elements work in place. */
static void run_in_virtual_time(const struct mw_sweep_row *sweep, struct mw_world *world,
                                struct mw_job *job)
{
    struct mw_cpe self = {.id = 0, .n = 1, .lane = 0};
    const bool alone = sweep->few || world->conf.engine_mpe;
    const struct mw_virtual_time *const time = world->backend->time;
    const uint32_t n_clusters = alone ? 0 : world->conf.n_clusters;
    time->count(world->cluster[0], n_clusters);
    sweep->mpe(&self, job);
    time->pay(world->cluster[0], n_clusters);
}

void mw_sweep_run(const struct mw_sweep_row *sweep, struct mw_world *world, void *state)
{
    struct mw_cpe self = {.id = 0, .n = 1, .lane = 0};
    struct mw_job job = {.state = state};
    if (world->backend->time != NULL && sweep->mpe != NULL)
        run_in_virtual_time(sweep, world, &job);
    else if (!sweep->reached && sweep->cores != NULL)
        world->backend->run(world->cluster[0], sweep->cores, &job);
    else if (sweep->few)
        sweep->mpe(&self, &job);
    else
        mw_world_run(world, sweep->cores != NULL ? sweep->cores : sweep->mpe, &job);
}

void mw_row_sweep(const struct mw_row_table *table, uint32_t row, struct mw_world *world,
                  void *state)
{
    const struct mw_sweep_row found =
        mw_sweep_find(&table->row[row], table->sweeps, world->backend);
    mw_sweep_run(&found, world, state);
}
