/* pipeline.c -- see pipeline.h.
 *
 *      source --job--> lanes --close--> outbox --send--> peer's port.in --job--> ...
 *
 * A job runs on an executor, which is one of the clusters or, in place, the management core;
 * each has lanes of its own, so several jobs may fill one port at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/pipeline.h"

#include "base/clock.h"
#include "base/mem.h"
#include "mpe/comm_loop.h"
#include "mpe/port.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum {
    JOB_BATCHES = 4, /* a source's job makes at most so many batches' worth of records */
    RECEIVES = 8,    /* posted per port; more only help when bursts are longer */
    SENDS = 32,      /* batches on their way at most, per rank */
    IDLE_FLUSH = 2   /* polls without work after which open batches leave */
};

struct executor {
    bool busy;
    uint32_t module;
    struct mw_job job;
    struct mw_batch *in;
    struct mw_lanes lanes;
    double start; /* 0 without a timeline */
    uint8_t track;
};

struct mw_pipeline {
    struct mw_world *world;
    struct mw_transport *transport; /* NULL: no other rank */
    struct mw_module module[MW_MODULES_MAX];
    uint32_t n_modules, active;
    struct mw_address at;
    void *state;
    bool wide;
    uint32_t capacity, record_bytes, n_lanes;
    uint32_t n_writers;  /* lanes that jobs fill */
    uint64_t n_children; /* that this rank has; UINT64_MAX: not said */
    uint64_t next[MW_MODULES_MAX], units[MW_MODULES_MAX]; /* of sources */
    struct mw_port_state port[MW_PORT_COUNT];
    struct executor cluster[MW_CLUSTERS_MAX];
    uint32_t n_clusters;
    uint8_t level;
    struct mw_traffic traffic;
    uint64_t *met; /* bitmap of ranks ever sent to */
};

static bool emits(const struct mw_module *m)
{
    return m->emits.hop != MW_NOWHERE;
}

static bool is_source(const struct mw_module *m)
{
    return m->takes.hop == MW_SOURCE;
}

static uint32_t port_of(struct mw_port p)
{
    return mw_port_index(p.stream, p.hop);
}

static bool is_on(const struct mw_pipeline *p, uint32_t module)
{
    return p->active >> module & 1;
}

static uint32_t capacity_of(uint32_t batch_bytes, uint32_t record_bytes)
{
    return (uint32_t)mw_max(1, batch_bytes / record_bytes);
}

static uint64_t job_records(const struct mw_pipeline *p)
{
    return (uint64_t)JOB_BATCHES * p->capacity;
}

/* Per lane one open batch for each bucket and the most that mw_lane_need() asks for. */
static uint64_t pool_batches(uint32_t n_lanes, uint32_t n_buckets, uint32_t capacity)
{
    const uint32_t rounding = (MW_SEGMENTS_MAX + 1) / capacity + 1;
    return (uint64_t)n_lanes * (3 * n_buckets + JOB_BATCHES + rounding) + SENDS;
}

static uint32_t sends_of(uint32_t n_peers)
{
    return (uint32_t)mw_max(SENDS, 2 * n_peers);
}

/* ---- Set-up ---------------------------------------------------------------------- */

/* All lanes; next to a mesh the management core's, and those of consumers if a mesh kernel
 * may run. */
static uint32_t count_writers(const struct mw_pipeline_conf *conf,
                              const struct mw_world *world)
{
    bool any = false;
    if (world->plan == NULL)
        return mw_world_lanes(world);
    for (uint32_t i = 0; i < conf->n_modules; i++)
        any = any || conf->module[i].mesh_kernel != NULL;
    return 1 + (any ? world->conf.n_clusters * world->plan->n_consumers : 0);
}

static int port_new(struct mw_pipeline *p, uint32_t index)
{
    const struct mw_groups *groups = &p->world->groups;
    const struct mw_buckets shape = {
        .n_lanes = p->n_lanes,
        .n_buckets = mw_port_buckets(groups, p->at.rank, MW_TO_RELAY + index % 2),
        .capacity = p->capacity,
        .record_bytes = p->record_bytes};
    return mw_port_init(&p->port[index], groups, p->at.rank, (uint8_t)index, &shape,
                        pool_batches(p->n_writers, shape.n_buckets, p->capacity));
}

