/* cmd_layout_check.c -- the verbs that prove: check, explain, verify, budget.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/json_field.h"
#include "layouts/routes/rma.h"
#include "layouts/verbs/cmd_layout.h"
#include "layouts/verbs/layout_report.h"
#include "layouts/verbs/mesh_vectors.h"
#include "layouts/verbs/network_input.h"
#include "layouts/verbs/network_report.h"

#include "base/escape.h"
#include "base/mem.h"
#include "base/plural.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- check ------------------------------------------------------------------------------ */

/* clang-format off */
static const struct mw_option check_options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_VECTOR,
    MW_OPTION_FROM,
    MW_OPTION_MODEL_OF(MW_MODEL_WORDS_ALL "|all", "all",
                       "Models to look at; the exit code follows coupled (with --from link, aie: "
                       "ends), or the one named"),
    MW_OPTIONS_DEPTH,
    {.name = "strict", .kind = MW_OPT_FLAG,
     .help = "Also fail on two writers of a bucket and on a store that is too small"},
    {.name = "no-realise", .kind = MW_OPT_FLAG,
     .help = "Do not look for a trace that reaches the deadlock"},
    MW_OPTION_LIMIT(NULL, "States to visit at most when looking for a trace"),
    MW_OPTION_TRACE,
    {.name = "certificate", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Write the ranks of the deciding model, for 'layout verify'"},
    MW_OPTION_JSON,
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict check_conflicts[] = {
    {"no-realise", "trace", "there is no trace then"},
    {"no-realise", "limit", "nothing is searched then"},
    MW_CONFLICTS_COMMON,
};
/* clang-format on */
static const char *const check_outputs[] = {"certificate", "trace", NULL};

/* The ranks of the deciding model. */
static int print_certificate(const void *what, FILE *out)
{
    const struct mw_layout_report *r = what;
    const enum mw_mesh_model m = r->conf.decides;
    const struct mw_knot *k = &r->knot[m];
    mw_certificate_print(r->layout, m, mw_mesh_nodes(r->layout, m),
                         k->free ? k->used : r->used[m],
                         k->free ? k->rank : r->proof[m].rank, out);
    return MW_OK;
}

static struct mw_report_conf report_conf(const struct mw_settings *s)
{
    const int model = mw_layout_model(s);
    struct mw_report_conf conf = {
        .decides = model == MW_N_MODELS ? MW_COUPLED : (enum mw_mesh_model)model,
        .realise = mw_setting_number(s, "no-realise") == 0,
        .limit = mw_setting_number(s, "limit"),
        .ways = true};
    for (int m = 0; m < MW_N_MODELS; m++)
        conf.wanted[m] = model == MW_N_MODELS || m == model;
    return conf;
}

/* The certificate of a free layout, the trace of one that is not. */
static int write_files(const struct mw_settings *s, const struct mw_layout_report *r)
{
    const bool proved = mw_report_is_free(r, r->conf.decides);
    if (proved)
        MW_NEED(mw_layout_write(s, "certificate", print_certificate, r));
    else if (mw_setting_text(s, "certificate") != NULL)
        mw_layout_not_written("certificate", "the layout is not proved free");
    return mw_layout_write_trace(s, r->layout, &r->realised[r->conf.decides],
                                 proved ? "the layout is free"
                                        : "no trace was found within the limit");
}

/* One layout: everything, printed; the verdict. */
static int check_layout(const struct mw_settings *s, struct mw_layout *l,
                        const char *title, json_t *list)
{
    int rc;
    const struct mw_report_conf conf = report_conf(s);
    struct mw_layout_report r = {0};
    const char *trace = mw_setting_text(s, "trace");
    mw_layout_depths(s, l);
    MW_TRY(rc, mw_report_make(l, &conf, &r));
    const bool realised = r.realised[conf.decides].verdict == MW_EXPLORED_DEADLOCK;
    const bool strict = mw_setting_number(s, "strict") != 0 && !mw_layout_has_ways(l);
    MW_TRY(rc, write_files(s, &r));
    if (list != NULL)
        json_array_append_new(list, mw_report_json(&r, title));
    else
        mw_report_print(&r, title, realised ? trace : NULL,
                        mw_layout_report_to(s, check_outputs));
    rc = mw_layout_verdict_code(mw_report_verdict(&r, conf.decides));
    if (rc == MW_OK && !mw_report_is_sound(&r, strict))
        rc = MW_LAYOUT_DEADLOCK;
end:
    mw_report_fini(&r);
    return rc;
}

/* Vectors whose names begin so; `only` is set when there is exactly one. */
static uint32_t count_selected(const struct mw_vectors *v, const char *prefix,
                               struct mw_vector **only)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->n; i++)
        if (strncmp(v->vector[i].name, prefix, strlen(prefix)) == 0) {
            *only = &v->vector[i];
            n++;
        }
    return n;
}

