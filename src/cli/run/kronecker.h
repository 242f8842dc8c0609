/* kronecker.h -- the generated graph as options describe it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_KRONECKER_OPTIONS_H
#define MW_KRONECKER_OPTIONS_H

#include "cli/option.h"

MW_BEGIN_DECLS

/* Local. The number of edges that --scale and --edgefactor ask for; refuses more than a
 * signed 64-bit count holds, before any product is formed. */
int mw_kronecker_size(const struct mw_settings *s, uint64_t *n_edges) MW_NODISCARD;

MW_END_DECLS
#endif