static int address_init(struct mw_pipeline *p, uint32_t local_bits)
{
    int rc = MW_OK;
    const struct mw_groups *groups = &p->world->groups;
    uint32_t *bucket, *above, column_bits = 0;

    p->at.rank = p->world->comm->rank;
    p->at.n_ranks = groups->n_ranks;
    p->at.width = groups->width;
    p->at.local_bits = local_bits;
    while (UINT64_C(1) << column_bits < groups->width)
        column_bits++;
    if (local_bits + column_bits > 32)
        return mw_fail(
            MW_ERR_REFUSED,
            "a record's 32 bits cannot hold a rank's %u-bit vertex numbers and "
            "%u bits for the columns of a group: use more ranks or narrower "
            "groups (--groups)",
            local_bits, column_bits);
    MW_NEW(rc, bucket, "bucket of each owner", groups->n_ranks);
    p->at.bucket = bucket;
    MW_NEW(rc, above, "column of each owner", groups->n_ranks);
    p->at.above = above;
    for (uint32_t r = 0; r < groups->n_ranks; r++) {
        bucket[r] = mw_group_of(groups, r);
        above[r] = (uint32_t)((uint64_t)(r % groups->width) << local_bits);
    }
fail:
    return rc;
}

static int transport_init(struct mw_pipeline *p)
{
    struct mw_transport_conf conf = {
        .comm = p->world->comm, .capacity = p->capacity, .record_bytes = p->record_bytes};
    uint32_t n_peers = 0;
    if (p->at.n_ranks == 1)
        return MW_OK;
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++) {
        conf.port_used[i] = p->port[i].used;
        conf.n_recv[i] = p->port[i].used ? RECEIVES : 0;
        n_peers += p->port[i].out.n_buckets;
    }
    conf.n_send = sends_of(n_peers);
    return mw_transport_new(&conf, &p->transport);
}

int mw_pipeline_new(const struct mw_pipeline_conf *conf, struct mw_world *world,
                    struct mw_pipeline **out)
{
    int rc = MW_OK;
    struct mw_pipeline *p;

    *out = NULL;
    MW_NEW(rc, p, "pipeline", 1);
    p->world = world;
    p->state = conf->state;
    p->wide = conf->wide;
    p->n_children = UINT64_MAX;
    p->record_bytes =
        conf->wide ? sizeof(struct mw_wide_record) : sizeof(struct mw_record);
    p->capacity = capacity_of(world->conf.batch_bytes, p->record_bytes);
    p->n_lanes = mw_world_lanes(world);
    p->n_writers = count_writers(conf, world);
    p->n_clusters = world->conf.n_clusters;
    p->n_modules = conf->n_modules;
    memcpy(p->module, conf->module, conf->n_modules * sizeof *conf->module);
    MW_TRY(rc, address_init(p, conf->local_bits));
    MW_NEW(rc, p->met, "ranks met", p->at.n_ranks / 64 + 1);
    for (uint32_t i = 0; i < p->n_modules; i++)
        if (emits(&p->module[i]) && !p->port[port_of(p->module[i].emits)].used)
            MW_TRY(rc, port_new(p, port_of(p->module[i].emits)));
fail:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_agree(world->comm, transport_init(p));
    if (rc != MW_OK) {
        mw_pipeline_free(p);
        return rc;
    }
    *out = p;
    return MW_OK;
}

int mw_modules_new(const struct mw_module *table, uint32_t n, void *state,
                   uint32_t local_bits, bool wide, struct mw_world *world,
                   struct mw_pipeline **out)
{
    struct mw_module row[MW_MODULES_MAX];
    struct mw_pipeline_conf conf = {
        .module = row, .state = state, .local_bits = local_bits, .wide = wide};
    for (uint32_t i = 0; i < n; i++)
        if (table[i].takes.hop != MW_TO_RELAY || world->groups.width > 1)
            row[conf.n_modules++] = table[i];
    return mw_pipeline_new(&conf, world, out);
}

void mw_pipeline_bound(struct mw_pipeline *p, uint64_t n_children)
{
    p->n_children = n_children;
}

