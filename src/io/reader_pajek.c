/* reader_pajek.c -- Pajek's networks (.net): sections that begin with '*'.
 *
 *      *Vertices 4               their lines (labels, places) are not looked at
 *      1 "a label"
 *      *Arcs :1 "relation"       "from to [weight ...]"
 *      1 2 1.5
 *      *Edges                    the same without a direction
 *      *Arcslist                 "from to to ..."
 *      *Edgeslist
 *
 * Vertices count from 1; '%' opens a comment line; the names of sections are spelt in capitals or
 * not. Which section a part's first line belongs to stands before it, so each part looks at
 * the beginnings of all lines first. Where a file has arcs as well as edges, an edge is
 * delivered as the two arcs that it means.
 *
 * (Batagelj, Mrvar: Pajek, Reference Manual, section 5.3.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/lines.h"
#include "io/reading.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    enum mw_pajek_kind kind;
} sections[] = {
    {"*vertices", MW_PAJEK_VERTICES},    {"*arcs", MW_PAJEK_ARCS},
    {"*edges", MW_PAJEK_EDGES},          {"*arcslist", MW_PAJEK_ARCS_LIST},
    {"*edgeslist", MW_PAJEK_EDGES_LIST},
};

static bool is_word_end(const char *p)
{
    return *p == ' ' || *p == '\t' || mw_at_end(p);
}

bool mw_pajek_begins(const char *p)
{
    static const char *const first[] = {"*network", "*vertices"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        const size_t length = strlen(first[i]);
        if (strncasecmp(p, first[i], length) == 0 && is_word_end(p + length))
            return true;
    }
    return false;
}

/* The section that begins at p; MW_PAJEK_NONE: another one. */
static enum mw_pajek_kind kind_of(const char *p, const char **after)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const size_t length = strlen(sections[i].name);
        if (strncasecmp(p, sections[i].name, length) != 0 || !is_word_end(p + length))
            continue;
        *after = p + length;
        return sections[i].kind;
    }
    return MW_PAJEK_NONE;
}

/* "*Vertices n", once, before anything that needs them. Of a two-mode network a second number
 * follows. */
static int take_vertices(struct mw_reading *r, struct mw_lines *l, const char *line,
                         const char *p)
{
    uint64_t n;
    if (r->pajek.n > 0)
        return mw_lines_fail(l, line, "a second network; split the file");
    p = mw_skip_blanks(p);
    if (mw_scan_number(&p, &n) != MW_SCAN_GOOD || !is_word_end(p))
        return mw_lines_fail(l, line, "expected '*Vertices n'");
    if (n > MW_ID_LIMIT / 2)
        return mw_lines_fail(l, line, "%llu vertices: at most 2^62",
                             (unsigned long long)n);
    return mw_reading_set_vertices(r, n);
}

/* One line of the whole file; only sections count. */
static int take_section(struct mw_reading *r, struct mw_lines *l, const char *line)
{
    struct mw_pajek *k = &r->pajek;
    const char *const p = mw_skip_blanks(line), *after = p;
    if (*p != '*' && (k->n > 0 || *p == '%' || mw_at_end(p)))
        return MW_AGAIN;
    if (*p != '*')
        return mw_lines_fail(l, line, "expected '*Vertices n' first");
    if (k->n == 0 && strncasecmp(p, "*network", 8) == 0)
        return MW_AGAIN;
    const enum mw_pajek_kind kind = kind_of(p, &after);
    if (kind == MW_PAJEK_NONE)
        return mw_lines_fail(l, line,
                             "this section is not read, expected *Vertices, *Arcs, "
                             "*Edges, *Arcslist or *Edgeslist");
    if (kind == MW_PAJEK_VERTICES) {
        const int rc = take_vertices(r, l, line, after);
        if (rc < MW_OK)
            return rc;
    } else if (k->n == 0) {
        return mw_lines_fail(l, line, "expected '*Vertices n' first");
    }
    if (k->n == MW_PAJEK_SECTIONS)
        return mw_lines_fail(l, line, "more than %d sections", MW_PAJEK_SECTIONS);
    k->section[k->n].kind = kind;
    k->section[k->n++].at = mw_lines_offset(l, line);
    k->has_arcs = k->has_arcs || kind == MW_PAJEK_ARCS || kind == MW_PAJEK_ARCS_LIST;
    k->has_edges = k->has_edges || kind == MW_PAJEK_EDGES || kind == MW_PAJEK_EDGES_LIST;
    return MW_AGAIN;
}

