/* json_field.h -- fields of a JSON object, read strictly: a field of another type, a word that
 * is none of the known ones or a field that nobody knows is an error, MW_ERR_DATA, whose
 * message names the place, what was expected and what stood there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_JSON_FIELD_H
#define MW_JSON_FIELD_H

#include "cpe/cluster.h"
#include "io/names.h"

#include <jansson.h>

MW_BEGIN_DECLS

/* "PLACE: expected THIS, got that"; got may be NULL: "PLACE: missing; expected THIS". */
int mw_json_wrong(const json_t *got, const char *expected, const char *field, ...)
    MW_PRINTF(3, 4) MW_NODISCARD;

/* The same of a field's name. */
int mw_json_wrong_key(const char *key, const char *expected, const char *field)
    MW_NODISCARD;

/* An integer min..max, 0 <= min, max <= UINT32_MAX; NULL is missing. */
int mw_json_integer(const json_t *j, json_int_t min, json_int_t max, uint32_t *out,
                    const char *field, ...) MW_PRINTF(5, 6) MW_NODISCARD;

/* The number of a word in a list that ends in NULL; -1: it is no string or another one. */
int mw_json_word(const json_t *j, const char *const *words);

/* Fields that may be left out. A word is number 0 then, a flag is false. */
int mw_json_optional_word(const json_t *o, const char *key, const char *const *words,
                          const char *expected, int *out) MW_NODISCARD;
int mw_json_optional_flag(const json_t *o, const char *key, bool *out) MW_NODISCARD;
int mw_json_optional_array(const json_t *o, const char *key) MW_NODISCARD;

/* An object without a field that is not in `known`, a list that ends in NULL. */
int mw_json_check_object(json_t *o, const char *const *known, const char *field)
    MW_NODISCARD;

/* What the input calls a vertex: a number, or a string. */
json_t *mw_json_vertex(const struct mw_names *names, mw_vid v);

/* A string of any bytes, in the form that base/escape.h has for those that are no UTF-8; NULL: no
 * memory. */
json_t *mw_json_bytes(const char *text);

/* Driver, clocks, power and temperature; null what is not known. */
void mw_json_put_device(json_t *o, const struct mw_device_state *s);

/* The text with control characters as \u001b; owned by the caller (mw_free), NULL: no
 * memory. */
char *mw_json_escaped(const char *text);
/* At most this many bytes of a text, whole characters. */
int mw_json_bytes_shown(const char *text, size_t most);

MW_END_DECLS
#endif