uint32_t mw_modules_all(const struct mw_pipeline *p)
{
    return (UINT32_C(1) << p->n_modules) - 1;
}

void mw_pipeline_free(struct mw_pipeline *p)
{
    struct mw_batch *b;
    if (p == NULL)
        return;
    while (p->transport != NULL && mw_in_flight(p->transport) > 0)
        if (mw_poll(p->transport, &b) == MW_OK)
            mw_batch_give(b);
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++) /* arrived: the transport's own */
        while ((b = mw_batch_get(&p->port[i].in)) != NULL)
            mw_batch_give(b);
    mw_transport_close(p->transport);
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        mw_port_fini(&p->port[i]);
    mw_free((void *)(uintptr_t)p->at.bucket);
    mw_free((void *)(uintptr_t)p->at.above);
    mw_free(p->met);
    mw_free(p);
}

uint64_t mw_pipeline_bytes(const struct mw_pipeline_conf *conf,
                           const struct mw_world_conf *world,
                           const struct mw_groups *groups, uint32_t rank)
{
    const uint32_t record =
        conf->wide ? sizeof(struct mw_wide_record) : sizeof(struct mw_record);
    const uint32_t capacity = capacity_of(world->batch_bytes, record);
    struct mw_transport_conf t = {.capacity = capacity, .record_bytes = record};
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < conf->n_modules; i++) {
        const struct mw_module *m = &conf->module[i];
        if (!emits(m) || t.port_used[port_of(m->emits)])
            continue;
        const uint32_t n_buckets = mw_port_buckets(groups, rank, m->emits.hop);
        t.port_used[port_of(m->emits)] = true;
        t.n_recv[port_of(m->emits)] = RECEIVES;
        bytes += mw_buckets_size(world->n_threads, n_buckets) +
                 mw_batch_pool_size(pool_batches(world->n_threads, n_buckets, capacity),
                                    capacity, record);
    }
    return bytes + (groups->n_ranks > 1 ? mw_transport_bytes(&t) : 0);
}

/* ---- Output: lanes -> outbox -> transport ------------------------------------------ */

/* A number that no vertex has would be written to: bugs look like attacks. */
static int check_children(const struct mw_pipeline *p, const struct mw_batch *b)
{
    const struct mw_batch_head *h = b->head;
    const struct mw_port_state *q = &p->port[h->port];
    const struct mw_groups *groups = &p->world->groups;
    const uint64_t n_columns = mw_group_size(groups, mw_group_of(groups, p->at.rank));
    const uint64_t limit =
        q->hop == MW_TO_OWNER ? p->n_children : n_columns << p->at.local_bits;
    uint32_t largest = 0;

    if (p->wide)
        for (uint32_t i = 0; i < h->n_records; i++)
            largest =
                (uint32_t)mw_max(largest, ((struct mw_wide_record *)b->record)[i].child);
    else
        for (uint32_t i = 0; i < h->n_records; i++)
            largest = (uint32_t)mw_max(largest, ((struct mw_record *)b->record)[i].child);
    if (h->n_records == 0 || largest < limit)
        return MW_OK;
    return mw_fail(MW_ERR_INTERNAL,
                   "corrupt batch from rank %u: it names child %u, this rank has %llu",
                   h->sender, largest, (unsigned long long)limit);
}

/* An arrived batch, or one that this rank handed to itself. */
static int arrive(struct mw_pipeline *p, struct mw_batch *b)
{
    const struct mw_batch_head *h = b->head;
    struct mw_port_state *q = &p->port[h->port];

    if (!q->active || h->level != p->level || h->seq != q->seq_in[h->sender]) {
        const int rc =
            mw_fail(MW_ERR_INTERNAL,
                    "batch from rank %u out of order: port %u level %u seq %u, expected "
                    "level %u seq %u",
                    h->sender, h->port, h->level, h->seq, p->level,
                    q->active ? q->seq_in[h->sender] : 0);
        mw_batch_give(b);
        return rc;
    }
    q->seq_in[h->sender]++;
    q->lasts += (h->flags & MW_BATCH_LAST) != 0;
    if (h->n_records > 0)
        mw_batch_put(&q->in, b);
    else
        mw_batch_give(b);
    return MW_OK;
}

