/* reader_sg.c -- GAP's serialised graphs (.sg; .wsg with weights).
 *
 *      bool directed | int64 entries | int64 vertices | int64 offset[vertices + 1]
 *      | entry[entries] | if directed: the same two arrays once more, for in-edges
 *
 * An entry is an int32 vertex, in a .wsg followed by an int32 weight; all little-
 * endian, unaligned. An undirected edge stands in the rows of both its ends, a self-
 * loop twice in the row of its one: each is delivered once, as (u, v) with u <= v.
 *
 * Parts are slices of the entries, so that a row of any length is shared; a part finds
 * its first row by bisection in the file. Each part also checks a slice of the offsets,
 * and together they check all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/reading.h"

enum { BLOCK_ENTRIES = 1 << 17, BLOCK_ROWS = 1 << 16 };

/* a + n * size, or false. */
static bool add_up(uint64_t *a, uint64_t n, uint64_t size)
{
    uint64_t bytes;
    return !__builtin_mul_overflow(n, size, &bytes) &&
           !__builtin_add_overflow(*a, bytes, a);
}

bool mw_sg_parse(const unsigned char *head, uint64_t entry_bytes, struct mw_sg *sg)
{
    *sg = (struct mw_sg){.directed = head[0] != 0,
                         .n_entries = mw_get64(head + 1),
                         .n_vertices = mw_get64(head + 9),
                         .entry_bytes = entry_bytes,
                         .offsets_at = MW_SG_HEADER};
    if (head[0] > 1 || sg->n_entries > INT64_MAX || sg->n_vertices >= INT64_MAX)
        return false;
    sg->bytes = MW_SG_HEADER;
    for (int i = 0; i < (sg->directed ? 2 : 1); i++) {
        if (!add_up(&sg->bytes, sg->n_vertices + 1, 8))
            return false;
        if (i == 0)
            sg->entries_at = sg->bytes;
        if (!add_up(&sg->bytes, sg->n_entries, entry_bytes))
            return false;
    }
    return true;
}

bool mw_sg_is_swapped(const unsigned char *head, uint64_t file_bytes)
{
    unsigned char swapped[MW_SG_HEADER];
    struct mw_sg sg;
    swapped[0] = head[0];
    for (int i = 0; i < 8; i++) {
        swapped[1 + i] = head[8 - i];
        swapped[9 + i] = head[16 - i];
    }
    return (mw_sg_parse(swapped, 4, &sg) && sg.bytes == file_bytes) ||
           (mw_sg_parse(swapped, 8, &sg) && sg.bytes == file_bytes);
}

int mw_sg_open(struct mw_reading *r)
{
    unsigned char head[MW_SG_HEADER];
    const uint64_t entry_bytes = r->facts->format == MW_FORMAT_WSG ? 8 : 4;
    if (r->in->bytes < sizeof head)
        return mw_fail(MW_ERR_DATA,
                       "%s: truncated: %llu bytes found, the header alone has %d",
                       r->in->name, (unsigned long long)r->in->bytes, MW_SG_HEADER);
    const int rc = mw_input_read(r->in, 0, head, sizeof head);
    if (rc < MW_OK)
        return rc;
    r->facts->weighted = entry_bytes == 8;
    const bool sense = mw_sg_parse(head, entry_bytes, &r->sg);
    if ((!sense || r->sg.bytes != r->in->bytes) && mw_sg_is_swapped(head, r->in->bytes))
        return mw_fail(MW_ERR_DATA, "%s: a .sg file in the other byte order (big-endian)",
                       r->in->name);
    if (!sense)
        return mw_fail(MW_ERR_DATA,
                       "%s: not a .sg header: directed %u, %lld entries, %lld vertices",
                       r->in->name, head[0], (long long)mw_get64(head + 1),
                       (long long)mw_get64(head + 9));
    if (r->sg.bytes != r->in->bytes)
        return mw_fail(
            MW_ERR_DATA,
            "%s: %s: %llu bytes expected for %llu vertices and %llu entries "
            "(%s), %llu found",
            r->in->name, r->sg.bytes > r->in->bytes ? "truncated" : "too long",
            (unsigned long long)r->sg.bytes, (unsigned long long)r->sg.n_vertices,
            (unsigned long long)r->sg.n_entries,
            r->sg.directed ? "directed" : "undirected", (unsigned long long)r->in->bytes);
    r->facts->both_halves = !r->sg.directed;
    r->facts->directed = r->sg.directed ? MW_DIRECTED_YES : MW_DIRECTED_NO;
    r->facts->n_edges =
        r->sg.directed ? r->sg.n_entries : r->sg.n_entries / 2 + r->sg.n_entries % 2;
    return mw_reading_set_vertices(r, r->sg.n_vertices);
}

