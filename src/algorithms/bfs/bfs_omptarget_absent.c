/* bfs_omptarget_absent.c -- kernels on devices of OpenMP in a build without it: none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_state.h"

const struct bfs_kernels bfs_kernels_omptarget;
const struct bfs_sweeps bfs_sweeps_omptarget;