/* Finds all sections. */
int mw_pajek_open(struct mw_reading *r)
{
    r->base = 1;
    r->facts->n_edges = MW_UNKNOWN;
    const int rc = mw_reading_head(r, "%", true, take_section);
    if (rc >= MW_OK && r->pajek.n == 0)
        return mw_reading_lacks(r, "a line '*Vertices n'");
    r->facts->directed = r->pajek.has_arcs    ? MW_DIRECTED_YES
                         : r->pajek.has_edges ? MW_DIRECTED_NO
                                              : MW_DIRECTED_UNSAID;
    return rc < MW_OK ? rc : MW_OK;
}

static int add(struct mw_reading *r, enum mw_pajek_kind kind, mw_vid u, mw_vid v,
               float weight)
{
    const bool edge = kind == MW_PAJEK_EDGES || kind == MW_PAJEK_EDGES_LIST;
    int rc = mw_edges_add_weighted(r->out, u, v, weight);
    if (rc >= MW_OK && edge && r->pajek.has_arcs && u != v)
        rc = mw_edges_add_weighted(r->out, v, u, weight);
    return rc;
}

/* The vertex at *p, which is left behind it and the blanks that follow. */
static enum mw_scan scan_vertex(const char **p, uint64_t *v)
{
    const enum mw_scan s = mw_scan_number(p, v);
    if (s != MW_SCAN_GOOD)
        return s;
    if (!is_word_end(*p))
        return MW_SCAN_NONE;
    *p = mw_skip_blanks(*p);
    return MW_SCAN_GOOD;
}

static int fail_vertex(struct mw_reading *r, struct mw_lines *l, const char *line,
                       enum mw_scan s, uint64_t v)
{
    return s == MW_SCAN_NONE ? mw_lines_fail(l, line, "expected 'vertex vertex'")
                             : mw_reading_fail_id(r, l, line, s, "vertex", v);
}

/* Else a line goes on with words that say how it is drawn, or ends. */
static bool has_weight(const char *p)
{
    return mw_is_digit(*p) || *p == '.' || *p == '-' || *p == '+';
}

/* One line of arcs or edges, or of a list of them. */
static int take_line(struct mw_reading *r, struct mw_lines *l, enum mw_pajek_kind kind,
                     const char *line)
{
    const bool list = kind == MW_PAJEK_ARCS_LIST || kind == MW_PAJEK_EDGES_LIST;
    const char *p = mw_skip_blanks(line);
    uint64_t u, v = 0;
    enum mw_scan s = scan_vertex(&p, &u);
    if (s != MW_SCAN_GOOD || u - 1 >= r->limit)
        return fail_vertex(r, l, line, s, u);
    do {
        s = scan_vertex(&p, &v);
        if (s != MW_SCAN_GOOD || v - 1 >= r->limit)
            return fail_vertex(r, l, line, s, v);
        float weight = 1;
        int rc = MW_OK;
        if (r->conf->weights && !list && has_weight(p)) {
            r->facts->has_weights = true;
            rc = mw_lines_weight(l, line, &p, &weight, &r->facts->n_rounded);
        }
        if (rc >= MW_OK)
            rc = add(r, kind, u - 1, v - 1, weight);
        if (rc < MW_OK)
            return rc;
    } while (list && !mw_at_end(p));
    r->facts->weighted = r->facts->weighted || r->facts->has_weights || !mw_at_end(p);
    return MW_OK;
}

static int take_lines(struct mw_reading *r, struct mw_lines *l, const char *p,
                      const char *end)
{
    const struct mw_pajek *k = &r->pajek;
    uint32_t next = 0; /* section that begins behind p */
    while (next < k->n && k->section[next].at < mw_lines_offset(l, p))
        next++;
    for (; p < end; p = mw_skip_line(p)) {
        const char *first = mw_skip_blanks(p);
        if (next < k->n && k->section[next].at == mw_lines_offset(l, p)) {
            next++;
            continue;
        }
        if (next == 0 || k->section[next - 1].kind == MW_PAJEK_VERTICES ||
            *first == '%' || mw_at_end(first))
            continue;
        const int rc = take_line(r, l, k->section[next - 1].kind, p);
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}

int mw_pajek_read(struct mw_reading *r)
{
    return mw_reading_lines(r, "%", r->body, take_lines);
}
