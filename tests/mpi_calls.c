/* mpi_calls.c -- every call of MPI comes from the management core, and each level of a direct
 * route sends a message to every other rank.
 *
 * This program defines the functions of MPI that the libraries call, and hands each call on to
 * its PMPI name (the test mpi_calls_all_seen shows that none is missing). So it sees who calls
 * and, between the markers of the toy's levels, who is sent to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/comm_mpi.h"
#include "mpi_suite.h"
#include "toy_play.h"

#include <mpi.h>
#include <pthread.h>

static pthread_t management;
static uint64_t n_calls, n_strangers; /* strangers: calls from other threads */

enum { PEERS_MOST = 64 };
static uint64_t n_sent_to[PEERS_MOST]; /* batches of this level */

static void seen(void)
{
    __atomic_fetch_add(&n_calls, 1, __ATOMIC_RELAXED);
    if (!pthread_equal(pthread_self(), management))
        __atomic_fetch_add(&n_strangers, 1, __ATOMIC_RELAXED);
}

/* ---- the functions of MPI ---------------------------------------------------------------- */

#define HAND_ON(name, parameters, arguments)                                             \
    int name parameters                                                                  \
    {                                                                                    \
        seen();                                                                          \
        return P##name arguments;                                                        \
    }

/* clang-format off */
HAND_ON(MPI_Abort, (MPI_Comm c, int code), (c, code))
HAND_ON(MPI_Allgather, (const void *s, int ns, MPI_Datatype ts, void *r, int nr, MPI_Datatype tr, MPI_Comm c), (s, ns, ts, r, nr, tr, c))
HAND_ON(MPI_Allreduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c), (s, r, n, t, op, c))
HAND_ON(MPI_Alltoall, (const void *s, int ns, MPI_Datatype ts, void *r, int nr, MPI_Datatype tr, MPI_Comm c), (s, ns, ts, r, nr, tr, c))
HAND_ON(MPI_Alltoallv, (const void *s, const int *ns, const int *ds, MPI_Datatype ts, void *r, const int *nr, const int *dr, MPI_Datatype tr, MPI_Comm c), (s, ns, ds, ts, r, nr, dr, tr, c))
HAND_ON(MPI_Barrier, (MPI_Comm c), (c))
HAND_ON(MPI_Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
HAND_ON(MPI_Cancel, (MPI_Request *q), (q))
HAND_ON(MPI_Comm_dup, (MPI_Comm c, MPI_Comm *out), (c, out))
HAND_ON(MPI_Comm_free, (MPI_Comm *c), (c))
HAND_ON(MPI_Comm_idup, (MPI_Comm c, MPI_Comm *out, MPI_Request *q), (c, out, q))
HAND_ON(MPI_Comm_rank, (MPI_Comm c, int *rank), (c, rank))
HAND_ON(MPI_Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h), (c, h))
HAND_ON(MPI_Comm_size, (MPI_Comm c, int *size), (c, size))
HAND_ON(MPI_Comm_split, (MPI_Comm c, int color, int key, MPI_Comm *out), (c, color, key, out))
HAND_ON(MPI_Comm_split_type, (MPI_Comm c, int type, int key, MPI_Info info, MPI_Comm *out), (c, type, key, info, out))
HAND_ON(MPI_Finalize, (void), ())
HAND_ON(MPI_Finalized, (int *yes), (yes))
HAND_ON(MPI_Get_count, (const MPI_Status *s, MPI_Datatype t, int *n), (s, t, n))
HAND_ON(MPI_Get_library_version, (char *text, int *n), (text, n))
HAND_ON(MPI_Iallgather, (const void *s, int ns, MPI_Datatype ts, void *r, int nr, MPI_Datatype tr, MPI_Comm c, MPI_Request *q), (s, ns, ts, r, nr, tr, c, q))
HAND_ON(MPI_Iallreduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request *q), (s, r, n, t, op, c, q))
HAND_ON(MPI_Ialltoall, (const void *s, int ns, MPI_Datatype ts, void *r, int nr, MPI_Datatype tr, MPI_Comm c, MPI_Request *q), (s, ns, ts, r, nr, tr, c, q))
HAND_ON(MPI_Ialltoallv, (const void *s, const int *ns, const int *ds, MPI_Datatype ts, void *r, const int *nr, const int *dr, MPI_Datatype tr, MPI_Comm c, MPI_Request *q), (s, ns, ds, ts, r, nr, dr, tr, c, q))
HAND_ON(MPI_Ibarrier, (MPI_Comm c, MPI_Request *q), (c, q))
HAND_ON(MPI_Ibcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request *q), (b, n, t, root, c, q))
HAND_ON(MPI_Init_thread, (int *argc, char ***argv, int wanted, int *got), (argc, argv, wanted, got))
HAND_ON(MPI_Initialized, (int *yes), (yes))
HAND_ON(MPI_Iprobe, (int from, int tag, MPI_Comm c, int *there, MPI_Status *s), (from, tag, c, there, s))
HAND_ON(MPI_Irecv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *q), (b, n, t, from, tag, c, q))
HAND_ON(MPI_Query_thread, (int *level), (level))
HAND_ON(MPI_Testall, (int n, MPI_Request *q, int *all, MPI_Status *s), (n, q, all, s))
HAND_ON(MPI_Testsome, (int n, MPI_Request *q, int *m, int *index, MPI_Status *s), (n, q, m, index, s))
HAND_ON(MPI_Type_commit, (MPI_Datatype *t), (t))
HAND_ON(MPI_Type_contiguous, (int n, MPI_Datatype t, MPI_Datatype *out), (n, t, out))
HAND_ON(MPI_Type_create_resized, (MPI_Datatype t, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *out), (t, lb, extent, out))
HAND_ON(MPI_Type_free, (MPI_Datatype *t), (t))
HAND_ON(MPI_Wait, (MPI_Request *q, MPI_Status *s), (q, s))
HAND_ON(MPI_Waitall, (int n, MPI_Request *q, MPI_Status *s), (n, q, s))
HAND_ON(MPI_Win_allocate_shared, (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm c, void *base, MPI_Win *w), (bytes, unit, info, c, base, w))
HAND_ON(MPI_Win_free, (MPI_Win *w), (w))
HAND_ON(MPI_Win_lock_all, (int assertion, MPI_Win w), (assertion, w))
HAND_ON(MPI_Win_shared_query, (MPI_Win w, int rank, MPI_Aint *bytes, int *unit, void *base), (w, rank, bytes, unit, base))
HAND_ON(MPI_Win_sync, (MPI_Win w), (w))
HAND_ON(MPI_Win_unlock_all, (MPI_Win w), (w))
/* clang-format on */

