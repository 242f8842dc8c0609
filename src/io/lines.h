/* lines.h -- one part's share of the lines of a text file, in blocks of whole lines.
 *
 * A part owns the lines that *begin* in its slice of bytes, so that any number of
 * parts reads every line exactly once:
 *
 *      slice 0          slice 1          slice 2
 *      |1 2.3 4.5 6.7 8.|9 10.11 12.13 14|.15 16.        '.' ends a line
 *       ------- 0 ------ ------- 1 ------- --- 2 --
 *
 * Every block ends with '\n' (one is added to a last line without it), so scanners
 * need no end pointer inside a line: each of them stops at '\n'.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LINES_H
#define MW_LINES_H

#include "io/input.h"

MW_BEGIN_DECLS

struct mw_lines {
    const struct mw_input *in;
    const char *comment; /* the bytes that open a comment line */
    char *block;         /* owned */
    uint64_t room;       /* bytes of it, without the '\n' that may be added */
    bool long_lines;     /* set it after mw_lines_init() */
    uint64_t at;         /* where block[0] stands in the file */
    uint64_t next, end;  /* the next block begins at `next`; no line at or after `end` */
};

/* The lines of part `part` of n_parts of what stands from byte `body` on. */
int mw_lines_init(struct mw_lines *l, const struct mw_input *in, const char *comment,
                  uint64_t body, uint32_t part, uint32_t n_parts) MW_NODISCARD;
void mw_lines_fini(struct mw_lines *l);

/* The next whole lines, [*begin, *end), at least one; MW_DONE when there are none. A
 * line longer than a block is an error, unless it is a comment: that is skipped; or `long`
 * lines are allowed: then the block grows. */
int mw_lines_next(struct mw_lines *l, const char **begin, const char **end) MW_NODISCARD;

/* Bytes of this part that have not been handed out yet. */
MW_FN uint64_t mw_lines_left(const struct mw_lines *l)
{
    return l->next < l->end ? l->end - l->next : 0;
}

/* Where `p` of the current block stands in the file. */
MW_FN uint64_t mw_lines_offset(const struct mw_lines *l, const char *p)
{
    return l->at + (uint64_t)(p - l->block);
}

/* Where the current block ends. */
MW_FN const char *mw_lines_end(const struct mw_lines *l)
{
    return l->block + (l->next - l->at);
}

/* Records "file:line: <message>: '<content>'" as MW_ERR_DATA; `line` is the beginning
 * of the line in the current block, which is lost. Counts the lines before it in the
 * whole file, whichever part this is. */
int mw_lines_fail(struct mw_lines *l, const char *line, const char *fmt, ...)
    MW_PRINTF(3, 4);

/* Lines that begin at `from` .. `to` - 1, where `from` is the beginning of one, without those
 * whose first byte is `comment`. */
int mw_lines_count(const struct mw_input *in, uint64_t from, uint64_t to, char comment,
                   uint64_t *n_lines) MW_NODISCARD;

/* Bytes of a byte order mark at the beginning: 3 or 0. */
int mw_lines_body(const struct mw_input *in, uint64_t *body) MW_NODISCARD;

/* For tests, whole process: how much is read at a time, and so how long a line may be.
 * No struct mw_lines may exist. */
void mw_lines_set_block(uint64_t bytes);

/* ---- scanners; the text ends with '\n' ---- */

MW_FN bool mw_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

MW_FN const char *mw_skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* Separators of the text edge lists: blanks, tabs, commas, semicolons. */
MW_FN const char *mw_skip_separators(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == ',' || *p == ';')
        p++;
    return p;
}

/* The end of the line: '\n' or "\r\n". */
MW_FN bool mw_at_end(const char *p)
{
    return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

const char *mw_skip_line(const char *p); /* behind the next '\n' */

/* Columns that look like numbers (weights, times) up to the end of the line, each
 * with a separator in front. Moves *p to the final '\n'; -1: something else stands
 * there, else how many there were; a comma makes a column, also an empty one. */
int mw_skip_columns(const char **p);

/* A number behind *p, which is moved past it. Not a digit: MW_SCAN_NONE. Beyond
 * INT64_MAX, which no vertex number may be: MW_SCAN_WIDE. */
enum mw_scan { MW_SCAN_GOOD, MW_SCAN_NONE, MW_SCAN_NEGATIVE, MW_SCAN_WIDE };
enum mw_scan mw_scan_odd(const char **p, uint64_t *number);

MW_FN enum mw_scan mw_scan_number(const char **p, uint64_t *number)
{
    const char *q = *p;
    uint64_t x = 0;
    while (mw_is_digit(*q))
        x = 10 * x + (uint64_t)(*q++ - '0');
    const ptrdiff_t n_digits = q - *p;
    if (MW_UNLIKELY(n_digits == 0 || n_digits > 18))
        return mw_scan_odd(p, number);
    *p = q;
    *number = x;
    return MW_SCAN_GOOD;
}

/* A weight at *p, which is moved past it: a number that is not negative, rounded to a float.
 * *rounded: it is no float, as far as double precision tells. MW_SCAN_NONE: no number, also NaN;
 * MW_SCAN_WIDE: greater than any float. */
enum mw_scan mw_scan_weight(const char **p, float *weight, bool *rounded);

/* The same, with an error of the line for what is none. */
int mw_lines_weight(struct mw_lines *l, const char *line, const char **p, float *weight,
                    uint64_t *n_rounded) MW_NODISCARD;

MW_END_DECLS
#endif
