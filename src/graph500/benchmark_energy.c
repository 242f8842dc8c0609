/* benchmark_energy.c -- searches are repeated for a reading of joules. See benchmark_run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/benchmark_run.h"

#include "base/clock.h"
#include "base/mem.h"
#include "graph500/energy.h"

/* What this rank reads: the first of a host its processors, the first of a device that device. */
struct meter {
    struct mw_energy_meter packages;
    bool reads_device;
};

/* Collective. */
static int open_meter(struct mw_benchmark *r, struct meter *m)
{
    const struct mw_world *const w = r->way[0].world;
    const uint64_t mine =
        mw_world_device_state(w).joules > 0
            ? mw_device_id(w->backend, w->backend->device_of(w->cluster[0]))
            : 0;
    uint32_t first = 0;
    uint64_t *all;
    int rc = MW_OK;
    MW_NEW(rc, all, "devices of all ranks", r->comm->size);
end:
    rc = mw_comm_agree(r->comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_gather(r->comm, &mine, sizeof mine, all);
    if (rc == MW_OK) {
        while (all[first] != mine)
            first++;
        m->reads_device = mine != 0 && first == r->comm->rank;
    }
    mw_free(all);
    if (r->comm->host_rank == 0)
        mw_energy_open(&m->packages, NULL);
    return rc;
}

/* Collective: the joules of all hosts since some time. */
static int read_joules(struct mw_benchmark *r, struct meter *m, double *packages,
                       double *devices)
{
    enum { MICRO = 1000000 };
    uint64_t sum[] = {0, 0};
    if (r->comm->host_rank == 0)
        sum[0] = (uint64_t)(MICRO * mw_energy_read(&m->packages));
    if (m->reads_device)
        sum[1] = (uint64_t)(MICRO * mw_world_device_state(r->way[0].world).joules);
    const int rc = mw_comm_sum(r->comm, sum, 2);
    *packages = (double)sum[0] / MICRO;
    *devices = (double)sum[1] / MICRO;
    return rc;
}

/* Collective: all roots again and again, without checks, until it is enough for the first rank. */
static int repeat_searches(struct mw_benchmark *r, struct meter *m,
                           struct mw_energy_result *e)
{
    enum { EVERY_S = 10 }; /* counters wrap after minutes */
    const struct mw_benchmark_judging judging = {.checks = false};
    const double start = mw_now();
    double read_at = start;
    uint64_t more = 1;
    bool stop = false;
    int rc = MW_OK;
    for (uint32_t i = 0; rc == MW_OK && more && !stop; i = (i + 1) % r->n_roots) {
        struct mw_search s;
        MW_TRY(rc, mw_benchmark_search(r, &r->way[0], r->root[i], NULL, &judging, &s));
        mw_benchmark_forget(&s);
        const struct mw_search *const first = &r->way[0].out->search[i];
        e->n_edges += mw_search_counts(first) ? first->n_edges : 0;
        e->n_searches++;
        if (r->comm->host_rank == 0 && mw_now() - read_at > EVERY_S) {
            (void)mw_energy_read(&m->packages);
            read_at = mw_now();
        }
        more = r->comm->rank == 0 && mw_now() - start < r->conf->energy_s;
        MW_TRY(rc, mw_comm_max(r->comm, &more, 1));
        MW_TRY(rc, mw_benchmark_asked_to_stop(r, &stop));
    }
    e->seconds = mw_now() - start;
end:
    return rc;
}

int mw_benchmark_energy(struct mw_benchmark *r)
{
    struct mw_energy_result *const e = &r->out->energy;
    struct meter m = {.reads_device = false};
    double before[2], after[2];
    int rc;
    if (!(r->conf->energy_s > 0) || r->way[0].out->n_searches < r->n_roots)
        return MW_OK;
    MW_TRY(rc, open_meter(r, &m));
    uint64_t n[] = {m.packages.n_packages, m.reads_device};
    MW_TRY(rc, mw_comm_sum(r->comm, n, 2));
    e->n_packages = n[0];
    e->n_devices = n[1];
    MW_TRY(rc, read_joules(r, &m, &before[0], &before[1]));
    MW_TRY(rc, repeat_searches(r, &m, e));
    MW_TRY(rc, read_joules(r, &m, &after[0], &after[1]));
    e->package_joules = after[0] - before[0];
    e->device_joules = after[1] - before[1];
end:
    if (r->comm->host_rank == 0)
        mw_energy_close(&m.packages);
    return rc;
}
