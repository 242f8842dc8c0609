/* packing.h -- files that hold a graph inside something else, told by their first bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PACKING_H
#define MW_PACKING_H

#include "base/base.h"

MW_BEGIN_DECLS

struct mw_packing {
    const char *magic;
    size_t bytes;
    const char *what;    /* "gzip" */
    const char *command; /* that unpacks one, in front of its name */
    bool stream;         /* one packed file, which can be read on the way */
};

enum { MW_PACKING_BYTES = 6 }; /* that suffice to tell */

/* NULL: none that is known. */
const struct mw_packing *mw_packing_find(const void *head, uint64_t bytes);

MW_END_DECLS
#endif
