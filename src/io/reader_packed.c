/* reader_packed.c -- Graph500's edge files: nothing but edges, 12 bytes (two numbers
 * of 48 bits with a sign) or 16 bytes (two int64) each, little-endian. Their weights are in a file
 * of their own beside it, FILE.weights, a float of 4 bytes each in the same order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/packed.h"
#include "io/reading.h"

#include "base/mem.h"
#include "shuffle/reals.h"

#include <float.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 };

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

/* Says what is wrong with edge `i` of the file. */
static int fail_edge(struct mw_reading *r, uint64_t i, uint64_t u, uint64_t v)
{
    char text[256];
    const uint64_t id = bad_id(r, u) ? u : v;
    const uint64_t shift = r->facts->format == MW_FORMAT_PACKED12 ? 32 : 0;
    const char *order = "";
    if (__builtin_bswap64(id << shift) - r->base < r->limit && r->limit < MW_ID_LIMIT)
        order = "; written in the other byte order?";
    if (id > INT64_MAX)
        snprintf(text, sizeof text, "vertex %lld is negative", (long long)(int64_t)id);
    else
        mw_reading_explain_id(r, id, text, sizeof text);
    return mw_fail(MW_ERR_DATA, "%s: edge %llu (from 0, at byte %llu): %s%s", r->in->name,
                   (unsigned long long)i, (unsigned long long)(i * edge_bytes_of(r)),
                   text, order);
}

/* ---- weights ---- */

/* MW_DONE: there is no such file. */
static int open_weights(const struct mw_reading *r, struct mw_input *in)
{
    const size_t room = strlen(r->conf->path) + sizeof MW_PACKED_WEIGHTS;
    char *const path = mw_alloc("a file's name", room, 1);
    if (path == NULL)
        return MW_ERR_NOMEM;
    snprintf(path, room, "%s%s", r->conf->path, MW_PACKED_WEIGHTS);
    int rc = access(path, F_OK) != 0 ? MW_DONE : mw_input_open(in, path);
    mw_free(path);
    if (rc == MW_OK && in->bytes != sizeof(float) * r->facts->n_edges) {
        rc = mw_fail(MW_ERR_DATA,
                     "%s: %llu bytes, but weights of %llu edges are 4 bytes each",
                     in->name, (unsigned long long)in->bytes,
                     (unsigned long long)r->facts->n_edges);
        mw_input_close(in);
    }
    return rc;
}

static int check_weight(const struct mw_input *in, uint64_t i, float *weight)
{
    if (*weight >= 0 && *weight <= FLT_MAX) {
        *weight += 0.0F; /* -0 is 0 */
        return MW_OK;
    }
    return mw_fail(MW_ERR_DATA, "%s: entry %llu: %s", in->name, (unsigned long long)i,
                   *weight < 0   ? "a negative weight"
                   : *weight > 0 ? "an infinite weight"
                                 : "a weight that is no number");
}

/* Those of edges first .. first + r->out->n - 1, which have been read; all are 1 without the file. */
static int read_weights(struct mw_reading *r, uint64_t first)
{
    struct mw_input in;
    float *const weight = r->out->weight;
    int rc = open_weights(r, &in);
    for (uint64_t i = 0; rc == MW_DONE && i < r->out->n; i++)
        weight[i] = 1;
    if (rc != MW_OK)
        return rc < MW_OK ? rc : MW_OK;
    r->facts->weighted = r->facts->has_weights = true;
    rc = mw_input_read(&in, sizeof *weight * first, weight, sizeof *weight * r->out->n);
    for (uint64_t i = 0; rc >= MW_OK && i < r->out->n; i++) {
        weight[i] = mw_float_of_bits(mw_get32((const unsigned char *)&weight[i]));
        rc = check_weight(&in, first + i, &weight[i]);
    }
    mw_input_close(&in);
    return rc;
}

/* n edges at p; the first one is edge `first` of the file. */
MW_FN int take_edges(struct mw_reading *r, const unsigned char *p, uint64_t edge_bytes,
                     uint64_t first, uint64_t n)
{
    const uint64_t base = r->base;
    const uint64_t limit = r->limit;
    for (uint64_t i = 0; i < n; i++, p += edge_bytes) {
        mw_vid u, v;
        mw_packed_get(p, edge_bytes, &u, &v);
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
    const uint64_t begin = mw_share_begin(r->facts->n_edges, r->part, r->n_parts);
    uint64_t i = begin;
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
    if (r->conf->weights)
        rc = read_weights(r, begin);
end:
    mw_free(block);
    return rc;
}