/* Batches alone travel point to point from the libraries. */
int MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c,
              MPI_Request *q)
{
    seen();
    if (to >= 0 && to < PEERS_MOST)
        n_sent_to[to]++;
    return PMPI_Isend(b, n, t, to, tag, c, q);
}

/* ---- the toy's levels ------------------------------------------------------------------- */

static void forget(void)
{
    memset(n_sent_to, 0, sizeof n_sent_to);
}

/* What was sent in this level: by MPI, and as the pipeline counts it. */
static int compare(const struct mw_world *w, const struct mw_traffic *traffic)
{
    const uint32_t me = w->comm->rank;
    uint64_t batches = 0, of_size = 0, met = 0;
    for (uint32_t r = 0; r < w->comm->size; r++) {
        batches += n_sent_to[r];
        met += n_sent_to[r] > 0;
        if (w->groups.width == 1)
            EXPECT(r == me || n_sent_to[r] > 0, "nothing from rank %u to %u", me, r);
    }
    for (uint32_t k = 0; k < MW_SIZE_CLASSES; k++)
        of_size += traffic->size[k];
    EXPECT(n_sent_to[me] == 0, "a rank sends to itself");
    EXPECT(batches == traffic->batches, "MPI sent %u batches, the pipeline counts %u",
           (unsigned)batches, (unsigned)traffic->batches);
    EXPECT(of_size == batches, "%u batches by size of %u", (unsigned)of_size,
           (unsigned)batches);
    EXPECT(met == traffic->peers, "MPI met %u ranks, the pipeline %u", (unsigned)met,
           (unsigned)traffic->peers);
    EXPECT(met <= mw_world_peers(&w->groups), "%u ranks met", (unsigned)met);
    return MW_OK;
}

/* ---- suite ------------------------------------------------------------------------------ */

static struct mw_comm *comm;

static void must_play(uint32_t width)
{
    struct play p = {.n_levels = 4,
                     .most_units = 400,
                     .empty_levels = true, /* they have their messages, too */
                     .before_level = forget,
                     .after_level = compare};
    struct ranks r = {.loop = {comm->size, 0, 0}, .body = play, .arg = &p};
    with_threads(&r, 5);
    with_width(&r, width);
    r.world.n_clusters = 2;
    r.world.batch_bytes = 512; /* many jobs, on clusters and management core */
    r.world.small_input = 128;
    r.world.hang_timeout_s = HANG_S;
    const int rc = mw_comm_agree(comm, one_rank(comm, &r));
    ck_assert_msg(rc == MW_OK, "%s: %s", ranks_text(&r), mw_error_text());
}

START_TEST(a_direct_level_sends_to_every_other_rank)
{
    must_play(1);
}
END_TEST

START_TEST(a_relayed_level_keeps_to_its_peers)
{
    must_play(2);
}
END_TEST

START_TEST(only_the_management_core_calls_mpi)
{
    n_calls = n_strangers = 0;
    must_play(1 + (uint32_t)_i);
    ck_assert_uint_gt(n_calls, 100);
    ck_assert_uint_eq(n_strangers, 0);
}
END_TEST

int main(int argc, char **argv)
{
    management = pthread_self();
    setenv("HWLOC_SYNTHETIC", "core:2 pu:1", 0);
    if (mw_mpi_start(&argc, &argv, 0, &comm) != MW_OK)
        mw_mpi_abort(EXIT_FAILURE);
    Suite *s = suite_create("mpi_calls");
    TCase *t = tcase_create("calls");
    tcase_add_test(t, a_direct_level_sends_to_every_other_rank);
    tcase_add_test(t, a_relayed_level_keeps_to_its_peers);
    tcase_add_loop_test(t, only_the_management_core_calls_mpi, 0, 2);
    suite_add_tcase(s, t);
    return run_suite_on_all(s, comm);
}
