/* plan_answer.h -- what "meshway plan" says: the answer first, the rest for those who ask.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PLAN_ANSWER_H
#define MW_PLAN_ANSWER_H

#include "cli/option.h"
#include "cli/run/preflight.h"

MW_BEGIN_DECLS

/* Local, to stdout: text, or JSON with --json. `largest`: the largest SCALE that fits; 0: not known. */
int mw_plan_answer_print(const struct mw_settings *s, const struct mw_preflight *p,
                         bool fits, uint32_t largest) MW_NODISCARD;

MW_END_DECLS
#endif
