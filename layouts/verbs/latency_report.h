/* latency_report.h -- latencies as text and as JSON, for the verbs that simulate.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LATENCY_REPORT_H
#define MW_LATENCY_REPORT_H

#include "layouts/sim/latency.h"

#include <jansson.h>

MW_BEGIN_DECLS

/* A table, a line per class and measure; of nothing measured: nothing. */
void mw_latency_print(const struct mw_latency *l, FILE *out);
/* ",mean,p50,p95,p99" */
void mw_delay_print_csv(const struct mw_delay *d, FILE *out);
/* Null where nothing was measured. */
json_t *mw_latency_json(const struct mw_latency *l);
json_t *mw_delay_json(const struct mw_delay *d);

MW_END_DECLS
#endif
