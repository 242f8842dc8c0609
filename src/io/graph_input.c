/* graph_input.c -- see graph_input.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/graph_input.h"

#include "base/stop.h"
#include "io/lines.h"
#include "io/reading.h"

#include <string.h>
#include <unistd.h>

enum { STRETCH = 1 << 16 }; /* edges between two looks at the signals */

/* Joins what every rank found out. */
static int merge(const struct mw_read_conf *conf, const struct mw_file_facts *all,
                 uint32_t n_ranks, struct mw_file_facts *whole)
{
    *whole = all[0];
    for (uint32_t r = 1; r < n_ranks; r++)
        mw_facts_merge(whole, &all[r]);
    return mw_facts_check(conf, whole);
}

/* Collective, the same on all ranks: is it one file that they read? */
static int check_same(struct mw_comm *comm, const char *path,
                      const struct mw_file_facts *all)
{
    uint32_t r = 1;
    char host[64] = "";
    while (r < comm->size && all[r].fingerprint == all[0].fingerprint &&
           all[r].bytes == all[0].bytes)
        r++;
    if (r == comm->size)
        return MW_OK;
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    const int rc = mw_comm_broadcast(comm, host, sizeof host, r);
    if (rc < MW_OK)
        return rc;
    return mw_fail(
        MW_ERR_NOINPUT,
        "%s: rank %u sees another file than rank 0 (%llu bytes on %s, and %llu "
        "bytes); it must be on a file system that all hosts share",
        path, r, (unsigned long long)all[r].bytes, host,
        (unsigned long long)all[0].bytes);
}

/* A vertex takes tens of bytes whether it occurs or not. Lists of which the 64th part or less of
 * the numbers can occur are names of another kind; below 2^24 that costs less than a search. */
int mw_graph_input_judge(const struct mw_read_conf *conf,
                         const struct mw_file_facts *facts, const char *advice)
{
    enum { FEW = 1 << 24, SPARSE = 64 };
    if (facts->n_vertices <= FEW || facts->n_vertices / SPARSE <= 2 * facts->n_read ||
        !mw_format_lists(facts->format) || conf->n_vertices != 0)
        return MW_OK;
    return mw_fail(
        MW_ERR_REFUSED,
        "%s: vertices go up to %llu, but %llu edges name %llu at most, and memory "
        "is taken for each of n = %llu; %s %llu says that all are meant",
        conf->path, (unsigned long long)(facts->max_id + facts->base),
        (unsigned long long)facts->n_read, (unsigned long long)(2 * facts->n_read),
        (unsigned long long)facts->n_vertices, advice,
        (unsigned long long)facts->n_vertices);
}

/* What can be named otherwise than counted: lists without a header. */
static int check_naming(const struct mw_file_facts *facts, const char *path,
                        enum mw_naming naming)
{
    if (naming == MW_NAMED_TEXTS && facts->format != MW_FORMAT_EDGES)
        return mw_fail(MW_ERR_USAGE, "%s: --names is for text edge lists, not for %s",
                       path, mw_format_title(facts->format));
    if (naming == MW_NAMED_IDS && !mw_format_lists(facts->format))
        return mw_fail(MW_ERR_USAGE,
                       "%s: --compact-ids is for lists that do not say how many vertices "
                       "there are, but %s does",
                       path, mw_format_title(facts->format));
    return MW_OK;
}

/* Room for the same edges by other numbers. */
static int numbered_like(const struct mw_edges *edges, uint64_t n_vertices,
                         struct mw_edges *out)
{
    const int rc = mw_edges_init(out, n_vertices, edges->n);
    return rc == MW_OK && edges->weight != NULL ? mw_edges_weigh(out) : rc;
}

