/* comm_mpi.c -- the collectives over MPI, and its start and finish.
 *
 * One duplicated communicator carries everything; a second one joins the ranks that
 * share a host (or a pretended one) for memory seen by all of them.
 *
 * Waiting has two forms. As long as every thread has a processor the blocking calls are
 * quicker. When threads outnumber processors a blocked MPICH rank keeps spinning and starves
 * the one it waits for, so every operation is started nonblocking and polled, and the
 * processor is given up between polls. Ranks know of each other at the start, of threads
 * when a world has placed them. MPI_Win_allocate_shared() has no such form, and is called
 * only where shared_parts.h does not serve.
 *
 * MPI counts are ints. No call gets more than `count_limit`; longer data go in pieces,
 * which the tests try with a limit of a few bytes.
 *
 * Errors of MPI itself are fatal (its default), but for the allocation of shared
 * memory, which can fail for reasons that a user can mend.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/comm_mpi.h"

#include "base/mem.h"
#include "base/resident.h"
#include "base/wait.h"
#include "cpe/mask.h"
#include "mpe/launcher.h"
#include "mpe/shared_parts.h"
#include "mpe/ucx.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { MAX_PIECES = 16, MAX_REQUESTS = 2 * MAX_PIECES /* in flight, both ways */ };

static const double linger_s = 0.1; /* before MPI ends, between machines */
static uint64_t count_limit = INT_MAX;
static bool started_here; /* MPI_Init_thread() was ours, so MPI_Finalize() is */

struct window {
    struct window *next;
    void *p;
    MPI_Win win;   /* MPI_WIN_NULL: plain memory, this host has one rank, or parts */
    bool in_parts; /* each rank's in a file of its own */
    uint64_t bytes, mine; /* shared, and this rank's part; 0: not shared */
};

/* The ranks of a host: the first one, and where there are no more. */
struct span {
    uint32_t first, end;
};

struct mpi_comm {
    struct mw_comm base;
    MPI_Comm all, on_host;
    MPI_Comm leaders; /* the lowest rank of each host; MPI_COMM_NULL on the others */
    MPI_Comm
        sums; /* all, for sums that nobody waits in, so that one that is never ended meets no other */
    MPI_Request sum_request;
    uint64_t sum[MW_COMM_SUMS];
    struct window *windows;
    uint32_t *host_of;
    struct span *span; /* [n_hosts] */
    bool networked;    /* some ranks reach each other over a network only */
};

static struct mpi_comm *mpi_of(struct mw_comm *c)
{
    return (struct mpi_comm *)c;
}

static int piece(uint64_t bytes, uint64_t at)
{
    return (int)mw_min(bytes - at, count_limit);
}

/* ---- waiting ---- */

