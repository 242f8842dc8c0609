/* escape.c -- three languages that differ in a few characters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/draw/escape.h"

#include "base/escape.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD };

static uint32_t take_character(const char **text)
{
    const uint32_t c = mw_utf8_take(text);
    return c == MW_NO_CHARACTER ? REPLACEMENT : c;
}

/* Bytes that are no UTF-8 come back: base/escape.h has the form. */
void mw_escape_json(const char *text, FILE *out)
{
    const bool bytes = mw_is_bytes(text);
    while (*text != '\0') {
        const char *from = text;
        const uint32_t c = mw_utf8_take(&text);
        if (c == MW_NO_CHARACTER)
            fprintf(out, "\\u005cx%02x", (unsigned)(unsigned char)*from);
        else if (bytes && c == '\\')
            fprintf(out, "\\u005c\\u005c");
        else if (c >= 0x10000)
            fprintf(out, "\\u%04x\\u%04x", 0xD800 + ((c - 0x10000) >> 10),
                    0xDC00 + (c & 0x3FF));
        else if (c < 0x20 || c >= 0x7F || strchr("\"\\<>&", (int)c) != NULL)
            fprintf(out, "\\u%04x", c);
        else
            fputc((int)c, out);
    }
}

void mw_escape_xml(const char *text, FILE *out)
{
    while (*text != '\0') {
        const uint32_t c = take_character(&text);
        if (c < 0x20 && c != '\t' && c != '\n')
            fprintf(out, "&#%d;", REPLACEMENT);
        else if (c >= 0x7F || strchr("\"'<>&", (int)c) != NULL)
            fprintf(out, "&#%u;", c);
        else
            fputc((int)c, out);
    }
}

/* A backslash in DOT starts an escape of its own, and "&" an entity of HTML. */
void mw_escape_dot(const char *text, FILE *out)
{
    while (*text != '\0') {
        const uint32_t c = take_character(&text);
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", (int)c);
        else if (c < 0x20)
            fputc(' ', out);
        else if (c >= 0x7F || c == '&')
            fprintf(out, "&#%u;", c);
        else
            fputc((int)c, out);
    }
}
