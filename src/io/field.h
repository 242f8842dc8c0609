/* field.h -- the fields of a line of text that may be names: between separators, or in quotes.
 *
 * A separator is a comma, a semicolon, a tab, or ' ' for any blanks and tabs. Blanks around a
 * field do not belong to it. In quotes everything stands for itself but a doubled quote, which
 * is one. '#' or '%' behind a blank begins a comment that goes to the end of the line. Where more
 * than blanks separate, '#' does behind a number or an empty field, and both behind a quoted
 * one. The text ends with '\n', as in lines.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FIELD_H
#define MW_FIELD_H

#include "io/names.h"

MW_BEGIN_DECLS

struct mw_field {
    const char *text; /* in the line, or in `unquoted` */
    uint64_t bytes;
    bool quoted;
    char unquoted[MW_NAME_BYTES]; /* where quotes were doubled */
};

/* The field at *p, which is left at the end of the line, at a comment or at a separator. NULL,
 * or what is wrong with it: "no closing quote". */
const char *mw_field_take(const char **p, char separator, struct mw_field *f);

/* Is there another field? Moves *p over the separator, or to the end of what is not a comment. */
bool mw_field_next(const char **p, char separator);

/* The separator of a line: a tab, else a semicolon, else a comma, else blanks. */
char mw_field_separator(const char *line);

/* A field of digits only as a number. */
bool mw_field_number(const struct mw_field *f, uint64_t *number);

MW_END_DECLS
#endif
