/* preflight.c -- see preflight.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/preflight.h"

#include "devices/parts.h"
#include "graph500/calibrate.h"
#include "graph500/device_timing.h"
#include "mpe/comm_mpi.h"

static int make_plan(const struct mw_preflight *p, struct mw_plan *out)
{
    return mw_plan_make(&(struct mw_plan_conf){.n_vertices = p->n_vertices,
                                               .n_edges = p->n_edges,
                                               .kronecker = p->scale > 0,
                                               .directed = p->directed,
                                               .n_ranks = p->n_ranks,
                                               .n_hosts = p->n_hosts,
                                               .n_threads = p->n_threads,
                                               .way = p->way,
                                               .n_ways = p->n_ways,
                                               .validate = p->validate,
                                               .graph_rule = p->graph_rule},
                        out);
}

uint32_t mw_preflight_host_ranks(const struct mw_preflight *p)
{
    return (p->n_ranks + p->n_hosts - 1) / p->n_hosts;
}

int mw_preflight_demands(const struct mw_preflight *p, struct mw_plan *plan,
                         struct mw_demand out[MW_DEMANDS])
{
    const uint32_t n = mw_preflight_host_ranks(p);
    const int rc = make_plan(p, plan);
    if (rc < MW_OK)
        return rc;
    out[MW_MEMORY] = (struct mw_demand){mw_saturating_times(plan->peak_bytes, n),
                                        p->room.memory, p->room.memory_source};
    /* What is mapped while it runs and stands in no table: MPI's own, the heap, files. */
    out[MW_SPACE] =
        (struct mw_demand){mw_saturating_plus(plan->mapped_bytes, mw_mpi_space_bytes(n)),
                           p->room.space, p->room.space_source};
    out[MW_SHARED] = (struct mw_demand){
        mw_saturating_plus(plan->shared_bytes, mw_mpi_shared_bytes(n)),
        mw_saturating_plus(p->room.shared, mw_mpi_shared_bytes(p->ranks_here)),
        "/dev/shm"};
    out[MW_DEVICE] =
        (struct mw_demand){mw_saturating_times(plan->device_bytes, p->device.n_ranks),
                           p->device.bytes, p->device.source};
    return rc;
}

/* The first that is short; MW_DEMANDS: none. */
static int short_of(const struct mw_demand *demand)
{
    int i = 0;
    while (i < MW_DEMANDS && demand[i].needed <= demand[i].available)
        i++;
    return i;
}

static bool fits(const struct mw_preflight *p)
{
    struct mw_plan plan;
    struct mw_demand demand[MW_DEMANDS];
    return mw_preflight_demands(p, &plan, demand) >= MW_OK &&
           short_of(demand) == MW_DEMANDS;
}

/* Where a device has no room to build it, the host builds. */
static bool fits_built_somewhere(const struct mw_preflight *p)
{
    struct mw_preflight at_home = *p;
    at_home.graph_rule.by_host = true;
    return fits(p) || fits(&at_home);
}

/* 0: not even the smallest. */
static uint32_t largest_scale(const struct mw_preflight *p)
{
    struct mw_preflight smaller = *p;
    for (uint32_t scale = p->scale - 1; scale > 0; scale--) {
        smaller.scale = scale;
        smaller.n_vertices = UINT64_C(1) << scale;
        smaller.n_edges = (uint64_t)p->edgefactor << scale;
        if (fits_built_somewhere(&smaller))
            return scale;
    }
    return 0;
}

/* Doubles the hosts, each with as many ranks as now. 0: too many to be worth naming. */
static uint32_t enough_ranks(const struct mw_preflight *p, uint32_t *n_hosts)
{
    struct mw_preflight more = *p;
    while (more.n_hosts < 1u << 20 && more.n_ranks < 1u << 22) {
        more.n_hosts *= 2;
        more.n_ranks = more.n_hosts * mw_preflight_host_ranks(p);
        if (fits(&more)) {
            *n_hosts = more.n_hosts;
            return more.n_ranks;
        }
    }
    return 0;
}

int mw_preflight_file(struct mw_preflight *p, const struct mw_read_conf *file)
{
    struct mw_file_facts facts;
    const int rc = mw_read_facts(file, &facts);
    if (rc < MW_OK)
        return rc;
    p->n_vertices = facts.n_vertices;
    p->directed = p->directed && mw_facts_one_way(&facts);
    p->n_edges = facts.n_edges;
    return MW_OK;
}

