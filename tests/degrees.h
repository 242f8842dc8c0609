/* degrees.h -- an algorithm for tests: how many edges a vertex has. It sends nothing, and has
 * what the tests are about: no check, no keys, answers that are no vertices, and a second value, its
 * degree's share of the vertices, which is a real; a vertex without edges has none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DEGREES_H
#define DEGREES_H

#include "traversal/algorithm.h"

MW_BEGIN_DECLS

extern const struct mw_algorithm degrees;

MW_END_DECLS
#endif
