/* reader_fields.c -- the lines of edge lists that are more than numbers: names, quotes, other
 * columns of text, comments behind an edge, and a line of titles at the top (CSV).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/field.h"
#include "io/reading.h"
#include "io/titles.h"

#include <string.h>

static bool looks_like_number(const struct mw_field *f)
{
    for (uint64_t i = 0; i < f->bytes; i++)
        if (f->text[i] == '\0' || strchr("0123456789+-.eE", f->text[i]) == NULL)
            return false;
    return f->bytes > 0;
}

/* Both vertices of a line and how many other columns there are. Where blanks separate, text
 * besides two numbers is more likely a mistake than a column. NULL, or what is wrong. */
static const char *take_pair(const struct mw_reading *r, const char *p, bool texts,
                             struct mw_field pair[2], int *n_columns)
{
    struct mw_field other;
    const char *why;
    int n = 0, n_found = 0;
    do {
        const int end = n == r->column[0] ? 0 : n == r->column[1] ? 1 : -1;
        struct mw_field *f = end >= 0 ? &pair[end] : &other;
        why = mw_field_take(&p, r->separator, f);
        if (why == NULL && end < 0 && r->separator == ' ' && !texts && !f->quoted &&
            !looks_like_number(f))
            why = "text beside two vertices";
        n_found += end >= 0;
        n++;
    } while (why == NULL && mw_field_next(&p, r->separator));
    *n_columns = n - 2;
    return why != NULL ? why : n_found < 2 ? "only one vertex" : NULL;
}

bool mw_fields_numbers(const struct mw_reading *r, const char *line, uint64_t *u,
                       uint64_t *v, int *n_columns)
{
    struct mw_field pair[2];
    return take_pair(r, line, false, pair, n_columns) == NULL &&
           mw_field_number(&pair[0], u) && mw_field_number(&pair[1], v);
}

/* ---- weights ---- */

/* Where the weight of a line begins, and ends if that is known; NULL: it has none. Blanks may separate
 * what commas could. */
static const char *find_weight(const struct mw_reading *r, const char *line,
                               const char **end)
{
    struct mw_field f;
    const char *p = line;
    int n = 0;
    *end = NULL;
    do {
        if (mw_field_take(&p, r->separator, &f) != NULL)
            return NULL;
        if (n == r->weight_column && r->separator != ' ')
            *end = f.text + f.bytes;
        if (n == r->weight_column)
            return f.bytes > 0 && f.text != f.unquoted ? f.text : NULL;
        n++;
    } while (mw_field_next(&p, r->separator));
    p = mw_skip_blanks(line);
    for (n = 0; n < r->weight_column; n++) {
        while (!mw_at_end(p) && mw_skip_separators(p) == p)
            p++;
        p = mw_skip_separators(p);
    }
    return p;
}

int mw_fields_weight(struct mw_reading *r, struct mw_lines *l, const char *line,
                     float *weight)
{
    *weight = 1;
    if (!r->facts->has_weights)
        return MW_OK;
    const char *end, *p = find_weight(r, line, &end);
    if (p == NULL)
        return mw_lines_fail(l, line, "no weight in column %d", r->weight_column + 1);
    const int rc = mw_lines_weight(l, line, &p, weight, &r->facts->n_rounded);
    return rc < MW_OK || end == NULL || p == end
               ? rc
               : mw_lines_fail(
                     l, line,
                     "expected a weight, a number from 0 on, in all of column %d "
                     "(a comma is no decimal point)",
                     r->weight_column + 1);
}

/* ---- edges, field by field ---- */

static bool is_edge(const char *line)
{
    const char *first = mw_skip_blanks(line);
    return *first != '#' && *first != '%' && !mw_at_end(first);
}

static int number_of(struct mw_reading *r, struct mw_lines *l, const char *line,
                     const struct mw_field *name, uint64_t *number)
{
    if (name->bytes == 0)
        return mw_lines_fail(l, line, "a vertex without a name");
    if (memchr(name->text, '\0', name->bytes) != NULL)
        return mw_lines_fail(l, line, "a name with a zero byte");
    return mw_dictionary_add(r->conf->seen, name->text, name->bytes, number);
}

static int take_names(struct mw_reading *r, struct mw_lines *l, const char *line,
                      const struct mw_field pair[2], float weight)
{
    uint64_t u, v = 0;
    int rc = number_of(r, l, line, &pair[0], &u);
    if (rc >= MW_OK)
        rc = number_of(r, l, line, &pair[1], &v);
    return rc >= MW_OK ? mw_edges_add_weighted(r->out, u, v, weight) : rc;
}

static int take_numbers(struct mw_reading *r, struct mw_lines *l, const char *line,
                        const struct mw_field pair[2], float weight)
{
    uint64_t u, v;
    if (!mw_field_number(&pair[0], &u) || !mw_field_number(&pair[1], &v))
        return mw_lines_fail(l, line,
                             "expected vertices in columns %d and %d, numbers from 0 to "
                             "2^63 - 1; an edge list of names needs --names",
                             r->column[0] + 1, r->column[1] + 1);
    if (u - r->base >= mw_reading_left_limit(r) ||
        v - r->base >= mw_reading_right_limit(r))
        return mw_edges_fail_id(r, l, line, u, v);
    return mw_edges_add_weighted(r->out, u - r->base, v - r->base + mw_reading_shift(r),
                                 weight);
}

