/* transport.c -- the transport that fits a communicator, and the time that ranks go by.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/transport.h"

#include "mpe/comm_loop.h"
#include "mpe/comm_mpi.h"
#include "mpe/transport_virtual.h"

/* Batches that a seed delays have no other time. */
static bool is_virtual(const struct mw_transport_conf *conf)
{
    const struct mw_comm *const comm = conf->comm;
    return conf->time != NULL &&
           (comm == NULL || mw_comm_is_mpi(comm) || mw_comm_loop_seed(comm) == 0);
}

int mw_transport_new(const struct mw_transport_conf *conf, struct mw_transport **out)
{
    if (is_virtual(conf))
        return mw_virtual_new(conf, out);
    return mw_comm_is_mpi(conf->comm) ? mw_transport_mpi_new(conf, out)
                                      : mw_transport_loop_new(conf, out);
}

void mw_transport_sizes(const struct mw_transport_conf *conf, uint32_t n_ranks,
                        enum mw_when when, struct mw_sizes *out)
{
    if (is_virtual(conf))
        mw_virtual_sizes(conf, n_ranks, when, out);
    else if (conf->comm == NULL || mw_comm_is_mpi(conf->comm))
        mw_transport_mpi_sizes(conf, n_ranks, when, out);
    else
        mw_transport_loop_sizes(conf, when, out);
}

/* ---- for the transports ------------------------------------------------------------------------ */

int mw_transport_check(const struct mw_transport_conf *conf,
                       const struct mw_batch_head *h, uint64_t bytes, uint32_t sender,
                       uint32_t port)
{
    MW_NEED(
        mw_batch_check(h, bytes, conf->capacity, conf->record_bytes, conf->comm->size));
    return mw_link_check(h, sender, port);
}

int mw_transport_pools_new(const struct mw_transport_conf *conf, uint32_t times,
                           struct mw_batch_pool *pool[MW_PORT_COUNT])
{
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        if (conf->port_used[i])
            MW_NEED(mw_batch_pool_new(times * conf->n_recv[i], conf->capacity,
                                      conf->record_bytes, &pool[i]));
    return MW_OK;
}

void mw_transport_pools_free(struct mw_batch_pool *pool[MW_PORT_COUNT])
{
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        mw_batch_pool_free(pool[i]);
}

void mw_transport_pools_sizes(const struct mw_transport_conf *conf, uint32_t times,
                              enum mw_when when, struct mw_sizes *out)
{
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        if (conf->port_used[i])
            mw_batch_pool_sizes(times * conf->n_recv[i], conf->capacity,
                                conf->record_bytes, when, out);
}