static bool knows_size(const struct mw_preflight *p)
{
    return p->n_vertices > 0 && p->n_edges != MW_UNKNOWN;
}

/* What a rank takes of a device that judges, or would without the list of tuples; UINT64_MAX: it does not,
 * for lack of room, or since nobody confirms what it says. */
static uint64_t judging_bytes(const struct mw_preflight *p, const struct mw_plan *plan)
{
    const uint64_t more = plan->device_most_bytes - plan->device_bytes;
    const struct mw_check *check = p->way[0].algorithm->check;
    const uint64_t room =
        check != NULL && check->room != NULL ? check->room(more, p->n_ranks) : more;
    const uint64_t list = plan->device_list_bytes;
    for (int home = 0; home < 2 && plan->device_judges; home++) {
        const uint64_t less = home ? list : 0;
        const uint64_t all = mw_saturating_plus(plan->device_bytes, room) - less;
        if (mw_saturating_times(all, p->device.n_ranks) <= p->device.bytes)
            return mw_max(plan->device_bytes, plan->device_most_bytes - less);
    }
    return UINT64_MAX;
}

int mw_preflight_predict(struct mw_preflight *p)
{
    struct mw_plan plan;
    p->predicted_bytes = p->mapped_bytes = p->shared_bytes = p->device_bytes = 0;
    if (!knows_size(p))
        return MW_OK;
    const int rc = make_plan(p, &plan);
    if (rc >= MW_OK) {
        p->predicted_bytes = plan.peak_bytes;
        p->mapped_bytes = plan.mapped_bytes;
        p->shared_bytes = plan.shared_bytes;
        p->device_bytes = mw_min(plan.device_most_bytes, judging_bytes(p, &plan));
        p->built_there = plan.built_there;
    }
    return rc;
}

int mw_preflight_build_at_home(struct mw_preflight *p)
{
    p->graph_rule.by_host = true;
    return mw_preflight_predict(p);
}

int mw_preflight_lacks_room(const struct mw_preflight *p, bool *out)
{
    struct mw_plan plan;
    struct mw_demand demand[MW_DEMANDS];
    struct mw_preflight at_home = *p;
    *out = false;
    if (p->predicted_bytes == 0 || !p->built_there)
        return MW_OK;
    if (p->n_ranks > 1 && p->device.n_ranks > 1) {
        *out = true;
        return MW_OK;
    }
    MW_NEED(mw_preflight_demands(p, &plan, demand));
    if (demand[MW_DEVICE].needed <= demand[MW_DEVICE].available)
        return MW_OK;
    MW_NEED(mw_preflight_build_at_home(&at_home));
    MW_NEED(mw_preflight_demands(&at_home, &plan, demand));
    *out = demand[MW_DEVICE].needed <= demand[MW_DEVICE].available;
    return MW_OK;
}

bool mw_preflight_fits(const struct mw_preflight *p)
{
    return p->predicted_bytes == 0 || fits(p);
}

int mw_preflight_leave_out(struct mw_preflight *p, struct mw_left_out *out)
{
    *out = (struct mw_left_out){NULL, false};
    if (p->built_there) /* the host has neither, and with others it would build */
        return MW_OK;
    for (uint32_t i = 0; i < p->n_ways; i++) {
        const struct mw_keys *const keys = p->way[i].algorithm->keys;
        const char *const spared =
            keys != NULL && keys->spare != NULL ? keys->spare(p->way[i].options) : NULL;
        out->options = spared != NULL ? spared : out->options;
    }
    int rc = out->options != NULL ? mw_preflight_predict(p) : MW_OK;
    if (rc != MW_OK || p->graph_rule.columns != MW_LOOK_UP_AUTO || p->n_ranks == 1)
        return rc;
    /* To ask takes memory, too: more than the table of a small graph. */
    struct mw_preflight asking = *p;
    rc = mw_preflight_ask(&asking);
    out->columns = rc == MW_OK && (asking.predicted_bytes < p->predicted_bytes ||
                                   asking.shared_bytes < p->shared_bytes);
    return rc;
}

int mw_preflight_ask(struct mw_preflight *p)
{
    p->graph_rule.columns = MW_LOOK_UP_ASK;
    return mw_preflight_predict(p);
}

