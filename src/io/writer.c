/* writer.c -- see writer.h. Each format has a function that turns one edge into bytes
 * of a buffer; text headers have columns of fixed width and are written again at the
 * end, when all numbers are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/writer.h"

#include "io/digits.h"
#include "io/packed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 20, LONGEST = 64 }; /* no edge takes more bytes than LONGEST */

struct mw_writer {
    struct mw_outfile file;
    const struct mw_write_packer *packer; /* NULL: none */
    void *packing;                        /* its own */
    enum mw_format format;
    enum mw_directed directed;
    uint64_t base;
    uint64_t n_vertices, n_edges; /* as announced; 0: not */
    uint64_t limit;               /* ids must be below */
    uint64_t n_written;
    uint64_t end_id;      /* greatest id + 1 */
    struct mw_edges held; /* .sg only */
    size_t fill;
    char buffer[BUFFER];
};

static int put_bytes(struct mw_writer *w, const void *data, size_t n)
{
    return w->packer != NULL ? w->packer->put(w->packing, data, n)
                             : mw_outfile_write(&w->file, data, n);
}

static int flush(struct mw_writer *w)
{
    const size_t n = w->fill;
    w->fill = 0;
    return n > 0 ? put_bytes(w, w->buffer, n) : MW_OK;
}

static uint64_t n_vertices_of(const struct mw_writer *w)
{
    return w->n_vertices != 0 ? w->n_vertices : w->end_id;
}

/* Of the same length whatever the numbers are. */
static int write_header(struct mw_writer *w)
{
    const uint64_t n = n_vertices_of(w);
    const uint64_t m = w->n_written;
    static const char *const said[] = {"", "undirected graph: ", "directed graph: "};
    char text[256];
    int bytes = 0;
    if (w->format == MW_FORMAT_MTX)
        bytes =
            snprintf(text, sizeof text,
                     "%%%%MatrixMarket matrix coordinate pattern %s\n"
                     "%20" PRIu64 " %20" PRIu64 " %20" PRIu64 "\n",
                     w->directed == MW_DIRECTED_NO ? "symmetric" : "general", n, n, m);
    else if (w->format == MW_FORMAT_EDGES)
        bytes =
            snprintf(text, sizeof text,
                     "# %svertices %20" PRIu64 " edges %20" PRIu64 " from %" PRIu64 "\n",
                     said[w->directed], n, m, w->base);
    return bytes > 0 ? put_bytes(w, text, (size_t)bytes) : MW_OK;
}

/* Numbers from 0 up to this fit the format. */
static uint64_t format_limit(enum mw_format format)
{
    if (format == MW_FORMAT_PACKED12)
        return MW_PACKED12_VERTICES;
    if (format == MW_FORMAT_SG)
        return (uint64_t)INT32_MAX + 1;
    return (uint64_t)INT64_MAX;
}

static bool has_header(enum mw_format format)
{
    return format == MW_FORMAT_MTX || format == MW_FORMAT_EDGES;
}

bool mw_write_announces(const struct mw_write_conf *conf)
{
    return has_header(conf->format) &&
           (conf->packer != NULL || mw_outfile_is_direct(conf->path));
}

int mw_write_begin(const struct mw_write_conf *conf, struct mw_writer **out)
{
    int rc = MW_OK;
    struct mw_writer *w = NULL;
    const uint64_t limit = format_limit(conf->format);
    if (conf->format == MW_FORMAT_AUTO || conf->format >= MW_N_WRITTEN)
        return mw_fail(MW_ERR_USAGE,
                       "%s: cannot write format '%s', expected edges, mtx, packed12, "
                       "packed16 or sg",
                       conf->path, mw_format_word(conf->format));
    if (conf->n_vertices > limit)
        return mw_fail(
            MW_ERR_USAGE, "%s: %s holds at most %" PRIu64 " vertices, not %" PRIu64,
            conf->path, mw_format_title(conf->format), limit, conf->n_vertices);
    MW_NEW(rc, w, "output buffer", 1);
    w->format = conf->format;
    w->directed = conf->directed;
    w->base = conf->format == MW_FORMAT_MTX ? 1 : (uint64_t)(conf->base != 0);
    w->n_vertices = conf->n_vertices;
    w->n_edges = conf->n_edges;
    w->limit = conf->n_vertices != 0 ? conf->n_vertices : limit;
    MW_TRY(rc, mw_outfile_open(&w->file, conf->path, conf->force));
    if (conf->packer != NULL)
        MW_TRY(rc, conf->packer->begin(conf->packing, &w->file, &w->packing));
    w->packer = conf->packer;
    if (conf->format == MW_FORMAT_SG)
        MW_TRY(rc, mw_edges_init(&w->held, conf->n_vertices, conf->n_edges));
    w->n_written = conf->n_edges;
    MW_TRY(rc, write_header(w));
    w->n_written = 0;
    *out = w;
    return MW_OK;
end:
    mw_write_abandon(w);
    return rc;
}

