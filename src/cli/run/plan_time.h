/* plan_time.h -- what a run will take and send, printed: for plan, and for result files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PLAN_TIME_H
#define MW_PLAN_TIME_H

#include "cli/run/rates_file.h"
#include "graph500/timing.h"

#include <jansson.h>
#include <stdio.h>

MW_BEGIN_DECLS

/* Local: "1.2 s", "3.4 ms". */
struct mw_seconds_shown {
    char text[32];
};
struct mw_seconds_shown mw_seconds_text(double s);

/* Local: whose rates it is made of. */
struct mw_rates_text mw_timing_origin(const struct mw_timing *t,
                                      const struct mw_rates *rates);

/* Local. `n_ranks` of them, with these rates. */
void mw_timing_print(const struct mw_timing *t, const struct mw_rates *rates,
                     uint32_t n_ranks, uint32_t n_roots, FILE *f);

/* The sums, as a result file has them; for plans each level of the search in the middle,
 * and where the rates come from, too: a result may be anonymized. */
json_t *mw_timing_json(const struct mw_timing *t, const struct mw_rates *rates,
                       bool whole);

MW_END_DECLS
#endif
