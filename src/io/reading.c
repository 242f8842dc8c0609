/* reading.c -- see reading.h: keeps the facts that all formats share, and the loop over lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/reading.h"

#include <stdio.h>

int mw_reading_set_vertices(struct mw_reading *r, uint64_t n_vertices)
{
    if (r->conf->n_vertices != 0 && r->conf->n_vertices < n_vertices)
        return mw_fail(MW_ERR_DATA, "%s: has %llu vertices, but %llu were asked for",
                       r->in->name, (unsigned long long)n_vertices,
                       (unsigned long long)r->conf->n_vertices);
    /* The header's own bound stays: ids above it are errors of the file. */
    r->limit = n_vertices;
    r->facts->n_vertices = mw_max(n_vertices, r->conf->n_vertices);
    return MW_OK;
}

void mw_reading_count(struct mw_reading *r)
{
    const struct mw_edges *e = r->out;
    struct mw_file_facts *f = r->facts;
    uint64_t least = f->min_id, greatest = f->max_id, n_loops = 0;
    for (uint64_t i = r->n_counted; i < e->n; i++) {
        mw_vid u, v;
        mw_edges_get(e, i, &u, &v);
        n_loops += u == v;
        least = mw_min(least, mw_min(u, v));
        greatest = mw_max(greatest, mw_max(u, v));
    }
    f->min_id = least;
    f->max_id = greatest;
    f->n_self_loops += n_loops;
    f->n_read = r->n_counted = e->n;
}

void mw_reading_explain_id(struct mw_reading *r, uint64_t id, char *text, size_t room)
{
    mw_reading_count(r);
    const uint64_t n = r->limit;
    const bool from_one = r->base == 0 && id == n && r->facts->min_id > 0;
    if (id < r->base)
        snprintf(text, room,
                 "vertex %llu, but --base %llu says that they count from there",
                 (unsigned long long)id, (unsigned long long)r->base);
    else if (n == 0)
        snprintf(text, room, "vertex %llu of a graph without vertices",
                 (unsigned long long)id);
    else
        snprintf(text, room, "vertex %llu is not in %llu..%llu (n = %llu)%s",
                 (unsigned long long)id, (unsigned long long)r->base,
                 (unsigned long long)(r->base + n - 1), (unsigned long long)n,
                 from_one ? "; no vertex 0 so far: if they count from 1, say --base 1"
                          : "");
}

int mw_reading_fail_id(struct mw_reading *r, struct mw_lines *l, const char *line,
                       enum mw_scan s, const char *what, uint64_t id)
{
    char text[256];
    if (s == MW_SCAN_NEGATIVE)
        return mw_lines_fail(l, line, "negative %s", what);
    if (s == MW_SCAN_WIDE)
        return mw_lines_fail(l, line, "%s beyond 2^63 - 1", what);
    if (id == 0 && !mw_format_lists(r->facts->format))
        return mw_lines_fail(l, line, "%s 0, but they count from 1", what);
    mw_reading_explain_id(r, id, text, sizeof text);
    return mw_lines_fail(l, line, "%s", text);
}

int mw_reading_head(struct mw_reading *r, const char *comment, bool long_lines,
                    mw_take_line *take)
{
    struct mw_lines l;
    const char *p, *end;
    int rc = MW_AGAIN, next = mw_lines_init(&l, r->in, comment, r->body, 0, 1);
    l.long_lines = long_lines;
    while (rc == MW_AGAIN && next == MW_OK) {
        next = mw_lines_next(&l, &p, &end);
        while (next == MW_OK && rc == MW_AGAIN && p < end) {
            rc = take(r, &l, p);
            if (rc == MW_AGAIN) /* or the block is lost */
                p = mw_skip_line(p);
        }
    }
    mw_lines_fini(&l);
    return rc == MW_AGAIN ? next : rc;
}

int mw_reading_lacks(const struct mw_reading *r, const char *what)
{
    return mw_fail(MW_ERR_DATA, "%s: ends after %llu bytes without %s; truncated?",
                   r->in->name, (unsigned long long)r->in->bytes, what);
}

/* After each block of text: room for the rest, if it goes on like this. */
static int guess_room(struct mw_reading *r, uint64_t bytes_taken, uint64_t bytes_left)
{
    r->bytes_taken += bytes_taken;
    const uint64_t n = r->out->n;
    const double more = (double)n / (double)r->bytes_taken * (double)bytes_left;
    if (n + (uint64_t)more <= r->out->room)
        return MW_OK;
    /* A sixteenth more, in case lines become shorter. */
    return mw_edges_reserve(r->out, n + (uint64_t)(1.0625 * more) + 1024);
}

int mw_reading_lines(struct mw_reading *r, const char *comment, uint64_t body,
                     mw_take_lines *take)
{
    struct mw_lines l;
    const char *begin, *end;
    int rc = mw_lines_init(&l, r->in, comment, body, r->part, r->n_parts);
    if (rc < MW_OK)
        return rc;
    l.long_lines = r->long_lines;
    for (;;) {
        MW_TRY(rc, mw_lines_next(&l, &begin, &end));
        if (rc == MW_DONE)
            break;
        MW_TRY(rc, take(r, &l, begin, end));
        mw_reading_count(r);
        MW_TRY(rc, guess_room(r, (uint64_t)(end - begin), mw_lines_left(&l)));
    }
    rc = MW_OK;
end:
    mw_lines_fini(&l);
    return rc;
}
