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
#include "cli/run/run.h"

#include "base/mem.h"
#include "cli/commands.h"
#include "cli/run/emul_options.h"
#include "cli/run/shape.h"
#include "cli/watchdog.h"

#include <stdlib.h>

/* clang-format off */
static const struct mw_option options[] = {
    MW_OPTION_SCALE,
    MW_OPTIONS_KRONECKER,
    {.name = "graph", .letter = 'g', .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Read the graph instead, in any format, packed too; -: standard input"},
    {.name = "format", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = MW_FORMAT_WORDS, .help = "Format of --graph; auto looks at the content"},
    {.name = "base", .kind = MW_OPT_WORD, .value = "N", .fallback = "0", .words = "0|1",
     .help = "What --graph calls its first vertex, if its format leaves it open"},
    {.name = "vertices", .kind = MW_OPT_COUNT, .value = "N", .min = 1,
     .max = UINT64_C(1) << 48, .help = "Number of vertices where --graph does not say it"},
    MW_OPTION_UNPACK,
    {.name = "directed", .kind = MW_OPT_FLAG,
     .help = "Go along the edges of --graph one way: from the first vertex to the second"},
    MW_OPTION_UNDIRECTED,
    MW_OPTIONS_VERTEX_NAMES,
    MW_OPTIONS_COLUMNS,

    MW_OPTION_ALGORITHM,
    {.name = "roots", .letter = 'n', .kind = MW_OPT_COUNT, .value = "N", .fallback = "64",
     .min = 1, .max = 1 << 20,
     .help = "Search from N roots, sampled as the reference does"},
    {.name = "root", .letter = 'r', .kind = MW_OPT_TEXT, .value = "V", .repeats = true,
     .help = "Search from vertex V; may be a comma list and be repeated"},
    {.name = "max-depth", .kind = MW_OPT_COUNT, .value = "D", .min = 0, .max = 1000000000,
     .help = "End each search after D levels; without TEPS"},
    {.name = "target", .kind = MW_OPT_TEXT, .value = "V",
     .help = "End each search when it has reached vertex V, and print the path; without "
             "TEPS"},
    {.name = "compat", .kind = MW_OPT_FLAG,
     .help = "Sample roots exactly as the reference at tiny SCALE too, and print nothing "
             "but its block on stdout"},
    {.name = "energy", .kind = MW_OPT_REAL, .value = "SECONDS", .min = 0, .max = 86400,
     .help = "After the searches repeat them without checks for SECONDS and read the "
             "joules of processors (RAPL) and NVIDIA devices (NVML); 10 is enough"},
    {.name = "block", .kind = MW_OPT_FLAG,
     .help = "For a graph from a file, too: the benchmark's result block on stdout, in "
             "place of a summary"},
    MW_OPTIONS_SEARCH,
    {.name = "no-validate", .kind = MW_OPT_FLAG,
     .help = "Skip validation; every output is stamped NOT VALIDATED"},
    {.name = "validate", .kind = MW_OPT_COUNT, .value = "N", .min = 1, .max = 1 << 20,
     .help = "Validate N searches only: the first, the last, and others evenly between; "
             "every output is stamped PARTLY VALIDATED; default: all"},
    {.name = "confirm", .kind = MW_OPT_COUNT, .value = "N", .fallback = "2", .max = 1 << 20,
     .help = "Of the searches that a device validates, the host's cores validate N as well: "
             "the first, the last, and others evenly between"},

    MW_OPTION_TUNE,

    MW_OPTION_SHUFFLE,
    MW_OPTIONS_SHAPE,
    MW_OPTIONS_EMUL,

    {.name = "json", .kind = MW_OPT_TEXT, .value = "FILE", .fallback = "auto",
     .section = "output",
     .help = "Result file; auto: meshway-UTC-PID.json in the results folder; -: standard "
             "output, and the block on stderr; none: no file"},
    {.name = "resume", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Take up the run that left this result: what it has finished is kept, the "
             "other roots are searched, and the file then holds all; without a graph here, it "
             "says graph and options, too"},
    {.name = "results", .kind = MW_OPT_TEXT, .value = "DIR",
     .help = "Results folder; default: ~/.local/state/meshway (XDG_STATE_HOME), or "
             "./meshway-results where there is no home"},
    {.name = "csv", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "One line per level of each search; -: standard output"},
    {.name = "tree", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Parents of the search, or the component of every vertex; .bin: int64 "
             "numbers; of several roots each has a file: t.ROOT.txt; -: standard output"},
    {.name = "levels", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Levels of the search, in the same forms; -: standard output"},
    {.name = "values", .kind = MW_OPT_TEXT, .value = "NAME=FILE,...", .repeats = true,
     .help = "Values of the answer by their names, in the same forms; reals are doubles in .bin"},
    {.name = "graphalytics", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "The answer as LDBC Graphalytics wants it: levels, distances, ranks, components, "
             "communities or clustering coefficients, 'vertex value' a line"},
    {.name = "trace", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Chrome trace of all ranks: who ran which module when (Perfetto)"},
    {.name = "force", .letter = 'f', .kind = MW_OPT_FLAG,
     .help = "Replace output files that exist"},
    {.name = "progress", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = "auto|text|json|none",
     .help = "Progress on stderr; auto: on a terminal, or lines under a launcher"},
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
    {"kernels", "algorithm", "a kernel of the benchmark is an algorithm"},
    {"compat", "graph", "the reference reads no graphs"},
    {"block", "!graph", "a generated graph has it without being asked"},
    {"compat", "root", "the reference samples its roots"},
    {"roots", "root", "roots are sampled or given"},
    {"format", "!graph", "only a file has a format"},
    {"base", "!graph", "a generated graph begins with vertex 0"},
    {"unpack-limit", "!graph", "only a file can be packed"},
    {"vertices", "!graph", "SCALE says it for a generated graph"},
    {"directed", "!graph", "the edges of a generated graph have no direction"},
    {"undirected", "!graph", "the edges of a generated graph have no direction"},
    MW_CONFLICT_DIRECTED,
    {"compat", "max-depth", "the reference's block has TEPS of whole searches"},
    {"compat", "target", "the reference's block has TEPS of whole searches"},
    {"graphalytics", "max-depth", "what is not reached would look unreachable"},
    {"graphalytics", "target", "what is not reached would look unreachable"},
    {"resume", "compat", "the reference's block is of one run"},
    {"resume", "max-depth", "searches that end early are made again, not kept"},
    {"resume", "target", "searches that end early are made again, not kept"},
    {"compact-ids", "!graph", "a generated graph has no gaps"},
    {"names", "!graph", "a generated graph has numbers"},
    {"separator", "!graph", "only a file has columns"},
    {"header", "!graph", "only a file has columns"},
    {"weight-column", "!graph", "only a file has columns"},
    MW_CONFLICTS_VERTEX_NAMES,
    {"validate", "no-validate", "one asks for some, the other for none"},
    MW_CONFLICTS_SHAPE,
    {"quiet", "progress=json", "one asks for silence, the other for lines"},
    {"quiet", "progress=text", "one asks for silence, the other for lines"},
    MW_CONFLICTS_COMMON,
};
/* clang-format on */

/* --- while it runs ----------------------------------------------------------------- */

static void on_phase(void *arg, enum mw_phase phase)
{
    struct run *r = arg;
    mw_signals_phase(mw_phase_name(phase));
    r->shown.phase(r->shown.arg, phase);
}

static void on_search(void *arg, uint32_t done, uint32_t of, const struct mw_search *s)
{
    struct run *r = arg;
    for (uint32_t w = 0; w < r->n_ways; w++)
        MW_STORE_RELEASE(&r->n_done[w], r->result[w].n_searches);
    r->shown.search_done(r->shown.arg, done, of, s);
    if (done < of)
        run_save_partial(r);
}

/* --- the run ----------------------------------------------------------------------- */

static int keep_tree(void *arg, const struct mw_traversal *of, const struct mw_search *s)
{
    struct run *r = arg;
    struct mw_tree_output t;
    int rc;
    if (!run_tree_each(r) && r->tree_kept)
        return MW_OK; /* of the whole graph every run has the same answer */
    r->tree_kept = true;
    rc = mw_comm_agree(r->tree.comm, run_name_trees(r, s->root, &t));
    if (rc == MW_OK)
        rc = mw_tree_output_write(&t, of);
    run_free_trees(r, &t);
    return rc;
}

static void say_unchecked(struct run *r)
{
    const struct mw_algorithm *a = r->conf.algorithm;
    if (r->conf.validate && a->check == NULL)
        mw_session_say(&r->session,
                       "meshway: note: algorithm '%s' has no check: nothing is validated",
                       a->name);
}

/* Trees are of the searches that are still to be made. */
static int on_chosen(void *arg, const mw_vid *root, uint32_t n)
{
    struct run *r = arg;
    const int rc = run_resume_take(r, root, n);
    const uint32_t kept = r->way[0].n_kept;
    if (rc != MW_OK || r->conf.keep == NULL)
        return rc;
    return run_check_trees(r, root + kept, n - kept);
}

/* Collective. One team of cores serves all ways of a backend. */
static int open_worlds(struct run *r)
{
    int rc = MW_OK;
    for (uint32_t w = 0; w < r->n_ways && rc == MW_OK; w++) {
        struct mw_world_conf *conf = &r->way[w].world_conf;
        for (uint32_t k = 0; k < w && conf->lender == NULL; k++)
            if (r->way[k].backend == r->way[w].backend)
                conf->lender = r->way[k].world;
        rc = mw_world_new(conf, r->session.comm, &r->way[w].world);
    }
    return rc;
}

/* Collective: the plug-in is one file for all ranks. */
static int check_plugin(const struct run *r)
{
    int rc = MW_OK;
    uint64_t hash, range[2];
    const char *const path = mw_algorithm_path(r->conf.algorithm, &hash);
    if (path == NULL)
        return MW_OK;
    range[0] = range[1] = hash;
    MW_TRY(rc, mw_comm_min(r->session.comm, &range[0], 1));
    MW_TRY(rc, mw_comm_max(r->session.comm, &range[1], 1));
    if (range[0] != range[1])
        rc = mw_fail(MW_ERR_DATA, "--algorithm: %s is not the same file on all hosts",
                     path);
end:
    return rc;
}

static int prepare(struct run *r)
{
    int rc;
    const bool shows = r->session.speaks && !r->session.quiet;
    struct mw_comm *comm = r->session.comm;
    MW_TRY(rc, check_plugin(r));
    rc = run_name_files(r);
    MW_TRY(rc, mw_comm_agree(comm, rc == MW_OK ? run_check_files(r) : rc));
    if (mw_setting_text(r->settings, "graph") != NULL)
        MW_TRY(rc, mw_source_of(comm, r->settings, "graph", &r->file));
    rc = run_choose_devices(r);
    if (rc != MW_OK) /* or this rank is not needed */
        return rc;
    comm = r->session.comm;
    MW_TRY(rc, run_preflight(r));
    if (r->conf.scale > 0) {
        r->input.names.n_vertices = UINT64_C(1) << r->conf.scale;
        MW_TRY(rc, mw_comm_agree(comm, run_find_roots(r)));
    }
    MW_TRY(rc, open_worlds(r));
    say_unchecked(r);
    run_warn_of_no_effect(r);
    run_warn_of_device(r);
    MW_TRY(rc, run_resume_open(r));
    if (rc == MW_DONE)
        return rc;
    mw_progress_init(&r->view,
                     &(struct mw_progress_conf){
                         .file = stderr,
                         .mode = shows ? (enum mw_progress_mode)mw_setting_number(
                                             r->settings, "progress")
                                       : MW_PROGRESS_NONE,
                         .verbose = r->session.verbose,
                         .launched = r->session.launch.launched,
                         .one_thread = comm->one_thread});
    r->view.names = &r->input.names;
    r->shown = mw_progress_callbacks(&r->view);
    r->conf.progress =
        (struct mw_progress){.arg = r, .phase = on_phase, .search_done = on_search};
    r->conf.chosen = on_chosen;
    r->conf.keep_arg = r;
    if (mw_tree_output_any(&r->tree)) {
        r->conf.keep = keep_tree;
        r->conf.keep_levels = mw_tree_output_levels(&r->tree, r->conf.algorithm);
    }
    if (mw_setting_text(r->settings, "graph") != NULL)
        MW_TRY(rc, run_read_graph(r));
end:
    return rc;
}

static int make_figures(struct run *r)
{
    int rc = MW_OK;
    for (uint32_t w = 0; w < r->n_ways && rc == MW_OK; w++)
        rc = mw_figures_init(&r->way[w].figures, &r->result[w]);
    return rc;
}

/* After mw_benchmark_run(), on rank 0; `rc` is what it returned. */
static int report(struct run *r, int rc)
{
    char reason[1024] = "";
    if (rc == MW_ERR_INVALID)
        run_name_invalid(r, mw_error_text(), reason, sizeof reason);
    else if (rc != MW_OK) /* a signal may have come to others, and not here yet */
        snprintf(reason, sizeof reason, "%s",
                 mw_signals_stop() ? mw_signals_reason()
                                   : "another rank was told to end");
    mw_progress_fini(&r->view);
    mw_provenance_end(&r->session.provenance);
    run_warn_of_searches(r);
    run_describe(r,
                 rc == MW_OK            ? MW_RESULT_OK
                 : rc == MW_ERR_INVALID ? MW_RESULT_INVALID
                                        : MW_RESULT_INTERRUPTED,
                 reason);

    int failed = make_figures(r);
    if (failed == MW_OK) {
        /* Files first: "| head" may end the program at its first line of output. */
        const int saved = run_save(r);
        const int printed = run_print_results(r, rc);
        failed = saved != MW_OK ? saved : printed;
    }
    if (failed != MW_OK)
        return rc != MW_OK ? rc : failed;
    if (rc == MW_ERR_INVALID)
        return mw_fail(rc, "%s", reason); /* printing may have recorded others */
    run_print_next(r);
    if (rc == MW_ERR_INTERRUPTED)
        return run_interrupted(r, reason);
    return rc;
}

/* Lenders of clusters go last. */
static void release(struct run *r)
{
    mw_progress_fini(&r->view);
    for (uint32_t w = r->n_ways; w-- > 0;) {
        struct run_way *way = &r->way[w];
        mw_figures_fini(&way->figures);
        mw_benchmark_result_fini(&r->result[w]);
        mw_world_free(way->world);
        if (way->settings.command != NULL)
            mw_settings_fini(&way->settings);
        free(way->json);
        free(way->csv);
        free(way->trace);
        mw_tuning_fini(&way->tuning);
    }
    run_resume_close(r);
    free(r->json);
    free(r->folder);
    free(r->value_paths);
    mw_graph_input_fini(&r->input);
    mw_input_close(&r->file);
    mw_free(r->root);
}

static int record_layout(struct run *r)
{
    struct mw_world *world[RUN_WAYS_MAX];
    for (uint32_t w = 0; w < r->n_ways; w++)
        world[w] = r->way[w].world;
    return mw_emul_options_record(r->settings, r->session.comm, world, r->n_ways);
}

static int benchmark(struct run *r)
{
    struct mw_way way[RUN_WAYS_MAX];
    struct mw_emul_options_watch watch = {r->settings, r->session.comm};
    mw_emul_options_watch(&watch);
    r->conf.delegate = MW_DELEGATE_OFF;
    for (uint32_t w = 0; w < r->n_ways; w++) {
        const void *const own = r->way[w].tuning.options;
        const int64_t rule = mw_algorithm_delegate(r->way[w].algorithm, own);
        way[w] = (struct mw_way){r->way[w].algorithm, r->way[w].world, own};
        if (rule != MW_DELEGATE_OFF)
            r->conf.delegate = rule;
    }
    run_tell_ways(r);
    run_print_banner(r); /* now nothing is left to be refused */
    mw_signals_phase("running");
    if (r->session.speaks)
        mw_watchdog_keep(run_keep, r);
    int rc = mw_benchmark_run(&r->conf, way, r->n_ways, r->result);
    mw_signals_phase("report");
    mw_emul_options_watch(NULL);
    const bool reportable =
        rc == MW_OK || rc == MW_ERR_INVALID || rc == MW_ERR_INTERRUPTED;
    if (reportable && r->session.speaks)
        rc = report(r, rc);
    mw_watchdog_keep(NULL, NULL);
    const int agreed = mw_comm_agree(r->session.comm, rc);
    int written = agreed == MW_OK ? run_write_traces(r) : rc;
    /* After a mistake of a core the ways until then are what one wants to look at. */
    if (agreed >= MW_OK || r->session.comm->size == 1) {
        const int recorded = record_layout(r);
        written = written < MW_OK ? written : recorded;
    }
    return rc < MW_OK ? rc : written;
}

/* `early` is what became of this rank's options: whoever failed there says so where all meet. */
static int run_with(const struct mw_settings *settings, int early)
{
    int rc;
    struct run *r;
    MW_NEW(rc, r, "run", 1);
    pthread_mutex_init(&r->saving, NULL);
    r->settings = settings;
    r->file.fd = -1;
    r->report = (struct mw_report){.provenance = &r->session.provenance,
                                   .names = &r->input.names,
                                   .devices = &r->devices,
                                   .rates = &r->rates};
    if (early == MW_OK)
        MW_TRY(rc, run_configure(r)); /* local: usage errors need no MPI */
    rc = mw_session_start(settings, early, &r->session);
    if (rc == MW_OK) {
        run_read_reference(r);
        rc = prepare(r);
    }
    if (rc == MW_OK)
        rc = benchmark(r);
    else if (rc == MW_DONE)
        rc = MW_OK;
    release(r);                              /* collective, so before the end of MPI */
    rc = mw_session_finish(&r->session, rc); /* whose words others borrow until then */
    mw_free(r);
    return rc;
end:
    if (r != NULL)
        release(r);
    mw_free(r);
    return rc;
}

static int run_main(const struct mw_settings *settings)
{
    struct mw_words words = {0};
    struct mw_settings earlier = {0};
    FILE *const to = mw_session_alone() ? stdout : NULL;
    const struct mw_algorithm *algorithm;
    if (mw_emul_options_list(settings, to) ||
        (mw_shape_algorithm(settings, &algorithm) == MW_OK &&
         mw_tune_list(settings, algorithm, to)))
        return MW_OK;
    const int early = run_resume_alone(settings, &words, &earlier);
    const int rc =
        run_with(early == MW_OK && earlier.command != NULL ? &earlier : settings, early);
    if (earlier.command != NULL)
        mw_settings_fini(&earlier);
    mw_words_free(&words);
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
    MW_COMMAND_OPTIONS(options),
    MW_COMMAND_CONFLICTS(conflicts),
    .operand = {"scale", "edgefactor"},
    .file_operand = "graph",
    .chooses = true,
    .key = mw_tune_key,
    .main = run_main,
};
