/* cmd_layout_explore.c -- the verbs that play: explore and replay.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/json_field.h"
#include "layouts/verbs/cmd_layout.h"
#include "layouts/verbs/layout_report.h"
#include "layouts/verbs/mesh_vectors.h"
#include "layouts/verbs/network_input.h"

#include "base/escape.h"
#include "base/mem.h"
#include "base/plural.h"
#include "base/text.h"
#include "layouts/explore/explore.h"
#include "layouts/explore/search.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- explore ---------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option explore_options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_VECTOR,
    MW_OPTION_FROM,
    MW_OPTION_MODEL_OF(MW_MODEL_WORDS_ALL, "coupled", "The model to play"),
    MW_OPTIONS_DEPTH,
    MW_OPTION_LIMIT("4000000", "States to keep at most"),
    {.name = "inflight", .kind = MW_OPT_COUNT, .value = "N", .min = 1, .max = UINT32_MAX,
     .help = "Messages in flight at most; default: no bound"},
    {.name = "guided", .kind = MW_OPT_FLAG,
     .help = "Look for some deadlock, not for a shortest trace: for deep FIFOs"},
    MW_OPTION_TRACE,
    MW_OPTION_JSON,
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};
/* clang-format on */
static const char *const explore_outputs[] = {"trace", NULL};

static int show_progress(void *arg, uint64_t n_states, uint64_t n_open)
{
    (void)arg;
    fprintf(stderr, "\r%" PRIu64 " states, %" PRIu64 " open ", n_states, n_open);
    return 0;
}

/* What ended a search that is bounded; NULL: it is not. */
static const char *bounded_by(const struct mw_explore_conf *conf,
                              const struct mw_exploration *e)
{
    return e->verdict != MW_EXPLORED_BOUNDED ? NULL
           : e->n_states >= conf->limit      ? "states"
           : e->n_states > 0                 ? "memory"
                                             : "size";
}

/* Which of the limits it was, and what moves it. */
static void print_bound(const struct mw_explore_conf *conf,
                        const struct mw_exploration *e, FILE *out)
{
    if (e->n_states >= conf->limit)
        fprintf(out, ": met the limit of states, which --limit N raises");
    else if (e->n_states > 0)
        fprintf(out,
                ": met the limit of memory, %" PRIu64 " bytes for states, which no "
                "option raises; fewer messages (--inflight) or shallower FIFOs "
                "(--depth) need less",
                (uint64_t)MW_NET_SEARCH_BYTES);
    else
        fprintf(out, ": too large to begin");
}

/* What is known all the same: of the states that were looked at, and by proof. */
static void print_known(const struct mw_layout *l, const struct mw_explore_conf *conf,
                        const struct mw_exploration *e, const struct mw_proof *proof,
                        FILE *out)
{
    char name[MW_NODE_NAME];
    const char *model = mw_mesh_model_names[proof->model];
    if (e->n_tested > 0) {
        fprintf(out, "searched: no deadlock in %" PRIu64 " %s", e->n_tested,
                mw_plural(e->n_tested, "state", "states"));
        if (e->n_steps_tested > 0)
            fprintf(out, ", which are all that lie within %" PRIu64 " %s and some beyond",
                    e->n_steps_tested, mw_plural(e->n_steps_tested, "step", "steps"));
        fputc('\n', out);
    }
    if (proof->free)
        fprintf(out,
                "proved:   free (%s), in all states; 'meshway layout check' shows why\n",
                model);
    else if (mw_layout_has_ways(l)) /* of its size, others are not known */
        fprintf(out,
                "proved:   the rules allow a knot of %u (%s) through %s; 'meshway layout "
                "check' shows it\n",
                proof->n_cycle, model,
                mw_node_name(l, proof->model, proof->node[0], name));
    else if (conf->inflight > 0 && conf->inflight < proof->min_inflight)
        fprintf(out,
                "proved:   every cycle (%s) needs at least %" PRIu64
                " messages in flight, so none closes here\n",
                model, proof->min_inflight);
    else
        fprintf(
            out,
            "proved:   a cycle of %u (%s) through %s can close; 'meshway layout check' "
            "shows it, --guided builds the deadlock\n",
            proof->n_cycle, model, mw_node_name(l, proof->model, proof->node[0], name));
    fprintf(out, "undecided by this search: exit code %d\n", MW_LAYOUT_UNDECIDED);
}

