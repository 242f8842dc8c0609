/* resume.c -- "meshway run ... --resume FILE": the same command again, for what it left undone.
 *
 *      FILE (of each way) --> of this configuration and program? --> of this graph and its roots?
 *          --> its searches stand at the front of the result, the others are made
 *
 * What is put together must be of one kind: whatever a rate may depend on is compared, and the first
 * thing that differs is named. Rank 0 reads and compares; the others get the text from it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/run.h"

#include "base/mem.h"
#include "base/plural.h"
#include "base/text.h"
#include "cli/json_field.h"
#include "cli/run/result_read.h"

#include <string.h>
#include <unistd.h>

static const uint64_t no_file = UINT64_MAX;

/* --- is it of the same kind? ---------------------------------------------------------- */

/* In which a run and the one that it takes up may differ: where output goes, how long it may take.
 * Graph and roots are compared by what they are, not by how they were asked for. */
static const char free_options[] =
    "roots|root|graph|json|results|csv|tree|levels|trace|force|progress|timeout|verbose|"
    "hang-timeout|device-memory|quiet|resume|print-config|emul-dot|values|graphalytics|"
    "layout-record|traffic-record|devices";

static const char *const graph_keys[] = {"source",     "scale",   "edgefactor",
                                         "seeds",      "digest",  "directed",
                                         "n_vertices", "n_edges", NULL};
/* clang-format off */
static const char *const configuration_keys[] = {
    "n_ranks",        "n_hosts",     "threads_per_rank",
    "oversubscribed", "backend",     "device",
    "engine",         "n_clusters",  "layout",
    "routing",        "n_groups",    "emulation",
    "group_width",    "batch_bytes", "small_input_bytes",
    "algorithm",      "key_policy",  "compress",
    "mode",           NULL};
/* clang-format on */
static const char *const build_keys[] = {"version",  "commit", "dirty", "build_type",
                                         "compiler", "flags",  "mpi",   NULL};
static const char *const machine_keys[] = {"cpu", NULL};

enum { SHOWN_BYTES = 128 };

/* The value as a message has it; of one that is longer than there is room for, that it is long. */
static const char *shown(const json_t *v, char out[SHOWN_BYTES])
{
    const size_t n =
        v != NULL ? json_dumpb(v, out, SHOWN_BYTES - 1, JSON_ENCODE_ANY | JSON_COMPACT)
                  : 0;
    if (n >= SHOWN_BYTES)
        return "a long value";
    out[n] = '\0';
    return n > 0 ? out : "nothing";
}

static int differs(const char *file, const char *what, const char *key, const json_t *was,
                   const json_t *is, int code)
{
    char there[SHOWN_BYTES], here[SHOWN_BYTES];
    return mw_fail(code,
                   "--resume: %s was made with %s %s %s, and this run has %s: the "
                   "searches of one result are of one kind",
                   file, what, key, shown(was, there), shown(is, here));
}

static int compare_keys(const char *file, const char *what, const json_t *was,
                        const json_t *is, const char *const *keys, int code)
{
    for (; *keys != NULL; keys++) {
        const json_t *a = json_object_get(was, *keys), *b = json_object_get(is, *keys);
        if (a == NULL || !json_equal(a, b))
            return differs(file, what, *keys, a, b, code);
    }
    return MW_OK;
}

bool run_resume_is_free(const char *option)
{
    return mw_word_index(free_options, option) != SIZE_MAX;
}

static int compare_options(const char *file, const char *what, const json_t *was,
                           json_t *is)
{
    const char *name;
    json_t *option;
    json_object_foreach(is, name, option)
    {
        const json_t *a = json_object_get(json_object_get(was, name), "value");
        const json_t *b = json_object_get(option, "value");
        if (!run_resume_is_free(name) && strcmp(name, "tune") != 0 &&
            (a == NULL || !json_equal(a, b)))
            return differs(file, what, name, a, b, MW_ERR_USAGE);
    }
    return MW_OK;
}

/* Another program or processor is no matter of the command line. */
static int compare_origin(const char *file, const json_t *was, const json_t *is)
{
    const int rc = compare_keys(file, "build", json_object_get(was, "build"),
                                json_object_get(is, "build"), build_keys, MW_ERR_DATA);
    return rc < MW_OK
               ? rc
               : compare_keys(file, "machine", json_object_get(was, "machine"),
                              json_object_get(is, "machine"), machine_keys, MW_ERR_DATA);
}

