/* tree_output.h -- the values of an answer, and the levels of a search, into files.
 *
 * Values are dealt to ranks round robin; files have the order of the vertices. Rank 0
 * writes, and gets a bounded stretch of every rank's values at a time:
 *
 *      rank 0   p p p p ...  \
 *      rank 1   p p p p ...   >  gather  >  0 1 2 0 1 2 0 1 2 ...  >  file
 *      rank 2   p p p p ...  /
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TREE_OUTPUT_H
#define MW_TREE_OUTPUT_H

#include "io/names.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

enum { MW_LEVELS_FILE = MW_VALUES_MAX, MW_GRAPHALYTICS_FILE, MW_TREE_FILES };

struct mw_tree_output {
    struct mw_comm *comm;         /* borrowed */
    const struct mw_names *names; /* of all vertices; borrowed */
    const char *path
        [MW_TREE_FILES]; /* by value, of the levels, and for Graphalytics; NULL: none */
    bool force;
};

/* Local: is there any? */
bool mw_tree_output_any(const struct mw_tree_output *t);
/* Local: is there any of this algorithm's levels? */
bool mw_tree_output_levels(const struct mw_tree_output *t, const struct mw_algorithm *a);

/* Collective, after a search, which has kept its levels if they are wanted. */
int mw_tree_output_write(const struct mw_tree_output *t, const struct mw_traversal *of)
    MW_NODISCARD;

MW_END_DECLS
#endif