int mw_fields_take(struct mw_reading *r, struct mw_lines *l, const char *p,
                   const char *end)
{
    struct mw_field pair[2];
    const bool names = r->conf->names;
    for (; p < end; p = mw_skip_line(p)) {
        int n_columns;
        if (!is_edge(p))
            continue;
        const char *why = take_pair(r, p, names, pair, &n_columns);
        if (why != NULL)
            return mw_lines_fail(l, p, "%s, expected '%s'", why,
                                 names ? "name name" : "vertex vertex");
        if (n_columns != r->n_columns)
            return mw_lines_fail(l, p,
                                 "%d columns, but the first line has %d; %s that hold "
                                 "a separator need quotes",
                                 n_columns + 2, r->n_columns + 2,
                                 names ? "names" : "fields");
        float weight;
        int rc = mw_fields_weight(r, l, p, &weight);
        if (rc >= MW_OK)
            rc = names ? take_names(r, l, p, pair, weight)
                       : take_numbers(r, l, p, pair, weight);
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}

/* ---- titles ---- */

static bool is_same(const struct mw_field *a, const struct mw_field *b)
{
    return a->bytes == b->bytes && memcmp(a->text, b->text, a->bytes) == 0;
}

/* Do names that look like titles occur among the vertices of the lines below? Then they are names:
 * "node1 node2" stands above "node2 node3". */
static bool occur_below(const struct mw_reading *r, const char *line, const char *end)
{
    struct mw_field first[2], pair[2];
    int n_columns;
    if (take_pair(r, line, true, first, &n_columns) != NULL)
        return false;
    for (const char *p = mw_skip_line(line); p < end; p = mw_skip_line(p)) {
        if (!is_edge(p) || take_pair(r, p, true, pair, &n_columns) != NULL)
            continue;
        for (int i = 0; i < 4; i++)
            if (is_same(&first[i / 2], &pair[i % 2]))
                return true;
    }
    return false;
}

bool mw_fields_look_named(const struct mw_read_conf *conf, const char *p, const char *end)
{
    struct mw_reading r = {.conf = conf, .column = {0, 1}, .separator = conf->separator};
    struct mw_field pair[2];
    int n_lines = 0, n_named = 0, n_columns = 0;
    for (; p < end; p = mw_skip_line(p)) {
        int n;
        if (!is_edge(p))
            continue;
        if (r.separator == '\0')
            r.separator = mw_field_separator(p);
        if (n_lines == 0 && !r.has_titles && conf->header != MW_HEADER_NO &&
            (mw_titles_find(p, r.separator, r.column) || conf->header == MW_HEADER_YES)) {
            r.has_titles = true;
            continue;
        }
        if (take_pair(&r, p, r.separator != ' ', pair, &n) != NULL ||
            (n_lines > 0 && n != n_columns) || pair[0].bytes == 0 || pair[1].bytes == 0)
            return false;
        n_named += !looks_like_number(&pair[0]) || !looks_like_number(&pair[1]);
        n_columns = n;
        n_lines++;
    }
    return 2 * n_named > n_lines;
}

/* Where vertices are numbers: columns that separators make, and no number in the first two. */
static bool is_text(const struct mw_reading *r, const char *line)
{
    struct mw_field pair[2];
    int n_columns;
    return !r->conf->names && r->separator != ' ' &&
           take_pair(r, line, true, pair, &n_columns) == NULL &&
           !looks_like_number(&pair[0]) && !looks_like_number(&pair[1]);
}

/* Is the line one of titles (MW_AGAIN) or an edge? Titles that name both ends of an edge say which
 * columns are read. */
static int look_for_titles(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    const int usual[2] = {r->column[0], r->column[1]};
    const bool asked = r->conf->header == MW_HEADER_YES || r->conf->weight_title != NULL;
    if (r->has_titles || r->conf->header == MW_HEADER_NO)
        return MW_OK;
    if (mw_titles_find(line, r->separator, r->column)) {
        const bool names = r->conf->names && !asked;
        r->facts->skipped_titles = names;
        if (!names || !occur_below(r, line, mw_lines_end(l)))
            return MW_AGAIN;
        r->facts->skipped_titles = false;
        memcpy(r->column, usual, sizeof usual);
        return MW_OK;
    }
    if (!asked && is_text(r, line))
        return mw_lines_fail(l, line,
                             "titles of columns that do not name both ends of an edge, "
                             "such as source and target; --header yes passes over them "
                             "and reads the first two columns, --names reads names");
    return asked ? MW_AGAIN : MW_OK;
}

int mw_fields_look(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    struct mw_field pair[2];
    if (r->separator == '\0')
        r->separator =
            r->conf->separator != '\0' ? r->conf->separator : mw_field_separator(line);
    const int rc = look_for_titles(r, l, line);
    if (rc == MW_AGAIN) {
        r->has_titles = true;
        r->weight_column = mw_titles_weight(line, r->separator, r->conf->weight_title);
        if (r->weight_column < 0 && r->conf->weight_title != NULL)
            return mw_lines_fail(l, line, "no column has the title '%s'",
                                 r->conf->weight_title);
        r->body = mw_min(mw_lines_offset(l, mw_skip_line(line)), r->in->bytes);
    }
    if (rc != MW_OK)
        return rc;
    if (r->conf->weight_title != NULL && !r->has_titles)
        return mw_lines_fail(l, line, "no line of titles, so no column is called '%s'",
                             r->conf->weight_title);
    if (take_pair(r, line, true, pair, &r->n_columns) != NULL)
        r->n_columns = 0; /* what is wrong, reading says */
    return MW_OK;
}
