/* port.h -- one kind of stop on the way, (stream, hop), as a rank sees it.
 *
 * It has two sides. `out`: the lanes that the modules emitting into it fill here, closed into
 * batches and put on their way. `in`: the batches that have arrived for the module that takes
 * from it here.
 *
 *      lanes --close--> outbox --send--> peer's in
 *
 * A port belongs to the management core; only while a job runs are lanes the job's cores'.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PORT_H
#define MW_PORT_H

#include "mpe/pipeline.h"

MW_BEGIN_DECLS

struct mw_port_state {
    bool used, active, closed;
    uint8_t stream, hop;
    uint8_t level; /* how many runs it has been active in, modulo 256 */
    uint32_t fan_in, lasts;
    uint32_t *peer;    /* [out.n_buckets] */
    uint16_t *seq_out; /* [out.n_buckets] */
    uint16_t *seq_in;  /* [n_ranks] */
    struct mw_buckets out;
    struct mw_batch_pool *pool;  /* of what leaves */
    struct mw_batch_list outbox; /* closed, not yet handed to the transport */
    struct mw_batch_list in;     /* arrived */
};

/* Lanes that nobody is filling. */
struct mw_lanes {
    uint32_t first, n;
};

/* Local. `pool_batches`: of what leaves. */
int mw_port_init(struct mw_port_state *q, const struct mw_groups *groups, uint32_t rank,
                 uint8_t index, const struct mw_buckets *shape, uint64_t pool_batches)
    MW_NODISCARD;
/* What it takes. */
void mw_port_sizes(const struct mw_groups *groups, const struct mw_buckets *shape,
                   uint64_t pool_batches, enum mw_when when, struct mw_sizes *out);
void mw_port_fini(struct mw_port_state *q);
void mw_port_begin(struct mw_port_state *q, uint32_t n_ranks); /* a run */

/* Gives each of these lanes room for `records` more, one after the other made by so many senders;
 * false: not now. */
bool mw_port_reserve(struct mw_port_state *q, struct mw_lanes lanes, uint64_t records,
                     uint64_t senders);

/* What a closed batch needs to be put on its way: bucket b->peer becomes a rank. */
typedef void mw_port_post(void *arg, struct mw_port_state *q, struct mw_batch *b,
                          uint8_t flags);

/* Bytes of records in one lane, open and full batches and lines. */
uint64_t mw_port_held(const struct mw_port_state *q, uint32_t lane);

/* Posts what a job has filled in these lanes. */
void mw_port_collect(struct mw_port_state *q, struct mw_lanes lanes, mw_port_post *post,
                     void *arg);
/* Posts open batches before they are full; no job may be running. True if there were any. */
bool mw_port_flush(struct mw_port_state *q, mw_port_post *post, void *arg);
/* Closes every bucket: LAST rides on its last open batch, or on an empty one. False: the pool
 * lacks empty ones now (open ones are posted meanwhile; *any says whether there were). */
bool mw_port_close(struct mw_port_state *q, mw_port_post *post, void *arg, bool *any);

/* All that will ever come has come, and was taken. */
MW_FN bool mw_port_complete(const struct mw_port_state *q)
{
    return q->lasts == q->fan_in && q->in.first == NULL;
}

MW_END_DECLS
#endif
