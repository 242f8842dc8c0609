/* mpi_suite.h -- a suite that runs on every rank of an MPI program: rank 0 says how it went, the
 * others only what failed, and all end with the same code.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MPI_SUITE_H
#define MPI_SUITE_H

#include "mpe/comm.h"

#include <check.h>
#include <stdlib.h>

/* Collective; ends MPI. */
static inline int run_suite_on_all(Suite *s, struct mw_comm *comm)
{
    SRunner *sr = srunner_create(s);
    srunner_set_fork_status(sr, CK_NOFORK);
    srunner_run_all(sr, comm->rank == 0 ? CK_NORMAL : CK_SILENT);
    uint64_t n_failed = (uint64_t)srunner_ntests_failed(sr);
    if (n_failed > 0 && comm->rank != 0)
        srunner_print(sr, CK_NORMAL);
    srunner_free(sr);
    if (mw_comm_sum(comm, &n_failed, 1) != MW_OK)
        n_failed = 1;
    mw_mpi_finish(comm);
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
