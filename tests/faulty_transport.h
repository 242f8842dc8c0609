/* faulty_transport.h -- a network that misbehaves, over any transport: batches are late and change
 * places across links, one comes twice, one is lost, one has a bit flipped, or nothing ever
 * arrives although messages flow. What happens follows from the seed.
 *
 *      real --poll--> link[sender, port] --as drawn--> whoever polls this one
 *
 * Within a link order holds, as every transport promises; what breaks a promise (the faults that
 * have a number or a bool) has to be found out by who uses it.
 *
 * For programs that are linked with -Wl,--wrap=mw_transport_new: checking_transport.h puts it below
 * its own checks, faulty_program.c makes a whole meshway of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FAULTY_TRANSPORT_H
#define FAULTY_TRANSPORT_H

#include "wrapped_transport.h"

#include <stdio.h>
#include <string.h>

/* All 0: none. Batches are counted from 1 as they come to a rank. */
struct faults {
    uint64_t seed;
    uint32_t delay; /* polls that a batch lies at the head of its link at most */
    uint64_t lost_at, twice_at, flip_at; /* this batch; 0: none */
    bool back;                           /* every batch comes back to who sent it */
    bool flood;    /* ... without its records, again and again, as if from the receiver */
    bool refused;  /* no batch is taken */
    uint32_t rank; /* 1 + the only rank that this happens to; 0: all */
};
static struct faults faults;

struct faulty {
    struct wrapped over;
    struct mw_transport_conf conf;
    struct faults f;
    uint32_t n_links;
    uint64_t draw, n_came, n_held;
    struct mw_batch_list *link; /* [n_links] by sender and port */
    uint32_t *wait;             /* [n_links] polls that its head has to lie still */
    struct mw_batch_list back;
    struct mw_batch_pool *spare; /* of what is made here */
    struct mw_batch_head
        *heads;    /* [n_links] flood: of the last batch to that peer and port */
    uint16_t *seq; /* [n_links] flood: the next */
    uint32_t next;
};

static uint32_t faulty_drawn(struct faulty *t, uint32_t below)
{
    t->draw = t->draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(t->draw >> 33) % below;
}

static int faulty_send(struct mw_transport *base, struct mw_batch *b)
{
    struct faulty *t = (struct faulty *)base;
    if (t->f.refused)
        return MW_AGAIN;
    if (t->f.back) {
        mw_batch_put(&t->back, b);
        return MW_OK;
    }
    if (t->f.flood) {
        const uint32_t link = b->peer * MW_PORT_COUNT + b->head->port;
        if (t->heads[link].level != b->head->level)
            t->seq[link] = 0;
        t->heads[link] = *b->head;
        t->heads[link].sender = b->peer;
        mw_batch_give(b);
        return MW_OK;
    }
    return mw_send(t->over.real, b);
}

/* The next link that something was sent to answers with a batch that says nothing. */
static int flood(struct faulty *t, struct mw_batch **out)
{
    for (uint32_t i = 0; i < t->n_links; i++) {
        const uint32_t link = (t->next + i) % t->n_links;
        if (t->heads[link].record_bytes == 0 || mw_batch_pool_left(t->spare) == 0)
            continue;
        struct mw_batch *b = mw_batch_take(t->spare);
        *b->head = t->heads[link];
        b->head->n_records = 0;
        b->head->n_segments = 0;
        b->head->flags = 0;
        b->head->seq = t->seq[link]++;
        b->peer = b->head->sender;
        t->next = link + 1;
        *out = b;
        return MW_OK;
    }
    return MW_AGAIN;
}

/* Takes over what has arrived. */
static int pull(struct faulty *t)
{
    struct mw_batch *b;
    int rc;
    while ((rc = mw_poll(t->over.real, &b)) == MW_OK) {
        const uint32_t link = b->head->sender * MW_PORT_COUNT + b->head->port;
        if (t->link[link].first == NULL)
            t->wait[link] = faulty_drawn(t, t->f.delay + 1);
        mw_batch_put(&t->link[link], b);
        t->n_held++;
    }
    return rc == MW_AGAIN ? MW_OK : rc;
}

/* Any link's head that need not wait; NULL: none. */
static struct mw_batch *choose(struct faulty *t)
{
    const uint32_t from = faulty_drawn(t, t->n_links);
    for (uint32_t i = 0; i < t->n_links && t->n_held > 0; i++) {
        const uint32_t link = (from + i) % t->n_links;
        if (t->link[link].first == NULL)
            continue;
        if (t->wait[link] > 0) {
            t->wait[link]--;
            continue;
        }
        t->wait[link] = faulty_drawn(t, t->f.delay + 1);
        t->n_held--;
        return mw_batch_get(&t->link[link]);
    }
    return NULL;
}

static void keep_copy(struct faulty *t, const struct mw_batch *b)
{
    const uint32_t link = b->head->sender * MW_PORT_COUNT + b->head->port;
    struct mw_batch_list rest = {0};
    struct mw_batch *copy = mw_batch_take(t->spare), *other;
    memcpy(copy->head, b->head, mw_batch_bytes(b->head));
    copy->peer = b->peer;
    mw_batch_put(&rest, copy);
    while ((other = mw_batch_get(&t->link[link])) != NULL)
        mw_batch_put(&rest, other);
    t->link[link] = rest;
    t->n_held++;
}

