/* world.c -- see world.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/world.h"
#include "mpe/trade.h"

#include "base/clock.h"
#include "base/mem.h"
#include "cpe/cpe_types.h"
#include "mpe/placement.h"
#include "shuffle/job.h"

#include <stdio.h>
#include <string.h>

const char *const mw_compress_names[MW_N_COMPRESS] = {"auto", "off", "vbyte", "packed"};

/* A mesh needs a layout that is proved, for cores that exist, with room for every
 * destination. */
static int open_plan(const char *layout, const struct mw_groups *groups,
                     const struct mw_backend *on, struct mw_mesh_plan **out)
{
    const uint32_t n_buckets = groups->width > 1
                                   ? (uint32_t)mw_max(groups->n_groups, groups->width)
                                   : groups->n_ranks;
    const int rc = mw_mesh_plan_open(layout, n_buckets, out);
    if (rc == MW_OK && (*out)->role == NULL)
        return mw_fail(MW_ERR_REFUSED, "--layout %s: a %ux%u mesh, the cores form 8x8",
                       layout, (*out)->layout->rows, (*out)->layout->cols);
    return rc == MW_OK ? mw_mesh_plan_fits(*out, on) : rc;
}

/* A backend of one core asks for one thread, so that the sentence on placement is true. */
static uint32_t threads_asked(const struct mw_world_conf *conf,
                              const struct mw_backend *backend)
{
    return backend->one_thread ? 1 : conf->n_threads;
}

uint32_t mw_world_threads_asked(const struct mw_world_conf *conf)
{
    const struct mw_backend *backend;
    if (mw_backend_find(conf->backend, &backend) == MW_OK)
        return threads_asked(conf, backend);
    mw_error_clear(); /* whoever opens the world hears of it */
    return conf->n_threads;
}

/* Who works for itself moves; who waits for a device moves when that is over. In a
 * pipeline a rank moves by its beats anyhow. */
static void waits(void *comm, bool begins)
{
    const struct mw_comm *c = comm;
    if (c->pulse == NULL)
        return;
    const uint32_t is = MW_LOAD_RELAXED(&c->pulse[c->host_rank].wait);
    if (begins && is == MW_AT_WORK)
        mw_comm_wait(c, MW_ON_DEVICE);
    else if (!begins && is == MW_ON_DEVICE)
        mw_comm_work(c);
}

/* Threads beside the management core are dealt to the clusters; the first cluster's run()
 * takes the management core along. */
static int open_own_clusters(struct mw_world *w, const struct mw_placement *placement)
{
    const uint32_t n = w->conf.n_clusters, n_team = placement->n_threads - 1;
    uint32_t lane = 1;
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t mine = n_team / n + (c < n_team % n);
        const struct mw_cluster_conf conf = {
            .n_cores = 1 + mine,
            /* Others run where they are put, and what a device's library starts anywhere. */
            .cpu = c == 0 && w->host == NULL ? placement->cpu : NULL,
            .oversubscribed = placement->oversubscribed,
            .first_lane = lane,
            .device = w->conf.device,
            .real_host_rank = w->comm->real_host_rank,
            .waits = !mw_host_reaches(w->backend) ? waits : NULL,
            .waits_arg = w->comm,
            .failed = w->conf.failed};
        MW_NEED(w->backend->open(&conf, &w->cluster[c]));
        w->first_lane[c] = lane;
        lane += w->backend->n_team(w->cluster[c]);
    }
    for (uint32_t c = n; c <= MW_CLUSTERS_MAX; c++)
        w->first_lane[c] = lane;
    w->oversubscribed = placement->crowded;
    w->comm->crowded = w->comm->crowded || placement->crowded;
    w->planned = placement->planned;
    memcpy(w->placement, placement->sentence, sizeof w->placement);
    w->placement[sizeof w->placement - 1] = '\0';
    return MW_OK;
}

/* The device first: the host's side binds the caller, and so what the caller starts later. */
static int open_clusters(struct mw_world *w, const struct mw_placement *placement)
{
    const int rc = open_own_clusters(w, placement);
    return rc == MW_OK && w->host != NULL ? open_own_clusters(w->host, placement) : rc;
}

/* Collective. */
static int find_clusters(struct mw_world *w)
{
    struct mw_placement placement = {0};
    const uint32_t threads = threads_asked(&w->conf, w->backend);
    int rc = mw_comm_agree(w->comm, mw_placement_find(w->comm, threads, &placement));
    if (rc == MW_OK && w->comm->one_thread && placement.n_threads > 1)
        rc = mw_comm_agree(w->comm,
                           mw_fail(MW_ERR_UNAVAILABLE,
                                   "MPI: thread level SINGLE, not FUNNELED, so a rank "
                                   "has one thread; use --threads 1"));
    if (rc == MW_OK)
        rc = mw_comm_agree(w->comm, open_clusters(w, &placement));
    mw_placement_fini(&placement);
    return rc;
}