/* How many searches are validated is an option; whether any is may be the environment's. */
static int compare_validation(const struct run *r, const char *file, const json_t *was)
{
    const json_t *level = json_object_get(json_object_get(was, "validation"), "level");
    const char *word = json_string_value(level);
    const bool checks = mw_benchmark_checks(&r->conf);
    if (word != NULL && (strcmp(word, "none") != 0) == checks)
        return MW_OK;
    json_t *now = json_string(checks ? "full" : "none");
    const int rc = differs(file, "validation", "level", level, now, MW_ERR_USAGE);
    json_decref(now);
    return rc;
}

/* An algorithm from outside the tree is the same file, or none in both. */
static int compare_plugin(const char *file, const json_t *was, const json_t *is)
{
    static const char *const key[] = {"plugin_hash", NULL};
    if (json_object_get(was, *key) == NULL && json_object_get(is, *key) == NULL)
        return MW_OK;
    return compare_keys(file, "a configuration of", was, is, key, MW_ERR_USAGE);
}

/* Options first, whose names the user knows. */
static int compare_run(const struct run *r, const struct run_way *way)
{
    const json_t *was = json_object_get(way->earlier, "configuration");
    json_t *is = mw_result_configuration(&way->report);
    json_t *origin = mw_provenance_json(&r->session.provenance);
    const char *status = json_string_value(json_object_get(way->earlier, "status"));
    int rc = MW_OK;
    if (status == NULL || strcmp(status, "invalid") == 0)
        MW_TRY(rc, mw_fail(MW_ERR_DATA,
                           "--resume: %s is of a run that failed validation: nothing of "
                           "it is kept; run it anew",
                           way->json));
    MW_TRY(rc, compare_options(way->json, "option", json_object_get(was, "options"),
                               json_object_get(is, "options")));
    MW_TRY(rc, compare_options(way->json, "key", json_object_get(was, "tune"),
                               json_object_get(is, "tune")));
    MW_TRY(rc, compare_keys(way->json, "a configuration of", was, is, configuration_keys,
                            MW_ERR_USAGE));
    MW_TRY(rc, compare_plugin(way->json, was, is));
    MW_TRY(rc, compare_validation(r, way->json, way->earlier));
    MW_TRY(rc, compare_origin(way->json, json_object_get(way->earlier, "provenance"),
                              origin));
end:
    json_decref(is);
    json_decref(origin);
    return rc;
}

/* --- the files -------------------------------------------------------------------------- */

/* Rank 0's file on every rank. *text NULL: there is none. */
static int read_shared(struct run *r, const char *path, bool may_lack, char **text,
                       uint64_t *bytes)
{
    struct mw_comm *comm = r->session.comm;
    int rc = MW_OK;
    size_t n = 0;
    *text = NULL;
    *bytes = no_file;
    if (r->session.speaks && !(may_lack && access(path, F_OK) != 0)) {
        rc = mw_text_read(path, RUN_RESULT_BYTES_MAX, text, &n);
        *bytes = n;
    }
    MW_TRY(rc, mw_comm_agree(comm, rc));
    MW_TRY(rc, mw_comm_broadcast(comm, bytes, sizeof *bytes, 0));
    if (*bytes == no_file)
        return MW_OK;
    if (!r->session.speaks) {
        *text = mw_alloc("result that is taken up", *bytes + 1, 1);
        rc = *text == NULL ? MW_ERR_NOMEM : MW_OK;
    }
    MW_TRY(rc, mw_comm_agree(comm, rc));
    MW_TRY(rc, mw_comm_broadcast(comm, *text, *bytes, 0));
end:
    return rc;
}

static int open_file(struct run *r, struct run_way *way)
{
    char *text;
    uint64_t bytes;
    int rc = read_shared(r, way->json, r->n_ways > 1, &text, &bytes);
    if (rc == MW_OK && text != NULL)
        rc = mw_comm_agree(r->session.comm,
                           mw_result_parse(way->json, text, bytes, &way->earlier));
    mw_free(text);
    return rc;
}

