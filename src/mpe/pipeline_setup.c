/* pipeline_setup.c -- a pipeline's memory: ports, lanes, pools, the route and the transport
 * follow from the table of modules. mw_modules_sizes() says how much without taking it.
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

/* Per lane one open batch for each bucket and the most that mw_lane_need() asks for: one that is
 * touched, and another once MW_SEGMENTS_MAX senders have been there. */
static uint64_t pool_batches(uint32_t n_lanes, uint32_t n_buckets, uint32_t capacity)
{
    const uint32_t rounding = (MW_SEGMENTS_MAX + 1) / capacity + 1;
    return (uint64_t)n_lanes * (3 * n_buckets + PIPELINE_JOB_BATCHES + rounding) + SENDS;
}

static uint32_t sends_of(uint32_t n_peers)
{
    return (uint32_t)mw_max(SENDS, 2 * n_peers);
}

/* What comes while a team works waits here; a mesh takes batches one by one. */
static uint32_t receives_of(const struct mw_world_shape *world)
{
    return PIPELINE_RECEIVES + (world->n_consumers == 0 ? 2 * (world->n_lanes - 1) : 0);
}

/* All lanes; next to a mesh the management core's, and those of consumers if a mesh kernel
 * may run. */
static uint32_t count_writers(const struct mw_module *module, uint32_t n,
                              const struct mw_world_shape *world)
{
    bool any = false;
    if (world->n_consumers == 0)
        return world->n_lanes;
    for (uint32_t i = 0; i < n; i++)
        any = any || module[i].cores_kernel != NULL;
    return 1 + (any ? world->n_consumers : 0);
}

/* Children have 32 bits, whatever a test pretends. */
static struct mw_record_bits bits_of(struct mw_record_bits bits, uint32_t least)
{
    const struct mw_record_bits out = {(uint32_t)mw_max(bits.child, mw_min(least, 32)),
                                       (uint32_t)mw_max(bits.value, least), bits.extra};
    return out;
}

static bool is_wide(struct mw_record_bits bits, const struct mw_world_shape *world)
{
    return bits.extra > 0 ||
           mw_value_room(bits_of(bits, world->least_bits), world->groups.width) > 32;
}

static uint32_t record_bytes_of(bool wide)
{
    return wide ? sizeof(struct mw_wide_record) : sizeof(struct mw_record);
}

static struct mw_buckets buckets_of(const struct mw_world_shape *world, bool wide,
                                    uint32_t port)
{
    const uint32_t record_bytes = record_bytes_of(wide);
    return (struct mw_buckets){
        .n_lanes = world->n_lanes,
        .n_buckets = mw_port_buckets(&world->groups, world->rank, MW_TO_RELAY + port % 2),
        .capacity = capacity_of(world->batch_bytes, record_bytes),
        .record_bytes = record_bytes};
}

static int port_new(struct mw_pipeline *p, const struct mw_world_shape *world,
                    uint32_t index)
{
    const struct mw_buckets shape = buckets_of(world, p->wide, index);
    return mw_port_init(&p->port[index], &world->groups, p->at.rank, (uint8_t)index,
                        &shape, pool_batches(p->n_writers, shape.n_buckets, p->capacity));
}

static void route_sizes(uint32_t n_ranks, enum mw_when when, struct mw_sizes *out)
{
    mw_sizes_add(out, when, "bucket of each owner", n_ranks, sizeof(uint32_t));
    mw_sizes_add(out, when, "column of each owner", n_ranks, sizeof(uint32_t));
    mw_sizes_add(out, when, "owners on this host", n_ranks, sizeof(uint32_t));
}