static void wait_for(const struct mpi_comm *c, int n, MPI_Request *request,
                     MPI_Status *status)
{
    struct mw_waiting waiting = {0};
    int done = 0;
    if (!c->base.crowded) {
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
static void wait_all(const struct mpi_comm *c, int n, MPI_Request *request)
{
    MPI_Status status[MAX_REQUESTS];
    wait_for(c, n, request, status);
}

static void barrier_on(const struct mpi_comm *c, MPI_Comm comm)
{
    MPI_Request request;
    mw_comm_wait(&c->base, MW_IN_BARRIER);
    if (!c->base.crowded) {
        MPI_Barrier(comm);
    } else {
        MPI_Ibarrier(comm, &request);
        wait_all(c, 1, &request);
    }
    mw_comm_work(&c->base);
}

static void broadcast_on(const struct mpi_comm *c, MPI_Comm comm, void *data, int bytes,
                         uint32_t root)
{
    MPI_Request request;
    mw_comm_wait(&c->base, MW_IN_BROADCAST);
    if (!c->base.crowded) {
        MPI_Bcast(data, bytes, MPI_BYTE, (int)root, comm);
    } else {
        MPI_Ibcast(data, bytes, MPI_BYTE, (int)root, comm, &request);
        wait_all(c, 1, &request);
    }
    mw_comm_work(&c->base);
}

static void reduce_on(const struct mpi_comm *c, MPI_Comm comm, void *data, int n,
                      MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    mw_comm_wait(&c->base, MW_IN_REDUCTION);
    if (!c->base.crowded) {
        MPI_Allreduce(MPI_IN_PLACE, data, n, type, op, comm);
    } else {
        MPI_Iallreduce(MPI_IN_PLACE, data, n, type, op, comm, &request);
        wait_all(c, 1, &request);
    }
    mw_comm_work(&c->base);
}

/* ---- collectives over all ranks ---- */

/* Turns the order of unsigned numbers into that of signed ones, and back. */
static void flip_sign(uint64_t *value, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        value[i] ^= UINT64_C(1) << 63;
}

/* Signed on purpose: MPICH 4.0.2 and Open MPI 4.1.2 to 4.1.4 compare MPI_UINT64_T as if
 * it were signed (pmodels/mpich#6083, open-mpi/ompi#10525). A sum is the same in both. */
static int mpi_reduce(struct mw_comm *c, uint64_t *value, uint32_t n, enum mw_reduce how)
{
    const MPI_Op op = how == MW_SUM ? MPI_SUM : how == MW_MAX ? MPI_MAX : MPI_MIN;
    const MPI_Datatype type = how == MW_SUM ? MPI_UINT64_T : MPI_INT64_T;
    if (how != MW_SUM)
        flip_sign(value, n);
    for (uint64_t at = 0; at < n; at += count_limit)
        reduce_on(mpi_of(c), mpi_of(c)->all, value + at, piece(n, at), type, op);
    if (how != MW_SUM)
        flip_sign(value, n);
    return MW_OK;
}

static int mpi_sum_begin(struct mw_comm *c, const uint64_t *value, uint32_t n)
{
    struct mpi_comm *m = mpi_of(c);
    memcpy(m->sum, value, n * sizeof *value);
    MPI_Iallreduce(MPI_IN_PLACE, m->sum, (int)n, MPI_UINT64_T, MPI_SUM, m->sums,
                   &m->sum_request);
    return MW_OK;
}

static int mpi_sum_test(struct mw_comm *c, uint64_t *value, uint32_t n)
{
    struct mpi_comm *m = mpi_of(c);
    MPI_Status status;
    int done;
    MPI_Testall(1, &m->sum_request, &done, &status);
    if (!done)
        return MW_AGAIN;
    memcpy(value, m->sum, n * sizeof *value);
    return MW_OK;
}

static int mpi_barrier(struct mw_comm *c)
{
    barrier_on(mpi_of(c), mpi_of(c)->all);
    return MW_OK;
}

static int mpi_broadcast(struct mw_comm *c, void *data, uint64_t bytes, uint32_t root)
{
    for (uint64_t at = 0; at < bytes; at += count_limit)
        broadcast_on(mpi_of(c), mpi_of(c)->all, (char *)data + at, piece(bytes, at),
                     root);
    return MW_OK;
}

/* Piece by piece; the type of a piece is as far from the next rank's as `all` has it,
 * so MPI multiplies with its own wide integers and not with our ints. */
static int mpi_gather(struct mw_comm *c, const void *mine, uint64_t bytes, void *all)
{
    const struct mpi_comm *m = mpi_of(c);
    for (uint64_t at = 0; at < bytes; at += count_limit) {
        const int length = piece(bytes, at);
        MPI_Datatype plain, spread;
        MPI_Request request;
        MPI_Type_contiguous(length, MPI_BYTE, &plain);
        MPI_Type_create_resized(plain, 0, (MPI_Aint)bytes, &spread);
        MPI_Type_commit(&spread);
        const char *from = (const char *)mine + at;
        char *to = (char *)all + at;
        mw_comm_wait(c, MW_IN_GATHER);
        if (c->crowded) {
            MPI_Iallgather(from, length, MPI_BYTE, to, 1, spread, m->all, &request);
            wait_all(m, 1, &request);
        } else {
            MPI_Allgather(from, length, MPI_BYTE, to, 1, spread, m->all);
        }
        mw_comm_work(c);
        MPI_Type_free(&spread);
        MPI_Type_free(&plain);
    }
    return MW_OK;
}

/* ---- exchange ---- */

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
static void exchange_at_once(struct mpi_comm *m, const struct exchange *x)
{
    const uint32_t n = m->base.size;
    int *const out = x->counts, *const out_at = out + n;
    int *const in = out_at + n, *const in_at = in + n;
    MPI_Request request;
    for (uint32_t r = 0; r < n; r++) {
        out[r] = (int)x->send_bytes[r];
        out_at[r] = (int)x->send_at[r];
        in[r] = (int)x->recv_bytes[r];
        in_at[r] = (int)x->recv_at[r];
    }
    mw_comm_wait(&m->base, MW_IN_EXCHANGE);
    if (!m->base.crowded) {
        MPI_Alltoallv(x->send, out, out_at, MPI_BYTE, x->recv, in, in_at, MPI_BYTE,
                      m->all);
    } else {
        MPI_Ialltoallv(x->send, out, out_at, MPI_BYTE, x->recv, in, in_at, MPI_BYTE,
                       m->all, &request);
        wait_all(m, 1, &request);
    }
    mw_comm_work(&m->base);
}

/* Round k of a set of partners: piece k of what each still has to get and to give.
 * Returns how many messages there were. */
static int exchange_round(struct mpi_comm *m, const struct exchange *x, uint32_t first,
                          uint32_t n_steps, uint64_t at)
{
    const uint32_t size = m->base.size, me = m->base.rank;
    MPI_Request request[MAX_REQUESTS];
    int n = 0;
    for (uint32_t s = first; s < first + n_steps; s++) {
        const uint32_t to = (me + s) % size, from = (me + size - s) % size;
        if (x->recv_bytes[from] > at)
            MPI_Irecv(x->recv + x->recv_at[from] + at, piece(x->recv_bytes[from], at),
                      MPI_BYTE, (int)from, MW_COMM_MPI_TAG, m->all, &request[n++]);
        if (x->send_bytes[to] > at)
            MPI_Isend(x->send + x->send_at[to] + at, piece(x->send_bytes[to], at),
                      MPI_BYTE, (int)to, MW_COMM_MPI_TAG, m->all, &request[n++]);
    }
    mw_comm_wait(&m->base, MW_IN_EXCHANGE);
    if (n > 0)
        wait_all(m, n, request);
    mw_comm_work(&m->base);
    return n;
}

/* Displacements of MPI_Alltoallv are ints too, so pieces alone would not help: large
 * data go pairwise. In step s each rank sends s ranks ahead and receives from s ranks
 * behind. All take the steps, and the pieces of a step, in the same order, so the
 * least advanced message always has both its ends waiting: no cycle. */
static void exchange_pairwise(struct mpi_comm *m, const struct exchange *x)
{
    const uint32_t size = m->base.size, me = m->base.rank;
    if (x->send_bytes[me] > 0)
        memcpy(x->recv + x->recv_at[me], x->send + x->send_at[me], x->send_bytes[me]);
    for (uint32_t s = 1; s < size; s += MAX_PIECES) {
        const uint32_t n_steps = (uint32_t)mw_min(MAX_PIECES, size - s);
        for (uint64_t at = 0; exchange_round(m, x, s, n_steps, at) > 0;)
            at += count_limit;
    }
}

static void exchange_sizes(struct mpi_comm *m, const uint64_t *mine, uint64_t *theirs)
{
    MPI_Request request;
    mw_comm_wait(&m->base, MW_IN_EXCHANGE);
    if (!m->base.crowded) {
        MPI_Alltoall(mine, 1, MPI_UINT64_T, theirs, 1, MPI_UINT64_T, m->all);
    } else {
        MPI_Ialltoall(mine, 1, MPI_UINT64_T, theirs, 1, MPI_UINT64_T, m->all, &request);
        wait_all(m, 1, &request);
    }
    mw_comm_work(&m->base);
}

static int prepare(struct mpi_comm *m, struct exchange *x)
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

static int mpi_exchange(struct mw_comm *c, const void *send, const uint64_t *send_bytes,
                        void **recv, uint64_t *recv_bytes)
{
    int rc;
    struct mpi_comm *m = mpi_of(c);
    struct exchange x = {
        .send = send, .send_bytes = send_bytes, .recv_bytes = recv_bytes};
    exchange_sizes(m, send_bytes, recv_bytes);
    MW_TRY(rc, mw_comm_agree(c, prepare(m, &x)));
    uint64_t most = mw_max(x.n_sent, x.n_received);
    MW_TRY(rc, mw_comm_max(c, &most, 1));
    if (most <= count_limit)
        exchange_at_once(m, &x);
    else
        exchange_pairwise(m, &x);
    *recv = x.recv;
    x.recv = NULL;
end:
    mw_free(x.recv);
    mw_free(x.counts);
    mw_free(x.recv_at);
    mw_free(x.send_at);
    return rc;
}

/* ---- memory shared by a host ---- */

/* A full /dev/shm is a SIGBUS at the first touch, so it is asked before. */
static int room_for(const char *what, uint64_t bytes)
{
    struct statvfs shm;
    if (statvfs("/dev/shm", &shm) != 0)
        return MW_OK; /* MPI keeps shared memory elsewhere */
    const uint64_t room = (uint64_t)shm.f_bavail * shm.f_frsize;
    if (bytes <= room)
        return MW_OK;
    return mw_fail(
        MW_ERR_NOMEM,
        "%s: %llu bytes shared by the ranks of a host, but /dev/shm has room "
        "for %llu: enlarge it (mount -o remount,size=..., docker run --shm-size) "
        "or start fewer ranks with more --threads",
        what, (unsigned long long)bytes, (unsigned long long)room);
}

/* Like mw_comm_agree(), among the ranks of a host. */
static int agree_on_host(struct mpi_comm *m, const char *what, int rc)
{
    int worst = rc;
    reduce_on(m, m->on_host, &worst, 1, MPI_INT, MPI_MIN);
    if (worst < MW_OK && rc == MW_OK)
        return mw_fail(worst, "%s: not on another rank of this host", what);
    return worst;
}

/* One file for each rank's part, of what is small for the first ranks only; w->p stays NULL where
 * that is not to be had. */
static int allocate_parts(struct mpi_comm *m, const char *what, uint64_t bytes,
                          struct window *w)
{
    const uint32_t n = m->base.host_size, me = m->base.host_rank;
    const uint64_t part_bytes = mw_shared_part_bytes(bytes, n);
    const uint64_t from = mw_min(part_bytes * me, bytes);
    int rc = MW_OK;
    /* What others have is 0 here, so the sum is everybody's; fd is 0 there for none. */
    struct mw_shared_part *part =
        mw_alloc("parts of shared memory", n, sizeof(struct mw_shared_part));
    MW_TRY(rc, agree_on_host(m, what, part == NULL ? MW_ERR_NOMEM : MW_OK));
    struct mw_shared_part mine = {.fd = -1};
    if (from < bytes)
        mw_shared_part_make(mw_min(part_bytes, bytes - from), &mine);
    part[me] = mine;
    part[me].fd++;
    reduce_on(m, m->on_host, part, (int)(4 * n), MPI_UINT64_T, MPI_SUM);
    for (uint32_t i = 0; i < n; i++)
        part[i].fd--;
    w->p = mw_shared_parts_map(part, n, part_bytes, bytes);
    int mapped = w->p != NULL;
    reduce_on(m, m->on_host, &mapped, 1, MPI_INT, MPI_MIN);
    if (mine.fd >= 0)
        close((int)mine.fd);
    w->in_parts = mapped;
    if (!mapped && w->p != NULL) {
        mw_shared_parts_unmap(w->p, bytes);
        w->p = NULL;
    }
end:
    mw_free(part);
    return rc;
}

static int allocate_shared(struct mpi_comm *m, const char *what, uint64_t bytes,
                           struct window *w)
{
    const MPI_Aint mine = m->base.host_rank == 0 ? (MPI_Aint)bytes : 0;
    void *own;
    MPI_Aint size;
    int unit;
    mw_comm_wait(&m->base, MW_IN_SETUP);
    const int made =
        MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, m->on_host, &own, &w->win);
    mw_comm_work(&m->base);
    if (made != MPI_SUCCESS) {
        w->win = MPI_WIN_NULL;
        return mw_fail(MW_ERR_NOMEM, "%s: MPI gives no %llu bytes of shared memory", what,
                       (unsigned long long)bytes);
    }
    MPI_Win_shared_query(w->win, 0, &size, &unit, &w->p);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win); /* an epoch for MPI_Win_sync() */
    return MW_OK;
}

