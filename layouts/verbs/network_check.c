/* network_check.c -- "layout check" and "explore" of a network, imported or of remote puts: its
 * verdicts, its shortest cycle, the steps into the deadlock, and changes that were proved to help.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/network_input.h"

#include "base/escape.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/json_field.h"
#include "layouts/routes/play.h"
#include "layouts/routes/rma.h"
#include "layouts/routes/waits.h"
#include "layouts/verbs/cmd_layout.h"
#include "layouts/verbs/layout_report.h"
#include "mesh/lang/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { N_CHANGES = 2, CYCLE_SHOWN = 32 };

struct network_report {
    struct mw_network network;
    struct mw_trails trails[MW_N_NETWORK_MODELS];
    struct mw_waits waits[MW_N_NETWORK_MODELS];
    bool wanted[MW_N_NETWORK_MODELS];
    enum mw_network_form form;
    enum mw_network_model decides;
    struct mw_play play; /* of the deciding model's witness */
    bool realise, passed, shallow;
    struct mw_change change[N_CHANGES];
};

static const char *const verdict_titles[] = {"FREE", "DEADLOCK", "UNDECIDED"};
static const char *const verdict_words[] = {"free", "deadlock", "undecided"};
static const char *const outputs[] = {"trace", NULL};

/* A cycle of stores alone can always be filled (docs/mesh.md); one with held places only if a
 * trace says so. */
static enum mw_explore_verdict verdict_of(const struct network_report *r, int m)
{
    const struct mw_waits *w = &r->waits[m];
    bool held = false;
    if (w->free)
        return r->network.n_multicast > 0 ? MW_EXPLORED_BOUNDED : MW_EXPLORED_FREE;
    for (uint32_t i = 0; i < w->n_cycle; i++)
        held = held || mw_place_is_held(&r->trails[m], w->place[i]);
    return (m == (int)r->decides && r->play.verdict == MW_EXPLORED_DEADLOCK) || !held
               ? MW_EXPLORED_DEADLOCK
               : MW_EXPLORED_BOUNDED;
}

/* Remote puts are one model only, with a name of its own. */
static const char *model_name(const struct network_report *r, int m)
{
    return r->form == MW_FROM_RMA ? "rma" : mw_network_model_names[m];
}

/* ---- text ------------------------------------------------------------------------------- */

static void print_verdicts(const struct network_report *r, FILE *out)
{
    const enum mw_explore_verdict verdict = verdict_of(r, (int)r->decides);
    const char *comma = "";
    fprintf(out, "%s (", verdict_titles[verdict]);
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++)
        if (r->wanted[m] && verdict_of(r, m) == verdict) {
            fprintf(out, "%s%s", comma, model_name(r, m));
            comma = ", ";
        }
    fputc(')', out);
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++)
        if (r->wanted[m] && verdict_of(r, m) != verdict)
            fprintf(out, "   %s: %s", model_name(r, m), verdict_words[verdict_of(r, m)]);
}

static void print_change(const struct network_report *r, const struct mw_change *c,
                         FILE *out)
{
    const struct mw_network *n = &r->network;
    char shown[MW_WORD_SHOWN];
    if (c->kind == MW_CHANGE_DROP) {
        fputs("drop ", out);
        mw_passage_print(n, c->passage, out);
        return;
    }
    const char *name = n->places.name[c->place];
    fputs("give ", out);
    mw_passage_print(n, c->passage, out);
    fprintf(out, " a place of its own instead of %s",
            mw_text_show(name, strlen(name), shown));
    if (n->place[c->place].spare != MW_NO_PLACE)
        fprintf(out, " (arbiter %u is free there)", n->place[c->place].spare);
}

