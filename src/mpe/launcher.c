/* launcher.c -- see launcher.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/launcher.h"

#include <stdlib.h>

/* The number of processes, as launchers tell it to each of them. A batch script's
 * SLURM_NTASKS is not among them: it is set where nothing has been launched yet. */
static const char *const variables[] = {
    "OMPI_COMM_WORLD_SIZE",
    "PMI_SIZE",
    "MV2_COMM_WORLD_SIZE",
    "SLURM_STEP_NUM_TASKS",
};

int mw_launcher_check(uint32_t n_ranks)
{
    if (n_ranks != 1)
        return MW_OK;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *text = getenv(variables[i]);
        const long n = text != NULL ? strtol(text, NULL, 10) : 0;
        if (n > 1)
            return mw_fail(MW_ERR_UNAVAILABLE,
                           "%s says %ld processes, but this one sees only itself: start "
                           "with the mpiexec of the MPI that this program is built with",
                           variables[i], n);
    }
    return MW_OK;
}
