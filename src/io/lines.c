/* lines.c -- see lines.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/lines.h"

#include "base/mem.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t block_bytes = 1 << 20;

void mw_lines_set_block(uint64_t bytes)
{
    block_bytes = bytes;
}

const char *mw_skip_line(const char *p)
{
    while (*p != '\n')
        p++;
    return p + 1;
}

int mw_skip_columns(const char **p)
{
    int n = 0, n_commas = 0;
    for (const char *q = *p;; n++) {
        const char *column = mw_skip_separators(q);
        for (; q < column; q++)
            n_commas += *q == ',' || *q == ';';
        if (mw_at_end(column)) {
            *p = column + (*column == '\r');
            return n > n_commas ? n : n_commas;
        }
        q = column;
        while (*q != '\0' && strchr("0123456789+-.eE", *q) != NULL)
            q++;
        if (q == column || column == *p)
            return -1;
    }
}

enum mw_scan mw_scan_odd(const char **p, uint64_t *number)
{
    const char *q = *p;
    uint64_t x = 0;
    if (*q == '-' && mw_is_digit(q[1]))
        return MW_SCAN_NEGATIVE;
    if (!mw_is_digit(*q))
        return MW_SCAN_NONE;
    for (; mw_is_digit(*q); q++) {
        const uint64_t digit = (uint64_t)(*q - '0');
        if (x > ((uint64_t)INT64_MAX - digit) / 10)
            return MW_SCAN_WIDE;
        x = 10 * x + digit;
    }
    *p = q;
    *number = x;
    return MW_SCAN_GOOD;
}

int mw_lines_body(const struct mw_input *in, uint64_t *body)
{
    char mark[3];
    *body = 0;
    if (in->bytes < sizeof mark)
        return MW_OK;
    const int rc = mw_input_read(in, 0, mark, sizeof mark);
    if (rc >= MW_OK && memcmp(mark, "\xEF\xBB\xBF", sizeof mark) == 0)
        *body = sizeof mark;
    return rc;
}

/* The place behind the first '\n' at or after `from`; the file's end without one. */
static int find_line(const struct mw_lines *l, uint64_t from, uint64_t *place)
{
    while (from < l->in->bytes) {
        const uint64_t n = mw_min(block_bytes, l->in->bytes - from);
        const int rc = mw_input_read(l->in, from, l->block, n);
        if (rc < MW_OK)
            return rc;
        const char *newline = memchr(l->block, '\n', n);
        if (newline != NULL) {
            *place = from + (uint64_t)(newline - l->block) + 1;
            return MW_OK;
        }
        from += n;
    }
    *place = l->in->bytes;
    return MW_OK;
}

int mw_lines_init(struct mw_lines *l, const struct mw_input *in, const char *comment,
                  uint64_t body, uint32_t part, uint32_t n_parts)
{
    int rc = MW_OK;
    const uint64_t bytes = in->bytes - body;
    memset(l, 0, sizeof *l);
    l->in = in;
    l->comment = comment;
    l->next = body + mw_share_begin(bytes, part, n_parts);
    l->end = body + mw_share_begin(bytes, part + 1, n_parts);
    l->room = mw_min(block_bytes, in->bytes);
    MW_NEW(rc, l->block, "read buffer", l->room + 1); /* for a '\n' */
    if (part > 0 && l->next < l->end)
        MW_TRY(rc, find_line(l, l->next - 1, &l->next));
    return MW_OK;
end:
    mw_lines_fini(l);
    return rc;
}

void mw_lines_fini(struct mw_lines *l)
{
    mw_free(l->block);
    l->block = NULL;
}

/* How much of the n bytes in the block are whole lines of this part. The last line of
 * the part is the one that holds byte end - 1. */
static uint64_t whole_lines(const struct mw_lines *l, uint64_t n)
{
    if (l->at + n >= l->end) {
        const uint64_t last = l->end - 1 - l->at;
        const char *newline = memchr(l->block + last, '\n', n - last);
        if (newline != NULL)
            return (uint64_t)(newline - l->block) + 1;
    }
    if (l->at + n == l->in->bytes) { /* the file's last line lacks its end */
        l->block[n] = '\n';
        return n + 1;
    }
    while (n > 0 && l->block[n - 1] != '\n')
        n--;
    return n;
}

/* A line is longer than the block, and the file longer than that. */
static int grow(struct mw_lines *l)
{
    const uint64_t room = mw_min(2 * l->room, l->in->bytes);
    char *block = mw_alloc("read buffer", room + 1, 1);
    if (block == NULL)
        return MW_ERR_NOMEM;
    mw_free(l->block);
    l->block = block;
    l->room = room;
    return MW_OK;
}

