/* reader_comments.c -- what the comments in front of an edge list say.
 *
 *      # Directed graph (each unordered pair of nodes is saved once): web-Google.txt
 *      # Nodes: 875713 Edges: 5105039                                     SNAP
 *
 *      % bip unweighted                     sym, asym or bip              KONECT
 *      % 13 6 5                             edges, left, right; may be missing
 *
 *      # directed graph: vertices 5 edges 6 from 0                      Meshway
 *
 * KONECT's vertices count from 1. `sym` and `asym` have as many on the left as on the right, or
 * the line counts only those that edges begin and end at; `bip` counts each side from 1.
 *
 * (Leskovec, Krevl: SNAP Datasets, 2014. Kunegis: Handbook of Network Analysis, The KONECT
 * Project, section on the format of files.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/lines.h"
#include "io/reading.h"

#include <string.h>
#include <strings.h>

/* Where the words stand first in [p, end), in capitals or not; NULL: nowhere. */
static const char *find_words(const char *p, const char *end, const char *words)
{
    const size_t length = strlen(words);
    for (; (size_t)(end - p) >= length; p++)
        if (strncasecmp(p, words, length) == 0)
            return p;
    return NULL;
}

/* SNAP begins with "Directed graph (each unordered pair of nodes is saved once)" above edges that
 * have a direction: pairs in brackets say less. */
static enum mw_directed directed_by_words(const char *p, const char *end)
{
    p = mw_skip_blanks(p);
    if (find_words(p, end, "directed graph") == p)
        return MW_DIRECTED_YES;
    return find_words(p, end, "undirected") != NULL ||
                   find_words(p, end, "unordered pair") != NULL
               ? MW_DIRECTED_NO
               : MW_DIRECTED_UNSAID;
}

/* "% asym unweighted": the first word of a comment with '%'. */
static enum mw_directed take_konect(struct mw_comments *c, const char *p)
{
    static const char *const words[] = {"sym", "bip", "asym"};
    const char *word = mw_skip_blanks(p), *after = word;
    while (*after >= 'a' && *after <= 'z')
        after++;
    if (p[-1] != '%' || (*after != ' ' && *after != '\t' && !mw_at_end(after)))
        return MW_DIRECTED_UNSAID;
    for (int i = 0; i < 3; i++)
        if (strlen(words[i]) == (size_t)(after - word) &&
            memcmp(words[i], word, strlen(words[i])) == 0) {
            c->konect = true;
            c->two_sides = i == 1;
            return i < 2 ? MW_DIRECTED_NO : MW_DIRECTED_YES;
        }
    return MW_DIRECTED_UNSAID;
}

/* "% 13 6 5": a comment of numbers and nothing else, of which three count. */
static void take_sizes(struct mw_comments *c, const char *p)
{
    uint64_t size;
    int n = 0;
    for (p = mw_skip_blanks(p); mw_scan_number(&p, &size) == MW_SCAN_GOOD;
         p = mw_skip_blanks(p))
        if (n < 3)
            c->size[n++] = size;
    c->n_sizes = mw_at_end(p) ? n : 0;
}

/* The number behind "Nodes:"; 0: none. */
static uint64_t number_behind(const char *p, const char *end, const char *words)
{
    uint64_t number;
    const char *found = find_words(p, end, words);
    if (found == NULL)
        return 0;
    found = mw_skip_blanks(found + strlen(words));
    return mw_scan_number(&found, &number) == MW_SCAN_GOOD && *found != ',' ? number : 0;
}

/* "vertices 5 edges 6 from 0", as write_header() of writer.c has it. */
static bool take_own(struct mw_comments *c, const char *p, const char *end)
{
    static const char *const words[] = {"vertices ", "edges ", "from "};
    uint64_t number[3];
    p = find_words(p, end, words[0]);
    for (int i = 0; p != NULL && i < 3; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(end - p) < length || memcmp(p, words[i], length) != 0)
            return false;
        p = mw_skip_blanks(p + length);
        if (mw_scan_number(&p, &number[i]) != MW_SCAN_GOOD)
            return false;
        p = mw_skip_blanks(p);
    }
    if (p == NULL || !mw_at_end(p) || number[2] > 1 || number[0] > MW_ID_LIMIT / 2)
        return false;
    c->own = true;
    c->size[1] = number[0];
    c->base = number[2];
    return true;
}

void mw_comments_take(struct mw_reading *r, const char *p, const char *end)
{
    struct mw_file_facts *f = r->facts;
    struct mw_comments *c = &r->comments;
    if (c->konect && c->n_sizes == 0)
        take_sizes(c, p);
    if (!c->konect && !c->own && take_own(c, p, end)) {
        f->said_vertices = c->size[1];
    } else if (f->said_vertices == 0 && f->said_edges == 0) {
        f->said_vertices = number_behind(p, end, "nodes:");
        f->said_edges = number_behind(p, end, "edges:");
    }
    enum mw_directed said = c->konect ? MW_DIRECTED_UNSAID : take_konect(c, p);
    if (said == MW_DIRECTED_UNSAID)
        said = directed_by_words(p, end);
    if (f->directed == MW_DIRECTED_UNSAID)
        f->directed = said;
    f->by_comment = f->directed != MW_DIRECTED_UNSAID;
}

/* Each side counts from 1: without its size nobody knows who is who. */
static int apply_two_sides(struct mw_reading *r)
{
    const struct mw_comments *c = &r->comments;
    if (r->conf->names)
        return mw_fail(MW_ERR_DATA,
                       "%s: a comment says that the graph is bipartite (KONECT), so that "
                       "one number is two vertices, on the left and on the right; leave "
                       "--names out",
                       r->in->name);
    if (c->n_sizes < 3)
        return mw_fail(MW_ERR_DATA,
                       "%s: a comment says that the graph is bipartite (KONECT), so that "
                       "one number is two vertices, on the left and on the right, but "
                       "not how many there are; write '%% EDGES LEFT RIGHT' below it, "
                       "or take it away if the sides share no number",
                       r->in->name);
    if (c->size[1] > MW_ID_LIMIT / 4 || c->size[2] > MW_ID_LIMIT / 4)
        return mw_fail(MW_ERR_DATA, "%s: %llu and %llu vertices: at most 2^61",
                       r->in->name, (unsigned long long)c->size[1],
                       (unsigned long long)c->size[2]);
    r->facts->said_vertices = c->size[1] + c->size[2];
    return mw_reading_set_vertices(r, c->size[1] + c->size[2]);
}

int mw_comments_apply(struct mw_reading *r)
{
    const struct mw_comments *c = &r->comments;
    struct mw_file_facts *f = r->facts;
    if (!c->konect && !c->own)
        return MW_OK;
    if (!r->conf->base_given && !r->conf->names)
        r->base = c->konect ? 1 : c->base;
    if (r->conf->n_vertices == 0)
        r->limit = MW_ID_LIMIT - r->base;
    if (c->n_sizes > 0)
        f->said_edges = c->size[0];
    if (c->two_sides)
        return apply_two_sides(r);
    if (c->konect &&
        (c->n_sizes < 3 || c->size[1] != c->size[2] || c->size[1] > MW_ID_LIMIT / 2))
        return MW_OK;
    f->said_vertices = c->size[1];
    if (r->conf->n_vertices == 0 && !r->conf->names)
        f->n_vertices = c->size[1];
    return MW_OK;
}
