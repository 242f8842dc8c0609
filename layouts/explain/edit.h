/* edit.h -- a changed copy of a layout, to try an edit before it is offered.
 *
 * The copy is made of listed flows: those of the layout, without the dropped ones, and
 * with the hops of some columns (rows) in one direction moved to another column (row):
 *
 *      column 1 upwards to column 2      1,0 > 1,1 > 0,1 > 0,3
 *                                becomes 1,0 > 1,2 > 0,2 > 0,3
 *
 * A message that starts or ends on the line, or turns round there, steps over and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_EDIT_H
#define MW_LAYOUT_EDIT_H

#include "mesh/proof/proof.h"

MW_BEGIN_DECLS

enum { MW_MOVES_MAX = 3, MW_DROPS_MAX = 4, MW_EDIT_HOPS_MAX = 100000 };

struct mw_edit_move {
    enum mw_fifo_class hops; /* their class: MW_COLUMN: `line` is a column */
    uint8_t line, to;        /* to: may be one more than the mesh has */
    bool up;                 /* the hops to lower rows (columns), else to higher ones */
    bool straight;           /* first make one hop of several on the line */
};

struct mw_edit {
    uint32_t n_moves, n_drops;
    struct mw_edit_move move[MW_MOVES_MAX];
    uint64_t drop[MW_DROPS_MAX]; /* flows */
};

/* Local. MW_DONE and no layout: the edit is not possible here (the mesh is as large as
 * meshes are, no flow is left, or there are more than MW_EDIT_HOPS_MAX hops). */
int mw_layout_edited(const struct mw_layout *l, const struct mw_edit *edit,
                     struct mw_layout **out) MW_NODISCARD;

MW_END_DECLS
#endif
