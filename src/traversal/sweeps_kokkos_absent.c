/* sweeps_kokkos_absent.c -- sweeps on Kokkos in a build without it: none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/building.h"
#include "traversal/frontier.h"
#include "traversal/traversal.h"

const struct mw_building_sweeps mw_building_sweeps_kokkos;
const struct mw_frontier_sweeps mw_frontier_sweeps_kokkos;
const struct mw_traversal_sweeps mw_traversal_sweeps_kokkos;
