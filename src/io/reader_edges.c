/* reader_edges.c -- text edge lists: two vertices a line, then a weight for who asks for weights,
 * then columns that are not looked at (times). Blanks, tabs, commas and semicolons separate; '#' and '%'
 * open a comment line, as SNAP and KONECT write them. Here are the lines that nearly all
 * files consist of; reader_fields.c has the others.
 *
 * Every line has as many columns as the first one. Where their number varies the file
 * is something else, most often lists of neighbours (METIS, NetworkX), of which all but
 * the first two of each line would be lost without a word.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/lines.h"
#include "io/reading.h"

static const char expected[] = "expected 'vertex vertex'";

/* "1,,2" has nothing between two commas, and no edge. */
static bool one_separator(const char *p, const char *end)
{
    int n = 0;
    for (; p < end; p++)
        n += *p == ',' || *p == ';';
    return n <= 1;
}

/* "u v" at *p, which is left behind v. */
MW_FN enum mw_scan scan_pair(const char **p, uint64_t *u, uint64_t *v)
{
    enum mw_scan s = mw_scan_number(p, u);
    if (MW_UNLIKELY(s != MW_SCAN_GOOD))
        return s;
    const char *second = mw_skip_separators(*p);
    if (MW_UNLIKELY(second == *p))
        return MW_SCAN_NONE;
    if (MW_UNLIKELY(second - *p > 1) && !one_separator(*p, second))
        return MW_SCAN_NONE;
    *p = second;
    return mw_scan_number(p, v);
}

static bool is_comment(const char *p)
{
    return *p == '#' || *p == '%';
}

/* Another number of columns than the first line has. */
static int fail_columns(const struct mw_reading *r, struct mw_lines *l, const char *line,
                        int n_columns)
{
    return mw_lines_fail(l, line,
                         "%d columns, but the first edge has %d: no edge list; if it is "
                         "a list of neighbours, say --format metis or --format adjacency",
                         n_columns + 2, r->n_columns + 2);
}

int mw_edges_fail_id(struct mw_reading *r, struct mw_lines *l, const char *line,
                     uint64_t u, uint64_t v)
{
    const bool left = u - r->base >= mw_reading_left_limit(r);
    const uint64_t id = left ? u : v;
    if (id < r->base && !r->conf->base_given && r->comments.konect)
        return mw_lines_fail(l, line,
                             "vertex 0, but a comment says that they count from 1 "
                             "(KONECT); --base 0 wins over it");
    if (r->comments.two_sides)
        return mw_lines_fail(l, line,
                             "vertex %llu on the %s, where a comment says that there are "
                             "%llu (KONECT)",
                             (unsigned long long)id, left ? "left" : "right",
                             (unsigned long long)(left ? mw_reading_left_limit(r)
                                                       : mw_reading_right_limit(r)));
    return mw_reading_fail_id(r, l, line, MW_SCAN_GOOD, "vertex", id);
}

/* Says what is wrong with a line that take_lines() stopped at. */
static int fail_line(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    uint64_t u, v;
    const char *p = mw_skip_blanks(line);
    int n_columns;
    if (mw_fields_numbers(r, line, &u, &v, &n_columns))
        return n_columns != r->n_columns ? fail_columns(r, l, line, n_columns)
                                         : mw_edges_fail_id(r, l, line, u, v);
    const enum mw_scan s = scan_pair(&p, &u, &v);
    if (s == MW_SCAN_NEGATIVE)
        return mw_lines_fail(l, line, "negative vertex, %s", expected);
    if (s == MW_SCAN_WIDE)
        return mw_lines_fail(l, line,
                             "vertex beyond 2^63 - 1; --names reads names of any kind");
    if (s == MW_SCAN_NONE && mw_at_end(p))
        return mw_lines_fail(l, line,
                             "only one vertex, %s; lists of neighbours need "
                             "--format metis or --format adjacency",
                             expected);
    if (s == MW_SCAN_NONE && !mw_is_digit(*mw_skip_blanks(line)))
        return mw_lines_fail(l, line,
                             "%s; an edge list of names needs --names, a line of titles "
                             "--header yes",
                             expected);
    n_columns = s == MW_SCAN_NONE ? -1 : mw_skip_columns(&p);
    return n_columns < 0 ? mw_lines_fail(l, line, "%s", expected)
                         : fail_columns(r, l, line, n_columns);
}

