/* run_graph.c -- the graph of a run, and --root and --target: what the user calls vertices, in the program's
 * own numbers. See run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/run.h"

#include "algorithms/registry.h"
#include "base/clock.h"
#include "base/mem.h"
#include "io/field.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How many a comma list has; commas in quotes are part of a name. */
static uint32_t count_listed(const char *text)
{
    uint32_t n = 1;
    bool quoted = false;
    for (; *text != '\0'; text++) {
        quoted ^= *text == '"';
        n += !quoted && *text == ',';
    }
    return n;
}

int run_count_roots(struct run *r)
{
    const uint32_t n = count_listed(mw_setting_text(r->settings, "root"));
    MW_NEED_NEW(r->root, "given roots", n);
    r->conf.root = r->root;
    r->conf.n_roots = n;
    return MW_OK;
}

/* The next of a comma list in the form of a line; *list is moved behind it. */
static const char *next_listed(const char **list, struct mw_field *f)
{
    const char *why = mw_field_take(list, ',', f);
    *list += **list == ',';
    return why;
}

struct given_root {
    uint64_t vertex, place;
};

static int by_vertex(const void *a, const void *b)
{
    const struct given_root *x = a, *y = b;
    return x->vertex != y->vertex ? (x->vertex > y->vertex) - (x->vertex < y->vertex)
                                  : (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
    const struct given_root *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Each root once, where it is named first: two searches from one root would be two samples of
 * one thing. */
static int drop_repeated_roots(struct run *r)
{
    uint32_t n = 0;
    struct given_root *given;
    MW_NEED_NEW(given, "given roots", r->conf.n_roots);
    for (uint32_t i = 0; i < r->conf.n_roots; i++)
        given[i] = (struct given_root){r->root[i], i};
    qsort(given, r->conf.n_roots, sizeof *given, by_vertex);
    for (uint32_t i = 0; i < r->conf.n_roots; i++)
        if (i == 0 || given[i].vertex != given[n - 1].vertex)
            given[n++] = given[i];
    qsort(given, n, sizeof *given, by_place);
    for (uint32_t i = 0; i < n; i++)
        r->root[i] = given[i].vertex;
    if (n < r->conf.n_roots)
        mw_session_say(
            &r->session,
            "meshway: note: --root: %u repeated; each of the %u is searched from "
            "once",
            r->conf.n_roots - n, n);
    r->conf.n_roots = n;
    mw_free(given);
    return MW_OK;
}

int run_find_roots(struct run *r)
{
    int rc = MW_OK;
    char *line = NULL, *name = NULL;
    struct mw_field *f = NULL;
    const char *target = mw_setting_text(r->settings, "target");
    if (target != NULL)
        MW_TRY(rc, mw_names_parse(&r->input.names, "--target", target, &r->goal.target));
    if (r->root == NULL)
        return MW_OK;
    const char *text = mw_setting_text(r->settings, "root");
    const size_t length = strlen(text);
    MW_NEW(rc, line, "list of roots", length + 2);
    MW_NEW(rc, name, "name of a root", length + 1);
    MW_NEW(rc, f, "name of a root", 1);
    memcpy(line, text, length);
    line[length] = '\n';
    const char *p = line;
    for (uint32_t i = 0; i < r->conf.n_roots; i++) {
        const char *why = next_listed(&p, f);
        if (why != NULL)
            MW_TRY(rc, mw_fail(MW_ERR_USAGE, "--root: %s: %s", why, text));
        memcpy(name, f->text, f->bytes);
        name[f->bytes] = '\0';
        MW_TRY(rc, mw_names_parse(&r->input.names, "--root", name, &r->root[i]));
    }
    MW_TRY(rc, drop_repeated_roots(r));
end:
    MW_FREE_ALL(f, name, line);
    return rc;
}

/* Only a search needs a vertex with an edge to begin at. */
static int check_roots_exist(const struct run *r, const char *graph)
{
    const struct mw_file_facts *f = &r->input.facts;
    char edges[64] = "no edges";
    if (!r->conf.algorithm->keyed || r->root != NULL || f->n_self_loops < f->n_read)
        return MW_OK;
    if (f->n_read > 0)
        snprintf(edges, sizeof edges, "no edges but %" PRIu64 " self-loop%s", f->n_read,
                 f->n_read == 1 ? "" : "s");
    return mw_fail(MW_ERR_DATA,
                   "%s: the graph has %s: there is nothing to search from (--root V "
                   "searches all the same)",
                   graph, edges);
}

int run_read_graph(struct run *r)
{
    struct mw_read_conf conf = mw_graph_input_conf(r->settings, &r->file);
    char note[512];
    conf.weights = r->conf.graph_rule.weights != MW_WEIGHTS_NONE;
    r->conf.progress.phase(r->conf.progress.arg, MW_PHASE_READ);
    const double start = mw_now();
    int rc = mw_graph_input_read(r->session.comm, &conf,
                                 mw_graph_input_naming(r->settings, &conf),
                                 MW_ADVICE_VERTICES, &r->input);
    if (rc != MW_OK)
        return rc;
    r->report.read_s = mw_now() - start;
    r->input.edges.directed =
        mw_graph_input_one_way(&r->input.facts, mw_setting_text(r->settings, "graph"),
                               mw_graph_input_asked(r->settings), note, sizeof note);
    r->conf.given = &r->input.edges;
    r->report.graph_file = mw_setting_text(r->settings, "graph");
    r->report.graph_format = mw_format_word(r->input.facts.format);
    r->report.graph_directed = mw_directed_word(r->input.facts.directed);
    if (r->conf.graph_rule.weights == MW_WEIGHTS_NONE)
        r->report.graph_unused = mw_graph_input_unused(&r->input.facts);
    else
        r->report.graph_weights = r->input.facts.has_weights ? "file" : "ones";
    if (conf.weights && !r->input.facts.has_weights)
        mw_session_say(&r->session, "meshway: note: %s: it has no weights; all are 1",
                       conf.path);
    if (conf.weights && r->input.facts.n_rounded > 0)
        mw_session_say(&r->session,
                       "meshway: note: %s: weights are kept as 32-bit floats (7 "
                       "digits), and %" PRIu64 " were rounded so",
                       conf.path, r->input.facts.n_rounded);
    if (r->report.graph_unused != NULL)
        mw_session_say(&r->session, "meshway: note: %s: %s", conf.path,
                       r->report.graph_unused);
    for (uint32_t w = 0; w < r->n_ways && rc == MW_OK; w++)
        rc = mw_algorithm_takes(r->way[w].algorithm, r->input.edges.directed, false);
    MW_TRY(rc, mw_comm_agree(r->session.comm, rc));
    rc = check_roots_exist(r, conf.path);
    if (rc == MW_OK)
        rc = run_find_roots(r);
    rc = mw_comm_agree(r->session.comm, rc);
    if (rc == MW_OK && note[0] != '\0') /* an error would come first */
        mw_session_say(&r->session, "meshway: note: %s", note);
end:
    return rc;
}
