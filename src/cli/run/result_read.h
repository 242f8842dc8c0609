/* result_read.h -- a result file back in memory: what result_json.h has written, so that a run that
 * ended early can be taken up. Written again, a search that was read is the same text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RESULT_READ_H
#define MW_RESULT_READ_H

#include "graph500/benchmark.h"

#include <jansson.h>

MW_BEGIN_DECLS

/* The document, if it is a whole result of this schema whose checksum holds; `file` stands in
 * messages. MW_ERR_DATA otherwise. Freed with json_decref(). */
int mw_result_parse(const char *file, const char *text, size_t bytes, json_t **out)
    MW_NODISCARD;

/* Search `i` of such a document but for its root and path, which only the graph's names
 * can read. Its levels are the caller's (mw_free). MW_ERR_DATA: a field is missing or of
 * another kind. */
int mw_result_search(const char *file, const json_t *result, uint32_t i,
                     const struct mw_algorithm *algorithm, struct mw_search *out)
    MW_NODISCARD;

MW_END_DECLS
#endif
