/* network_report.c -- see network_report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/network_report.h"

#include "base/escape.h"
#include "cli/json_field.h"
#include "layouts/routes/rma.h"
#include "layouts/verbs/layout_report.h"
#include "mesh/lang/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLE_SHOWN = 32, CIRCLE_SHOWN = 8 };

/* A cycle of stores alone can always be filled (docs/mesh.md); one with held places only if a
 * trace says so. */
enum mw_explore_verdict mw_network_verdict(const struct mw_network_report *r, int m)
{
    const struct mw_waits *w = &r->waits[m];
    bool held = false;
    if (w->free)
        return r->network.n_multicast + r->network.n_unrouted > 0 ? MW_EXPLORED_BOUNDED
                                                                  : MW_EXPLORED_FREE;
    for (uint32_t i = 0; i < w->n_cycle; i++)
        held = held || mw_place_is_held(&r->trails[m], w->place[i]);
    return (m == (int)r->decides && r->play.verdict == MW_EXPLORED_DEADLOCK) || !held
               ? MW_EXPLORED_DEADLOCK
               : MW_EXPLORED_BOUNDED;
}

/* Remote puts are one model only, with a name of its own. */
static const char *model_name(const struct mw_network_report *r, int m)
{
    return r->form == MW_FROM_RMA ? "rma" : mw_network_model_names[m];
}

/* ---- text ------------------------------------------------------------------------------- */

static void print_verdicts(const struct mw_network_report *r, FILE *out)
{
    enum mw_explore_verdict verdict[MW_N_NETWORK_MODELS];
    const char *name[MW_N_NETWORK_MODELS];
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++) {
        verdict[m] = mw_network_verdict(r, m);
        name[m] = model_name(r, m);
    }
    mw_verdicts_print(verdict, name, r->wanted, MW_N_NETWORK_MODELS, (int)r->decides,
                      out);
}

