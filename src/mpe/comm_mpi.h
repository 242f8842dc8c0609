/* comm_mpi.h -- what the MPI transport and the tests need of comm_mpi.c. Without a
 * single MPI type, so that it can be included where <mpi.h> may not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_COMM_MPI_H
#define MW_COMM_MPI_H

#include "mpe/comm.h"

MW_BEGIN_DECLS

/* The highest tag that MPI guarantees; comm_mpi.c and its neighbours use it for point-to-point messages
 * on its communicator, so nobody else may, nor receive there with MPI_ANY_TAG while a
 * collective runs. */
enum { MW_COMM_MPI_TAG = 32767 };

bool mw_comm_is_mpi(const struct mw_comm *c); /* local */

/* Local: the address of the MPI_Comm of all ranks, or NULL if `c` is no MPI one. It
 * lives as long as `c`. */
void *mw_comm_mpi_handle(struct mw_comm *c);

/* Collective, of the ranks of the MPI_Comm at that address, which is duplicated. ranks_per_host as with
 * mw_mpi_start(); one_thread: the library allows a process no second one. */
int mw_comm_mpi_open(const void *mpi_comm, uint32_t ranks_per_host, bool one_thread,
                     struct mw_comm **out) MW_NODISCARD;
bool mw_comm_mpi_networked(const struct mw_comm *c); /* some hosts are truly others */

/* Collective: another MPI_Comm of all ranks into the one at `out`, which the caller frees. */
void mw_comm_mpi_dup(struct mw_comm *c, void *out);

/* Local, no start needed: what the library itself takes in /dev/shm for so many ranks of a host,
 * and of a process's address space after its start. 0: not known for this library. */
uint64_t mw_mpi_shared_bytes(uint32_t host_ranks);
uint64_t mw_mpi_space_bytes(uint32_t host_ranks);

/* Local; for tests: the largest count given to MPI in one call, at least 1. All ranks
 * set the same. 0 restores the default, which is what an int holds. */
void mw_comm_mpi_count_limit(uint64_t n);

MW_END_DECLS
#endif
