/* run_preflight.c -- before anything large: what a run will take, who builds and validates, and whether fewer
 * devices than ranks are faster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/plan_time.h"
#include "cli/run/preflight.h"
#include "cli/run/run.h"
#include "devices/peers.h"
#include "mpe/placement.h"

/* Collective: by all devices, or by the host. */
static int build_where_there_is_room(struct run *r, struct mw_preflight *p)
{
    bool lacks;
    uint64_t at_home;
    MW_NEED(mw_comm_agree(r->session.comm, mw_preflight_lacks_room(p, &lacks)));
    at_home = lacks;
    MW_NEED(mw_comm_max(r->session.comm, &at_home, 1));
    if (at_home == 0)
        return MW_OK;
    MW_NEED(mw_comm_agree(r->session.comm, mw_preflight_build_at_home(p)));
    r->conf.graph_rule = p->graph_rule;
    if (r->session.speaks && r->n_device_ranks <= 1) /* else more was said */
        mw_session_warn(
            &r->session, "%s not the memory to build the graph: the host builds it",
            r->session.comm->size == 1 ? "the device has" : "some device has");
    return MW_OK;
}

/* Where not all fits on every host, what may be chosen goes without what a host has of all
 * vertices. */
static int spare_memory(struct run *r, struct mw_preflight *p)
{
    struct mw_left_out left_out;
    uint64_t all_fit = mw_preflight_fits(p), asks;
    MW_NEED(mw_comm_min(r->session.comm, &all_fit, 1));
    if (all_fit)
        return MW_OK;
    MW_NEED(mw_comm_agree(r->session.comm, mw_preflight_leave_out(p, &left_out)));
    asks = left_out.columns;
    MW_NEED(mw_comm_max(r->session.comm, &asks, 1));
    if (asks)
        MW_NEED(mw_comm_agree(r->session.comm, mw_preflight_ask(p)));
    r->conf.graph_rule = p->graph_rule;
    if (r->session.speaks && left_out.options != NULL)
        mw_session_warn(&r->session, "%s", left_out.options);
    if (r->session.speaks && asks)
        mw_session_warn(&r->session, "a table of all vertices would not fit: columns are "
                                     "asked for");
    return MW_OK;
}

/* Collective. All ways of a backend that has devices use one, for a process has no other. */
static int find_device(struct run *r, struct mw_device_room *out)
{
    bool found = false;
    for (uint32_t w = 0; w < r->n_ways && !found; w++)
        MW_NEED(mw_device_room_find(
            r->session.comm, &r->way[w].world_conf,
            mw_setting_number(&r->way[w].settings, "device-memory"), out, &found));
    r->n_device_ranks = out->n_ranks;
    r->devices = out->kinds;
    return MW_OK;
}

/* On rank 0: what has no model has no prediction, and the run goes on without. */
static void predict_times(struct run *r, const struct mw_preflight *p)
{
    if (!r->session.speaks || mw_rates_find(r->settings, false, &r->rates) < MW_OK)
        return;
    for (uint32_t w = 0; w < r->n_ways; w++)
        r->way[w].predicted = mw_preflight_time(p, w, r->conf.n_roots, &r->rates,
                                                &r->way[w].prediction) == MW_OK;
}

/* Collective. Where devices search, the host's cores may validate for much longer than they do. */
static int say_who_validates(struct run *r, const struct mw_preflight *p)
{
    bool host;
    double seconds = 0;
    struct mw_rates rates = r->rates;
    if (rates.n_points == 0) /* a rank that has not looked for them, or found none */
        mw_rates_default(&rates);
    MW_NEED(mw_comm_agree(r->session.comm,
                          mw_preflight_host_validates(p, &rates, &host, &seconds)));
    uint64_t any = host;
    MW_NEED(mw_comm_max(r->session.comm, &any, 1));
    const uint32_t n = mw_benchmark_n_checked(&r->conf, r->conf.n_roots);
    if (any != 0)
        mw_session_say(
            &r->session,
            "meshway: note: by plan the device lacks the memory to validate as well: "
            "the host's cores then do, %s a tree, %s for %u (modelled); "
            "--validate N looks at N of them",
            mw_seconds_text(seconds).text, mw_seconds_text(seconds * n).text, n);
    return MW_OK;
}

/* Local: as on so many ranks of so many hosts, of which so many are here. `way` has room for all ways. */
static int describe(struct run *r, uint32_t n_ranks, uint32_t n_hosts, uint32_t here,
                    struct mw_plan_way *way, struct mw_preflight *out)
{
    const bool file = mw_setting_text(r->settings, "graph") != NULL;
    *out = (struct mw_preflight){
        .way = way,
        .n_ways = r->n_ways,
        .scale = r->conf.scale,
        .edgefactor = r->conf.edgefactor,
        .n_vertices = UINT64_C(1) << r->conf.scale,
        .n_edges = (uint64_t)r->conf.edgefactor << r->conf.scale,
        .validate = r->conf.validate,
        .n_validated = r->conf.n_validated,
        .graph_rule = r->conf.graph_rule,
        .directed = mw_setting_number(r->settings, "directed") != 0,
        .n_ranks = n_ranks,
        .n_hosts = n_hosts,
        .ranks_here = here,
        .device = mw_device_room_any(),
    };
    for (uint32_t w = 0; w < r->n_ways; w++)
        way[w] = (struct mw_plan_way){r->way[w].algorithm, &r->way[w].world_conf,
                                      r->way[w].tuning.options};
    mw_room_find("", &out->room);
    if (!file)
        return MW_OK;
    const struct mw_read_conf conf = mw_graph_input_conf(r->settings, &r->file);
    return mw_preflight_file(out, &conf);
}

