/* escape.c -- decodes UTF-8, once; the three languages differ in a few characters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/layout/escape.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD };

/* Bytes of the sequence that starts with b; 0: none does. */
static int sequence_bytes(unsigned char b)
{
    return b < 0x80 ? 1 : b < 0xC2 ? 0 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : b < 0xF5 ? 4 : 0;
}

/* The character at *text, which moves behind it; shortest form only, no surrogates. */
static uint32_t take(const char **text)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)*text;
    const int n = sequence_bytes(b[0]);
    uint32_t c = n == 1 ? b[0] : n == 0 ? REPLACEMENT : b[0] & (0x7Fu >> n);
    for (int i = 1; i < n; i++) {
        if ((b[i] & 0xC0) != 0x80) {
            *text += 1;
            return REPLACEMENT;
        }
        c = c << 6 | (b[i] & 0x3Fu);
    }
    *text += n == 0 ? 1 : n;
    return c < least[n] || (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF ? REPLACEMENT : c;
}

void mw_escape_json(const char *text, FILE *out)
{
    while (*text != '\0') {
        const uint32_t c = take(&text);
        if (c >= 0x10000)
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
        const uint32_t c = take(&text);
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
        const uint32_t c = take(&text);
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
