/* calls_mpi.h -- a communicator over MPI from inside, and how MPI is called for it.
 *
 *      comm_mpi.c       the collectives over all ranks; opens and closes
 *      exchange_mpi.c   each rank's stretches to all others
 *      window_mpi.c     memory that the ranks of a host share
 *      hosts_mpi.c      messages between hosts
 *
 * Waiting has two forms. As long as every thread has a processor the blocking calls are
 * quicker. When threads outnumber processors a blocked MPICH rank keeps spinning and starves
 * the one it waits for, so every operation is started nonblocking and polled, and the
 * processor is given up between polls. Ranks know of each other at the start, of threads
 * when a world has placed them.
 *
 * MPI counts are ints. No call gets more than `mw_mpi_count_limit`; longer data go in pieces,
 * which the tests try with a limit of a few bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CALLS_MPI_H
#define MW_CALLS_MPI_H

#include "mpe/comm_mpi.h"

#include <mpi.h>

enum { MW_MPI_REQUESTS = 32 }; /* in flight at most */

struct mw_mpi_window; /* window_mpi.c */

/* The ranks of a host: the first one, and where there are no more. */
struct mw_mpi_span {
    uint32_t first, end;
};

struct mw_mpi_comm {
    struct mw_comm base;
    MPI_Comm all, on_host;
    MPI_Comm leaders; /* the lowest rank of each host; MPI_COMM_NULL on the others */
    /* all, for sums that nobody waits in, so that one that is never ended meets no other */
    MPI_Comm sums;
    MPI_Request sum_request;
    uint64_t sum[MW_COMM_SUMS];
    struct mw_mpi_window *windows;
    uint32_t *host_of;
    struct mw_mpi_span *span; /* [n_hosts] */
    bool networked;           /* some ranks reach each other over a network only */
};

static inline struct mw_mpi_comm *mw_mpi_of(struct mw_comm *c)
{
    return (struct mw_mpi_comm *)c;
}

extern uint64_t mw_mpi_count_limit;
static inline int mw_mpi_piece(uint64_t bytes, uint64_t at)
{
    return (int)mw_min(bytes - at, mw_mpi_count_limit);
}

void mw_mpi_wait_for(const struct mw_mpi_comm *m, int n, MPI_Request *request,
                     MPI_Status *status);
void mw_mpi_wait_all(const struct mw_mpi_comm *m, int n, MPI_Request *request);

/* A collective of MPI in the form that fits: `blocking`, or `started` with a request behind the same
 * arguments. */
#define MW_MPI_CALL(m, what, blocking, started, ...)                                     \
    do {                                                                                 \
        MPI_Request request_;                                                            \
        mw_comm_wait(&(m)->base, (what));                                                \
        if (!(m)->base.crowded) {                                                        \
            blocking(__VA_ARGS__);                                                       \
        } else {                                                                         \
            started(__VA_ARGS__, &request_);                                             \
            mw_mpi_wait_all((m), 1, &request_);                                          \
        }                                                                                \
        mw_comm_work(&(m)->base);                                                        \
    } while (0)

/* Among the ranks of `comm`; the second in place. */
void mw_mpi_barrier_on(const struct mw_mpi_comm *m, MPI_Comm comm);
void mw_mpi_reduce_on(const struct mw_mpi_comm *m, MPI_Comm comm, void *data, int n,
                      MPI_Datatype type, MPI_Op op);

/* Of struct mw_comm_ops. */
int mw_mpi_exchange(struct mw_comm *c, const void *send, const uint64_t *send_bytes,
                    void **recv, uint64_t *recv_bytes);
int mw_mpi_host_alloc(struct mw_comm *c, const char *what, uint64_t bytes, void **out);
void mw_mpi_host_free(struct mw_comm *c, void *p);
int mw_mpi_host_barrier(struct mw_comm *c);
int mw_mpi_share(struct mw_comm *c, void *window, uint64_t portion);
int mw_mpi_swap(struct mw_comm *c, struct mw_swap *x);

/* Collective over a host: all that is still there, which close() gives back. */
void mw_mpi_windows_free(struct mw_mpi_comm *m);

#endif