static void print_exploration(const struct mw_layout *l,
                              const struct mw_explore_conf *conf,
                              const struct mw_exploration *e,
                              const struct mw_proof *proof, const char *title,
                              bool verbose, FILE *out)
{
    char shown[MW_SHOWN_ROOM];
    fprintf(out, "%s: %s", mw_shown(title, shown), mw_explore_verdict_names[e->verdict]);
    if (conf->inflight > 0)
        fprintf(out, " with at most %" PRIu64 " in flight", conf->inflight);
    fprintf(out, ", fifo %u/%u/%u  %" PRIu64 " %s", conf->fifo[MW_ROW],
            conf->fifo[MW_COLUMN], conf->send, e->n_states,
            mw_plural(e->n_states, "state", "states"));
    if (e->verdict == MW_EXPLORED_DEADLOCK) {
        fprintf(out, "  %" PRIu64 " steps%s, %" PRIu64 " in flight  %s%slocal\n%s:",
                e->trace.n_steps, e->shortest ? "" : " (not the fewest)", e->in_flight,
                e->global ? "global " : "", e->weak ? "weak " : "",
                mw_layout_has_ways(l) ? "knot" : "cycle");
        for (uint32_t i = 0; i < e->n_cycle; i++) {
            char name[MW_NODE_NAME];
            fprintf(out, " %s", mw_node_name(l, e->trace.model, e->cycle[i], name));
        }
    }
    if (e->verdict == MW_EXPLORED_BOUNDED)
        print_bound(conf, e, out);
    fputc('\n', out);
    if (e->verdict == MW_EXPLORED_BOUNDED)
        print_known(l, conf, e, proof, out);
    if (verbose && e->n_states > 0)
        fprintf(stderr, "%.3f s, %.2f M states/s, %.1f B a state\n", e->seconds,
                (double)e->n_states / e->seconds * 1e-6,
                (double)e->bytes / (double)e->n_states);
}

static int print_exploration_json(const struct mw_layout *l,
                                  const struct mw_explore_conf *conf,
                                  const struct mw_exploration *e,
                                  const struct mw_proof *proof, const char *title)
{
    const char *bound = bounded_by(conf, e);
    return mw_json_print(json_pack(
        "{s:o, s:s, s:o, s:i, s:o, s:I, s:s, s:I, s:I, s:I, s:b, s:b, s:b, s:o, s:s?, "
        "s:I, s:o, s:s?}",
        "file", mw_json_bytes(title), "model", mw_mesh_model_names[conf->model], "fifo",
        mw_fifo_json(conf->fifo), "send", (int)conf->send, "inflight",
        conf->inflight > 0 ? json_integer((json_int_t)conf->inflight) : json_null(),
        "limit", (json_int_t)conf->limit, "verdict", mw_explore_verdict_names[e->verdict],
        "states", (json_int_t)e->n_states, "steps", (json_int_t)e->trace.n_steps,
        "in_flight", (json_int_t)e->in_flight, "shortest", e->shortest, "global",
        e->global, "weak", e->weak, "cycle",
        mw_nodes_json(l, conf->model, e->cycle, e->n_cycle), "bounded_by", bound,
        "tested", (json_int_t)e->n_tested, "steps_tested",
        bound != NULL ? json_integer((json_int_t)e->n_steps_tested) : json_null(),
        "proof",
        bound == NULL           ? NULL
        : proof->free           ? "free"
        : mw_layout_has_ways(l) ? "knot"
                                : "cycle"));
}

