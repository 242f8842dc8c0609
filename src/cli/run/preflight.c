/* preflight.c -- see preflight.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/preflight.h"

#include "devices/parts.h"
#include "graph500/calibrate.h"
#include "graph500/device_timing.h"
#include "mpe/comm_mpi.h"

#include <inttypes.h>
#include <string.h>

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

static uint32_t ranks_per_host(const struct mw_preflight *p)
{
    return (p->n_ranks + p->n_hosts - 1) / p->n_hosts;
}

/* What is needed of something, and what there is: of a host, of each process, of a device. */
struct demand {
    uint64_t needed, available;
    const char *source;
};
enum { MEMORY, SPACE, SHARED, DEVICE, DEMANDS };

static int find_demands(const struct mw_preflight *p, struct mw_plan *plan,
                        struct demand out[DEMANDS])
{
    const uint32_t n = ranks_per_host(p);
    const int rc = make_plan(p, plan);
    if (rc < MW_OK)
        return rc;
    out[MEMORY] = (struct demand){mw_saturating_times(plan->peak_bytes, n),
                                  p->room.memory, p->room.memory_source};
    /* What is mapped while it runs and stands in no table: MPI's own, the heap, files. */
    out[SPACE] =
        (struct demand){mw_saturating_plus(plan->mapped_bytes, mw_mpi_space_bytes(n)),
                        p->room.space, p->room.space_source};
    out[SHARED] = (struct demand){
        mw_saturating_plus(plan->shared_bytes, mw_mpi_shared_bytes(n)),
        mw_saturating_plus(p->room.shared, mw_mpi_shared_bytes(p->ranks_here)),
        "/dev/shm"};
    out[DEVICE] =
        (struct demand){mw_saturating_times(plan->device_bytes, p->device.n_ranks),
                        p->device.bytes, p->device.source};
    return rc;
}

/* The first that is short; DEMANDS: none. */
static int short_of(const struct demand *demand)
{
    int i = 0;
    while (i < DEMANDS && demand[i].needed <= demand[i].available)
        i++;
    return i;
}

static bool fits(const struct mw_preflight *p)
{
    struct mw_plan plan;
    struct demand demand[DEMANDS];
    return find_demands(p, &plan, demand) >= MW_OK && short_of(demand) == DEMANDS;
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
        more.n_ranks = more.n_hosts * ranks_per_host(p);
        if (fits(&more)) {
            *n_hosts = more.n_hosts;
            return more.n_ranks;
        }
    }
    return 0;
}

struct mw_bytes_shown mw_bytes_text(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB",
                                        "TiB",   "PiB", "EiB"};
    struct mw_bytes_shown out;
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    snprintf(out.text, sizeof out.text, unit == 0 ? "%.0f %s" : "%.1f %s", value,
             units[unit]);
    return out;
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
    struct demand demand[DEMANDS];
    struct mw_preflight at_home = *p;
    int rc;
    *out = false;
    if (p->predicted_bytes == 0 || !p->built_there)
        return MW_OK;
    if (p->n_ranks > 1 && p->device.n_ranks > 1) {
        *out = true;
        return MW_OK;
    }
    MW_TRY(rc, find_demands(p, &plan, demand));
    if (demand[DEVICE].needed <= demand[DEVICE].available)
        return MW_OK;
    MW_TRY(rc, mw_preflight_build_at_home(&at_home));
    MW_TRY(rc, find_demands(&at_home, &plan, demand));
    *out = demand[DEVICE].needed <= demand[DEVICE].available;
