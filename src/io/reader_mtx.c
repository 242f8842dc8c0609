/* reader_mtx.c -- Matrix Market, coordinate format: a banner, comments, a line
 * "rows columns entries", then one entry a line, counted from 1.
 *
 *      %%MatrixMarket matrix coordinate pattern symmetric
 *      % a comment
 *      3 3 2
 *      2 1
 *      3 1
 *
 * An entry is an edge, and its value a weight for who asks for weights. A symmetric matrix stores each
 * pair once, which is what we want. (Boisvert, Pozo, Remington 1996.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/lines.h"
#include "io/reading.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { WORD = 32 };

static bool is(const char *word, const char *expected)
{
    return strcasecmp(word, expected) == 0;
}

/* The next word of the line at *p, cut to fit and in printable characters. */
static void next_word(const char **p, char word[WORD])
{
    const char *begin = mw_skip_blanks(*p);
    const char *end = begin;
    while (!isspace((unsigned char)*end))
        end++;
    mw_input_quote(word, WORD, begin, (size_t)(end - begin));
    *p = end;
}

static int parse_banner(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    char magic[WORD], object[WORD], layout[WORD], field[WORD], symmetry[WORD];
    const char *p = line;
    next_word(&p, magic);
    next_word(&p, object);
    next_word(&p, layout);
    next_word(&p, field);
    next_word(&p, symmetry);

    if (!is(magic, "%%MatrixMarket"))
        return mw_lines_fail(l, line,
                             "wrong banner, expected '%%%%MatrixMarket matrix coordinate "
                             "FIELD SYMMETRY'");
    if (!is(object, "matrix"))
        return mw_lines_fail(l, line, "holds a '%s', expected 'matrix'", object);
    if (is(layout, "array"))
        return mw_lines_fail(l, line, "a dense matrix ('array'), expected 'coordinate'");
    if (!is(layout, "coordinate"))
        return mw_lines_fail(l, line, "layout '%s', expected 'coordinate'", layout);
    if (is(field, "complex"))
        return mw_lines_fail(l, line,
                             "complex entries are no edges, expected 'pattern', "
                             "'integer' or 'real'");
    if (!is(field, "pattern") && !is(field, "integer") && !is(field, "real") &&
        !is(field, "double"))
        return mw_lines_fail(
            l, line, "field '%s', expected 'pattern', 'integer' or 'real'", field);
    if (!is(symmetry, "general") && !is(symmetry, "symmetric") &&
        !is(symmetry, "skew-symmetric"))
        return mw_lines_fail(l, line,
                             "symmetry '%s', expected 'general', 'symmetric' or "
                             "'skew-symmetric'",
                             symmetry);
    if (!mw_at_end(mw_skip_blanks(p)))
        return mw_lines_fail(l, line, "too many words in the banner");
    r->mtx.min_columns = r->mtx.max_columns = is(field, "pattern") ? 0 : 1;
    r->mtx.is_half = !is(symmetry, "general");
    r->facts->directed = r->mtx.is_half ? MW_DIRECTED_NO : MW_DIRECTED_YES;
    r->facts->weighted = r->mtx.max_columns > 0;
    r->mtx.no_diagonal = is(symmetry, "skew-symmetric");
    r->mtx.has_banner = true;
    return MW_AGAIN;
}

/* "rows columns entries", against each other and against the file's size. */
static int parse_size(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    uint64_t number[3];
    const char *p = line;
    for (int i = 0; i < 3; i++) {
        p = mw_skip_blanks(p);
        const enum mw_scan s = mw_scan_number(&p, &number[i]);
        if (s == MW_SCAN_WIDE)
            return mw_lines_fail(l, line, "a size beyond 2^63 - 1");
        if (s != MW_SCAN_GOOD || (i < 2 && *p != ' ' && *p != '\t'))
            return mw_lines_fail(l, line, "expected 'rows columns entries'");
    }
    if (!mw_at_end(mw_skip_blanks(p)))
        return mw_lines_fail(l, line, "expected 'rows columns entries'");
    if (number[0] != number[1])
        return mw_lines_fail(l, line, "the matrix is not square: %llu rows, %llu columns",
                             (unsigned long long)number[0],
                             (unsigned long long)number[1]);
    r->body = mw_min(mw_lines_offset(l, mw_skip_line(p)), r->in->bytes);

    /* "1 1\n" or "1 1 1\n" at least; the last may lack its newline. */
    const uint64_t least = r->mtx.min_columns == 0 ? 4 : 6;
    const uint64_t left = r->in->bytes - r->body;
    if (number[2] > (left + 1) / least)
        return mw_lines_fail(l, line,
                             "%llu entries need at least %llu bytes each, but the file "
                             "goes on for only %llu bytes",
                             (unsigned long long)number[2], (unsigned long long)least,
                             (unsigned long long)left);
    r->facts->n_edges = number[2];
    return mw_reading_set_vertices(r, number[0]);
}