/* What is too large to be begun is as open as what meets its limit. */
static int explore_or_say(const struct mw_layout *l, const struct mw_explore_conf *conf,
                          struct mw_exploration *e)
{
    const int rc = mw_layout_explore(l, conf, e);
    if (rc != MW_ERR_REFUSED)
        return rc;
    fprintf(stderr, "meshway: %s; nothing was explored\n", mw_error_text());
    mw_error_clear();
    return MW_OK; /* *e says bounded */
}

static int explore_layout(const struct mw_settings *s, struct mw_layout *l,
                          const char *title)
{
    int rc;
    struct mw_exploration e = {0};
    struct mw_proof proof = {0};
    const bool verbose = mw_setting_number(s, "verbose") != 0;
    const enum mw_mesh_model model = (enum mw_mesh_model)mw_layout_model(s);
    mw_layout_depths(s, l);
    const struct mw_explore_conf conf = {
        .model = model,
        .fifo = {l->fifo[MW_ROW], l->fifo[MW_COLUMN]},
        .send = model == MW_COUPLED ? l->send : 0,
        .limit = mw_setting_number(s, "limit"),
        .inflight = mw_setting_number(s, "inflight"),
        .guided = mw_setting_number(s, "guided") != 0,
        .progress = isatty(STDERR_FILENO) && mw_setting_number(s, "quiet") == 0
                        ? show_progress
                        : NULL};
    MW_TRY(rc, explore_or_say(l, &conf, &e));
    if (conf.progress != NULL)
        fputs("\r\033[K", stderr);
    if (e.verdict == MW_EXPLORED_BOUNDED)
        MW_TRY(rc, mw_any_proof_make(l, model, &proof));
    if (mw_setting_number(s, "json") != 0)
        MW_TRY(rc, print_exploration_json(l, &conf, &e, &proof, title));
    else
        print_exploration(l, &conf, &e, &proof, title, verbose,
                          mw_layout_report_to(s, explore_outputs));
    MW_TRY(rc, mw_layout_write_trace(s, l, &e, "no deadlock was found"));
    rc = mw_layout_verdict_code(e.verdict);
end:
    mw_proof_fini(&proof);
    mw_exploration_fini(&e);
    return rc;
}

/* Vectors say themselves what is to be played. */
static const char *const of_layouts[] = {"model",  "depth", "send", "inflight",
                                         "guided", "trace", NULL};

static int explore_vectors(const struct mw_settings *s, struct mw_vectors *v,
                           const char *title)
{
    const char *prefix =
        mw_setting_text(s, "vector") != NULL ? mw_setting_text(s, "vector") : "";
    const bool json = mw_setting_number(s, "json") != 0;
    struct mw_vector_tally t = {.out = json ? stderr : stdout,
                                .quiet = mw_setting_number(s, "quiet") != 0};
    MW_NEED(mw_layout_refuse(s, of_layouts, "vectors say themselves what is played"));
    for (uint32_t i = 0; i < v->n; i++) {
        if (strncmp(v->vector[i].name, prefix, strlen(prefix)) != 0)
            continue;
        MW_NEED(mw_vector_explore(&v->vector[i], mw_setting_number(s, "limit"), &t));
    }
    if (t.n == 0)
        return mw_fail(MW_ERR_USAGE, "no vector with a search begins with '%s'", prefix);
    fprintf(t.out, "%u %s, %u wrong, %u bounded%s\n", t.n,
            mw_plural(t.n, "fact", "facts"), t.n_wrong, t.n_bounded,
            t.n_bounded > 0 ? "; --limit N raises the limit of states" : "");
    if (json)
        MW_NEED(mw_json_print(json_pack("{s:o, s:I, s:I, s:I}", "file",
                                        mw_json_bytes(title), "facts", (json_int_t)t.n,
                                        "wrong", (json_int_t)t.n_wrong, "bounded",
                                        (json_int_t)t.n_bounded)));
    return t.n_wrong > 0     ? MW_LAYOUT_DEADLOCK
           : t.n_bounded > 0 ? MW_LAYOUT_UNDECIDED
                             : MW_OK;
}

