/* emul_roles.c -- see emul_roles.h. A child is its number in the input below its column; the
 * value is made from it, so that the output can be checked without a copy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "emul_roles.h"

#include "base/mem.h"
#include "relay/relay.h"
#include "shuffle/job.h"
#include "shuffle/mesh_plan.h"

#include <string.h>

enum { CHILD_BITS = 20, BATCH_BYTES = 16 << 10, SENDER = 3 };

struct roles {
    const struct roles_conf *conf;
    struct mw_mesh_plan *plan;
    struct mw_cluster *cluster;
    struct mw_batch_pool *in_pool, *out_pool;
    struct mw_batch *in;
    struct mw_buckets out;
    struct mw_address at;
    uint8_t *times; /* [n_records] */
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static uint32_t record_bytes(const struct roles *r)
{
    return r->conf->wide ? sizeof(struct mw_wide_record) : sizeof(struct mw_record);
}

static uint32_t column_of(const struct roles *r, uint32_t i)
{
    return (uint32_t)(mix(i + 1) % r->conf->n_buckets);
}

static uint64_t value_of(const struct roles *r, uint32_t i)
{
    return r->conf->wide ? mix(i) : (uint32_t)mix(i);
}

static void fill_input(struct roles *r)
{
    struct mw_batch_head *const h = r->in->head;
    h->n_records = r->conf->n_records;
    h->record_bytes = (uint8_t)record_bytes(r);
    h->sender = SENDER;
    h->port = (uint8_t)mw_port_index(MW_FORWARD, MW_TO_RELAY);
    for (uint32_t i = 0; i < r->conf->n_records; i++) {
        const uint32_t child = column_of(r, i) << CHILD_BITS | i;
        if (r->conf->wide)
            ((struct mw_wide_record *)r->in->record)[i] =
                (struct mw_wide_record){value_of(r, i), child, 0};
        else
            ((struct mw_record *)r->in->record)[i] =
                (struct mw_record){child, (uint32_t)value_of(r, i)};
    }
}

/* Spare batches as the pipeline gives them, for records that are spread evenly. */
static int reserve(struct roles *r)
{
    const uint32_t n_each =
        r->conf->n_records / r->conf->n_buckets * 2 / r->out.capacity + 2;
    for (uint32_t i = 1; i < r->out.n_lanes; i++) {
        struct mw_lane *const l = &r->out.lane[i];
        while (l->n_spare < n_each * (r->conf->n_buckets / r->plan->n_consumers + 1)) {
            struct mw_batch *const b = mw_batch_take(r->out_pool);
            if (b == NULL)
                return mw_fail(MW_ERR_INTERNAL, "the pool is empty");
            b->next = l->spare;
            l->spare = b;
            l->n_spare++;
        }
    }
    return MW_OK;
}

static int set_up(struct roles *r)
{
    int rc;
    const struct roles_conf *const conf = r->conf;
    const struct mw_cluster_conf cluster = {.n_cores = 64, .first_lane = 1};
    r->at = (struct mw_address){
        .n_ranks = conf->n_buckets, .width = conf->n_buckets, .local_bits = CHILD_BITS};
    MW_TRY(rc, mw_mesh_plan_open(conf->layout, conf->n_buckets, &r->plan));
    MW_TRY(rc, mw_backend_emul.open(&cluster, &r->cluster));
    MW_TRY(rc, mw_batch_pool_new(1, conf->n_records, record_bytes(r), &r->in_pool));
    r->in = mw_batch_take(r->in_pool);
    fill_input(r);
    r->out = (struct mw_buckets){
        .n_lanes = 1 + r->plan->n_consumers,
        .n_buckets = conf->n_buckets,
        .capacity = BATCH_BYTES / record_bytes(r),
        .record_bytes = record_bytes(r),
        .port = (uint8_t)mw_port_index(MW_FORWARD, MW_TO_OWNER),
    };
    MW_TRY(rc, mw_buckets_init(&r->out));
    const uint64_t n_each = conf->n_records / conf->n_buckets * 2 / r->out.capacity + 4;
    MW_TRY(rc, mw_batch_pool_new(n_each * (conf->n_buckets + r->plan->n_consumers) +
                                     r->out.n_lanes,
                                 r->out.capacity, record_bytes(r), &r->out_pool));
    MW_NEW(rc, r->times, "times", conf->n_records);
    rc = MW_OK;
end:
    return rc;
}

