/* transport_virtual.c -- see transport_virtual.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/transport_virtual.h"

#include "base/log.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX

struct message {
    struct message *next;
    uint32_t peer; /* to whom, or from whom */
    /* What travels: when the last byte comes, how many there are, and the batch's image. */
    struct image {
        uint64_t arrival, bytes;
        struct mw_batch_head head; /* the image begins */
    } image;
};

struct queue {
    struct message *first, *last;
};

/* What each rank says in a round. */
enum state { RUNS, HAS_DONE, HAS_FAILED };
struct saying {
    uint64_t bound; /* cycle before which it sends nothing, and nothing of it comes */
    uint32_t state, sends; /* sends: there are batches of it in this round */
};

struct mw_virtual {
    struct mw_transport base;
    struct mw_transport_conf conf;
    struct mw_virtual_wires net;
    uint64_t lookahead; /* from a batch's sending to its coming, at least */
    uint64_t safe;      /* what comes before is known */
    bool over;          /* all know that one has failed */
    uint64_t m0_until;  /* when M0 is free, */
    uint64_t out_until; /* this rank's wire for what leaves, */
    uint64_t in_until;  /* and for what comes */
    struct queue out;   /* since the last round */
    struct message *in; /* by arrival, then by sender, then as they were sent */
    struct mw_batch_pool *pool[MW_PORT_COUNT];
    struct saying *said;               /* [n_ranks] in the last round */
    uint64_t *send_bytes, *recv_bytes; /* [n_ranks] */
};

static uint64_t now(const struct mw_virtual *v)
{
    return v->conf.time->now(v->conf.cluster);
}

static uint64_t image_bytes(const struct message *m)
{
    const uint64_t bytes = offsetof(struct image, head) + m->image.bytes;
    return (bytes + 7) / 8 * 8;
}

static uint64_t wire_cycles(const struct mw_virtual *v, const struct message *m)
{
    const uint32_t node = v->net.super_node, me = v->conf.comm->rank;
    const bool near = node == 0 || m->peer / node == me / node;
    return (uint64_t)((near ? v->net.byte : v->net.far_byte) * (double)m->image.bytes);
}

static struct message *message_new(uint32_t peer, uint64_t bytes)
{
    struct message *m = malloc(offsetof(struct message, image.head) + bytes + 8);
    if (m != NULL)
        *m = (struct message){.peer = peer, .image.bytes = bytes};
    return m;
}

/* ---- rounds ------------------------------------------------------------------------------ */

/* Behind all that come no later; those of one sender are given in the order they were sent. */
static void put_in(struct mw_virtual *v, struct message *m)
{
    struct message **at = &v->in;
    while (*at != NULL &&
           ((*at)->image.arrival < m->image.arrival ||
            ((*at)->image.arrival == m->image.arrival && (*at)->peer <= m->peer)))
        at = &(*at)->next;
    m->next = *at;
    *at = m;
}

/* Stretches by receiver, and the list empty. */
static int pack_batches(struct mw_virtual *v, char **out)
{
    const uint32_t n = v->conf.comm->size;
    uint64_t sum = 0;
    uint64_t *at = v->recv_bytes; /* for now: where the next one for a rank goes */
    *out = NULL;
    memset(v->send_bytes, 0, n * sizeof *v->send_bytes);
    for (const struct message *m = v->out.first; m != NULL; m = m->next)
        v->send_bytes[m->peer] += image_bytes(m);
    for (uint32_t i = 0; i < n; i++) {
        at[i] = sum;
        sum += v->send_bytes[i];
    }
    MW_NEED_NEW(*out, "batches of a round", sum + 1);
    while (v->out.first != NULL) {
        struct message *const m = v->out.first;
        memcpy(*out + at[m->peer], &m->image,
               offsetof(struct image, head) + m->image.bytes);
        at[m->peer] += image_bytes(m);
        v->out.first = m->next;
        free(m);
    }
    v->out.last = NULL;
    return MW_OK;
}

/* One sender's stretch. */
static int unpack_batches(struct mw_virtual *v, uint32_t from, const char *p,
                          uint64_t bytes)
{
    const char *const end = p + bytes;
    while (p < end) {
        uint64_t size;
        memcpy(&size, p + offsetof(struct image, bytes), sizeof size);
        struct message *const m = message_new(from, size);
        if (m == NULL)
            return mw_fail(MW_ERR_NOMEM, "out of memory: message of %llu bytes",
                           (unsigned long long)size);
        memcpy(&m->image, p, offsetof(struct image, head) + size);
        put_in(v, m);
        p += image_bytes(m);
    }
    return MW_OK;
}

