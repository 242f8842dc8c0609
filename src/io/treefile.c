/* treefile.c -- see treefile.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/treefile.h"

#include "io/digits.h"
#include "io/field.h"
#include "io/format.h"
#include "io/input.h"
#include "io/lines.h"
#include "io/outfile.h"

#include "base/mem.h"
#include "shuffle/reals.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 20, BUFFER = 1 << 16 };

/* ---- writing ---- */

struct mw_tree_writer {
    struct mw_outfile file;
    enum mw_tree_kind kind;
    bool binary, foreign; /* foreign: as Graphalytics has it */
    const struct mw_names *names;
    uint64_t n_written;
    size_t fill;
    char buffer[BUFFER + 2 * MW_NAME_PUT_BYTES + 32];
};

bool mw_tree_is_binary(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".bin") == 0;
}

int mw_tree_begin(const char *path, bool force, enum mw_tree_kind kind, const char *what,
                  const struct mw_names *names, struct mw_tree_writer **out)
{
    int rc = MW_OK;
    struct mw_tree_writer *w = NULL;
    MW_NEW(rc, w, "tree writer", 1);
    w->foreign = what == NULL;
    w->binary = !w->foreign && mw_tree_is_binary(path);
    w->kind = kind;
    w->names = names;
    if (w->binary && names->naming == MW_NAMED_TEXTS)
        MW_TRY(rc,
               mw_fail(MW_ERR_USAGE,
                       "%s: .bin means numbers, but the vertices have names; any other "
                       "ending writes text",
                       path));
    MW_TRY(rc, mw_outfile_open(&w->file, path, force));
    if (!w->binary && !w->foreign && fprintf(w->file.stream, "# vertex %s\n", what) < 0)
        MW_TRY(rc, mw_fail(MW_ERR_IO, "%s: cannot write the header", path));
    *out = w;
    return MW_OK;
end:
    mw_tree_abandon(w);
    return rc;
}

