/* checking_transport.h -- stands between the pipeline and the real transport, in a program that
 * is linked with -Wl,--wrap=mw_transport_new: checks the order of all batches, notes what comes
 * for the toy's counter, and can lose or damage one batch. Between the two there may be a network
 * that misbehaves (faulty_transport.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHECKING_TRANSPORT_H
#define CHECKING_TRANSPORT_H

#include "faulty_transport.h"

enum damage {
    NONE,
    LOSE_LAST,
    WRONG_LEVEL,
    WRONG_SEQ,
    TWICE,
    WRONG_PORT,
    WRONG_SENDER,
    WRONG_CHILD,
    WRONG_COLUMN
};

static uint64_t n_transports;          /* ever made */
static uint64_t n_coded, n_coded_near; /* batches that came; from ranks of the host */

/* Batches with records for the counter: as they came, and as it took them. */
enum { QUEUED_MOST = 4096, RANKS_MOST = 16 };
struct queue_log {
    uint64_t n;
    uint32_t batch[QUEUED_MOST]; /* sender << 16 | seq */
    const void *at[QUEUED_MOST]; /* where it lies */
};
static struct queue_log came[RANKS_MOST], taken[RANKS_MOST];

static void log_batch(struct queue_log *log, const struct mw_batch_head *h)
{
    if (log->n == QUEUED_MOST)
        return;
    log->at[log->n] = h;
    log->batch[log->n++] = h->sender << 16 | h->seq;
}

static enum damage damage; /* done once, by rank 0, to its `damage_at`-th batch */
static uint64_t damage_at, n_out_of_order;

struct checking {
    struct wrapped over;
    const struct mw_comm *comm;
    uint32_t rank;
    uint64_t n_sent;
    bool done;
    uint16_t seq[64][MW_PORT_COUNT];
    uint8_t level[64][MW_PORT_COUNT];
};

static int checking_send(struct mw_transport *t, struct mw_batch *b)
{
    struct checking *c = (struct checking *)t;
    struct mw_batch_head *h = b->head;
    const struct mw_batch_head before = *h;
    const bool now =
        !c->done && c->rank == 0 && damage != NONE &&
        (damage < WRONG_CHILD || h->n_records > 0) &&
        (damage != WRONG_COLUMN || h->port % 2 == 0) &&
        (damage == LOSE_LAST ? (h->flags & MW_BATCH_LAST) != 0 : c->n_sent >= damage_at);
    int rc;
    if (now && damage == LOSE_LAST) {
        c->done = true;
        mw_batch_give(b);
        return MW_OK;
    }
    if (now && damage == WRONG_LEVEL)
        h->level++;
    if (now && (damage == WRONG_SEQ || damage == TWICE))
        h->seq = (uint16_t)(h->seq + (damage == TWICE ? -1 : 1));
    if (now && damage == WRONG_PORT)
        h->port = (uint8_t)(4 - h->port); /* the other one that direct routing has */
    if (now && damage == WRONG_SENDER)
        h->sender = 1;
    if (now && damage == WRONG_CHILD) /* beyond any rank's numbers and any column */
        ((struct mw_record *)b->record)[h->n_records / 2].child |= UINT32_C(1) << 31;
    if (now && damage == WRONG_COLUMN)
        ((struct mw_record *)b->record)[h->n_records / 2].value |= UINT32_C(1) << 31;
    rc = mw_send(c->over.real, b);
    if (rc == MW_AGAIN)
        *h = before;
    c->n_sent += rc == MW_OK;
    c->done |= now && rc == MW_OK;
    return rc;
}

static int checking_poll(struct mw_transport *t, struct mw_batch **out)
{
    struct checking *c = (struct checking *)t;
    const int rc = mw_poll(c->over.real, out);
    if (rc == MW_OK) {
        const struct mw_batch_head *h = (*out)->head;
        uint16_t *seq = &c->seq[h->sender][h->port];
        uint8_t *level = &c->level[h->sender][h->port];
        if (h->seq != (h->level == *level ? *seq : 0))
            __atomic_fetch_add(&n_out_of_order, 1, __ATOMIC_RELAXED);
        if (mw_batch_coding(h) != MW_CODING_NONE) {
            __atomic_fetch_add(&n_coded, 1, __ATOMIC_RELAXED);
            __atomic_fetch_add(&n_coded_near,
                               c->comm->host_of[h->sender] == c->comm->host,
                               __ATOMIC_RELAXED);
        }
        *level = h->level;
        *seq = (uint16_t)(h->seq + 1);
        if (h->n_records > 0 && c->rank < RANKS_MOST &&
            h->port == mw_port_index(MW_FORWARD, MW_TO_OWNER))
            log_batch(&came[c->rank], h);
    }
    return rc;
}

static const struct mw_transport_ops checking_ops = {checking_send, checking_poll,
                                                     wrapped_in_flight, wrapped_close};

int __wrap_mw_transport_new(const struct mw_transport_conf *conf,
                            struct mw_transport **out)
{
    struct checking *c = calloc(1, sizeof *c);
    int rc = MW_ERR_NOMEM;
    if (c == NULL)
        return rc;
    __atomic_fetch_add(&n_transports, 1, __ATOMIC_RELAXED);
    c->over.base.ops = &checking_ops;
    c->comm = conf->comm;
    c->rank = conf->comm->rank;
    struct mw_transport *real;
    rc = __real_mw_transport_new(conf, &real);
    if (rc == MW_OK)
        rc = faulty_over(conf, &faults, real, &c->over.real);
    if (rc != MW_OK) {
        free(c);
        return rc;
    }
    *out = &c->over.base;
    return MW_OK;
}

#endif
