/* ways_report.h -- `check` and `explain` of a layout whose messages have several ways, or go several
 * ways at once (layouts/ways/): knots instead of cycles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_WAYS_REPORT_H
#define MW_LAYOUT_WAYS_REPORT_H

#include "layouts/explore/report.h"

#include <jansson.h>

MW_BEGIN_DECLS

/* Of one model: its ranks, or its knot. */
void mw_knot_print(const struct mw_layout_report *r, int m, FILE *out);
json_t *mw_knot_json(const struct mw_layout_report *r, int m);
void mw_ways_explain(const struct mw_layout_report *r, FILE *out);

MW_END_DECLS
#endif