static void print_cycle(const struct network_report *r, FILE *out)
{
    const struct mw_trails *t = &r->trails[r->decides];
    const struct mw_waits *w = &r->waits[r->decides];
    mw_place_print(t, w->place[0], out);
    fprintf(out, " is in a CYCLE of %u:\n", w->n_cycle);
    for (uint32_t i = 0; i < w->n_cycle && i < CYCLE_SHOWN; i++) {
        fprintf(out, "  %u: ", i);
        mw_place_print(t, w->place[i], out);
        fputs(" waits for ", out);
        mw_place_print(t, w->place[i + 1 == w->n_cycle ? 0 : i + 1], out);
        fputs("   ", out);
        mw_passage_print(&r->network, w->why[i], out);
        if (r->network.passage[w->why[i]].line > 0)
            fprintf(out, ", line %u", r->network.passage[w->why[i]].line);
        fputc('\n', out);
    }
    if (w->n_cycle > CYCLE_SHOWN)
        fprintf(out, "  ... and %u more; --json lists all\n", w->n_cycle - CYCLE_SHOWN);
}

static void print_step(const struct network_report *r, uint32_t i, FILE *out)
{
    const struct mw_trails *t = &r->trails[r->decides];
    const struct mw_play_step *s = &r->play.step[i];
    mw_passage_print(&r->network, s->trail, out);
    if (s->at == t->trail[s->trail].n) {
        fputs(" leaves", out);
    } else {
        fputs(" takes ", out);
        mw_place_print(t, t->at[t->trail[s->trail].first + s->at], out);
    }
    if (s->was != MW_NO_PLACE) {
        fputs(", from ", out);
        mw_passage_print(&r->network, s->was, out);
    }
}

static void print_realised(const struct network_report *r, const char *trace, FILE *out)
{
    if (!r->realise)
        return;
    if (r->play.verdict == MW_EXPLORED_DEADLOCK) {
        fprintf(out, "realised in %u steps, %" PRIu64 " packets in flight%s",
                r->play.n_steps, r->play.in_flight,
                r->shallow  ? ", channels of one route passed over, depth 1"
                : r->passed ? ", channels of one route passed over"
                            : "");
        if (trace != NULL)
            fprintf(out, " -> %s", trace);
    } else if (r->play.verdict == MW_EXPLORED_FREE) {
        fprintf(out, "its routes alone never close it: all %" PRIu64 " states were seen",
                r->play.n_states);
    } else {
        fprintf(out, "not realised within %" PRIu64 " states", r->play.n_states);
    }
    fputc('\n', out);
}

static void print_report(const struct network_report *r, const char *title,
                         const char *trace, FILE *out)
{
    const struct mw_network *n = &r->network;
    const struct mw_waits *w = &r->waits[r->decides];
    const char *word = "fix: ";
    char shown[MW_SHOWN_ROOM];
    fprintf(out, "%s: ", mw_shown(title, shown));
    print_verdicts(r, out);
    fprintf(out, "  %u nodes %u channels %u routes", n->nodes.n, n->places.n,
            n->n_passages);
    if (w->free)
        fprintf(out, "  rank 0..%u", w->max_rank);
    fputc('\n', out);
    if (!w->free) {
        print_cycle(r, out);
        print_realised(r, trace, out);
    }
    for (int i = 0; i < N_CHANGES; i++)
        if (r->change[i].kind != MW_CHANGE_NONE) {
            fputs(word, out);
            print_change(r, &r->change[i], out);
            word = ", or ";
        }
    if (word[0] == ',')
        fputs(". (proved)\n", out);
    if (!w->free && r->form == MW_FROM_RMA) /* then no place waits for another */
        fputs(
            "cores that take messages while they wait for a reply word never get there\n",
            out);
    if (n->n_multicast > 0)
        fprintf(
            out,
            "%u routes share a packet with another: each was looked at alone, so a wait "
            "of one branch for the other is not seen\n",
            n->n_multicast);
}

/* ---- JSON ------------------------------------------------------------------------------- */

/* What a printer prints, as a string. */
#define PRINTED(out, ...)                                                                \
    do {                                                                                 \
        char *text_ = NULL;                                                              \
        size_t bytes_;                                                                   \
        FILE *f_ = open_memstream(&text_, &bytes_);                                      \
        if (f_ != NULL) {                                                                \
            __VA_ARGS__;                                                                 \
            fclose(f_);                                                                  \
        }                                                                                \
        (out) = text_ != NULL ? mw_json_bytes(text_) : NULL;                             \
        free(text_);                                                                     \
    } while (0)

