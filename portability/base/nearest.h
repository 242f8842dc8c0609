/* nearest.h -- the name that was probably meant.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NEAREST_H
#define MW_NEAREST_H

#include "base/base.h"

MW_BEGIN_DECLS

/* The nearest of several names, offered one after the other; best stays NULL when none
 * is near enough to be meant. */
struct mw_nearest {
    const char *given, *best;
    size_t distance;
};
void mw_nearest_offer(struct mw_nearest *n, const char *name);

MW_END_DECLS
#endif