/* Each rank touches or clears its part, so that its pages lie near it. */
static void clear_my_part(const struct mw_comm *c, struct window *w, uint64_t bytes)
{
    const uint64_t part = mw_shared_part_bytes(bytes, c->host_size);
    const uint64_t from = mw_min(bytes, part * c->host_rank);
    char *const mine = (char *)w->p + from;
    w->bytes = bytes;
    w->mine = mw_min(bytes - from, part);
    mw_resident_shares(w->bytes, w->mine);
    if (!w->in_parts)
        memset(mine, 0, w->mine);
    else if (c->touch_dealer != NULL && w->mine > mw_shared_part_bytes(1, 1))
        c->touch_dealer(c->touch_arg, mw_shared_part_touch, mine, w->mine);
    else
        mw_shared_part_touch(mine, w->mine);
}

static int mpi_host_barrier(struct mw_comm *c)
{
    struct mpi_comm *m = mpi_of(c);
    for (const struct window *w = m->windows; w != NULL; w = w->next)
        if (w->win != MPI_WIN_NULL)
            MPI_Win_sync(w->win);
    /* R1: this rank's stores are seen by whoever has passed; pairs with A1. */
    MW_FENCE();
    barrier_on(m, m->on_host);
    /* A1: the other ranks' stores before R1 are seen from here on. */
    MW_FENCE();
    for (const struct window *w = m->windows; w != NULL; w = w->next)
        if (w->win != MPI_WIN_NULL)
            MPI_Win_sync(w->win);
    return MW_OK;
}