static int borrow_clusters(struct mw_world *w)
{
    const struct mw_world *lender = w->conf.lender;
    if (lender->backend != w->backend || lender->conf.n_clusters != w->conf.n_clusters)
        return mw_fail(MW_ERR_INTERNAL, "clusters of another shape cannot be borrowed");
    memcpy(w->cluster, lender->cluster, sizeof w->cluster);
    memcpy(w->first_lane, lender->first_lane, sizeof w->first_lane);
    w->oversubscribed = lender->oversubscribed;
    w->planned = lender->planned;
    memcpy(w->placement, lender->placement, sizeof w->placement);
    return w->host != NULL ? borrow_clusters(w->host) : MW_OK;
}

struct mw_world *mw_world_host_side(struct mw_world *w)
{
    return w->host != NULL ? w->host : w;
}

uint32_t mw_world_lanes(const struct mw_world *w)
{
    return w->first_lane[MW_CLUSTERS_MAX];
}

uint32_t mw_world_idle_lanes(const struct mw_world *w)
{
    return w->backend->mesh ? 1 : w->first_lane[1];
}

void mw_world_run(struct mw_world *w, mw_kernel *kernel, void *job)
{
    struct mw_cpe self = {.id = 0, .n = 1, .lane = 0};
    if (w->backend->mesh || !mw_host_reaches(w->backend))
        kernel(&self, job);
    else
        w->backend->run(w->cluster[0], kernel, job);
}

bool mw_world_device(const struct mw_world *w, char *out, size_t room)
{
    struct mw_device device[MW_DEVICES_MAX];
    if (w->backend->devices == NULL)
        return false;
    const uint32_t is = w->backend->device_of(w->cluster[0]);
    (void)w->backend->devices(device, MW_DEVICES_MAX);
    snprintf(out, room, "%u: %s", is, device[is].name);
    return true;
}

struct mw_device_state mw_world_device_state(const struct mw_world *w)
{
    struct mw_device_state state = {.clock_mhz = 0};
    if (w->backend->device_state != NULL)
        w->backend->device_state(w->backend->device_of(w->cluster[0]), &state);
    return state;
}

double mw_world_now(const struct mw_world *w)
{
    const struct mw_virtual_time *const time = w->backend->time;
    return time != NULL ? time->seconds(w->cluster[0], time->now(w->cluster[0]))
                        : mw_now();
}

void mw_world_shape_of(const struct mw_world *w, struct mw_world_shape *out)
{
    *out = (struct mw_world_shape){
        .comm = w->comm,
        .backend = w->backend,
        .apart = !mw_host_reaches(w->backend),
        .groups = w->groups,
        .groups_by = w->groups_by,
        .rank = w->comm->rank,
        .n_hosts = w->comm->n_hosts,
        .host_ranks = w->comm->host_size,
        .n_lanes = mw_world_lanes(w),
        .n_threads = w->conf.n_threads,
        .n_clusters = w->conf.n_clusters,
        .n_consumers = w->plan != NULL ? w->conf.n_clusters * w->plan->n_consumers : 0,
        .batch_bytes = w->conf.batch_bytes,
        .least_bits = w->conf.least_bits,
        .compress = w->conf.compress,
        .exchange = w->conf.exchange,
        .timeline_events = w->conf.timeline_events};
}

struct mw_world_shape mw_world_shape_host_side(const struct mw_world_shape *shape)
{
    struct mw_world_shape host = *shape;
    if (!mw_on_device(shape->backend))
        return host;
    if (mw_backend_find("auto", &host.backend) != MW_OK)
        mw_error_clear(); /* there is always one */
    host.apart = false;
    host.n_lanes = shape->n_threads;
    host.timeline_events = 0;
    return host;
}