static int address_init(struct mw_pipeline *p, struct mw_record_bits bits)
{
    const struct mw_groups *groups = &p->world->groups;
    const struct mw_comm *comm = p->world->comm;
    uint32_t *bucket, *above, *near, n_near = 0;
    struct mw_sizes sizes = {0};

    p->at.rank = comm->rank;
    p->at.n_ranks = groups->n_ranks;
    p->at.width = groups->width;
    p->at.local_bits = bits.child;
    p->at.value_bits = bits.value;
    p->at.split = mw_rest_bits(bits.child, groups->width) > 0;
    /* Vertices have fewer than 2^48 numbers, so only groups of more than 2^15 ranks can. */
    if (bits.child > 32 || mw_value_room(bits, groups->width) > 64)
        return mw_fail(
            MW_ERR_REFUSED,
            "a record's 96 bits cannot hold %u for a vertex of a rank, %u for a "
            "value and %u for the columns of a group: use more ranks or "
            "narrower groups (--groups)",
            bits.child, bits.value, mw_bits_for(groups->width));
    route_sizes(groups->n_ranks, MW_ALWAYS, &sizes);
    MW_NEED_TAKE(bucket, &sizes, "bucket of each owner");
    p->at.bucket = bucket;
    MW_NEED_TAKE(above, &sizes, "column of each owner");
    p->at.above = above;
    MW_NEED_TAKE(near, &sizes, "owners on this host");
    p->at.near = near;
    for (uint32_t r = 0; r < groups->n_ranks; r++) {
        bucket[r] = mw_group_of(groups, r);
        above[r] = mw_above_for(&p->at, r);
        near[r] = comm->host_of[r] == comm->host ? n_near++ : MW_FAR;
    }
    return MW_OK;
}

/* The bits of the ports that modules emit into. */
static uint32_t ports_of(const struct mw_module *module, uint32_t n)
{
    uint32_t ports = 0;
    for (uint32_t i = 0; i < n; i++)
        if (pipeline_emits(&module[i]))
            ports |= UINT32_C(1) << pipeline_port_of(module[i].emits);
    return ports;
}

static void coder_sizes(const struct mw_world_shape *world, struct mw_record_bits bits,
                        enum mw_when when, struct mw_sizes *out)
{
    const uint32_t record_bytes = record_bytes_of(is_wide(bits, world));
    if (pipeline_codes(world) && bits.extra == 0)
        mw_coder_sizes(capacity_of(world->batch_bytes, record_bytes), record_bytes, when,
                       out);
}

static struct mw_transport_conf transport_of(const struct mw_world_shape *world,
                                             bool wide, uint32_t ports)
{
    struct mw_transport_conf conf = {.record_bytes = record_bytes_of(wide),
                                     .time = world->backend->time};
    uint32_t n_peers = 0;
    conf.capacity = capacity_of(world->batch_bytes, conf.record_bytes);
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        if (ports >> i & 1) {
            conf.port_used[i] = true;
            conf.n_recv[i] = receives_of(world);
            n_peers += buckets_of(world, wide, i).n_buckets;
        }
    conf.n_send = sends_of(n_peers);
    return conf;
}

static int transport_init(struct mw_pipeline *p, const struct mw_world_shape *world)
{
    struct mw_transport_conf conf =
        transport_of(world, p->wide, ports_of(p->module, p->n_modules));
    conf.comm = p->world->comm;
    conf.links = p->world->links; /* whatever is coded: another way may go by it */
    conf.cluster = p->world->cluster[0];
    conf.network = &p->network;
    return p->at.n_ranks == 1 ? MW_OK : mw_transport_new(&conf, &p->transport);
}

int mw_pipeline_new(const struct mw_pipeline_conf *conf, struct mw_world *world,
                    struct mw_pipeline **out)
{
    int rc = MW_OK;
    struct mw_pipeline *p;
    struct mw_world_shape shape;
    const uint32_t ports = ports_of(conf->module, conf->n_modules);

    *out = NULL;
    mw_world_shape_of(world, &shape);
    MW_NEW(rc, p, "pipeline", 1);
    p->world = world;
    p->state = conf->state;
    p->wide = is_wide(conf->bits, &shape);
    p->n_children = UINT64_MAX;
    p->record_bytes = record_bytes_of(p->wide);
    p->capacity = capacity_of(world->conf.batch_bytes, p->record_bytes);
    p->n_lanes = shape.n_lanes;
    p->n_writers = count_writers(conf->module, conf->n_modules, &shape);
    p->n_clusters = world->conf.n_clusters;
    p->timed = world->timeline != NULL || world->backend->time != NULL;
    p->n_modules = conf->n_modules;
    memcpy(p->module, conf->module, conf->n_modules * sizeof *conf->module);
    MW_TRY(rc, address_init(p, bits_of(conf->bits, world->conf.least_bits)));
    MW_NEW(rc, p->met, "ranks met", p->at.n_ranks / 64 + 1);
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        if (ports >> i & 1)
            MW_TRY(rc, port_new(p, &shape, i));
    if (pipeline_codes(&shape) && conf->bits.extra == 0)
        MW_TRY(rc, mw_coder_new(p->capacity, p->record_bytes, &p->coder));
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_agree(world->comm, transport_init(p, &shape));
    if (rc != MW_OK) {
        mw_pipeline_free(p);
        return rc;
    }
    *out = p;
    return MW_OK;
}

