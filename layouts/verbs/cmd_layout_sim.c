/* cmd_layout_sim.c -- "meshway layout sim": cycle by cycle, with files for viewers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/latency_report.h"
#include "layouts/verbs/layout_report.h"
#include "layouts/verbs/sim_json.h"
#include "layouts/verbs/sim_setup.h"

#include "base/escape.h"
#include "base/mem.h"
#include "base/plural.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* clang-format off */
static const struct mw_option options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_MODEL_SIM,
    MW_OPTIONS_SIM,
    MW_OPTION_DRAIN,
    {.name = "traffic", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Recorded messages instead: CSV, cycle,source,sink with cores as \"R,C\""},
    {.name = "vcd", .kind = MW_OPT_TEXT, .value = "FILE", .section = "output",
     .help = "Write states and fills as a value change dump (GTKWave)"},
    {.name = "trace", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Write a Chrome trace (Perfetto), one track per core"},
    {.name = "csv", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Write every change as a line: cycle, core, state, fills"},
    {.name = "messages", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Write every measured message as a line: created, injected, arrived, source, sink"},
    MW_OPTION_JSON,
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {
    MW_CONFLICTS_SIM,
    MW_CONFLICTS_COMMON,
};
/* clang-format on */

/* ---- files ------------------------------------------------------------------------------ */

enum { N_FORMATS = MW_RECORD_MESSAGES + 1, TRAFFIC_BYTES_MAX = 1 << 30 };
static const char *const format_options[N_FORMATS] = {"vcd", "trace", "csv", "messages"};
static const char *const outputs[] = {"vcd", "trace", "csv", "messages", NULL};

struct records {
    struct mw_output out[N_FORMATS];
    struct mw_recorder *recorder[N_FORMATS]; /* NULL: not wanted */
};

static void observe(void *arg, const struct mw_sim_event *e)
{
    struct records *r = arg;
    for (int f = 0; f < MW_RECORD_MESSAGES; f++)
        if (r->recorder[f] != NULL)
            mw_recorder_observe(r->recorder[f], e);
}

static void observe_message(void *arg, const struct mw_sim_message *m)
{
    struct records *r = arg;
    for (int f = 0; f < N_FORMATS; f++)
        if (r->recorder[f] != NULL)
            mw_recorder_message(r->recorder[f], m);
}

static int open_records(const struct mw_settings *s, const struct mw_layout *l,
                        struct mw_sim_conf *conf, struct records *r)
{
    for (int f = 0; f < N_FORMATS; f++) {
        const char *name = mw_setting_text(s, format_options[f]);
        if (name == NULL)
            continue;
        MW_NEED(mw_output_open(name, mw_setting_number(s, "force") != 0, &r->out[f]));
        const int rc = mw_recorder_new(l, (enum mw_recorder_format)f, r->out[f].file,
                                       &r->recorder[f]);
        if (rc < MW_OK)
            return mw_output_close(&r->out[f], rc);
        conf->observe_arg = conf->observe_message_arg = r;
        conf->observe = f == MW_RECORD_MESSAGES ? conf->observe : observe;
        if (f == MW_RECORD_CHROME || f == MW_RECORD_MESSAGES)
            conf->observe_message = observe_message;
    }
    return MW_OK;
}

/* Every file is ended or given up. */
static int close_records(struct records *r, uint64_t cycles, int rc)
{
    for (int f = 0; f < N_FORMATS; f++)
        if (r->recorder[f] != NULL) {
            const int ended = mw_recorder_end(r->recorder[f], cycles);
            rc = mw_output_close(&r->out[f], rc < MW_OK      ? rc
                                             : ended < MW_OK ? ended
                                                             : rc);
        }
    return rc;
}

/* ---- text ------------------------------------------------------------------------------- */

/* One core of the cycle: "1,4 (T) holds a message for 3,6, wants 2,4 C 4/4". */
static void print_blocked(const struct mw_layout *l, const struct mw_sim_blocked *b,
                          FILE *out)
{
    char core[MW_NODE_NAME], next[MW_NODE_NAME], sink[MW_NODE_NAME], port[MW_NODE_NAME];
    fprintf(out, "  %s ", mw_core_name(l, b->core, core));
    if (l->role[b->core] != '.')
        fprintf(out, "(%c) ", l->role[b->core]);
    if (b->marker)
        fprintf(out, "holds an end marker");
    else if (b->flow >= 0)
        fprintf(out, "holds flow %" PRId64 " for %s", b->flow,
                mw_core_name(l, b->sink, sink));
    else if (b->sink == MW_NO_CORE)
        fprintf(out, "holds a message");
    else
        fprintf(out, "holds a message for %s", mw_core_name(l, b->sink, sink));
    fprintf(out, ", wants %s %s %u/%u\n", mw_core_name(l, b->next, next),
            mw_sim_port_name(l, b, port), b->fill, b->depth);
}

static void print_deadlock(const struct mw_layout *l, const struct mw_sim_result *r,
                           FILE *out)
{
    char name[MW_NODE_NAME];
    fprintf(out,
            "deadlock     seen at cycle %" PRIu64 " (%s%slocal); %s:", r->deadlock_cycle,
            r->global ? "global " : "", r->weak ? "weak " : "",
            mw_layout_has_ways(l) && !r->blocked->ring ? "knot" : "cycle");
    for (uint32_t i = 0; i < r->n_cycle; i++)
        fprintf(out, " %s", mw_core_name(l, r->cycle_core[i], name));
    fputc('\n', out);
    for (uint32_t i = 0; i < r->n_cycle; i++)
        print_blocked(l, &r->blocked[i], out);
}

/* Shares of the observed cycles per role, in the alphabet's order. */
static void print_roles(const struct mw_layout *l, const struct mw_sim_result *r,
                        FILE *out)
{
    if (r->counted == 0)
        fprintf(out, "what the cores did in all %" PRIu64 " cycles, the warm-up's:\n",
                r->cycles);
    fprintf(out, "%-8s %5s %8s %8s %8s %8s %10s\n", "role", "cores", "busy", "blocked",
            "idle", "dma", "msg/core");
    for (char letter = '.'; letter <= 'Z';
         letter = letter == '.' ? 'A' : (char)(letter + 1)) {
        double share[MW_N_CORE_STATES] = {0}, given = 0;
        uint32_t n = 0;
        for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
            if (l->role[v] != letter || (letter == '.' && r->core[v].taken == 0))
                continue;
            n++;
            given += (double)r->core[v].given;
            for (int k = 0; k < MW_N_CORE_STATES; k++)
                share[k] += (double)r->core[v].cycles[k];
        }
        const double all = (double)n * (double)r->observed;
        if (n == 0)
            continue;
        fprintf(out, "%-8c %5u %7.1f%% %7.1f%% %7.1f%% %7.1f%% %10.0f\n", letter, n,
                100 * share[MW_CORE_BUSY] / all, 100 * share[MW_CORE_BLOCKED] / all,
                100 * (share[MW_CORE_IDLE] + share[MW_CORE_ENDED]) / all,
                100 * share[MW_CORE_DMA] / all, given / n);
    }
}

/* What the other kinds of work allow, were there routers enough. */
static double next_stage(const struct mw_throughput *t)
{
    return fmin(fmin(t->producers, t->consumers), fmin(t->memory, t->bus));
}

/* The bound, and for routers what such a bound gave at this depth, once. */
static void print_bound(const struct mw_layout *l, const struct mw_throughput *t,
                        FILE *out)
{
    char name[MW_NODE_NAME];
    if (isinf(t->bound)) {
        fprintf(out, "no bound is modelled of %s\n",
                strcmp(t->limit, "-") == 0 ? "several ways" : t->limit);
        return;
    }
    fprintf(out, "at most %.2f by the %s", t->bound * 1e-9, t->limit);
    if (t->busiest < 0.99 * t->bound)
        fprintf(out, ", %.2f by core %s", t->busiest * 1e-9,
                mw_core_name(l, t->busiest_core, name));
    fprintf(out, " (modelled)");
    if (strcmp(t->limit, "router") == 0)
        fprintf(out, "; %.2f at this depth (fitted to the paper's layout: %.2f of it)",
                t->eta * t->bound * 1e-9, t->eta);
    fputc('\n', out);
}

/* The experiment that tells whether the limit is what it seems to be. */
static void print_suggestion(const struct mw_throughput *t, FILE *out)
{
    const double next = next_stage(t);
    if (strcmp(t->limit, "memory") == 0) {
        fprintf(
            out, "%s\n",
            "try          twice the router columns or deeper FIFOs: if the memory is the "
            "limit, no change; --no-memory");
        return;
    }
    if (strcmp(t->limit, "router") != 0)
        return;
    if (next < 1.01 * t->bound) /* routers alone would not help: they also consume */
        fprintf(out, "try          more columns of routers and of consumers");
    else
        fprintf(out, "try          twice the router columns (then at most %.2f)",
                fmin(2 * t->routers, next) * 1e-9);
    fprintf(out, "%s\n", ", deeper FIFOs (--depth), another payload (msg)");
}

static void print_fairness(const struct mw_layout *l, const struct mw_sim_result *r,
                           FILE *out)
{
    char least[MW_NODE_NAME], most[MW_NODE_NAME];
    fprintf(out, "fairness     per source %.2f (%s) to %.2f (%s) of the mean",
            r->least_source, mw_core_name(l, r->least_source_core, least), r->most_source,
            mw_core_name(l, r->most_source_core, most));
    if (r->n_pairs > 0)
        fprintf(out, ", per pair %.2f to %.2f", r->least_share, r->most_share);
    fprintf(out, "%s\n",
            r->least_source < 0.5 ? "   unfair: some source is starved" : "");
}

/* Throughput and fairness, of what was counted. */
static void print_counts(const struct mw_layout *l, const struct mw_sim_result *r,
                         const struct mw_throughput *t, FILE *out)
{
    if (r->consumed == 0) {
        fprintf(out, "throughput   nothing counted: ");
        if (r->counted == 0)
            fprintf(out, "the run ended in the warm-up; ");
        else
            fprintf(out, "no message arrived in %" PRIu64 " cycle%s after the warm-up; ",
                    r->counted, r->counted == 1 ? "" : "s");
        print_bound(l, t, out);
        return;
    }
    fprintf(out, "throughput   %.2f GB/s simulated; ", r->bytes_per_s * 1e-9);
    print_bound(l, t, out);
    print_suggestion(t, out);
    print_fairness(l, r, out);
}

static void print_result(const struct mw_layout *l, const struct mw_sim_conf *conf,
                         const struct mw_sim_result *r, const struct mw_throughput *t,
                         const char *title, FILE *out)
{
    char shown[MW_SHOWN_ROOM];
    const uint64_t n_cycles = r->deadlock ? r->deadlock_cycle : r->cycles;
    fprintf(out, "%s: %s in %" PRIu64 " %s, seed %" PRIu64 ", ", mw_shown(title, shown),
            r->deadlock ? "DEADLOCK" : "no deadlock met", n_cycles,
            mw_plural(n_cycles, "cycle", "cycles"), conf->seed);
    mw_sim_print_depths(conf, out);
    fprintf(out, "%s\n", r->ended ? ", stream ended" : "");
    if (r->deadlock)
        print_deadlock(l, r, out);
    if (conf->pattern != MW_PATTERN_UNIFORM || conf->recording != NULL)
        fprintf(out, "traffic      %s; what is modelled is for uniform traffic\n",
                conf->recording != NULL ? "as recorded"
                                        : mw_pattern_names[conf->pattern]);
    print_counts(l, r, t, out);
    mw_latency_print(&r->latency, out);
    print_roles(l, r, out);
    if (!r->deadlock)
        fprintf(out, "%s\n",
                "A run without deadlock proves nothing; 'meshway layout check' does.");
}

/* ---- the command ------------------------------------------------------------------------ */

/* --traffic; a recording has no warm-up unless one is given. */
static int read_traffic(const struct mw_settings *s, const struct mw_layout *l,
                        struct mw_sim_conf *conf, struct mw_recording *out)
{
    int rc;
    char *text = NULL;
    size_t bytes;
    const char *name = mw_setting_text(s, "traffic");
    if (name == NULL)
        return MW_OK;
    MW_TRY(rc, mw_layout_inputs(s, "traffic"));
    MW_TRY(rc, mw_text_read(name, TRAFFIC_BYTES_MAX, &text, &bytes));
    MW_TRY(rc, mw_recording_parse(l, mw_layout_title(name), text, bytes, out));
    conf->recording = out;
    if (!mw_setting_given(s, "warmup"))
        conf->warmup = 0;
end:
    mw_free(text);
    return rc;
}

static int simulate(const struct mw_settings *s, struct mw_layout *l, const char *title)
{
    int rc;
    struct mw_recording recording = {.n = 0};
    struct mw_sim_conf conf;
    struct mw_sim_result r = {0};
    struct mw_throughput t;
    struct records records = {0};
    struct mw_puts puts = {NULL};
    MW_TRY(rc, mw_sim_configure(s, l, &conf));
    MW_TRY(rc, mw_sim_puts(s, l, mw_sim_rings(s), &conf, &puts));
    mw_sim_drain(s, &conf);
    MW_TRY(rc, read_traffic(s, l, &conf, &recording));
    if (puts.layout != NULL)
        t = (struct mw_throughput){.bound = INFINITY, .limit = "remote puts"};
    else
        MW_TRY(rc, mw_layout_throughput(l, &t));
    rc = open_records(s, l, &conf, &records);
    if (rc == MW_OK)
        rc = mw_layout_sim(puts.layout != NULL ? puts.layout : l, &conf, &r);
    for (uint32_t i = 0; puts.layout != NULL && i < r.n_cycle; i++)
        r.blocked[i].flow = -1; /* a put's number says nothing of l */
    MW_TRY(rc, close_records(&records, r.cycles, rc));
    if (mw_setting_number(s, "json") != 0)
        MW_TRY(rc, mw_sim_json_print(l, &conf, &r, &t, title));
    else
        print_result(l, &conf, &r, &t, title, mw_layout_report_to(s, outputs));
    rc = r.deadlock || r.latency.deadlock_cycle != 0 ? MW_LAYOUT_DEADLOCK : MW_OK;
end:
    mw_sim_result_fini(&r);
    mw_recording_fini(&recording);
    mw_puts_fini(&puts);
    return rc;
}

static int sim_main(const struct mw_settings *s)
{
    struct mw_layout_input in;
    MW_NEED(mw_layout_outputs(s, outputs, mw_setting_number(s, "json") != 0));
    MW_NEED(mw_layout_input_open(mw_setting_text(s, "file"), false, &in));
    const int rc = simulate(s, in.layout, mw_layout_title(in.file));
    mw_layout_input_fini(&in);
    return rc;
}

const struct mw_command mw_command_layout_sim = {
    .name = "layout sim",
    .summary = "cycle by cycle: throughput, fairness, and when it stops",
    .text =
        "Simulates the layout with blocking puts, bounded FIFOs, a cost per role and one "
        "memory controller. Messages created behind the warm-up are followed until they "
        "arrive, for their latency. The same seed gives the same bytes. Exit codes: 0 no "
        "deadlock was met, which proves nothing; 1 deadlock; 2 bad input.",
    .example = "meshway layout sim paper.layout --vcd paper.vcd",
    .example_does = "200,000 cycles of the paper's layout, and a file for GTKWave",
    MW_VERB_CONFLICTS(conflicts),
    MW_VERB_OF_FILE(sim_main, options),
};
