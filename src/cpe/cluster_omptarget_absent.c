/* cluster_omptarget_absent.c -- the entry of "omptarget" in a build without it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/cluster_backends.h"

const struct mw_backend mw_backend_omptarget = {
    .name = "omptarget",
    .disabled =
        "this build has no OpenMP offloading (-DMW_WITH_OMPTARGET=ON, docs/gpu.md)",
};
