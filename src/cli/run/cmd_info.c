/* cmd_info.c -- "meshway info": build, libraries and the machine as the program sees it, from
 * every rank it is started on; "meshway info GRAPH": what kind of graph it is (survey.h), and what
 * a search of it takes. As text or as one JSON object.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/escape.h"
#include "base/plural.h"
#include "base/room.h"
#include "cli/commands.h"
#include "cli/json_field.h"
#include "cli/json_text.h"
#include "cli/run/graph_options.h"
#include "cli/run/graph_source.h"
#include "cli/run/preflight.h"
#include "cli/session.h"
#include "cli/version.h"
#include "graph/digest.h"
#include "graph500/survey.h"
#include "mpe/placement.h"
#include "mpe/world.h"

#include <inttypes.h>
#include <stdlib.h>

/* clang-format off */
static const struct mw_option options[] = {
    {.name = "graph", .letter = 'g', .kind = MW_OPT_TEXT, .value = "GRAPH",
     .section = "graph", .help = "Tell of this graph, in any format that can be read"},
    {.name = "format", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = MW_FORMAT_WORDS, .help = "Its format; auto looks at the content"},
    {.name = "base", .kind = MW_OPT_WORD, .value = "N", .fallback = "0", .words = "0|1",
     .help = "What it calls its first vertex; Matrix Market, DIMACS: 1"},
    {.name = "vertices", .kind = MW_OPT_COUNT, .value = "N", .min = 1,
     .max = UINT64_C(1) << 48, .help = "Number of vertices where it does not say it"},
    MW_OPTION_UNPACK,
    MW_OPTIONS_VERTEX_NAMES,
    MW_OPTIONS_COLUMNS,
    {.name = "threads", .letter = 't', .kind = MW_OPT_COUNT, .value = "N", .min = 1,
     .max = 4096, .section = "machine",
     .help = "Threads per rank to place; default: the host's cores / its ranks"},
    {.name = "ranks-per-host", .kind = MW_OPT_COUNT, .value = "N", .min = 1, .max = 65536,
     .help = "Pretend that hosts have N ranks each; with backend emul 1: ranks are nodes"},
    {.name = "json", .kind = MW_OPT_FLAG, .section = "output",
     .help = "Print one JSON object instead of text"},
    {.name = "timeout", .kind = MW_OPT_REAL, .value = "S", .fallback = "0", .min = 0,
     .max = 100000000, .section = "limits", .help = "Give up after S seconds; 0: never"},
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {
    {"format", "!graph", "only a file has a format"},
    {"base", "!graph", "it belongs to a graph"},
    {"vertices", "!graph", "they belong to a graph"},
    {"compact-ids", "!graph", "it belongs to a graph"},
    {"names", "!graph", "they belong to a graph"},
    {"separator", "!graph", "it belongs to a graph"},
    {"header", "!graph", "it belongs to a graph"},
    {"weight-column", "!graph", "it belongs to a graph"},
    MW_CONFLICTS_VERTEX_NAMES,
    MW_CONFLICTS_COMMON,
};
/* clang-format on */

/* A graph, and what was found out about it. */
struct told {
    struct mw_read_conf conf;
    enum mw_naming naming;
    struct mw_graph_input input;
    struct mw_survey survey;
    char digest[MW_DIGEST_TEXT];
    struct mw_preflight plan;
};

/* --- the machine ----------------------------------------------------------------------- */

/* The first so many of a backend. */
static uint32_t devices_of(const struct mw_backend *b,
                           struct mw_device out[MW_DEVICES_MAX])
{
    const uint32_t n = b->devices != NULL ? b->devices(out, MW_DEVICES_MAX) : 0;
    return (uint32_t)mw_min(n, MW_DEVICES_MAX);
}

/* ", 75 W of 700" */
static void print_now(const char *before, double now, double most, const char *unit)
{
    if (now > 0)
        printf("%s%.0f %s", before, now, unit);
    if (now > 0 && most > 0)
        printf(" of %.0f", most);
}

static void print_state(const struct mw_backend *b, uint32_t device)
{
    struct mw_device_state s;
    if (b->device_state == NULL)
        return;
    b->device_state(device, &s);
    printf("%-11s   %s%s%s", "", s.library, s.driver[0] != '\0' ? ", driver " : "",
           s.driver);
    print_now(", cores ", s.clock_mhz > 0 ? s.clock_mhz : s.clock_most_mhz,
              s.clock_mhz > 0 ? s.clock_most_mhz : 0, "MHz");
    print_now(", memory ", s.memory_clock_mhz, 0, "MHz");
    print_now(", ", s.power_w, s.power_most_w, "W");
    print_now(", ", s.temperature_c, 0, "C");
    putchar('\n');
}

static void print_devices(void)
{
    struct mw_device device[MW_DEVICES_MAX];
    char text[80];
    for (const struct mw_backend *const *b = mw_backends; *b != NULL; b++) {
        const uint32_t n = devices_of(*b, device);
        for (uint32_t i = 0; i < n; i++) {
            printf("%-11s %s %u: %s, %s%s%s\n", i == 0 ? "devices" : "", (*b)->name, i,
                   device[i].name,
                   device[i].bytes == 0 ? "memory not known"
                                        : mw_bytes_text(device[i].bytes).text,
                   device[i].unusable[0] != '\0' ? "; cannot be used: " : "",
                   device[i].unusable);
            if (device[i].bytes > 0)
                print_state(*b, i);
        }
        for (uint32_t i = 0; i < n && (*b)->device_link != NULL; i++)
            for (uint32_t k = i + 1; k < n; k++) {
                (*b)->device_link(i, k, text, sizeof text);
                printf("%-11s %s %u to %u: %s\n", i == 0 && k == 1 ? "links" : "",
                       (*b)->name, i, k, text);
            }
    }
}

/* By the number of the other device; its own is null. */
static json_t *links_json(const struct mw_backend *b, uint32_t device, uint32_t n)
{
    char text[80];
    json_t *list = json_array();
    for (uint32_t i = 0; i < n && b->device_link != NULL; i++) {
        b->device_link(device, i, text, sizeof text);
        json_array_append_new(list, i == device ? json_null() : json_string(text));
    }
    return list;
}

static json_t *devices_json(void)
{
    struct mw_device device[MW_DEVICES_MAX];
    json_t *list = json_array();
    for (const struct mw_backend *const *b = mw_backends; *b != NULL; b++) {
        const uint32_t n = devices_of(*b, device);
        for (uint32_t i = 0; i < n; i++) {
            struct mw_device_state state = {.clock_mhz = 0};
            json_t *o =
                json_pack("{s:s, s:I, s:s, s:I, s:s*, s:o}", "backend", (*b)->name,
                          "device", (json_int_t)i, "name", device[i].name, "bytes",
                          (json_int_t)device[i].bytes, "unusable",
                          device[i].unusable[0] != '\0' ? device[i].unusable : NULL,
                          "links", links_json(*b, i, n));
            if ((*b)->device_state != NULL)
                (*b)->device_state(i, &state);
            mw_json_put_device(o, &state);
            json_array_append_new(list, o);
        }
    }
    return list;
}

static void print_machine(const struct mw_session *s, const struct mw_world *w)
{
    struct mw_room room;
    mw_room_find("", &room);
    const struct mw_provenance *p = &s->provenance;
    const struct mw_comm *comm = s->comm;
    printf("ranks       %u on %u host%s, %u on this one%s\n", comm->size, comm->n_hosts,
           comm->n_hosts == 1 ? "" : "s", comm->host_size,
           comm->oversubscribed ? ", more than cores" : "");
    printf("threads     %u per rank by default\n", w->conf.n_threads);
    printf("placement   %s\n", w->placement);
    printf("host        %s, %s\n", p->host, p->kernel);
    printf("processor   %s\n", p->cpu_model);
    printf("cores       %u for this job; %u online, %u NUMA node%s, cpuset %s\n",
           comm->n_cores, p->n_cpus, p->n_numa, p->n_numa == 1 ? "" : "s", p->cpuset);
    printf("settings    governor %s, SMT %s, huge pages %s\n", p->governor, p->smt,
           p->thp);
    printf("memory      %.1f GiB available (%s), %.1f GiB in all%s\n",
           (double)room.memory / (1 << 30), room.memory_source,
           (double)p->memory_total / (1 << 30), p->container ? ", in a container" : "");
    print_devices();
}

static void print_map(const struct mw_session *s)
{
    printf("map         rank  host              may run on\n");
    for (uint32_t r = 0; r < s->provenance.n_ranks; r++)
        printf("            %4u  %-16s  %s\n", r, s->provenance.site[r].host,
               s->provenance.site[r].cpus);
}

/* --- a graph ----------------------------------------------------------------------------- */

/* The degrees of a class: 0; 1; 2 to 3; 4 to 7. */
static uint64_t least_of(int k)
{
    return k == 0 ? 0 : UINT64_C(1) << (k - 1);
}

static uint64_t most_of(int k)
{
    return k == 0 ? 0 : (UINT64_C(1) << k) - 1;
}

static const char *class_text(int k, char *out, size_t room)
{
    if (k < 2)
        snprintf(out, room, "%" PRIu64, least_of(k));
    else
        snprintf(out, room, "%" PRIu64 "-%" PRIu64, least_of(k), most_of(k));
    return out;
}

static double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void print_degrees(const struct told *t)
{
    char text[MW_NAME_ROOM];
    const struct mw_survey *s = &t->survey;
    printf("degrees     mean %.2f, most %" PRIu64,
           2.0 * (double)s->n_distinct / (double)s->n_vertices, s->degree_most);
    if (s->degree_most > 0)
        printf(" (vertex %s)", mw_names_text(&t->input.names, s->degree_most_at, text));
    printf(", of distinct neighbours\n            %21s  vertices\n", "degree");
    for (int k = 0; k < MW_DEGREE_CLASSES; k++)
        if (s->n_of_degree[k] > 0)
            printf("            %21s  %" PRIu64 "\n", class_text(k, text, sizeof text),
                   s->n_of_degree[k]);
}

static void print_paths(const struct told *t)
{
    char from[MW_NAME_ROOM], to[MW_NAME_ROOM];
    const struct mw_survey *s = &t->survey;
    printf("components  %" PRIu64 "; the largest has %" PRIu64 " %s (%.4g %%); %" PRIu64
           " isolated\n",
           s->n_components, s->n_largest, mw_plural(s->n_largest, "vertex", "vertices"),
           share_of(s->n_largest, s->n_vertices), s->n_isolated);
    if (s->n_searches == 0)
        printf("diameter    0: no edge joins two vertices\n");
    else
        printf("diameter    %" PRIu64
               " or more: from vertex %s to %s, the farthest that %u "
               "validated searches found\n",
               s->diameter, mw_names_text(&t->input.names, s->from, from),
               mw_names_text(&t->input.names, s->to, to), s->n_searches);
}

static void print_graph(const struct told *t)
{
    char range[MW_NAME_ROOM], shown[MW_SHOWN_ROOM];
    const struct mw_survey *s = &t->survey;
    const struct mw_preflight *p = &t->plan;
    const struct mw_file_facts *f = &t->input.facts;
    printf("graph       %s: %s, %s\n", mw_shown(t->conf.path, shown),
           mw_format_title(f->format), mw_bytes_text(f->bytes).text);
    printf("vertices    %" PRIu64 ", called %s\n", s->n_vertices,
           mw_names_range(&t->input.names, range));
    printf("edges       %" PRIu64 ": %" PRIu64 " distinct, %" PRIu64 " %s, %" PRIu64
           " %s\n",
           s->n_edges, s->n_distinct, s->n_duplicates,
           mw_plural(s->n_duplicates, "duplicate", "duplicates"), s->n_self_loops,
           mw_plural(s->n_self_loops, "self-loop", "self-loops"));
    printf("digest      %s\n", t->digest);
    printf("directed    %s%s\n", mw_directed_word(f->directed),
           f->directed == MW_DIRECTED_NO ? ""
                                         : "; all that follows is without directions");
    print_degrees(t);
    print_paths(t);
    printf("memory      %s per rank to search it on %u rank%s; available: %s per host "
           "(%s)\n",
           mw_bytes_text(p->predicted_bytes).text, p->n_ranks, p->n_ranks == 1 ? "" : "s",
           mw_bytes_text(p->room.memory).text, p->room.memory_source);
}

/* The pieces that the text shows, in the same words. */
static json_t *graph_json(const struct told *t)
{
    const struct mw_survey *s = &t->survey;
    const struct mw_file_facts *f = &t->input.facts;
    const bool joined = s->n_searches > 0;
    json_t *degrees = json_array();
    for (int k = 0; k < MW_DEGREE_CLASSES; k++)
        if (s->n_of_degree[k] > 0)
            json_array_append_new(degrees, json_pack("{s:I, s:I, s:I}", "least",
                                                     (json_int_t)least_of(k), "most",
                                                     (json_int_t)most_of(k), "n_vertices",
                                                     (json_int_t)s->n_of_degree[k]));
    json_t *o = json_pack(
        "{s:o?, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:I, s:o, s:I, s:I, s:I, "
        "s:I, "
        "s:I, s:I, s:s}",
        "file", mw_json_bytes(t->conf.path), "format", mw_format_word(f->format), "bytes",
        (json_int_t)f->bytes, "base", (json_int_t)t->input.names.base, "n_vertices",
        (json_int_t)s->n_vertices, "n_edges", (json_int_t)s->n_edges, "n_distinct",
        (json_int_t)s->n_distinct, "n_duplicates", (json_int_t)s->n_duplicates,
        "n_self_loops", (json_int_t)s->n_self_loops, "directed",
        mw_directed_word(f->directed), "degree_most", (json_int_t)s->degree_most,
        "degrees", degrees, "n_components", (json_int_t)s->n_components,
        "n_largest_component", (json_int_t)s->n_largest, "n_isolated",
        (json_int_t)s->n_isolated, "diameter_at_least", (json_int_t)s->diameter,
        "n_searches", (json_int_t)s->n_searches, "search_bytes",
        (json_int_t)t->plan.predicted_bytes, "digest", t->digest);
    const mw_vid at[] = {s->degree_most_at, s->from, s->to};
    static const char *const keys[] = {"degree_most_at", "diameter_from", "diameter_to"};
    for (size_t i = 0; i < 3; i++)
        json_object_set_new(
            o, keys[i], joined ? mw_json_vertex(&t->input.names, at[i]) : json_null());
    return o;
}

/* Collective: refuses what would not fit. */
static int fits(struct mw_comm *comm, struct mw_preflight *p)
{
    int rc = mw_preflight_predict(p);
    if (rc == MW_OK)
        rc = mw_preflight_judge(p);
    return mw_comm_agree(comm, rc);
}

/* Collective. */
static int tell(struct mw_session *session, const struct mw_world_conf *conf,
                struct told *t)
{
    int rc;
    struct mw_world *w = NULL;
    struct mw_comm *comm = session->comm;
    struct mw_plan_way way = {mw_survey_algorithm, conf, NULL}; /* no row is dealt out */
    struct mw_thread_count count;
    struct mw_digest digest;
    t->plan = (struct mw_preflight){.way = &way,
                                    .device = mw_device_room_any(),
                                    .n_ways = 1,
                                    .validate = true,
                                    .n_ranks = comm->size,
                                    .n_hosts = comm->n_hosts,
                                    .ranks_here = comm->host_size};
    mw_room_find("", &t->plan.room);
    MW_TRY(rc, mw_placement_count(comm, conf->n_threads, &count));
    t->plan.n_threads = count.n_threads;
    MW_TRY(rc, mw_comm_agree(comm, mw_preflight_file(&t->plan, &t->conf)));
    MW_TRY(rc, fits(comm, &t->plan));
    MW_TRY(rc,
           mw_graph_input_read(comm, &t->conf, t->naming, MW_ADVICE_VERTICES, &t->input));
    t->plan.n_vertices = t->input.facts.n_vertices;
    t->plan.n_edges = t->input.facts.n_read;
    MW_TRY(rc, fits(comm, &t->plan));
    MW_TRY(rc, mw_world_new(conf, comm, &w));
    mw_signals_phase("survey");
    MW_TRY(rc, mw_survey_make(w, &t->input.edges, &t->survey));
    MW_TRY(rc, mw_digest_of(w, &t->input.edges, &digest));
    mw_digest_text(&digest, t->digest);
end:
    t->plan.way = NULL;
    mw_world_free(w);
    return rc;
}

/* --- both ---------------------------------------------------------------------------------- */

static int print_json(const struct mw_session *s, const struct mw_world *w,
                      const struct told *t)
{
    json_t *o =
        json_pack("{s:s, s:i}", "$schema", "urn:meshway:info:1", "schema_version", 1);
    if (t != NULL)
        json_object_set_new(o, "graph", graph_json(t));
    if (w != NULL) {
        json_object_set_new(o, "n_ranks", json_integer(s->comm->size));
        json_object_set_new(o, "n_hosts", json_integer(s->comm->n_hosts));
        json_object_set_new(o, "cores_of_host", json_integer(s->comm->n_cores));
        json_object_set_new(o, "threads_per_rank", json_integer(w->conf.n_threads));
        json_object_set_new(o, "oversubscribed", json_boolean(s->comm->oversubscribed));
        json_object_set_new(o, "placement", json_string(w->placement));
        json_object_set_new(o, "devices", devices_json());
        struct mw_room room;
        mw_room_find("", &room);
        json_object_set_new(o, "available_bytes",
                            room.memory > INT64_MAX
                                ? json_null()
                                : json_integer((json_int_t)room.memory));
        json_object_set_new(o, "available_by", json_string(room.memory_source));
        json_object_set_new(o, "provenance", mw_provenance_json(&s->provenance));
    }
    return mw_json_text_print(o);
}

static int machine(struct mw_session *s, const struct mw_world_conf *conf, bool json)
{
    int rc;
    struct mw_world *w = NULL;
    MW_TRY(rc, mw_world_new(conf, s->comm, &w));
    if (s->speaks && json) {
        mw_provenance_end(&s->provenance);
        rc = print_json(s, w, NULL);
    } else if (s->speaks) {
        rc = mw_version_print(stdout, false);
        print_machine(s, w);
        if (s->verbose)
            print_map(s);
    }
end:
    mw_world_free(w);
    return rc;
}

static int graph(struct mw_session *s, const struct mw_world_conf *conf, bool json)
{
    int rc;
    struct told t = {0};
    struct mw_input file = {.fd = -1};
    MW_TRY(rc, mw_source_of(s->comm, s->settings, "graph", &file));
    t.conf = mw_graph_input_conf(s->settings, &file);
    t.naming = mw_graph_input_naming(s->settings, &t.conf);
    MW_TRY(rc, tell(s, conf, &t));
    if (s->speaks && json)
        rc = print_json(s, NULL, &t);
    else if (s->speaks)
        print_graph(&t);
    mw_graph_input_notes(
        &t.conf, t.naming, &t.input.facts,
        mw_graph_input_count(&t.input, t.survey.n_vertices - t.survey.n_isolated),
        mw_graph_input_say, s);
end:
    mw_graph_input_fini(&t.input);
    mw_input_close(&file);
    return rc;
}

static int info_main(const struct mw_settings *settings)
{
    struct mw_session s;
    const bool json = mw_setting_number(settings, "json") != 0;
    const struct mw_world_conf conf = {
        .backend = "auto",
        .n_threads = (uint32_t)mw_setting_number(settings, "threads"),
        .hang_timeout_s = 60,
        .lost = mw_session_lost};
    int rc = mw_session_start(settings, MW_OK, &s);
    if (rc == MW_OK && mw_setting_text(settings, "graph") != NULL)
        rc = graph(&s, &conf, json);
    else if (rc == MW_OK)
        rc = machine(&s, &conf, json);
    return mw_session_finish(&s, rc);
}

const struct mw_command mw_command_info = {
    .name = "info",
    .summary = "what a graph is like; or build, MPI, topology, memory and backends",
    .text =
        "Of a graph: vertices, edges, duplicates, self-loops and directions, a digest of "
        "the edges without their weights, "
        "degrees, connected "
        "components, a lower bound of the diameter by searches that sweep to and "
        "fro, and the "
        "memory that a run on as many ranks takes. Without one: what the program was "
        "built with "
        "and what it sees of the machine; under mpiexec, of all ranks, with "
        "--verbose also where "
        "each may run.",
    .example = "mpiexec -n 2 meshway info web.mtx",
    .example_does =
        "what kind of graph it is; without web.mtx, what kind of machine this is",
    MW_COMMAND_OPTIONS(options),
    MW_COMMAND_CONFLICTS(conflicts),
    .operand = {"graph"},
    .main = info_main,
};
