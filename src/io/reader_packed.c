/* reader_packed.c -- Graph500's edge files: nothing but edges, 12 bytes (two numbers
 * of 48 bits with a sign) or 16 bytes (two int64) each, little-endian.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/packed.h"
#include "io/reading.h"

#include <stdio.h>

enum { BLOCK = 1 << 20 };

MW_FN void unpack(const unsigned char *p, uint64_t edge_bytes, uint64_t *u, uint64_t *v)
{
    if (edge_bytes == MW_PACKED_BYTES) {
        mw_edge_unpack(p, u, v);
    } else {
        *u = mw_get64(p);
        *v = mw_get64(p + 8);
    }
}

static uint64_t edge_bytes_of(const struct mw_reading *r)
{
    return r->facts->format == MW_FORMAT_PACKED12 ? MW_PACKED_BYTES : MW_PACKED16_BYTES;
}

int mw_packed_open(struct mw_reading *r)
{
    const uint64_t edge_bytes = edge_bytes_of(r);
    const uint64_t n = r->in->bytes / edge_bytes;
    if (r->in->bytes % edge_bytes != 0)
        return mw_fail(
            MW_ERR_DATA,
            "%s: truncated: %llu bytes found, expected a multiple of %llu "
            "(%llu for %llu edges)",
            r->in->name, (unsigned long long)r->in->bytes, (unsigned long long)edge_bytes,
            (unsigned long long)(edge_bytes * (n + 1)), (unsigned long long)n + 1);
    r->facts->n_edges = n;
    return MW_OK;
}

/* Negative numbers too: as unsigned ones they are above every limit. */
static bool bad_id(const struct mw_reading *r, uint64_t id)
{
    return id - r->base >= r->limit;
}

static uint64_t swap64(uint64_t x)
{
    uint64_t y = 0;
    for (int i = 0; i < 8; i++)
        y = y << 8 | (x >> 8 * i & 0xFF);
    return y;
}

/* Says what is wrong with edge `i` of the file. */
static int fail_edge(struct mw_reading *r, uint64_t i, uint64_t u, uint64_t v)
{
    char text[256];
    const uint64_t id = bad_id(r, u) ? u : v;
    const uint64_t shift = r->facts->format == MW_FORMAT_PACKED12 ? 32 : 0;
    const char *order = "";
    if (swap64(id << shift) - r->base < r->limit && r->limit < MW_ID_LIMIT)
        order = "; written in the other byte order?";
    if (id > INT64_MAX)
        snprintf(text, sizeof text, "vertex %lld is negative", (long long)(int64_t)id);
    else
        mw_reading_explain_id(r, id, text, sizeof text);
    return mw_fail(MW_ERR_DATA, "%s: edge %llu (from 0, at byte %llu): %s%s", r->in->name,
                   (unsigned long long)i, (unsigned long long)(i * edge_bytes_of(r)),
                   text, order);
}

/* n edges at p; the first one is edge `first` of the file. */
MW_FN int take_edges(struct mw_reading *r, const unsigned char *p, uint64_t edge_bytes,
                     uint64_t first, uint64_t n)
{
    const uint64_t base = r->base;
    const uint64_t limit = r->limit;
    for (uint64_t i = 0; i < n; i++, p += edge_bytes) {
        mw_vid u, v;
        unpack(p, edge_bytes, &u, &v);
        if (MW_UNLIKELY(u - base >= limit || v - base >= limit)) {
            mw_reading_count(r);
            return fail_edge(r, first + i, u, v);
        }
        const int rc = mw_edges_add(r->out, u - base, v - base);
        if (MW_UNLIKELY(rc < MW_OK))
            return rc;
    }
    mw_reading_count(r);
    return MW_OK;
}

int mw_packed_read(struct mw_reading *r)
{
    int rc = MW_OK;
    unsigned char *block = NULL;
    const uint64_t edge_bytes = edge_bytes_of(r);
    const uint64_t end = mw_share_begin(r->facts->n_edges, r->part + 1, r->n_parts);
    const uint64_t per_block = BLOCK / edge_bytes;
    uint64_t i = mw_share_begin(r->facts->n_edges, r->part, r->n_parts);
    MW_TRY(rc, mw_edges_reserve(r->out, end - i));
    MW_NEW(rc, block, "read buffer", mw_min(BLOCK, r->in->bytes));
    while (i < end) {
        const uint64_t n = mw_min(per_block, end - i);
        MW_TRY(rc, mw_input_read(r->in, i * edge_bytes, block, n * edge_bytes));
        if (edge_bytes == MW_PACKED_BYTES)
            MW_TRY(rc, take_edges(r, block, MW_PACKED_BYTES, i, n));
        else
            MW_TRY(rc, take_edges(r, block, MW_PACKED16_BYTES, i, n));
        i += n;
    }
end:
    mw_free(block);
    return rc;
}