MW_FN char *put_edge(const struct mw_writer *w, char *p, uint64_t u, uint64_t v)
{
    if (w->format == MW_FORMAT_MTX && w->directed == MW_DIRECTED_NO && u < v) {
        const uint64_t row = v; /* a symmetric matrix has its lower half in the file */
        v = u;
        u = row;
    }
    switch (w->format) {
    case MW_FORMAT_PACKED12:
        mw_edge_pack(u, v, (unsigned char *)p);
        return p + MW_PACKED_BYTES;
    case MW_FORMAT_PACKED16:
        mw_put64((unsigned char *)p, u);
        mw_put64((unsigned char *)p + 8, v);
        return p + MW_PACKED16_BYTES;
    default:
        p = mw_put_digits(p, u + w->base);
        *p++ = ' ';
        p = mw_put_digits(p, v + w->base);
        *p++ = '\n';
        return p;
    }
}

int mw_write_edges(struct mw_writer *w, const struct mw_edges *edges)
{
    for (uint64_t i = 0; i < edges->n; i++) {
        mw_vid u, v;
        int rc = MW_OK;
        mw_edges_get(edges, i, &u, &v);
        const uint64_t greater = mw_max(u, v);
        if (MW_UNLIKELY(greater >= w->limit))
            return mw_fail(MW_ERR_DATA,
                           "%s: edge %" PRIu64 ": vertex %" PRIu64
                           " does not fit %s of %" PRIu64 " vertices",
                           w->file.path, w->n_written, greater,
                           mw_format_title(w->format), w->limit);
        w->end_id = mw_max(w->end_id, greater + 1);
        w->n_written++;
        if (w->format == MW_FORMAT_SG) {
            rc = mw_edges_add(&w->held, u, v);
        } else {
            w->fill = (size_t)(put_edge(w, w->buffer + w->fill, u, v) - w->buffer);
            if (w->fill > BUFFER - LONGEST)
                rc = flush(w);
        }
        if (MW_UNLIKELY(rc < MW_OK))
            return rc;
    }
    return MW_OK;
}

