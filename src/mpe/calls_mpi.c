/* calls_mpi.c -- see calls_mpi.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/calls_mpi.h"

#include "base/wait.h"

#include <limits.h>

uint64_t mw_mpi_count_limit = INT_MAX;

void mw_mpi_wait_for(const struct mw_mpi_comm *m, int n, MPI_Request *request,
                     MPI_Status *status)
{
    struct mw_waiting waiting = {0};
    int done = 0;
    if (!m->base.crowded) {
        MPI_Waitall(n, request, status);
        return;
    }
    for (;;) {
        MPI_Testall(n, request, &done, status);
        if (done)
            return;
        mw_wait_a_little(&waiting);
    }
}

/* With statuses that nobody reads: gcc takes MPICH's MPI_STATUSES_IGNORE, a pointer to
 * address 1, for an overflow. */
void mw_mpi_wait_all(const struct mw_mpi_comm *m, int n, MPI_Request *request)
{
    MPI_Status status[MW_MPI_REQUESTS];
    mw_mpi_wait_for(m, n, request, status);
}

void mw_mpi_barrier_on(const struct mw_mpi_comm *m, MPI_Comm comm)
{
    MW_MPI_CALL(m, MW_IN_BARRIER, MPI_Barrier, MPI_Ibarrier, comm);
}

void mw_mpi_reduce_on(const struct mw_mpi_comm *m, MPI_Comm comm, void *data, int n,
                      MPI_Datatype type, MPI_Op op)
{
    MW_MPI_CALL(m, MW_IN_REDUCTION, MPI_Allreduce, MPI_Iallreduce, MPI_IN_PLACE, data, n,
                type, op, comm);
}

void mw_comm_mpi_count_limit(uint64_t n)
{
    mw_mpi_count_limit = n > 0 ? mw_min(n, INT_MAX) : INT_MAX;
}