static char *put_signed(char *p, int64_t x)
{
    if (x < 0)
        *p++ = '-';
    return mw_put_digits(p, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
}

/* A float comes back from 9 digits as it was. */
static char *put_real(char *p, int64_t bits)
{
    const double x = mw_double_of_bits((uint64_t)bits);
    return p + (isnan(x) ? sprintf(p, "nan") : sprintf(p, "%.9g", x));
}

static bool is_unreached(const struct mw_tree_writer *w, int64_t number)
{
    return w->kind == MW_TREE_REALS ? !isfinite(mw_double_of_bits((uint64_t)number))
                                    : number < 0;
}

static char *put_line(const struct mw_tree_writer *w, char *p, mw_vid v, int64_t number)
{
    p = mw_names_put(w->names, v, p);
    *p++ = ' ';
    if (w->foreign && is_unreached(w, number))
        p += sprintf(p, "%s",
                     w->kind == MW_TREE_REALS ? MW_TREE_UNREACHED_REAL
                                              : MW_TREE_UNREACHED_COUNT);
    else if (w->kind == MW_TREE_REALS)
        p = put_real(p, number);
    else if (number < 0 || w->kind == MW_TREE_COUNTS)
        p = put_signed(p, number);
    else
        p = mw_names_put(w->names, (mw_vid)number, p);
    *p++ = '\n';
    return p;
}

/* Where vertices are ids, each one's stands in front of its number. */
static char *put_binary(const struct mw_tree_writer *w, char *p, mw_vid v, int64_t number)
{
    if (w->names->naming == MW_NAMED_IDS) {
        mw_put64((unsigned char *)p, mw_names_number(w->names, v));
        p += 8;
    }
    if (number >= 0 && w->kind == MW_TREE_VERTICES)
        number = (int64_t)mw_names_number(w->names, (mw_vid)number);
    mw_put64((unsigned char *)p, (uint64_t)number);
    return p + 8;
}

static int flush(struct mw_tree_writer *w)
{
    const size_t n = w->fill;
    w->fill = 0;
    return n > 0 ? mw_outfile_write(&w->file, w->buffer, n) : MW_OK;
}

int mw_tree_put(struct mw_tree_writer *w, const int64_t *number, uint64_t n)
{
    if (n > w->names->n_vertices - w->n_written)
        return mw_fail(MW_ERR_INTERNAL, "%s: more than %" PRIu64 " numbers", w->file.path,
                       w->names->n_vertices);
    for (uint64_t i = 0; i < n; i++, w->n_written++) {
        char *p = w->buffer + w->fill;
        p = w->binary ? put_binary(w, p, w->n_written, number[i])
                      : put_line(w, p, w->n_written, number[i]);
        w->fill = (size_t)(p - w->buffer);
        const int rc = w->fill >= BUFFER ? flush(w) : MW_OK;
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}

int mw_tree_end(struct mw_tree_writer *w)
{
    int rc = MW_OK;
    if (w->n_written != w->names->n_vertices)
        MW_TRY(rc, mw_fail(MW_ERR_INTERNAL,
                           "%s: %" PRIu64 " numbers for %" PRIu64 " vertices",
                           w->file.path, w->n_written, w->names->n_vertices));
    MW_TRY(rc, flush(w));
    MW_TRY(rc, mw_outfile_commit(&w->file));
end:
    mw_tree_abandon(w);
    return rc;
}

void mw_tree_abandon(struct mw_tree_writer *w)
{
    if (w == NULL)
        return;
    mw_outfile_abandon(&w->file);
    mw_free(w);
}

/* ---- reading ---- */

#define ABSENT INT64_MIN /* no line has named the vertex yet */

struct tree {
    const struct mw_input *in;
    const struct mw_names *names;
    struct mw_partition partition;
    int64_t *number;
};

static int fail_number(const struct tree *t, uint64_t i, int64_t number)
{
    char range[MW_NAME_ROOM];
    return mw_fail(
        MW_ERR_DATA,
        "%s: entry %" PRIu64 ": %" PRId64 " is neither -1 nor %s (n = %" PRIu64 ")",
        t->in->name, i, number, mw_names_range(t->names, range), t->names->n_vertices);
}

/* How many int64 a vertex has: ids stand in front of their numbers. */
static uint64_t binary_columns(const struct mw_names *names)
{
    return names->naming == MW_NAMED_IDS ? 2 : 1;
}

/* Entry i of a binary file. */
static int take_entry(struct tree *t, const unsigned char *p, uint64_t i)
{
    mw_vid v = i, parent = 0;
    const uint64_t columns = binary_columns(t->names);
    const int64_t number = (int64_t)mw_get64(p + 8 * (columns - 1));
    if (columns == 2 && (!mw_names_find(t->names, mw_get64(p), &v) || v != i))
        return mw_fail(MW_ERR_DATA,
                       "%s: entry %" PRIu64 ": %" PRIu64 ", expected %" PRIu64,
                       t->in->name, i, mw_get64(p), mw_names_number(t->names, i));
    if (number != -1 && !mw_names_find(t->names, (uint64_t)number, &parent))
        return fail_number(t, i, number);
    uint64_t place;
    if (mw_is_mine(&t->partition, v, &place))
        t->number[place] = number == -1 ? -1 : (int64_t)parent;
    return MW_OK;
}

static int read_binary(struct tree *t)
{
    int rc = MW_OK;
    unsigned char *block = NULL;
    const uint64_t bytes = 8 * binary_columns(t->names), n = t->names->n_vertices;
    MW_NEW(rc, block, "read buffer", mw_min(BLOCK, t->in->bytes));
    for (uint64_t v = 0; v < n;) {
        const uint64_t first = v;
        const uint64_t stop = v + mw_min(BLOCK / bytes, n - v);
        MW_TRY(rc, mw_input_read(t->in, bytes * v, block, bytes * (stop - v)));
        for (; v < stop; v++)
            MW_TRY(rc, take_entry(t, block + bytes * (v - first), v));
    }
end:
    mw_free(block);
    return rc;
}

static const char expected[] = "expected 'vertex number'";

static int fail_vertex(const struct tree *t, struct mw_lines *l, const char *line,
                       const char *name, size_t bytes)
{
    char range[MW_NAME_ROOM];
    return mw_lines_fail(l, line, "%.*s is not in %s (n = %" PRIu64 ")",
                         (int)mw_min(bytes, 40), name, mw_names_range(t->names, range),
                         t->names->n_vertices);
}

/* The vertex that is named at *p, which is moved behind the name. */
static int take_vertex(const struct tree *t, struct mw_lines *l, const char *line,
                       const char **p, mw_vid *v)
{
    const char *begin = *p;
    if (t->names->naming == MW_NAMED_TEXTS) {
        struct mw_field f;
        const char *why = mw_field_take(p, ' ', &f);
        if (why != NULL)
            return mw_lines_fail(l, line, "%s, %s", why, expected);
        return mw_names_find_text(t->names, f.text, f.bytes, v)
                   ? MW_OK
                   : fail_vertex(t, l, line, f.text, f.bytes);
    }
    uint64_t number;
    if (mw_scan_number(p, &number) != MW_SCAN_GOOD)
        return mw_lines_fail(l, line, "%s, -1 for not reached", expected);
    return mw_names_find(t->names, number, v)
               ? MW_OK
               : fail_vertex(t, l, line, begin, (size_t)(*p - begin));
}

static bool skip_to_second(const struct tree *t, const char **p)
{
    const char *first = *p;
    if (t->names->naming == MW_NAMED_TEXTS)
        return mw_field_next(p, ' ');
    *p = mw_skip_separators(first);
    return *p > first && !mw_at_end(*p);
}

static int take_line(struct tree *t, struct mw_lines *l, const char *line)
{
    mw_vid vertex, parent = 0;
    char name[MW_NAME_ROOM];
    const char *p = mw_skip_blanks(line);
    int rc = take_vertex(t, l, line, &p, &vertex);
    if (rc < MW_OK)
        return rc;
    if (!skip_to_second(t, &p))
        return mw_lines_fail(l, line, "%s", expected);
    const bool unreached = p[0] == '-' && p[1] == '1' && !mw_is_digit(p[2]);
    if (unreached)
        p += 2;
    else if ((rc = take_vertex(t, l, line, &p, &parent)) < MW_OK)
        return rc;
    if (!mw_at_end(mw_skip_blanks(p)))
        return mw_lines_fail(l, line, "%s and nothing else", expected);
    uint64_t place;
    if (!mw_is_mine(&t->partition, vertex, &place))
        return MW_OK;
    int64_t *number = &t->number[place];
    if (*number != ABSENT)
        return mw_lines_fail(l, line, "vertex %s for the second time",
                             mw_names_text(t->names, vertex, name));
    *number = unreached ? -1 : (int64_t)parent;
    return MW_OK;
}

/* Of what the writer has put above the numbers: they must be parents. */
static int check_title(const struct tree *t, const char *line)
{
    static const char above[] = "# vertex ";
    const size_t bytes = sizeof above - 1;
    const char *const end = mw_skip_line(line) - 1, *what = line + bytes;
    if ((size_t)(end - line) <= bytes || memcmp(line, above, bytes) != 0 ||
        strncmp(what, "parent", 6) == 0)
        return MW_OK;
    return mw_fail(MW_ERR_DATA,
                   "%s: it holds the %.*s of every vertex, expected the parent",
                   t->in->name, (int)mw_min((uint64_t)(end - what), 40), what);
}

static mw_vid vertex_at(const struct tree *t, uint64_t place)
{
    return mw_vertex(&t->partition, t->partition.rank, place);
}

static int read_text(struct tree *t, uint64_t n_places)
{
    struct mw_lines l;
    char name[MW_NAME_ROOM];
    const char *p, *end;
    for (uint64_t i = 0; i < n_places; i++)
        t->number[i] = ABSENT;
    int rc = mw_lines_init(&l, t->in, "#", 0, 0, 1);
    if (rc < MW_OK)
        return rc;
    for (;;) {
        MW_TRY(rc, mw_lines_next(&l, &p, &end));
        if (rc == MW_DONE)
            break;
        for (; p < end; p = mw_skip_line(p)) {
            const char *first = mw_skip_blanks(p);
            if (*first == '#')
                MW_TRY(rc, check_title(t, p));
            else if (!mw_at_end(first))
                MW_TRY(rc, take_line(t, &l, p));
        }
    }
    rc = MW_OK;
    for (uint64_t i = 0; i < n_places; i++)
        if (t->number[i] == ABSENT)
            MW_TRY(rc,
                   mw_fail(MW_ERR_DATA,
                           "%s: no line for vertex %s, expected one for each "
                           "of %" PRIu64 " vertices",
                           t->in->name, mw_names_text(t->names, vertex_at(t, i), name),
                           t->names->n_vertices));
end:
    mw_lines_fini(&l);
    return rc;
}

/* Binary files of any size hold bytes that no text has: the high ones of a number. */
static int detect_text(const struct mw_input *in, bool *text)
{
    unsigned char head[8];
    const uint64_t n = mw_min(in->bytes, sizeof head);
    const int rc = mw_input_read(in, 0, head, n);
    *text = true;
    for (uint64_t i = 0; rc >= MW_OK && i < n; i++)
        *text &=
            (head[i] >= 0x20 && head[i] < 0x7F) || (head[i] >= '\t' && head[i] <= '\r');
    return rc;
}

/* Before anything is allocated for n vertices. */
static int check_size(const struct mw_input *in, bool text, const struct mw_names *names)
{
    const uint64_t n = names->n_vertices, each = 8 * binary_columns(names);
    if (text && n > in->bytes / 4 + 1) /* "0 1\n"; the last may lack its newline */
        return mw_fail(MW_ERR_DATA,
                       "%s: %" PRIu64 " bytes found, too few for lines of %" PRIu64
                       " vertices",
                       in->name, in->bytes, n);
    if (!text && (in->bytes % each != 0 || in->bytes / each != n))
        return mw_fail(MW_ERR_DATA,
                       "%s: %" PRIu64 " bytes found, expected %" PRIu64
                       " for each of %" PRIu64 " vertices",
                       in->name, in->bytes, each, n);
    return MW_OK;
}

int mw_read_tree_input(const struct mw_input *in, const struct mw_names *names,
                       uint32_t rank, uint32_t n_ranks, int64_t **parent)
{
    int rc = MW_OK;
    bool text;
    struct tree t = {.in = in,
                     .names = names,
                     .partition = mw_partition_of(names->n_vertices, rank, n_ranks)};
    const uint64_t n_places = mw_my_places(&t.partition);
    *parent = NULL;
    MW_TRY(rc, detect_text(in, &text));
    text = text || names->naming == MW_NAMED_TEXTS;
    MW_TRY(rc, check_size(in, text, names));
    MW_NEW(rc, t.number, "tree", n_places);
    MW_TRY(rc, text ? read_text(&t, n_places) : read_binary(&t));
    *parent = t.number;
    return MW_OK;
end:
    mw_free(t.number);
    return rc;
}

int mw_read_tree(const char *path, const struct mw_names *names, uint32_t rank,
                 uint32_t n_ranks, int64_t **parent)
{
    struct mw_input in;
    *parent = NULL;
    int rc = mw_input_open(&in, path);
    if (rc < MW_OK)
        return rc;
    rc = mw_read_tree_input(&in, names, rank, n_ranks, parent);
    mw_input_close(&in);
    return rc;
}
