/* thread_level.c -- an MPI library that gives less than it was asked for: preloaded, it says the
 * thread level of MWT_THREAD_LEVEL ("single", "funneled") whatever the real one gives.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Hidden, as the flags have it, nobody would meet it. */
__attribute__((visibility("default"))) int MPI_Init_thread(int *argc, char ***argv,
                                                           int wanted, int *got)
{
    const char *level = getenv("MWT_THREAD_LEVEL");
    const int rc = PMPI_Init_thread(argc, argv, wanted, got);
    if (level != NULL && strcmp(level, "single") == 0)
        *got = MPI_THREAD_SINGLE;
    else if (level != NULL && strcmp(level, "funneled") == 0)
        *got = MPI_THREAD_FUNNELED;
    return rc;
}