static int tally_verdict(const struct mw_vector_tally *t)
{
    fprintf(t->out, "%u %s, %u wrong", t->n, mw_plural(t->n, "fact", "facts"),
            t->n_wrong);
    if (t->n_bounded > 0)
        fprintf(t->out, ", %u %s bounded; --limit N raises the limit of states",
                t->n_bounded, mw_plural(t->n_bounded, "search", "searches"));
    fputc('\n', t->out);
    return t->n_wrong > 0     ? MW_LAYOUT_DEADLOCK
           : t->n_bounded > 0 ? MW_LAYOUT_UNDECIDED
                              : MW_OK;
}

/* What a single layout is asked for, but not several at once. */
static const char *const of_one_layout[] = {
    "model", "depth", "send", "strict", "no-realise", "certificate", "trace", NULL};

/* Into the report of the one layout, or alone. */
static void tally_json(const struct mw_vector_tally *t, json_t *list)
{
    if (json_array_size(list) == 0)
        json_array_append_new(list, json_object());
    json_t *o = json_array_get(list, 0);
    json_object_set_new(o, "facts", json_integer(t->n));
    json_object_set_new(o, "wrong", json_integer(t->n_wrong));
    json_object_set_new(o, "bounded", json_integer(t->n_bounded));
}

static int check_vectors(const struct mw_settings *s, struct mw_vectors *v, json_t *list)
{
    int verdict = MW_OK;
    const char *prefix =
        mw_setting_text(s, "vector") != NULL ? mw_setting_text(s, "vector") : "";
    struct mw_vector *only = NULL;
    struct mw_vector_tally t = {
        .out = list != NULL ? stderr : mw_layout_report_to(s, check_outputs),
        .quiet = mw_setting_number(s, "quiet") != 0};
    const uint32_t n = count_selected(v, prefix, &only);
    const uint64_t limit = mw_setting_number(s, "limit");
    if (n == 0)
        return mw_fail(MW_ERR_USAGE, "no vector's name begins with '%s'", prefix);
    if (n == 1 && !only->is_script)
        MW_NEED(verdict = check_layout(s, only->layout, only->name, list));
    else
        MW_NEED(mw_layout_refuse(s, of_one_layout,
                                 "only for a layout, or a NAME that fits one vector"));
    for (uint32_t i = 0; i < v->n; i++)
        if (strncmp(v->vector[i].name, prefix, strlen(prefix)) == 0) {
            MW_NEED(mw_vector_check(&v->vector[i], limit, &t));
            MW_NEED(mw_rma_check_vector(&v->vector[i], limit, &t));
        }
    for (uint32_t side = 2; prefix[0] == '\0' && v->turns.present && side <= 4; side++)
        MW_NEED(mw_vector_turns(&v->turns, side, &t));
    if (list != NULL)
        tally_json(&t, list);
    const int tally = tally_verdict(&t);
    return tally != MW_OK ? tally : verdict;
}

/* The one object of the list; there is none after an error. */
static int print_list(json_t *list, int rc)
{
    if (rc >= MW_OK && json_array_size(list) > 0) {
        const int printed = mw_json_print(json_incref(json_array_get(list, 0)));
        rc = printed < MW_OK ? printed : rc;
    }
    json_decref(list);
    return rc;
}

