/* reader_fields.c -- the lines of edge lists that are more than numbers: names, quotes, other
 * columns of text, comments behind an edge, and a line of titles at the top (CSV).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/field.h"
#include "graph/reading.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool looks_like_number(const struct mw_field *f)
{
    for (uint64_t i = 0; i < f->bytes; i++)
        if (f->text[i] == '\0' || strchr("0123456789+-.eE", f->text[i]) == NULL)
            return false;
    return f->bytes > 0;
}

/* Both vertices of a line and how many columns stand behind them. Where blanks separate, text
 * behind two numbers is more likely a mistake than a column. NULL, or what is wrong. */
static const char *take_pair(const char *p, char separator, bool texts,
                             struct mw_field pair[2], int *n_columns)
{
    struct mw_field other;
    const char *why = mw_field_take(&p, separator, &pair[0]);
    *n_columns = 0;
    if (why == NULL && !mw_field_next(&p, separator))
        return "only one vertex";
    if (why == NULL)
        why = mw_field_take(&p, separator, &pair[1]);
    for (; why == NULL && mw_field_next(&p, separator); ++*n_columns) {
        why = mw_field_take(&p, separator, &other);
        if (why == NULL && separator == ' ' && !texts && !other.quoted &&
            !looks_like_number(&other))
            why = "text behind two vertices";
    }
    return why;
}

bool mw_fields_numbers(const struct mw_reading *r, const char *line, uint64_t *u,
                       uint64_t *v, int *n_columns)
{
    struct mw_field pair[2];
    return take_pair(line, r->separator, false, pair, n_columns) == NULL &&
           mw_field_number(&pair[0], u) && mw_field_number(&pair[1], v);
}

/* ---- names ---- */

static int number_of(struct mw_reading *r, struct mw_lines *l, const char *line,
                     const struct mw_field *name, uint64_t *number)
{
    if (name->bytes == 0)
        return mw_lines_fail(l, line, "a vertex without a name");
    if (memchr(name->text, '\0', name->bytes) != NULL)
        return mw_lines_fail(l, line, "a name with a zero byte");
    return mw_dictionary_add(r->conf->seen, name->text, name->bytes, number);
}

int mw_fields_take_names(struct mw_reading *r, struct mw_lines *l, const char *p,
                         const char *end)
{
    struct mw_field pair[2];
    for (; p < end; p = mw_skip_line(p)) {
        uint64_t u, v;
        int n_columns;
        const char *first = mw_skip_blanks(p);
        if (*first == '#' || *first == '%' || mw_at_end(first))
            continue;
        const char *why = take_pair(p, r->separator, true, pair, &n_columns);
        if (why != NULL)
            return mw_lines_fail(l, p, "%s, expected 'name name'", why);
        if (n_columns != r->n_columns)
            return mw_lines_fail(l, p,
                                 "%d columns, but the first line has %d; names that hold "
                                 "a separator need quotes",
                                 n_columns + 2, r->n_columns + 2);
        int rc = number_of(r, l, p, &pair[0], &u);
        if (rc >= MW_OK)
            rc = number_of(r, l, p, &pair[1], &v);
        if (rc >= MW_OK)
            rc = mw_edges_add(r->out, u, v);
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}

/* ---- titles ---- */

static const char *const sources[] = {
    "source",       "src",   "from",   "fromnode", "fromnodeid",
    "from_node_id", "node1", "node_1", "node 1",   "vertex1",
    "id1",          "id_1",  "u",      NULL};
static const char *const targets[] = {
    "target", "dst",    "to",      "tonode", "tonodeid", "to_node_id", "node2",
    "node_2", "node 2", "vertex2", "id2",    "id_2",     "v",          NULL};

static bool is_one_of(const struct mw_field *f, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strlen(*words) == f->bytes && strncasecmp(*words, f->text, f->bytes) == 0)
            return true;
    return false;
}

/* Titles say source and target, or, where vertices are numbers, stand in columns that separators
 * make and are no numbers. */
static bool is_titles(const struct mw_reading *r, const char *line)
{
    struct mw_field pair[2];
    uint64_t number;
    int n_columns;
    if (r->conf->header != MW_HEADER_AUTO)
        return r->conf->header == MW_HEADER_YES;
    if (take_pair(line, r->separator, true, pair, &n_columns) != NULL)
        return false;
    if (is_one_of(&pair[0], sources) && is_one_of(&pair[1], targets))
        return true;
    return r->conf->seen == NULL && r->separator != ' ' && !looks_like_number(&pair[0]) &&
           !looks_like_number(&pair[1]) && !mw_field_number(&pair[0], &number);
}

/* Only the first two columns are read: source and target may not stand elsewhere. */
static int check_titles(const struct mw_reading *r, struct mw_lines *l, const char *line)
{
    const char *p = line, *why = NULL;
    int at[2] = {0, 0}, column = 1;
    do {
        struct mw_field f;
        why = mw_field_take(&p, r->separator, &f);
        if (why == NULL && is_one_of(&f, sources) && at[0] == 0)
            at[0] = column;
        if (why == NULL && is_one_of(&f, targets) && at[1] == 0)
            at[1] = column;
        column++;
    } while (why == NULL && mw_field_next(&p, r->separator));
    if (at[0] > 0 && at[1] > 0 && at[0] + at[1] != 3)
        return mw_lines_fail(l, line,
                             "source and target are columns %d and %d of these titles, "
                             "but the first two columns are read; cut them out first",
                             at[0], at[1]);
    return MW_OK;
}

int mw_fields_look(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    struct mw_field pair[2];
    if (r->separator == '\0')
        r->separator =
            r->conf->separator != '\0' ? r->conf->separator : mw_field_separator(line);
    if (!r->has_titles && is_titles(r, line)) {
        const int rc = check_titles(r, l, line);
        r->has_titles = true;
        r->body = mw_min(mw_lines_offset(l, mw_skip_line(line)), r->in->bytes);
        return rc < MW_OK ? rc : MW_AGAIN;
    }
    if (take_pair(line, r->separator, true, pair, &r->n_columns) != NULL)
        r->n_columns = 0; /* what is wrong, reading says */
    return MW_OK;
}