/* A moving window on the offsets. */
struct rows {
    struct mw_reading *r;
    unsigned char *block;
    uint64_t first, n; /* offset[first .. first + n - 1] are in the block */
};

/* offset[i], which must lie in 0 .. entries. */
static int get_offset(struct rows *rows, uint64_t i, uint64_t want, uint64_t *offset)
{
    const struct mw_sg *sg = &rows->r->sg;
    if (i - rows->first >= rows->n) {
        const uint64_t n = mw_min(want, sg->n_vertices + 1 - i);
        rows->n = 0;
        const int rc =
            mw_input_read(rows->r->in, sg->offsets_at + 8 * i, rows->block, 8 * n);
        if (rc < MW_OK)
            return rc;
        rows->first = i;
        rows->n = n;
    }
    *offset = mw_get64(rows->block + 8 * (i - rows->first));
    if (*offset > sg->n_entries)
        return mw_fail(MW_ERR_DATA, "%s: offset of row %llu is %lld, not in 0..%llu",
                       rows->r->in->name, (unsigned long long)i, (long long)*offset,
                       (unsigned long long)sg->n_entries);
    return MW_OK;
}

/* This part's slice of: 0 = offset[0] <= offset[1] <= ... = entries. */
static int check_offsets(struct rows *rows)
{
    const struct mw_reading *r = rows->r;
    const uint64_t n = r->sg.n_vertices;
    const uint64_t end = mw_share_begin(n, r->part + 1, r->n_parts);
    uint64_t i = mw_share_begin(n, r->part, r->n_parts);
    uint64_t before, offset;
    int rc = get_offset(rows, i, BLOCK_ROWS, &before);
    if (rc < MW_OK)
        return rc;
    if (i == 0 && before != 0)
        return mw_fail(MW_ERR_DATA, "%s: offset of row 0 is %llu, expected 0",
                       r->in->name, (unsigned long long)before);
    while (i < end) {
        rc = get_offset(rows, ++i, BLOCK_ROWS, &offset);
        if (rc < MW_OK)
            return rc;
        if (offset < before)
            return mw_fail(MW_ERR_DATA,
                           "%s: offset of row %llu is %llu, less than the %llu before it",
                           r->in->name, (unsigned long long)i, (unsigned long long)offset,
                           (unsigned long long)before);
        before = offset;
    }
    if (end == n && before != r->sg.n_entries)
        return mw_fail(MW_ERR_DATA, "%s: the offsets end at %llu, expected %llu entries",
                       r->in->name, (unsigned long long)before,
                       (unsigned long long)r->sg.n_entries);
    return MW_OK;
}

/* The row that entry `i` stands in: the greatest one that begins at or before it. */
static int find_row(struct rows *rows, uint64_t i, uint64_t *row)
{
    uint64_t low = 0, high = rows->r->sg.n_vertices;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        uint64_t offset;
        rows->n = 0;
        const int rc = get_offset(rows, middle, 1, &offset);
        if (rc < MW_OK)
            return rc;
        if (offset <= i)
            low = middle;
        else
            high = middle;
    }
    rows->n = 0;
    *row = low;
    return MW_OK;
}

struct cursor {
    uint64_t row, row_end;
    uint64_t n_loops; /* self-loops seen in this row; every second one is an edge */
};

static int next_row(struct rows *rows, struct cursor *c, uint64_t i)
{
    const struct mw_reading *r = rows->r;
    do {
        if (++c->row >= r->sg.n_vertices)
            return mw_fail(MW_ERR_DATA, "%s: entry %llu is in no row", r->in->name,
                           (unsigned long long)i);
        const int rc = get_offset(rows, c->row + 1, BLOCK_ROWS, &c->row_end);
        if (rc < MW_OK)
            return rc;
    } while (c->row_end <= i);
    c->n_loops = 0;
    return MW_OK;
}

static int fail_entry(struct mw_reading *r, uint64_t row, uint64_t i, int32_t v)
{
    return mw_fail(MW_ERR_DATA,
                   "%s: entry %llu, in row %llu: vertex %ld is not in 0..%lld (n = %llu)",
                   r->in->name, (unsigned long long)i, (unsigned long long)row, (long)v,
                   (long long)r->sg.n_vertices - 1, (unsigned long long)r->sg.n_vertices);
}

