/* writer.c -- see writer.h. Each format has a function that turns one edge into bytes
 * of a buffer; text headers have columns of fixed width and are written again at the
 * end, when all numbers are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/writer.h"

#include "io/digits.h"
#include "io/packed.h"
#include "shuffle/reals.h"

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
    uint64_t end_id;          /* greatest id + 1 */
    struct mw_edges held;     /* .sg and .wsg only */
    bool weights;             /* are written, too; of packed edges ... */
    struct mw_outfile beside; /* ... here */
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
                     "%%%%MatrixMarket matrix coordinate %s %s\n"
                     "%20" PRIu64 " %20" PRIu64 " %20" PRIu64 "\n",
                     w->weights ? "real" : "pattern",
                     w->directed == MW_DIRECTED_NO ? "symmetric" : "general", n, n, m);
    else if (w->format == MW_FORMAT_EDGES)
        bytes =
            snprintf(text, sizeof text,
                     "# %svertices %20" PRIu64 " edges %20" PRIu64 " from %" PRIu64 "\n",
                     said[w->directed], n, m, w->base);
    return bytes > 0 ? put_bytes(w, text, (size_t)bytes) : MW_OK;
}

static bool is_serialised(enum mw_format format)
{
    return format == MW_FORMAT_SG || format == MW_FORMAT_WSG;
}

static bool is_packed(enum mw_format format)
{
    return format == MW_FORMAT_PACKED12 || format == MW_FORMAT_PACKED16;
}

bool mw_format_weighs(enum mw_format format)
{
    return format == MW_FORMAT_EDGES || format == MW_FORMAT_MTX ||
           format == MW_FORMAT_WSG || is_packed(format);
}

/* Numbers from 0 up to this fit the format. */
static uint64_t format_limit(enum mw_format format)
{
    if (format == MW_FORMAT_PACKED12)
        return MW_PACKED12_VERTICES;
    if (is_serialised(format))
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

/* The file of the weights of packed edges. */
static int open_beside(const struct mw_write_conf *conf, struct mw_outfile *out)
{
    const size_t room = strlen(conf->path) + sizeof MW_PACKED_WEIGHTS;
    char *path;
    if (conf->packer != NULL || mw_outfile_is_direct(conf->path))
        return mw_fail(
            MW_ERR_USAGE,
            "%s: weights of packed edges are a file beside it, FILE%s, which a "
            "pipe, a device or a packed file has not",
            conf->path, MW_PACKED_WEIGHTS);
    path = mw_alloc("a file's name", room, 1);
    if (path == NULL)
        return MW_ERR_NOMEM;
    snprintf(path, room, "%s%s", conf->path, MW_PACKED_WEIGHTS);
    const int rc = mw_outfile_open(out, path, conf->force);
    mw_free(path);
    return rc;
}

int mw_write_begin(const struct mw_write_conf *conf, struct mw_writer **out)
{
    int rc = MW_OK;
    struct mw_writer *w = NULL;
    const uint64_t limit = format_limit(conf->format);
    if (conf->format == MW_FORMAT_AUTO || conf->format >= MW_N_WRITTEN)
        return mw_fail(MW_ERR_USAGE,
                       "%s: cannot write format '%s', expected edges, mtx, packed12, "
                       "packed16, sg or wsg",
                       conf->path, mw_format_word(conf->format));
    if (conf->n_vertices > limit)
        return mw_fail(
            MW_ERR_USAGE, "%s: %s holds at most %" PRIu64 " vertices, not %" PRIu64,
            conf->path, mw_format_title(conf->format), limit, conf->n_vertices);
    MW_NEW(rc, w, "output buffer", 1);
    w->format = conf->format;
    w->directed = conf->directed;
    w->weights = mw_format_weighs(conf->format) &&
                 (conf->weights || conf->format == MW_FORMAT_WSG);
    w->base = conf->format == MW_FORMAT_MTX ? 1 : (uint64_t)(conf->base != 0);
    w->n_vertices = conf->n_vertices;
    w->n_edges = conf->n_edges;
    w->limit = conf->n_vertices != 0 ? conf->n_vertices : limit;
    MW_TRY(rc, mw_outfile_open(&w->file, conf->path, conf->force));
    if (conf->packer != NULL)
        MW_TRY(rc, conf->packer->begin(conf->packing, &w->file, &w->packing));
    w->packer = conf->packer;
    if (is_serialised(conf->format))
        MW_TRY(rc, mw_edges_init(&w->held, conf->n_vertices, conf->n_edges));
    if (conf->format == MW_FORMAT_WSG)
        MW_TRY(rc, mw_edges_weigh(&w->held));
    if (w->weights && is_packed(conf->format))
        MW_TRY(rc, open_beside(conf, &w->beside));
    w->n_written = conf->n_edges;
    MW_TRY(rc, write_header(w));
    w->n_written = 0;
    *out = w;
    return MW_OK;
end:
    mw_write_abandon(w);
    return rc;
}

/* In as few digits as make the same float again: 14 bytes at most. */
static char *put_weight(char *p, float weight)
{
    char text[32] = "";
    if (weight < 1e7F && weight == (float)(uint32_t)weight)
        return mw_put_digits(p, (uint32_t)weight);
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)weight);
        if (strtof(text, NULL) == weight)
            break;
    }
    memcpy(p, text, strlen(text));
    return p + strlen(text);
}