/* All ranks come to it: one that has no memory to pack sends nothing, and fails afterwards. */
static int swap_batches(struct mw_virtual *v)
{
    const uint32_t n = v->conf.comm->size;
    char *sent;
    void *got = NULL;
    int rc = pack_batches(v, &sent);
    if (rc < MW_OK)
        memset(v->send_bytes, 0, n * sizeof *v->send_bytes);
    const int swapped =
        mw_comm_exchange(v->conf.comm, sent, v->send_bytes, &got, v->recv_bytes);
    rc = rc < MW_OK ? rc : swapped;
    const char *p = got;
    for (uint32_t i = 0; rc == MW_OK && i < n; i++) {
        rc = unpack_batches(v, i, p, v->recv_bytes[i]);
        p += v->recv_bytes[i];
    }
    MW_FREE_ALL(sent, got);
    return rc;
}

/* `bound`: this rank does nothing before, unless a batch of this round bids it. */
static int next_round(struct mw_virtual *v, uint64_t bound, enum state state)
{
    int rc = MW_OK;
    struct mw_comm *const comm = v->conf.comm;
    struct saying mine = {bound, state, v->out.first != NULL};
    uint64_t least = NEVER;
    bool any = false, failed = false;
    mw_pass_time *const pass_time = mw_comm_stop_time(comm);
    for (const struct message *m = v->out.first; m != NULL; m = m->next)
        mine.bound = mw_min(mine.bound, m->image.arrival);
    MW_TRY(rc, mw_comm_gather(comm, &mine, sizeof mine, v->said));
    for (uint32_t i = 0; i < comm->size; i++) {
        least = mw_min(least, v->said[i].bound);
        any |= v->said[i].sends != 0;
        failed |= v->said[i].state == HAS_FAILED;
    }
    v->over = failed;
    if (failed && state != HAS_FAILED)
        rc = mw_fail(MW_ERR_INTERNAL, "rank %u: another rank has failed", comm->rank);
    if (failed)
        goto end;
    if (any)
        MW_TRY(rc, swap_batches(v));
    v->safe = mw_saturating_plus(least, v->lookahead);
end:
    comm->pass_time = pass_time;
    return rc;
}

/* ---- the transport ------------------------------------------------------------------------ */

static struct mw_virtual *virtual_of(struct mw_transport *t)
{
    return (struct mw_virtual *)t;
}

static int virtual_send(struct mw_transport *t, struct mw_batch *b)
{
    struct mw_virtual *const v = virtual_of(t);
    const uint64_t bytes = mw_batch_bytes(b->head);
    struct message *const m = message_new(b->peer, bytes);
    if (m == NULL)
        return mw_fail(MW_ERR_NOMEM, "out of memory: message of %llu bytes",
                       (unsigned long long)bytes);
    memcpy(&m->image.head, b->head, bytes);
    mw_batch_give(b);
    v->m0_until = mw_max(v->m0_until, now(v)) + v->net.overhead;
    v->out_until = mw_max(v->out_until, v->m0_until) + wire_cycles(v, m);
    m->image.arrival = mw_max(v->out_until + v->net.latency, now(v) + v->lookahead);
    if (v->out.last == NULL)
        v->out.first = m;
    else
        v->out.last->next = m;
    v->out.last = m;
    return MW_OK;
}

/* When the first that has been sent is all here, behind what else comes over this rank's wire. */
static uint64_t due(const struct mw_virtual *v)
{
    return v->in == NULL
               ? NEVER
               : mw_max(v->in->image.arrival, v->in_until + wire_cycles(v, v->in));
}

static int hand_up(struct mw_virtual *v, struct mw_batch **out)
{
    struct message *const m = v->in;
    const struct mw_batch_head *const h = &m->image.head;
    int rc = mw_transport_check(&v->conf, h, m->image.bytes, m->peer, h->port);
    if (rc == MW_OK && !v->conf.port_used[h->port])
        rc = mw_fail(MW_ERR_INTERNAL, "corrupt batch from rank %u: no port %u", m->peer,
                     h->port);
    if (rc == MW_OK) {
        struct mw_batch *const b = mw_batch_take(v->pool[h->port]);
        if (b == NULL)
            return MW_AGAIN; /* all are in other hands; it stays the first */
        memcpy(b->head, h, m->image.bytes);
        b->peer = m->peer;
        *out = b;
    }
    v->in_until = due(v);
    v->in = m->next;
    free(m);
    return rc;
}