int mw_world_shape_plan(const struct mw_world_conf *conf, uint32_t n_ranks,
                        uint32_t n_hosts, uint32_t n_threads, struct mw_world_shape *out)
{
    const uint32_t host_ranks = n_ranks / n_hosts + (n_ranks % n_hosts != 0);
    const struct mw_near near = {
        n_hosts, host_ranks,
        (uint32_t)mw_min(n_ranks, (uint64_t)host_ranks * conf->switch_hosts)};
    struct mw_mesh_plan *plan = NULL;
    int rc;
    *out = (struct mw_world_shape){
        .n_hosts = n_hosts,
        .host_ranks = host_ranks,
        .n_lanes = n_threads,
        .n_threads = n_threads,
        .n_clusters = (uint32_t)mw_max(1, conf->n_clusters),
        .batch_bytes = conf->batch_bytes != 0 ? conf->batch_bytes : MW_BATCH_BYTES,
        .least_bits = conf->least_bits,
        .compress = conf->compress,
        .exchange = conf->exchange,
        .timeline_events = conf->timeline_events};
    MW_TRY(rc, mw_world_groups(conf, n_ranks, &near, &out->groups, &out->groups_by));
    MW_TRY(rc, mw_backend_find(conf->backend, &out->backend));
    out->apart = !mw_host_reaches(out->backend);
    if (conf->plan_apart && out->backend->as_device != NULL)
        out->backend = out->backend->as_device;
    if (mw_on_device(out->backend)) {
        out->n_lanes = 1;
        out->apart = out->apart || conf->plan_apart;
    }
    if (out->backend->mesh) {
        MW_TRY(rc, open_plan(conf->layout, &out->groups, out->backend, &plan));
        out->n_lanes = out->n_threads = 1 + out->n_clusters * MW_MESH_CORES;
        out->n_consumers = out->n_clusters * plan->n_consumers;
    }
end:
    mw_mesh_plan_free(plan);
    return rc;
}

/* Lanes beside the management core's are dealt to the clusters. */
static uint32_t team_of(const struct mw_world_shape *shape, uint32_t cluster)
{
    const uint32_t n = shape->n_clusters, n_team = shape->n_lanes - 1;
    return n_team / n + (cluster < n_team % n);
}

void mw_world_sizes(const struct mw_world_shape *shape, struct mw_sizes *out)
{
    if (shape->n_hosts > 1 && !mw_on_device(shape->backend)) {
        mw_links_sizes(shape->n_hosts, out);
        mw_links_probe_sizes(shape->groups.n_ranks, out);
    }
    if (shape->timeline_events > 0)
        mw_timeline_sizes(shape->timeline_events, out);
    for (uint32_t c = 0; shape->backend->sizes != NULL && c < shape->n_clusters; c++)
        shape->backend->sizes(team_of(shape, c), out);
    if (mw_on_device(shape->backend)) {
        const struct mw_world_shape host = mw_world_shape_host_side(shape);
        mw_world_sizes(&host, out);
    }
}

/* Local: all but clusters, and what takes memory of the host. */
static int begin(const struct mw_world_conf *conf, struct mw_comm *comm,
                 const struct mw_near *near, struct mw_world **out)
{
    struct mw_world *w;
    MW_NEED_NEW(w, "world", 1);
    *out = w;
    w->comm = comm;
    w->conf = *conf;
    if (w->conf.batch_bytes == 0)
        w->conf.batch_bytes = MW_BATCH_BYTES;
    if (w->conf.n_clusters == 0)
        w->conf.n_clusters = 1;
    if (w->conf.n_clusters > MW_CLUSTERS_MAX)
        return mw_fail(MW_ERR_REFUSED, "%u clusters, at most %d", w->conf.n_clusters,
                       MW_CLUSTERS_MAX);
    MW_NEED(mw_world_groups(conf, comm->size, near, &w->groups, &w->groups_by));
    w->backend = conf->own_backend;
    if (w->backend == NULL)
        MW_NEED(mw_backend_find(conf->backend, &w->backend));
    if (w->backend->mesh)
        MW_NEED(open_plan(w->conf.layout, &w->groups, w->backend, &w->plan));
    return MW_OK;
}

/* Local: what stands beside a device. */
static int begin_host_side(struct mw_world *w, const struct mw_near *near)
{
    struct mw_world_conf conf = w->conf;
    if (!mw_on_device(w->backend))
        return MW_OK;
    conf.backend = "auto";
    conf.own_backend = NULL;
    conf.lender = w->conf.lender != NULL ? w->conf.lender->host : NULL;
    conf.timeline_events = 0;
    return begin(&conf, w->comm, near, &w->host);
}

/* Local. What the host's side and borrowers of clusters learn of links is of use to all. */
static int links_init(struct mw_world *w)
{
    int rc = MW_OK;
    if (w->conf.lender != NULL)
        w->links = w->conf.lender->links;
    else if (w->comm->n_hosts > 1)
        rc = mw_links_new(w->comm->n_hosts, &w->links);
    if (w->host != NULL)
        w->host->links = w->links;
    return rc;
}

/* Collective. */
static int news_init(struct mw_world *w)
{
    void *news = NULL;
    const int rc = mw_comm_hosts_alloc(w->comm, "news", sizeof *w->news, &news);
    w->news = news;
    return rc;
}