static int explore_one(const struct mw_settings *s, struct mw_layout_input *in)
{
    static const char *const of_vectors[] = {"vector", NULL};
    MW_NEED(mw_layout_refuse(s, of_vectors, "FILE is one layout, not vectors"));
    return explore_layout(s, in->layout, mw_layout_title(in->file));
}

static int explore_main(const struct mw_settings *s)
{
    struct mw_layout_input in;
    MW_NEED(mw_layout_outputs(s, explore_outputs, mw_setting_number(s, "json") != 0));
    if (mw_network_is_asked(s))
        return mw_network_explore(s);
    MW_NEED(mw_layout_model_check(s));
    MW_NEED(mw_layout_input_open(mw_setting_text(s, "file"), true, &in));
    const int rc = in.is_vectors
                       ? explore_vectors(s, &in.vectors, mw_layout_title(in.file))
                       : explore_one(s, &in);
    mw_layout_input_fini(&in);
    return rc;
}

const struct mw_command mw_command_layout_explore = {
    .name = "layout explore",
    .summary = "every interleaving of a small mesh, with honest verdicts",
    .text =
        "Plays all flows over all interleavings, breadth first: free (the state space is "
        "exhausted), deadlock (with a shortest trace), or bounded (the limit was met, or "
        "the mesh is too large to begin, and nothing is known). FILE may also hold "
        "vectors. Exit codes: 0 free, 1 deadlock, 2 bad input, 3 bounded.",
    .example = "meshway layout explore one-router.layout --depth 1 --trace stuck.trace",
    .example_does = "the fewest steps that stop two routers",
    .operand = {"file", "vector"},
    .n_required = 1,
    .main = explore_main,
    MW_LAYOUT_VERB(explore_options),
};

/* ---- replay ----------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option replay_options[] = {
    MW_OPTION_LAYOUT,
    {.name = "trace", .kind = MW_OPT_TEXT, .value = "TRACE",
     .help = "What 'layout check' or 'layout explore' wrote with --trace"},
    MW_OPTION_JSON,
    MW_OPTIONS_COMMON,
};
/* clang-format on */

static void show_step(void *arg, uint64_t step, const char *what)
{
    (void)arg;
    printf("%6" PRIu64 "  %s\n", step, what);
}

static int parse_trace(const struct mw_layout *l, const char *name, struct mw_trace *out)
{
    char *text;
    size_t bytes;
    struct mw_diagnostics d = {0};
    MW_NEED(mw_text_read(name, MW_LAYOUT_BYTES_MAX, &text, &bytes));
    const int rc = mw_trace_parse(l, text, bytes, out, &d);
    mw_diagnostics_show(&d, mw_layout_title(name), text, bytes, stderr);
    if (d.n_errors > 0)
        mw_error_clear();
    mw_free(text);
    return rc;
}

struct replayed {
    const char *name; /* of the trace */
    mw_mesh_node *cycle;
    uint32_t n_cycle;
    uint64_t in_flight;
};

/* A trace is played at its own depths, whatever those of the layout. */
static void print_depths(const struct mw_layout *l, const struct mw_trace *t)
{
    const uint32_t send = t->model == MW_COUPLED ? l->send : t->send;
    if (t->fifo[MW_ROW] == l->fifo[MW_ROW] && t->fifo[MW_COLUMN] == l->fifo[MW_COLUMN] &&
        t->send == send)
        return;
    printf("; at the trace's depths, fifo %u/%u/%u (the layout has %u/%u/%u)",
           t->fifo[MW_ROW], t->fifo[MW_COLUMN], t->send, l->fifo[MW_ROW],
           l->fifo[MW_COLUMN], send);
}

