/* cmd_plan.c -- "meshway plan": would it fit? The size tables are those that the
 * allocations of a run use, so plan and run agree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/run/emul_options.h"
#include "cli/run/graph_options.h"
#include "cli/run/graph_source.h"
#include "cli/run/kronecker.h"
#include "cli/run/plan_answer.h"
#include "cli/run/preflight.h"
#include "cli/run/rates_file.h"
#include "cli/run/shape.h"
#include "cli/run/tune.h"
#include "cli/session.h"
#include "graph500/calibrate.h"
#include "graph500/device_timing.h"
#include "mpe/placement.h"

/* clang-format off */
static const struct mw_option options[] = {
    MW_OPTION_SCALE,
    MW_OPTIONS_KRONECKER,
    {.name = "graph", .letter = 'g', .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Plan for this file instead; a text edge list tells nothing beforehand"},
    MW_OPTION_UNPACK,
    {.name = "directed", .kind = MW_OPT_FLAG,
     .help = "Plan a run that goes along the edges of --graph one way"},
    MW_OPTION_UNDIRECTED,
    MW_OPTION_ALGORITHM,
    MW_OPTIONS_SEARCH,
    {.name = "no-validate", .kind = MW_OPT_FLAG,
     .help = "Plan a run without validation"},
    {.name = "validate", .kind = MW_OPT_COUNT, .value = "N", .min = 1, .max = 1 << 20,
     .help = "Plan a run that validates N searches only; default: all"},
    MW_OPTION_TUNE,
    MW_OPTION_SHUFFLE,
    MW_OPTIONS_SHAPE,
    {.name = "ranks", .kind = MW_OPT_COUNT, .value = "N", .min = 1, .max = 1 << 22,
     .help = "Ranks to plan for; default: those it is started on"},
    {.name = "hosts", .kind = MW_OPT_COUNT, .value = "N", .min = 1, .max = 1 << 22,
     .help = "Hosts to spread them over; default: those it is started on"},
    {.name = "memory", .letter = 'm', .kind = MW_OPT_BYTES, .value = "SIZE", .min = 1,
     .max = UINT64_C(1) << 60,
     .help = "Memory of a host; default: what is available on this one"},
    MW_OPTION_EMUL,
    MW_OPTIONS_RATES,
    {.name = "roots", .kind = MW_OPT_COUNT, .value = "N", .fallback = "64", .min = 1,
     .max = UINT32_MAX, .help = "Time a run of N roots"},
    {.name = "calibrate", .kind = MW_OPT_FLAG,
     .help = "Measure the rates of this machine by small runs, on these ranks and threads, up to "
             "SCALE (20; of a device, with its --backend, 28), or on several hosts what lies between them; store "
             "and print them, and end"},
    {.name = "json", .kind = MW_OPT_FLAG, .section = "output",
     .help = "Print JSON instead of text"},
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {
    {"scale", "graph", "a graph is generated or read"},
    {"kernels", "algorithm", "a kernel of the benchmark is an algorithm"},
    {"edgefactor", "graph", "it belongs to a generated graph"},
    {"directed", "!graph", "the edges of a generated graph have no direction"},
    {"undirected", "!graph", "the edges of a generated graph have no direction"},
    MW_CONFLICT_DIRECTED,
    {"validate", "no-validate", "one asks for some, the other for none"},
    {"calibrate", "graph", "rates are measured on generated graphs"},
    {"calibrate", "ranks", "rates are measured on the ranks it is started on"},
    {"calibrate", "rates=-", "later plans read them from a file"},
    {"calibrate", "hosts", "rates are measured on the hosts it is started on"},
    MW_CONFLICTS_SHAPE,
    MW_CONFLICTS_COMMON,
};
/* clang-format on */

/* On rank 0. */
static int describe_file(const struct mw_settings *s, struct mw_preflight *p)
{
    struct mw_input file;
    int rc = mw_source_of(NULL, s, "graph", &file);
    if (rc == MW_OK)
        rc = mw_preflight_file(p,
                               &(struct mw_read_conf){.path = file.name, .input = &file});
    mw_input_close(&file);
    return rc;
}

/* One kernel; nearly always there is one. */
struct plan_way {
    struct mw_settings settings; /* without lists */
    struct mw_tuning tuning;
    struct mw_world_conf world;
};

static int describe_graph(const struct mw_settings *s, struct mw_preflight *p)
{
    const char *path = mw_setting_text(s, "graph");
    if (path == NULL && mw_setting_text(s, "scale") == NULL)
        return mw_fail(MW_ERR_USAGE,
                       "plan: what graph? Give SCALE (meshway plan 26) or "
                       "a file (meshway plan web.mtx); 'meshway plan --help' says more");
    if (path != NULL)
        return MW_OK; /* one rank will look at it */
    p->scale = (uint32_t)mw_setting_number(s, "scale");
    p->edgefactor = (uint32_t)mw_setting_number(s, "edgefactor");
    p->n_vertices = UINT64_C(1) << p->scale;
    return mw_kronecker_size(s, &p->n_edges);
}

/* As a run settles it: what would not fit is left out, where that was left open. */
static int settle(struct mw_preflight *p)
{
    struct mw_left_out left_out = {NULL, false};
    bool at_home; /* the table shows it */
    MW_NEED(mw_preflight_predict(p));
    if (p->predicted_bytes == 0)
        return MW_OK;
    MW_NEED(mw_preflight_lacks_room(p, &at_home));
    if (at_home)
        MW_NEED(mw_preflight_build_at_home(p));
    if (!mw_preflight_fits(p))
        MW_NEED(mw_preflight_leave_out(p, &left_out));
    if (left_out.columns)
        MW_NEED(mw_preflight_ask(p));
    return MW_OK;
}

/* From one that fits: the largest SCALE that would be planned to fit in the same form. Options are made
 * anew, since settling changes them. */
static int find_largest(const struct plan_way *way, const struct mw_preflight *p,
                        uint32_t *scale)
{
    int rc = MW_OK;
    struct mw_preflight larger = *p;
    struct mw_tuning tuning[MW_PREFLIGHT_WAYS_MAX] = {{.text = NULL}};
    struct mw_plan_way ways[MW_PREFLIGHT_WAYS_MAX];
    larger.way = ways;
    for (uint32_t w = 0; w < p->n_ways; w++) {
        MW_TRY(rc, mw_tuning_init(&tuning[w], &way[w].settings, p->way[w].algorithm));
        ways[w] = p->way[w];
        ways[w].options = tuning[w].options;
    }
    do {
        *scale = larger.scale++;
        larger.n_vertices *= 2;
        larger.n_edges *= 2;
    } while (larger.scale < 63 && larger.n_edges > p->n_edges &&
             settle(&larger) == MW_OK && mw_preflight_judge(&larger) == MW_OK);
end:
    for (uint32_t w = 0; w < p->n_ways; w++)
        mw_tuning_fini(&tuning[w]);
    return rc;
}

/* On rank 0. */
static int plan(const struct mw_settings *s, const struct plan_way *way,
                struct mw_preflight *p)
{
    uint32_t largest = 0;
    if (mw_setting_text(s, "graph") != NULL)
        MW_NEED(describe_file(s, p));
    MW_NEED(settle(p));
    if (p->predicted_bytes == 0)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "%s: this format does not tell its size before "
                       "it is read; 'meshway convert' it to .sg first",
                       mw_setting_text(s, "graph"));
    const bool fits = mw_preflight_judge(p) == MW_OK;
    const bool quiet = mw_setting_number(s, "quiet") != 0;
    const bool json = mw_setting_number(s, "json") != 0;
    if (fits && p->scale > 0 && !quiet && !json)
        MW_NEED(find_largest(way, p, &largest));
    if (!quiet)
        MW_NEED(mw_plan_answer_print(s, p, fits, largest));
    else if (!json)
        MW_NEED(mw_preflight_print_verdict(p, fits, stdout));
    return mw_preflight_judge(p); /* once more: its words are the error's */
}

/* As a run would have them: here if it is planned for the ranks there are, else on as many ranks
 * on each host like this one. */
static uint32_t threads_of(const struct mw_thread_count *count,
                           const struct mw_comm *comm, const struct mw_world_conf *world,
                           const struct mw_preflight *p)
{
    if (p->n_ranks == comm->size && p->n_hosts == comm->n_hosts)
        return count->n_threads;
    return mw_placement_threads(world->n_threads, count->n_host_cores,
                                (p->n_ranks + p->n_hosts - 1) / p->n_hosts);
}

static bool is_apart(const struct mw_world_conf *conf)
{
    const struct mw_backend *backend;
    const bool found = mw_backend_find(conf->backend, &backend) == MW_OK;
    if (!found)
        mw_error_clear(); /* whoever opens the world hears of it */
    return found && backend->memory != NULL && !backend->memory->host_reaches;
}

/* Collective. */
static int calibrate(const struct mw_settings *s, struct mw_session *session,
                     const struct mw_world_conf *conf)
{
    enum { SCALE = 20, DEVICES = 28, LESS = 4, ROOTS = 16 };
    int rc;
    struct mw_world *world = NULL;
    struct mw_rates rates;
    char *name = NULL;
    const uint32_t given = (uint32_t)mw_setting_number(s, "scale");
    const uint32_t scale = given > 0 ? given : SCALE;
    const bool links = session->comm->n_hosts > 1,
               given_link = mw_setting_text(s, "link") != NULL;
    const bool devices = !links && is_apart(conf);
    const int found = mw_rates_find(s, true, &rates); /* what was measured before stays */
    if (links || (devices && found != MW_ERR_NOINPUT))
        MW_TRY(rc, mw_comm_agree(session->comm, found));
    if (found < MW_OK) { /* a file that is not there yet, or of cores */
        mw_error_clear();
        mw_rates_default(&rates);
    }
    if (!links && !devices) { /* cores are measured anew */
        const struct mw_device_rates kept = rates.device;
        mw_rates_default(&rates);
        rates.n_points = 0;
        rates.device = kept;
        if (given_link)
            MW_TRY(rc, mw_rates_link(mw_setting_text(s, "link"), &rates));
    }
    MW_TRY(rc, mw_world_new(conf, session->comm, &world));
    if (devices) {
        MW_TRY(rc,
               mw_calibrate_devices(world, given > 0 ? given : DEVICES, ROOTS, &rates));
    } else if (links) {
        MW_TRY(rc, mw_calibrate_links(world, !given_link, &rates));
    } else {
        if (scale > LESS)
            MW_TRY(rc, mw_calibrate(world, scale - LESS, ROOTS, &rates));
        MW_TRY(rc, mw_calibrate(world, scale, ROOTS, &rates));
    }
    if (session->speaks) {
        rc = mw_rates_store(&rates, mw_setting_text(s, "rates"), &name);
        if (rc == MW_OK && mw_setting_number(s, "quiet") == 0)
            rc = mw_rates_print(&rates, name, mw_setting_number(s, "json") != 0);
    }
    rc = mw_comm_agree(session->comm, rc);
end:
    free(name);
    mw_world_free(world);
    return rc;
}

/* On the first rank: the ranks, hosts and memory that are asked about, which need not be at hand. */
static int plan_elsewhere(const struct mw_settings *s, const struct mw_comm *comm,
                          const struct mw_thread_count *count, struct plan_way *way,
                          struct mw_preflight *p)
{
    struct mw_world_conf *const world = &way->world;
    const uint32_t hosts = (uint32_t)mw_setting_number(s, "hosts");
    const uint32_t ranks = (uint32_t)mw_setting_number(s, "ranks");
    p->n_hosts = hosts > 0 ? hosts : comm->n_hosts;
    p->n_ranks = ranks > 0 ? ranks : (uint32_t)mw_max(comm->size, p->n_hosts);
    p->ranks_here = comm->host_size;
    p->n_threads = threads_of(count, comm, world, p);
    for (uint32_t w = 0; w < p->n_ways; w++)
        way[w].world.plan_apart = mw_setting_given(s, "device-memory");
    p->device = mw_device_room_plan(world, mw_setting_number(s, "device-memory"),
                                    (p->n_ranks + p->n_hosts - 1) / p->n_hosts);
    mw_room_find("", &p->room);
    if (mw_setting_given(s, "memory"))
        p->room = (struct mw_room){.memory = mw_setting_number(s, "memory"),
                                   .memory_source = "--memory",
                                   .space = UINT64_MAX,
                                   .shared = UINT64_MAX};
    if (p->n_hosts > p->n_ranks)
        return mw_fail(MW_ERR_USAGE, "--hosts: %u hosts for %u ranks", p->n_hosts,
                       p->n_ranks);
    return plan(s, way, p);
}

/* Collective. */
static int plan_on_first(const struct mw_settings *s, struct mw_session *session,
                         struct plan_way *way, struct mw_preflight *p)
{
    struct mw_thread_count count;
    const int rc = mw_placement_count(session->comm, way->world.n_threads, &count);
    return rc == MW_OK && session->speaks
               ? plan_elsewhere(s, session->comm, &count, way, p)
               : rc;
}

static int configure_way(const struct mw_settings *s, uint32_t index,
                         struct mw_graph_rule *graph, struct plan_way *way)
{
    const struct mw_algorithm *algorithm;
    MW_NEED(mw_choice(s, index, &way->settings));
    MW_NEED(mw_shape_algorithm(&way->settings, &algorithm));
    MW_NEED(mw_tuning_init(&way->tuning, &way->settings, algorithm));
    return mw_shape_configure(&way->settings, algorithm, &way->tuning.run, &way->world,
                              graph);
}

static int plan_main(const struct mw_settings *s)
{
    int rc;
    struct mw_session session = {0};
    struct plan_way of[MW_PREFLIGHT_WAYS_MAX] = {{.tuning = {.text = NULL}}};
    struct mw_plan_way way[MW_PREFLIGHT_WAYS_MAX];
    FILE *const to = mw_session_alone() ? stdout : NULL;
    const struct mw_algorithm *algorithm;
    struct mw_preflight p = {.device = mw_device_room_any(),
                             .way = way,
                             .validate = mw_setting_number(s, "no-validate") == 0,
                             .n_validated = (uint32_t)mw_setting_number(s, "validate"),
                             .directed = mw_setting_number(s, "directed") != 0};
    if (mw_emul_options_list(s, to))
        return MW_OK;
    MW_TRY(rc, mw_shape_algorithm(s, &algorithm));
    if (mw_tune_list(s, algorithm, to))
        return MW_OK;
    MW_TRY(rc, mw_choices_refuse(s, "kernels"));
    p.n_ways = (uint32_t)mw_choices_count(s);
    for (uint32_t w = 0; w < p.n_ways; w++) {
        MW_TRY(rc, configure_way(s, w, &p.graph_rule, &of[w]));
        way[w] = (struct mw_plan_way){of[w].tuning.algorithm, &of[w].world,
                                      of[w].tuning.options};
    }
    MW_TRY(rc, mw_emul_options_configure(s));
    if (mw_setting_number(s, "calibrate") == 0)
        MW_TRY(rc, describe_graph(s, &p));
    rc = mw_session_start(s, MW_OK, &session);
    if (rc == MW_OK && mw_setting_number(s, "calibrate") != 0)
        rc = calibrate(s, &session, &of[0].world);
    else if (rc == MW_OK)
        rc = plan_on_first(s, &session, of, &p);
    rc = mw_session_finish(&session, rc);
end:
    for (uint32_t w = 0; w < p.n_ways; w++) {
        mw_tuning_fini(&of[w].tuning);
        if (of[w].settings.command != NULL)
            mw_settings_fini(&of[w].settings);
    }
    return rc;
}

const struct mw_command mw_command_plan = {
    .name = "plan",
    .summary = "memory and time of a run beforehand, and whether it would fit",
    .text =
        "Says whether a run would fit and how long it would take, and allocates nothing; "
        "and the largest SCALE that would fit in the same form. --verbose shows the "
        "memory "
        "structure by structure, and the modelled time: generation, construction, "
        "the search in the middle level by level, with its records, messages and bytes, "
        "validation, and all of it. --calibrate measures by small runs what things take "
        "on this machine (mpiexec -n 2 meshway plan --calibrate: with two ranks); until "
        "then another machine's rates stand in, and the output says so. What does not "
        "fit is refused with code 78, the "
        "largest SCALE that fits and the number of ranks that would do. Beside a device "
        "its memory has a sum of its own; with --device-memory it need not be at hand: "
        "every rank then has one of that size, or with --device those of a host share "
        "one.",
    .example = "meshway plan 30 --ranks 64 --hosts 16 --memory 64Gi",
    .example_does = "a billion vertices on sixteen hosts that need not be at hand",
    MW_COMMAND_OPTIONS(options),
    MW_COMMAND_CONFLICTS(conflicts),
    .operand = {"scale", "edgefactor"},
    .file_operand = "graph",
    .key = mw_tune_key,
    .main = plan_main,
};