/* Puts a closed batch of bucket b->peer on its way. */
static void post(void *arg, struct mw_port_state *q, struct mw_batch *b, uint8_t flags)
{
    struct mw_pipeline *p = arg;
    const uint32_t bucket = b->peer;
    b->peer = q->peer[bucket];
    b->head->sender = p->at.rank;
    b->head->port = q->out.port;
    b->head->record_bytes = (uint8_t)p->record_bytes;
    b->head->flags = flags;
    b->head->level = p->level;
    b->head->seq = q->seq_out[bucket]++;
    if (b->peer != p->at.rank) {
        p->traffic.records += b->head->n_records;
        p->traffic.batches++;
        p->traffic.bytes += mw_batch_bytes(b->head);
        p->met[b->peer / 64] |= UINT64_C(1) << (b->peer % 64);
    }
    mw_batch_put(&q->outbox, b);
}

/* The time if a timeline wants it. */
static double mark(const struct mw_pipeline *p)
{
    return p->world->timeline != NULL ? mw_now() : 0;
}

static void note(const struct mw_pipeline *p, const char *name, uint8_t track,
                 double start, uint64_t n)
{
    const struct mw_timeline_event e = {
        .name = name, .start = start, .n = n, .level = p->level, .track = track};
    if (n > 0)
        mw_timeline_add(p->world->timeline, &e);
}

static int send_outbox(struct mw_pipeline *p, struct mw_port_state *q, bool *progress)
{
    const double start = mark(p);
    uint64_t n = 0;
    int rc = MW_OK;
    while (q->outbox.first != NULL) {
        struct mw_batch *b = mw_batch_get(&q->outbox);
        if (b->peer == p->at.rank) {
            rc = arrive(p, b);
        } else {
            rc = mw_send(p->transport, b);
            if (rc == MW_AGAIN) {
                b->next = q->outbox.first;
                if (q->outbox.first == NULL)
                    q->outbox.last = b;
                q->outbox.first = b;
                q->outbox.n++;
                rc = MW_OK;
                break;
            }
            n += rc == MW_OK;
        }
        if (rc < MW_OK)
            break;
        *progress = true;
    }
    note(p, "send", MW_TRACK_SEND, start, n);
    return rc;
}

/* ---- Jobs ------------------------------------------------------------------------- */

/* Whether a module has an executor. */
static bool is_running(const struct mw_pipeline *p, uint32_t module)
{
    for (uint32_t c = 0; c < p->n_clusters; c++)
        if (p->cluster[c].busy && p->cluster[c].module == module)
            return true;
    return false;
}

static bool any_busy(const struct mw_pipeline *p)
{
    for (uint32_t c = 0; c < p->n_clusters; c++)
        if (p->cluster[c].busy)
            return true;
    return false;
}

static void finish(struct mw_pipeline *p, struct executor *x)
{
    const struct mw_module *m = &p->module[x->module];
    if (emits(m))
        mw_port_collect(&p->port[port_of(m->emits)], x->lanes, post, p);
    const struct mw_timeline_event e = {.name = m->name,
                                        .start = x->start,
                                        .n = x->in != NULL ? x->in->head->n_records
                                                           : x->job.last - x->job.first,
                                        .level = p->level,
                                        .track = x->track};
    mw_timeline_add(p->world->timeline, &e);
    if (x->in != NULL)
        mw_batch_give(x->in);
    x->in = NULL;
    x->busy = false;
}

/* The next job of a module, which has work; its records at most, and the bytes it reads. */
struct work {
    struct mw_job job;
    uint32_t module;
    uint64_t records, bytes;
};

static bool next_work(struct mw_pipeline *p, uint32_t module, struct work *out)
{
    const struct mw_module *m = &p->module[module];
    *out = (struct work){.job = {.state = p->state, .at = &p->at, .wide = p->wide},
                         .module = module};
    if (p->world->plan != NULL)
        out->job.role = p->world->plan->role;
    struct mw_job *job = &out->job;
    if (emits(m))
        job->out = &p->port[port_of(m->emits)].out;
    if (is_source(m)) {
        /* Alone, with the short circuit, a source makes no records at all. */
        const bool alone = p->at.n_ranks == 1 && p->world->backend->short_circuit;
        const uint64_t left = p->units[module] - p->next[module];
        const uint64_t limit =
            alone ? left : mw_max(1, job_records(p) / m->records_per_unit);
        job->first = p->next[module];
        job->last = job->first + mw_min(left, limit);
        out->records = alone ? 0 : (job->last - job->first) * m->records_per_unit;
        out->bytes = (job->last - job->first) * m->records_per_unit * p->record_bytes;
        return left > 0;
    }
    job->in = p->port[port_of(m->takes)].in.first;
    if (job->in == NULL)
        return false;
    out->records = job->in->head->n_records;
    out->bytes = out->records * p->record_bytes;
    return true;
}

