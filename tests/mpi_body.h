/* mpi_body.h -- the body of a suite for ranks (ranks.h) between processes: direct and relay, on one host
 * and on pretended ones, with and without threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MPI_BODY_H
#define MPI_BODY_H

#include "mpi_suite.h"
#include "ranks.h"

static uint32_t mpi_size;         /* ranks of MPI */
static enum mw_compress compress; /* of runs from now on */

/* Collective: in groups of `width`, on hosts of `per_host` ranks; 0: on those that there are. */
static inline void must_run_by_mpi(int (*body)(struct mw_world *, void *), void *arg,
                                   uint32_t width, uint32_t threads, uint32_t per_host)
{
    struct ranks r = {.loop = {mpi_size, per_host, 0}, .body = body, .arg = arg};
    struct mw_comm *c;
    with_threads(&r, threads);
    with_width(&r, width);
    r.world.small_input = 1024;
    r.world.batch_bytes = 2048;
    r.world.compress = compress;
    r.world.hang_timeout_s = HANG_S;
    ck_assert_int_eq(mw_mpi_start(NULL, NULL, per_host, &c), MW_OK);
    const int rc = mw_comm_agree(c, one_rank(c, &r));
    ck_assert_msg(rc == MW_OK, "%s: %s", ranks_text(&r), mw_error_text());
    mw_comm_close(c);
}

/* Collective: two cores a host, whatever there are. */
static inline struct mw_comm *start_by_mpi(int *argc, char ***argv)
{
    struct mw_comm *comm;
    setenv("HWLOC_SYNTHETIC", "core:2 pu:1", 0);
    if (mw_mpi_start(argc, argv, 0, &comm) != MW_OK)
        mw_mpi_abort(EXIT_FAILURE);
    mpi_size = comm->size;
    return comm;
}

#endif
