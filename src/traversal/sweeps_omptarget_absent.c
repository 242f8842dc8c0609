/* sweeps_omptarget_absent.c -- sweeps on devices of OpenMP in a build without it: none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/frontier.h"
#include "traversal/traversal.h"

const struct mw_frontier_sweeps mw_frontier_sweeps_omptarget;
const struct mw_traversal_sweeps mw_traversal_sweeps_omptarget;