uint64_t run_resume_ranks(const struct run *r)
{
    char *text = NULL;
    size_t bytes = 0;
    json_t *earlier = NULL;
    uint64_t n = 0;
    const char *const path = r->way[0].json;
    if (mw_setting_text(r->settings, "resume") != NULL && path != NULL &&
        mw_text_read(path, RUN_RESULT_BYTES_MAX, &text, &bytes) == MW_OK &&
        mw_result_parse(path, text, bytes, &earlier) == MW_OK)
        n = (uint64_t)json_integer_value(
            json_object_get(json_object_get(earlier, "configuration"), "n_ranks"));
    mw_error_clear(); /* run_resume_open() says it */
    mw_free(text);
    json_decref(earlier);
    return n;
}

static uint32_t n_finished(const struct run_way *way)
{
    return (uint32_t)json_array_size(json_object_get(way->earlier, "searches"));
}

static bool option_is(const struct run_way *way, const json_t *options, const char *name)
{
    const json_t *a = json_object_get(
        json_object_get(
            json_object_get(json_object_get(way->earlier, "configuration"), "options"),
            name),
        "value");
    return json_equal(a, json_object_get(json_object_get(options, name), "value"));
}

/* A graph may have fewer roots than are asked for: then the same question has the same answer. */
static bool is_complete(const struct run_way *way)
{
    json_t *is = mw_result_configuration(&way->report);
    const json_t *options = json_object_get(is, "options");
    const char *status = json_string_value(json_object_get(way->earlier, "status"));
    const bool complete = status != NULL && strcmp(status, "ok") == 0 &&
                          option_is(way, options, "root") &&
                          option_is(way, options, "roots");
    json_decref(is);
    return complete;
}

/* What the result says of the run that is taken up; nothing was finished: nothing is said. */
static int name_earlier(struct run_way *way)
{
    static const char *const keys[] = {"started_utc", "ended_utc", "elapsed_s", NULL};
    const json_t *provenance = json_object_get(way->earlier, "provenance");
    const json_t *before = json_object_get(way->earlier, "resumed");
    json_t *one = json_object();
    way->resumed = json_is_array(before) ? json_deep_copy(before) : json_array();
    json_object_set_new(one, "n_searches", json_integer((json_int_t)n_finished(way)));
    for (const char *const *k = keys; *k != NULL; k++)
        json_object_set(one, *k, json_object_get(provenance, *k));
    json_object_set(one, "host",
                    json_object_get(json_object_get(provenance, "machine"), "host"));
    json_object_set(one, "reason", json_object_get(way->earlier, "reason"));
    const bool whole = json_object_size(one) == 6;
    if (json_array_append_new(way->resumed, one) == 0 && whole)
        return MW_OK;
    return mw_fail(MW_ERR_DATA, "--resume: %s does not say when it was made", way->json);
}

static int open_files(struct run *r)
{
    int rc = MW_OK;
    uint32_t n = 0;
    for (uint32_t w = 0; w < r->n_ways; w++) {
        MW_TRY(rc, open_file(r, &r->way[w]));
        n += r->way[w].earlier != NULL;
    }
    if (n == 0)
        rc = mw_fail(MW_ERR_NOINPUT,
                     "--resume: there is no %s, nor any other way's result",
                     r->way[0].json);
end:
    return rc;
}

/* On rank 0. */
static bool all_complete(const struct run *r)
{
    for (uint32_t w = 0; w < r->n_ways; w++)
        if (r->way[w].earlier == NULL || !is_complete(&r->way[w]))
            return false;
    return true;
}

static int compare_runs(struct run *r)
{
    int rc = MW_OK;
    run_describe(r, MW_RESULT_INTERRUPTED, "");
    for (uint32_t w = 0; w < r->n_ways && r->session.speaks && rc == MW_OK; w++)
        if (r->way[w].earlier != NULL)
            rc = compare_run(r, &r->way[w]);
    for (uint32_t w = 0; w < r->n_ways && rc == MW_OK; w++)
        if (n_finished(&r->way[w]) > 0)
            rc = name_earlier(&r->way[w]);
    return mw_comm_agree(r->session.comm, rc);
}

