/* escape.c -- see escape.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/escape.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 16 }; /* bytes of one character, escaped */

/* Bytes of the sequence that starts with b; 0: none does. */
static int sequence_bytes(unsigned char b)
{
    return b < 0x80 ? 1 : b < 0xC2 ? 0 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : b < 0xF5 ? 4 : 0;
}

uint32_t mw_utf8_take(const char **text)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)*text;
    const int n = sequence_bytes(b[0]);
    *text += 1;
    if (n <= 1)
        return n == 1 ? b[0] : MW_NO_CHARACTER;
    uint32_t c = b[0] & (0x7Fu >> n);
    for (int i = 1; i < n; i++) {
        if ((b[i] & 0xC0) != 0x80)
            return MW_NO_CHARACTER;
        c = c << 6 | (b[i] & 0x3Fu);
    }
    if (c < least[n] || (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF)
        return MW_NO_CHARACTER;
    *text += n - 1;
    return c;
}

/* Controls of both sets, ends of lines and paragraphs, and what turns the direction. */
static bool is_harmless(uint32_t c)
{
    return c >= 0x20 && !(c >= 0x7F && c < 0xA0) && c != MW_NO_CHARACTER &&
           !(c >= 0x2028 && c <= 0x202E) && !(c >= 0x2066 && c <= 0x2069) &&
           c != 0x200E && c != 0x200F && c != 0xFEFF;
}

/* One character, [from, end), for people. */
static void escape_one(char out[LONGEST + 1], const char *from, const char *end,
                       uint32_t c)
{
    static const char named[] = "\n\t\r", letters[] = "ntr";
    const char *name = c != 0 && c < 0x80 ? strchr(named, (int)c) : NULL;
    size_t n = 0;
    if (is_harmless(c)) {
        memcpy(out, from, (size_t)(end - from));
        out[end - from] = '\0';
    } else if (name != NULL) {
        snprintf(out, LONGEST + 1, "\\%c", letters[name - named]);
    } else {
        for (; from < end; from++)
            n += (size_t)snprintf(out + n, LONGEST + 1 - n, "\\x%02x",
                                  (unsigned)(unsigned char)*from);
    }
}

const char *mw_escape(char *to, size_t room, const char *from)
{
    size_t n = 0;
    while (*from != '\0') {
        char one[LONGEST + 1];
        const char *end = from;
        const uint32_t c = mw_utf8_take(&end);
        escape_one(one, from, end, c);
        const size_t length = strlen(one);
        if (n + length >= room)
            break;
        memcpy(to + n, one, length);
        n += length;
        from = end;
    }
    to[n] = '\0';
    return to;
}

bool mw_is_bytes(const char *text)
{
    for (const char *p = text; *p != '\0';) {
        if (p[0] == '\\' && p[1] == 'x' && isxdigit((unsigned char)p[2]) &&
            isxdigit((unsigned char)p[3]))
            return true;
        if (mw_utf8_take(&p) == MW_NO_CHARACTER)
            return true;
    }
    return false;
}

char *mw_escape_bytes(const char *text)
{
    const bool bytes = mw_is_bytes(text);
    char *out = malloc(4 * strlen(text) + 1), *to = out;
    while (out != NULL && *text != '\0') {
        const char *from = text;
        const uint32_t c = mw_utf8_take(&text);
        if (c == MW_NO_CHARACTER) {
            to += sprintf(to, "\\x%02x", (unsigned)(unsigned char)*from);
            continue;
        }
        if (bytes && c == '\\')
            *to++ = '\\';
        memcpy(to, from, (size_t)(text - from));
        to += text - from;
    }
    if (out != NULL)
        *to = '\0';
    return out;
}