static json_t *model_json(const struct network_report *r, int m)
{
    const struct mw_trails *t = &r->trails[m];
    const struct mw_waits *w = &r->waits[m];
    json_t *o = json_pack("{s:s, s:I}", "verdict", verdict_words[verdict_of(r, m)],
                          "edges", (json_int_t)w->n_edges);
    json_t *cycle = json_array(), *why = json_array(), *one;
    for (uint32_t i = 0; i < w->n_cycle; i++) {
        PRINTED(one, mw_place_print(t, w->place[i], f_));
        json_array_append_new(cycle, one);
        const uint32_t passage = w->why[i];
        PRINTED(one, mw_passage_print(&r->network, passage, f_));
        json_array_append_new(why,
                              json_pack("{s:o, s:I}", "route", one, "line",
                                        (json_int_t)r->network.passage[passage].line));
    }
    if (w->free) {
        json_object_set_new(o, "max_rank", json_integer(w->max_rank));
        json_decref(cycle);
        json_decref(why);
        return o;
    }
    json_object_set_new(o, "cycle", cycle);
    json_object_set_new(o, "why", why);
    if (m != (int)r->decides)
        return o;
    json_t *realised = json_null();
    if (r->play.verdict == MW_EXPLORED_DEADLOCK) {
        json_t *steps = json_array();
        for (uint32_t i = 0; i < r->play.n_steps; i++) {
            PRINTED(one, print_step(r, i, f_));
            json_array_append_new(steps, one);
        }
        realised =
            json_pack("{s:I, s:I, s:b, s:b, s:o}", "steps", (json_int_t)r->play.n_steps,
                      "in_flight", (json_int_t)r->play.in_flight, "passed_over",
                      r->passed, "shallow", r->shallow, "trace", steps);
    }
    json_object_set_new(o, "realised", realised);
    return o;
}

static int print_json(const struct network_report *r, const char *title)
{
    const struct mw_network *n = &r->network;
    json_t *models = json_object(), *fixes = json_array(), *one;
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++)
        if (r->wanted[m])
            json_object_set_new(models, model_name(r, m), model_json(r, m));
    for (int i = 0; i < N_CHANGES; i++)
        if (r->change[i].kind != MW_CHANGE_NONE) {
            PRINTED(one, print_change(r, &r->change[i], f_));
            json_array_append_new(fixes, json_pack("{s:o, s:b, s:s}", "text", one,
                                                   "proved", 1, "by", "proof"));
        }
    return mw_json_print(json_pack(
        "{s:o, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:o, s:o}", "file",
        mw_json_bytes(title), "from", mw_network_form_names[r->form], "verdict",
        verdict_words[verdict_of(r, (int)r->decides)], "decided_by",
        model_name(r, (int)r->decides), "nodes", (json_int_t)n->nodes.n, "channels",
        (json_int_t)n->places.n, "routes", (json_int_t)n->n_passages, "multicasts",
        (json_int_t)n->n_multicast, "models", models, "fixes", fixes));
}

/* ---- the verb --------------------------------------------------------------------------- */

static int read_text(const char *file, struct network_report *r)
{
    int rc;
    struct mw_diagnostics *d = NULL;
    char *text = NULL;
    size_t bytes;
    MW_TRY(rc, mw_text_read(file, MW_LAYOUT_BYTES_MAX, &text, &bytes));
    MW_NEW(rc, d, "diagnostics", 1);
    rc = mw_network_read(r->form, text, bytes, &r->network, d);
    mw_diagnostics_show(d, file, NULL, 0, stderr);
    if (rc == MW_ERR_DATA && d->n_errors > 0)
        mw_error_clear(); /* it has been said */
end:
    mw_free(d);
    mw_free(text);
    return rc;
}

static int read_layout(const char *file, struct network_report *r)
{
    struct mw_layout_input in;
    int rc = mw_layout_input_open(file, false, &in);
    if (rc < MW_OK)
        return rc;
    rc = mw_network_rma(in.layout, MW_NETWORK_DEPTH, &r->network);
    mw_layout_input_fini(&in);
    return rc;
}

static int read_network(const struct mw_settings *s, struct network_report *r)
{
    const char *file = mw_setting_text(s, "file");
    const int rc = r->form == MW_FROM_RMA ? read_layout(file, r) : read_text(file, r);
    if (rc == MW_OK && mw_setting_text(s, "depth") != NULL)
        for (uint32_t i = 0; i < r->network.places.n; i++)
            if (!r->network.place[i].held)
                r->network.place[i].depth =
                    (uint32_t)mw_max(mw_setting_number(s, "depth"), 1);
    return rc;
}

