/* cluster_kokkos_absent.c -- the entry of "kokkos" in a build without it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/cluster_backends.h"

const struct mw_backend mw_backend_kokkos = {
    .name = "kokkos",
    .disabled = "this build has no Kokkos (-DMW_WITH_KOKKOS=ON, docs/gpu.md)",
};
