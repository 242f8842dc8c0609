/* words.c -- see words.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/words.h"

#include "base/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- lines and words ----------------------------------------------------------------- */

void mw_text_init(struct mw_text *t, const char *text, size_t bytes)
{
    const bool marked = bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    *t = (struct mw_text){text + (marked ? 3 : 0), text + bytes, 0};
}

bool mw_text_line(struct mw_text *t, struct mw_line *line)
{
    if (t->at == t->end)
        return false;
    const char *end = t->at; /* most lines are short, and so may be millions of them */
    while (end < t->end && end - t->at < 16 && *end != '\n')
        end++;
    if (end - t->at == 16)
        end = memchr(end, '\n', (size_t)(t->end - end));
    if (end == NULL)
        end = t->end;
    *line = (struct mw_line){t->at, t->at, end};
    t->at = end + (end < t->end);
    t->line++;
    return true;
}

/* Is the comma at `c` part of a core? Inside a word only. */
static bool joins(const struct mw_line *line, const char *c)
{
    return is_digit(c[-1]) && c + 1 < line->end && is_digit(c[1]);
}

bool mw_line_word(struct mw_line *line, struct mw_word *w)
{
    const char *c = line->at;
    w->column = (uint32_t)(c - line->begin) + 1;
    w->comma = false;
    for (; c < line->end && (is_blank(*c) || *c == ','); c++)
        w->comma |= *c == ',';
    w->text = line->at = c;
    w->bytes = 0;
    if (c == line->end || *c == '#')
        return false;
    for (; c < line->end && !is_blank(*c) && *c != '#'; c++)
        if (*c == ',' && !joins(line, c))
            break;
    w->column = (uint32_t)(w->text - line->begin) + 1;
    w->bytes = (size_t)(c - w->text);
    line->at = c;
    return true;
}

bool mw_word_is(const struct mw_word *w, const char *text)
{
    return w->bytes == strlen(text) && memcmp(w->text, text, w->bytes) == 0;
}

/* ---- numbers ------------------------------------------------------------------------- */

/* Digits at *at, as far as they go; false if there are none. */
static bool take_digits(const char **at, const char *end, uint64_t *out)
{
    const char *begin = *at;
    *out = 0;
    for (; *at < end && is_digit(**at); ++*at)
        *out = *out > (UINT64_MAX - 9) / 10 ? UINT64_MAX
                                            : 10 * *out + (uint64_t)(**at - '0');
    return *at > begin;
}

bool mw_word_integer(const struct mw_word *w, uint64_t *out)
{
    const char *at = w->text;
    return take_digits(&at, w->text + w->bytes, out) && at == w->text + w->bytes;
}

bool mw_word_size(const struct mw_word *w, uint64_t *out)
{
    const char *at = w->text, *end = w->text + w->bytes;
    if (!take_digits(&at, end, out))
        return false;
    const uint64_t unit = at < end && *at == 'K'   ? 1024
                          : at < end && *at == 'M' ? 1 << 20
                                                   : 1;
    if (__builtin_mul_overflow(*out, unit, out))
        *out = UINT64_MAX;
    return at + (unit > 1) == end;
}

/* The digits go to strtod() without their point, which depends on the locale. */
bool mw_word_rate(const struct mw_word *w, double *out)
{
    static const char units[] = "KMG";
    char digits[64];
    size_t n = 0, bytes = w->bytes;
    int exponent = 0;
    bool point = false;
    const char *unit = bytes > 0 ? memchr(units, w->text[bytes - 1], 3) : NULL;
    if (unit != NULL) {
        exponent = 3 * (int)(unit - units + 1);
        bytes--;
    }
    if (bytes == 0 || bytes > 40 || !is_digit(w->text[0]) ||
        !is_digit(w->text[bytes - 1]))
        return false;
    for (size_t i = 0; i < bytes; i++)
        if (is_digit(w->text[i])) {
            digits[n++] = w->text[i];
            exponent -= point;
        } else if (w->text[i] == '.' && !point)
            point = true;
        else
            return false;
    snprintf(digits + n, sizeof digits - n, "e%d", exponent);
    *out = strtod(digits, NULL);
    return true;
}

bool mw_word_core(const struct mw_word *w, uint32_t *row, uint32_t *col)
{
    const char *at = w->text, *end = w->text + w->bytes;
    uint64_t r, c;
    if (!take_digits(&at, end, &r) || at == end || *at++ != ',' ||
        !take_digits(&at, end, &c) || at != end)
        return false;
    *row = (uint32_t)mw_min(r, UINT32_MAX);
    *col = (uint32_t)mw_min(c, UINT32_MAX);
    return true;
}

/* ---- messages ------------------------------------------------------------------------ */

size_t mw_text_character(const char *text, size_t bytes)
{
    char four[5] = "";
    const char *at = four;
    memcpy(four, text, mw_min(bytes, 4));
    const uint32_t c = mw_utf8_take(&at);
    const bool control = c < ' ' || (c >= 0x7F && c < 0xA0);
    return c == MW_NO_CHARACTER || control ? 0 : (size_t)(at - four);
}

const char *mw_text_show(const char *text, size_t bytes, char out[MW_WORD_SHOWN])
{
    const size_t most = bytes > MW_WORD_SHOWN - 8 ? MW_WORD_SHOWN - 8 : bytes;
    size_t at = 0, n;
    for (; at < most; at += n) {
        n = mw_text_character(text + at, bytes - at);
        if (at + n > most)
            break; /* cut before a character, not inside one */
        if (n == 0) {
            out[at] = '?';
            n = 1;
        } else
            memcpy(out + at, text + at, n);
    }
    strcpy(out + at, bytes > most ? "..." : "");
    return out;
}

const char *mw_word_show(const struct mw_word *w, char out[MW_WORD_SHOWN])
{
    return mw_text_show(w->text, w->bytes, out);
}
