/* pipeline_coding.c -- which batches are coded: on their way out once they are closed, and decoded as
 * soon as they have come.
 *
 * The management core does it, which else touches no record: on a link where that pays it would wait
 * for the link meanwhile, and nothing of the state is looked at. What it takes is counted, and
 * charged where time is modelled.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/pipeline_state.h"

#include "base/clock.h"

enum {
    CODED_LEAST = 1 << 10
}; /* bytes of an image from which on less of it may be noticed */

/* What a coder is taken for before it has done as much: about what bench/coding measures. */
#define PRIOR_BYTES    4e6
#define PRIOR_RATIO    0.5
#define PRIOR_CODE_S   (PRIOR_BYTES / 500e6)
#define PRIOR_DECODE_S (PRIOR_BYTES / 1500e6)

bool pipeline_codes(const struct mw_world_shape *world)
{
    if (world->compress == MW_COMPRESS_AUTO)
        return world->n_hosts > 1 && world->backend->time == NULL;
    return world->compress != MW_COMPRESS_OFF && world->groups.n_ranks > 1;
}

static struct mw_link_coding cost_of(const struct mw_coding_count *n)
{
    const double code_s = (n->code_s + PRIOR_CODE_S) / (n->plain_bytes + PRIOR_BYTES);
    const double decode_s =
        (n->decode_s + PRIOR_DECODE_S) / (n->decoded_bytes + PRIOR_BYTES);
    return (struct mw_link_coding){.ratio = (n->coded_bytes + PRIOR_RATIO * PRIOR_BYTES) /
                                            (n->plain_bytes + PRIOR_BYTES),
                                   .cost = code_s + decode_s};
}

static enum mw_coding choose(const struct mw_pipeline *p, const struct mw_batch *b)
{
    const struct mw_comm *comm = p->world->comm;
    const uint32_t host = comm->host_of[b->peer];
    switch (p->world->conf.compress) {
    case MW_COMPRESS_VBYTE:
        return MW_CODING_VBYTE;
    case MW_COMPRESS_PACKED:
        return MW_CODING_PACKED;
    default:
        break;
    }
    if (host == comm->host || mw_batch_bytes(b->head) < CODED_LEAST)
        return MW_CODING_NONE;
    const struct mw_link_coding cost = cost_of(&p->coder->count);
    return mw_link_pays(p->world->links, host, &cost) ? MW_CODING_PACKED : MW_CODING_NONE;
}

void pipeline_code(struct mw_pipeline *p, struct mw_batch *b)
{
    if (p->coder == NULL || b->head->n_records == 0)
        return;
    const enum mw_coding coding = choose(p, b);
    if (coding == MW_CODING_NONE)
        return;
    const uint64_t plain = mw_batch_bytes(b->head);
    const double start = mw_now();
    p->traffic.coded += mw_coder_code(p->coder, coding, b);
    p->traffic.coding_s += mw_now() - start;
    p->traffic.saved_bytes += plain - mw_batch_bytes(b->head);
    pipeline_spend(p, 2 * plain, b->head->n_records, 0);
}

int pipeline_decode(struct mw_pipeline *p, struct mw_batch *b)
{
    if (mw_batch_coding(b->head) == MW_CODING_NONE)
        return MW_OK;
    if (p->coder == NULL)
        return mw_fail(MW_ERR_INTERNAL,
                       "corrupt batch from rank %u: it is coded, and nobody codes here",
                       b->head->sender);
    const double start = mw_now();
    const int rc = mw_coder_decode(p->coder, b, p->at.n_ranks);
    p->traffic.coding_s += mw_now() - start;
    pipeline_spend(p, mw_batch_bytes(b->head), b->head->n_records, 0);
    return rc;
}
