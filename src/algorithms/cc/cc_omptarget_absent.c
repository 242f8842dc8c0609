/* cc_omptarget_absent.c -- kernels on devices of OpenMP in a build without it: none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_state.h"

const struct cc_kernels cc_kernels_omptarget;
const struct cc_sweeps cc_sweeps_omptarget;