/* "; SCALE 20 would fit; 8 ranks on 4 hosts like this one would do" */
static void find_instead(const struct mw_preflight *p, char *out, size_t room)
{
    uint32_t n_hosts = 0;
    size_t used = 0;
    const uint32_t scale = p->scale > 1 ? largest_scale(p) : 0;
    const uint32_t ranks = enough_ranks(p, &n_hosts);
    out[0] = '\0';
    if (scale > 0)
        used += (size_t)snprintf(out, room, "; SCALE %u would fit", scale);
    if (ranks > 0)
        snprintf(out + used, room - used, "; %u ranks on %u hosts like this one would do",
                 ranks, n_hosts);
}

static int refuse(const struct mw_preflight *p, const struct mw_plan *plan, int shortage,
                  const struct mw_demand *d)
{
    char what[48], instead[160], sum[96] = "";
    const struct mw_bytes_shown all = mw_bytes_text(d->needed);
    const struct mw_bytes_shown available = mw_bytes_text(d->available);
    snprintf(what, sizeof what, p->scale > 0 ? "SCALE %u" : "the graph", p->scale);
    find_instead(p, instead, sizeof instead);
    switch (shortage) {
    case MW_SHARED:
        return mw_fail(
            MW_ERR_REFUSED,
            "%s needs %s in /dev/shm, shared by the %u ranks of a host, but it "
            "has room for %s: enlarge it (mount -o remount,size=..., docker run "
            "--shm-size) or start fewer ranks with more --threads%s",
            what, all.text, mw_preflight_host_ranks(p), available.text, instead);
    case MW_SPACE:
        return mw_fail(
            MW_ERR_REFUSED,
            "%s needs %s of address space per rank, but %s are left to each by "
            "%s: raise it%s",
            what, all.text, available.text, d->source, instead);
    case MW_DEVICE:
        if (p->device.n_ranks > 1)
            snprintf(sum, sizeof sum, ", %s for the %u ranks that share a device",
                     all.text, p->device.n_ranks);
        return mw_fail(MW_ERR_REFUSED,
                       "%s needs %s per rank of its device's memory%s, but %s are "
                       "available there (%s)%s",
                       what, mw_bytes_text(plan->device_bytes).text, sum, available.text,
                       d->source, instead);
    default:
        if (mw_preflight_host_ranks(p) > 1)
            snprintf(sum, sizeof sum, ", %s for the %u ranks of a host", all.text,
                     mw_preflight_host_ranks(p));
        return mw_fail(
            MW_ERR_REFUSED,
            "%s needs %s per rank of %u thread%s%s, but %s are available there (%s)%s",
            what, mw_bytes_text(p->predicted_bytes).text, plan->world.n_threads,
            plan->world.n_threads == 1 ? "" : "s", sum, available.text, d->source,
            instead);
    }
}

int mw_preflight_judge(const struct mw_preflight *p)
{
    struct mw_plan plan;
    struct mw_demand demand[MW_DEMANDS];
    if (p->predicted_bytes == 0)
        return MW_OK;
    const int rc = mw_preflight_demands(p, &plan, demand);
    if (rc < MW_OK)
        return rc;
    const int shortage = short_of(demand);
    if (shortage < MW_DEMANDS)
        return refuse(p, &plan, shortage, &demand[shortage]);
    if (plan.most_edges > UINT32_MAX)
        return mw_fail(MW_ERR_REFUSED, "some vertex would have 2^32 edges or more, which "
                                       "no count of a vertex holds");
    return MW_OK;
}

/* Of a way that is planned so, by so many cores of the host. */
static struct mw_timing_conf timing_of(const struct mw_preflight *p,
                                       const struct mw_plan *plan, uint32_t n_lanes,
                                       const void *options, const struct mw_rates *rates)
{
    const bool knows = mw_forecast_knows(p->way[0].algorithm);
    const bool asks_names = mw_owners_are_asked(p->graph_rule.columns, p->n_vertices,
                                                p->n_edges, p->n_ranks, p->n_hosts);
    return (struct mw_timing_conf){
        .forecast = {.groups = plan->world.groups,
                     .n_hosts = p->n_hosts,
                     .n_lanes = n_lanes,
                     .rule =
                         mw_forecast_rule(knows ? options : NULL, plan->world.backend),
                     .delegate = mw_algorithm_delegate(p->way[0].algorithm, options),
                     .asks_names = asks_names,
                     .wide = plan->wide,
                     .batch_bytes = plan->world.batch_bytes},
        .n_vertices = p->n_vertices,
        .n_edges = p->n_edges,
        .scale = p->scale,
        .validate = p->validate,
        .n_validated = p->n_validated,
        .compress = plan->world.compress,
        .rates = rates};
}

