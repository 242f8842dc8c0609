/* transport_mpi.c -- batches over MPI, point to point, on a communicator of its own.
 *
 * Tag = port. Each port has receives posted for any sender, into batches of a pool of
 * its own; a batch that has been handed up is replaced as soon as one comes home. MPI
 * matches in order, but completions are seen in any order, so batches are handed up by
 * (level, seq) per link. MPI is called by the management core only (FUNNELED).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/transport.h"

#include "base/mem.h"
#include "mpe/comm_mpi.h"

#include <mpi.h>

enum { POOL_TIMES = 2 }; /* as many as are posted may be in other hands */

struct expected {
    uint8_t level;
    uint16_t seq;
};

struct slot {
    struct mw_batch *batch; /* NULL: nothing posted */
    uint8_t port;
};

struct mpi {
    struct mw_transport base;
    struct mw_transport_conf conf;
    MPI_Comm comm;
    uint32_t n_ranks, n_slots, n_sending;
    uint32_t n_of_port[MW_PORT_COUNT]; /* of n_sending */
    uint32_t port_share;               /* at most so many of one port */
    struct mw_batch_pool *pool[MW_PORT_COUNT];
    MPI_Request *recv; /* [n_slots], beside slot */
    struct slot *slot;
    MPI_Request *send; /* the first n_sending in use, beside sent */
    struct mw_batch **sent;
    int *index; /* for MPI_Testsome */
    MPI_Status *status;
    struct expected *expected[MW_PORT_COUNT]; /* [n_ranks] */
    struct mw_batch_list early; /* arrived, but something before them is not here yet */
    struct mw_batch_list ready;
    uint32_t unposted;
};

static int image_bytes(const struct mpi *t)
{
    return (int)mw_batch_image_bytes(t->conf.capacity, t->conf.record_bytes);
}

static void post_receives(struct mpi *t)
{
    for (uint32_t i = 0; t->unposted > 0 && i < t->n_slots; i++) {
        struct slot *s = &t->slot[i];
        if (s->batch != NULL)
            continue;
        s->batch = mw_batch_take(t->pool[s->port]);
        if (s->batch == NULL)
            continue;
        MPI_Irecv(s->batch->head, image_bytes(t), MPI_BYTE, MPI_ANY_SOURCE, s->port,
                  t->comm, &t->recv[i]);
        t->unposted--;
    }
}

static bool is_next(const struct mpi *t, const struct mw_batch *b)
{
    const struct expected *x = &t->expected[b->head->port][b->head->sender];
    return b->head->seq == (b->head->level == x->level ? x->seq : 0);
}

static void ready(struct mpi *t, struct mw_batch *b)
{
    struct expected *x = &t->expected[b->head->port][b->head->sender];
    x->level = b->head->level;
    x->seq = (uint16_t)(b->head->seq + 1);
    mw_batch_put(&t->ready, b);
}

/* Moves what has become next in line from early to ready. */
static void sort_early(struct mpi *t)
{
    for (bool moved = t->early.first != NULL; moved;) {
        struct mw_batch_list rest = {0};
        struct mw_batch *b;
        moved = false;
        while ((b = mw_batch_get(&t->early)) != NULL)
            if (is_next(t, b)) {
                ready(t, b);
                moved = true;
            } else {
                mw_batch_put(&rest, b);
            }
        t->early = rest;
    }
}

static int take_arrivals(struct mpi *t)
{
    int n = 0, rc = MW_OK;
    MPI_Testsome((int)t->n_slots, t->recv, &n, t->index, t->status);
    for (int i = 0; n != MPI_UNDEFINED && i < n; i++) {
        struct slot *s = &t->slot[t->index[i]];
        struct mw_batch *b = s->batch;
        int bytes = 0;
        MPI_Get_count(&t->status[i], MPI_BYTE, &bytes);
        s->batch = NULL;
        t->unposted++;
        b->peer = (uint32_t)t->status[i].MPI_SOURCE;
        rc = mw_transport_check(&t->conf, b->head, (uint64_t)bytes, b->peer, s->port);
        if (rc < MW_OK) {
            mw_batch_give(b);
            return rc;
        }
        if (is_next(t, b))
            ready(t, b);
        else
            mw_batch_put(&t->early, b);
    }
    if (n > 0)
        sort_early(t);
    return rc;
}