static int mpi_host_alloc(struct mw_comm *c, const char *what, uint64_t bytes, void **out)
{
    int rc = MW_OK;
    struct mpi_comm *m = mpi_of(c);
    struct window *w = mw_alloc("entry of shared memory", 1, sizeof *w);
    if (w == NULL)
        rc = MW_ERR_NOMEM;
    else
        w->win = MPI_WIN_NULL;

    bytes = mw_max(bytes, 1);
    if (c->host_size == 1) {
        if (rc == MW_OK && (w->p = mw_alloc(what, bytes, 1)) == NULL)
            rc = MW_ERR_NOMEM;
    } else {
        if (rc == MW_OK && bytes > INT64_MAX)
            rc = mw_fail(MW_ERR_NOMEM, "%s: %llu bytes is more than any machine has",
                         what, (unsigned long long)bytes);
        barrier_on(m, m->on_host); /* what was freed before is unmapped everywhere */
        if (rc == MW_OK && c->host_rank == 0)
            rc = room_for(what, bytes);
        MW_TRY(rc, agree_on_host(m, what, rc));
        MW_TRY(rc, allocate_parts(m, what, bytes, w));
        if (w->p == NULL)
            MW_TRY(rc, agree_on_host(m, what, allocate_shared(m, what, bytes, w)));
        clear_my_part(c, w, bytes);
    }
    if (rc < MW_OK)
        goto end;
    w->next = m->windows;
    m->windows = w;
    *out = w->p;
    return mpi_host_barrier(c);
end:
    mw_free(w);
    return rc;
}