static void tear_down(struct roles *r)
{
    if (r->cluster != NULL)
        mw_backend_emul.close(r->cluster);
    if (r->out.lane != NULL)
        mw_buckets_fini(&r->out);
    if (r->in != NULL)
        mw_batch_give(r->in);
    if (r->in_pool != NULL)
        mw_batch_pool_free(r->in_pool);
    if (r->out_pool != NULL)
        mw_batch_pool_free(r->out_pool);
    mw_mesh_plan_free(r->plan);
    mw_free(r->times);
}

/* ---- what came out ---- */

static int check_batch(struct roles *r, const struct mw_batch *b, uint32_t bucket)
{
    const struct mw_batch_head *const h = b->head;
    const struct mw_segment *const s =
        (const void *)((const char *)b->record +
                       (uint64_t)h->n_records * h->record_bytes);
    if (h->n_segments != 1 || s->sender != SENDER || s->count != h->n_records)
        return mw_fail(MW_ERR_INVALID, "bucket %u: segments", bucket);
    for (uint32_t i = 0; i < h->n_records; i++) {
        const struct mw_record *const n = (const struct mw_record *)b->record + i;
        const struct mw_wide_record *const w =
            (const struct mw_wide_record *)b->record + i;
        const uint32_t child = r->conf->wide ? w->child : n->child;
        if (child >= r->conf->n_records || column_of(r, child) != bucket ||
            (r->conf->wide ? w->value : n->value) != value_of(r, child))
            return mw_fail(MW_ERR_INVALID, "bucket %u: a wrong record", bucket);
        r->times[child]++;
    }
    return MW_OK;
}

static int check_output(struct roles *r)
{
    int rc = MW_OK;
    struct mw_batch *b;
    memset(r->times, 0, r->conf->n_records);
    for (uint32_t i = 1; i < r->out.n_lanes; i++) {
        struct mw_lane *const l = &r->out.lane[i];
        for (uint32_t k = 0; k < r->out.n_buckets; k++)
            if ((b = mw_lane_close(l, k)) != NULL)
                mw_batch_put(&l->full, b);
        while ((b = mw_batch_get(&l->full)) != NULL) {
            const int one = check_batch(r, b, b->peer);
            rc = one < MW_OK ? one : rc;
            mw_batch_give(b);
        }
    }
    for (uint32_t i = 0; i < r->conf->n_records && rc == MW_OK; i++)
        if (r->times[i] != 1)
            rc = mw_fail(MW_ERR_INVALID, "record %u: %u times", i, r->times[i]);
    return rc;
}

static void add(struct mw_emul_counters *sum, const struct mw_emul_counters *one)
{
    uint64_t *const to = (uint64_t *)(void *)sum;
    const uint64_t *const from = (const uint64_t *)(const void *)one;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
}

static void account(const struct roles *r, struct roles_result *out)
{
    for (uint32_t i = 0; i < 64; i++) {
        const uint8_t duty = r->plan->duty[i];
        const uint32_t kind = (duty & MW_PRODUCES) != 0   ? ROLES_PRODUCE
                              : (duty & MW_CONSUMES) != 0 ? ROLES_CONSUME
                                                          : ROLES_ROUTE;
        struct mw_emul_counters one;
        mw_emul_count(r->cluster, i, &one);
        add(&out->kind[kind], &one);
        out->n_cores[kind]++;
        out->messages += one.puts;
    }
}

static int run_jobs(struct roles *r, struct roles_result *out)
{
    int rc = MW_OK;
    struct mw_job job = {
        .at = &r->at,
        .in = r->in,
        .limit = UINT64_MAX,
        .out = &r->out,
        .wide = r->conf->wide,
        .role = r->plan->role,
    };
    for (uint32_t k = 0; k < mw_max(1, r->conf->n_jobs) && rc == MW_OK; k++) {
        rc = reserve(r);
        if (rc < MW_OK)
            break;
        const uint64_t start = mw_emul_now(r->cluster);
        mw_backend_emul.run(r->cluster, mw_relay_on_mesh, &job);
        rc = mw_backend_emul.poll(r->cluster);
        out->cycles += mw_emul_now(r->cluster) - start;
        out->payload_bytes += (uint64_t)r->conf->n_records * record_bytes(r);
        if (rc == MW_OK)
            rc = check_output(r);
    }
    return rc;
}

int roles_run(const struct roles_conf *conf, struct roles_result *out)
{
    struct roles r = {.conf = conf};
    memset(out, 0, sizeof *out);
    int rc = set_up(&r);
    if (rc == MW_OK)
        rc = run_jobs(&r, out);
    if (rc == MW_OK)
        account(&r, out);
    out->record_bytes = record_bytes(&r);
    tear_down(&r);
    return rc;
}
