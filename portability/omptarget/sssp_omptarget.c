/* sssp_omptarget.c -- shortest paths are not tuned for devices of OpenMP: a round is a few kernels (sssp_sweeps.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_state.h"

extern const struct sssp_sweeps sssp_sweeps_tuned_omptarget;
const struct sssp_sweeps sssp_sweeps_tuned_omptarget = {0};