/* The rows that a route needs. */
static uint32_t rows_of(const struct mw_module *table, uint32_t n,
                        struct mw_record_bits bits, const struct mw_backend *backend,
                        const struct mw_groups *groups, struct mw_module *row)
{
    uint32_t n_rows = 0;
    for (uint32_t i = 0; i < n; i++) {
        const bool relay = table[i].takes.hop == MW_TO_RELAY;
        if (relay && groups->width == 1)
            continue;
        row[n_rows] = table[i];
        if (relay && bits.extra > 0 && backend->mesh)
            row[n_rows].cores_kernel = NULL;
        n_rows++;
    }
    return n_rows;
}

int mw_modules_new(const struct mw_module *table, uint32_t n, void *state,
                   struct mw_record_bits bits, struct mw_world *world,
                   struct mw_pipeline **out)
{
    struct mw_module row[MW_MODULES_MAX];
    const struct mw_pipeline_conf conf = {
        .module = row,
        .n_modules = rows_of(table, n, bits, world->backend, &world->groups, row),
        .state = state,
        .bits = bits};
    return mw_pipeline_new(&conf, world, out);
}

/* Where there is nobody to send to, the one batch that closes a stream is all that is written to: on a
 * page that may be a huge one. What is not mapped was cleared. */
static void touch_first(struct mw_size *row)
{
    const uint64_t bytes = mw_saturating_times(row->n, row->bytes);
    const double first = (double)mw_block_left(bytes, 1);
    row->touched = (uint32_t)(1000 * (first / (double)mw_block_bytes(bytes)));
}

void mw_modules_sizes(const struct mw_module *table, uint32_t n,
                      struct mw_record_bits bits, const struct mw_world_shape *world,
                      enum mw_when when, struct mw_sizes *out)
{
    const bool wide = is_wide(bits, world);
    struct mw_module row[MW_MODULES_MAX];
    const uint32_t n_rows = rows_of(table, n, bits, world->backend, &world->groups, row);
    const uint32_t ports = ports_of(row, n_rows), n_ranks = world->groups.n_ranks;
    const uint32_t first = out->n;

    mw_sizes_add(out, when, "pipeline", 1, sizeof(struct mw_pipeline));
    mw_sizes_add(out, when, "ranks met", n_ranks / 64 + 1, sizeof(uint64_t));
    route_sizes(n_ranks, when, out);
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++) {
        const struct mw_buckets shape = buckets_of(world, wide, i);
        if (ports >> i & 1)
            mw_port_sizes(&world->groups, &shape,
                          pool_batches(count_writers(row, n_rows, world), shape.n_buckets,
                                       shape.capacity),
                          when, out);
    }
    coder_sizes(world, bits, when, out);
    if (n_ranks > 1) {
        struct mw_transport_conf conf = transport_of(world, wide, ports);
        conf.comm = (struct mw_comm *)(uintptr_t)world->comm;
        mw_transport_sizes(&conf, n_ranks, when, out);
    }
    for (uint32_t i = first; n_ranks == 1 && i < out->n; i++)
        touch_first(&out->row[i]);
}

void mw_pipeline_bound(struct mw_pipeline *p, uint64_t n_children)
{
    p->n_children = n_children;
}

void mw_pipeline_reaches(struct mw_pipeline *p, bool reaches)
{
    p->reaches = reaches && p->world->backend->short_circuit && p->n_clusters == 1;
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
    mw_coder_free(p->coder); /* what was received into may have been its image */
    MW_FREE_ALL((void *)(uintptr_t)p->at.bucket, (void *)(uintptr_t)p->at.above,
                (void *)(uintptr_t)p->at.near, p->met, p);
}