static int take_head(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    const char *first = mw_skip_blanks(line);
    if (!r->mtx.has_banner)
        return parse_banner(r, l, line);
    return *first == '%' || mw_at_end(first) ? MW_AGAIN : parse_size(r, l, line);
}

int mw_mtx_open(struct mw_reading *r)
{
    r->base = 1;
    const int rc = mw_reading_head(r, "%", false, take_head);
    return rc == MW_DONE
               ? mw_reading_lacks(r, r->mtx.has_banner ? "a line 'rows columns entries'"
                                                       : "a banner '%%MatrixMarket'")
               : rc;
}

static int fail_entry(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    uint64_t u = 0, v = 0;
    const char *p = mw_skip_blanks(line);
    enum mw_scan s = mw_scan_number(&p, &u);
    if (s == MW_SCAN_GOOD) {
        p = mw_skip_blanks(p);
        s = mw_scan_number(&p, &v);
    }
    if (s == MW_SCAN_NEGATIVE || s == MW_SCAN_WIDE)
        return mw_reading_fail_id(r, l, line, s, "row or column", 0);
    const int n_columns = s == MW_SCAN_GOOD ? mw_skip_columns(&p) : -1;
    if (n_columns < r->mtx.min_columns || n_columns > r->mtx.max_columns)
        return mw_lines_fail(l, line, "expected '%s'",
                             r->mtx.min_columns == 0 ? "row column" : "row column value");
    if (u - 1 < r->limit && v - 1 < r->limit)
        return mw_lines_fail(l, line, "a skew-symmetric matrix has no diagonal");
    return mw_reading_fail_id(r, l, line, s, "row or column",
                              v == 0 || u - 1 < r->limit ? v : u);
}

/* A line's entry; false: not one. */
MW_FN bool scan_entry(const struct mw_mtx *mtx, const char **p, uint64_t *u, uint64_t *v,
                      const char **value)
{
    if (mw_scan_number(p, u) != MW_SCAN_GOOD)
        return false;
    const char *second = mw_skip_blanks(*p);
    if (second == *p)
        return false;
    *p = second;
    if (mw_scan_number(p, v) != MW_SCAN_GOOD)
        return false;
    *value = *p;
    if (MW_LIKELY(**p == '\n'))
        return mtx->min_columns == 0;
    const int n_columns = mw_skip_columns(p);
    return n_columns >= mtx->min_columns && n_columns <= mtx->max_columns;
}

/* `weights` is known when this is compiled. */
MW_FN int take_entries_as(struct mw_reading *r, struct mw_lines *l, const char *p,
                          const char *end, bool weights)
{
    const struct mw_mtx mtx = r->mtx;
    const uint64_t limit = r->limit;
    while (p < end) {
        const char *line = p, *value;
        uint64_t u, v;
        float weight = 1;
        int rc = MW_OK;
        p = mw_skip_blanks(p);
        if (MW_UNLIKELY(*p == '%' || mw_at_end(p))) {
            p = mw_skip_line(p);
            continue;
        }
        if (MW_UNLIKELY(!scan_entry(&mtx, &p, &u, &v, &value)))
            return fail_entry(r, l, line);
        p++;
        if (MW_UNLIKELY(u - 1 >= limit || v - 1 >= limit || (mtx.no_diagonal && u == v)))
            return fail_entry(r, l, line);
        if (weights && mtx.max_columns > 0) {
            value = mw_skip_blanks(value);
            rc = mw_lines_weight(l, line, &value, &weight, &r->facts->n_rounded);
        }
        if (mtx.is_half && u > v) {
            const uint64_t row = u;
            u = v;
            v = row;
        }
        if (rc >= MW_OK)
            rc = weights ? mw_edges_add_weighted(r->out, u - 1, v - 1, weight)
                         : mw_edges_add(r->out, u - 1, v - 1);
        if (MW_UNLIKELY(rc < MW_OK))
            return rc;
    }
    return MW_OK;
}

static int take_entries(struct mw_reading *r, struct mw_lines *l, const char *p,
                        const char *end)
{
    return take_entries_as(r, l, p, end, false);
}

static int take_weighted_entries(struct mw_reading *r, struct mw_lines *l, const char *p,
                                 const char *end)
{
    return take_entries_as(r, l, p, end, true);
}

int mw_mtx_read(struct mw_reading *r)
{
    const bool weights = r->conf->weights;
    r->facts->has_weights = weights && r->mtx.max_columns > 0;
    return mw_reading_lines(r, "%", r->body,
                            weights ? take_weighted_entries : take_entries);
}