/* Which models, and which decides: of routers the links, of cores their ends. */
static int choose_models(const struct mw_settings *s, struct network_report *r)
{
    const char *word = mw_setting_text(s, "model");
    const bool boxes = r->form == MW_FROM_AIE; /* which are no cores */
    /* explore has a default that is none of these */
    const bool all = strcmp(word, "all") == 0 || !mw_setting_given(s, "model");
    int model = 0;
    while (!all && model < MW_N_NETWORK_MODELS &&
           strcmp(word, mw_network_model_names[model]) != 0)
        model++;
    r->decides = r->form == MW_FROM_RMA ? MW_BY_COUPLED
                 : !all                 ? (enum mw_network_model)model
                 : boxes                ? MW_BY_ENDS
                                        : MW_BY_LINK;
    if (r->decides == MW_N_NETWORK_MODELS || (boxes && r->decides == MW_BY_COUPLED))
        return mw_fail(MW_ERR_USAGE, "--model %s: not with --from %s; link, ends%s", word,
                       mw_network_form_names[r->form], boxes ? "" : ", coupled");
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++)
        r->wanted[m] = m == (int)r->decides ||
                       (all && r->form != MW_FROM_RMA && (m != MW_BY_COUPLED || !boxes));
    return MW_OK;
}

static int prove(const struct mw_settings *s, struct network_report *r)
{
    int rc = MW_OK;
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++)
        if (r->wanted[m]) {
            MW_TRY(rc,
                   mw_trails_make(&r->network, (enum mw_network_model)m, &r->trails[m]));
            MW_TRY(rc, mw_waits_make(&r->trails[m], &r->waits[m]));
            r->waits[m].model = (enum mw_network_model)m;
        }
    const struct mw_waits *w = &r->waits[r->decides];
    if (w->free)
        return MW_OK;
    if (r->realise)
        MW_TRY(rc,
               mw_waits_realise(&r->trails[r->decides], w, mw_setting_number(s, "limit"),
                                &r->play, &r->passed, &r->shallow));
    MW_TRY(rc, mw_waits_changes(&r->network, w, r->change));
end:
    return rc;
}

static int write_trace(const struct mw_settings *s, const struct network_report *r)
{
    struct mw_output out;
    const char *name = mw_setting_text(s, "trace");
    if (name == NULL)
        return MW_OK;
    if (r->play.verdict != MW_EXPLORED_DEADLOCK) {
        mw_layout_not_written("trace", "no deadlock was reached");
        return MW_OK;
    }
    const int rc = mw_output_open(name, mw_setting_number(s, "force") != 0, &out);
    if (rc < MW_OK)
        return rc;
    for (uint32_t i = 0; i < r->play.n_steps; i++) {
        fprintf(out.file, "%6u  ", i + 1);
        print_step(r, i, out.file);
        fputc('\n', out.file);
    }
    return mw_output_close(&out, MW_OK);
}

bool mw_network_is_asked(const struct mw_settings *s)
{
    return mw_setting_text(s, "from") != NULL ||
           strcmp(mw_setting_text(s, "model"), "rma") == 0;
}

static int begin(const struct mw_settings *s, const char *const *of_layouts,
                 struct network_report *r)
{
    int rc;
    const char *from = mw_setting_text(s, "from");
    *r = (struct network_report){.play = {.verdict = MW_EXPLORED_BOUNDED}};
    if (from != NULL && strcmp(mw_setting_text(s, "model"), "rma") == 0)
        return mw_fail(MW_ERR_USAGE, "--model rma: of a layout, not with --from");
    r->form = from == NULL ? MW_FROM_RMA : MW_FROM_ROUTES;
    while (from != NULL && strcmp(mw_network_form_names[r->form], from) != 0)
        r->form++;
    MW_TRY(rc,
           mw_layout_refuse(s, of_layouts,
                            from != NULL ? "not with --from" : "not with --model rma"));
    MW_TRY(rc, choose_models(s, r));
    MW_TRY(rc, read_network(s, r));
end:
    return rc;
}