/* Who may do it now: a free cluster, or the management core in place, alone or (joint)
 * together with the first cluster when there is nobody to talk to meanwhile. */
enum place { NOWHERE, IN_PLACE, JOINT, CLUSTER };

static enum place choose_place(const struct mw_pipeline *p, const struct work *w,
                               uint32_t *cluster)
{
    const bool small = w->bytes < p->world->conf.small_input;
    if (small || p->n_lanes == 1 || p->world->conf.engine_mpe ||
        (p->world->backend->mesh && p->module[w->module].mesh_kernel == NULL))
        return IN_PLACE;
    if (p->at.n_ranks == 1 && p->n_clusters == 1 && p->world->backend->short_circuit)
        return p->cluster[0].busy ? NOWHERE : JOINT;
    for (*cluster = 0; *cluster < p->n_clusters; (*cluster)++)
        if (!p->cluster[*cluster].busy)
            return CLUSTER;
    return IN_PLACE;
}

/* Whose lanes the job fills: all cores' that run it; on a mesh the consumers'. */
static struct mw_lanes lanes_of(const struct mw_pipeline *p, enum place place, uint32_t c)
{
    const uint32_t *first = p->world->first_lane;
    if (place == CLUSTER && p->world->plan != NULL)
        return (struct mw_lanes){first[c], p->world->plan->n_consumers};
    if (place == CLUSTER && first[c + 1] > first[c])
        return (struct mw_lanes){first[c], first[c + 1] - first[c]};
    return (struct mw_lanes){0, place == JOINT ? p->n_lanes : 1};
}

/* The most records that one of these lanes may get: an equal share, but any consumer of a mesh
 * may get all. */
static uint64_t lane_records(const struct mw_pipeline *p, const struct mw_lanes *lanes,
                             uint64_t records)
{
    const bool spread = p->world->plan == NULL;
    return (spread ? records / lanes->n : records) + MW_SEGMENTS_MAX + 1;
}

/* Starts one job of a module if it has work and room; true if it did. */
static bool start(struct mw_pipeline *p, uint32_t module)
{
    const struct mw_module *m = &p->module[module];
    struct mw_port_state *to = emits(m) ? &p->port[port_of(m->emits)] : NULL;
    struct work w;
    uint32_t c = 0;
    if (!is_on(p, module) || is_running(p, module) || !next_work(p, module, &w))
        return false;
    const enum place place = choose_place(p, &w, &c);
    const struct mw_lanes lanes = lanes_of(p, place, c);
    if (place == NOWHERE)
        return false;
    if (to != NULL && !mw_port_reserve(to, lanes, lane_records(p, &lanes, w.records)))
        return false;

    struct executor mpe, *x = place == CLUSTER ? &p->cluster[c] : &mpe;
    *x = (struct executor){.busy = true,
                           .module = module,
                           .job = w.job,
                           .lanes = lanes,
                           .start = mark(p),
                           .track = (uint8_t)(place == CLUSTER || place == JOINT
                                                  ? MW_TRACK_CLUSTER + c
                                                  : MW_TRACK_RECEIVE)};
    if (is_source(m))
        p->next[module] = w.job.last;
    else
        x->in = mw_batch_get(&p->port[port_of(m->takes)].in);
    if (place == CLUSTER) {
        p->world->backend->launch(p->world->cluster[c],
                                  p->world->plan != NULL ? m->mesh_kernel : m->kernel,
                                  &x->job);
        return true;
    }
    if (place == JOINT) {
        mw_world_run(p->world, m->kernel, &x->job);
    } else {
        struct mw_cpe self = {.id = 0, .n = 1, .lane = 0};
        m->kernel(&self, &x->job);
    }
    finish(p, x);
    return true;
}

