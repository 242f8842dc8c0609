/* route.h -- the route statement: a sentence of clauses, which rule.h applies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_ROUTE_H
#define MW_LAYOUT_ROUTE_H

#include "mesh/lang/reader.h"

MW_BEGIN_DECLS

/* The word in hand is "route". routes[MW_N_LETTERS]; false after a message. */
bool mw_route_parse(struct mw_reader *r, struct mw_route *routes);

MW_END_DECLS
#endif
