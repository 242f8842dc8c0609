/* cluster_openmp_absent.c -- the entry of "openmp" in a build without OpenMP.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/cluster_backends.h"

const struct mw_backend mw_backend_openmp = {
    .name = "openmp",
    .disabled = "this build was configured with MW_WITH_OPENMP=OFF",
};