static struct mw_preflight way_alone(const struct mw_preflight *p, uint32_t way)
{
    struct mw_preflight alone = *p;
    alone.way = &p->way[way];
    alone.n_ways = 1;
    return alone;
}

int mw_preflight_alone(const struct mw_preflight *p, uint32_t way, uint64_t *bytes)
{
    struct mw_preflight alone = way_alone(p, way);
    const int rc = mw_preflight_predict(&alone);
    *bytes = alone.predicted_bytes;
    return rc;
}

/* Why nothing is known of the times of these devices; NULL: it is. */
static const char *why_untimed(const struct mw_preflight *p, const struct mw_plan *plan)
{
    const struct mw_algorithm *const a = p->way[0].algorithm;
    const struct mw_backend *const backend = plan->world.backend;
    const bool whole = a->stays(NULL, backend), several = p->n_ranks > 1;
    return p->scale == 0 || p->edgefactor != MW_CALIBRATION_EDGEFACTOR
               ? "generated graphs with 16 edges a vertex"
           : mw_host_reaches(backend) ? "devices, and this build's are the host's "
                                        "cores: plan with a build for the GPU"
           : !plan->built_there       ? "graphs that devices build"
           : p->device.n_ranks > 1    ? "ranks with a device each"
           : (whole && !a->stays(p->way[0].options, backend)) ||
                   (several && (!whole || !mw_parts_expected(&plan->world)))
               ? "whole searches"
               : NULL;
}

static void time_devices(const struct mw_preflight *p, const struct mw_plan *plan,
                         uint32_t n_roots, const struct mw_rates *rates,
                         struct mw_timing *out)
{
    const bool judges = judging_bytes(p, plan) < UINT64_MAX;
    const struct mw_timing_conf host =
        timing_of(p, plan, plan->world.n_threads, p->way[0].options, rates);
    const struct mw_device_timing_conf devices = {
        .scale = p->scale,
        .n_devices = p->n_ranks,
        .n_hosts = p->n_hosts,
        .n_vertices = p->n_vertices,
        .n_edges = p->n_edges,
        .reach = mw_peers_expected(&plan->world) == MW_PEERS_ALL,
        .validate = p->validate,
        .host_validation_s = judges ? 0 : mw_timing_validation(&host),
        .n_roots = n_roots,
        .n_validated = p->n_validated,
        .rates = rates};
    mw_device_timing_make(&devices, out);
}

int mw_preflight_time(const struct mw_preflight *p, uint32_t way, uint32_t n_roots,
                      const struct mw_rates *rates, struct mw_timing *out)
{
    struct mw_plan plan;
    const struct mw_preflight alone = way_alone(p, way);
    MW_NEED(make_plan(&alone, &plan));
    if (!knows_size(p) || p->n_edges == 0 || p->directed ||
        !mw_forecast_knows(p->way[way].algorithm))
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "times are modelled of searches of undirected graphs that have "
                       "edges, and whose size is known");
    if (plan.world.apart) {
        const char *const why = why_untimed(&alone, &plan);
        if (why != NULL)
            return mw_fail(MW_ERR_UNAVAILABLE, "times of backend %s are modelled of %s",
                           plan.world.backend->name, why);
        time_devices(&alone, &plan, n_roots, rates, out);
        return MW_OK;
    }
    if (plan.world.backend->time != NULL || plan.world.n_consumers > 0)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "times are modelled of the host's cores, not of backend %s",
                       plan.world.backend->name);
    struct mw_timing_conf conf =
        timing_of(&alone, &plan, plan.world.n_lanes, p->way[way].options, rates);
    conf.n_roots = n_roots;
    mw_timing_make(&conf, out);
    return MW_OK;
}

int mw_preflight_host_validates(const struct mw_preflight *p,
                                const struct mw_rates *rates, bool *out, double *seconds)
{
    struct mw_plan plan;
    *out = false;
    if (!p->validate || p->way[0].algorithm->check == NULL ||
        p->way[0].algorithm->check->confirm == NULL || p->predicted_bytes == 0)
        return MW_OK;
    MW_NEED(make_plan(p, &plan));
    if (!plan.world.apart || judging_bytes(p, &plan) < UINT64_MAX)
        return MW_OK;
    *out = true;
    const struct mw_timing_conf conf =
        timing_of(p, &plan, plan.world.n_threads, p->way[0].options, rates);
    *seconds = mw_timing_validation(&conf);
    return MW_OK;
}
