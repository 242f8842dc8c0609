/* mesh_store.h -- what the roles of a mesh take of a core's local store: the sizes, and their
 * sum. The skeleton takes with these sizes and the plan refuses by this sum, so that what has
 * been accepted cannot overflow half-way.
 *
 *      producer   role | a message for each consumer | a piece of the input         | stack
 *      consumer   role | a bin and a line a bucket, and the lines under way         | stack
 *
 * C99 plus base.h: slave compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MESH_STORE_H
#define MW_MESH_STORE_H

#include "cpe/cpe_types.h"
#include "shuffle/batch.h"
#include "shuffle/mesh_role.h"

MW_BEGIN_DECLS

enum {
    MW_LINES_UNDER_WAY = 2, /* of a consumer */
    MW_INPUT_BYTES = 2048,  /* of a batch that a producer fetches at a time */
    MW_STORE_UNIT = 32,     /* takes are multiples of this, on every machine */
    MW_STORE_STACK = 4096 /* what stays for the stack, unless the backend knows better */
};

struct mw_mesh_bin { /* the line of one bucket */
    uint32_t bucket, bytes;
    char *line;
};

/* Bytes that mw_ldm_take(self, bytes) takes. */
MW_FN uint64_t mw_store_take(uint64_t bytes)
{
    return (bytes + MW_STORE_UNIT - 1) / MW_STORE_UNIT * MW_STORE_UNIT;
}

MW_FN uint64_t mw_store_replies(uint64_t n)
{
    return n * mw_store_take(sizeof(mw_dma_reply));
}

/* mw_mesh_begin() */
MW_FN uint64_t mw_store_role(void)
{
    return mw_store_take(sizeof(struct mw_mesh_role)) + mw_store_replies(1);
}

/* mw_emitter_begin(), mw_input_begin() */
MW_FN uint64_t mw_store_producer(uint32_t n_consumers)
{
    return mw_store_take(n_consumers * sizeof(struct mw_message)) +
           mw_store_take(MW_INPUT_BYTES) + mw_store_replies(1);
}

/* mw_collector_begin() */
MW_FN uint64_t mw_store_bins(uint64_t n_bins)
{
    return (n_bins + 1) * sizeof(struct mw_mesh_bin);
}
MW_FN uint64_t mw_store_collector(uint64_t n_bins)
{
    return mw_store_take(mw_store_bins(n_bins)) +
           (n_bins + MW_LINES_UNDER_WAY) * mw_store_take(MW_LINE_BYTES) +
           mw_store_replies(1 + MW_LINES_UNDER_WAY);
}

/* mw_senders_get(); such a consumer has no collector. */
MW_FN uint64_t mw_store_senders(void)
{
    return mw_store_take(MW_SEGMENTS_MAX * sizeof(struct mw_segment)) +
           mw_store_replies(1);
}

/* Of a core with these duties that owns n_bins buckets, with its stack and a unit that keeps
 * the two apart. */
MW_FN uint64_t mw_store_need(uint32_t duty, uint32_t n_consumers, uint64_t n_bins,
                             uint64_t stack)
{
    return mw_store_role() +
           ((duty & MW_PRODUCES) != 0 ? mw_store_producer(n_consumers) : 0) +
           ((duty & MW_CONSUMES) != 0
                ? mw_max(mw_store_collector(n_bins), mw_store_senders())
                : 0) +
           MW_STORE_UNIT + stack;
}

MW_END_DECLS
#endif