static void print_change(const struct mw_network_report *r, const struct mw_change *c,
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

static void print_cycle(const struct mw_network_report *r, FILE *out)
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

void mw_network_step_print(const struct mw_network_report *r, uint32_t i, FILE *out)
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

static void print_realised(const struct mw_network_report *r, const char *trace,
                           FILE *out)
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

void mw_network_report_print(const struct mw_network_report *r, const char *title,
                             const char *trace, FILE *out)
{
    const struct mw_network *n = &r->network;
    const struct mw_waits *w = &r->waits[r->decides];
    const char *word = "fix: ";
    char shown[MW_SHOWN_ROOM];
    fprintf(out, "%s: ", mw_shown(title, shown));
    print_verdicts(r, out);
    fprintf(out, "  %u nodes %u places %u routes", n->nodes.n, n->places.n,
            n->n_passages);
    if (w->free)
        fprintf(out, "  rank 0..%u", w->max_rank);
    fputc('\n', out);
    if (!w->free) {
        const uint64_t least = mw_waits_in_flight(&r->trails[r->decides], w);
        print_cycle(r, out);
        if (least > 0)
            fprintf(out,
                    "needs %" PRIu64 " packets in flight; at most %" PRIu64 " is safe\n",
                    least, least - 1);
        print_realised(r, trace, out);
    }
    for (int i = 0; i < MW_NETWORK_CHANGES; i++)
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
    if (r->joins.n_nodes > 0) {
        char of[MW_WORD_SHOWN];
        const char *name[] = {n->nodes.name[r->joins.node],
                              n->places.name[r->joins.place]};
        fprintf(out,
                "needs of the program: %u node%s inputs that share a place on their way "
                "and may not wait for one while another is full (ordered-get; first %s, "
                "through %s)\n",
                r->joins.n_nodes, r->joins.n_nodes == 1 ? " has" : "s have",
                mw_text_show(name[0], strlen(name[0]), shown),
                mw_text_show(name[1], strlen(name[1]), of));
    }
    if (n->n_unrouted > 0)
        fprintf(out,
                "%u packet flows are routed by no box: their arbiters are not known\n",
                n->n_unrouted);
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

static json_t *model_json(const struct mw_network_report *r, int m)
{
    const struct mw_trails *t = &r->trails[m];
    const struct mw_waits *w = &r->waits[m];
    json_t *o =
        json_pack("{s:s, s:I}", "verdict", mw_verdict_words[mw_network_verdict(r, m)],
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
    const uint64_t least = mw_waits_in_flight(t, w);
    json_object_set_new(o, "min_inflight",
                        least > 0 ? json_integer((json_int_t)least) : json_null());
    if (r->play.verdict == MW_EXPLORED_DEADLOCK) {
        json_t *steps = json_array();
        for (uint32_t i = 0; i < r->play.n_steps; i++) {
            PRINTED(one, mw_network_step_print(r, i, f_));
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

int mw_network_report_json(const struct mw_network_report *r, const char *title)
{
    const struct mw_network *n = &r->network;
    json_t *models = json_object(), *fixes = json_array(), *one;
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++)
        if (r->wanted[m])
            json_object_set_new(models, model_name(r, m), model_json(r, m));
    for (int i = 0; i < MW_NETWORK_CHANGES; i++)
        if (r->change[i].kind != MW_CHANGE_NONE) {
            PRINTED(one, print_change(r, &r->change[i], f_));
            json_array_append_new(fixes, json_pack("{s:o, s:b, s:s}", "text", one,
                                                   "proved", 1, "by", "proof"));
        }
    return mw_json_print(json_pack(
        "{s:o, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "file",
        mw_json_bytes(title), "from", mw_network_form_names[r->form], "verdict",
        mw_verdict_words[mw_network_verdict(r, (int)r->decides)], "decided_by",
        model_name(r, (int)r->decides), "nodes", (json_int_t)n->nodes.n, "places",
        (json_int_t)n->places.n, "routes", (json_int_t)n->n_passages, "multicasts",
        (json_int_t)n->n_multicast, "unrouted", (json_int_t)n->n_unrouted, "ordered_get",
        (json_int_t)r->joins.n_nodes, "models", models, "fixes", fixes));
}

/* ---- all that can happen ---------------------------------------------------------------- */

int mw_network_play_print(const struct mw_network_report *r, const char *title, FILE *out)
{
    const struct mw_trails *t = &r->trails[r->decides];
    const struct mw_play *p = &r->play;
    char shown[MW_SHOWN_ROOM];
    if (out == NULL) {
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

/* ---- prose ------------------------------------------------------------------------------ */

/* The cores of the circle; every second place is a hand. */
static void explain_circle(const struct mw_network *n, const struct mw_waits *w,
                           FILE *out)
{
    fprintf(out, "  Deadlock: %u cores put to each other in a circle,\n  ",
            w->n_cycle / 2);
    uint32_t shown = 0;
    for (uint32_t i = 0; i < w->n_cycle && shown < CIRCLE_SHOWN; i++)
        if (w->place[i] >= n->places.n)
            fprintf(out, "%s%s", shown++ > 0 ? " -> " : "",
                    n->nodes.name[w->place[i] - n->places.n]);
    fputs(shown < w->n_cycle / 2 ? " -> ...\n" : ".\n", out);
    fputs("  Each waits for the reply word that the next one counts when it takes a\n"
          "  message, and takes none while it waits itself.\n",
          out);
}

enum { TOLD_MAX = 1 << 17 }; /* 32x32, all to all, would take 5 s */

int mw_rma_explain(const struct mw_layout *l, FILE *out)
{
    int rc = MW_OK;
    struct mw_rma r = {.n_circle = 0};
    const uint64_t n = mw_sources_count(l);
    if (n <= TOLD_MAX)
        MW_TRY(rc, mw_rma_prove(l, MW_NETWORK_DEPTH, &r));
    fputs("\nOn SW26010-Pro\n"
          "  There is no register communication: a core puts straight into the local\n"
          "  store of any other, so each flow is one remote put, and needs no router.\n",
          out);
    if (l->n_broadcasts > 0)
        fputs("  A broadcast is a put to each core that keeps a copy.\n", out);
    if (n > TOLD_MAX)
        fprintf(out,
                "  Not proved here: %" PRIu64 " messages are more than %d.\n"
                "  'meshway layout check --model rma' takes up to %d, and longer.\n",
                n, TOLD_MAX, MW_RMA_FLOWS_MAX);
    else if (r.waits.free)
        fputs("  Free: no core puts to one that puts back to it, directly or through "
              "others.\n",
              out);
    else
        explain_circle(&r.network, &r.waits, out);
end:
    mw_rma_fini(&r);
    return rc;
}
