/* treefile.c -- see treefile.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/treefile.h"

#include "graph/digits.h"
#include "graph/format.h"
#include "graph/input.h"
#include "graph/lines.h"
#include "graph/outfile.h"

#include "base/mem.h"

#include <inttypes.h>
#include <string.h>

enum { BLOCK = 1 << 20 };

/* ---- writing ---- */

struct mw_tree_writer {
    struct mw_outfile file;
    enum mw_tree_kind kind;
    bool binary;
    const struct mw_names *names;
    uint64_t n_written;
};

int mw_tree_begin(const char *path, bool force, enum mw_tree_kind kind,
                  const struct mw_names *names, struct mw_tree_writer **out)
{
    int rc = MW_OK;
    struct mw_tree_writer *w = NULL;
    const size_t length = strlen(path);
    MW_NEW(rc, w, "tree writer", 1);
    w->binary = length >= 4 && strcmp(path + length - 4, ".bin") == 0;
    w->kind = kind;
    w->names = names;
    MW_TRY(rc, mw_outfile_open(&w->file, path, force));
    if (!w->binary && fprintf(w->file.stream, "# vertex %s\n",
                              kind == MW_TREE_PARENTS ? "parent" : "level") < 0)
        MW_TRY(rc, mw_fail(MW_ERR_IO, "%s: cannot write the header", path));
    *out = w;
    return MW_OK;
fail:
    mw_tree_abandon(w);
    return rc;
}

/* What the file says of a vertex: its parent's name or its level; -1 stays. */
static int64_t value_of(const struct mw_tree_writer *w, int64_t number)
{
    return number < 0 || w->kind == MW_TREE_LEVELS
               ? number
               : (int64_t)mw_names_number(w->names, (mw_vid)number);
}

static char *put_line(char *p, uint64_t vertex, int64_t value)
{
    p = mw_put_digits(p, vertex);
    *p++ = ' ';
    if (value < 0)
        *p++ = '-';
    p = mw_put_digits(p, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    *p++ = '\n';
    return p;
}

int mw_tree_put(struct mw_tree_writer *w, const int64_t *number, uint64_t n)
{
    enum { PIECE = 256, LONGEST = 48 };
    char text[PIECE * LONGEST];
    if (n > w->names->n_vertices - w->n_written)
        return mw_fail(MW_ERR_INTERNAL, "%s: more than %" PRIu64 " numbers", w->file.path,
                       w->names->n_vertices);
    for (uint64_t i = 0; i < n;) {
        char *p = text;
        const uint64_t stop = i + mw_min(PIECE, n - i);
        for (; i < stop; i++)
            if (w->binary) {
                mw_put64((unsigned char *)p, (uint64_t)value_of(w, number[i]));
                p += 8;
            } else {
                p = put_line(p, mw_names_number(w->names, w->n_written + i),
                             value_of(w, number[i]));
            }
        const int rc = mw_outfile_write(&w->file, text, (size_t)(p - text));
        if (rc < MW_OK)
            return rc;
    }
    w->n_written += n;
    return MW_OK;
}

int mw_tree_end(struct mw_tree_writer *w)
{
    int rc = MW_OK;
    if (w->n_written != w->names->n_vertices)
        MW_TRY(rc, mw_fail(MW_ERR_INTERNAL,
                           "%s: %" PRIu64 " numbers for %" PRIu64 " vertices",
                           w->file.path, w->n_written, w->names->n_vertices));
    MW_TRY(rc, mw_outfile_commit(&w->file));
fail:
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
    uint32_t rank, n_ranks;
    int64_t *number;
};

static bool is_mine(const struct tree *t, uint64_t vertex)
{
    return vertex % t->n_ranks == t->rank;
}

static int fail_number(const struct tree *t, mw_vid v, int64_t number)
{
    char vertex[MW_NAME_ROOM], range[MW_NAME_ROOM];
    return mw_fail(MW_ERR_DATA,
                   "%s: vertex %s: %" PRId64 " is neither -1 nor in %s (n = %" PRIu64 ")",
                   t->in->name, mw_names_text(t->names, v, vertex), number,
                   mw_names_range(t->names, range), t->names->n_vertices);
}

static int read_binary(struct tree *t)
{
    int rc = MW_OK;
    unsigned char *block = NULL;
    const uint64_t n = t->names->n_vertices;
    MW_NEW(rc, block, "read buffer", mw_min(BLOCK, t->in->bytes));
    for (uint64_t v = 0; v < n;) {
        const uint64_t first = v;
        const uint64_t stop = v + mw_min(BLOCK / 8, n - v);
        MW_TRY(rc, mw_input_read(t->in, 8 * v, block, 8 * (stop - v)));
        for (; v < stop; v++) {
            const int64_t number = (int64_t)mw_get64(block + 8 * (v - first));
            mw_vid parent;
            if (number != -1 && !mw_names_find(t->names, (uint64_t)number, &parent))
                MW_TRY(rc, fail_number(t, v, number));
            if (is_mine(t, v))
                t->number[v / t->n_ranks] = number == -1 ? -1 : (int64_t)parent;
        }
    }
fail:
    mw_free(block);
    return rc;
}

static int take_line(struct tree *t, struct mw_lines *l, const char *line)
{
    char range[MW_NAME_ROOM];
    uint64_t first, second = 0;
    mw_vid vertex, parent = 0;
    const char *p = mw_skip_blanks(line);
    if (mw_scan_number(&p, &first) != MW_SCAN_GOOD || mw_skip_separators(p) == p)
        return mw_lines_fail(l, line, "expected 'vertex number'");
    p = mw_skip_separators(p);
    const bool unreached = p[0] == '-' && p[1] == '1' && !mw_is_digit(p[2]);
    if (unreached)
        p += 2;
    else if (mw_scan_number(&p, &second) != MW_SCAN_GOOD)
        return mw_lines_fail(l, line, "expected 'vertex number', -1 for not reached");
    if (!mw_at_end(mw_skip_blanks(p)))
        return mw_lines_fail(l, line, "expected 'vertex number' and nothing else");
    const bool known = mw_names_find(t->names, first, &vertex);
    if (!known || (!unreached && !mw_names_find(t->names, second, &parent)))
        return mw_lines_fail(l, line, "%" PRIu64 " is not in %s (n = %" PRIu64 ")",
                             known ? second : first, mw_names_range(t->names, range),
                             t->names->n_vertices);
    if (!is_mine(t, vertex))
        return MW_OK;
    int64_t *number = &t->number[vertex / t->n_ranks];
    if (*number != ABSENT)
        return mw_lines_fail(l, line, "vertex %" PRIu64 " for the second time", first);
    *number = unreached ? -1 : (int64_t)parent;
    return MW_OK;
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
            if (*first != '#' && !mw_at_end(first))
                MW_TRY(rc, take_line(t, &l, p));
        }
    }
    rc = MW_OK;
    for (uint64_t i = 0; i < n_places; i++)
        if (t->number[i] == ABSENT)
            MW_TRY(rc, mw_fail(MW_ERR_DATA,
                               "%s: no line for vertex %s, expected one for each "
                               "of %" PRIu64 " vertices",
                               t->in->name,
                               mw_names_text(t->names, i * t->n_ranks + t->rank, name),
                               t->names->n_vertices));
