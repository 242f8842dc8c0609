/* untuned_omptarget.c -- shortest paths, core numbers and triangles are not tuned for devices of OpenMP: a round is a
 * few kernels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/core/core_state.h"
#include "algorithms/sssp/sssp_state.h"
#include "algorithms/triangles/triangles_state.h"

extern const struct core_whole core_whole_tuned_omptarget;
extern const struct sssp_sweeps sssp_sweeps_tuned_omptarget;
extern const struct triangles_whole triangles_whole_tuned_omptarget;
const struct core_whole core_whole_tuned_omptarget = {0};
const struct sssp_sweeps sssp_sweeps_tuned_omptarget = {0};
const struct triangles_whole triangles_whole_tuned_omptarget = {0};