static int check_one(const struct mw_settings *s, struct mw_layout_input *in,
                     json_t *list)
{
    static const char *const of_vectors[] = {"vector", NULL};
    MW_NEED(mw_layout_refuse(s, of_vectors, "FILE is one layout, not vectors"));
    return check_layout(s, in->layout, mw_layout_title(in->file), list);
}

/* Of one that is proved by its lines there is no trace, and ranks for too many. */
static int check_large(const struct mw_settings *s, struct mw_layout_input *in,
                       json_t *list)
{
    static const char *const of_small[] = {"vector", "certificate", "trace", "limit",
                                           NULL};
    const struct mw_report_conf conf = report_conf(s);
    bool is_free = false;
    MW_NEED(mw_layout_refuse(s, of_small, "not of a mesh beyond 64x64"));
    mw_layout_depths(s, in->layout);
    MW_NEED(mw_lines_check(in->layout, in->rows, in->cols, &conf,
                           mw_layout_title(in->file), stdout, list, &is_free));
    return is_free ? MW_OK : MW_LAYOUT_DEADLOCK;
}

static int check_main(const struct mw_settings *s)
{
    struct mw_layout_input in;
    const bool json = mw_setting_number(s, "json") != 0;
    MW_NEED(mw_layout_outputs(s, check_outputs, json));
    if (mw_network_is_asked(s))
        return mw_network_check(s);
    MW_NEED(mw_layout_model_check(s));
    json_t *list = json ? json_array() : NULL;
    int rc = mw_layout_input_open_large(mw_setting_text(s, "file"), &in);
    if (rc == MW_OK) {
        rc = in.rows > 0     ? check_large(s, &in, list)
             : in.is_vectors ? check_vectors(s, &in.vectors, list)
                             : check_one(s, &in, list);
        mw_layout_input_fini(&in);
    }
    return list != NULL ? print_list(list, rc) : rc;
}

const struct mw_command mw_command_layout_check = {
    .name = "layout check",
    .summary = "proof or shortest cycle in three models, writers, store, hazards",
    .text = "Proves that the layout cannot deadlock, with a rank for every core, or "
            "shows the shortest cycle, the flows that cause it, the least number of "
            "messages that fill it, a trace that reaches it, and edits that were checked "
            "to help. FILE may also hold vectors, which are compared with what they "
            "expect; with --from it holds routes of another tool (docs/mesh-import.md). "
            "Exit codes: 0 free, 1 deadlock or a vector that disagrees, 2 bad input, 3 a "
            "cycle that could not be realised.",
    .example = "meshway layout check one-router.layout --trace stuck.trace",
    .example_does = "the verdict, and the steps that lead into the deadlock",
    MW_VERB_CONFLICTS(check_conflicts),
    .operand = {"file", "vector"},
    .n_required = 1,
    .main = check_main,
    MW_LAYOUT_VERB(check_options),
};

/* ---- explain ---------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option explain_options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_MODEL("The model to explain"),
    MW_OPTIONS_DEPTH,
    MW_OPTIONS_COMMON,
};
/* clang-format on */

static int explain_ways(const struct mw_layout *l, enum mw_mesh_model model)
{
    int rc;
    struct mw_report_conf conf = {.decides = model, .realise = true, .ways = true};
    struct mw_layout_report r = {0};
    conf.wanted[model] = true;
    MW_TRY(rc, mw_report_make(l, &conf, &r));
    mw_ways_explain(&r, stdout);
    MW_TRY(rc, mw_rma_explain(l, stdout));
    rc = mw_layout_verdict_code(mw_report_verdict(&r, model));
end:
    mw_report_fini(&r);
    return rc;
}

