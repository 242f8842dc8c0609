/* start_mpi.c -- the start and the end of MPI; a build without it has start_single.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "mpe/comm_mpi.h"
#include "mpe/launcher.h"
#include "mpe/ucx.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const double linger_s = 0.1; /* before MPI ends, between machines */
static bool started_here;           /* MPI_Init_thread() was ours, so MPI_Finalize() is */

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

int mw_mpi_start(int *argc, char ***argv, uint32_t ranks_per_host, struct mw_comm **out)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    int running, n_ranks;
    MPI_Initialized(&running);
    if (!running)
        MW_NEED(mw_ucx_prepare());
    const bool one_thread = start_library(argc, argv);
    MPI_Comm_size(world, &n_ranks);
    MW_NEED(mw_launcher_check((uint32_t)n_ranks));
    return mw_comm_mpi_open(&world, ranks_per_host, one_thread, out);
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
    rc = mw_comm_mpi_open(&fewer, 0, one_thread, c);
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
static bool ends_without(const struct mw_comm *c)
{
    return mw_comm_mpi_networked(c) && mw_ucx_carries() &&
           getenv("MPI_LOCALNRANKS") != NULL && MPI_Finalize == PMPI_Finalize;
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
    const bool without = started_here && c != NULL && ends_without(c);
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
