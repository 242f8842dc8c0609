/* heads_x86.h -- the variants of heads.h for x86-64.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_HEADS_X86_H
#define MW_HEADS_X86_H

#include "algorithms/bfs/heads.h"

MW_BEGIN_DECLS

/* For narrow columns. */
mw_heads mw_heads_avx512;

MW_END_DECLS
#endif
