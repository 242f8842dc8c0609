/* transport_mpi_absent.c -- a build without MPI has no communicator of that kind, so
 * nobody comes here; the one rank there is uses the loop transport.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/transport.h"

int mw_transport_mpi_new(const struct mw_transport_conf *conf, struct mw_transport **out)
{
    (void)conf, (void)out;
    return mw_fail(MW_ERR_UNAVAILABLE,
                   "MPI transport: this build was configured with MW_WITH_MPI=OFF");
}

void mw_transport_mpi_sizes(const struct mw_transport_conf *conf, uint32_t n_ranks,
                            enum mw_when when, struct mw_sizes *out)
{
    (void)conf, (void)n_ranks, (void)when, (void)out;
}
