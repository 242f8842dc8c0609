/* pipeline_delivery.c -- batches on their way out and in.
 *
 *      post --> outbox --send--> transport --receive--> the peer's port.in
 *                  '------------- arrive -------------> our own port.in
 *
 * The heads of what arrives are checked before anything is done with it: level and order, and that
 * it does not come back to its sender. The records are the kernels' to check, which read them.
 *
 * Only what brings the run nearer to its end is progress: records, and closing batches. Batches
 * without either may flow for ever, and whoever gets nothing else waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/pipeline_state.h"

#include <math.h>

/* Nobody sends to itself over the network. */
static int check_sender(const struct mw_pipeline *p, struct mw_batch *b)
{
    if (b->head->sender != p->at.rank)
        return MW_OK;
    const int rc =
        mw_fail(MW_ERR_INTERNAL,
                "batch %u of level %u on port %u came back to its sender, rank %u",
                b->head->seq, b->head->level, b->head->port, p->at.rank);
    mw_batch_give(b);
    return rc;
}

static int decode(struct mw_pipeline *p, struct mw_batch *b)
{
    const int rc = pipeline_decode(p, b);
    if (rc < MW_OK)
        mw_batch_give(b);
    return rc;
}

/* An arrived batch, or one that this rank handed to itself. */
static int arrive(struct mw_pipeline *p, struct mw_batch *b)
{
    const struct mw_batch_head *h = b->head;
    struct mw_port_state *q = &p->port[h->port];

    if (!q->active || h->level != q->level || h->seq != q->seq_in[h->sender]) {
        const int rc =
            mw_fail(MW_ERR_INTERNAL,
                    "batch from rank %u out of order: port %u level %u seq %u, expected "
                    "level %u seq %u",
                    h->sender, h->port, h->level, h->seq, q->level,
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

void pipeline_post(void *arg, struct mw_port_state *q, struct mw_batch *b, uint8_t flags)
{
    struct mw_pipeline *p = arg;
    const uint32_t bucket = b->peer;
    b->peer = q->peer[bucket];
    b->head->sender = p->at.rank;
    b->head->port = q->out.port;
    b->head->record_bytes = (uint8_t)p->record_bytes;
    b->head->flags = flags;
    b->head->level = q->level;
    b->head->seq = q->seq_out[bucket]++;
    if (b->peer != p->at.rank) {
        pipeline_code(p, b);
        const uint64_t bytes = mw_batch_bytes(b->head);
        p->traffic.records += b->head->n_records;
        p->traffic.batches++;
        p->async.n_sent++;
        p->traffic.bytes += bytes;
        p->traffic.size[mw_size_class(bytes)]++;
        p->met[b->peer / 64] |= UINT64_C(1) << (b->peer % 64);
        if (p->world->sent != NULL) {
            p->world->sent[b->peer].messages++;
            p->world->sent[b->peer].bytes += bytes;
        }
    }
    mw_batch_put(&q->outbox, b);
}
static void note(const struct mw_pipeline *p, const char *name, uint8_t track,
                 double start, double end, uint64_t n)
{
    const struct mw_timeline_event e = {.name = name,
                                        .start = start,
                                        .end = end,
                                        .n = n,
                                        .level = p->level,
                                        .track = track};
    mw_timeline_add(p->world->timeline, &e);
}

static double sending_begins(const struct mw_pipeline *p)
{
    const double now = pipeline_mark(p);
    return p->network == NULL ? now : fmax(now, mw_virtual_sends_until(p->network));
}

/* n messages were sent: where there is a network with a time of its own, by M0 while M1 goes on. */
static void note_sent(const struct mw_pipeline *p, double start, uint64_t n)
{
    if (n == 0)
        return;
    if (p->network == NULL)
        pipeline_spend(p, 0, 0, n);
    note(p, "send", MW_TRACK_SEND, start,
         p->network == NULL ? pipeline_mark(p) : mw_virtual_sends_until(p->network), n);
}

static void note_received(const struct mw_pipeline *p, double start, uint64_t n)
{
    if (n == 0)
        return;
    pipeline_spend(p, 0, 0, n);
    note(p, "receive", MW_TRACK_RECEIVE, start, pipeline_mark(p), n);
}

int pipeline_send(struct mw_pipeline *p, struct mw_port_state *q, bool *progress)
{
    const double start = sending_begins(p);
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
    note_sent(p, start, n);
    return rc;
}

int pipeline_receive(struct mw_pipeline *p, bool *progress)
{
    const double start = pipeline_mark(p);
    struct mw_batch *b;
    uint64_t n = 0;
    int rc = MW_OK;
    if (p->transport == NULL)
        return MW_OK;
    for (int i = 0; i < PIPELINE_RECEIVES; i++) {
        rc = mw_poll(p->transport, &b);
        if (rc != MW_OK)
            break;
        *progress |= b->head->n_records > 0 || (b->head->flags & MW_BATCH_LAST) != 0;
        rc = check_sender(p, b);
        if (rc == MW_OK)
            rc = decode(p, b);
        if (rc == MW_OK)
            rc = arrive(p, b);
        if (rc < MW_OK)
            break;
        p->async.n_taken++;
        n++;
    }
    note_received(p, start, n);
    return rc < MW_OK ? rc : MW_OK;
}