/* Local: the edges' ids, as the file has them, become numbers of the dictionary. */
static int look_up_ids(struct mw_edges *edges, uint64_t base, struct mw_dictionary *seen)
{
    struct mw_edges numbered;
    int rc = numbered_like(edges, 0, &numbered);
    for (uint64_t i = 0; i < edges->n && rc >= MW_OK; i++) {
        unsigned char name[MW_ID_BYTES];
        mw_vid end[2];
        mw_edges_get(edges, i, &end[0], &end[1]);
        for (int k = 0; k < 2 && rc >= MW_OK; k++) {
            mw_id_to_name(end[k] + base, name);
            rc = mw_dictionary_add(seen, name, sizeof name, &end[k]);
        }
        if (rc >= MW_OK)
            rc = mw_edges_add_weighted(&numbered, end[0], end[1],
                                       mw_edges_weight(edges, i));
        if (rc >= MW_OK && i % STRETCH == 0)
            rc = mw_stop_check("numbering", "the vertices");
    }
    mw_edges_fini(rc < MW_OK ? &numbered : edges);
    if (rc >= MW_OK)
        *edges = numbered;
    return rc;
}

/* Lines of a file of vertices, and sums of a hash of what they name: those of all lines, and those of the
 * vertices, are equal if each has one line. */
struct listed {
    uint64_t n_lines, lines, vertices;
};

/* Local: the vertices of this part's lines. */
static int take_vertices(struct mw_lines *l, const char *p, const char *end,
                         struct mw_dictionary *seen, struct listed *sum)
{
    int rc = MW_OK;
    for (; p < end && rc == MW_OK; p = mw_skip_line(p)) {
        uint64_t id, number;
        unsigned char name[MW_ID_BYTES];
        const char *q = mw_skip_blanks(p);
        if (*q == '#' || mw_at_end(q))
            continue;
        if (mw_scan_number(&q, &id) != MW_SCAN_GOOD || !mw_at_end(mw_skip_blanks(q)))
            return mw_lines_fail(l, p, "expected the number of a vertex");
        mw_id_to_name(id, name);
        rc = mw_dictionary_add(seen, name, sizeof name, &number);
        sum->n_lines++;
        sum->lines += mw_edge_hash(id, id);
    }
    return rc;
}

/* Local: this rank's share of a file of vertices. */
static int read_vertices(const struct mw_read_conf *conf, struct mw_dictionary *seen,
                         struct listed *sum)
{
    const char *p, *end;
    struct mw_input in;
    struct mw_lines l;
    int rc = mw_input_open(&in, conf->vertices);
    if (rc < MW_OK)
        return rc;
    rc = mw_lines_init(&l, &in, "#", 0, conf->part, conf->n_parts);
    while (rc == MW_OK && (rc = mw_lines_next(&l, &p, &end)) == MW_OK)
        rc = take_vertices(&l, p, end, seen, sum);
    mw_lines_fini(&l);
    mw_input_close(&in);
    return rc < MW_OK ? rc : MW_OK;
}

/* Collective: has each vertex one of those lines? */
static int check_vertices(struct mw_comm *comm, const struct mw_read_conf *conf,
                          const struct mw_names *names, struct listed *sum)
{
    for (mw_vid v = comm->rank; v < names->n_vertices; v += comm->size) {
        const uint64_t id = mw_names_number(names, v);
        sum->vertices += mw_edge_hash(id, id);
    }
    const int rc = mw_comm_sum(comm, (uint64_t *)sum, sizeof *sum / sizeof(uint64_t));
    if (rc < MW_OK)
        return rc;
    if (names->n_vertices == 0)
        return mw_fail(MW_ERR_DATA, "%s: no vertices: there is nothing to search",
                       conf->vertices);
    if (sum->n_lines == names->n_vertices && sum->lines == sum->vertices)
        return MW_OK;
    return mw_fail(MW_ERR_DATA,
                   "%s: %llu lines, but it and the edges of %s have %llu vertices; "
                   "expected each vertex in one line",
                   conf->vertices, (unsigned long long)sum->n_lines, conf->path,
                   (unsigned long long)names->n_vertices);
}

