/* reader_metis.c -- METIS's graphs: a header, then a line for each vertex that names its
 * neighbours, counted from 1. An edge stands in the lines of both its ends.
 *
 *      % comment
 *      3 2 [fmt [ncon]]      vertices, edges; fmt: three binary digits, say what else stands
 *      2 3                   there: sizes of vertices, weights of vertices (ncon of them),
 *      1                     weights of edges (one behind each neighbour)
 *      1
 *
 * The vertex is the number of the line, so a part counts the lines before its own; an empty
 * line is a vertex without neighbours. All ranks together read the file more than once that
 * way, but looking for newlines is many times faster than reading numbers.
 *
 * Each edge is delivered once. That it stands in both lines, and that the header's counts
 * hold, the merged facts tell. Self-loops, which METIS itself refuses, count as one edge.
 * (Karypis, METIS 5.1 manual, section 4.1.1.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/lines.h"
#include "io/reading.h"

#include <string.h>

/* Up to three binary digits; false: something else. */
static bool parse_fmt(const char **p, struct mw_metis *m, bool *has_weights)
{
    const char *q = *p;
    bool digit[3] = {false, false, false};
    int n = 0;
    for (; *q == '0' || *q == '1'; q++, n++) {
        digit[0] = digit[1];
        digit[1] = digit[2];
        digit[2] = *q == '1';
    }
    if (n == 0 || n > 3 || mw_is_digit(*q))
        return false;
    m->n_before = digit[0];
    *has_weights = digit[1];
    m->weights = digit[2];
    *p = q;
    return true;
}

/* "n m [fmt [ncon]]"; false: another line. */
static bool parse_header(const char *p, struct mw_metis *m)
{
    uint64_t n_weights = 1;
    bool has_weights = false;
    *m = (struct mw_metis){.row = MW_UNKNOWN};
    p = mw_skip_blanks(p);
    if (mw_scan_number(&p, &m->n_vertices) != MW_SCAN_GOOD || (*p != ' ' && *p != '\t'))
        return false;
    p = mw_skip_blanks(p);
    if (mw_scan_number(&p, &m->n_edges) != MW_SCAN_GOOD)
        return false;
    const char *fmt = mw_skip_blanks(p);
    if (!mw_at_end(fmt)) {
        if (fmt == p || !parse_fmt(&fmt, m, &has_weights))
            return false;
        p = fmt;
        const char *ncon = mw_skip_blanks(p);
        if (!mw_at_end(ncon)) {
            if (ncon == p || mw_scan_number(&ncon, &n_weights) != MW_SCAN_GOOD ||
                n_weights > 1024 || !mw_at_end(mw_skip_blanks(ncon)))
                return false;
        }
    }
    m->n_before += has_weights ? n_weights : 0;
    return true;
}

/* Each vertex has a line, and each edge stands there twice: with a blank or newline. */
static bool size_fits(const struct mw_metis *m, uint64_t bytes)
{
    const uint64_t entry = m->weights ? 4 : 2;
    return m->n_vertices <= bytes + 1 && m->n_edges <= (bytes + 1) / entry;
}

/* A number that is not looked at, and what ends it. */
static bool skip_number(const char **p)
{
    const char *q = mw_skip_blanks(*p), *from = q;
    while (*q != '\0' && strchr("0123456789+-.eE", *q) != NULL)
        q++;
    *p = q;
    return q > from && (*q == ' ' || *q == '\t' || mw_at_end(q));
}

/* Leaves *p at the first neighbour. Numbers of the vertex may be missing where it has no
 * neighbours either. */
static bool skip_before(const struct mw_metis *m, const char **p)
{
    for (uint64_t i = 0; i < m->n_before; i++) {
        if (i == 0 && mw_at_end(mw_skip_blanks(*p)))
            break;
        if (!skip_number(p))
            return false;
    }
    *p = mw_skip_blanks(*p);
    return true;
}

/* The neighbour at *p, which is left at the next one or at the line's end. */
MW_FN enum mw_scan scan_neighbour(bool weights, const char **p, uint64_t *v,
                                  const char **weight)
{
    const enum mw_scan s = mw_scan_number(p, v);
    if (MW_UNLIKELY(s != MW_SCAN_GOOD))
        return s;
    if (MW_UNLIKELY(**p != ' ' && **p != '\t' && !mw_at_end(*p)))
        return MW_SCAN_NONE;
    *weight = mw_skip_blanks(*p);
    if (weights && !skip_number(p))
        return MW_SCAN_NONE;
    *p = mw_skip_blanks(*p);
    return MW_SCAN_GOOD;
}

