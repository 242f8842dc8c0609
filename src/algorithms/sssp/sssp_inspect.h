/* sssp_inspect.h -- shortest paths judged by the cores that have searched, beside a device by the device.
 *
 * The rules are those of sssp_validate.h, and so is the truth: the tuples as generated or read.
 *
 *      take    by vertex: parent and distance go together; rule 1 but for rings
 *      climb   who is as far away as its parent climbs over such parents, twice as far each time. Distances never
 *              rise towards the root, so only these can be a ring, and as a rule there are none
 *      judge   by tuple: rules 3 and 4 at both ends; a parent by whom the distance is right is confirmed
 *      settle  whose parent no tuple has confirmed (inspection.h): rule 5
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_INSPECT_H
#define SSSP_INSPECT_H

#include "algorithms/sssp/sssp_validate.h"
#include "traversal/inspection.h"

MW_BEGIN_DECLS

struct sssp_inspector;

/* Local: what it takes. */
void sssp_inspector_sizes(const struct mw_check_shape *shape,
                          const struct mw_world_shape *world, struct mw_sizes *out);
/* Collective. Borrows world and edges. *out is NULL at all ranks, and all is well, where they cannot
 * (inspection.h). */
int sssp_inspector_new(struct mw_world *world, struct mw_edges *edges,
                       struct sssp_inspector **out) MW_NODISCARD;
void sssp_inspector_free(struct sssp_inspector *k); /* collective; NULL is legal */

/* Collective. As mw_sssp_validate(), of values that the world's cores reach. What is wrong with them is counted by
 * rule, without a word about it: MW_OK if it was found out. */
int sssp_inspect(struct sssp_inspector *k, mw_vid root, const void *parent, bool wide,
                 const float *distance, struct mw_verdict *out) MW_NODISCARD;

/* ---- for its kernels --------------------------------------------------------------------- */

/* In place of an ancestor: the distance falls on the way there, or the root is. */
#define SSSP_GROUND UINT32_C(0xFFFFFFFF)

struct sssp_inspection {
    const struct mw_graph *g;
    struct mw_inspection i; /* values: the parent, the distance */
    uint32_t *up; /* [n] an ancestor as far away as the vertex, or SSSP_GROUND */
    mw_vid root;
};

enum sssp_inspect_sweep {
    SSSP_INSPECT_TAKE,
    SSSP_INSPECT_CLIMB,
    SSSP_INSPECT_RINGS,
    SSSP_INSPECT_JUDGE,
    SSSP_INSPECT_ROWS
};
extern const struct mw_row sssp_inspect_row[SSSP_INSPECT_ROWS];

struct sssp_inspect_sweeps {
    mw_kernel *take, *climb, *rings, *judge;
};

MW_END_DECLS
#endif
