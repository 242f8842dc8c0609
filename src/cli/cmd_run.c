/* cmd_run.c -- "meshway run": the benchmark, on a generated graph or on one from a file.
 *
 *      settings --> start MPI --> outputs creatable? --> plan --> world --> [read graph]
 *          --> mw_benchmark_run() --> stdout: the official block
 *                                     stderr: levels of the median search, what is next
 *                                     files:  JSON, CSV, tree, levels
 *
 * Everything that can be refused is refused before anything large is allocated. All
 * outputs are printers of one struct mw_report.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/kronecker.h"
#include "cli/preflight.h"
#include "cli/progress.h"
#include "cli/result_json.h"
#include "cli/session.h"
#include "cli/shape.h"
#include "cli/tree_output.h"
#include "cli/version.h"
#include "graph/outfile.h"
#include "graph500/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* clang-format off */
static const struct mw_option options[] = {
    MW_OPTION_SCALE,
    MW_OPTIONS_KRONECKER,
    {.name = "graph", .letter = 'g', .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Read the graph instead: Matrix Market, edge list, packed edges, .sg"},
    {.name = "format", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = MW_FORMAT_WORDS, .help = "Format of --graph; auto looks at the content"},
    {.name = "base", .kind = MW_OPT_WORD, .value = "N", .fallback = "0", .words = "0|1",
     .help = "What --graph calls its first vertex; Matrix Market, DIMACS: 1"},
    {.name = "vertices", .kind = MW_OPT_COUNT, .value = "N", .min = 1,
     .max = UINT64_C(1) << 48, .help = "Number of vertices where --graph does not say it"},

    {.name = "roots", .letter = 'n', .kind = MW_OPT_COUNT, .value = "N", .fallback = "64",
     .min = 1, .max = 1 << 20, .section = "searches",
     .help = "Search from N roots, sampled as the reference does"},
    {.name = "root", .letter = 'r', .kind = MW_OPT_TEXT, .value = "V", .repeats = true,
     .help = "Search from vertex V; may be a comma list and be repeated"},
    {.name = "compat", .kind = MW_OPT_FLAG,
     .help = "Sample roots exactly as the reference at tiny SCALE too, and print nothing "
             "but its block on stdout"},
    {.name = "direction", .letter = 'd', .kind = MW_OPT_WORD, .value = "WORD",
     .fallback = "auto", .words = "auto|top-down|bottom-up",
     .help = "Direction of the levels"},
    {.name = "alpha", .kind = MW_OPT_REAL, .value = "X", .min = 0, .max = 1000000000,
     .help = "Turn bottom-up when the frontier's edges exceed the unexplored ones / X"},
    {.name = "beta", .kind = MW_OPT_REAL, .value = "X", .min = 0, .max = 1000000000,
     .help = "Turn top-down again when the frontier is below connected ones / X"},
    MW_OPTIONS_BOTTOM_UP,
    {.name = "no-validate", .kind = MW_OPT_FLAG,
     .help = "Skip validation; every output is stamped NOT VALIDATED"},

    MW_OPTIONS_SHAPE,

    {.name = "json", .kind = MW_OPT_TEXT, .value = "FILE", .fallback = "auto",
     .section = "output",
     .help = "Result file; auto: meshway-UTC-PID.json here; none: no file"},
    {.name = "csv", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "One line per level of each search"},
    {.name = "tree", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Parents of the search; .bin: int64 numbers; needs a single root"},
    {.name = "levels", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Levels of the search, in the same forms"},
    {.name = "trace", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Chrome trace of all ranks: who ran which module when (Perfetto)"},
    {.name = "force", .letter = 'f', .kind = MW_OPT_FLAG,
     .help = "Replace output files that exist"},
    {.name = "progress", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = "auto|json|none", .help = "Progress on stderr; auto: on a terminal only"},
    {.name = "anonymize", .kind = MW_OPT_FLAG,
     .help = "Hash host and user names in the result file"},

    {.name = "timeout", .kind = MW_OPT_REAL, .value = "S", .fallback = "0", .min = 0,
     .max = 100000000, .section = "limits",
     .help = "End the run after S seconds, keeping what is finished; 0: never"},
    {.name = "hang-timeout", .kind = MW_OPT_REAL, .value = "S", .fallback = "60", .min = 0,
     .max = 100000000,
     .help = "End the run when no rank of a host moves for S seconds; 0: never"},
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {
    {"scale", "graph", "a graph is generated or read"},
    {"edgefactor", "graph", "it belongs to a generated graph"},
    {"seed1", "graph", "seeds belong to a generated graph"},
    {"seed2", "graph", "seeds belong to a generated graph"},
    {"compat", "graph", "the reference reads no graphs"},
    {"compat", "root", "the reference samples its roots"},
    {"roots", "root", "roots are sampled or given"},
    {"format", "!graph", "only a file has a format"},
    {"base", "!graph", "a generated graph begins with vertex 0"},
    {"vertices", "!graph", "SCALE says it for a generated graph"},
    {"alpha", "direction=top-down", "a fixed direction never turns"},
    {"alpha", "direction=bottom-up", "a fixed direction never turns"},
    {"beta", "direction=top-down", "a fixed direction never turns"},
    {"beta", "direction=bottom-up", "a fixed direction never turns"},
    MW_CONFLICTS_SHAPE,
    {"quiet", "progress=json", "one asks for silence, the other for lines"},
    MW_CONFLICTS_COMMON,
};
/* clang-format on */

static const double partial_every_s = 10;
enum { TIMELINE_EVENTS = 1 << 18 }; /* per rank: 12 MiB */

struct run {
    const struct mw_settings *settings;
    struct mw_session session;
    struct mw_world_conf world_conf;
    struct mw_world *world;
    struct mw_benchmark_conf conf;
    struct mw_benchmark_result result;
    struct mw_progress_view view;
    struct mw_figures figures;
    struct mw_report report;
    struct mw_tree_output tree;
    struct mw_edges edges;
    struct mw_file_facts facts;
    mw_vid *root;                     /* owned */
    char json[64];                    /* the automatic name */
    const char *json_path, *csv_path; /* NULL: none */
    struct mw_progress shown;         /* what the progress view wants to hear */
    double saved, saving_s; /* when a partial result was saved last, and its cost */
    bool partial;           /* there is one: ours to replace */
};

/* --- from settings to configurations ------------------------------------------------ */

/* "3,5,8" into numbers that fit 48 bits; against n they are checked once n is known. */
static int parse_roots(const char *text, struct run *r)
{
    uint32_t n = 1;
    int rc = MW_OK;
    for (const char *p = text; *p != '\0'; p++)
        n += *p == ',';
    MW_NEW(rc, r->root, "given roots", n);
    for (uint32_t i = 0; i < n; i++) {
        char one[32];
        const size_t length = strcspn(text, ",");
        snprintf(one, sizeof one, "%.*s", (int)length, text);
        MW_TRY(rc, mw_parse_count("--root", one, 0, UINT64_C(1) << 60, &r->root[i]));
        text += length + 1;
    }
    r->conf.root = r->root;
    r->conf.n_roots = n;
fail:
    return rc;
}

static int check_single_root(const struct run *r)
{
    static const char *const files[] = {"tree", "levels"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (mw_setting_text(r->settings, files[i]) != NULL && r->conf.n_roots != 1)
            return mw_fail(
                MW_ERR_USAGE,
                "--%s: holds one search, but there are %u roots; add --root V or "
                "--roots 1",
                files[i], r->conf.n_roots);
    return MW_OK;
}

static int configure_graph(struct run *r)
{
    const struct mw_settings *s = r->settings;
    uint64_t n_edges;
    if (mw_setting_text(s, "graph") != NULL)
        return MW_OK;
    if (mw_setting_text(s, "scale") == NULL)
        return mw_fail(MW_ERR_USAGE, "run: what graph? Give SCALE (meshway run 20) or "
                                     "--graph FILE; 'meshway run --help' says more");
    r->conf.scale = (uint32_t)mw_setting_number(s, "scale");
    r->conf.edgefactor = (uint32_t)mw_setting_number(s, "edgefactor");
    return mw_kronecker_size(s, &n_edges);
}

static int configure(struct run *r)
{
    int rc;
    const struct mw_settings *s = r->settings;
    r->conf.seed[0] = mw_setting_number(s, "seed1");
    r->conf.seed[1] = mw_setting_number(s, "seed2");
    r->conf.n_roots = (uint32_t)mw_setting_number(s, "roots");
    r->conf.compat = mw_setting_number(s, "compat") != 0;
    r->conf.validate = mw_setting_number(s, "no-validate") == 0;
    r->conf.direction.policy =
        (enum mw_direction_policy)mw_setting_number(s, "direction");
    r->conf.direction.alpha = mw_setting_real(s, "alpha");
    r->conf.direction.beta = mw_setting_real(s, "beta");
    MW_TRY(rc, mw_shape_bottom_up(s, &r->conf.direction));
    r->conf.stop = mw_signals_stop;
    MW_TRY(rc, configure_graph(r));
    if (mw_setting_text(s, "root") != NULL)
        MW_TRY(rc, parse_roots(mw_setting_text(s, "root"), r));
    MW_TRY(rc, check_single_root(r));

    MW_TRY(rc, mw_shape_configure(s, &r->world_conf));
    r->world_conf.hang_timeout_s = mw_setting_real(s, "hang-timeout");
    if (mw_setting_text(s, "trace") != NULL)
        r->world_conf.timeline_events = TIMELINE_EVENTS;
fail:
    return rc;
}

/* The reference's variables: honoured where they mean the same here. Presence alone
 * counted there; here "" and "0" mean no, and each one that is set gets a line. */
static void read_reference_environment(struct run *r)
{
    static const struct {
        const char *name, *instead;
    } unused[] = {
        {"TMPFILE",
         "'meshway gen SCALE FILE' writes the edges, 'meshway run --graph FILE' "
         "reads them"},
        {"REUSEFILE", "'meshway run --graph FILE' reads an edge file"},
        {"SKIP_BFS", "'meshway gen' generates only, 'meshway plan' computes only"},
    };
    const char *skip = getenv("SKIP_VALIDATION"), *verbose = getenv("VERBOSE");
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++) {
        const char *text = getenv(unused[i].name);
        if (text == NULL)
            continue;
        const bool no = *text == '\0' || strcmp(text, "0") == 0;
        mw_session_say(&r->session, "meshway: note: %s is the reference's and %s: %s",
                       unused[i].name, no ? "means no" : "is not used",
                       unused[i].instead);
    }
    if (skip != NULL) {
        const bool no = *skip == '\0' || strcmp(skip, "0") == 0;
        r->conf.validate = r->conf.validate && no;
        mw_session_say(&r->session, "meshway: note: SKIP_VALIDATION=%s is taken as %s",
                       skip, no ? "no: results are validated" : "--no-validate");
    }
    if (verbose != NULL) {
        const bool no = *verbose == '\0' || strcmp(verbose, "0") == 0;
        r->session.verbose = r->session.verbose || (!no && !r->session.quiet);
        mw_session_say(&r->session, "meshway: note: VERBOSE=%s is taken as %s", verbose,
                       no ? "no" : "--verbose");
    }
}

/* --- outputs, before and after ------------------------------------------------------ */

static void name_outputs(struct run *r)
{
    const char *json = mw_setting_text(r->settings, "json");
    r->json_path = json;
    if (strcmp(json, "none") == 0)
        r->json_path = NULL;
    if (strcmp(json, "auto") == 0) {
        const time_t now = time(NULL);
        struct tm tm;
        char utc[24] = "now";
        if (gmtime_r(&now, &tm) != NULL)
            strftime(utc, sizeof utc, "%Y%m%dT%H%M%SZ", &tm);
        snprintf(r->json, sizeof r->json, "meshway-%s-%ld.json", utc, (long)getpid());
        r->json_path = r->json;
    }
    r->csv_path = mw_setting_text(r->settings, "csv");
    r->tree.tree = mw_setting_text(r->settings, "tree");
    r->tree.levels = mw_setting_text(r->settings, "levels");
    r->tree.force = mw_setting_number(r->settings, "force") != 0;
    r->tree.comm = r->session.comm;
}

/* Rank 0 looks whether all outputs can be created, before anything is computed. */
static int check_outputs(struct run *r)
{
    const char *const paths[] = {r->json_path, r->csv_path, r->tree.tree, r->tree.levels,
                                 mw_setting_text(r->settings, "trace")};
    if (!r->session.speaks)
        return MW_OK;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        for (size_t k = 0; paths[i] != NULL && k < i; k++)
            if (paths[k] != NULL && strcmp(paths[i], paths[k]) == 0)
                return mw_fail(MW_ERR_USAGE, "%s: is named for two outputs", paths[i]);
        if (paths[i] == NULL)
            continue;
        const int rc = mw_outfile_check(paths[i], r->tree.force);
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}

static int write_file(const char *path, bool force, const char *text, size_t bytes)
{
    struct mw_outfile f;
    int rc = mw_outfile_open(&f, path, force);
    if (rc < MW_OK)
        return rc;
    rc = mw_outfile_write(&f, text, bytes);
    if (rc < MW_OK) {
        mw_outfile_abandon(&f);
        return rc;
    }
    return mw_outfile_commit(&f);
}

/* Hours of computing are not lost to a full disk: what cannot be saved is printed. */
static int save(const struct run *r, const char *path, bool force,
                int (*make)(const struct mw_report *report, char **text, size_t *bytes))
{
    char *text = NULL;
    size_t bytes;
    if (path == NULL)
        return MW_OK;
    int rc = make(&r->report, &text, &bytes);
    if (rc == MW_OK)
        rc = write_file(path, force, text, bytes);
    if (rc < MW_OK && text != NULL)
        fwrite(text, 1, bytes, stderr);
    free(text);
    return rc;
}

static int save_results(struct run *r)
{
    const bool force = r->tree.force;
    const int json = save(r, r->json_path, force || r->partial, mw_result_json);
    const int csv = save(r, r->csv_path, force, mw_result_csv);
    return json != MW_OK ? json : csv;
}

/* --- what is printed --------------------------------------------------------------- */

static void print_banner(const struct run *r)
{
    const struct mw_comm *comm = r->session.comm;
    const struct mw_world *w = r->world;
    char shape[64] = "";
    if (w->groups.width > 1)
        snprintf(shape, sizeof shape, " %u x %u", w->groups.n_groups, w->groups.width);
    mw_session_say(&r->session,
                   "meshway %s (%s): %u rank%s x %u thread%s on %u host%s, backend %s, "
                   "routing %s%s, direction %s",
                   mw_version(), mw_commit(), comm->size, comm->size == 1 ? "" : "s",
                   w->conf.n_threads, w->conf.n_threads == 1 ? "" : "s", comm->n_hosts,
                   comm->n_hosts == 1 ? "" : "s", w->backend->name,
                   w->groups.width > 1 ? "relay" : "direct", shape,
                   mw_setting_text(r->settings, "direction"));
    if (w->placement[0] != '\0')
        mw_session_say(&r->session, "  %s", w->placement);
    if (comm->oversubscribed)
        mw_session_say(&r->session,
                       "  %u ranks share %u cores of this host: results are stamped "
                       "OVERSUBSCRIBED",
                       comm->host_size, comm->n_cores);
}

static void print_levels(const struct run *r)
{
    const struct mw_search *s = mw_figures_median(&r->figures, &r->result);
    if (s == NULL || r->session.quiet)
        return;
    fprintf(stderr, "\nlevels of the median search, from root %" PRIu64 " (%.3f ms):\n",
            s->root + r->report.base, 1e3 * s->time_s);
    fprintf(stderr, "  %5s  %-9s  %12s  %14s  %12s  %12s  %10s\n", "level", "direction",
            "active", "edges", "found", "bytes sent", "ms");
    for (uint32_t i = 0; i < s->n_level_records; i++) {
        const struct mw_level *l = &s->level[i];
        fprintf(stderr,
                "  %5u  %-9s  %12" PRIu64 "  %14" PRIu64 "  %12" PRIu64 "  %12" PRIu64
                "  %10.3f\n",
                i, mw_direction_name(l->direction), l->n_active, l->n_active_edges,
                l->n_found, l->n_bytes, 1e3 * l->time_s);
    }
    if (s->n_level_records < s->n_levels)
        fprintf(stderr, "  ... and %u more\n", s->n_levels - s->n_level_records);
}

static void print_next(const struct run *r)
{
    const struct mw_benchmark_result *b = &r->result;
    if (r->json_path != NULL)
        mw_session_say(&r->session, "\nresult: %s", r->json_path);
    if (r->report.graph_file == NULL)
        mw_session_say(&r->session,
                       "try next: meshway plan %u (would a larger one fit?), "
                       "meshway run --graph FILE --root V, meshway info",
                       b->scale + 1);
    else
        mw_session_say(&r->session, "try next: --tree FILE with a single --root, then "
                                    "meshway validate GRAPH FILE");
}

/* Lines beyond the reference's block; `key: value` like all others. */
static int print_extras(const struct run *r, FILE *out)
{
    int rc;
    const struct mw_world *w = r->world;
    const struct mw_benchmark_result *b = &r->result;
    if (r->conf.validate)
        MW_TRY(rc, mw_official_extra(out, "validation", "%u of %u searches passed",
                                     b->n_searches, b->n_searches));
    else
        MW_TRY(rc, mw_official_extra(out, "validation", "NOT VALIDATED"));
    if (r->session.comm->oversubscribed)
        MW_TRY(rc, mw_official_extra(out, "stamp", "OVERSUBSCRIBED"));
    MW_TRY(rc, mw_official_extra(out, "threads_per_rank", "%u", w->conf.n_threads));
    MW_TRY(rc, mw_official_extra(out, "backend", "%s", w->backend->name));
    MW_TRY(rc, mw_official_extra(out, "routing", "%s %ux%u",
                                 w->groups.width > 1 ? "relay" : "direct",
                                 w->groups.n_groups, w->groups.width));
    MW_TRY(rc, mw_official_extra(out, "num_vertices", "%" PRIu64, b->n_vertices));
    MW_TRY(rc, mw_official_extra(out, "num_edges", "%" PRIu64, b->n_edges));
    MW_TRY(rc, mw_official_extra(out, "edge_list_digest",
                                 "%016" PRIx64 "-%016" PRIx64 "-%016" PRIx64,
                                 b->digest.sum_u, b->digest.sum_v, b->digest.xor_mix));
    /* Other codes search in numbers of their own and translate parents afterwards, in the
     * clock or out of it. Here there is one time, because nothing is left to translate. */
    MW_TRY(rc, mw_official_extra(out, "parents_numbering",
                                 "input; written by the search, no translation step"));
    MW_TRY(rc,
           mw_official_extra(out, "peak_memory_bytes", "%" PRIu64, b->sum_peak_bytes));
    if (r->report.predicted_bytes > 0)
        MW_TRY(rc, mw_official_extra(out, "predicted_rank_bytes", "%" PRIu64,
                                     r->report.predicted_bytes));
    MW_TRY(rc, mw_official_extra(out, "peak_rank_bytes", "%" PRIu64, b->peak_bytes));
    if (b->n_edges > 0)
        MW_TRY(rc, mw_official_extra(out, "memory_bytes_per_edge", "%.2f",
                                     (double)b->sum_peak_bytes / (double)b->n_edges));
fail:
    return rc;
}

static uint32_t scale_of(const struct mw_benchmark_result *b)
{
    uint32_t scale = 0;
    while (scale < 63 && (UINT64_C(1) << scale) < b->n_vertices)
        scale++;
    return scale;
}

static int print_block(const struct run *r, FILE *out)
{
    const struct mw_benchmark_result *b = &r->result;
    const struct mw_official block = {
        .scale = b->edgefactor > 0 ? b->scale : scale_of(b),
        .edgefactor = b->edgefactor,
        .n_searches = r->figures.n,
        .n_ranks = r->session.comm->size,
        .generation_s = b->generation_s,
        .construction_s = b->construction_s,
        .time_s = r->figures.time_s,
        .n_edges = r->figures.n_edges,
        .validate_s = r->figures.validated ? r->figures.validate_s : NULL,
    };
    int rc = r->figures.n > 0 ? mw_official_print(out, &block) : MW_OK;
    if (rc == MW_OK)
        rc = print_extras(r, r->conf.compat ? stderr : out);
    return rc;
}

static int print_results(struct run *r, int rc)
{
    if (rc == MW_ERR_INVALID)
        return mw_official_print_invalid(stdout);
    if (rc != MW_OK)
        return MW_OK; /* an interrupted run has no official figures */
    const int printed = print_block(r, stdout);
    if (printed < MW_OK) {
        const int again = print_block(r, stderr); /* rather there than nowhere */
        (void)again;
        return printed;
    }
    if (r->figures.n == 0)
        mw_session_say(&r->session, "meshway: no search reached an edge: no figures");
    print_levels(r);
    return MW_OK;
}

/* --- while it runs ----------------------------------------------------------------- */

static void describe(struct run *r, enum mw_result_status status, const char *reason)
{
    r->report.status = status;
    r->report.reason = reason[0] != '\0' ? reason : NULL;
    r->report.settings = r->settings;
    r->report.conf = &r->conf;
    r->report.result = &r->result;
    r->report.figures = &r->figures;
    r->report.world = r->world;
    r->report.provenance = &r->session.provenance;
    r->report.warning = r->session.warning;
    r->report.n_warnings = r->session.n_warnings;
}

/* Between searches on rank 0: what is finished goes to the result file now and then, so
 * that a run which is killed leaves it behind. At most a twentieth of the time. */
static void save_partial(struct run *r)
{
    const double start = mw_now();
    char *text = NULL;
    size_t bytes;
    if (r->json_path == NULL || start - r->saved < partial_every_s + 20 * r->saving_s)
        return;
    describe(r, MW_RESULT_INTERRUPTED, "the run ended without a word");
    mw_provenance_end(&r->session.provenance);
    if (mw_figures_init(&r->figures, &r->result) == MW_OK &&
        mw_result_json(&r->report, &text, &bytes) == MW_OK &&
        write_file(r->json_path, r->tree.force || r->partial, text, bytes) == MW_OK)
        r->partial = true;
    else
        mw_error_clear(); /* the end of the run will meet it again, and report it */
    free(text);
    mw_figures_fini(&r->figures);
    r->saved = mw_now();
    r->saving_s = r->saved - start;
}

static void on_phase(void *arg, enum mw_phase phase)
{
    struct run *r = arg;
    r->saved = mw_now();
    r->shown.phase(r->shown.arg, phase);
}

static void on_search(void *arg, uint32_t done, uint32_t of, const struct mw_search *s)
{
    struct run *r = arg;
    r->shown.search_done(r->shown.arg, done, of, s);
    if (done < of)
        save_partial(r);
}

/* --- the run ----------------------------------------------------------------------- */

static int keep_tree(void *arg, const struct mw_bfs *bfs, const struct mw_search *s)
{
    struct run *r = arg;
    (void)s;
    return mw_tree_output_write(&r->tree, bfs);
}

/* Given roots in the program's own numbering, and in range. */
static int check_roots(struct run *r, uint64_t n_vertices)
{
    const uint64_t base = r->report.base;
    for (uint32_t i = 0; r->root != NULL && i < r->conf.n_roots; i++) {
        if (r->root[i] < base || r->root[i] - base >= n_vertices)
            return mw_fail(MW_ERR_USAGE,
                           "--root: vertex %" PRIu64 " is not in the graph; expected "
                           "%" PRIu64 "..%" PRIu64,
                           r->root[i], base, n_vertices - 1 + base);
        r->root[i] -= base;
    }
    return MW_OK;
}

static struct mw_read_conf read_conf(const struct mw_settings *s)
{
    return (struct mw_read_conf){
        .path = mw_setting_text(s, "graph"),
        .format = (enum mw_format)mw_setting_number(s, "format"),
        .base = (int)mw_setting_number(s, "base"),
        .n_vertices = mw_setting_number(s, "vertices"),
    };
}

static int read_graph(struct run *r)
{
    const struct mw_read_conf conf = read_conf(r->settings);
    if (r->session.speaks)
        r->conf.progress.phase(r->conf.progress.arg, MW_PHASE_READ);
    int rc = mw_graph_input_read(r->session.comm, &conf, &r->edges, &r->facts);
    if (rc != MW_OK)
        return rc;
    r->conf.given = &r->edges;
    r->tree.n_vertices = r->edges.n_vertices;
    r->report.graph_file = conf.path;
    r->report.graph_format = mw_format_word(r->facts.format);
    r->report.base = mw_graph_input_base(&conf, &r->facts);
    return check_roots(r, r->edges.n_vertices);
}

/* Where the bitmap does not fit on every host, a search that may choose goes without it. */
static int spare_memory(struct run *r, struct mw_preflight *p)
{
    int rc;
    uint64_t all_fit = mw_preflight_fits(p);
    MW_TRY(rc, mw_comm_min(r->session.comm, &all_fit, 1));
    if (all_fit || p->direction.form != MW_FORM_AUTO)
        return MW_OK;
    MW_TRY(rc, mw_preflight_leave_out_bitmap(p));
    r->conf.direction.form = p->direction.form;
    mw_session_warn(&r->session, "a bitmap of all visited vertices would not fit: "
                                 "bottom-up levels go by messages");
fail:
    return rc;
}

/* Each rank looks at its own host; one that is too small is enough to refuse. */
static int preflight(struct run *r)
{
    int rc;
    const char *file = mw_setting_text(r->settings, "graph");
    struct mw_preflight p = {
        .world = &r->world_conf,
        .scale = r->conf.scale,
        .edgefactor = r->conf.edgefactor,
        .n_vertices = UINT64_C(1) << r->conf.scale,
        .n_edges = (uint64_t)r->conf.edgefactor << r->conf.scale,
        .validate = r->conf.validate,
        .direction = r->conf.direction,
        .n_ranks = r->session.comm->size,
        .n_hosts = r->session.comm->n_hosts,
    };
    if (file != NULL) {
        const struct mw_read_conf conf = read_conf(r->settings);
        MW_TRY(rc, mw_preflight_file(&p, &conf));
    }
    mw_preflight_measure(&p);
    rc = mw_comm_agree(r->session.comm, mw_preflight_predict(&p));
    if (rc != MW_OK)
        return rc;
    MW_TRY(rc, spare_memory(r, &p));
    r->report.predicted_bytes = p.predicted_bytes;
    rc = mw_preflight_judge(&p);
fail:
    return mw_comm_agree(r->session.comm, rc);
}

static int prepare(struct run *r)
{
    int rc;
    struct mw_comm *comm = r->session.comm;
    const bool shows = r->session.speaks && !r->session.quiet;
    name_outputs(r);
    MW_TRY(rc, mw_comm_agree(comm, check_outputs(r)));
    MW_TRY(rc, preflight(r));
    if (r->conf.scale > 0) {
        r->tree.n_vertices = UINT64_C(1) << r->conf.scale;
        MW_TRY(rc, mw_comm_agree(comm, check_roots(r, r->tree.n_vertices)));
    }
    MW_TRY(rc, mw_world_new(&r->world_conf, comm, &r->world));
    print_banner(r);
    mw_progress_init(
        &r->view, stderr,
        shows ? (enum mw_progress_mode)mw_setting_number(r->settings, "progress")
              : MW_PROGRESS_NONE,
        r->session.verbose);
    r->shown = mw_progress_callbacks(&r->view);
    r->conf.progress =
        (struct mw_progress){.arg = r, .phase = on_phase, .search_done = on_search};
    if (r->tree.tree != NULL || r->tree.levels != NULL) {
        r->conf.keep = keep_tree;
        r->conf.keep_arg = r;
    }
    if (mw_setting_text(r->settings, "graph") != NULL)
        MW_TRY(rc, read_graph(r));
fail:
    return rc;
}

static void warn_of_isolated(struct run *r)
{
    for (uint32_t i = 0; i < r->result.n_searches; i++) {
        const struct mw_search *s = &r->result.search[i];
        if (s->status >= MW_OK && s->n_edges == 0)
            mw_session_warn(&r->session,
                            "root %" PRIu64
                            " has no neighbour: its search reached %" PRIu64
                            " vertex and is not in the TEPS statistics",
                            s->root + r->report.base, s->n_reached);
    }
}

/* After mw_benchmark_run(), on rank 0; `rc` is what it returned. */
static int report(struct run *r, int rc)
{
    char reason[1024] = "";
    if (rc == MW_ERR_INVALID)
        snprintf(reason, sizeof reason, "%s", mw_error_text());
    else if (rc != MW_OK)
        snprintf(reason, sizeof reason, "%s", mw_signals_reason());
    mw_progress_clear(&r->view);
    mw_provenance_end(&r->session.provenance);
    warn_of_isolated(r);
    describe(r,
             rc == MW_OK            ? MW_RESULT_OK
             : rc == MW_ERR_INVALID ? MW_RESULT_INVALID
                                    : MW_RESULT_INTERRUPTED,
             reason);

    int failed = mw_figures_init(&r->figures, &r->result);
    if (failed == MW_OK) {
        /* Files first: "| head" may end the program at its first line of output. */
        const int saved = save_results(r);
        const int printed = print_results(r, rc);
        failed = saved != MW_OK ? saved : printed;
    }
    if (failed != MW_OK)
        return rc != MW_OK ? rc : failed;
    if (rc == MW_ERR_INVALID)
        return mw_fail(rc, "%s", reason); /* printing may have recorded others */
    print_next(r);
    if (rc == MW_ERR_INTERRUPTED)
        return mw_fail(rc,
                       "interrupted (%s) after %u of %u searches; what is finished is in "
                       "%s",
                       reason, r->result.n_searches, r->conf.n_roots,
                       r->json_path != NULL ? r->json_path : "no file (--json none)");
    return rc;
}

static void release(struct run *r)
{
    mw_figures_fini(&r->figures);
    mw_benchmark_result_fini(&r->result);
    mw_edges_fini(&r->edges);
    mw_free(r->root);
    mw_world_free(r->world);
}

/* Collective. */
static int write_trace(struct run *r)
{
    const char *name = mw_setting_text(r->settings, "trace");
    struct mw_outfile f = {0};
    int rc = MW_OK;
    if (name == NULL)
        return MW_OK;
    if (r->session.speaks)
        rc = mw_outfile_open(&f, name, mw_setting_number(r->settings, "force") != 0);
    rc = mw_comm_agree(r->session.comm, rc);
    if (rc == MW_OK)
        rc = mw_timeline_write(r->world->timeline, r->world->conf.n_clusters,
                               r->session.comm, f.stream);
    if (rc == MW_OK && r->session.speaks)
        rc = mw_outfile_commit(&f);
    mw_outfile_abandon(&f);
    return mw_comm_agree(r->session.comm, rc);
}

static int run_main(const struct mw_settings *settings)
{
    int rc;
    struct run r = {.settings = settings};
    MW_TRY(rc, configure(&r)); /* local: usage errors need no MPI */
    rc = mw_session_start(settings, &r.session);
    if (rc == MW_OK) {
        read_reference_environment(&r);
        rc = prepare(&r);
    }
    if (rc == MW_OK) {
        mw_signals_phase("running"); /* rank 0 hears of phases and says more */
        rc = mw_benchmark_run(&r.conf, r.world, &r.result);
        const bool reportable =
            rc == MW_OK || rc == MW_ERR_INVALID || rc == MW_ERR_INTERRUPTED;
        if (reportable && r.session.speaks)
            rc = report(&r, rc);
        const int traced =
            mw_comm_agree(r.session.comm, rc) == MW_OK ? write_trace(&r) : rc;
        rc = rc < MW_OK ? rc : traced;
    }
    release(&r); /* collective, so before the end of MPI */
    return mw_session_finish(&r.session, rc);
fail:
    release(&r);
    return rc;
}

const struct mw_command mw_command_run = {
    .name = "run",
    .summary = "the benchmark: generate or read, construct, search, validate, report",
    .text =
        "Runs the Graph500 BFS benchmark on a Kronecker graph of 2^SCALE vertices, or "
        "searches a graph from a file. Every search is validated. The official result "
        "block goes to stdout, everything else to stderr and to the result file.",
    .example = "mpiexec -n 2 meshway run 20",
    .example_does =
        "64 validated searches on a graph of a million vertices and 16 million "
        "edges, on two ranks",
    .option = options,
    .n_options = sizeof options / sizeof *options,
    .conflict = conflicts,
    .n_conflicts = sizeof conflicts / sizeof *conflicts,
    .operand = {"scale", "edgefactor"},
    .main = run_main,
};
