#ifndef MW_CC_H
#define MW_CC_H

#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* Not keyed. Its options are the search's (a struct mw_direction_rule), and its numbers are
 * components, each called after its smallest vertex. */
extern const struct mw_algorithm mw_algorithm_cc;
/* The same without levels (cc_async.h). */
extern const struct mw_algorithm mw_algorithm_cc_async;

/* What a run has found and done. */
enum mw_cc_fact {
    MW_CC_COMPONENTS, /* isolated vertices are components as well */
    MW_CC_ISOLATED,
    MW_CC_LARGEST,  /* vertices of the largest one */
    MW_CC_SEARCHED, /* that the search has reached */
    MW_CC_LEVELS,   /* of the search */
    MW_CC_CUT,      /* it was given up, and all connected vertices are left */
    MW_CC_LEFT,     /* vertices for rounds, or for what is in their place */
    MW_CC_ROUNDS,
    MW_CC_FACTS
};

/* Local, after facts(): the smallest vertex of the largest component, of several the smallest. */
mw_vid mw_cc_largest(const struct mw_traversal *t);

/* Local, the same at all ranks: from now on a search is cut after so many levels. At first that
 * are as many as are worth it. Where cores unite edges it is also cut after 32, unless it has walked half of all. */
void mw_cc_search_at_most(struct mw_traversal *t, uint32_t n_levels);

MW_END_DECLS
#endif
