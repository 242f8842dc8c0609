/* aie_words.c -- the tokens of a design, and patterns of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/routes/aie.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const mw_aie_bundles[MW_AIE_N_BUNDLES + 1] = {
    "Core", "DMA",   "FIFO",        "South", "West", "North",
    "East", "Trace", "TileControl", "PLIO",  NULL};

bool mw_aie_complain(struct mw_aie *a, const char *text)
{
    mw_diagnose(a->d, false, a->line, 1, "%s", text);
    return !(a->failed = true);
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.' || c == '$';
}

static void skip(struct mw_aie *a)
{
    for (; a->at < a->end; a->at++) {
        if (*a->at == '\n')
            a->line++;
        else if (a->end - a->at > 1 && a->at[0] == '/' && a->at[1] == '/') {
            while (a->at < a->end && *a->at != '\n')
                a->at++;
            a->at--;
        } else if (strchr(" \t\r", *a->at) == NULL || *a->at == '\0')
            return;
    }
}

/* A word with its sigil, a string, or one character. */
bool mw_aie_next(struct mw_aie *a)
{
    skip(a);
    const char *begin = a->at;
    if (a->at < a->end && *a->at == '"') {
        for (a->at++; a->at < a->end && *a->at != '"' && *a->at != '\n'; a->at++)
            a->at += *a->at == '\\' && a->at + 1 < a->end && a->at[1] != '\n';
        a->at += a->at < a->end && *a->at == '"';
    } else if (a->at < a->end) {
        a->at++;
        if (in_word(*begin) || strchr("%@^#!", *begin) != NULL)
            while (a->at < a->end && in_word(*a->at))
                a->at++;
    }
    a->word = (struct mw_word){.text = begin, .bytes = (size_t)(a->at - begin)};
    a->braces += a->word.bytes == 1 && *begin == '{';
    a->braces -= a->word.bytes == 1 && *begin == '}' && a->braces > 0;
    return a->word.bytes > 0;
}

bool mw_aie_is(const struct mw_aie *a, const char *text)
{
    return a->word.bytes == strlen(text) &&
           strncasecmp(a->word.text, text, a->word.bytes) == 0;
}

bool mw_aie_wrong(struct mw_aie *a, const char *expected)
{
    char shown[MW_WORD_SHOWN];
    mw_diagnose(a->d, false, a->line, 1, "expected %s, got '%s'", expected,
                mw_word_show(&a->word, shown));
    a->failed = true;
    return false;
}

bool mw_aie_take(struct mw_aie *a, const char *text)
{
    mw_aie_next(a);
    return mw_aie_is(a, text) || mw_aie_wrong(a, text);
}

bool mw_aie_take_number(struct mw_aie *a, int most, int *out)
{
    char text[16], *end;
    mw_aie_next(a);
    if (a->word.bytes == 0 || a->word.bytes >= sizeof text)
        return mw_aie_wrong(a, "a number");
    memcpy(text, a->word.text, a->word.bytes);
    text[a->word.bytes] = '\0';
    const long x = strtol(text, &end, 0);
    if (*end != '\0' || x < 0 || x > most)
        return mw_aie_wrong(a, "a number in range");
    *out = (int)x;
    return true;
}

/* "South : 3" */
static bool take_port(struct mw_aie *a, struct mw_aie_port *out)
{
    mw_aie_next(a);
    for (out->bundle = 0; mw_aie_bundles[out->bundle] != NULL; out->bundle++)
        if (mw_aie_is(a, mw_aie_bundles[out->bundle]))
            break;
    if (mw_aie_bundles[out->bundle] == NULL)
        return mw_aie_wrong(a, "a port such as DMA : 0 or South : 3");
    return mw_aie_take(a, ":") &&
           mw_aie_take_number(a, MW_AIE_PORT_MAX - 1, &out->channel);
}

bool mw_aie_find(struct mw_aie *a, const struct mw_vocabulary *names, const char *what,
                 uint32_t *out)
{
    char shown[MW_WORD_SHOWN];
    if (mw_vocabulary_find(names, a->word.text, a->word.bytes, out))
        return true;
    mw_diagnose(a->d, false, a->line, 1, "no %s is called '%s' here", what,
                mw_word_show(&a->word, shown));
    return !(a->failed = true);
}

bool mw_aie_take_tile(struct mw_aie *a, uint32_t *box)
{
    uint32_t number;
    mw_aie_next(a);
    if (!mw_aie_find(a, &a->tiles, "tile", &number))
        return false;
    *box = a->tile[number];
    return true;
}

bool mw_aie_take_all(struct mw_aie *a, const char *pattern, ...)
{
    va_list args;
    bool good = true;
    va_start(args, pattern);
    for (; good && *pattern != '\0'; pattern++) {
        const char text[2] = {*pattern, '\0'};
        if (*pattern == 'N') {
            const int most = va_arg(args, int);
            good = mw_aie_take_number(a, most, va_arg(args, int *));
        } else {
            good = *pattern == 'T'   ? mw_aie_take_tile(a, va_arg(args, uint32_t *))
                   : *pattern == 'P' ? take_port(a, va_arg(args, struct mw_aie_port *))
                                     : mw_aie_take(a, text);
        }
    }
    va_end(args);
    return good;
}
