/* values.h -- a value that a user has written: taken whole, or refused with the text and the range.
 *
 * `who` stands at the front of each message: "--roots", "MESHWAY_ROOTS".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_VALUES_H
#define MW_VALUES_H

#include "base/base.h"

MW_BEGIN_DECLS

int mw_parse_count(const char *who, const char *text, uint64_t min, uint64_t max,
                   uint64_t *out) MW_NODISCARD;
/* 4096, 64M (powers of 1000), 1Gi (powers of 1024). */
int mw_parse_bytes(const char *who, const char *text, uint64_t min, uint64_t max,
                   uint64_t *out) MW_NODISCARD;
int mw_parse_real(const char *who, const char *text, double min, double max, double *out)
    MW_NODISCARD;
/* *out: the index of `text` in `words`, "one|two|three". */
int mw_parse_word(const char *who, const char *text, const char *words, uint64_t *out)
    MW_NODISCARD;

/* The index of a word in "one|two|three", or SIZE_MAX. */
size_t mw_word_index(const char *words, const char *word);

MW_END_DECLS
#endif
