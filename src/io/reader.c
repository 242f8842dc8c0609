/* reader.c -- see reader.h: opens, detects, hands over to the format, and
 * checks what all parts found together.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/reader.h"

#include "io/foreign.h"
#include "io/input.h"
#include "io/reading.h"

#include <stdio.h>
#include <string.h>

static const struct {
    int (*open)(struct mw_reading *r);
    int (*read)(struct mw_reading *r);
    bool any_base;   /* it does not say whether vertices count from 0 or from 1 */
    bool marked;     /* a byte order mark may stand in front */
    bool long_lines; /* a line holds all neighbours of a vertex */
    bool counts;     /* the header says how many edges there are, but the size does not */
} readers[MW_N_FORMATS] = {
    [MW_FORMAT_EDGES] = {mw_edges_text_open, mw_edges_text_read, .any_base = true,
                         .marked = true},
    [MW_FORMAT_MTX] = {mw_mtx_open, mw_mtx_read, .marked = true, .counts = true},
    [MW_FORMAT_DIMACS] = {mw_dimacs_open, mw_dimacs_read, .counts = true},
    [MW_FORMAT_PACKED12] = {mw_packed_open, mw_packed_read, .any_base = true},
    [MW_FORMAT_PACKED16] = {mw_packed_open, mw_packed_read, .any_base = true},
    [MW_FORMAT_SG] = {mw_sg_open, mw_sg_read},
    [MW_FORMAT_WSG] = {mw_sg_open, mw_sg_read},
    [MW_FORMAT_METIS] = {mw_metis_open, mw_metis_read, .marked = true, .long_lines = true,
                         .counts = true},
    [MW_FORMAT_PAJEK] = {mw_pajek_open, mw_pajek_read, .marked = true,
                         .long_lines = true},
    [MW_FORMAT_ADJACENCY] = {mw_adjacency_open, mw_adjacency_read, .any_base = true,
                             .marked = true, .long_lines = true},
};

const char *mw_directed_word(enum mw_directed d)
{
    static const char *const words[] = {"not said", "no", "yes"};
    return words[d];
}

bool mw_facts_one_way(const struct mw_file_facts *facts)
{
    return facts->directed != MW_DIRECTED_NO || facts->by_comment;
}

bool mw_format_lists(enum mw_format format)
{
    return readers[format].any_base; /* whoever has a header has said that, too */
}

/* The beginning of a file that is not empty, and a '\n' behind it, where scanners of lines end. */
static int read_head(const struct mw_input *in, unsigned char **head, uint64_t *bytes)
{
    enum { HEAD_BYTES = 48 << 10 }; /* whole edges of 12 and 16 bytes */
    *bytes = mw_min(in->bytes, HEAD_BYTES);
    *head = mw_alloc("read buffer", *bytes + 1, 1);
    if (*head == NULL)
        return MW_ERR_NOMEM;
    (*head)[*bytes] = '\n';
    const int rc = mw_input_read(in, 0, *head, *bytes);
    if (rc < MW_OK)
        mw_free(*head);
    return rc;
}

/* Which format, and is there anything at all? MW_DONE: an empty file that may be
 * empty. */
static int detect(struct mw_reading *r)
{
    char why[768];
    struct mw_file_facts *f = r->facts;
    f->format = r->conf->format;
    if (r->in->bytes == 0 && (r->conf->n_vertices != 0 || r->conf->vertices != NULL) &&
        (f->format == MW_FORMAT_AUTO || f->format == MW_FORMAT_EDGES)) {
        f->format = MW_FORMAT_EDGES;
        f->n_edges = 0;
        return MW_DONE;
    }
    if (r->in->bytes == 0)
        return mw_fail(MW_ERR_DATA,
                       "%s: the file is empty: 0 edges; an empty graph needs the number "
                       "of its vertices",
                       r->in->name);
    if (f->format != MW_FORMAT_AUTO)
        return MW_OK;

    unsigned char *head;
    uint64_t bytes;
    const int rc = read_head(r->in, &head, &bytes);
    if (rc < MW_OK)
        return rc;
    f->format = mw_format_detect(r->in, head, bytes, r->conf->header == MW_HEADER_YES,
                                 why, sizeof why);
    mw_free(head);
    return f->format != MW_FORMAT_AUTO ? MW_OK
                                       : mw_fail(MW_ERR_DATA, "%s: %s", r->in->name, why);
}