int run_resume_open(struct run *r)
{
    if (mw_setting_text(r->settings, "resume") == NULL)
        return MW_OK;
    MW_NEED(open_files(r));
    MW_NEED(compare_runs(r));
    uint64_t complete = r->session.speaks && all_complete(r);
    MW_NEED(mw_comm_broadcast(r->session.comm, &complete, sizeof complete, 0));
    if (complete)
        mw_session_say(&r->session, "meshway: %s has all %u %s%s: nothing to do",
                       r->way[0].json, n_finished(&r->way[0]),
                       mw_plural(n_finished(&r->way[0]), "search", "searches"),
                       r->n_ways > 1 ? ", and so have the other ways" : "");
    return complete ? MW_DONE : MW_OK;
}

/* --- the searches ------------------------------------------------------------------------ */

/* On rank 0, which has all names. */
static int compare_roots(const struct run *r, const struct run_way *way,
                         const mw_vid *root)
{
    const json_t *searches = json_object_get(way->earlier, "searches");
    int rc = MW_OK;
    for (uint32_t i = 0; i < n_finished(way) && rc == MW_OK; i++) {
        const json_t *was = json_object_get(json_array_get(searches, i), "root");
        json_t *is = mw_json_vertex(&r->input.names, root[i]);
        char there[SHOWN_BYTES], here[SHOWN_BYTES];
        if (was == NULL || !json_equal(was, is))
            rc = mw_fail(MW_ERR_DATA,
                         "--resume: search %u of %s is from root %s, but this run's is "
                         "from root %s: they are not of one list of roots",
                         i + 1, way->json, shown(was, there), shown(is, here));
        json_decref(is);
    }
    return rc;
}

static int compare_graph(const struct run *r, const struct run_way *way,
                         const mw_vid *root, uint32_t n)
{
    struct mw_report report = way->report;
    report.result = &r->result[0]; /* which has the facts on the graph */
    report.graph_file = r->report.graph_file;
    json_t *is = mw_result_graph(&report);
    int rc = compare_keys(way->json, "graph", json_object_get(way->earlier, "graph"), is,
                          graph_keys, MW_ERR_DATA);
    json_decref(is);
    if (rc == MW_OK && n_finished(way) > n)
        rc =
            mw_fail(MW_ERR_USAGE,
                    "--resume: %s has %u searches, but %u are asked for; ask for as many "
                    "or more",
                    way->json, n_finished(way), n);
    if (rc == MW_OK && r->conf.algorithm->keyed)
        rc = compare_roots(r, way, root);
    return rc;
}

static int take_way(struct run *r, uint32_t w, const mw_vid *root)
{
    struct run_way *way = &r->way[w];
    struct mw_benchmark_result *out = &r->result[w];
    int rc = MW_OK;
    for (uint32_t i = 0; i < n_finished(way); i++) {
        MW_TRY(rc, mw_result_search(way->json, way->earlier, i, way->algorithm,
                                    &out->search[i]));
        out->search[i].root = root[i];
        out->n_searches = i + 1;
    }
    way->n_kept = out->n_searches;
end:
    json_decref(way->earlier);
    way->earlier = NULL;
    return rc;
}

int run_resume_take(struct run *r, const mw_vid *root, uint32_t n)
{
    int rc = MW_OK;
    uint32_t least = n;
    for (uint32_t w = 0; w < r->n_ways && r->session.speaks && rc == MW_OK; w++)
        if (r->way[w].earlier != NULL)
            rc = compare_graph(r, &r->way[w], root, n);
    MW_TRY(rc, mw_comm_agree(r->session.comm, rc));
    for (uint32_t w = 0; w < r->n_ways; w++) {
        struct run_way *way = &r->way[w];
        if (way->earlier != NULL)
            MW_TRY(rc, take_way(r, w, root));
        least = (uint32_t)mw_min(least, way->n_kept);
        MW_STORE_RELEASE(&r->n_done[w], way->n_kept);
        if (mw_setting_text(r->settings, "resume") != NULL)
            mw_session_say(&r->session, "meshway: %s: %u of %u searches are kept",
                           way->json, way->n_kept, n);
    }
    r->view.kept = least * r->n_ways;
end:
    return rc;
}

void run_resume_close(struct run *r)
{
    for (uint32_t w = 0; w < r->n_ways; w++) {
        json_decref(r->way[w].earlier);
        json_decref(r->way[w].resumed);
    }
}
