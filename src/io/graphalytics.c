/* graphalytics.c -- see graphalytics.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/graphalytics.h"

#include "base/mem.h"
#include "base/text.h"
#include "io/lines.h"
#include "shuffle/reals.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double epsilon = 1e-4;

struct line {
    uint64_t vertex, value; /* an integer, or the bits of a double */
};

struct answer {
    const char *path;
    char *text;
    struct line *line;
    uint64_t n;
};

/* A vertex with both its values, whichever is the first. */
struct pair {
    uint64_t vertex, from, to;
};

static int by_vertex(const void *a, const void *b)
{
    const struct line *const x = a, *const y = b;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static int by_value(const void *a, const void *b)
{
    const struct pair *const x = a, *const y = b;
    if (x->from != y->from)
        return x->from > y->from ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static int fail_line(const struct answer *a, const char *line)
{
    char shown[64];
    uint64_t number = 1;
    for (const char *p = a->text; p < line; p++)
        number += *p == '\n';
    mw_input_quote(shown, sizeof shown, line, strcspn(line, "\n"));
    return mw_fail(MW_ERR_DATA, "%s:%" PRIu64 ": expected 'vertex value': '%s'", a->path,
                   number, shown);
}

/* The last line may lack its end. */
static bool at_end(const char *p)
{
    return *p == '\0' || mw_at_end(p);
}

static const char *skip_line(const char *p)
{
    const char *const end = p + strcspn(p, "\n");
    return end + (*end == '\n');
}

/* "vertex value" at *p, which is moved behind the line. */
static int take_line(const struct answer *a, const char **p, bool reals, struct line *out)
{
    char *end;
    const char *const line = *p;
    const char *q = mw_skip_blanks(line);
    if (mw_scan_number(&q, &out->vertex) != MW_SCAN_GOOD || (*q != ' ' && *q != '\t'))
        return fail_line(a, line);
    q = mw_skip_blanks(q);
    if (isspace((unsigned char)*q) || at_end(q)) /* strtod would look beyond */
        return fail_line(a, line);
    errno = 0;
    if (reals)
        out->value = mw_bits_of_double(strtod(q, &end));
    else
        out->value = (uint64_t)strtoll(q, &end, 10);
    const bool lost = reals
                          ? memchr(q, 'x', (size_t)(end - q)) != NULL ||
                                (errno == ERANGE && isinf(mw_double_of_bits(out->value)))
                          : errno == ERANGE;
    if (end == q || lost || isnan(mw_double_of_bits(reals ? out->value : 0)) ||
        !at_end(mw_skip_blanks(end)))
        return fail_line(a, line);
    *p = skip_line(end);
    return MW_OK;
}

static uint64_t count_lines(const char *text)
{
    uint64_t n = 1;
    for (const char *p = text; (p = strchr(p, '\n')) != NULL; p++)
        n++;
    return n;
}

/* In the order of the vertices, each of which has one line. */
static int sort_lines(struct answer *a)
{
    bool sorted = true;
    for (uint64_t i = 1; i < a->n && sorted; i++)
        sorted = a->line[i - 1].vertex < a->line[i].vertex;
    if (!sorted)
        qsort(a->line, a->n, sizeof *a->line, by_vertex);
    for (uint64_t i = 1; i < a->n; i++)
        if (a->line[i - 1].vertex == a->line[i].vertex)
            return mw_fail(MW_ERR_DATA, "%s: vertex %" PRIu64 " has two lines", a->path,
                           a->line[i].vertex);
    return MW_OK;
}

static int read_answer(const char *path, bool reals, struct answer *a)
{
    size_t bytes;
    a->path = path;
    MW_NEED(mw_text_read(path, SIZE_MAX / 4, &a->text, &bytes));
    if (strlen(a->text) < bytes)
        MW_NEED(mw_fail(MW_ERR_DATA, "%s: no text: it has a zero byte", path));
    MW_NEED_NEW(a->line, "lines of an answer", count_lines(a->text));
    for (const char *p = a->text, *const end = a->text + bytes; p < end;) {
        if (at_end(mw_skip_blanks(p)))
            p = skip_line(p);
        else
            MW_NEED(take_line(a, &p, reals, &a->line[a->n++]));
    }
    return sort_lines(a);
}

static void free_answer(struct answer *a)
{
    MW_FREE_ALL(a->line, a->text);
}

static int check_vertices(const struct answer *is, const struct answer *should)
{
    uint64_t i = 0;
    while (i < is->n && i < should->n && is->line[i].vertex == should->line[i].vertex)
        i++;
    if (i == is->n && i == should->n)
        return MW_OK;
    const bool lacks =
        i == is->n || (i < should->n && should->line[i].vertex < is->line[i].vertex);
    const struct answer *const has = lacks ? should : is, *const other =
                                                              lacks ? is : should;
    return mw_fail(MW_ERR_INVALID, "vertex %" PRIu64 " is in %s, but not in %s",
                   has->line[i].vertex, has->path, other->path);
}

/* Nothing but infinity is near infinity, and nothing but zero near zero. */
static bool is_near(double is, double should)
{
    if (isinf(is) || isinf(should))
        return is == should;
    return fabs(is - should) <= epsilon * fabs(should);
}

static int fail_count(const struct answer *is, const struct answer *should, bool reals,
                      uint64_t n_wrong, uint64_t first)
{
    const struct line *const a = &is->line[first], *const b = &should->line[first];
    if (reals)
        return mw_fail(MW_ERR_INVALID,
                       "%s: %" PRIu64 " of %" PRIu64
                       " vertices differ from %s; the first, "
                       "%" PRIu64 ", has %.9g, expected %.9g",
                       is->path, n_wrong, is->n, should->path, a->vertex,
                       mw_double_of_bits(a->value), mw_double_of_bits(b->value));
    return mw_fail(MW_ERR_INVALID,
                   "%s: %" PRIu64 " of %" PRIu64 " vertices differ from %s; the first, "
                   "%" PRIu64 ", has %" PRId64 ", expected %" PRId64,
                   is->path, n_wrong, is->n, should->path, a->vertex, (int64_t)a->value,
                   (int64_t)b->value);
}

static int compare_values(const struct answer *is, const struct answer *should,
                          bool reals)
{
    uint64_t n_wrong = 0, first = 0;
    for (uint64_t i = 0; i < is->n; i++) {
        const uint64_t a = is->line[i].value, b = should->line[i].value;
        const bool same =
            reals ? is_near(mw_double_of_bits(a), mw_double_of_bits(b)) : a == b;
        if (!same && n_wrong++ == 0)
            first = i;
    }
    return n_wrong == 0 ? MW_OK : fail_count(is, should, reals, n_wrong, first);
}

/* Those that share a value in one answer share one in the other. */
static int check_sets(struct pair *pair, const struct answer *of, const struct answer *in)
{
    for (uint64_t i = 0; i < of->n; i++)
        pair[i] = (struct pair){of->line[i].vertex, of->line[i].value, in->line[i].value};
    qsort(pair, of->n, sizeof *pair, by_value);
    for (uint64_t i = 1; i < of->n; i++)
        if (pair[i - 1].from == pair[i].from && pair[i - 1].to != pair[i].to)
            return mw_fail(MW_ERR_INVALID,
                           "vertices %" PRIu64 " and %" PRIu64 " are together in %s, but "
                           "apart in %s",
                           pair[i - 1].vertex, pair[i].vertex, of->path, in->path);
    return MW_OK;
}

static int compare_sets(const struct answer *is, const struct answer *should)
{
    int rc = MW_OK;
    struct pair *pair = NULL;
    MW_NEW(rc, pair, "values side by side", is->n);
    MW_TRY(rc, check_sets(pair, is, should));
    rc = check_sets(pair, should, is);
end:
    mw_free(pair);
    return rc;
}

static int rule_of_name(const char *path, enum mw_graphalytics_rule *rule)
{
    static const struct {
        const char *end;
        enum mw_graphalytics_rule rule;
    } known[] = {{"-BFS", MW_MATCH_EXACT},   {"-CDLP", MW_MATCH_EXACT},
                 {"-PR", MW_MATCH_EPSILON},  {"-SSSP", MW_MATCH_EPSILON},
                 {"-LCC", MW_MATCH_EPSILON}, {"-WCC", MW_MATCH_EQUIVALENCE}};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t n = strlen(known[i].end);
        if (length > n && strcmp(path + length - n, known[i].end) == 0) {
            *rule = known[i].rule;
            return MW_OK;
        }
    }
    return mw_fail(
        MW_ERR_USAGE,
        "%s: its name ends in none of -BFS, -CDLP, -PR, -SSSP, -LCC, -WCC, which "
        "would say how answers are compared; --rule says it",
        path);
}

int mw_graphalytics_compare(const char *reference, const char *answer,
                            enum mw_graphalytics_rule *rule, uint64_t *n_vertices)
{
    int rc = MW_OK;
    struct answer is = {0}, should = {0};
    if (*rule == MW_MATCH_BY_NAME)
        MW_TRY(rc, rule_of_name(reference, rule));
    const bool reals = *rule == MW_MATCH_EPSILON;
    MW_TRY(rc, read_answer(reference, reals, &should));
    MW_TRY(rc, read_answer(answer, reals, &is));
    MW_TRY(rc, check_vertices(&is, &should));
    rc = *rule == MW_MATCH_EQUIVALENCE ? compare_sets(&is, &should)
                                       : compare_values(&is, &should, reals);
    *n_vertices = is.n;
end:
    free_answer(&is);
    free_answer(&should);
    return rc;
}
