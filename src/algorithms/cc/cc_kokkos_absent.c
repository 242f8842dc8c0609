/* cc_kokkos_absent.c -- kernels on Kokkos in a build without it: none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_state.h"

const struct cc_kernels cc_kernels_kokkos;
const struct cc_sweeps cc_sweeps_kokkos;
