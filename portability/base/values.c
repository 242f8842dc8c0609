/* values.c -- see values.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/values.h"

#include "base/status.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void range_text(char *out, size_t room, uint64_t min, uint64_t max)
{
    if (max == UINT64_MAX)
        snprintf(out, room, "%" PRIu64 " or more", min);
    else
        snprintf(out, room, "%" PRIu64 "..%" PRIu64, min, max);
}

static bool all_digits(const char *text)
{
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

int mw_parse_count(const char *who, const char *text, uint64_t min, uint64_t max,
                   uint64_t *out)
{
    char range[64];
    const bool negative = text[0] == '-' && all_digits(text + 1);
    range_text(range, sizeof range, min, max);
    if (!negative && !all_digits(text))
        return mw_fail(MW_ERR_USAGE, "%s: '%s' is not an integer; expected %s", who, text,
                       range);
    errno = 0;
    const unsigned long long value = strtoull(text, NULL, 10);
    if (negative || errno == ERANGE || value < min || value > max)
        return mw_fail(MW_ERR_USAGE, "%s: %s is out of range; expected %s", who, text,
                       range);
    *out = value;
    return MW_OK;
}

/* The factor that a size's suffix stands for; 0 if it is none. */
static uint64_t unit_of(const char *suffix)
{
    static const char letters[] = "KMGTP";
    if (suffix[0] == '\0')
        return 1;
    const char *at = strchr(letters, toupper((unsigned char)suffix[0]));
    const bool binary = suffix[1] == 'i';
    if (at == NULL || suffix[binary ? 2 : 1] != '\0')
        return 0;
    uint64_t unit = 1;
    for (const char *p = letters; p <= at; p++)
        unit *= binary ? 1024 : 1000;
    return unit;
}

int mw_parse_bytes(const char *who, const char *text, uint64_t min, uint64_t max,
                   uint64_t *out)
{
    char range[64];
    const size_t digits = strspn(text, "0123456789");
    const uint64_t unit = unit_of(text + digits);
    uint64_t value;
    range_text(range, sizeof range, min, max);
    if (digits == 0 || unit == 0)
        return mw_fail(MW_ERR_USAGE,
                       "%s: '%s' is not a size; expected %s bytes, as in 4096, 64K "
                       "(x 1000) or 64Ki (x 1024)",
                       who, text, range);
    errno = 0;
    const unsigned long long n = strtoull(text, NULL, 10);
    if (errno == ERANGE || __builtin_mul_overflow((uint64_t)n, unit, &value) ||
        value < min || value > max)
        return mw_fail(MW_ERR_USAGE, "%s: %s is out of range; expected %s bytes", who,
                       text, range);
    *out = value;
    return MW_OK;
}

int mw_parse_real(const char *who, const char *text, double min, double max, double *out)
{
    char *end;
    const bool plain = text[strspn(text, "0123456789.eE+-")] == '\0';
    errno = 0;
    const double value = strtod(text, &end);
    if (!plain || end == text || *end != '\0')
        return mw_fail(MW_ERR_USAGE, "%s: '%s' is not a number; expected %g..%g", who,
                       text, min, max);
    if (errno == ERANGE || !(value >= min && value <= max))
        return mw_fail(MW_ERR_USAGE, "%s: %s is out of range; expected %g..%g", who, text,
                       min, max);
    *out = value;
    return MW_OK;
}

size_t mw_word_index(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (size_t index = 0;; index++) {
        const size_t n = strcspn(words, "|");
        if (n == length && n > 0 && strncmp(words, word, n) == 0)
            return index;
        if (words[n] == '\0')
            return SIZE_MAX;
        words += n + 1;
    }
}

int mw_parse_word(const char *who, const char *text, const char *words, uint64_t *out)
{
    const size_t index = mw_word_index(words, text);
    if (index == SIZE_MAX) {
        char list[256];
        size_t used = 0;
        for (const char *p = words; *p != '\0' && used + 3 < sizeof list; p++) {
            list[used++] = *p == '|' ? ',' : *p;
            if (*p == '|')
                list[used++] = ' ';
        }
        list[used] = '\0';
        return mw_fail(MW_ERR_USAGE, "%s: '%s' is not known; expected one of %s", who,
                       text, list);
    }
    *out = index;
    return MW_OK;
}