/* Of an entry, which is number `i` of the file. */
static int get_weight(struct mw_reading *r, const unsigned char *entry, uint64_t i,
                      float *weight)
{
    if (r->sg.entry_bytes == 4) {
        *weight = 1;
        return MW_OK;
    }
    const int32_t number = (int32_t)mw_get32(entry + 4);
    if (number < 0)
        return mw_fail(MW_ERR_DATA, "%s: entry %llu: a negative weight, %ld", r->in->name,
                       (unsigned long long)i, (long)number);
    *weight = (float)number;
    r->facts->n_rounded += (double)*weight != number;
    return MW_OK;
}

/* Entries i .. i + n - 1 of the file, which are in the block. With `deliver` false only
 * the self-loops are counted. */
static int take_entries(struct rows *rows, struct cursor *c, const unsigned char *block,
                        uint64_t i, uint64_t n, bool deliver)
{
    struct mw_reading *r = rows->r;
    const struct mw_sg sg = r->sg;
    const bool weights = r->conf->weights;
    for (uint64_t k = 0; k < n; k++) {
        int rc = MW_OK;
        if (i + k >= c->row_end && (rc = next_row(rows, c, i + k)) < MW_OK)
            return rc;
        const unsigned char *const entry = block + k * sg.entry_bytes;
        const uint64_t v = mw_get32(entry);
        float weight = 0;
        if (MW_UNLIKELY(v > INT32_MAX || v >= sg.n_vertices))
            return fail_entry(r, c->row, i + k, (int32_t)(uint32_t)v);
        const bool other_half = v == c->row && (c->n_loops++ & 1) != 0;
        if (!deliver)
            continue;
        if (weights && (rc = get_weight(r, entry, i + k, &weight)) < MW_OK)
            return rc;
        if (sg.directed)
            rc = mw_edges_add_weighted(r->out, c->row, v, weight);
        else if (!other_half)
            rc = mw_reading_add_half(r, c->row, v, weight);
        if (MW_UNLIKELY(rc < MW_OK))
            return rc;
    }
    if (deliver)
        mw_reading_count(r);
    return MW_OK;
}

static int take_range(struct rows *rows, struct cursor *c, unsigned char *block,
                      uint64_t begin, uint64_t end, bool deliver)
{
    const struct mw_sg *sg = &rows->r->sg;
    while (begin < end) {
        const uint64_t n = mw_min(BLOCK_ENTRIES, end - begin);
        int rc = mw_input_read(rows->r->in, sg->entries_at + begin * sg->entry_bytes,
                               block, n * sg->entry_bytes);
        if (rc >= MW_OK)
            rc = take_entries(rows, c, block, begin, n, deliver);
        if (rc < MW_OK)
            return rc;
        begin += n;
    }
    return MW_OK;
}

int mw_sg_read(struct mw_reading *r)
{
    int rc = MW_OK;
    unsigned char *block = NULL;
    struct rows rows = {.r = r};
    struct cursor c = {0};
    uint64_t row_begin;
    const uint64_t begin = mw_share_begin(r->sg.n_entries, r->part, r->n_parts);
    const uint64_t end = mw_share_begin(r->sg.n_entries, r->part + 1, r->n_parts);
    r->facts->has_weights = r->conf->weights && r->sg.entry_bytes == 8;
    MW_NEW(rc, rows.block, "read buffer", 8 * mw_min(BLOCK_ROWS, r->sg.n_vertices + 1));
    MW_NEW(rc, block, "read buffer",
           r->sg.entry_bytes * mw_min(BLOCK_ENTRIES, r->sg.n_entries));
    MW_TRY(rc, check_offsets(&rows));
    if (begin < end) {
        MW_TRY(rc, mw_edges_reserve(r->out, r->sg.directed ? end - begin
                                                           : (end - begin) / 2 + 1024));
        if (r->sg.n_vertices == 0)
            MW_TRY(rc, mw_fail(MW_ERR_DATA, "%s: %llu entries, but no vertices",
                               r->in->name, (unsigned long long)r->sg.n_entries));
        MW_TRY(rc, find_row(&rows, begin, &c.row));
        MW_TRY(rc, get_offset(&rows, c.row, BLOCK_ROWS, &row_begin));
        MW_TRY(rc, get_offset(&rows, c.row + 1, BLOCK_ROWS, &c.row_end));
        MW_TRY(rc, take_range(&rows, &c, block, row_begin, begin, false));
        MW_TRY(rc, take_range(&rows, &c, block, begin, end, true));
    }
end:
    MW_FREE_ALL(block, rows.block);
    return rc;
}
