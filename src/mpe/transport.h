/* transport.h -- moves batches between ranks.
 *
 * transport_mpi.c is the real thing; transport_loop.c connects P ranks inside one
 * process, so that every test of the layers above runs without mpiexec and with
 * message delays the test chooses.
 *
 * Nothing here blocks. Per (sender, receiver, port) batches are handed up in the order
 * they were sent; across links there is no order at all. Each port has its own receive
 * buffers: a full stage can then never keep the stage after it from receiving.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TRANSPORT_H
#define MW_TRANSPORT_H

#include "cpe/cluster.h"
#include "mpe/comm.h"
#include "mpe/link.h"
#include "shuffle/batch.h"

MW_BEGIN_DECLS

struct mw_transport;
struct mw_virtual; /* transport_virtual.h */

struct mw_transport_ops {
    /* MW_OK: the transport holds `b` (to b->peer, on b->head->port) and gives it to
     * its pool when it has left. MW_AGAIN: out of credits; the caller still owns it. */
    int (*send)(struct mw_transport *t, struct mw_batch *b);
    /* MW_OK: *out is an arrived batch, checked, owned by the caller, who gives it. */
    int (*poll)(struct mw_transport *t, struct mw_batch **out);
    /* Batches handed to send() that have not left yet. */
    uint64_t (*in_flight)(const struct mw_transport *t);
    void (*close)(struct mw_transport *t);
};

struct mw_transport {
    const struct mw_transport_ops *ops;
};

struct mw_transport_conf {
    struct mw_comm *comm;
    uint32_t capacity, record_bytes; /* of a batch */
    bool port_used[MW_PORT_COUNT];
    uint32_t n_recv[MW_PORT_COUNT]; /* receive buffers of each port */
    uint32_t n_send;                /* batches on their way at most */
    struct mw_links *links; /* told what leaves for other hosts; borrowed, or NULL */
    /* Of a backend with a time of its own: it, and the cluster that it is asked of, borrowed; where a
     * transport of that time is taken, *network becomes it. NULL: the host's time. */
    const struct mw_virtual_time *time;
    struct mw_cluster *cluster;
    struct mw_virtual **network;
};

/* Collective. mw_transport_new() picks the one that fits the communicator and the time. */
int mw_transport_new(const struct mw_transport_conf *conf, struct mw_transport **out)
    MW_NODISCARD;
int mw_transport_mpi_new(const struct mw_transport_conf *conf, struct mw_transport **out)
    MW_NODISCARD;
int mw_transport_loop_new(const struct mw_transport_conf *conf, struct mw_transport **out)
    MW_NODISCARD;

/* Local: did the batch come over the link that its head names? */
MW_NODISCARD MW_FN int mw_link_check(const struct mw_batch_head *h, uint32_t sender,
                                     uint32_t port)
{
    if (h->sender == sender && h->port == port)
        return MW_OK;
    return mw_fail(MW_ERR_INTERNAL,
                   "corrupt batch from rank %u on port %u: it says rank %u and port %u",
                   sender, port, h->sender, h->port);
}
/* Local, for the transports: is what has come a batch, and over the link that its head names? */
int mw_transport_check(const struct mw_transport_conf *conf,
                       const struct mw_batch_head *h, uint64_t bytes, uint32_t sender,
                       uint32_t port) MW_NODISCARD;
/* The pools of the ports in use, for `times` as many batches as each receives; on an error some may be
 * there. */
int mw_transport_pools_new(const struct mw_transport_conf *conf, uint32_t times,
                           struct mw_batch_pool *pool[MW_PORT_COUNT]) MW_NODISCARD;
void mw_transport_pools_free(struct mw_batch_pool *pool[MW_PORT_COUNT]);
void mw_transport_pools_sizes(const struct mw_transport_conf *conf, uint32_t times,
                              enum mw_when when, struct mw_sizes *out);

/* Local: what mw_transport_new() takes; a communicator of NULL stands for MPI's with n_ranks.
 * What the ranks of a loop share is not in it. */
void mw_transport_sizes(const struct mw_transport_conf *conf, uint32_t n_ranks,
                        enum mw_when when, struct mw_sizes *out);
void mw_transport_mpi_sizes(const struct mw_transport_conf *conf, uint32_t n_ranks,
                            enum mw_when when, struct mw_sizes *out);
void mw_transport_loop_sizes(const struct mw_transport_conf *conf, enum mw_when when,
                             struct mw_sizes *out);

static inline int mw_send(struct mw_transport *t, struct mw_batch *b)
{
    return t->ops->send(t, b);
}
static inline int mw_poll(struct mw_transport *t, struct mw_batch **out)
{
    return t->ops->poll(t, out);
}
static inline uint64_t mw_in_flight(const struct mw_transport *t)
{
    return t->ops->in_flight(t);
}
static inline void mw_transport_close(struct mw_transport *t)
{
    if (t != NULL)
        t->ops->close(t);
}

MW_END_DECLS
#endif
