/* generation_kokkos_absent.c -- the kernel on Kokkos in a build without it: none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/generation.h"

const struct mw_generation_sweeps mw_generation_sweeps_kokkos;