static int explain_main(const struct mw_settings *s)
{
    struct mw_layout_input in;
    struct mw_proof p = {0};
    struct mw_exploration e = {.verdict = MW_EXPLORED_DEADLOCK};
    const enum mw_mesh_model model = (enum mw_mesh_model)mw_layout_model(s);
    int rc;
    MW_NEED(mw_layout_input_open(mw_setting_text(s, "file"), false, &in));
    mw_layout_depths(s, in.layout);
    if (mw_layout_has_ways(in.layout)) {
        rc = explain_ways(in.layout, model);
        goto end;
    }
    MW_TRY(rc, mw_proof_make(in.layout, model, &p));
    if (!p.free) /* the verdict is that of check */
        MW_TRY(rc, mw_witness_realise(in.layout, &p, 0, &e));
    const bool open = e.verdict != MW_EXPLORED_DEADLOCK;
    MW_TRY(rc, mw_layout_explain(in.layout, model, open, stdout));
    MW_TRY(rc, mw_rma_explain(in.layout, stdout));
    rc = p.free ? MW_OK : open ? MW_LAYOUT_UNDECIDED : MW_LAYOUT_DEADLOCK;
end:
    mw_exploration_fini(&e);
    mw_proof_fini(&p);
    mw_layout_input_fini(&in);
    return rc;
}

const struct mw_command mw_command_layout_explain = {
    .name = "layout explain",
    .summary = "the proof, or the story of the deadlock, in prose",
    .text =
        "Tells why the layout cannot deadlock, rank by rank, or how it does: who holds "
        "what, who waits for whom, how many messages it takes, what would help. Exit "
        "codes: 0 free, 1 deadlock, 2 bad input, 3 a cycle that could not be realised.",
    .example = "meshway layout explain paper.layout",
    .example_does = "the proof of the paper's layout, for a first reader",
    MW_VERB_OF_FILE(explain_main, explain_options),
};

/* ---- verify ----------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option verify_options[] = {
    MW_OPTION_LAYOUT,
    {.name = "certificate", .kind = MW_OPT_TEXT, .value = "CERTIFICATE",
     .help = "The ranks that 'layout check --certificate' wrote"},
    MW_OPTION_MODEL("The model that it must be of"),
    MW_OPTIONS_DEPTH,
    MW_OPTION_JSON,
    MW_OPTIONS_COMMON,
};
/* clang-format on */

/* rc: MW_OK or MW_ERR_INVALID, with the reason in the recorded error. */
static int print_verification(const struct mw_settings *s, const char *title,
                              const char *name, const struct mw_verification *v, int rc)
{
    const char *model = mw_setting_text(s, "model");
    const bool good = rc == MW_OK;
    const int code = good ? MW_OK : MW_LAYOUT_DEADLOCK;
    char reason[200] = "", shown[MW_SHOWN_ROOM], of[MW_SHOWN_ROOM];
    if (!good)
        snprintf(reason, sizeof reason, "%s", mw_error_text());
    mw_error_clear();
    if (mw_setting_number(s, "json") != 0) {
        rc = mw_json_print(json_pack(
            "{s:o, s:o, s:s, s:s, s:o, s:o}", "file", mw_json_bytes(title), "certificate",
            mw_json_bytes(name), "model", model, "verdict", good ? "verified" : "refused",
            "edges", good ? json_integer((json_int_t)v->n_edges) : json_null(), "reason",
            good ? json_null() : json_string(reason)));
        return rc < MW_OK ? rc : code;
    }
    title = mw_shown(title, shown);
    if (good && v->ways)
        printf(
            "%s: VERIFIED  by the ranks of %s, of each message one way falls in the %s "
            "model (%" PRIu64 " ways)\n",
            title, mw_shown(name, of), model, v->n_edges);
    else if (good)
        printf("%s: VERIFIED  the ranks of %s fall along all %" PRIu64
               " edges of the %s model\n",
               title, mw_shown(name, of), v->n_edges, model);
    else
        printf("%s: REFUSED  %s\n", title, reason);
    return code;
}

static int verify(const struct mw_settings *s, const struct mw_layout *l,
                  const char *title, const char *name)
{
    struct mw_verification v;
    char shown[MW_SHOWN_ROOM];
    char *text = NULL;
    size_t bytes;
    int rc;
    MW_TRY(rc, mw_text_read(name, MW_LAYOUT_BYTES_MAX, &text, &bytes));
    rc =
        mw_certificate_verify(l, (enum mw_mesh_model)mw_layout_model(s), text, bytes, &v);
    if (rc == MW_OK || rc == MW_ERR_INVALID) {
        rc = print_verification(s, title, mw_layout_title(name), &v, rc);
    } else if (rc == MW_ERR_DATA) {
        fprintf(stderr, "%s:%" PRIu64 ": error: %s\n",
                mw_shown(mw_layout_title(name), shown), v.line, mw_error_text());
        mw_error_clear(); /* it has been said */
    }
end:
    mw_free(text);
    return rc;
}