fail:
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
static int check_size(const struct mw_input *in, bool text, uint64_t n)
{
    if (text && n > in->bytes / 4 + 1) /* "0 1\n"; the last may lack its newline */
        return mw_fail(MW_ERR_DATA,
                       "%s: %" PRIu64 " bytes found, too few for lines of %" PRIu64
                       " vertices",
                       in->name, in->bytes, n);
    if (!text && (in->bytes % 8 != 0 || in->bytes / 8 != n))
        return mw_fail(MW_ERR_DATA,
                       "%s: %" PRIu64 " bytes found, expected 8 for each of %" PRIu64
                       " vertices",
                       in->name, in->bytes, n);
    return MW_OK;
}

static int read_input(const struct mw_input *in, const struct mw_names *names,
                      uint32_t rank, uint32_t n_ranks, int64_t **parent)
{
    int rc = MW_OK;
    bool text;
    struct tree t = {.in = in, .names = names, .rank = rank, .n_ranks = n_ranks};
    const uint64_t n = names->n_vertices;
    const uint64_t n_places = n / n_ranks + (rank < n % n_ranks);
    *parent = NULL;
    MW_TRY(rc, detect_text(in, &text));
    MW_TRY(rc, check_size(in, text, n));
    MW_NEW(rc, t.number, "tree", n_places);
    MW_TRY(rc, text ? read_text(&t, n_places) : read_binary(&t));
    *parent = t.number;
    return MW_OK;
fail:
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
    rc = read_input(&in, names, rank, n_ranks, parent);
    mw_input_close(&in);
    return rc;
}

int mw_read_tree_memory(const char *name, const void *data, uint64_t bytes,
                        const struct mw_names *names, uint32_t rank, uint32_t n_ranks,
                        int64_t **parent)
{
    struct mw_input in;
    mw_input_memory(&in, name, data, bytes);
    return read_input(&in, names, rank, n_ranks, parent);
}
