/* comm_mpi.c -- the collectives over MPI.
 *
 * One duplicated communicator carries everything; a second one joins the ranks that
 * share a host (or a pretended one) for memory seen by all of them.
 *
 * Errors of MPI itself are fatal (its default), but for the allocation of shared
 * memory, which can fail for reasons that a user can mend.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/calls_mpi.h"

#include "base/mem.h"
#include "cpe/mask.h"

#include <string.h>

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
    for (uint64_t at = 0; at < n; at += mw_mpi_count_limit)
        mw_mpi_reduce_on(mw_mpi_of(c), mw_mpi_of(c)->all, value + at, mw_mpi_piece(n, at),
                         type, op);
    if (how != MW_SUM)
        flip_sign(value, n);
    return MW_OK;
}

static int mpi_sum_begin(struct mw_comm *c, const uint64_t *value, uint32_t n)
{
    struct mw_mpi_comm *m = mw_mpi_of(c);
    memcpy(m->sum, value, n * sizeof *value);
    MPI_Iallreduce(MPI_IN_PLACE, m->sum, (int)n, MPI_UINT64_T, MPI_SUM, m->sums,
                   &m->sum_request);
    return MW_OK;
}

static int mpi_sum_test(struct mw_comm *c, uint64_t *value, uint32_t n)
{
    struct mw_mpi_comm *m = mw_mpi_of(c);
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
    mw_mpi_barrier_on(mw_mpi_of(c), mw_mpi_of(c)->all);
    return MW_OK;
}

static int mpi_broadcast(struct mw_comm *c, void *data, uint64_t bytes, uint32_t root)
{
    const struct mw_mpi_comm *m = mw_mpi_of(c);
    for (uint64_t at = 0; at < bytes; at += mw_mpi_count_limit)
        MW_MPI_CALL(m, MW_IN_BROADCAST, MPI_Bcast, MPI_Ibcast, (char *)data + at,
                    mw_mpi_piece(bytes, at), MPI_BYTE, (int)root, m->all);
    return MW_OK;
}

/* Piece by piece; the type of a piece is as far from the next rank's as `all` has it,
 * so MPI multiplies with its own wide integers and not with our ints. */
static int mpi_gather(struct mw_comm *c, const void *mine, uint64_t bytes, void *all)
{
    const struct mw_mpi_comm *m = mw_mpi_of(c);
    for (uint64_t at = 0; at < bytes; at += mw_mpi_count_limit) {
        const int length = mw_mpi_piece(bytes, at);
        MPI_Datatype plain, spread;
        MPI_Type_contiguous(length, MPI_BYTE, &plain);
        MPI_Type_create_resized(plain, 0, (MPI_Aint)bytes, &spread);
        MPI_Type_commit(&spread);
        const char *from = (const char *)mine + at;
        char *to = (char *)all + at;
        MW_MPI_CALL(m, MW_IN_GATHER, MPI_Allgather, MPI_Iallgather, from, length,
                    MPI_BYTE, to, 1, spread, m->all);
        MPI_Type_free(&spread);
        MPI_Type_free(&plain);
    }
    return MW_OK;
}

/* ---- opening and closing ---- */

static void mpi_close(struct mw_comm *c)
{
    struct mw_mpi_comm *m = mw_mpi_of(c);
    c->pulse = NULL; /* one of the windows */
    mw_mpi_windows_free(m);
    if (m->leaders != MPI_COMM_NULL)
        MPI_Comm_free(&m->leaders);
    if (m->on_host != MPI_COMM_NULL)
        MPI_Comm_free(&m->on_host);
    MPI_Comm_free(&m->sums);
    if (m->all != MPI_COMM_NULL)
        MPI_Comm_free(&m->all);
    MW_FREE_ALL(m->host_of, m->span, m);
}

static const struct mw_comm_ops mpi_ops = {
    .reduce = mpi_reduce,
    .barrier = mpi_barrier,
    .gather = mpi_gather,
    .broadcast = mpi_broadcast,
    .exchange = mw_mpi_exchange,
    .host_alloc = mw_mpi_host_alloc,
    .host_free = mw_mpi_host_free,
    .host_barrier = mw_mpi_host_barrier,
    .share = mw_mpi_share,
    .swap = mw_mpi_swap,
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
static void count_cores(struct mw_mpi_comm *m, MPI_Comm shared, uint32_t ranks_per_host)
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

static void find_hosts(struct mw_mpi_comm *m, uint32_t ranks_per_host)
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
static void number_hosts(struct mw_mpi_comm *m)
{
    struct mw_comm *c = &m->base;
    uint32_t lowest = c->rank;
    MPI_Bcast(&lowest, 1, MPI_UINT32_T, 0, m->on_host);
    MPI_Allgather(&lowest, 1, MPI_UINT32_T, m->host_of, 1, MPI_UINT32_T, m->all);
    for (uint32_t r = 0; r < c->size; r++) {
        const bool first = m->host_of[r] == r;
        m->host_of[r] = first ? c->n_hosts++ : m->host_of[m->host_of[r]];
        struct mw_mpi_span *span = &m->span[m->host_of[r]];
        *span = (struct mw_mpi_span){first ? r : span->first, r + 1};
    }
    c->host = m->host_of[c->rank];
    c->host_of = m->host_of;
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

int mw_comm_mpi_open(const void *mpi_comm, uint32_t ranks_per_host, bool one_thread,
                     struct mw_comm **out)
{
    const MPI_Comm of = *(const MPI_Comm *)mpi_comm;
    int rc = MW_OK;
    struct mw_mpi_comm *m = NULL;
    uint32_t *host_of = NULL;
    struct mw_mpi_span *span = NULL;
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
    MW_FREE_ALL(host_of, span, m);
    return rc;
}

bool mw_comm_is_mpi(const struct mw_comm *c)
{
    return c->ops == &mpi_ops;
}

bool mw_comm_mpi_networked(const struct mw_comm *c)
{
    return ((const struct mw_mpi_comm *)c)->networked;
}

void *mw_comm_mpi_handle(struct mw_comm *c)
{
    return mw_comm_is_mpi(c) ? &mw_mpi_of(c)->all : NULL;
}

void mw_comm_mpi_dup(struct mw_comm *c, void *out)
{
    MPI_Request request;
    mw_comm_wait(c, MW_IN_SETUP);
    MPI_Comm_idup(mw_mpi_of(c)->all, out, &request);
    mw_mpi_wait_all(mw_mpi_of(c), 1, &request);
    mw_comm_work(c);
}