static int open_input(struct mw_reading *r, const struct mw_input *in,
                      const struct mw_read_conf *conf, struct mw_edges *out,
                      struct mw_file_facts *facts)
{
    memset(facts, 0, sizeof *facts);
    *r = (struct mw_reading){.in = in,
                             .conf = conf,
                             .out = out,
                             .facts = facts,
                             .part = conf->part,
                             .n_parts = conf->n_parts != 0 ? conf->n_parts : 1,
                             .base = (uint64_t)conf->base,
                             .column = {0, 1},
                             .weight_column = 2,
                             .limit = conf->n_vertices != 0
                                          ? conf->n_vertices
                                          : MW_ID_LIMIT - (uint64_t)conf->base};
    facts->bytes = in->bytes;
    facts->n_vertices = conf->n_vertices;
    facts->min_id = MW_UNKNOWN;
    if (conf->base != 0 && conf->base != 1)
        return mw_fail(MW_ERR_USAGE, "--base %d: vertices count from 0 or from 1",
                       conf->base);
    if (r->part >= r->n_parts || (unsigned)conf->format >= MW_N_FORMATS)
        return mw_fail(MW_ERR_INTERNAL, "%s: part %u of %u, format %d", in->name, r->part,
                       r->n_parts, (int)conf->format);
    if (conf->n_vertices > MW_ID_LIMIT)
        return mw_fail(MW_ERR_USAGE, "%llu vertices: at most 2^63",
                       (unsigned long long)conf->n_vertices);
    int rc = mw_input_fingerprint(in, &facts->fingerprint);
    if (rc < MW_OK)
        return rc;
    rc = detect(r);
    if (rc >= MW_OK && !readers[facts->format].any_base &&
        (conf->base_given || conf->base != 0))
        rc = mw_fail(MW_ERR_USAGE,
                     "%s: --base %d, but the format itself (%s) says what the first "
                     "vertex is called; leave --base out",
                     in->name, conf->base, mw_format_title(facts->format));
    if (rc >= MW_OK && conf->weight_title != NULL && facts->format != MW_FORMAT_EDGES)
        rc = mw_fail(MW_ERR_USAGE, "%s: a column is chosen in edge lists, and this is %s",
                     in->name, mw_format_title(facts->format));
    r->long_lines = readers[facts->format].long_lines;
    if (rc == MW_OK && readers[facts->format].marked)
        rc = mw_lines_body(in, &r->body);
    if (rc == MW_OK)
        rc = readers[facts->format].open(r);
    facts->base = r->base;
    return rc;
}

static int read_input(const struct mw_input *in, const struct mw_read_conf *conf,
                      struct mw_edges *out, struct mw_file_facts *facts)
{
    struct mw_reading r;
    memset(out, 0, sizeof *out);
    int rc = open_input(&r, in, conf, out, facts);
    if (rc < MW_OK)
        return rc;
    const bool empty = rc == MW_DONE;
    MW_TRY(rc, mw_edges_init(out, facts->n_vertices, 0));
    if (conf->weights)
        MW_TRY(rc, mw_edges_weigh(out));
    if (!empty)
        MW_TRY(rc, readers[facts->format].read(&r));
    mw_reading_count(&r);
    if (out->n > 0) /* what a comment says of n may be too little */
        facts->n_vertices = mw_max(facts->n_vertices, facts->max_id + 1);
    out->n_vertices = facts->n_vertices;
    if (r.n_parts == 1)
        MW_TRY(rc, mw_facts_check(conf, facts));
    mw_edges_trim(out);
    return MW_OK;
end:
    mw_edges_fini(out);
    return rc;
}

int mw_read_graph(const struct mw_read_conf *conf, struct mw_edges *out,
                  struct mw_file_facts *facts)
{
    struct mw_input in;
    memset(out, 0, sizeof *out);
    if (conf->input != NULL)
        return read_input(conf->input, conf, out, facts);
    int rc = mw_input_open(&in, conf->path);
    if (rc < MW_OK)
        return rc;
    rc = read_input(&in, conf, out, facts);
    mw_input_close(&in);
    return rc;
}