static void release(const struct mpi_comm *m, struct window *w)
{
    if (w->bytes > 0)
        mw_resident_unshares(w->bytes, w->mine);
    if (w->win != MPI_WIN_NULL) {
        MPI_Win_unlock_all(w->win);
        barrier_on(m, m->on_host); /* MPI_Win_free() waits too, but without yielding */
        mw_comm_wait(&m->base, MW_IN_BARRIER);
        MPI_Win_free(&w->win);
        mw_comm_work(&m->base);
    } else if (w->in_parts) {
        mw_shared_parts_unmap(w->p, w->bytes);
    } else {
        mw_free(w->p);
    }
    mw_free(w);
}

static void mpi_host_free(struct mw_comm *c, void *p)
{
    for (struct window **at = &mpi_of(c)->windows; *at != NULL; at = &(*at)->next)
        if ((*at)->p == p) {
            struct window *const w = *at;
            *at = w->next;
            release(mpi_of(c), w);
            return;
        }
}

/* ---- messages between hosts ---- */

/* At most n_recv bytes come; how many there were. A host's number is its rank among the leaders. */
static uint64_t swap_piece(const struct mpi_comm *m, uint32_t to, const void *send,
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
        wait_for(m, n, request, status);
    mw_comm_work(&m->base);
    if (from != MW_NO_HOST)
        MPI_Get_count(&status[0], MPI_BYTE, &received);
    return (uint64_t)received;
}

