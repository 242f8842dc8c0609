/* route.h -- the route statement: a sentence of clauses, which rule.h applies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_ROUTE_H
#define MW_LAYOUT_ROUTE_H

#include "mesh/lang/reader.h"

MW_BEGIN_DECLS

/* The word in hand is "route"; into l->route. False after a message. */
bool mw_route_parse(struct mw_reader *r, struct mw_layout *l);

MW_END_DECLS
#endif
