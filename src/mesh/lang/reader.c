/* reader.c -- see reader.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/reader.h"

#include "base/nearest.h"

#include <stdarg.h>
#include <stdio.h>

#define RATE_MAX 1e15

/* A text that is all errors costs only their counting. */
static bool is_silent(const struct mw_reader *r)
{
    return r->quiet || r->d->n_errors >= MW_DIAGNOSTICS_MAX;
}

bool mw_reader_complain(struct mw_reader *r, uint32_t column, const char *fmt, ...)
{
    char text[280] = "";
    va_list args;
    if (r->quiet)
        return false;
    if (!is_silent(r)) {
        va_start(args, fmt);
        vsnprintf(text, sizeof text, fmt, args);
        va_end(args);
    }
    mw_diagnose(r->d, false, r->line, column, "%s", text);
    return false;
}

bool mw_reader_expected(struct mw_reader *r, const char *fmt, ...)
{
    char what[200], shown[MW_WORD_SHOWN];
    va_list args;
    if (is_silent(r))
        return mw_reader_complain(r, 0, "-");
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    if (r->word.bytes == 0)
        return mw_reader_complain(r, r->word.column, "expected %s, got end of line",
                                  what);
    return mw_reader_complain(r, r->word.column, "expected %s, got '%s'", what,
                              mw_word_show(&r->word, shown));
}

bool mw_reader_expected_then(struct mw_reader *r, const char *what, const char *advice)
{
    char shown[MW_WORD_SHOWN];
    if (is_silent(r) || r->word.bytes == 0)
        return mw_reader_expected(r, "%s", what);
    return mw_reader_complain(r, r->word.column, "expected %s, got '%s'%s", what,
                              mw_word_show(&r->word, shown), advice);
}

bool mw_reader_blame(struct mw_reader *r, const char *what)
{
    char shown[MW_WORD_SHOWN];
    if (is_silent(r))
        return mw_reader_complain(r, 0, "-");
    return mw_reader_complain(r, r->word.column, "%s '%s'", what,
                              mw_word_show(&r->word, shown));
}

/* "; did you mean 'fifo'?", or nothing. */
static const char *guess(const struct mw_reader *r, const char *const *words, char *out,
                         size_t room)
{
    char given[MW_WORD_SHOWN];
    struct mw_nearest near = {.given = mw_word_show(&r->word, given)};
    for (int i = 0; r->word.bytes > 0 && words[i] != NULL; i++)
        mw_nearest_offer(&near, words[i]);
    out[0] = '\0';
    if (near.best != NULL)
        snprintf(out, room, "; did you mean '%s'?", near.best);
    return out;
}

bool mw_reader_unknown(struct mw_reader *r, const char *what, const char *const *words)
{
    char shown[MW_WORD_SHOWN], meant[64];
    if (is_silent(r))
        return mw_reader_complain(r, 0, "-");
    return mw_reader_complain(r, r->word.column, "%s '%s'%s", what,
                              mw_word_show(&r->word, shown),
                              guess(r, words, meant, sizeof meant));
}

/* ---- words --------------------------------------------------------------------------- */

bool mw_reader_next(struct mw_reader *r)
{
    return mw_line_word(&r->rest, &r->word);
}

bool mw_reader_accept(struct mw_reader *r, const char *text)
{
    struct mw_line rest = r->rest;
    struct mw_word word;
    if (!mw_line_word(&rest, &word) || !mw_word_is(&word, text))
        return false;
    r->rest = rest;
    r->word = word;
    return true;
}

int mw_reader_find(const struct mw_reader *r, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (mw_word_is(&r->word, words[i]))
            return i;
    return -1;
}

int mw_reader_option(struct mw_reader *r, const char *const *words, const char *text,
                     uint32_t *seen)
{
    const int i = mw_reader_find(r, words);
    char meant[64];
    if (i < 0)
        mw_reader_expected_then(r, text, guess(r, words, meant, sizeof meant));
    else if ((*seen >> i & 1) != 0) {
        mw_reader_blame(r, "repeated");
        return -1;
    } else
        *seen |= UINT32_C(1) << i;
    return i;
}

static bool ranged(struct mw_reader *r, bool good, const char *what, uint64_t value,
                   uint64_t least, uint64_t most, uint32_t *out)
{
    if (!good || value < least || value > most)
        return mw_reader_expected(r, "%s %llu..%llu", what, (unsigned long long)least,
                                  (unsigned long long)most);
    *out = (uint32_t)value;
    return true;
}

bool mw_reader_integer(struct mw_reader *r, uint32_t least, uint32_t most, uint32_t *out)
{
    uint64_t value = 0;
    const bool good = mw_reader_next(r) && mw_word_integer(&r->word, &value);
    return ranged(r, good, "an integer", value, least, most, out);
}

bool mw_reader_size(struct mw_reader *r, uint32_t least, uint32_t most, uint32_t *out)
{
    uint64_t value = 0;
    const bool good = mw_reader_next(r) && mw_word_size(&r->word, &value);
    return ranged(r, good, "a size", value, least, most, out);
}

bool mw_reader_channel(struct mw_reader *r, const struct mw_layout *l, mw_channel *out)
{
    const char *names[MW_CHANNELS_MAX + 1] = {NULL};
    char meant[64];
    uint32_t k = l->n_channels;
    if (mw_reader_next(r))
        k = mw_channel_find(l, r->word.text, r->word.bytes);
    for (uint32_t i = 0; i < l->n_channels && *l->channel_name[0] != '\0'; i++)
        names[i] = l->channel_name[i];
    if (k == l->n_channels)
        return mw_reader_expected_then(r, "a class of the class statement",
                                       guess(r, names, meant, sizeof meant));
    *out = (mw_channel)k;
    return true;
}

bool mw_reader_rate(struct mw_reader *r, double *out)
{
    double value;
    if (!mw_reader_next(r) || !mw_word_rate(&r->word, &value) || value < 1 ||
        value > RATE_MAX)
        return mw_reader_expected(r, "a rate 1..1000000G");
    *out = value;
    return true;
}
