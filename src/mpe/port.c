/* port.c -- see port.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/port.h"

#include "base/mem.h"

#include <string.h>

/* Of the port itself; its lanes and its pool have tables of their own. */
static void own_sizes(const struct mw_groups *groups, const struct mw_buckets *shape,
                      enum mw_when when, struct mw_sizes *out)
{
    const struct mw_port_state *q = NULL;
    mw_sizes_add(out, when, "peers", shape->n_buckets, sizeof *q->peer);
    mw_sizes_add(out, when, "numbers of what leaves", shape->n_buckets,
                 sizeof *q->seq_out);
    mw_sizes_add(out, when, "numbers of what comes", groups->n_ranks, sizeof *q->seq_in);
}

void mw_port_sizes(const struct mw_groups *groups, const struct mw_buckets *shape,
                   uint64_t pool_batches, enum mw_when when, struct mw_sizes *out)
{
    own_sizes(groups, shape, when, out);
    mw_buckets_sizes(shape->n_lanes, shape->n_buckets, when, out);
    mw_batch_pool_sizes(pool_batches, shape->capacity, shape->record_bytes, when, out);
}

int mw_port_init(struct mw_port_state *q, const struct mw_groups *groups, uint32_t rank,
                 uint8_t index, const struct mw_buckets *shape, uint64_t pool_batches)
{
    struct mw_sizes sizes = {0};
    own_sizes(groups, shape, MW_ALWAYS, &sizes);
    q->used = true;
    q->stream = index / 2;
    q->hop = (uint8_t)(MW_TO_RELAY + index % 2);
    q->fan_in = mw_port_fan_in(groups, rank, q->hop);
    q->out = *shape;
    q->out.me = rank;
    q->out.port = index;
    MW_NEED(mw_buckets_init(&q->out));
    MW_NEED_TAKE(q->peer, &sizes, "peers");
    MW_NEED_TAKE(q->seq_out, &sizes, "numbers of what leaves");
    MW_NEED_TAKE(q->seq_in, &sizes, "numbers of what comes");
    for (uint32_t k = 0; k < q->out.n_buckets; k++)
        q->peer[k] = mw_port_peer(groups, rank, q->hop, k);
    return mw_batch_pool_new(pool_batches, q->out.capacity, q->out.record_bytes,
                             &q->pool);
}

void mw_port_fini(struct mw_port_state *q)
{
    struct mw_batch *b;
    while ((b = mw_batch_get(&q->outbox)) != NULL)
        mw_batch_give(b);
    mw_buckets_fini(&q->out);
    mw_batch_pool_free(q->pool);
    MW_FREE_ALL(q->peer, q->seq_out, q->seq_in);
}

void mw_port_begin(struct mw_port_state *q, uint32_t n_ranks)
{
    q->active = q->closed = false;
    q->lasts = 0;
    if (q->used) {
        memset(q->seq_out, 0, q->out.n_buckets * sizeof *q->seq_out);
        memset(q->seq_in, 0, n_ranks * sizeof *q->seq_in);
    }
}

bool mw_port_reserve(struct mw_port_state *q, struct mw_lanes lanes, uint64_t records,
                     uint64_t senders)
{
    const uint64_t need = mw_lane_need(&q->out, records, senders);
    for (uint32_t i = lanes.first; i < lanes.first + lanes.n; i++) {
        struct mw_lane *l = &q->out.lane[i];
        while (l->n_spare < need) {
            struct mw_batch *b = mw_batch_take(q->pool);
            if (b == NULL)
                return false;
            b->next = l->spare;
            l->spare = b;
            l->n_spare++;
        }
    }
    return true;
}

uint64_t mw_port_held(const struct mw_port_state *q, uint32_t lane)
{
    const struct mw_lane *l = &q->out.lane[lane];
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < q->out.n_buckets; k++) {
        bytes += mw_lane_line_bytes(l, k);
        if (l->open[k] != NULL)
            bytes += (uint64_t)(l->cursor[k].to - (const char *)l->open[k]->record);
    }
    for (const struct mw_batch *b = l->full.first; b != NULL; b = b->next)
        bytes += (uint64_t)b->head->n_records * q->out.record_bytes;
    return bytes;
}

void mw_port_collect(struct mw_port_state *q, struct mw_lanes lanes, mw_port_post *post,
                     void *arg)
{
    struct mw_batch *b;
    for (uint32_t i = lanes.first; i < lanes.first + lanes.n; i++)
        while ((b = mw_batch_get(&q->out.lane[i].full)) != NULL)
            post(arg, q, b, 0);
}

bool mw_port_flush(struct mw_port_state *q, mw_port_post *post, void *arg)
{
    bool any = false;
    for (uint32_t i = 0; i < q->out.n_lanes; i++)
        for (uint32_t k = 0; k < q->out.n_buckets; k++) {
            struct mw_batch *b = mw_lane_close(&q->out.lane[i], k);
            if (b != NULL) {
                post(arg, q, b, 0);
                any = true;
            }
        }
    return any;
}

bool mw_port_close(struct mw_port_state *q, mw_port_post *post, void *arg, bool *any)
{
    *any = true;
    /* Empty ones come out of the pool: wait until it has one for each bucket. */
    if (mw_batch_pool_left(q->pool) < q->out.n_buckets) {
        *any = mw_port_flush(q, post, arg);
        return false;
    }
    for (uint32_t k = 0; k < q->out.n_buckets; k++) {
        struct mw_batch *last = NULL;
        for (uint32_t i = 0; i < q->out.n_lanes; i++) {
            struct mw_batch *b = mw_lane_close(&q->out.lane[i], k);
            if (last != NULL && b != NULL)
                post(arg, q, last, 0);
            last = b != NULL ? b : last;
        }
        if (last == NULL) {
            last = mw_batch_take(q->pool);
            last->peer = k;
        }
        post(arg, q, last, MW_BATCH_LAST);
    }
    q->closed = true;
    return true;
}
