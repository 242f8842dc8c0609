/* hosts_mpi.c -- what the hosts say to each other, by the lowest rank of each: one message each way, and
 * portions that go round all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/calls_mpi.h"

/* ---- messages between hosts ---- */

/* At most n_recv bytes come; how many there were. A host's number is its rank among the leaders. */
static uint64_t swap_piece(const struct mw_mpi_comm *m, uint32_t to, const void *send,
                           int n_send, uint32_t from, void *recv, int n_recv)
{
    MPI_Request request[2];
    MPI_Status status[2];
    int n = 0, received = 0;
    if (from != MW_NO_HOST)
        MPI_Irecv(recv, n_recv, MPI_BYTE, (int)from, MW_COMM_MPI_TAG, m->leaders,
                  &request[n++]);
    if (to != MW_NO_HOST)
        MPI_Isend(send, n_send, MPI_BYTE, (int)to, MW_COMM_MPI_TAG, m->leaders,
                  &request[n++]);
    mw_comm_wait(&m->base, MW_IN_EXCHANGE);
    if (n > 0)
        mw_mpi_wait_for(m, n, request, status);
    mw_comm_work(&m->base);
    if (from != MW_NO_HOST)
        MPI_Get_count(&status[0], MPI_BYTE, &received);
    return (uint64_t)received;
}

/* One message, unless there may be more than one can carry: then sizes go first. */
int mw_mpi_swap(struct mw_comm *c, struct mw_swap *x)
{
    const struct mw_mpi_comm *m = mw_mpi_of(c);
    x->received = 0;
    if (c->host_rank != 0)
        return MW_OK;
    if (x->room <= mw_mpi_count_limit) {
        x->received =
            swap_piece(m, x->to, x->send, (int)x->bytes, x->from, x->recv, (int)x->room);
        return MW_OK;
    }
    swap_piece(m, x->to, &x->bytes, sizeof x->bytes, x->from, &x->received,
               sizeof x->received);
    for (uint64_t at = 0; at < mw_max(x->bytes, x->received); at += mw_mpi_count_limit)
        swap_piece(m, at < x->bytes ? x->to : MW_NO_HOST, (const char *)x->send + at,
                   mw_mpi_piece(x->bytes, at), at < x->received ? x->from : MW_NO_HOST,
                   (char *)x->recv + at, mw_mpi_piece(x->received, at));
    return MW_OK;
}

/* ---- portions ---- */

/* Neighbouring ranks of a host; n = 0: there are none. */
struct run {
    uint32_t first, n;
};

static struct run next_run(const struct mw_mpi_comm *m, uint32_t host, struct run last)
{
    const uint32_t end = m->span[host].end;
    struct run run = {last.first + last.n, 0};
    while (run.first < end && m->host_of[run.first] != host)
        run.first++;
    while (run.first + run.n < end && m->host_of[run.first + run.n] == host)
        run.n++;
    return run;
}

/* The portions of one host go to the next one, those of another come from the one before. */
static int pass_on(struct mw_comm *c, char *window, uint64_t portion, uint32_t out,
                   uint32_t in)
{
    const struct mw_mpi_comm *m = mw_mpi_of(c);
    struct run from = {m->span[out].first, 0}, to = {m->span[in].first, 0};
    int rc = MW_OK;
    while (rc == MW_OK) {
        from = next_run(m, out, from);
        to = next_run(m, in, to);
        struct mw_swap x = {.to = from.n > 0 ? (c->host + 1) % c->n_hosts : MW_NO_HOST,
                            .from = to.n > 0 ? (c->host + c->n_hosts - 1) % c->n_hosts
                                             : MW_NO_HOST,
                            .send = window + from.first * portion,
                            .bytes = from.n * portion,
                            .recv = window + to.first * portion,
                            .room = c->size * portion}; /* the same everywhere */
        if (from.n == 0 && to.n == 0)
            break;
        rc = mw_mpi_swap(c, &x);
    }
    return rc;
}

/* Between hosts only their lowest ranks talk, in a ring: what came in one step goes on in the next, and
 * each link carries every portion once. */
int mw_mpi_share(struct mw_comm *c, void *window, uint64_t portion)
{
    MW_NEED(mw_mpi_host_barrier(c));
    for (uint32_t i = 0; c->host_rank == 0 && i + 1 < c->n_hosts; i++)
        MW_NEED(pass_on(c, (char *)window, portion,
                        (c->host + c->n_hosts - i) % c->n_hosts,
                        (c->host + c->n_hosts - i - 1) % c->n_hosts));
    return mw_mpi_host_barrier(c);
}
