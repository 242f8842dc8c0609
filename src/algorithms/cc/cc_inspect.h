/* cc_inspect.h -- components judged by the cores that have searched, beside a device by the device.
 *
 * The rules are those of cc_validate.h, and so is the truth: the tuples as generated or read.
 *
 *      judge tuples   rule 1
 *      judge names    rule 2, of a share of the vertices, and how many are called after themselves
 *
 * For rule 3 components are counted once, before the first answer is judged: a forest over all vertices is made of
 * each rank's tuples, and ranks take in each other's.
 *
 *      plant -> unite tuples -> copy forest, take in forests -> count trees
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_INSPECT_H
#define CC_INSPECT_H

#include "algorithms/cc/cc_validate.h"
#include "traversal/inspection.h"

MW_BEGIN_DECLS

struct cc_inspector;

/* Local: what it takes. */
void cc_inspector_sizes(const struct mw_check_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out);
/* Collective. Borrows world and edges. *out is NULL at all ranks, and all is well, where they cannot
 * (inspection.h). */
int cc_inspector_new(struct mw_world *world, struct mw_edges *edges,
                     struct cc_inspector **out) MW_NODISCARD;
void cc_inspector_free(struct cc_inspector *k); /* collective; NULL is legal */

/* Collective. As mw_cc_validate(), of values that the world's cores reach. What is wrong with them is counted by
 * rule, without a word about it: MW_OK if it was found out. */
int cc_inspect(struct cc_inspector *k, const void *comp, bool wide,
               struct mw_verdict *out) MW_NODISCARD;

/* ---- for its kernels --------------------------------------------------------------------- */

struct cc_inspection {
    const struct mw_graph *g;
    struct mw_inspection i;  /* values: the component */
    uint64_t first, n_share; /* vertices whose names are judged here */
    uint32_t *up;            /* [n] the forest of my tuples (cc_forest.h) */
    const uint32_t *its_up;  /* a rank's: none changes while others read it */
    uint32_t *all;           /* [n] the forest of all; with one rank mine */
};

enum cc_inspect_sweep {
    CC_INSPECT_TUPLES,
    CC_INSPECT_NAMES,
    CC_INSPECT_PLANT,
    CC_INSPECT_UNITE,
    CC_INSPECT_COPY,
    CC_INSPECT_TAKE_IN,
    CC_INSPECT_TREES,
    CC_INSPECT_ROWS
};
extern const struct mw_row cc_inspect_row[CC_INSPECT_ROWS];

struct cc_inspect_sweeps {
    mw_kernel *tuples, *names, *plant, *unite, *copy, *take_in, *trees;
};

MW_END_DECLS
#endif