/* One message, unless there may be more than one can carry: then sizes go first. */
static int mpi_swap(struct mw_comm *c, struct mw_swap *x)
{
    const struct mpi_comm *m = mpi_of(c);
    x->received = 0;
    if (c->host_rank != 0)
        return MW_OK;
    if (x->room <= count_limit) {
        x->received =
            swap_piece(m, x->to, x->send, (int)x->bytes, x->from, x->recv, (int)x->room);
        return MW_OK;
    }
    swap_piece(m, x->to, &x->bytes, sizeof x->bytes, x->from, &x->received,
               sizeof x->received);
    for (uint64_t at = 0; at < mw_max(x->bytes, x->received); at += count_limit)
        swap_piece(m, at < x->bytes ? x->to : MW_NO_HOST, (const char *)x->send + at,
                   piece(x->bytes, at), at < x->received ? x->from : MW_NO_HOST,
                   (char *)x->recv + at, piece(x->received, at));
    return MW_OK;
}

/* ---- portions ---- */

/* Neighbouring ranks of a host; n = 0: there are none. */
struct run {
    uint32_t first, n;
};

static struct run next_run(const struct mpi_comm *m, uint32_t host, struct run last)
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
    const struct mpi_comm *m = mpi_of(c);
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
        rc = mpi_swap(c, &x);
    }
    return rc;
}

/* Between hosts only their lowest ranks talk, in a ring: what came in one step goes on in the next, and
 * each link carries every portion once. */
static int mpi_share(struct mw_comm *c, void *window, uint64_t portion)
{
    MW_NEED(mpi_host_barrier(c));
    for (uint32_t i = 0; c->host_rank == 0 && i + 1 < c->n_hosts; i++)
        MW_NEED(pass_on(c, (char *)window, portion,
                        (c->host + c->n_hosts - i) % c->n_hosts,
                        (c->host + c->n_hosts - i - 1) % c->n_hosts));
    return mpi_host_barrier(c);
}

/* ---- start and finish ---- */

static void mpi_close(struct mw_comm *c)
{
    struct mpi_comm *m = mpi_of(c);
    c->pulse = NULL; /* one of the windows */
    while (m->windows != NULL)
        mpi_host_free(c, m->windows->p);
    if (m->leaders != MPI_COMM_NULL)
        MPI_Comm_free(&m->leaders);
    if (m->on_host != MPI_COMM_NULL)
        MPI_Comm_free(&m->on_host);
    MPI_Comm_free(&m->sums);
    if (m->all != MPI_COMM_NULL)
        MPI_Comm_free(&m->all);
    mw_free(m->host_of);
    mw_free(m->span);
    mw_free(m);
}

static const struct mw_comm_ops mpi_ops = {
    .reduce = mpi_reduce,
    .barrier = mpi_barrier,
    .gather = mpi_gather,
    .broadcast = mpi_broadcast,
    .exchange = mpi_exchange,
    .host_alloc = mpi_host_alloc,
    .host_free = mpi_host_free,
    .host_barrier = mpi_host_barrier,
    .share = mpi_share,
    .swap = mpi_swap,
    .sum_begin = mpi_sum_begin,
    .sum_test = mpi_sum_test,
    .close = mpi_close,
};

static uint32_t rank_in(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return (uint32_t)rank;
}

static uint32_t size_of(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return (uint32_t)size;
}

/* Ranks of the real machine against the processors that their masks allow together.
 * Pretended hosts share the real one's processors evenly. */
static void count_cores(struct mpi_comm *m, MPI_Comm shared, uint32_t ranks_per_host)
{
    struct mw_mask mask;
    int64_t crowded;
    mw_mask_of_self(&mask);
    MPI_Allreduce(MPI_IN_PLACE, mask.word, MW_MASK_WORDS, MPI_UINT64_T, MPI_BOR, shared);
    const uint32_t n_ranks = size_of(shared), n_cpus = mw_mask_count(&mask);
    const uint32_t n_parts =
        ranks_per_host > 0 ? (n_ranks + ranks_per_host - 1) / ranks_per_host : 1;
    m->base.n_cores = n_cpus > n_parts ? n_cpus / n_parts : 1;
    crowded = n_ranks > n_cpus;
    MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT64_T, MPI_MAX, m->all);
    m->base.oversubscribed = m->base.crowded = crowded != 0;
}

