/* reader_adjacency.c -- adjacency lists as NetworkX writes them: a vertex, then those it has
 * edges to. '#' opens a comment, also behind an edge.
 *
 *      # name
 *      0 1 2
 *      1 3
 *      4                 a vertex of which no edge begins
 *
 * What stands there is delivered as it stands: NetworkX writes an edge of an undirected graph
 * once, in the line of the end that comes first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/lines.h"
#include "io/reading.h"

static const char expected[] = "expected 'vertex neighbour neighbour ...'";

static bool at_end(const char *p)
{
    return *p == '#' || mw_at_end(p);
}

/* The vertex at *p, which is left at the next one or at the line's end. */
MW_FN enum mw_scan scan_vertex(const char **p, uint64_t *v)
{
    const enum mw_scan s = mw_scan_number(p, v);
    const char *next = mw_skip_separators(*p);
    if (MW_UNLIKELY(s != MW_SCAN_GOOD))
        return s;
    if (MW_UNLIKELY(next == *p && !at_end(next)))
        return MW_SCAN_NONE;
    *p = next;
    return MW_SCAN_GOOD;
}

static int fail_line(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    uint64_t v = 0;
    enum mw_scan s = MW_SCAN_GOOD;
    for (const char *p = mw_skip_blanks(line); s == MW_SCAN_GOOD && !at_end(p);) {
        s = scan_vertex(&p, &v);
        if (s == MW_SCAN_GOOD && v - r->base >= r->limit)
            break;
    }
    if (s == MW_SCAN_NEGATIVE)
        return mw_lines_fail(l, line, "negative vertex, %s", expected);
    if (s == MW_SCAN_NONE)
        return mw_lines_fail(l, line, "%s", expected);
    return mw_reading_fail_id(r, l, line, s, "vertex", v);
}

/* MW_DONE: something is wrong. A vertex without edges counts too. */
static int take_line(struct mw_reading *r, const char *p, uint64_t *greatest)
{
    uint64_t u, v;
    if (scan_vertex(&p, &u) != MW_SCAN_GOOD || u - r->base >= r->limit)
        return MW_DONE;
    *greatest = mw_max(*greatest, u - r->base);
    while (!at_end(p)) {
        if (scan_vertex(&p, &v) != MW_SCAN_GOOD || v - r->base >= r->limit)
            return MW_DONE;
        *greatest = mw_max(*greatest, v - r->base);
        const int rc = mw_edges_add_weighted(r->out, u - r->base, v - r->base, 1);
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}

static int take_lines(struct mw_reading *r, struct mw_lines *l, const char *p,
                      const char *end)
{
    for (; p < end; p = mw_skip_line(p)) {
        uint64_t greatest = 0;
        const char *first = mw_skip_blanks(p);
        if (at_end(first))
            continue;
        const int rc = take_line(r, first, &greatest);
        if (rc != MW_OK)
            return rc == MW_DONE ? fail_line(r, l, p) : rc;
        r->facts->n_vertices = mw_max(r->facts->n_vertices, greatest + 1);
    }
    return MW_OK;
}

int mw_adjacency_open(struct mw_reading *r)
{
    r->facts->n_edges = MW_UNKNOWN;
    return MW_OK;
}

int mw_adjacency_read(struct mw_reading *r)
{
    return mw_reading_lines(r, "#", r->body, take_lines);
}