static bool levels_are_the_hosts(const struct run *r)
{
    return mw_goal_is_sought(r->conf.goal) ||
           mw_tree_output_levels(&r->tree, r->conf.algorithm);
}

/* Each rank looks at its own host; one that is too small is enough to refuse. */
int run_preflight(struct run *r)
{
    int rc;
    const struct mw_comm *const comm = r->session.comm;
    struct mw_plan_way way[RUN_WAYS_MAX];
    struct mw_preflight p;
    struct mw_thread_count count;
    if (levels_are_the_hosts(r) && comm->size > 1)
        r->conf.graph_rule.by_host = true;
    MW_TRY(rc, describe(r, comm->size, comm->n_hosts, comm->host_size, way, &p));
    rc = mw_placement_count(r->session.comm, r->way[0].world_conf.n_threads, &count);
    p.n_threads = count.n_threads;
    if (rc != MW_OK)
        return rc;
    MW_TRY(rc, find_device(r, &p.device));
    rc = mw_comm_agree(r->session.comm, mw_preflight_predict(&p));
    if (rc != MW_OK)
        return rc;
    MW_TRY(rc, build_where_there_is_room(r, &p));
    MW_TRY(rc, spare_memory(r, &p));
    r->report.predicted_bytes = p.predicted_bytes;
    r->report.predicted_device_bytes = p.device_bytes;
    predict_times(r, &p);
    rc = mw_preflight_judge(&p);
end:
    rc = mw_comm_agree(r->session.comm, rc);
    return rc == MW_OK ? say_who_validates(r, &p) : rc;
}

/* ---- fewer devices ------------------------------------------------------------------------ */

/* Local, the same at all ranks: may one do it, as far as is said? */
static bool may_be_alone(const struct run *r)
{
    const struct mw_comm *const comm = r->session.comm;
    bool may = comm->size > 1 && comm->n_hosts == 1;
    for (uint32_t w = 0; w < r->n_ways; w++) {
        const struct mw_run_options *const o = &r->way[w].tuning.run;
        may = may && mw_on_device(r->way[w].backend) &&
              !mw_host_reaches(r->way[w].backend) && !o->all_devices &&
              o->exchange == MW_EXCHANGE_AUTO;
    }
    return may;
}

/* Input edges from which several devices are faster, in all ways. */
static uint64_t several_pay(const struct run *r, const struct mw_device_room *device)
{
    const uint32_t n_ranks = r->session.comm->size;
    uint64_t edges = 0;
    for (uint32_t w = 0; w < r->n_ways; w++) {
        const struct run_way *const way = &r->way[w];
        const struct mw_devices_pay pay = way->algorithm->devices_pay;
        const bool stays = way->algorithm->stays != NULL && !levels_are_the_hosts(r) &&
                           way->algorithm->stays(way->tuning.options, way->backend);
        const bool reach =
            way->backend->memory->lending != NULL && n_ranks <= MW_PEERS_MAX;
        const uint64_t from = reach ? pay.by_reach : pay.otherwise;
        edges = mw_max(edges, from > 0 && !stays ? UINT64_MAX : from);
    }
    return device->n_ranks > 1 && edges > 0 ? UINT64_MAX : edges;
}

/* Local, with the device that this rank has: is there room to build, search and validate on it alone? */
static int fits_alone(const struct run *r, struct mw_preflight *p, bool *out)
{
    bool lacks, by_host;
    double seconds;
    struct mw_rates rates;
    p->device.n_ranks = 1;
    mw_rates_default(&rates);
    MW_NEED(mw_preflight_predict(p));
    MW_NEED(mw_preflight_lacks_room(p, &lacks));
    MW_NEED(mw_preflight_host_validates(p, &rates, &by_host, &seconds));
    *out = p->predicted_bytes > 0 && mw_preflight_fits(p) && !lacks &&
           !(by_host && r->conf.validate);
    return MW_OK;
}

int run_choose_devices(struct run *r)
{
    int rc;
    struct mw_plan_way way[RUN_WAYS_MAX];
    struct mw_preflight p;
    struct mw_thread_count count;
    uint64_t from = 0, alone = 0;
    bool fits = false;
    if (!may_be_alone(r))
        return MW_OK;
    MW_TRY(rc, mw_comm_agree(r->session.comm, describe(r, 1, 1, 1, way, &p)));
    MW_TRY(rc,
           mw_placement_count(r->session.comm, r->way[0].world_conf.n_threads, &count));
    p.n_threads = count.n_threads;
    MW_TRY(rc, find_device(r, &p.device));
    if (r->session.comm->rank == 0) {
        const uint64_t taken_up = run_resume_ranks(r);
        from = several_pay(r, &p.device);
        if (taken_up > 0) /* searches are of one shape */
            alone = taken_up == 1;
        else if (p.device.real && p.n_edges < from && fits_alone(r, &p, &fits) == MW_OK)
            alone = fits;
        mw_error_clear(); /* all do it together, or say the same */
    }
    MW_TRY(rc, mw_comm_broadcast(r->session.comm, &alone, sizeof alone, 0));
    if (alone == 0)
        return MW_OK;
    mw_session_say(&r->session,
                   "meshway: note: rank 0 alone runs, of %u: its device is faster here "
                   "than all (measured); --tune devices=all takes all",
                   r->session.comm->size);
    r->report.n_waiting = r->session.comm->size - 1;
    rc = mw_session_fewer(&r->session, 1);
    r->tree.comm = r->session.comm;
end:
    return rc;
}
