/* pipeline_setup.c -- a pipeline's memory: ports, lanes, pools, the route and the transport
 * follow from the table of modules. mw_pipeline_bytes() says how much without taking it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/pipeline_state.h"

#include "base/mem.h"

#include <string.h>

enum { SENDS = 32 /* batches on their way at most, per rank */ };

static uint32_t capacity_of(uint32_t batch_bytes, uint32_t record_bytes)
{
    return (uint32_t)mw_max(1, batch_bytes / record_bytes);
}

/* Per lane one open batch for each bucket and the most that mw_lane_need() asks for. */
static uint64_t pool_batches(uint32_t n_lanes, uint32_t n_buckets, uint32_t capacity)
{
    const uint32_t rounding = (MW_SEGMENTS_MAX + 1) / capacity + 1;
    return (uint64_t)n_lanes * (3 * n_buckets + PIPELINE_JOB_BATCHES + rounding) + SENDS;
}

static uint32_t sends_of(uint32_t n_peers)
{
    return (uint32_t)mw_max(SENDS, 2 * n_peers);
}

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
        conf.n_recv[i] = p->port[i].used ? PIPELINE_RECEIVES : 0;
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
    p->timed = world->timeline != NULL || world->backend->now != NULL;
    p->n_modules = conf->n_modules;
    memcpy(p->module, conf->module, conf->n_modules * sizeof *conf->module);
    MW_TRY(rc, address_init(p, conf->local_bits));
    MW_NEW(rc, p->met, "ranks met", p->at.n_ranks / 64 + 1);
    for (uint32_t i = 0; i < p->n_modules; i++)
        if (pipeline_emits(&p->module[i]) &&
            !p->port[pipeline_port_of(p->module[i].emits)].used)
            MW_TRY(rc, port_new(p, pipeline_port_of(p->module[i].emits)));
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
        if (!pipeline_emits(m) || t.port_used[pipeline_port_of(m->emits)])
            continue;
        const uint32_t n_buckets = mw_port_buckets(groups, rank, m->emits.hop);
        t.port_used[pipeline_port_of(m->emits)] = true;
        t.n_recv[pipeline_port_of(m->emits)] = PIPELINE_RECEIVES;
        bytes += mw_buckets_size(world->n_threads, n_buckets) +
                 mw_batch_pool_size(pool_batches(world->n_threads, n_buckets, capacity),
                                    capacity, record);
    }
    return bytes + (groups->n_ranks > 1 ? mw_transport_bytes(&t) : 0);
}