end:
    return rc;
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
                  const struct demand *d)
{
    char what[48], instead[160], sum[96] = "";
    const struct mw_bytes_shown all = mw_bytes_text(d->needed);
    const struct mw_bytes_shown available = mw_bytes_text(d->available);
    snprintf(what, sizeof what, p->scale > 0 ? "SCALE %u" : "the graph", p->scale);
    find_instead(p, instead, sizeof instead);
    switch (shortage) {
    case SHARED:
        return mw_fail(
            MW_ERR_REFUSED,
            "%s needs %s in /dev/shm, shared by the %u ranks of a host, but it "
            "has room for %s: enlarge it (mount -o remount,size=..., docker run "
            "--shm-size) or start fewer ranks with more --threads%s",
            what, all.text, ranks_per_host(p), available.text, instead);
    case SPACE:
        return mw_fail(
            MW_ERR_REFUSED,
            "%s needs %s of address space per rank, but %s are left to each by "
            "%s: raise it%s",
            what, all.text, available.text, d->source, instead);
    case DEVICE:
        if (p->device.n_ranks > 1)
            snprintf(sum, sizeof sum, ", %s for the %u ranks that share a device",
                     all.text, p->device.n_ranks);
        return mw_fail(MW_ERR_REFUSED,
                       "%s needs %s per rank of its device's memory%s, but %s are "
                       "available there (%s)%s",
                       what, mw_bytes_text(plan->device_bytes).text, sum, available.text,
                       d->source, instead);
    default:
        if (ranks_per_host(p) > 1)
            snprintf(sum, sizeof sum, ", %s for the %u ranks of a host", all.text,
                     ranks_per_host(p));
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
    struct demand demand[DEMANDS];
    if (p->predicted_bytes == 0)
        return MW_OK;
    const int rc = find_demands(p, &plan, demand);
    if (rc < MW_OK)
        return rc;
    const int shortage = short_of(demand);
    if (shortage < DEMANDS)
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
    int rc;
    struct mw_plan plan;
    const struct mw_preflight alone = way_alone(p, way);
    MW_TRY(rc, make_plan(&alone, &plan));
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
end:
    return rc;
}

int mw_preflight_host_validates(const struct mw_preflight *p,
                                const struct mw_rates *rates, bool *out, double *seconds)
{
    int rc = MW_OK;
    struct mw_plan plan;
    *out = false;
    if (!p->validate || p->way[0].algorithm->check == NULL ||
        p->way[0].algorithm->check->confirm == NULL || p->predicted_bytes == 0)
        return MW_OK;
    MW_TRY(rc, make_plan(p, &plan));
    if (!plan.world.apart || judging_bytes(p, &plan) < UINT64_MAX)
        return MW_OK;
    *out = true;
    const struct mw_timing_conf conf =
        timing_of(p, &plan, plan.world.n_threads, p->way[0].options, rates);
    *seconds = mw_timing_validation(&conf);
end:
    return rc;
}

static void print_rows(const struct mw_preflight *p, const struct mw_plan *plan, FILE *f)
{
    fprintf(f, "\n%-40s %-8s %12s %16s  %s\n", "structure", "phase", "per rank", "bytes",
            "how");
    for (uint32_t i = 0; i < plan->sizes.n; i++) {
        const struct mw_size *row = &plan->sizes.row[i];
        const uint64_t bytes = mw_size_taken(row, ranks_per_host(p));
        char name[64], copies[32] = "";
        if (bytes == 0)
            continue;
        if (row->copies > 1)
            snprintf(copies, sizeof copies, ", %" PRIu64 " times", row->copies);
        snprintf(name, sizeof name, "%s%s%s%s", row->what, copies,
                 row->of_host ? " (per host)" : "",
                 row->kind == MW_OF_CORES ? " (device)" : "");
        fprintf(f, "%-40s %-8s %12s %16" PRIu64 "  %s", name, mw_when_name(row->when),
                mw_bytes_text(bytes).text, bytes, row->estimated ? "estimated" : "exact");
        if (row->touched < 1000 && row->kind != MW_OF_CORES)
            fprintf(f, ", %u %% used", row->touched / 10);
        fputc('\n', f);
    }
}

static void print_device(const struct mw_preflight *p, const struct mw_plan *plan,
                         const struct demand *d, FILE *f)
{
    fprintf(f, "device      %s per rank, %s for the %u rank%s on a device",
            mw_bytes_text(plan->device_bytes).text, mw_bytes_text(d->needed).text,
            p->device.n_ranks, p->device.n_ranks == 1 ? "" : "s");
    if (plan->device_most_bytes > plan->device_bytes)
        fprintf(f, "; %s more per rank where there is room",
                mw_bytes_text(plan->device_most_bytes - plan->device_bytes).text);
    fputc('\n', f);
    if (d->available == UINT64_MAX)
        fprintf(f, "available   not known of a device: --device-memory says it\n");
    else
        fprintf(f, "available   %s per device (%s)\n", mw_bytes_text(d->available).text,
                d->source);
}

/* What options come to, of the first way. */
static void print_options(const struct mw_preflight *p, const struct mw_plan *plan,
                          FILE *f)
{
    const struct mw_keys *keys = p->way[0].algorithm->keys;
    const struct mw_keys_case c = {.backend = plan->world.backend,
                                   .n_ranks = p->n_ranks,
                                   .n_hosts = p->n_hosts,
                                   .most_labels = mw_columns_of(1, plan->label_bits),
                                   .heavy = plan->heavy,
                                   .heavy_vertices = plan->heavy_vertices,
                                   .heavy_entries = plan->heavy_entries};
    char text[512] = "";
    if (keys != NULL && keys->describe != NULL)
        keys->describe(p->way[0].options, &c, text, sizeof text);
    if (text[0] != '\0')
        fprintf(f, "%s\n", text);
}

static void print_sums(const struct mw_preflight *p, const struct mw_plan *plan,
                       const struct demand *demand, FILE *f)
{
    fprintf(f, "\npeak        %s per rank, %s per host\n",
            mw_bytes_text(plan->peak_bytes).text,
            mw_bytes_text(demand[MEMORY].needed).text);
    fprintf(f, "available   %s per host (%s)\n", mw_bytes_text(p->room.memory).text,
            p->room.memory_source);
    if (plan->device_bytes > 0)
        print_device(p, plan, &demand[DEVICE], f);
    if (p->room.space != UINT64_MAX)
        fprintf(f, "space       %s per rank, %s left (%s)\n",
                mw_bytes_text(demand[SPACE].needed).text,
                mw_bytes_text(p->room.space).text, p->room.space_source);
    if (demand[SHARED].needed > 0 && p->room.shared != UINT64_MAX)
        fprintf(f, "shared      %s per host with MPI's own, %s free in /dev/shm\n",
                mw_bytes_text(demand[SHARED].needed).text,
                mw_bytes_text(demand[SHARED].available).text);
}

int mw_preflight_print_verdict(const struct mw_preflight *p, bool fits, FILE *f)
{
    struct mw_plan plan;
    struct demand demand[DEMANDS];
    const int rc = find_demands(p, &plan, demand);
    if (rc < MW_OK)
        return rc;
    fprintf(f, "verdict     %s: %s per rank, %s per host of %s available (%s)\n",
            fits ? "fits" : "does not fit", mw_bytes_text(plan.peak_bytes).text,
            mw_bytes_text(demand[MEMORY].needed).text, mw_bytes_text(p->room.memory).text,
            p->room.memory_source);
    if (plan.device_bytes > 0)
        print_device(p, &plan, &demand[DEVICE], f);
    return MW_OK;
}

int mw_preflight_print(const struct mw_preflight *p, bool table, FILE *f)
{
    struct mw_plan plan;
    struct demand demand[DEMANDS];
    const int rc = find_demands(p, &plan, demand);
    if (rc < MW_OK)
        return rc;
    const struct mw_groups *groups = &plan.world.groups;
    fprintf(f, "vertices    %" PRIu64 "\nedges       %" PRIu64 "\n", p->n_vertices,
            p->n_edges);
    fprintf(f, "ranks       %u on %u host%s\n", p->n_ranks, p->n_hosts,
            p->n_hosts == 1 ? "" : "s");
    fprintf(f, "threads     %u per rank, backend %s\n", plan.world.n_threads,
            plan.world.backend->name);
    fprintf(f, "route       %s, %u group%s of %u", groups->width > 1 ? "relay" : "direct",
            groups->n_groups, groups->n_groups == 1 ? "" : "s", groups->width);
    if (plan.world.groups_by != MW_GROUPS_NONE)
        fprintf(f, " (%s)", mw_groups_by_names[plan.world.groups_by]);
    fprintf(f, ", %u peers\n", mw_world_peers(groups));
    print_options(p, &plan, f);
    if (table) {
        print_rows(p, &plan, f);
        print_sums(p, &plan, demand, f);
    }
    return MW_OK;
}
