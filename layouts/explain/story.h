/* story.h -- the parts of mw_layout_explain(): why a free layout is free
 * (ranks.c), how the other one comes to a stop, and what helps (story.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_STORY_H
#define MW_LAYOUT_STORY_H

#include "layouts/explain/explain.h"

MW_BEGIN_DECLS

/* `told` is free, or not. */
int mw_layout_tell_free(const struct mw_layout *l, const struct mw_proof *told, FILE *out)
    MW_NODISCARD;
int mw_layout_tell_deadlock(const struct mw_layout *l, const struct mw_proof *told,
                            FILE *out) MW_NODISCARD;
void mw_layout_tell_fixes(const struct mw_layout *l, const struct mw_proof *told,
                          FILE *out);

MW_END_DECLS
#endif
