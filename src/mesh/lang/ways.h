/* ways.h -- statements whose messages have more than one way, or go several ways at once:
 *
 *      adaptive west-first                        any way that is short and makes no turn of those
 *      adaptive minimal class a escape xy class e any short way in a; or as XY routing does, in e
 *      broadcast 0,0 row col                      one put to the whole row, then each to its column
 *
 * Adaptive messages go from every source to every sink, by steps to the next core. The language
 * keeps what was said; layouts/ways/ makes of it what a message can do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_WAYS_H
#define MW_LAYOUT_WAYS_H

#include "mesh/lang/reader.h"

MW_BEGIN_DECLS

/* The word in hand begins the statement; into l. False after a message. */
bool mw_adaptive_parse(struct mw_reader *r, struct mw_layout *l);
bool mw_broadcast_parse(struct mw_reader *r, struct mw_layout *l);
/* Forbids the turns that the model does, one of those with a name such as west-first. */
void mw_adaptive_forbid(struct mw_adaptive *a, const char *model);
void mw_ways_print(const struct mw_layout *l, FILE *out);

MW_END_DECLS
#endif