/* Then looked at as a transport looks at what arrives. */
static int flip(struct faulty *t, struct mw_batch *b)
{
    const uint64_t bytes = mw_batch_bytes(b->head);
    const uint32_t sender = b->head->sender, port = b->head->port;
    const uint32_t bit = faulty_drawn(t, (uint32_t)(8 * bytes));
    ((unsigned char *)b->head)[bit / 8] ^= (unsigned char)(1u << bit % 8);
    int rc = mw_batch_check(b->head, bytes, t->conf.capacity, t->conf.record_bytes,
                            t->conf.comm->size);
    if (rc == MW_OK)
        rc = mw_link_check(b->head, sender, port);
    return rc;
}

static int faulty_poll(struct mw_transport *base, struct mw_batch **out)
{
    struct faulty *t = (struct faulty *)base;
    struct mw_batch *b = mw_batch_get(&t->back);
    int rc;
    if (t->f.flood)
        return flood(t, out);
    if (b == NULL && (rc = pull(t)) < MW_OK)
        return rc;
    if (b == NULL && (b = choose(t)) == NULL)
        return MW_AGAIN;
    t->n_came++;
    if (t->n_came == t->f.lost_at) {
        mw_batch_give(b);
        return MW_AGAIN;
    }
    if (t->n_came == t->f.twice_at)
        keep_copy(t, b);
    if (t->n_came == t->f.flip_at && (rc = flip(t, b)) < MW_OK) {
        mw_batch_give(b);
        return rc;
    }
    *out = b;
    return MW_OK;
}

static void give_all(struct mw_batch_list *list)
{
    struct mw_batch *b;
    while ((b = mw_batch_get(list)) != NULL)
        mw_batch_give(b);
}

static void faulty_close(struct mw_transport *base)
{
    struct faulty *t = (struct faulty *)base;
    give_all(&t->back);
    for (uint32_t i = 0; t->link != NULL && i < t->n_links; i++)
        give_all(&t->link[i]);
    mw_batch_pool_free(t->spare);
    free(t->seq);
    free(t->heads);
    free(t->wait);
    free(t->link);
    wrapped_close(base);
}

static const struct mw_transport_ops faulty_ops = {faulty_send, faulty_poll,
                                                   wrapped_in_flight, faulty_close};

/* Local. Takes over `real` and gives the layer in its place; `real` itself where there are no
 * faults. On failure `real` is closed. */
static inline int faulty_over(const struct mw_transport_conf *conf,
                              const struct faults *f, struct mw_transport *real,
                              struct mw_transport **out)
{
    static const struct faults none;
    const uint32_t n_links = conf->comm->size * MW_PORT_COUNT;
    *out = real;
    if (memcmp(f, &none, sizeof none) == 0 ||
        (f->rank > 0 && f->rank - 1 != conf->comm->rank))
        return MW_OK;
    struct faulty *t = calloc(1, sizeof *t);
    if (t == NULL) {
        mw_transport_close(real);
        return mw_fail(MW_ERR_NOMEM, "faulty transport");
    }
    t->over.base.ops = &faulty_ops;
    t->over.real = real;
    t->conf = *conf;
    t->f = *f;
    t->n_links = n_links;
    t->draw = f->seed * 1000 + conf->comm->rank;
    t->link = calloc(n_links, sizeof *t->link);
    t->wait = calloc(n_links, sizeof *t->wait);
    t->heads = calloc(n_links, sizeof *t->heads);
    t->seq = calloc(n_links, sizeof *t->seq);
    int rc = mw_batch_pool_new(4, conf->capacity, conf->record_bytes, &t->spare);
    if (rc == MW_OK &&
        (t->link == NULL || t->wait == NULL || t->heads == NULL || t->seq == NULL))
        rc = mw_fail(MW_ERR_NOMEM, "faulty transport: links");
    if (rc < MW_OK)
        faulty_close(&t->over.base);
    else
        *out = &t->over.base;
    return rc;
}

/* "seed=7,delay=20,lost=3,twice=0,flip=0,rank=1,back,flood,refused"; false: a word is none of
 * these. */
static inline bool faults_of_text(const char *text, struct faults *f)
{
    memset(f, 0, sizeof *f);
    while (*text != '\0') {
        char word[16] = "";
        unsigned long long n = 1;
        int used = 0;
        if (sscanf(text, "%15[a-z]%n=%llu%n", word, &used, &n, &used) < 1)
            return false;
        if (strcmp(word, "seed") == 0)
            f->seed = n;
        else if (strcmp(word, "delay") == 0)
            f->delay = (uint32_t)n;
        else if (strcmp(word, "lost") == 0)
            f->lost_at = n;
        else if (strcmp(word, "twice") == 0)
            f->twice_at = n;
        else if (strcmp(word, "flip") == 0)
            f->flip_at = n;
        else if (strcmp(word, "rank") == 0)
            f->rank = (uint32_t)n + 1;
        else if (strcmp(word, "back") == 0)
            f->back = true;
        else if (strcmp(word, "flood") == 0)
            f->flood = true;
        else if (strcmp(word, "refused") == 0)
            f->refused = true;
        else
            return false;
        text += used;
        text += *text == ',';
    }
    return true;
}

#endif
