/* plural.h -- "1 edge", "2 edges".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PLURAL_H
#define MW_PLURAL_H

#include "base/base.h"

MW_BEGIN_DECLS

/* The word that stands behind the number. */
MW_FN const char *mw_plural(uint64_t n, const char *one, const char *several)
{
    return n == 1 ? one : several;
}

MW_END_DECLS
#endif
