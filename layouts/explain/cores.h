/* cores.h -- a core and a set of cores as a person would name them: "0,1 (T)", "columns 4-5,
 * all rows".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_CORES_H
#define MW_LAYOUT_CORES_H

#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

/* "0,1 (T)", without a role "0,1". */
enum { MW_CALLED = 24 };
const char *mw_core_called(const struct mw_layout *l, mw_core v, char out[MW_CALLED]);

struct mw_core_set {
    uint32_t n;
    uint64_t rows[MW_MESH_SIDE_MAX]; /* [column]: bit r: core r,column is in the set */
};

void mw_core_set_add(const struct mw_layout *l, struct mw_core_set *set, mw_core v);
/* Up to four cores by name, more as columns and rows; nothing for the empty set. */
void mw_core_set_print(const struct mw_layout *l, const struct mw_core_set *set,
                       FILE *out);

MW_END_DECLS
#endif