/* The links to tell about a batch; NULL: it stays on this host, or nobody wants to know. */
static struct mw_links *links_of(const struct mpi *t, const struct mw_batch *b)
{
    const struct mw_comm *comm = t->conf.comm;
    return comm->host_of[b->peer] != comm->host ? t->conf.links : NULL;
}

static void finish_sends(struct mpi *t)
{
    int n = 0;
    if (t->n_sending == 0)
        return;
    if (t->conf.links != NULL)
        mw_links_look(t->conf.links, mw_now());
    MPI_Testsome((int)t->n_sending, t->send, &n, t->index, t->status);
    if (n <= 0 || n == MPI_UNDEFINED)
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->n_sending; i++) {
        if (t->send[i] == MPI_REQUEST_NULL) {
            struct mw_batch *b = t->sent[i];
            struct mw_links *links = links_of(t, b);
            t->n_of_port[b->head->port]--;
            if (links != NULL)
                mw_link_sent(links, t->conf.comm->host_of[b->peer],
                             mw_batch_bytes(b->head));
            mw_batch_give(b);
            continue;
        }
        t->send[kept] = t->send[i];
        t->sent[kept++] = t->sent[i];
    }
    t->n_sending = kept;
}

static int mpi_send(struct mw_transport *base, struct mw_batch *b)
{
    struct mpi *t = (struct mpi *)base;
    /* Each port has slots of its own: one that is stuck must not keep a later one, which
     * it waits for, from sending (pipeline.h, why it cannot deadlock). */
    uint32_t *of_port = &t->n_of_port[b->head->port];
    if (*of_port == t->port_share) {
        finish_sends(t);
        if (*of_port == t->port_share)
            return MW_AGAIN;
    }
    struct mw_links *links = links_of(t, b);
    if (links != NULL) {
        mw_links_look(links, mw_now());
        mw_link_send(links, t->conf.comm->host_of[b->peer]);
    }
    ++*of_port;
    MPI_Isend(b->head, (int)mw_batch_bytes(b->head), MPI_BYTE, (int)b->peer,
              b->head->port, t->comm, &t->send[t->n_sending]);
    t->sent[t->n_sending++] = b;
    return MW_OK;
}

static int mpi_poll(struct mw_transport *base, struct mw_batch **out)
{
    struct mpi *t = (struct mpi *)base;
    if (t->ready.first == NULL) {
        finish_sends(t);
        post_receives(t);
        MW_NEED(take_arrivals(t));
    }
    *out = mw_batch_get(&t->ready);
    return *out != NULL ? MW_OK : MW_AGAIN;
}

static uint64_t mpi_in_flight(const struct mw_transport *base)
{
    return ((const struct mpi *)base)->n_sending;
}

static void mpi_close(struct mw_transport *base)
{
    struct mpi *t = (struct mpi *)base;
    struct mw_batch *b;

    for (uint32_t i = 0; t->recv != NULL && t->slot != NULL && i < t->n_slots; i++)
        if (t->slot[i].batch != NULL && t->recv[i] != MPI_REQUEST_NULL) {
            MPI_Cancel(&t->recv[i]);
            MPI_Wait(&t->recv[i], MPI_STATUS_IGNORE);
        }
    while ((b = mw_batch_get(&t->early)) != NULL)
        mw_batch_give(b);
    while ((b = mw_batch_get(&t->ready)) != NULL)
        mw_batch_give(b);
    mw_transport_pools_free(t->pool);
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        mw_free(t->expected[i]);
    MW_FREE_ALL(t->recv, t->slot, t->send, t->sent, t->index, t->status);
    if (t->comm != MPI_COMM_NULL)
        MPI_Comm_free(&t->comm);
    mw_free(t);
}