static int virtual_poll(struct mw_transport *t, struct mw_batch **out)
{
    struct mw_virtual *const v = virtual_of(t);
    const uint64_t at = now(v);
    int rc = MW_OK;
    while (rc == MW_OK && at >= v->safe)
        rc = next_round(v, at, RUNS);
    if (rc < MW_OK)
        return rc;
    return due(v) <= at ? hand_up(v, out) : MW_AGAIN;
}

static uint64_t virtual_in_flight(const struct mw_transport *t)
{
    (void)t; /* a sent batch is copied at once */
    return 0;
}

static void free_messages(struct message *m)
{
    while (m != NULL) {
        struct message *const next = m->next;
        free(m);
        m = next;
    }
}

static void virtual_close(struct mw_transport *t)
{
    struct mw_virtual *const v = virtual_of(t);
    free_messages(v->out.first);
    free_messages(v->in);
    mw_transport_pools_free(v->pool);
    MW_FREE_ALL(v->said, v->send_bytes, v->recv_bytes, v);
}

static const struct mw_transport_ops virtual_ops = {virtual_send, virtual_poll,
                                                    virtual_in_flight, virtual_close};

/* ---- beyond a transport -------------------------------------------------------------------- */

double mw_virtual_sends_until(const struct mw_virtual *v)
{
    return v->conf.time->seconds(v->conf.cluster, v->m0_until);
}

int mw_virtual_idle(struct mw_virtual *v)
{
    const uint64_t next = due(v);
    if (next < v->safe) {
        v->conf.time->wait(v->conf.cluster, next);
        return MW_OK;
    }
    MW_NEED(next_round(v, next, RUNS));
    return v->safe == NEVER ? MW_AGAIN : MW_OK;
}

void mw_virtual_begin(struct mw_virtual *v)
{
    v->safe = 0; /* whatever came until now has come */
    v->over = false;
}

int mw_virtual_meet(struct mw_virtual *v)
{
    for (;;) {
        bool all = true;
        const int rc = next_round(v, NEVER, HAS_DONE);
        for (uint32_t i = 0; i < v->conf.comm->size; i++)
            all &= v->said[i].state == HAS_DONE;
        if (rc < MW_OK || all)
            return rc;
    }
}

bool mw_virtual_heard_failure(const struct mw_virtual *v)
{
    return v->over;
}

void mw_virtual_fail(struct mw_virtual *v)
{
    if (!v->over && next_round(v, NEVER, HAS_FAILED) < MW_OK)
        mw_note("rank %u has failed, and could not say so", v->conf.comm->rank);
}

/* ---- life ------------------------------------------------------------------------------------ */

void mw_virtual_sizes(const struct mw_transport_conf *conf, uint32_t n_ranks,
                      enum mw_when when, struct mw_sizes *out)
{
    const struct mw_virtual *v = NULL;
    mw_sizes_add(out, when, "virtual transport", 1, sizeof *v);
    mw_sizes_add(out, when, "virtual transport: what ranks say", n_ranks,
                 sizeof *v->said);
    mw_sizes_add(out, when, "virtual transport: bytes to ranks", n_ranks,
                 sizeof *v->send_bytes);
    mw_sizes_add(out, when, "virtual transport: bytes of ranks", n_ranks,
                 sizeof *v->recv_bytes);
    mw_transport_pools_sizes(conf, 1, when, out);
}

int mw_virtual_new(const struct mw_transport_conf *conf, struct mw_transport **out)
{
    int rc = MW_OK;
    const uint32_t n = conf->comm->size;
    struct mw_virtual *v;
    MW_NEW(rc, v, "virtual transport", 1);
    v->base.ops = &virtual_ops;
    v->conf = *conf;
    conf->time->network(conf->cluster, &v->net);
    /* 1: a batch comes after it was sent, whatever the parameters. */
    v->lookahead = mw_max(v->net.overhead + v->net.latency, 1);
    MW_NEW(rc, v->said, "virtual transport: what ranks say", n);
    MW_NEW(rc, v->send_bytes, "virtual transport: bytes to ranks", n);
    MW_NEW(rc, v->recv_bytes, "virtual transport: bytes of ranks", n);
    MW_TRY(rc, mw_transport_pools_new(conf, 1, v->pool));
end:
    rc = mw_comm_agree(conf->comm, rc);
    if (rc == MW_OK) {
        *out = &v->base;
        *conf->network = v;
    } else if (v != NULL) {
        virtual_close(&v->base);
    }
    return rc;
}