static int verify_main(const struct mw_settings *s)
{
    struct mw_layout_input in;
    int rc;
    MW_NEED(mw_layout_inputs(s, "certificate"));
    MW_NEED(mw_layout_input_open(mw_setting_text(s, "file"), false, &in));
    mw_layout_depths(s, in.layout);
    rc =
        verify(s, in.layout, mw_layout_title(in.file), mw_setting_text(s, "certificate"));
    mw_layout_input_fini(&in);
    return rc;
}

const struct mw_command mw_command_layout_verify = {
    .name = "layout verify",
    .summary = "checks a certificate, with a page of code of its own",
    .text =
        "Walks every flow of the layout and looks whether the ranks of the certificate "
        "fall along each edge of the model's graph. Shares nothing with the prover. Exit "
        "codes: 0 they do, 1 they do not, 2 bad input, or a certificate of another "
        "model.",
    .example = "meshway layout verify paper.layout paper.certificate",
    .example_does = "believes nobody",
    .operand = {"file", "certificate"},
    .n_required = 2,
    .main = verify_main,
    MW_LAYOUT_VERB(verify_options),
};

/* ---- budget ----------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option budget_options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_JSON,
    MW_OPTIONS_COMMON,
};
/* clang-format on */

static void print_budget(const struct mw_layout *l, const struct mw_budget *b)
{
    printf("owners       %" PRIu64 " core%s\n", b->n_owners, b->n_owners == 1 ? "" : "s");
    printf("per bucket   %" PRIu64 " B   %u buffer%s of %u B\n", b->bucket_bytes,
           l->batch_buffers, l->batch_buffers == 1 ? "" : "s", l->batch_bytes);
    printf("store        %" PRIu64 " B   %u B less %u B in reserve\n", b->bytes_free,
           l->spm_bytes, l->spm_reserve);
    printf("fullest      %" PRIu64 " B\n", b->bytes_used);
    printf("buckets      %" PRIu64 " of %" PRIu64 " that fit%s\n", b->buckets,
           b->buckets_fit, b->fits ? "" : "   spm-overflow");
}

static int budget_main(const struct mw_settings *s)
{
    struct mw_layout_input in;
    struct mw_budget b;
    int rc = MW_OK;
    MW_NEED(mw_layout_input_open(mw_setting_text(s, "file"), false, &in));
    mw_layout_budget(in.layout, &b);
    if (mw_setting_number(s, "json") != 0)
        rc = mw_json_print(json_pack(
            "{s:o, s:I, s:I, s:I, s:I, s:I, s:b}", "file",
            mw_json_bytes(mw_layout_title(in.file)), "owners", (json_int_t)b.n_owners,
            "buckets", (json_int_t)b.buckets, "buckets_fit", (json_int_t)b.buckets_fit,
            "bytes_used", (json_int_t)b.bytes_used, "bytes_free",
            (json_int_t)b.bytes_free, "fits", b.fits));
    else
        print_budget(in.layout, &b);
    mw_layout_input_fini(&in);
    return rc < MW_OK ? rc : b.fits ? MW_OK : MW_LAYOUT_DEADLOCK;
}

const struct mw_command mw_command_layout_budget = {
    .name = "layout budget",
    .summary = "how many buckets the local stores hold",
    .text = "The arithmetic of buckets, buffers and local store: owners x (store - "
            "reserve) / (batch x buffers), rounded down per core. Exit codes: 0 it fits, "
            "1 spm-overflow, 2 bad input.",
    .example = "meshway layout budget paper.layout",
    .example_does = "the paper's 1024 buckets",
    MW_VERB_OF_FILE(budget_main, budget_options),
};