struct touching {
    mw_touch *touch;
    char *p;
    uint64_t bytes;
};

/* Whole huge pages to each core. */
static void touch_share(struct mw_cpe *self, void *arg)
{
    const struct touching *x = arg;
    const uint64_t page = 2 << 20;
    uint64_t from, to;
    mw_share(self, 0, (x->bytes + page - 1) / page, &from, &to);
    if (from < to)
        x->touch(x->p + from * page, mw_min(to * page, x->bytes) - from * page);
}

static void touch_by_cores(void *world, mw_touch *touch, void *p, uint64_t bytes)
{
    struct touching x = {touch, p, bytes};
    mw_world_run(mw_world_host_side(world), touch_share, &x);
}

/* The first world of a communicator does. */
static void deal_touching(struct mw_world *w)
{
    if (w->comm->touch_dealer != NULL)
        return;
    w->comm->touch_dealer = touch_by_cores;
    w->comm->touch_arg = w;
}

static void stop_touching(struct mw_world *w)
{
    if (w->comm->touch_arg != w)
        return;
    w->comm->touch_dealer = NULL;
    w->comm->touch_arg = NULL;
}

/* All clocks show the latest; on from there a tree of messages, and the bytes of who gets most. */
static void pass_collective(void *arg, uint64_t bytes)
{
    const struct mw_world *const w = arg;
    const struct mw_virtual_time *const time = w->backend->time;
    struct mw_virtual_wires wires;
    uint64_t most[2] = {time->now(w->cluster[0]), bytes}, steps = 0;
    if (w->comm->ops->reduce(w->comm, most, 2, MW_MAX) < MW_OK)
        return; /* the next collective says so */
    while (UINT64_C(1) << steps < w->comm->size)
        steps++;
    time->network(w->cluster[0], &wires);
    const double on_wire =
        (double)most[1] * (w->comm->size > wires.super_node && wires.super_node > 0
                               ? wires.far_byte
                               : wires.byte);
    time->wait(w->cluster[0],
               most[0] + steps * (wires.overhead + wires.latency) + (uint64_t)on_wire);
}

bool mw_world_begin_time(struct mw_world *w)
{
    if (w->backend->time == NULL || w->comm->size == 1 || w->comm->pass_time != NULL)
        return false;
    w->comm->time_arg = w;
    w->comm->pass_time = pass_collective;
    return true;
}

void mw_world_end_time(struct mw_world *w, bool begun)
{
    if (!begun)
        return;
    w->comm->pass_time = NULL;
    w->comm->time_arg = NULL;
}

int mw_world_new(const struct mw_world_conf *conf, struct mw_comm *comm,
                 struct mw_world **out)
{
    struct mw_world *w = NULL;
    struct mw_near near;
    int rc = mw_world_near(conf, comm, &near);

    *out = NULL;
    if (rc == MW_OK)
        rc = begin(conf, comm, &near, &w);
    if (rc == MW_OK)
        rc = begin_host_side(w, &near);
    if (rc == MW_OK)
        rc = links_init(w);
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK && conf->lender == NULL && w->backend->time == NULL)
        rc = mw_links_probe(w->links, comm);
    if (rc == MW_OK)
        rc = conf->lender != NULL ? mw_comm_agree(comm, borrow_clusters(w))
                                  : find_clusters(w);
    if (rc == MW_OK && conf->timeline_events > 0)
        rc = mw_timeline_new(conf->timeline_events, &w->timeline);
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = news_init(w);
    if (rc == MW_OK && w->host != NULL)
        rc = news_init(w->host);
    if (rc != MW_OK) {
        mw_world_free(w);
        return rc;
    }
    w->conf.n_threads = mw_world_lanes(mw_world_host_side(w));
    if (w->host != NULL) {
        w->host->conf.n_threads = w->conf.n_threads;
        w->host->timeline = w->timeline; /* borrowed: it has no events of its own */
    }
    deal_touching(w);
    *out = w;
    return MW_OK;
}

void mw_world_free(struct mw_world *w)
{
    if (w == NULL)
        return;
    stop_touching(w);
    mw_world_end_trade(w);
    if (w->host != NULL)
        w->host->links = NULL; /* this one's */
    mw_world_free(w->host);
    if (w->conf.lender == NULL)
        mw_links_free(w->links);
    mw_comm_host_free(w->comm, w->news);
    if (w->conf.timeline_events > 0)
        mw_timeline_free(w->timeline);
    mw_mesh_plan_free(w->plan);
    for (uint32_t c = MW_CLUSTERS_MAX; c-- > 0;)
        if (w->cluster[c] != NULL && w->conf.lender == NULL)
            w->backend->close(w->cluster[c]);
    mw_free(w);
}