static bool looks_named(const struct mw_read_conf *conf, const struct mw_input *in)
{
    unsigned char *head;
    uint64_t bytes;
    char why[768];
    if (in->bytes == 0 || read_head(in, &head, &bytes) < MW_OK)
        return false;
    const enum mw_format format =
        mw_format_detect(in, head, bytes, conf->header == MW_HEADER_YES, why, sizeof why);
    const bool named =
        (format == MW_FORMAT_AUTO || format == MW_FORMAT_EDGES) &&
        !mw_foreign_explain(in->name, head, bytes, in->bytes, why, sizeof why) &&
        mw_format_named(conf, in, head, bytes);
    mw_free(head);
    return named;
}

void mw_read_look(struct mw_read_conf *conf)
{
    struct mw_input own = {.fd = -1};
    const struct mw_input *in = conf->input != NULL ? conf->input : &own;
    if (conf->names || conf->format != MW_FORMAT_AUTO || conf->base_given ||
        conf->n_vertices != 0)
        return;
    if ((conf->input != NULL || mw_input_open(&own, conf->path) == MW_OK) &&
        looks_named(conf, in)) {
        conf->names = conf->names_by_look = true;
        conf->format = MW_FORMAT_EDGES;
    }
    mw_input_close(&own);
    mw_error_clear();
}

int mw_read_facts(const struct mw_read_conf *conf, struct mw_file_facts *facts)
{
    struct mw_input own = {.fd = -1};
    struct mw_reading r;
    int rc = conf->input != NULL ? MW_OK : mw_input_open(&own, conf->path);
    if (rc < MW_OK)
        return rc;
    rc = open_input(&r, conf->input != NULL ? conf->input : &own, conf, NULL, facts);
    mw_input_close(&own);
    return rc < MW_OK ? rc : MW_OK;
}

void mw_facts_merge(struct mw_file_facts *whole, const struct mw_file_facts *part)
{
    whole->n_vertices = mw_max(whole->n_vertices, part->n_vertices);
    whole->n_read += part->n_read;
    whole->n_self_loops += part->n_self_loops;
    whole->n_twins += part->n_twins;
    whole->weighted = whole->weighted || part->weighted;
    whole->has_weights = whole->has_weights || part->has_weights;
    whole->n_rounded += part->n_rounded;
    whole->half_hash += part->half_hash;
    whole->twin_hash += part->twin_hash;
    whole->min_id = mw_min(whole->min_id, part->min_id);
    whole->max_id = mw_max(whole->max_id, part->max_id);
}

int mw_facts_check(const struct mw_read_conf *conf, const struct mw_file_facts *whole)
{
    const uint64_t n_pairs = whole->n_read - whole->n_self_loops;
    if (whole->n_read == 0 && whole->n_vertices == 0 && !mw_format_lists(whole->format))
        return mw_fail(MW_ERR_DATA,
                       "%s: 0 vertices by its header: a graph of no vertex has nothing "
                       "to search and no components",
                       conf->path);
    if (whole->n_read == 0 && whole->n_vertices == 0 && conf->vertices == NULL)
        return mw_fail(
            MW_ERR_DATA,
            "%s: 0 edges in %llu bytes; an empty graph needs the number of its "
            "vertices",
            conf->path, (unsigned long long)whole->bytes);
    if (whole->both_halves && whole->half_hash != whole->twin_hash)
        return mw_fail(
            MW_ERR_DATA,
            "%s: undirected, but not symmetric: %llu entries (u, v) with u < v "
            "and %llu with u > v are not the two halves of the same edges; an "
            "edge must stand in the rows of both its ends",
            conf->path, (unsigned long long)n_pairs, (unsigned long long)whole->n_twins);
    if (readers[whole->format].counts && whole->n_read != whole->n_edges)
        return mw_fail(MW_ERR_DATA, "%s: the header says %llu entries, the file has %llu",
                       conf->path, (unsigned long long)whole->n_edges,
                       (unsigned long long)whole->n_read);
    return MW_OK;
}