static const struct mw_transport_ops mpi_ops = {mpi_send, mpi_poll, mpi_in_flight,
                                                mpi_close};

static uint32_t slots_of(const struct mw_transport_conf *conf)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        n += conf->n_recv[i];
    return n;
}

/* Of the transport itself; its pools have a table of their own. */
static void own_sizes(const struct mw_transport_conf *conf, uint32_t n_ranks,
                      enum mw_when when, struct mw_sizes *out)
{
    const struct mpi *t = NULL;
    const uint32_t n_slots = slots_of(conf), n_send = MW_PORT_COUNT * conf->n_send;
    const uint64_t most = mw_max(n_slots, n_send);
    uint32_t n_ports = 0;
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        n_ports += conf->port_used[i];
    mw_sizes_add(out, when, "MPI transport", 1, sizeof *t);
    mw_sizes_add(out, when, "receive requests", n_slots, sizeof *t->recv);
    mw_sizes_add(out, when, "receive slots", n_slots, sizeof *t->slot);
    mw_sizes_add(out, when, "send requests", n_send, sizeof *t->send);
    mw_sizes_add(out, when, "batches being sent", n_send, sizeof *t->sent);
    mw_sizes_add(out, when, "completed requests", most, sizeof *t->index);
    mw_sizes_add(out, when, "their statuses", most, sizeof *t->status);
    mw_sizes_add(out, when, "expected batches", n_ranks, sizeof **t->expected)->copies =
        n_ports;
}

void mw_transport_mpi_sizes(const struct mw_transport_conf *conf, uint32_t n_ranks,
                            enum mw_when when, struct mw_sizes *out)
{
    own_sizes(conf, n_ranks, when, out);
    mw_transport_pools_sizes(conf, POOL_TIMES, when, out);
}

static int buffers_init(struct mpi *t)
{
    const struct mw_transport_conf *conf = &t->conf;
    uint32_t slot = 0;
    struct mw_sizes sizes = {0};

    own_sizes(conf, t->n_ranks, MW_ALWAYS, &sizes);
    t->n_slots = slots_of(conf);
    t->port_share = conf->n_send;
    MW_NEED_TAKE(t->recv, &sizes, "receive requests");
    MW_NEED_TAKE(t->slot, &sizes, "receive slots");
    MW_NEED_TAKE(t->send, &sizes, "send requests");
    MW_NEED_TAKE(t->sent, &sizes, "batches being sent");
    MW_NEED_TAKE(t->index, &sizes, "completed requests");
    MW_NEED_TAKE(t->status, &sizes, "their statuses");
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++) {
        if (!conf->port_used[i])
            continue;
        MW_NEED_TAKE(t->expected[i], &sizes, "expected batches");
        for (uint32_t k = 0; k < conf->n_recv[i]; k++) {
            t->recv[slot] = MPI_REQUEST_NULL;
            t->slot[slot++].port = (uint8_t)i;
        }
    }
    t->unposted = t->n_slots;
    return mw_transport_pools_new(conf, POOL_TIMES, t->pool);
}

int mw_transport_mpi_new(const struct mw_transport_conf *conf, struct mw_transport **out)
{
    int rc = MW_OK;
    struct mpi *t;

    MW_NEW(rc, t, "MPI transport", 1);
    t->base.ops = &mpi_ops;
    t->conf = *conf;
    t->n_ranks = conf->comm->size;
    t->comm = MPI_COMM_NULL;
    MW_TRY(rc, buffers_init(t));
end:
    rc = mw_comm_agree(conf->comm, rc);
    if (rc != MW_OK) {
        if (t != NULL)
            mpi_close(&t->base);
        return rc;
    }
    mw_comm_mpi_dup(conf->comm, &t->comm);
    post_receives(t);
    *out = &t->base;
    return MW_OK;
}