int mw_lines_next(struct mw_lines *l, const char **begin, const char **end)
{
    while (l->next < l->end) {
        l->at = l->next;
        const uint64_t n = mw_min(l->room, l->in->bytes - l->at);
        int rc = mw_input_read(l->in, l->at, l->block, n);
        if (rc < MW_OK)
            return rc;
        const uint64_t taken = whole_lines(l, n);
        if (taken > 0) {
            l->next = l->at + taken;
            *begin = l->block;
            *end = l->block + taken;
            return MW_OK;
        }
        l->block[n] = '\n';
        const char first = *mw_skip_blanks(l->block);
        if (first != '\0' && strchr(l->comment, first) != NULL)
            rc = find_line(l, l->at + n, &l->next);
        else if (l->long_lines)
            rc = grow(l);
        else
            rc = mw_lines_fail(l, l->block, "line is longer than %llu bytes",
                               (unsigned long long)block_bytes);
        if (rc < MW_OK)
            return rc;
    }
    return MW_DONE;
}

int mw_lines_count(const struct mw_input *in, uint64_t from, uint64_t to, char comment,
                   uint64_t *n_lines)
{
    enum { PIECE = 16 << 10 };
    char piece[PIECE];
    bool begins = true;
    *n_lines = 0;
    while (from < to) {
        const uint64_t n = mw_min(PIECE, to - from);
        const int rc = mw_input_read(in, from, piece, n);
        if (rc < MW_OK)
            return rc;
        for (const char *p = piece, *end = piece + n; p < end;) {
            *n_lines += begins && *p != comment;
            const char *newline = memchr(p, '\n', (size_t)(end - p));
            begins = newline != NULL;
            p = begins ? newline + 1 : end;
        }
        from += n;
    }
    return MW_OK;
}

/* Lines that end before `offset`. */
static int count_lines(const struct mw_lines *l, uint64_t offset, uint64_t *n_lines)
{
    *n_lines = 0;
    for (uint64_t at = 0; at < offset; at += block_bytes) {
        const uint64_t n = mw_min(block_bytes, offset - at);
        const int rc = mw_input_read(l->in, at, l->block, n);
        if (rc < MW_OK)
            return rc;
        for (uint64_t i = 0; i < n; i++)
            *n_lines += l->block[i] == '\n';
    }
    return MW_OK;
}

int mw_lines_fail(struct mw_lines *l, const char *line, const char *fmt, ...)
{
    char content[64], message[512];
    uint64_t n_lines;
    va_list args;
    const char *stop = mw_skip_line(line) - 1;
    if (stop > line && stop[-1] == '\r')
        stop--;
    mw_input_quote(content, sizeof content, line, (size_t)(stop - line));
    const bool cut = (size_t)(stop - line) >= sizeof content;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    const int rc = count_lines(l, mw_lines_offset(l, line), &n_lines);
    if (rc < MW_OK)
        return rc;
    return mw_fail(MW_ERR_DATA, "%s:%llu: %s: '%s%s'", l->in->name,
                   (unsigned long long)n_lines + 1, message, content, cut ? "..." : "");
}

/* Up to 15 digits and nothing that makes it more than a whole number. */
static bool scan_whole(const char **p, double *number)
{
    const char *q = *p;
    uint64_t x = 0;
    while (mw_is_digit(*q) && q - *p < 16)
        x = 10 * x + (uint64_t)(*q++ - '0');
    if (q == *p || q - *p > 15 || mw_is_digit(*q) || *q == '.' || *q == 'e' || *q == 'E')
        return false;
    *number = (double)x;
    *p = q;
    return true;
}

enum mw_scan mw_scan_weight(const char **p, float *weight, bool *rounded)
{
    const char *q = *p;
    double number;
    *rounded = false;
    if (!scan_whole(&q, &number)) {
        char *end;
        const char *const digits = q + (*q == '+' || *q == '-');
        if (!mw_is_digit(*digits) && !(*digits == '.' && mw_is_digit(digits[1])))
            return MW_SCAN_NONE;
        if (*digits == '0' && (digits[1] == 'x' || digits[1] == 'X'))
            return MW_SCAN_NONE;
        number = strtod(q, &end);
        *weight = strtof(q, NULL); /* rounded once */
        q = end;
    } else {
        *weight = (float)number;
    }
    if (*q == '\0' || strchr(" \t\n\r,;\"", *q) == NULL)
        return MW_SCAN_NONE;
    if (number < 0)
        return MW_SCAN_NEGATIVE;
    if (!(*weight <= FLT_MAX))
        return MW_SCAN_WIDE;
    *weight += 0.0F; /* -0 is 0 */
    *rounded = (double)*weight != number;
    *p = q;
    return MW_SCAN_GOOD;
}

int mw_lines_weight(struct mw_lines *l, const char *line, const char **p, float *weight,
                    uint64_t *n_rounded)
{
    bool rounded;
    switch (mw_scan_weight(p, weight, &rounded)) {
    case MW_SCAN_GOOD:
        *n_rounded += rounded;
        return MW_OK;
    case MW_SCAN_NEGATIVE:
        return mw_lines_fail(l, line, "a negative weight");
    case MW_SCAN_WIDE:
        return mw_lines_fail(l, line, "a weight greater than any float, %g", FLT_MAX);
    default:
        return mw_lines_fail(l, line, "expected a weight, a number from 0 on");
    }
}
