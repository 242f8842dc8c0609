/* transport_loop.c -- batches between ranks that are threads of one process.
 *
 * Every receiver has one first-in first-out queue per (sender, port), so order per link
 * holds; which queue is served next, and how long its head still has to wait, is drawn
 * from a seeded generator. A queue holds few batches (`depth`), so senders run out of
 * credits all the time: what survives here does not lean on buffering.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/transport.h"

#include "base/mem.h"
#include "mpe/comm_loop.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct message {
    struct message *next;
    uint32_t wait; /* polls of the receiver that it still has to lie at the head */
    uint64_t bytes;
    uint32_t sender, port;
    struct mw_batch_head head; /* the wire image begins */
};

struct link {
    struct message *first, *last;
    uint32_t n;
};

struct mailbox {
    pthread_mutex_t lock;
    struct link *link; /* [n_ranks * MW_PORT_COUNT] by sender and port */
    uint64_t n;        /* messages in all of them */
};

struct shared {
    struct mailbox *mailbox; /* [n_ranks] */
    uint32_t users;
};

struct loop {
    struct mw_transport base;
    struct mw_transport_conf conf;
    struct shared *shared;
    struct mw_batch_pool *pool[MW_PORT_COUNT];
    uint64_t draw, seed;
    uint32_t depth, rank, n_ranks;
};

static uint32_t draw(struct loop *t)
{
    t->draw = t->draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(t->draw >> 33);
}

static int loop_send(struct mw_transport *base, struct mw_batch *b)
{
    struct loop *t = (struct loop *)base;
    struct mailbox *to = &t->shared->mailbox[b->peer];
    const uint32_t port = b->head->port;
    struct link *l = &to->link[t->rank * MW_PORT_COUNT + port];
    const uint64_t bytes = mw_batch_bytes(b->head);
    int rc = MW_AGAIN;

    if (t->seed != 0 && draw(t) % 8 == 0)
        return MW_AGAIN;
    pthread_mutex_lock(&to->lock);
    if (l->n < t->depth) {
        struct message *m = malloc(offsetof(struct message, head) + bytes);
        rc = MW_ERR_NOMEM;
        if (m != NULL) {
            m->next = NULL;
            m->bytes = bytes;
            m->sender = t->rank;
            m->port = port;
            m->wait = t->seed != 0 ? draw(t) % 16 : 0;
            memcpy(&m->head, b->head, bytes);
            if (l->first == NULL)
                l->first = m;
            else
                l->last->next = m;
            l->last = m;
            l->n++;
            to->n++;
            rc = MW_OK;
        }
    }
    pthread_mutex_unlock(&to->lock);
    if (rc == MW_OK)
        mw_batch_give(b);
    else if (rc == MW_ERR_NOMEM)
        mw_fail(rc, "out of memory: message of %llu bytes", (unsigned long long)bytes);
    return rc;
}

/* The next link that has something ready, from a drawn place on; NULL: none. */
static struct message *next_message(struct loop *t, struct mailbox *my)
{
    const uint32_t n = t->n_ranks * MW_PORT_COUNT, from = draw(t) % n;
    for (uint32_t i = 0; i < n; i++) {
        struct link *l = &my->link[(from + i) % n];
        struct message *m = l->first;
        if (m == NULL || mw_batch_pool_left(t->pool[(from + i) % n % MW_PORT_COUNT]) == 0)
            continue;
        if (m->wait > 0) {
            m->wait--;
            continue;
        }
        l->first = m->next;
        l->n--;
        my->n--;
        return m;
    }
    return NULL;
}