static void find_hosts(struct mpi_comm *m, uint32_t ranks_per_host)
{
    MPI_Comm shared;
    MPI_Comm_split_type(m->all, MPI_COMM_TYPE_SHARED, (int)m->base.rank, MPI_INFO_NULL,
                        &shared);
    const int part = ranks_per_host > 0 ? (int)(rank_in(shared) / ranks_per_host) : 0;
    MPI_Comm_split(shared, part, (int)m->base.rank, &m->on_host);
    MPI_Comm_set_errhandler(m->on_host, MPI_ERRORS_RETURN);
    m->base.host_rank = rank_in(m->on_host);
    m->base.host_size = size_of(m->on_host);
    m->base.real_host_rank = rank_in(shared);
    count_cores(m, shared, ranks_per_host);
    m->networked = size_of(shared) < m->base.size;
    MPI_Comm_free(&shared);
}

/* Each rank tells the lowest rank of its host, and hosts are numbered by it. */
static void number_hosts(struct mpi_comm *m)
{
    struct mw_comm *c = &m->base;
    uint32_t lowest = c->rank;
    MPI_Bcast(&lowest, 1, MPI_UINT32_T, 0, m->on_host);
    MPI_Allgather(&lowest, 1, MPI_UINT32_T, m->host_of, 1, MPI_UINT32_T, m->all);
    for (uint32_t r = 0; r < c->size; r++) {
        const bool first = m->host_of[r] == r;
        m->host_of[r] = first ? c->n_hosts++ : m->host_of[m->host_of[r]];
        struct span *span = &m->span[m->host_of[r]];
        *span = (struct span){first ? r : span->first, r + 1};
    }
    c->host = m->host_of[c->rank];
    c->host_of = m->host_of;
}

/* FUNNELED is what threads need; with SINGLE a process may have only one. */
static bool start_library(int *argc, char ***argv)
{
    int running, level;
    MPI_Initialized(&running);
    if (running) {
        MPI_Query_thread(&level);
    } else {
        MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
        started_here = true;
    }
    return level < MPI_THREAD_FUNNELED;
}

/* An allocation that fails on one rank fails on all: the first word is about it. */
static int all_have(MPI_Comm comm, bool mine)
{
    int all = mine;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
    if (all == 0 && mine)
        return mw_fail(MW_ERR_NOMEM, "communicator: out of memory on another rank");
    return all != 0 ? MW_OK : MW_ERR_NOMEM;
}

/* Collective: of the ranks of that communicator. */
static int open_on(MPI_Comm of, uint32_t ranks_per_host, bool one_thread,
                   struct mw_comm **out)
{
    int rc = MW_OK;
    struct mpi_comm *m = NULL;
    uint32_t *host_of = NULL;
    struct span *span = NULL;
    void *pulse = NULL;
    const uint32_t size = size_of(of);
    m = mw_alloc("communicator", 1, sizeof *m);
    host_of = mw_alloc("hosts of the ranks", size, sizeof *host_of);
    span = mw_alloc("ranks of the hosts", size, sizeof *span);
    MW_TRY(rc, all_have(of, m != NULL && host_of != NULL && span != NULL));

    m->base.ops = &mpi_ops;
    m->base.one_thread = one_thread;
    m->host_of = host_of;
    m->span = span;
    MPI_Comm_dup(of, &m->all);
    MPI_Comm_dup(of, &m->sums);
    m->base.rank = rank_in(m->all);
    m->base.size = size;
    find_hosts(m, ranks_per_host);
    number_hosts(m);
    MPI_Comm_split(m->all, m->base.host_rank == 0 ? 0 : MPI_UNDEFINED, (int)m->base.rank,
                   &m->leaders);
    rc = mw_comm_host_alloc(&m->base, "heartbeats",
                            m->base.host_size * sizeof *m->base.pulse, &pulse);
    rc = mw_comm_agree(&m->base, rc);
    if (rc != MW_OK) {
        mpi_close(&m->base);
        return rc;
    }
    m->base.pulse = pulse;
    *out = &m->base;
    return MW_OK;
end:
    mw_free(host_of);
    mw_free(span);
    mw_free(m);
    return rc;
}

