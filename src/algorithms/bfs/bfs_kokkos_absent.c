/* bfs_kokkos_absent.c -- kernels on Kokkos in a build without it: none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_account.h"
#include "algorithms/bfs/bfs_inspect.h"
#include "algorithms/bfs/bfs_state.h"

const struct bfs_kernels bfs_kernels_kokkos;
const struct bfs_sweeps bfs_sweeps_kokkos;
const struct bfs_inspect_sweeps bfs_inspect_sweeps_kokkos;
const struct bfs_account_sweeps bfs_account_sweeps_kokkos;
