/* graphalytics.h -- two answers in LDBC Graphalytics' form, "vertex value" a line, compared by its
 * rules: "LDBC Graphalytics Benchmark Specification", Iosup et al., arXiv:2011.15028, section 2.4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GRAPHALYTICS_H
#define MW_GRAPHALYTICS_H

#include "base/status.h"

MW_BEGIN_DECLS

enum mw_graphalytics_rule {
    MW_MATCH_BY_NAME, /* as the end of the reference's name says: -BFS, -CDLP, -PR, -WCC ... */
    MW_MATCH_EXACT,   /* the same integer: levels, communities */
    MW_MATCH_EPSILON, /* reals that differ by 0.0001 of the reference's: ranks, distances */
    MW_MATCH_EQUIVALENCE, /* the same sets, whatever they are called: components */
};
#define MW_GRAPHALYTICS_RULES "auto|exact|epsilon|equivalence"

/* Local. Compares the file `answer` with the file `reference`, whose lines may stand in any order;
 * *rule becomes the one that was used. Takes 32 bytes a vertex (sets: 56), and the texts. MW_ERR_INVALID: they
 * differ, and the text says where first; MW_ERR_DATA: a line that is none. */
int mw_graphalytics_compare(const char *reference, const char *answer,
                            enum mw_graphalytics_rule *rule, uint64_t *n_vertices)
    MW_NODISCARD;

MW_END_DECLS
#endif