static void print_replay(const struct mw_layout *l, const struct mw_trace *t,
                         const struct replayed *p)
{
    char node[MW_NODE_NAME], shown[MW_SHOWN_ROOM];
    printf("%s: %s after %" PRIu64 " legal steps, %" PRIu64 " in flight",
           mw_shown(p->name, shown), p->n_cycle > 0 ? "DEADLOCK" : "no deadlock",
           t->n_steps, p->in_flight);
    if (p->n_cycle > 0)
        printf("; cycle:");
    for (uint32_t i = 0; i < p->n_cycle; i++)
        printf(" %s", mw_node_name(l, t->model, p->cycle[i], node));
    print_depths(l, t);
    putchar('\n');
}

static int print_replay_json(const struct mw_layout *l, const struct mw_trace *t,
                             const struct replayed *p)
{
    return mw_json_print(json_pack(
        "{s:o, s:s, s:o, s:i, s:s, s:I, s:I, s:o}", "trace", mw_json_bytes(p->name),
        "model", mw_mesh_model_names[t->model], "fifo", mw_fifo_json(t->fifo), "send",
        (int)t->send, "verdict", p->n_cycle > 0 ? "deadlock" : "undecided", "steps",
        (json_int_t)t->n_steps, "in_flight", (json_int_t)p->in_flight, "cycle",
        mw_nodes_json(l, t->model, p->cycle, p->n_cycle)));
}

static int replay(const struct mw_settings *s, const struct mw_layout *l,
                  const struct mw_trace *t, const char *name)
{
    int rc = MW_OK;
    struct replayed p = {.name = name};
    const bool json = mw_setting_number(s, "json") != 0;
    const bool silent = json || mw_setting_number(s, "quiet") != 0;
    MW_NEW(rc, p.cycle, "cycle", mw_mesh_nodes(l, t->model));
    rc = mw_trace_replay(l, t, silent ? NULL : show_step, NULL, p.cycle, &p.n_cycle,
                         &p.in_flight);
    if (rc == MW_ERR_INVALID) {
        char shown[MW_SHOWN_ROOM];
        fprintf(stderr, "%s: %s\n", mw_shown(name, shown), mw_error_text());
        mw_error_clear(); /* it has been said */
        rc = MW_ERR_DATA;
    }
    MW_TRY(rc, rc);
    p.n_cycle = rc == MW_DONE ? 0 : p.n_cycle;
    rc = MW_OK;
    if (json)
        MW_TRY(rc, print_replay_json(l, t, &p));
    else
        print_replay(l, t, &p);
    rc = p.n_cycle > 0 ? MW_LAYOUT_DEADLOCK : MW_LAYOUT_UNDECIDED;
end:
    mw_free(p.cycle);
    return rc;
}

static int replay_main(const struct mw_settings *s)
{
    struct mw_layout_input in;
    struct mw_trace t = {0};
    const char *name = mw_setting_text(s, "trace");
    int rc;
    MW_NEED(mw_layout_inputs(s, "trace"));
    MW_NEED(mw_layout_input_open(mw_setting_text(s, "file"), false, &in));
    MW_TRY(rc, parse_trace(in.layout, name, &t));
    rc = replay(s, in.layout, &t, mw_layout_title(name));
end:
    mw_trace_fini(&t);
    mw_layout_input_fini(&in);
    return rc;
}

const struct mw_command mw_command_layout_replay = {
    .name = "layout replay",
    .summary = "steps through a trace and checks each step",
    .text =
        "Plays a trace on a mesh of its own that shares nothing with the search: each "
        "step must be legal and the end must be a wait-for cycle. Exit codes: 1 it is, "
        "as the trace says; 2 a step is not legal; 3 no deadlock at the end.",
    .example = "meshway layout replay one-router.layout stuck.trace",
    .example_does = "every step in words",
    .operand = {"file", "trace"},
    .n_required = 2,
    .main = replay_main,
    MW_LAYOUT_VERB(replay_options),
};
