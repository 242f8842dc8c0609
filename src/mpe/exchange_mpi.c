/* exchange_mpi.c -- each rank's stretches to all others, over MPI.
 *
 * What fits MPI's ints as a whole is one call; the rest goes pairwise, in pieces.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/calls_mpi.h"

#include "base/mem.h"

#include <string.h>

enum { MAX_PIECES = MW_MPI_REQUESTS / 2 }; /* in flight, each way */

struct exchange {
    const char *send;
    char *recv;
    const uint64_t *send_bytes, *recv_bytes;
    uint64_t *send_at, *recv_at; /* [size] where each rank's stretch begins */
    uint64_t n_sent, n_received; /* bytes */
    int *counts;                 /* [4 * size] for MPI */
};

static uint64_t prefix_sums(const uint64_t *bytes, uint32_t n, uint64_t *at)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < n; r++) {
        at[r] = sum;
        sum += bytes[r];
    }
    return sum;
}

/* What fits MPI's ints as a whole goes in one call. */
static void exchange_at_once(struct mw_mpi_comm *m, const struct exchange *x)
{
    const uint32_t n = m->base.size;
    int *const out = x->counts, *const out_at = out + n;
    int *const in = out_at + n, *const in_at = in + n;
    for (uint32_t r = 0; r < n; r++) {
        out[r] = (int)x->send_bytes[r];
        out_at[r] = (int)x->send_at[r];
        in[r] = (int)x->recv_bytes[r];
        in_at[r] = (int)x->recv_at[r];
    }
    MW_MPI_CALL(m, MW_IN_EXCHANGE, MPI_Alltoallv, MPI_Ialltoallv, x->send, out, out_at,
                MPI_BYTE, x->recv, in, in_at, MPI_BYTE, m->all);
}

/* Round k of a set of partners: piece k of what each still has to get and to give.
 * Returns how many messages there were. */
static int exchange_round(struct mw_mpi_comm *m, const struct exchange *x, uint32_t first,
                          uint32_t n_steps, uint64_t at)
{
    const uint32_t size = m->base.size, me = m->base.rank;
    MPI_Request request[MW_MPI_REQUESTS];
    int n = 0;
    for (uint32_t s = first; s < first + n_steps; s++) {
        const uint32_t to = (me + s) % size, from = (me + size - s) % size;
        if (x->recv_bytes[from] > at)
            MPI_Irecv(x->recv + x->recv_at[from] + at,
                      mw_mpi_piece(x->recv_bytes[from], at), MPI_BYTE, (int)from,
                      MW_COMM_MPI_TAG, m->all, &request[n++]);
        if (x->send_bytes[to] > at)
            MPI_Isend(x->send + x->send_at[to] + at, mw_mpi_piece(x->send_bytes[to], at),
                      MPI_BYTE, (int)to, MW_COMM_MPI_TAG, m->all, &request[n++]);
    }
    mw_comm_wait(&m->base, MW_IN_EXCHANGE);
    if (n > 0)
        mw_mpi_wait_all(m, n, request);
    mw_comm_work(&m->base);
    return n;
}

/* Displacements of MPI_Alltoallv are ints too, so pieces alone would not help: large
 * data go pairwise. In step s each rank sends s ranks ahead and receives from s ranks
 * behind. All take the steps, and the pieces of a step, in the same order, so the
 * least advanced message always has both its ends waiting: no cycle. */
static void exchange_pairwise(struct mw_mpi_comm *m, const struct exchange *x)
{
    const uint32_t size = m->base.size, me = m->base.rank;
    if (x->send_bytes[me] > 0)
        memcpy(x->recv + x->recv_at[me], x->send + x->send_at[me], x->send_bytes[me]);
    for (uint32_t s = 1; s < size; s += MAX_PIECES) {
        const uint32_t n_steps = (uint32_t)mw_min(MAX_PIECES, size - s);
        for (uint64_t at = 0; exchange_round(m, x, s, n_steps, at) > 0;)
            at += mw_mpi_count_limit;
    }
}

static void exchange_sizes(struct mw_mpi_comm *m, const uint64_t *mine, uint64_t *theirs)
{
    MW_MPI_CALL(m, MW_IN_EXCHANGE, MPI_Alltoall, MPI_Ialltoall, mine, 1, MPI_UINT64_T,
                theirs, 1, MPI_UINT64_T, m->all);
}

static int prepare(struct mw_mpi_comm *m, struct exchange *x)
{
    const uint32_t n = m->base.size;
    MW_NEED_NEW(x->send_at, "exchange: where to send from", n);
    MW_NEED_NEW(x->recv_at, "exchange: where to receive", n);
    MW_NEED_NEW(x->counts, "exchange: counts", UINT64_C(4) * n);
    x->n_sent = prefix_sums(x->send_bytes, n, x->send_at);
    x->n_received = prefix_sums(x->recv_bytes, n, x->recv_at);
    MW_NEED_NEW(x->recv, "exchange: received data", x->n_received);
    return MW_OK;
}

int mw_mpi_exchange(struct mw_comm *c, const void *send, const uint64_t *send_bytes,
                    void **recv, uint64_t *recv_bytes)
{
    int rc;
    struct mw_mpi_comm *m = mw_mpi_of(c);
    struct exchange x = {
        .send = send, .send_bytes = send_bytes, .recv_bytes = recv_bytes};
    exchange_sizes(m, send_bytes, recv_bytes);
    MW_TRY(rc, mw_comm_agree(c, prepare(m, &x)));
    uint64_t most = mw_max(x.n_sent, x.n_received);
    MW_TRY(rc, mw_comm_max(c, &most, 1));
    if (most <= mw_mpi_count_limit)
        exchange_at_once(m, &x);
    else
        exchange_pairwise(m, &x);
    *recv = x.recv;
    x.recv = NULL;
end:
    MW_FREE_ALL(x.recv, x.counts, x.recv_at, x.send_at);
    return rc;
}