/* `two_sides` and `weights` are known when this is compiled: most lists have one side, and are
 * read without. */
MW_FN int take_edges(struct mw_reading *r, struct mw_lines *l, const char *p,
                     const char *end, bool two_sides, bool weights)
{
    const uint64_t base = r->base;
    const uint64_t left = two_sides ? mw_reading_left_limit(r) : r->limit;
    const uint64_t right = two_sides ? mw_reading_right_limit(r) : r->limit;
    const uint64_t shift = two_sides ? mw_reading_shift(r) : 0;
    const int n_columns = r->n_columns;
    struct mw_edges *out = r->out;
    while (p < end) {
        const char *line = p;
        uint64_t u, v;
        p = mw_skip_blanks(p);
        if (MW_UNLIKELY(is_comment(p) || mw_at_end(p))) {
            p = mw_skip_line(p);
            continue;
        }
        if (MW_UNLIKELY(scan_pair(&p, &u, &v) != MW_SCAN_GOOD ||
                        (*p == '\n' ? 0 : mw_skip_columns(&p)) != n_columns)) {
            int found;
            if (!mw_fields_numbers(r, line, &u, &v, &found) || found != n_columns)
                return fail_line(r, l, line);
            p = mw_skip_line(line) - 1;
        }
        p++;
        if (MW_UNLIKELY(u - base >= left || v - base >= right))
            return fail_line(r, l, line);
        float weight = 1;
        int rc = weights ? mw_fields_weight(r, l, line, &weight) : MW_OK;
        if (!weights)
            rc = mw_edges_add(out, u - base, v - base + shift);
        else if (rc >= MW_OK)
            rc = mw_edges_add_weighted(out, u - base, v - base + shift, weight);
        if (MW_UNLIKELY(rc < MW_OK))
            return rc;
    }
    return MW_OK;
}

static int take_lines(struct mw_reading *r, struct mw_lines *l, const char *p,
                      const char *end)
{
    return take_edges(r, l, p, end, false, false);
}

static int take_lines_of_two_sides(struct mw_reading *r, struct mw_lines *l,
                                   const char *p, const char *end)
{
    return take_edges(r, l, p, end, true, false);
}

static int take_weighted_lines(struct mw_reading *r, struct mw_lines *l, const char *p,
                               const char *end)
{
    return take_edges(r, l, p, end, true, true); /* one side is two without a shift */
}

/* Are the vertices numbers in the first two columns? */
static bool is_plain(const struct mw_reading *r)
{
    return !r->conf->names && r->column[0] == 0 && r->column[1] == 1;
}

/* How many columns the first edge has, by the way that most lines are read. MW_AGAIN: it is no
 * edge, but a line of titles. */
static int look_at_first(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    uint64_t u, v;
    const char *p = mw_skip_blanks(line);
    const int rc = mw_fields_look(r, l, line);
    if (rc == MW_OK && is_plain(r) && scan_pair(&p, &u, &v) == MW_SCAN_GOOD) {
        const int n_columns = mw_skip_columns(&p);
        r->n_columns = n_columns >= 0 ? n_columns : r->n_columns;
    }
    r->facts->weighted = r->n_columns > 0;
    return rc;
}

/* The first comment that speaks of the direction tells it. */
static int take_head(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    const char *first = mw_skip_blanks(line);
    if (is_comment(first))
        mw_comments_take(r, first + 1, mw_skip_line(first));
    return is_comment(first) || mw_at_end(first) ? MW_AGAIN : look_at_first(r, l, line);
}

int mw_edges_text_open(struct mw_reading *r)
{
    r->facts->n_edges = MW_UNKNOWN;
    const int rc = mw_reading_head(r, "#%", false, take_head);
    return rc < MW_OK ? rc : mw_comments_apply(r);
}

int mw_edges_text_read(struct mw_reading *r)
{
    const int column = r->weight_column; /* of which the first two are the vertices */
    r->facts->has_weights = r->conf->weights && column >= 0 && column < 2 + r->n_columns;
    return mw_reading_lines(r, "#%", r->body,
                            !is_plain(r)            ? mw_fields_take
                            : r->conf->weights      ? take_weighted_lines
                            : r->comments.two_sides ? take_lines_of_two_sides
                                                    : take_lines);
}
