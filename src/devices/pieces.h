/* pieces.h -- long rows are dealt out to all ranks where they were built (graph/delegates.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PIECES_H
#define MW_PIECES_H

#include "devices/builder.h"

MW_BEGIN_DECLS

/* Collective: whose rows are dealt out, and to whom, as mw_graph_delegate() does it. */
int mw_pieces_deal(struct mw_builder *b, int64_t delegate) MW_NODISCARD;

MW_END_DECLS
#endif