static int put_beside(struct mw_writer *w, float weight)
{
    unsigned char bytes[4];
    mw_put32(bytes, mw_bits_of_float(weight));
    return mw_outfile_write(&w->beside, bytes, sizeof bytes);
}

/* To what is collected for a .sg or .wsg. */
static int hold(struct mw_writer *w, mw_vid u, mw_vid v, float weight)
{
    if (w->weights && (weight > 2147483520.0F || weight != (float)(int32_t)weight))
        return mw_fail(MW_ERR_DATA,
                       "%s: edge %" PRIu64
                       ": weight %.9g is no whole number below 2^31, and "
                       "a .wsg has no others",
                       w->file.path, w->n_written - 1, (double)weight);
    return mw_edges_add_weighted(&w->held, u, v, weight);
}

MW_FN char *put_edge(const struct mw_writer *w, char *p, uint64_t u, uint64_t v,
                     float weight)
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
        if (w->weights) {
            *p++ = ' ';
            p = put_weight(p, weight);
        }
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
        const float weight = mw_edges_weight(edges, i);
        if (is_serialised(w->format)) {
            rc = hold(w, u, v, weight);
        } else {
            char *const p = w->buffer + w->fill;
            w->fill = (size_t)(put_edge(w, p, u, v, weight) - w->buffer);
            if (w->fill > BUFFER - LONGEST)
                rc = flush(w);
            if (w->beside.stream != NULL && rc >= MW_OK)
                rc = put_beside(w, weight);
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

static int compare_weighted(const void *a, const void *b)
{
    const int first = compare_entries(a, b);
    return first != 0 ? first
                      : compare_entries((const uint32_t *)a + 1, (const uint32_t *)b + 1);
}

/* The low 4 or 8 bytes of x. */
static int put_number(struct mw_writer *w, uint64_t x, size_t bytes)
{
    unsigned char eight[8];
    mw_put64(eight, x);
    memcpy(w->buffer + w->fill, eight, bytes);
    w->fill += bytes;
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

/* Of an entry: the neighbour, and its weight. */
static uint32_t numbers_of(const struct mw_edges *e)
{
    return e->weight != NULL ? 2 : 1;
}

MW_FN void set_entry(uint32_t *entry, const struct mw_edges *e, uint64_t i, mw_vid v)
{
    entry[0] = (uint32_t)v;
    if (e->weight != NULL)
        entry[1] = (uint32_t)e->weight[i];
}

/* Rows sorted, as GAP's own builder leaves them. */
static void fill_rows(const struct mw_edges *e, uint64_t n, enum rows rows,
                      uint64_t *next, uint32_t *entry)
{
    const uint32_t each = numbers_of(e);
    for (uint64_t i = 0; i < e->n; i++) {
        mw_vid u, v;
        mw_edges_get(e, i, &u, &v);
        if (rows != ROWS_IN)
            set_entry(entry + each * next[u]++, e, i, v);
        if (rows != ROWS_OUT)
            set_entry(entry + each * next[v]++, e, i, u);
    }
    for (uint64_t v = 0, begin = 0; v < n; begin = next[v++])
        qsort(entry + each * begin, next[v] - begin, each * sizeof *entry,
              each > 1 ? compare_weighted : compare_entries);
}

/* Offsets and entries; duplicates are kept. */
static int write_rows(struct mw_writer *w, uint64_t n_entries, enum rows rows)
{
    int rc = MW_OK;
    uint64_t *offset = NULL;
    uint32_t *entry = NULL;
    const uint64_t n = n_vertices_of(w);
    MW_NEW(rc, offset, "row offsets", n + 1);
    const uint64_t n_numbers = numbers_of(&w->held) * n_entries;
    MW_NEW(rc, entry, "adjacency", n_numbers);
    sum_degrees(&w->held, n, rows, offset);
    for (uint64_t v = 0; v <= n; v++)
        MW_TRY(rc, put_number(w, offset[v], 8));
    fill_rows(&w->held, n, rows, offset, entry);
    for (uint64_t i = 0; i < n_numbers; i++)
        MW_TRY(rc, put_number(w, entry[i], 4));
end:
    MW_FREE_ALL(entry, offset);
    return rc;
}

/* reader_sg.c says how such a file looks. */
static int write_sg(struct mw_writer *w)
{
    const bool directed = w->directed == MW_DIRECTED_YES;
    const uint64_t n_entries = directed ? w->held.n : 2 * w->held.n;
    w->buffer[w->fill++] = (char)directed;
    MW_NEED(put_number(w, n_entries, 8));
    MW_NEED(put_number(w, n_vertices_of(w), 8));
    MW_NEED(write_rows(w, n_entries, directed ? ROWS_OUT : ROWS_OF_BOTH));
    if (directed)
        MW_NEED(write_rows(w, n_entries, ROWS_IN));
    return MW_OK;
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
    if (is_serialised(w->format))
        MW_TRY(rc, write_sg(w));
    MW_TRY(rc, flush(w));
    MW_TRY(rc, finish_header(w));
    if (w->packer != NULL)
        MW_TRY(rc, w->packer->end(w->packing));
    if (w->beside.stream != NULL)
        MW_TRY(rc, mw_outfile_commit(&w->beside));
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
    mw_outfile_abandon(&w->beside);
    mw_edges_fini(&w->held);
    mw_free(w);
}
