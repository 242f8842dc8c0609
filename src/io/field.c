/* field.c -- see field.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/field.h"

#include "io/lines.h"

#include <string.h>

static bool is_blank(char c, char separator)
{
    return c == ' ' || (c == '\t' && separator != '\t');
}

static const char *skip_blanks(const char *p, char separator)
{
    while (is_blank(*p, separator))
        p++;
    return p;
}

/* A sign that a blank stands in front of; `begin` is where the line or the field begins. */
static bool is_comment(const char *p, const char *begin)
{
    return (*p == '#' || *p == '%') && p > begin && (p[-1] == ' ' || p[-1] == '\t');
}

static bool is_end(const char *p, const char *begin, char separator)
{
    return *p == '\n' || mw_at_end(p) || is_comment(p, begin) ||
           (separator == ' ' ? is_blank(*p, separator) : *p == separator);
}

/* Behind the opening quote. */
static const char *take_quoted(const char **p, char separator, struct mw_field *f)
{
    const char *q = *p;
    bool doubled = false;
    f->quoted = true;
    f->bytes = 0;
    for (;; q++) {
        if (*q == '\n')
            return "no closing quote in this line";
        if (*q == '"' && q[1] != '"')
            break;
        if (f->bytes == MW_NAME_BYTES)
            return "a name of more than 4096 bytes";
        f->unquoted[f->bytes++] = *q;
        doubled |= *q == '"';
        q += *q == '"';
    }
    f->text = doubled ? f->unquoted : *p;
    *p = skip_blanks(q + 1, separator);
    return is_end(*p, q, separator) || (separator == ' ' && *p > q + 1)
               ? NULL
               : "more behind a closing quote";
}

/* Behind which a comment may begin, wherever columns are separated by more than blanks: "Album #9"
 * and "50 % off" are names. */
static bool is_number_or_empty(const char *p, const char *end)
{
    while (p < end && strchr("0123456789+-.eE", *p) != NULL && *p != '\0')
        p++;
    return p == end;
}

const char *mw_field_take(const char **p, char separator, struct mw_field *f)
{
    const char *line = *p;
    const char *begin = skip_blanks(line, separator), *end = begin, *q = begin;
    if (*begin == '"') {
        *p = begin + 1;
        return take_quoted(p, separator, f);
    }
    for (;
         !is_end(q, line, separator) || (separator != ' ' && is_comment(q, line) &&
                                         (*q == '%' || !is_number_or_empty(begin, end)));
         q++)
        if (!is_blank(*q, separator))
            end = q + 1;
    *p = q;
    f->quoted = false;
    f->text = begin;
    f->bytes = (uint64_t)(end - begin);
    return f->bytes > MW_NAME_BYTES ? "a name of more than 4096 bytes" : NULL;
}

bool mw_field_next(const char **p, char separator)
{
    const char *q = skip_blanks(*p, separator);
    if (*q == '\n' || mw_at_end(q) || is_comment(q, *p - (q == *p)))
        return false;
    if (separator != ' ' && *q != separator)
        return false;
    *p = q + (separator != ' ');
    return true;
}

char mw_field_separator(const char *line)
{
    static const char order[] = "\t;,";
    bool quoted = false, seen[3] = {false, false, false};
    for (const char *p = line; *p != '\n'; p++) {
        const char *at = *p != '\0' ? strchr(order, *p) : NULL;
        quoted ^= *p == '"';
        if (!quoted && at != NULL)
            seen[at - order] = true;
    }
    for (int i = 0; i < 3; i++)
        if (seen[i])
            return order[i];
    return ' ';
}

bool mw_field_number(const struct mw_field *f, uint64_t *number)
{
    uint64_t x = 0;
    for (uint64_t i = 0; i < f->bytes; i++) {
        const uint64_t digit = (uint64_t)(f->text[i] - '0');
        if (!mw_is_digit(f->text[i]) || x > ((uint64_t)INT64_MAX - digit) / 10)
            return false;
        x = 10 * x + digit;
    }
    *number = x;
    return f->bytes > 0;
}