static int loop_poll(struct mw_transport *base, struct mw_batch **out)
{
    struct loop *t = (struct loop *)base;
    struct mailbox *my = &t->shared->mailbox[t->rank];
    struct message *m = NULL;
    int rc;

    pthread_mutex_lock(&my->lock);
    if (my->n > 0)
        m = next_message(t, my);
    pthread_mutex_unlock(&my->lock);
    if (m == NULL)
        return MW_AGAIN;
    rc = mw_transport_check(&t->conf, &m->head, m->bytes, m->sender, m->port);
    if (rc == MW_OK) {
        *out = mw_batch_take(t->pool[m->head.port]);
        memcpy((*out)->head, &m->head, m->bytes);
        (*out)->peer = (*out)->head->sender;
    }
    free(m);
    return rc;
}

static uint64_t loop_in_flight(const struct mw_transport *base)
{
    (void)base; /* a sent batch is copied at once */
    return 0;
}

static void shared_free(struct shared *s, uint32_t n_ranks)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; s->mailbox != NULL && i < n_ranks; i++) {
        struct mailbox *box = &s->mailbox[i];
        for (uint32_t k = 0; box->link != NULL && k < n_ranks * MW_PORT_COUNT; k++)
            while (box->link[k].first != NULL) {
                struct message *m = box->link[k].first;
                box->link[k].first = m->next;
                free(m);
            }
        pthread_mutex_destroy(&box->lock);
        mw_free(box->link);
    }
    MW_FREE_ALL(s->mailbox, s);
}

static int shared_new(uint32_t n_ranks, struct shared **out)
{
    int rc = MW_OK;
    struct shared *s;
    MW_NEW(rc, s, "loop: mailboxes", 1);
    s->users = n_ranks;
    MW_NEW(rc, s->mailbox, "loop: mailboxes", n_ranks);
    for (uint32_t i = 0; i < n_ranks; i++)
        pthread_mutex_init(&s->mailbox[i].lock, NULL);
    for (uint32_t i = 0; i < n_ranks; i++)
        MW_NEW(rc, s->mailbox[i].link, "loop: links", (uint64_t)n_ranks * MW_PORT_COUNT);
    *out = s;
    return MW_OK;
end:
    shared_free(s, n_ranks);
    return rc;
}

static void loop_close(struct mw_transport *base)
{
    struct loop *t = (struct loop *)base;
    if (t->shared != NULL && MW_SUB_ACQ_REL(&t->shared->users, 1) == 1)
        shared_free(t->shared, t->n_ranks);
    mw_transport_pools_free(t->pool);
    mw_free(t);
}

static const struct mw_transport_ops loop_ops = {loop_send, loop_poll, loop_in_flight,
                                                 loop_close};

void mw_transport_loop_sizes(const struct mw_transport_conf *conf, enum mw_when when,
                             struct mw_sizes *out)
{
    mw_sizes_add(out, when, "loop transport", 1, sizeof(struct loop));
    mw_transport_pools_sizes(conf, 1, when, out);
}

int mw_transport_loop_new(const struct mw_transport_conf *conf, struct mw_transport **out)
{
    int rc = MW_OK;
    struct mw_comm *comm = conf->comm;
    struct loop *t;

    MW_NEW(rc, t, "loop transport", 1);
    t->base.ops = &loop_ops;
    t->conf = *conf;
    t->rank = comm->rank;
    t->n_ranks = comm->size;
    t->seed = mw_comm_loop_seed(comm);
    t->draw = t->seed * 1000 + comm->rank;
    t->depth = t->seed != 0 ? 1 + (uint32_t)(t->seed % 3) : 8;
    MW_TRY(rc, mw_transport_pools_new(conf, 1, t->pool));
    if (comm->rank == 0)
        MW_TRY(rc, shared_new(comm->size, &t->shared));
end:
    rc = mw_comm_agree(comm, rc);
    /* Same process, so rank 0's pointer is good for all. */
    if (rc == MW_OK)
        rc = mw_comm_broadcast(comm, &t->shared, sizeof t->shared, 0);
    if (rc == MW_OK) {
        *out = &t->base;
    } else if (t != NULL) {
        if (comm->rank == 0)
            shared_free(t->shared, comm->size);
        mw_transport_pools_free(t->pool);
        mw_free(t);
    }
    return rc;
}