int mw_mpi_start(int *argc, char ***argv, uint32_t ranks_per_host, struct mw_comm **out)
{
    int rc = MW_OK;
    int running;
    MPI_Initialized(&running);
    if (!running)
        rc = mw_ucx_prepare();
    if (rc < MW_OK)
        return rc;
    const bool one_thread = start_library(argc, argv);
    rc = mw_launcher_check(size_of(MPI_COMM_WORLD));
    return rc < MW_OK ? rc : open_on(MPI_COMM_WORLD, ranks_per_host, one_thread, out);
}

/* Once some ranks only wait; and who has started all. */
static bool some_wait;
static pid_t starter;

int mw_mpi_fewer(struct mw_comm **c, uint32_t n)
{
    const uint32_t rank = (*c)->rank;
    const bool one_thread = (*c)->one_thread;
    int rc = MW_OK;
    MPI_Comm fewer;
    mw_comm_close(*c);
    *c = NULL;
    some_wait = true;
    starter = getppid();
    MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, (int)rank, &fewer);
    if (fewer == MPI_COMM_NULL)
        return MW_OK;
    rc = open_on(fewer, 0, one_thread, c);
    MPI_Comm_free(&fewer);
    return rc;
}

/* Who waits for the others takes no core from them, and does not outlive who started all. */
static void wait_for_others(void)
{
    static const struct timespec nap = {.tv_nsec = 1000000};
    MPI_Request request;
    MPI_Status status;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Testall(1, &request, &done, &status);
        if (done)
            return;
        if (getppid() != starter)
            _Exit(EXIT_FAILURE);
        nanosleep(&nap, NULL);
    }
}

/* MPICH 4.0 over UCX and TCP takes its connections down one side after the other, and a
 * rank that is through with its own no longer answers, so that the other may wait in
 * MPI_Finalize() for ever: two hosts of one rank did in a third of the runs. So there all
 * meet, look for what is still on its way for a moment, tell Hydra and leave; unless a
 * tool stands in for MPI_Finalize(), which may have something to write. */
static bool ends_without(const struct mpi_comm *m)
{
    return m->networked && mw_ucx_carries() && getenv("MPI_LOCALNRANKS") != NULL &&
           MPI_Finalize == PMPI_Finalize;
}

static void linger(void)
{
    MPI_Request request;
    MPI_Status status;
    int there, done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (; !done; sched_yield())
        MPI_Testall(1, &request, &done, &status);
    for (const double end = mw_now() + linger_s; mw_now() < end; sched_yield())
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
}

void mw_mpi_finish(struct mw_comm *c)
{
    int finished;
    const bool without = started_here && c != NULL && ends_without(mpi_of(c));
    mw_comm_close(c);
    MPI_Finalized(&finished);
    if (some_wait && !finished)
        wait_for_others();
    if (without) {
        linger();
        mw_launcher_leave();
    } else if (started_here && !finished) {
        MPI_Finalize();
    }
    some_wait = false;
    started_here = false;
}

void mw_mpi_abort(int exit_code)
{
    int running, finished;
    MPI_Initialized(&running);
    MPI_Finalized(&finished);
    if (running && !finished) {
        mw_launcher_let_read(STDERR_FILENO);
        MPI_Abort(MPI_COMM_WORLD, exit_code);
    }
    _Exit(exit_code);
}

/* Its first line, with single blanks. */
const char *mw_mpi_version(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    char *to = text;
    MPI_Get_library_version(text, &length);
    for (const char *from = text; *from != '\0' && *from != '\n'; from++)
        if (*from > ' ')
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
    return text;
}

bool mw_comm_is_mpi(const struct mw_comm *c)
{
    return c->ops == &mpi_ops;
}

void *mw_comm_mpi_handle(struct mw_comm *c)
{
    return mw_comm_is_mpi(c) ? &mpi_of(c)->all : NULL;
}

void mw_comm_mpi_dup(struct mw_comm *c, void *out)
{
    MPI_Request request;
    mw_comm_wait(c, MW_IN_SETUP);
    MPI_Comm_idup(mpi_of(c)->all, out, &request);
    wait_all(mpi_of(c), 1, &request);
    mw_comm_work(c);
}

void mw_comm_mpi_count_limit(uint64_t n)
{
    count_limit = n > 0 ? mw_min(n, INT_MAX) : INT_MAX;
}