static int compare_entries(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int put_number64(struct mw_writer *w, uint64_t x)
{
    mw_put64((unsigned char *)w->buffer + w->fill, x);
    w->fill += 8;
    return w->fill > BUFFER - LONGEST ? flush(w) : MW_OK;
}

static int put_number32(struct mw_writer *w, uint32_t x)
{
    mw_put32((unsigned char *)w->buffer + w->fill, x);
    w->fill += 4;
    return w->fill > BUFFER - LONGEST ? flush(w) : MW_OK;
}

/* Whose rows an edge stands in: both ends', or in a directed graph first those of the vertices
 * that it leaves, then of those that it enters. */
enum rows { ROWS_OF_BOTH, ROWS_OUT, ROWS_IN };

/* offset[v + 1] := entries of rows 0 .. v. */
static void sum_degrees(const struct mw_edges *e, uint64_t n, enum rows rows,
                        uint64_t *offset)
{
    for (uint64_t i = 0; i < e->n; i++) {
        mw_vid u, v;
        mw_edges_get(e, i, &u, &v);
        offset[u + 1] += rows != ROWS_IN;
        offset[v + 1] += rows != ROWS_OUT;
    }
    for (uint64_t v = 0; v < n; v++)
        offset[v + 1] += offset[v];
}

/* Rows sorted, as GAP's own builder leaves them. */
static void fill_rows(const struct mw_edges *e, uint64_t n, enum rows rows,
                      uint64_t *next, uint32_t *entry)
{
    for (uint64_t i = 0; i < e->n; i++) {
        mw_vid u, v;
        mw_edges_get(e, i, &u, &v);
        if (rows != ROWS_IN)
            entry[next[u]++] = (uint32_t)v;
        if (rows != ROWS_OUT)
            entry[next[v]++] = (uint32_t)u;
    }
    for (uint64_t v = 0, begin = 0; v < n; begin = next[v++])
        qsort(entry + begin, next[v] - begin, sizeof *entry, compare_entries);
}

/* Offsets and entries; duplicates are kept. */
static int write_rows(struct mw_writer *w, uint64_t n_entries, enum rows rows)
{
    int rc = MW_OK;
    uint64_t *offset = NULL;
    uint32_t *entry = NULL;
    const uint64_t n = n_vertices_of(w);
    MW_NEW(rc, offset, "row offsets", n + 1);
    MW_NEW(rc, entry, "adjacency", n_entries);
    sum_degrees(&w->held, n, rows, offset);
    for (uint64_t v = 0; v <= n; v++)
        MW_TRY(rc, put_number64(w, offset[v]));
    fill_rows(&w->held, n, rows, offset, entry);
    for (uint64_t i = 0; i < n_entries; i++)
        MW_TRY(rc, put_number32(w, entry[i]));
end:
    mw_free(entry);
    mw_free(offset);
    return rc;
}

/* reader_sg.c says how such a file looks. */
static int write_sg(struct mw_writer *w)
{
    int rc;
    const bool directed = w->directed == MW_DIRECTED_YES;
    const uint64_t n_entries = directed ? w->held.n : 2 * w->held.n;
    w->buffer[w->fill++] = (char)directed;
    MW_TRY(rc, put_number64(w, n_entries));
    MW_TRY(rc, put_number64(w, n_vertices_of(w)));
    MW_TRY(rc, write_rows(w, n_entries, directed ? ROWS_OUT : ROWS_OF_BOTH));
    if (directed)
        MW_TRY(rc, write_rows(w, n_entries, ROWS_IN));
end:
    return rc;
}

/* The header again, with the numbers of the edges that came. */
static int finish_header(struct mw_writer *w)
{
    const bool announced = w->n_vertices != 0 && w->n_written == w->n_edges;
    const bool gone = w->file.temporary == NULL || w->packer != NULL;
    if (announced || !has_header(w->format))
        return MW_OK;
    if (gone && w->format == MW_FORMAT_MTX)
        return mw_fail(MW_ERR_IO,
                       "%s: mtx to a device or pipe, or packed, needs the numbers of "
                       "vertices and edges beforehand",
                       w->file.path);
    if (gone) /* only a comment */
        return MW_OK;
    if (fseek(w->file.stream, 0, SEEK_SET) != 0)
        return mw_fail(MW_ERR_IO, "%s: cannot go back to the header: %s", w->file.path,
                       strerror(errno));
    return write_header(w);
}

int mw_write_end(struct mw_writer *w)
{
    int rc = MW_OK;
    if (w->n_edges != 0 && w->n_edges != w->n_written)
        MW_TRY(rc, mw_fail(MW_ERR_INTERNAL,
                           "%s: %" PRIu64 " edges announced, %" PRIu64 " came",
                           w->file.path, w->n_edges, w->n_written));
    if (w->format == MW_FORMAT_SG)
        MW_TRY(rc, write_sg(w));
    MW_TRY(rc, flush(w));
    MW_TRY(rc, finish_header(w));
    if (w->packer != NULL)
        MW_TRY(rc, w->packer->end(w->packing));
    MW_TRY(rc, mw_outfile_commit(&w->file));
end:
    mw_write_abandon(w);
    return rc;
}

void mw_write_abandon(struct mw_writer *w)
{
    if (w == NULL)
        return;
    if (w->packer != NULL)
        w->packer->free(w->packing);
    mw_outfile_abandon(&w->file);
    mw_edges_fini(&w->held);
    mw_free(w);
}
