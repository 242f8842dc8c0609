/* graph_input.c -- see graph_input.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/graph_input.h"

#include <stdio.h>
#include <string.h>

/* Joins what every rank found out; refuses files that are not the same file. */
static int merge(const struct mw_read_conf *conf, const struct mw_file_facts *all,
                 uint32_t n_ranks, struct mw_file_facts *whole)
{
    *whole = all[0];
    for (uint32_t r = 1; r < n_ranks; r++) {
        if (all[r].fingerprint != all[0].fingerprint || all[r].bytes != all[0].bytes)
            return mw_fail(
                MW_ERR_NOINPUT,
                "%s: rank %u sees another file than rank 0 (%llu and %llu bytes); "
                "it must be on a file system that all hosts share",
                conf->path, r, (unsigned long long)all[r].bytes,
                (unsigned long long)all[0].bytes);
        mw_facts_merge(whole, &all[r]);
    }
    return mw_facts_check(conf, whole);
}

struct mw_read_conf mw_graph_input_conf(const struct mw_settings *s,
                                        const struct mw_input *file)
{
    return (struct mw_read_conf){
        .path = file->name,
        .input = file,
        .format = (enum mw_format)mw_setting_number(s, "format"),
        .base = (int)mw_setting_number(s, "base"),
        .base_given = mw_setting_given(s, "base"),
        .n_vertices = mw_setting_number(s, "vertices"),
    };
}

int mw_graph_input_read(struct mw_comm *comm, const struct mw_read_conf *conf,
                        struct mw_graph_input *out)
{
    int rc;
    struct mw_read_conf mine = *conf;
    struct mw_file_facts part = {0}, *all = NULL;
    mine.part = comm->rank;
    mine.n_parts = comm->size;
    memset(out, 0, sizeof *out);
    rc = mw_read_graph(&mine, &out->edges, &part);
    if (rc >= MW_OK) {
        all = mw_alloc("facts of the file's parts", comm->size, sizeof *all);
        rc = all == NULL ? MW_ERR_NOMEM : MW_OK;
    }
    MW_TRY(rc, mw_comm_agree(comm, rc));
    MW_TRY(rc, mw_comm_gather(comm, &part, sizeof part, all));
    MW_TRY(rc, mw_comm_agree(comm, merge(conf, all, comm->size, &out->facts)));
    out->edges.n_vertices = out->facts.n_vertices;
    out->names = (struct mw_names){out->facts.base, out->facts.n_vertices};
    out->edges.names = &out->names;
    mw_free(all);
    return MW_OK;
fail:
    mw_free(all);
    mw_graph_input_fini(out);
    return rc;
}

void mw_graph_input_direct(struct mw_graph_input *g, const char *path, bool directed,
                           char *note, size_t room)
{
    static const char both[] = "each is gone along both ways";
    const enum mw_directed said = g->facts.directed;
    g->edges.directed = directed && said != MW_DIRECTED_NO;
    note[0] = '\0';
    if (directed && said == MW_DIRECTED_NO)
        snprintf(note, room,
                 "%s: its edges have no direction, so --directed changes nothing: %s",
                 path, both);
    else if (!directed && said != MW_DIRECTED_NO)
        snprintf(note, room, "%s: %s: %s; --directed goes along them one way", path,
                 said == MW_DIRECTED_YES
                     ? "its edges have a direction, which is not looked at"
                     : "nothing says whether its edges have a direction",
                 both);
}

void mw_graph_input_fini(struct mw_graph_input *g)
{
    mw_edges_fini(&g->edges);
}

const char *mw_graph_input_unused(const struct mw_file_facts *facts)
{
    if (!facts->weighted)
        return NULL;
    return facts->format == MW_FORMAT_EDGES
               ? "columns behind the second (weights, times) are not used by "
                 "breadth-first "
                 "search and are dropped"
               : "weights are not used by breadth-first search and are dropped";
}

enum mw_format mw_format_of_name(const char *path)
{
    static const struct {
        const char *end;
        enum mw_format format;
    } known[] = {
        {".mtx", MW_FORMAT_MTX},   {".el", MW_FORMAT_EDGES},  {".txt", MW_FORMAT_EDGES},
        {".csv", MW_FORMAT_EDGES}, {".tsv", MW_FORMAT_EDGES}, {".sg", MW_FORMAT_SG},
    };
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t n = strlen(known[i].end);
        if (length > n && strcmp(path + length - n, known[i].end) == 0)
            return known[i].format;
    }
    return MW_FORMAT_PACKED12;
}
