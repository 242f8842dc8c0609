/* algorithm.h -- what the one file of an algorithm includes: docs/your-own-traversal.md, and
 * label_hops.c among the examples.
 *
 *      #include <meshway/algorithm.h>
 *      state, elements, MW_UNITS() and other patterns, MW_KERNEL_TABLE()     for every kind of core
 *      #ifdef MW_STEPS
 *      open, step, answer, check, table of rows, MW_ALGORITHM_OF()        once, as C
 *      #endif
 *
 * meshway_add_algorithm() compiles the file once for each kind of core of the installation, in what
 * C11 and C++17 have in common, and once for the rest; it gives each pass its skeleton. These
 * headers are of one version: a plug-in runs with the installation that it was built with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MESHWAY_ALGORITHM_H
#define MESHWAY_ALGORITHM_H

#include MW_SKELETON

#include "traversal/active.h"
#include "traversal/common_elements.h"
#include "traversal/sources.h"

#endif