static void finish(struct network_report *r)
{
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++) {
        mw_waits_fini(&r->waits[m]);
        mw_trails_fini(&r->trails[m]);
    }
    mw_play_fini(&r->play);
    mw_network_fini(&r->network);
}

int mw_network_check(const struct mw_settings *s)
{
    static const char *const of_layouts[] = {"vector", "send", "strict", "certificate",
                                             NULL};
    const char *title = mw_layout_title(mw_setting_text(s, "file"));
    struct network_report r;
    int rc;
    MW_TRY(rc, begin(s, of_layouts, &r));
    r.realise = mw_setting_number(s, "no-realise") == 0;
    MW_TRY(rc, prove(s, &r));
    MW_TRY(rc, write_trace(s, &r));
    const bool realised = r.play.verdict == MW_EXPLORED_DEADLOCK;
    if (mw_setting_number(s, "json") != 0)
        MW_TRY(rc, print_json(&r, title));
    else
        print_report(&r, title, realised ? mw_setting_text(s, "trace") : NULL,
                     mw_layout_report_to(s, outputs));
    rc = mw_layout_verdict_code(verdict_of(&r, (int)r.decides));
end:
    finish(&r);
    return rc;
}

static int print_play(const struct mw_settings *s, const struct network_report *r,
                      const char *title)
{
    const struct mw_trails *t = &r->trails[r->decides];
    const struct mw_play *p = &r->play;
    char shown[MW_SHOWN_ROOM];
    if (mw_setting_number(s, "json") != 0) {
        json_t *cycle = json_array(), *one;
        for (uint32_t i = 0; i < p->n_cycle; i++) {
            PRINTED(one, mw_place_print(t, p->cycle[i], f_));
            json_array_append_new(cycle, one);
        }
        return mw_json_print(
            json_pack("{s:o, s:s, s:s, s:I, s:I, s:I, s:o}", "file", mw_json_bytes(title),
                      "model", model_name(r, (int)r->decides), "verdict",
                      mw_explore_verdict_names[p->verdict], "states",
                      (json_int_t)p->n_states, "steps", (json_int_t)p->n_steps,
                      "in_flight", (json_int_t)p->in_flight, "cycle", cycle));
    }
    FILE *out = mw_layout_report_to(s, outputs);
    fprintf(out, "%s: %s (%s)  %" PRIu64 " states", mw_shown(title, shown),
            mw_explore_verdict_names[p->verdict], model_name(r, (int)r->decides),
            p->n_states);
    if (p->verdict == MW_EXPLORED_DEADLOCK) {
        fprintf(out, "  %u steps, %" PRIu64 " in flight\ncycle:", p->n_steps,
                p->in_flight);
        for (uint32_t i = 0; i < p->n_cycle; i++) {
            fputs(i > 0 ? ", " : " ", out);
            mw_place_print(t, p->cycle[i], out);
        }
    } else if (p->verdict == MW_EXPLORED_BOUNDED) {
        fputs(p->n_states == 0 ? ": a state is too large; fewer routes or less --depth"
                               : ": met the limit of states, which --limit N raises",
              out);
    }
    fputc('\n', out);
    return MW_OK;
}

int mw_network_explore(const struct mw_settings *s)
{
    static const char *const of_layouts[] = {"vector", "send", "inflight", "guided",
                                             NULL};
    struct network_report r;
    const struct mw_play_conf conf = {.limit = mw_setting_number(s, "limit")};
    int rc;
    MW_TRY(rc, begin(s, of_layouts, &r));
    MW_TRY(rc, mw_trails_make(&r.network, r.decides, &r.trails[r.decides]));
    MW_TRY(rc, mw_network_play(&r.trails[r.decides], &conf, &r.play));
    MW_TRY(rc, write_trace(s, &r));
    MW_TRY(rc, print_play(s, &r, mw_layout_title(mw_setting_text(s, "file"))));
    rc = mw_layout_verdict_code(r.play.verdict);
    if (rc == MW_OK && r.network.n_multicast > 0)
        rc = MW_LAYOUT_UNDECIDED; /* its branches were played alone */
end:
    finish(&r);
    return rc;
}
