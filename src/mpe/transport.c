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
