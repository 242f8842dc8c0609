/* result_parts.h -- a result's JSON between its files: result_json.c, the document, and result_searches.c,
 * what each search and level counted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RESULT_PARTS_H
#define MW_RESULT_PARTS_H

#include "cli/run/result_json.h"

#include <jansson.h>

MW_BEGIN_DECLS

/* A number that does not exist, and a text of NULL, is null. */
void mw_result_put_count(json_t *o, const char *key, uint64_t n);
void mw_result_put_real(json_t *o, const char *key, double x);
/* Seconds that were measured; a negative number says that they were not. */
void mw_result_put_seconds(json_t *o, const char *key, double s);
void mw_result_put_text(json_t *o, const char *key, const char *text);
/* What an algorithm counts, by the names that it gives. */
void mw_result_put_counters(json_t *o, const struct mw_counter *counter, uint32_t n,
                            const uint64_t *count);

json_t *mw_result_searches(const struct mw_report *r);
/* null where there are no figures. */
json_t *mw_result_statistics(const struct mw_report *r);

MW_END_DECLS
#endif
