/* transport.c -- the transport that fits a communicator.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/transport.h"

#include "mpe/comm_mpi.h"

int mw_transport_new(const struct mw_transport_conf *conf, struct mw_transport **out)
{
    return mw_comm_is_mpi(conf->comm) ? mw_transport_mpi_new(conf, out)
                                      : mw_transport_loop_new(conf, out);
}

void mw_transport_sizes(const struct mw_transport_conf *conf, uint32_t n_ranks,
                        enum mw_when when, struct mw_sizes *out)
{
    if (conf->comm == NULL || mw_comm_is_mpi(conf->comm))
        mw_transport_mpi_sizes(conf, n_ranks, when, out);
    else
        mw_transport_loop_sizes(conf, when, out);
}