/* ---- Closing ----------------------------------------------------------------------- */

/* Nothing left and nothing to come. */
static bool exhausted(const struct mw_pipeline *p, uint32_t module)
{
    const struct mw_module *m = &p->module[module];
    if (is_running(p, module))
        return false;
    return is_source(m) ? p->next[module] == p->units[module]
                        : mw_port_complete(&p->port[port_of(m->takes)]);
}

/* Once nobody will emit into it any more; true if something was posted. */
static bool close_port(struct mw_pipeline *p, struct mw_port_state *q)
{
    bool any;
    for (uint32_t i = 0; i < p->n_modules; i++)
        if (is_on(p, i) && emits(&p->module[i]) &&
            port_of(p->module[i].emits) == q->out.port && !exhausted(p, i))
            return false;
    return mw_port_close(q, post, p, &any) || any;
}

static bool all_complete(const struct mw_pipeline *p)
{
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++) {
        const struct mw_port_state *q = &p->port[i];
        if (q->active && (!q->closed || q->outbox.first != NULL || !mw_port_complete(q)))
            return false;
    }
    for (uint32_t i = 0; i < p->n_modules; i++)
        if (is_on(p, i) && !exhausted(p, i))
            return false;
    return !any_busy(p);
}

/* ---- The run ------------------------------------------------------------------------ */

static void begin(struct mw_pipeline *p, uint32_t active)
{
    p->active = active;
    p->level++;
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        mw_port_begin(&p->port[i], p->at.n_ranks);
    for (uint32_t i = 0; i < p->n_modules; i++) {
        const struct mw_module *m = &p->module[i];
        p->next[i] = p->units[i] = 0;
        if (!is_on(p, i))
            continue;
        if (is_source(m))
            p->units[i] = m->units(p->state);
        if (emits(m))
            p->port[port_of(m->emits)].active = true;
    }
}

static int receive(struct mw_pipeline *p, bool *progress)
{
    const double start = mark(p);
    struct mw_batch *b;
    uint64_t n = 0;
    int rc = MW_OK;
    if (p->transport == NULL)
        return MW_OK;
    for (int i = 0; i < RECEIVES; i++) {
        rc = mw_poll(p->transport, &b);
        if (rc != MW_OK)
            break;
        *progress = true;
        rc = check_children(p, b);
        if (rc < MW_OK) {
            mw_batch_give(b);
            break;
        }
        rc = arrive(p, b);
        if (rc < MW_OK)
            break;
        n++;
    }
    note(p, "receive", MW_TRACK_RECEIVE, start, n);
    return rc < MW_OK ? rc : MW_OK;
}

static int stalled(const struct mw_pipeline *p, double seconds)
{
    char text[600];
    size_t n = 0;
    for (uint32_t i = 0; i < p->n_modules && n < sizeof text; i++)
        if (is_on(p, i))
            n += (size_t)snprintf(text + n, sizeof text - n, "; %s %s", p->module[i].name,
                                  exhausted(p, i) ? "done" : "open");
    for (uint32_t i = 0; i < MW_PORT_COUNT && n < sizeof text; i++) {
        const struct mw_port_state *q = &p->port[i];
        if (q->active)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "; port %u: %u of %u closed, %llu in, %llu out", i,
                                  q->lasts, q->fan_in, (unsigned long long)q->in.n,
                                  (unsigned long long)q->outbox.n);
    }
    return mw_fail(MW_ERR_INTERNAL,
                   "rank %u: no progress on this host for %.0f s, level %u%s", p->at.rank,
                   seconds, p->level, text);
}

/* Progress is counted over all ranks of the host: a rank that only waits is no alarm
 * while another still moves. */
static uint64_t pulse(const struct mw_world *w)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < w->comm->host_size; i++)
        sum += __atomic_load_n(&w->heartbeat[i * MW_CACHE_LINE / 8], __ATOMIC_RELAXED);
    return sum;
}

/* A rank that fails says so to the others of its host, which would wait for it. The first
 * one to fail is the one that matters. */