/* ---- detection ---- */

struct seen {
    struct mw_metis metis;
    uint64_t n_rows;             /* whole lines of vertices that are there */
    uint64_t n_loops, n_entries; /* in them */
    uint64_t n_pairs[2];         /* entries whose line and neighbour are both there ... */
    uint64_t hash[2];            /* ... upwards and downwards */
    uint64_t fewest, most;       /* numbers in a line, the header's too */
};

static uint64_t count_numbers(const char *p)
{
    uint64_t n = 0;
    for (p = mw_skip_blanks(p); !mw_at_end(p); n++) {
        while (*p != ' ' && *p != '\t' && !mw_at_end(p))
            p++;
        p = mw_skip_blanks(p);
    }
    return n;
}

static void see_columns(struct seen *s, const char *line)
{
    const uint64_t n = count_numbers(line);
    s->fewest = mw_min(s->fewest, n);
    s->most = mw_max(s->most, n);
}

/* One line; false: METIS's has another. Counts pairs only if all rows are known. */
static bool see_row(struct seen *s, const char *p, uint64_t row, uint64_t n_rows)
{
    const struct mw_metis *m = &s->metis;
    if (row >= m->n_vertices)
        return mw_at_end(mw_skip_blanks(p));
    if (!skip_before(m, &p))
        return false;
    while (!mw_at_end(p)) {
        const char *weight;
        uint64_t v;
        if (scan_neighbour(m->weights, &p, &v, &weight) != MW_SCAN_GOOD || v == 0 ||
            v > m->n_vertices)
            return false;
        s->n_entries++;
        s->n_loops += v - 1 == row;
        if (v - 1 < n_rows && v - 1 != row) {
            const int half = v - 1 < row;
            s->n_pairs[half]++;
            s->hash[half] += mw_edge_hash(mw_min(row, v - 1), mw_max(row, v - 1));
        }
    }
    return true;
}

/* All lines from p on. */
static bool see_rows(struct seen *s, const char *p, const char *end, uint64_t n_rows)
{
    uint64_t row = 0;
    s->n_entries = s->n_loops = 0;
    for (; p < end; p = mw_skip_line(p)) {
        if (*p == '%')
            continue;
        if (!see_row(s, p, row, n_rows))
            return false;
        if (row++ < s->metis.n_vertices)
            see_columns(s, p);
    }
    s->n_rows = mw_min(row, s->metis.n_vertices);
    return true;
}

bool mw_metis_fits(const char *head, const char *end, bool whole, uint64_t file_bytes)
{
    struct seen s = {.fewest = UINT64_MAX};
    const char *p = head;
    while (p < end && (*p == '%' || mw_at_end(mw_skip_blanks(p))))
        p = mw_skip_line(p);
    if (p >= end || !parse_header(p, &s.metis) || !size_fits(&s.metis, file_bytes) ||
        s.metis.n_edges == 0 || s.metis.n_vertices == 0 ||
        s.metis.n_edges / s.metis.n_vertices >= s.metis.n_vertices)
        return false;
    see_columns(&s, p);
    p = mw_skip_line(p);
    if (!see_rows(&s, p, end, 0) || !see_rows(&s, p, end, s.n_rows) ||
        s.n_pairs[0] != s.n_pairs[1] || s.hash[0] != s.hash[1])
        return false;
    const bool varies = s.fewest != s.most; /* and so is no edge list */
    if (whole)
        return s.n_rows == s.metis.n_vertices &&
               s.n_entries + s.n_loops == 2 * s.metis.n_edges &&
               (s.n_loops == 0 || varies);
    return varies || (s.n_pairs[0] > 0 && s.n_loops == 0);
}

/* ---- reading ---- */

static int fail_header(const struct mw_reading *r, struct mw_lines *l, const char *line)
{
    const struct mw_metis *m = &r->metis;
    if (!parse_header(line, &(struct mw_metis){0}))
        return mw_lines_fail(l, line,
                             "expected 'vertices edges [fmt [ncon]]' with fmt of up to "
                             "three digits 0 or 1");
    return mw_lines_fail(l, line,
                         "%llu vertices and %llu edges need more than the %llu bytes of "
                         "the file",
                         (unsigned long long)m->n_vertices,
                         (unsigned long long)m->n_edges,
                         (unsigned long long)r->in->bytes);
}

static int take_header(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    if (!parse_header(line, &r->metis) || !size_fits(&r->metis, r->in->bytes))
        return fail_header(r, l, line);
    r->body = mw_min(mw_lines_offset(l, mw_skip_line(line)), r->in->bytes);
    r->facts->n_edges = r->metis.n_edges;
    r->facts->weighted = r->metis.weights || r->metis.n_before > 0;
    return mw_reading_set_vertices(r, r->metis.n_vertices);
}

