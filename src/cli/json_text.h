/* json_text.h -- JSON as text that is short and can still be read, compared and searched by
 * lines: objects on the first two levels one key a line, lists of objects one object a line, all
 * else on the line where it begins.
 *
 *      {
 *       "graph": {
 *        "scale": 20,
 *        "seeds": [2,3]
 *       },
 *       "searches": [
 *       {"root": 4,"time_s": 0.25,"levels": [
 *       {"level": 0,"n_found": 3},
 *       {"level": 1,"n_found": 0}]}]
 *      }
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_JSON_TEXT_H
#define MW_JSON_TEXT_H

#include "base/status.h"

#include <jansson.h>

MW_BEGIN_DECLS

/* *out is from malloc() and ends with a line feed. Numbers have as few digits as bring the same
 * double back. MW_ERR_NOMEM also for a `value` of NULL: it was not made for want of memory. */
int mw_json_text(const json_t *value, char **out, size_t *bytes) MW_NODISCARD;

/* The same on stdout. Releases the value, whatever happens. */
int mw_json_text_print(json_t *value) MW_NODISCARD;

MW_END_DECLS
#endif
