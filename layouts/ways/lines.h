/* lines.h -- dimension-order routing, proved on two lines instead of a mesh.
 *
 * Where every core sends to every core, first along its row and then along its column (or the other
 * way round), a row hop depends on the columns of core and sink only, and a column hop on their rows.
 * So all rows are alike, all columns are alike, and no message turns back from the second dimension
 * to the first. Hence in each model the mesh has a cycle exactly if one row has, or one column:
 *
 *   coupled           the graph of hops is a product of the two lines. Ranks add up; a cycle of the
 *                     product projects to a closed walk in each line, of which one is no single place
 *   decoupled, link   edges lead from row nodes to row nodes of the same row, to column nodes, and
 *                     from column nodes to column nodes of the same column. A cycle never comes back
 *                     from a column node to a row node, so it stays in one line
 *
 * So a mesh of any size costs two lines: no flow is expanded, and edges are counted, not stored.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_LINES_H
#define MW_LAYOUT_LINES_H

#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

enum { MW_LINE_MAX = 1024 };

struct
    mw_line_place { /* coupled: a core's place; decoupled: and channel; link: from -> at */
    uint16_t from, at;
    mw_channel channel;
};

struct mw_lines_proof {
    bool free;
    uint64_t n_edges; /* of the mesh, different ones */
    uint32_t
        n_cycle; /* not free: of a shortest cycle, which lies in the first row or column */
    enum mw_fifo_class along;
    struct mw_line_place *cycle; /* owned */
    uint64_t min_inflight;
};

/* Whether the layout is of that kind: one role, which sends and receives, with a clause for each
 * dimension; FIFOs of depth 1 at least. */
bool mw_lines_apply(const struct mw_layout *l);
/* The layout's rules on a mesh of rows x cols, up to MW_LINE_MAX each, whatever its own size is.
 * Local. Errors: MW_ERR_NOMEM. */
int mw_lines_prove(const struct mw_layout *l, uint32_t rows, uint32_t cols,
                   enum mw_mesh_model model, struct mw_lines_proof *out) MW_NODISCARD;
void mw_lines_proof_fini(struct mw_lines_proof *p);

/* Finds "mesh R C" with a side above MW_MESH_SIDE_MAX, and writes the same text for a mesh of 2 x 2
 * (owned by the caller), so that the parser can read the rest. MW_DONE: the mesh is no larger.
 * MW_ERR_DATA: it is, and its roles are not one letter everywhere. */
int mw_lines_shrink(const char *text, size_t bytes, uint32_t *rows, uint32_t *cols,
                    char **small, size_t *small_bytes) MW_NODISCARD;

MW_END_DECLS
#endif
