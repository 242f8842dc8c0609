/* reader_dimacs.c -- DIMACS graphs, text: 'c' comments, one line "p KIND vertices
 * edges", then "e u v" or "a u v weight", counted from 1. Not looked at are lines "n vertex ..." of
 * a vertex, which flow problems have (igraph writes "p max").
 * Road networks in this format state each road as two arcs; both are delivered.
 *
 *      c two roads of three towns
 *      p sp 3 4
 *      a 1 2 17
 *      ...
 *
 * (9th DIMACS Implementation Challenge, 2006; the 2nd, 1993, for 'e'.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/lines.h"
#include "io/reading.h"

#include <string.h>

static const char no_comments[] = ""; /* a long one is a long line all the same */

static bool is_word_end(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Problems on networks (shortest paths, flows) have arcs, those on graphs (cliques,
 * colours) edges; of others nothing is known. */
static enum mw_directed directed_by_kind(const char *kind, size_t length)
{
    static const struct {
        const char *kind;
        enum mw_directed directed;
    } known[] = {
        {"sp", MW_DIRECTED_YES},  {"max", MW_DIRECTED_YES}, {"min", MW_DIRECTED_YES},
        {"edge", MW_DIRECTED_NO}, {"col", MW_DIRECTED_NO},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].kind) == length && memcmp(kind, known[i].kind, length) == 0)
            return known[i].directed;
    return MW_DIRECTED_UNSAID;
}

/* "p KIND vertices edges"; p stands behind the 'p'. */
static int parse_problem(struct mw_reading *r, struct mw_lines *l, const char *line,
                         const char *p)
{
    uint64_t n, m;
    p = mw_skip_blanks(p);
    const char *kind = p;
    while (!is_word_end(*p))
        p++;
    r->facts->directed = directed_by_kind(kind, (size_t)(p - kind));
    p = mw_skip_blanks(p);
    if (mw_scan_number(&p, &n) != MW_SCAN_GOOD || !is_word_end(*p))
        return mw_lines_fail(l, line, "expected 'p KIND vertices edges'");
    p = mw_skip_blanks(p);
    if (mw_scan_number(&p, &m) != MW_SCAN_GOOD || !mw_at_end(mw_skip_blanks(p)))
        return mw_lines_fail(l, line, "expected 'p KIND vertices edges'");
    r->body = mw_min(mw_lines_offset(l, mw_skip_line(p)), r->in->bytes);

    const uint64_t least = 6; /* "e 1 1\n"; the last may lack its newline */
    const uint64_t left = r->in->bytes - r->body;
    if (m > (left + 1) / least)
        return mw_lines_fail(
            l, line,
            "%llu edges need at least %llu bytes each, but the file goes "
            "on for only %llu bytes",
            (unsigned long long)m, (unsigned long long)least, (unsigned long long)left);
    r->facts->n_edges = m;
    return mw_reading_set_vertices(r, n);
}

static int take_head(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    const char *first = mw_skip_blanks(line);
    if (*first == 'c' || mw_at_end(first))
        return MW_AGAIN;
    return *first == 'p' && is_word_end(first[1])
               ? parse_problem(r, l, line, first + 1)
               : mw_lines_fail(l, line, "expected 'c' or 'p KIND vertices edges'");
}

int mw_dimacs_open(struct mw_reading *r)
{
    r->base = 1;
    const int rc = mw_reading_head(r, no_comments, false, take_head);
    return rc == MW_DONE ? mw_reading_lacks(r, "a line 'p KIND vertices edges'") : rc;
}

/* "e u v" or "a u v weight" at *p, which is left at the end of the line. */
static bool scan_edge(const char **p, uint64_t *u, uint64_t *v, const char **weight)
{
    const bool arc = **p == 'a';
    if ((!arc && **p != 'e') || ((*p)[1] != ' ' && (*p)[1] != '\t'))
        return false;
    *p = mw_skip_blanks(*p + 1);
    if (mw_scan_number(p, u) != MW_SCAN_GOOD || (**p != ' ' && **p != '\t'))
        return false;
    *p = mw_skip_blanks(*p);
    if (mw_scan_number(p, v) != MW_SCAN_GOOD)
        return false;
    *weight = arc ? mw_skip_separators(*p) : NULL;
    return mw_skip_columns(p) == (arc ? 1 : 0);
}

static int fail_edge(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    uint64_t u, v;
    const char *p = mw_skip_blanks(line), *weight;
    if (!scan_edge(&p, &u, &v, &weight))
        return mw_lines_fail(l, line,
                             "expected 'e vertex vertex' or 'a vertex vertex weight'");
    const uint64_t wrong = v == 0 || u - 1 < r->limit ? v : u;
    return mw_reading_fail_id(r, l, line, MW_SCAN_GOOD, "vertex", wrong);
}

/* "n vertex ...": source and sink of a flow ("n 1 s"), a vertex's weight or supply. */
static bool is_of_vertex(const char *p)
{
    return *p == 'n' && (p[1] == ' ' || p[1] == '\t');
}

static int take_lines(struct mw_reading *r, struct mw_lines *l, const char *p,
                      const char *end)
{
    bool weighted = r->facts->weighted;
    while (p < end) {
        const char *line = p, *value;
        uint64_t u, v;
        float weight = 1;
        int rc = MW_OK;
        p = mw_skip_blanks(p);
        if (*p == 'c' || mw_at_end(p) || is_of_vertex(p)) {
            p = mw_skip_line(p);
            continue;
        }
        weighted = weighted || *p == 'a';
        if (MW_UNLIKELY(!scan_edge(&p, &u, &v, &value) || u - 1 >= r->limit ||
                        v - 1 >= r->limit))
            return fail_edge(r, l, line);
        p++;
        if (r->conf->weights && value != NULL)
            rc = mw_lines_weight(l, line, &value, &weight, &r->facts->n_rounded);
        if (rc >= MW_OK)
            rc = mw_edges_add_weighted(r->out, u - 1, v - 1, weight);
        if (MW_UNLIKELY(rc < MW_OK))
            return rc;
    }
    r->facts->weighted = weighted;
    r->facts->has_weights = weighted && r->conf->weights;
    return MW_OK;
}

int mw_dimacs_read(struct mw_reading *r)
{
    return mw_reading_lines(r, "c", r->body, take_lines);
}