static void spread_news(const struct mw_pipeline *p)
{
    struct mw_news *news = p->world->news;
    uint32_t none = MW_NEWS_NONE;
    if (!__atomic_compare_exchange_n(&news->state, &none, MW_NEWS_COMING, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    snprintf(news->text, sizeof news->text, "%s", mw_error_text());
    __atomic_store_n(&news->state, MW_NEWS_THERE, __ATOMIC_RELEASE);
}

static int read_news(const struct mw_pipeline *p)
{
    const struct mw_news *news = p->world->news;
    if (__atomic_load_n(&news->state, __ATOMIC_ACQUIRE) != MW_NEWS_THERE)
        return MW_OK;
    return mw_fail(MW_ERR_INTERNAL, "%s", news->text);
}

/* A cluster that an emulated core's mistake has stopped stays busy. */
static int poll_clusters(struct mw_pipeline *p, bool *progress)
{
    for (uint32_t c = 0; c < p->n_clusters; c++) {
        if (!p->cluster[c].busy)
            continue;
        const int rc = p->world->backend->poll(p->world->cluster[c]);
        if (rc < MW_OK)
            return rc;
        if (rc == MW_OK) {
            finish(p, &p->cluster[c]);
            *progress = true;
        }
    }
    return MW_OK;
}

static int run(struct mw_pipeline *p, uint32_t active)
{
    const struct mw_world *w = p->world;
    uint64_t *beat = &w->heartbeat[w->comm->host_rank * MW_CACHE_LINE / 8];
    uint64_t idle = 0, seen = 0;
    double since = 0;
    int rc;

    begin(p, active);
    for (;;) {
        bool progress = false;
        if ((rc = poll_clusters(p, &progress)) < MW_OK)
            return rc;
        if ((rc = receive(p, &progress)) < MW_OK)
            return rc;
        for (uint32_t i = p->n_modules; i-- > 0;)
            if (start(p, i)) {
                progress = true;
                break; /* poll between jobs */
            }
        for (uint32_t i = 0; i < MW_PORT_COUNT; i++) {
            struct mw_port_state *q = &p->port[i];
            if (!q->active)
                continue;
            if (!q->closed && close_port(p, q))
                progress = true;
            if (idle > IDLE_FLUSH && !q->closed && !any_busy(p) &&
                mw_port_flush(q, post, p))
                progress = true;
            if ((rc = send_outbox(p, q, &progress)) < MW_OK)
                return rc;
        }
        if (progress) {
            idle = 0;
            __atomic_fetch_add(beat, 1, __ATOMIC_RELAXED);
            continue;
        }
        if (all_complete(p))
            return MW_OK;
        idle++;
        if ((rc = read_news(p)) < MW_OK || (rc = mw_comm_loop_check(w->comm)) < MW_OK)
            return rc;
        if (w->comm->oversubscribed)
            sched_yield();
        if (idle % 4096 == 0 && w->conf.hang_timeout_s > 0) {
            const uint64_t now = pulse(w);
            if (now != seen || since == 0) {
                seen = now;
                since = mw_now();
            } else if (mw_now() - since > w->conf.hang_timeout_s) {
                return stalled(p, mw_now() - since);
            }
        }
    }
}

int mw_pipeline_run(struct mw_pipeline *p, uint32_t active)
{
    const int rc = run(p, active);
    if (rc < MW_OK) {
        /* A kernel still uses what the caller is about to free. */
        for (uint32_t c = 0; c < p->n_clusters; c++)
            while (p->cluster[c].busy &&
                   p->world->backend->poll(p->world->cluster[c]) == MW_AGAIN)
                sched_yield();
        spread_news(p);
    }
    return rc;
}

void mw_pipeline_scan(struct mw_pipeline *p, mw_kernel *kernel, uint64_t units)
{
    struct mw_job job = {.state = p->state, .at = &p->at, .last = units, .wide = p->wide};
    mw_world_run(p->world, kernel, &job);
}

void mw_pipeline_traffic(struct mw_pipeline *p, struct mw_traffic *out)
{
    *out = p->traffic;
    out->peers = 0;
    for (uint32_t i = 0; i <= p->at.n_ranks / 64; i++)
        out->peers += (uint64_t)__builtin_popcountll(p->met[i]);
    memset(&p->traffic, 0, sizeof p->traffic);
}