/* Local: numbers of the dictionary become vertices of the whole graph. */
static int look_up_vertices(struct mw_edges *edges, const uint64_t *vertex_of,
                            uint64_t n_vertices)
{
    struct mw_edges numbered;
    if (edges->narrow != NULL && n_vertices <= MW_NARROW_VERTICES) {
        for (uint64_t i = 0; i < 2 * edges->n; i++)
            edges->narrow[i] = (uint32_t)vertex_of[edges->narrow[i]];
        return MW_OK;
    }
    int rc = numbered_like(edges, n_vertices, &numbered);
    for (uint64_t i = 0; i < edges->n && rc >= MW_OK; i++) {
        mw_vid u, v;
        mw_edges_get(edges, i, &u, &v);
        rc = mw_edges_add_weighted(&numbered, vertex_of[u], vertex_of[v],
                                   mw_edges_weight(edges, i));
    }
    mw_edges_fini(rc < MW_OK ? &numbered : edges);
    if (rc >= MW_OK)
        *edges = numbered;
    return rc;
}

/* Collective. */
static int name_vertices(struct mw_comm *comm, const struct mw_read_conf *conf,
                         enum mw_naming naming, struct mw_dictionary *seen,
                         struct mw_graph_input *g)
{
    uint64_t *vertex_of = NULL;
    struct listed sum = {0};
    int rc = naming == MW_NAMED_IDS ? look_up_ids(&g->edges, g->facts.base, seen) : MW_OK;
    if (rc == MW_OK && conf->vertices != NULL)
        rc = read_vertices(conf, seen, &sum);
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_names_make(comm, naming, seen, &g->names, &vertex_of);
    if (rc == MW_OK && conf->vertices != NULL)
        rc = check_vertices(comm, conf, &g->names, &sum);
    if (rc == MW_OK)
        rc = mw_comm_agree(comm,
                           look_up_vertices(&g->edges, vertex_of, g->names.n_vertices));
    mw_free(vertex_of);
    g->facts.n_vertices = g->names.n_vertices;
    return rc;
}

/* Collective. */
static int read_parts(struct mw_comm *comm, const struct mw_read_conf *conf,
                      enum mw_naming naming, const char *advice,
                      struct mw_graph_input *out)
{
    int rc;
    struct mw_file_facts part = {0}, *all = NULL;
    rc = mw_read_graph(conf, &out->edges, &part);
    if (rc >= MW_OK)
        rc = check_naming(&part, conf->path, naming);
    if (rc >= MW_OK) {
        all = mw_alloc("facts of the file's parts", comm->size, sizeof *all);
        rc = all == NULL ? MW_ERR_NOMEM : MW_OK;
    }
    MW_TRY(rc, mw_comm_agree(comm, rc));
    MW_TRY(rc, mw_comm_gather(comm, &part, sizeof part, all));
    MW_TRY(rc, check_same(comm, conf->path, all));
    rc = merge(conf, all, comm->size, &out->facts);
    if (rc >= MW_OK && naming == MW_NAMED_COUNTED)
        rc = mw_graph_input_judge(conf, &out->facts, advice);
    rc = mw_comm_agree(comm, rc);
end:
    mw_free(all);
    return rc;
}

int mw_graph_input_read(struct mw_comm *comm, const struct mw_read_conf *conf,
                        enum mw_naming naming, const char *advice,
                        struct mw_graph_input *out)
{
    int rc = MW_OK;
    struct mw_dictionary seen = {0};
    struct mw_read_conf mine = *conf;
    mine.part = comm->rank;
    mine.n_parts = comm->size;
    memset(out, 0, sizeof *out);
    if (naming != MW_NAMED_COUNTED)
        rc = mw_dictionary_init(&seen);
    mine.names = naming == MW_NAMED_TEXTS;
    mine.seen = mine.names ? &seen : NULL;
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = read_parts(comm, &mine, naming, advice, out);
    out->names =
        (struct mw_names){.base = out->facts.base, .n_vertices = out->facts.n_vertices};
    if (rc == MW_OK && naming != MW_NAMED_COUNTED)
        rc = name_vertices(comm, &mine, naming, &seen, out);
    out->edges.n_vertices = out->names.n_vertices;
    out->edges.names = &out->names;
    mw_dictionary_fini(&seen);
    if (rc != MW_OK)
        mw_graph_input_fini(out);
    return rc;
}

void mw_graph_input_fini(struct mw_graph_input *g)
{
    mw_edges_fini(&g->edges);
    mw_names_fini(&g->names);
}
