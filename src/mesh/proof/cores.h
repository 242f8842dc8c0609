/* cores.h -- a set of cores, and how a person would name it: "columns 4-5, all
 * rows".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_CORES_H
#define MW_LAYOUT_CORES_H

#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

struct mw_cores {
    uint32_t n;
    uint64_t rows[MW_MESH_SIDE_MAX]; /* [column]: bit r: core r,column is in the set */
};

void mw_cores_add(const struct mw_layout *l, struct mw_cores *set, mw_core v);
/* Up to four cores by name, more as columns and rows; nothing for the empty set. */
void mw_cores_print(const struct mw_layout *l, const struct mw_cores *set, FILE *out);

MW_END_DECLS
#endif