static int take_head(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    return *line == '%' || mw_at_end(mw_skip_blanks(line)) ? MW_AGAIN
                                                           : take_header(r, l, line);
}

int mw_metis_open(struct mw_reading *r)
{
    r->base = 1;
    r->facts->both_halves = true;
    r->facts->directed = MW_DIRECTED_NO;
    const int rc = mw_reading_head(r, "%", false, take_head);
    return rc == MW_DONE ? mw_reading_lacks(r, "a line 'vertices edges'") : rc;
}

static int fail_row(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    const char *p = line, *weight;
    uint64_t v = 0;
    enum mw_scan s = MW_SCAN_GOOD;
    if (r->metis.row >= r->metis.n_vertices)
        return mw_lines_fail(l, line, "a line more than the header's %llu vertices",
                             (unsigned long long)r->metis.n_vertices);
    if (!skip_before(&r->metis, &p))
        return mw_lines_fail(l, line, "expected %llu numbers of vertex %llu first",
                             (unsigned long long)r->metis.n_before,
                             (unsigned long long)r->metis.row + 1);
    while (s == MW_SCAN_GOOD && !mw_at_end(p)) {
        s = scan_neighbour(r->metis.weights, &p, &v, &weight);
        if (s == MW_SCAN_GOOD && v - 1 >= r->limit)
            break;
    }
    if (s == MW_SCAN_NONE)
        return mw_lines_fail(l, line, "expected the neighbours of vertex %llu%s",
                             (unsigned long long)r->metis.row + 1,
                             r->metis.weights ? ", a weight behind each" : "");
    return mw_reading_fail_id(r, l, line, s, "neighbour", v);
}

/* The neighbours of one vertex; p is left at the line's end. MW_DONE: something is wrong. */
static int take_row(struct mw_reading *r, struct mw_lines *l, const char **p)
{
    const char *const line = *p;
    const bool weights = r->metis.weights, wanted = r->conf->weights;
    const uint64_t row = r->metis.row, limit = r->limit;
    if (MW_UNLIKELY(row >= r->metis.n_vertices))
        return mw_at_end(mw_skip_blanks(*p)) ? MW_OK : MW_DONE;
    if (MW_UNLIKELY(!skip_before(&r->metis, p)))
        return MW_DONE;
    while (!mw_at_end(*p)) {
        const char *value;
        uint64_t v;
        float weight = wanted;
        int rc = MW_OK;
        if (MW_UNLIKELY(scan_neighbour(weights, p, &v, &value) != MW_SCAN_GOOD ||
                        v - 1 >= limit))
            return MW_DONE;
        if (wanted && weights)
            rc = mw_lines_weight(l, line, &value, &weight, &r->facts->n_rounded);
        if (rc >= MW_OK)
            rc = mw_reading_add_half(r, row, v - 1, weight);
        if (MW_UNLIKELY(rc < MW_OK))
            return rc;
    }
    return MW_OK;
}

static int take_rows(struct mw_reading *r, struct mw_lines *l, const char *p,
                     const char *end)
{
    if (r->metis.row == MW_UNKNOWN) {
        const int rc =
            mw_lines_count(r->in, r->body, mw_lines_offset(l, p), '%', &r->metis.row);
        if (rc < MW_OK)
            return rc;
    }
    for (; p < end; p = mw_skip_line(p)) {
        const char *line = p;
        if (*p == '%')
            continue;
        const int rc = take_row(r, l, &p);
        if (MW_UNLIKELY(rc != MW_OK))
            return rc == MW_DONE ? fail_row(r, l, line) : rc;
        r->metis.row++;
    }
    return MW_OK;
}

int mw_metis_read(struct mw_reading *r)
{
    r->facts->has_weights = r->conf->weights && r->metis.weights;
    int rc = mw_reading_lines(r, "%", r->body, take_rows);
    if (rc < MW_OK || r->part + 1 < r->n_parts)
        return rc;
    if (r->metis.row == MW_UNKNOWN) /* no line begins in the last part */
        rc = mw_lines_count(r->in, r->body, r->in->bytes, '%', &r->metis.row);
    if (rc >= MW_OK && r->metis.row < r->metis.n_vertices)
        return mw_fail(MW_ERR_DATA,
                       "%s: the header says %llu vertices, but %llu lines follow; "
                       "truncated?",
                       r->in->name, (unsigned long long)r->metis.n_vertices,
                       (unsigned long long)r->metis.row);
    return rc;
}
