/* cmd_layout_compare.c -- "layout compare": two layouts side by side, as text, JSON and HTML.
 *
 * A row is a question with two answers, and which of them is better where one is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/escape.h"
#include "base/mem.h"
#include "cli/json_field.h"
#include "layouts/draw/escape.h"
#include "layouts/routes/rma.h"
#include "layouts/sim/sim.h"
#include "layouts/verbs/cmd_layout.h"
#include "layouts/verbs/layout_report.h"
#include "layouts/verbs/sim_setup.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { N_SIDES = 2, ANSWER = 48 };
enum better { NO_BETTER, LESS_IS_BETTER, MORE_IS_BETTER };

struct answer {
    char text[ANSWER];
    double value; /* NAN: none */
};

static const struct {
    const char *key, *title;
    enum better better;
} question[] = {
    {"cores", "cores", NO_BETTER},
    {"flows", "flows", NO_BETTER},
    {"hops", "different hops", NO_BETTER},
    {"coupled", "coupled", MORE_IS_BETTER},
    {"decoupled", "decoupled", MORE_IS_BETTER},
    {"link", "link", MORE_IS_BETTER},
    {"rma", "rma (SW26010-Pro)", MORE_IS_BETTER},
    {"safe_window", "messages in flight that are safe", NO_BETTER},
    {"max_rank", "highest rank", NO_BETTER},
    {"single_writer", "one writer per bucket", MORE_IS_BETTER},
    {"two_classes", "cores that must select", LESS_IS_BETTER},
    {"fits", "buckets fit the store", MORE_IS_BETTER},
    {"buckets", "buckets", MORE_IS_BETTER},
    {"bytes_used", "store of the fullest core", LESS_IS_BETTER},
    {"rma_bytes", "rings of puts in the fullest core", LESS_IS_BETTER},
    {"bound", "throughput, modelled", MORE_IS_BETTER},
    {"limit", "limited by", NO_BETTER},
    {"bytes_per_s", "throughput, simulated", MORE_IS_BETTER},
    {"latency_p50", "latency, half of the messages", LESS_IS_BETTER},
    {"latency_p99", "latency, 99 % of the messages", LESS_IS_BETTER},
    {"rma_bytes_per_s", "throughput by puts, simulated", MORE_IS_BETTER},
    {"rma_latency_p50", "latency by puts, half", LESS_IS_BETTER},
    {"rma_latency_p99", "latency by puts, 99 %", LESS_IS_BETTER},
};
enum { N_ROWS = sizeof question / sizeof *question };

struct comparison {
    const char *title[N_SIDES];
    struct answer answer[N_SIDES][N_ROWS];
};

/* ---- one side --------------------------------------------------------------------------- */

struct side {
    struct mw_layout_input in;
    struct mw_layout_report report;
    struct mw_rma rma;
    uint64_t rma_store;
    struct mw_throughput bound;
    struct mw_sim_result sim,
        sim_rma; /* the latter empty where there are too many cores */
};

static void side_fini(struct side *d)
{
    mw_report_fini(&d->report);
    mw_layout_input_fini(&d->in);
    mw_rma_fini(&d->rma);
    mw_sim_result_fini(&d->sim);
    mw_sim_result_fini(&d->sim_rma);
}

/* The same traffic by remote puts, where there are puts for it (mw_puts_make()). */
static int simulate_rma(struct side *d, struct mw_sim_conf conf)
{
    struct mw_puts puts;
    int rc = mw_puts_make(d->in.layout, &puts);
    conf.rings = MW_NETWORK_DEPTH;
    conf.followers = puts.followers;
    conf.send = 0;
    if (rc == MW_OK)
        rc = mw_layout_sim(puts.layout, &conf, &d->sim_rma);
    mw_puts_fini(&puts);
    if (rc != MW_ERR_REFUSED)
        return rc;
    mw_error_clear();
    return MW_OK;
}

static int look_at(const struct mw_settings *s, const char *operand, struct side *d)
{
    const struct mw_report_conf conf = {
        .decides = MW_COUPLED, .wanted = {true, true, true}, .ways = true};
    struct mw_sim_conf sim;
    MW_NEED(mw_layout_input_open(mw_setting_text(s, operand), false, &d->in));
    mw_layout_depths(s, d->in.layout);
    MW_NEED(mw_report_make(d->in.layout, &conf, &d->report));
    MW_NEED(mw_rma_prove(d->in.layout, MW_NETWORK_DEPTH, &d->rma));
    MW_NEED(mw_rma_store(&d->rma.network, d->in.layout->message_bytes, &d->rma_store));
    MW_NEED(mw_layout_throughput(d->in.layout, &d->bound));
    mw_sim_defaults(d->in.layout, &sim);
    sim.cycles = mw_setting_number(s, "cycles");
    sim.seed = mw_setting_number(s, "seed");
    MW_NEED(mw_layout_sim(d->in.layout, &sim, &d->sim));
    return simulate_rma(d, sim);
}

/* ---- answers ---------------------------------------------------------------------------- */

static struct answer number(double value, const char *unit)
{
    struct answer a = {.value = value};
    if (isnan(value))
        snprintf(a.text, sizeof a.text, "-");
    else if (value == floor(value) && value < 1e15)
        snprintf(a.text, sizeof a.text, "%.0f%s", value, unit);
    else
        snprintf(a.text, sizeof a.text, "%.2f%s", value, unit);
    return a;
}

static struct answer word(const char *text, double value)
{
    struct answer a = {.value = value};
    snprintf(a.text, sizeof a.text, "%s", text);
    return a;
}

static struct answer verdict(bool is_free)
{
    return word(is_free ? "free" : "deadlock", is_free);
}

static struct answer yes(bool good)
{
    return word(good ? "yes" : "no", good);
}

/* Throughput and latencies, from injection, at the load that was simulated; returns what follows. */
static struct answer *answer_sim(const struct mw_sim_result *r, struct answer *a)
{
    const double none = (double)NAN;
    const struct mw_latency_class *t = &r->latency.all;
    const bool arrives = t->n > 0 && !r->deadlock;
    *a++ = r->deadlock      ? word("deadlock", 0)
           : r->counted > 0 ? number(r->bytes_per_s * 1e-9, " GB/s")
                            : number(none, "");
    *a++ = number(arrives ? (double)t->injected.p50 : none, " cycles");
    *a++ = number(arrives ? (double)t->injected.p99 : none, " cycles");
    return a;
}

/* In the order of the questions. */
static void answer_all(const struct side *d, struct answer *a)
{
    const struct mw_layout *l = d->in.layout;
    const struct mw_layout_report *r = &d->report;
    const struct mw_proof *p = &r->proof[MW_COUPLED];
    const struct mw_knot *k = &r->knot[MW_COUPLED];
    const bool ways = mw_layout_has_ways(l), is_free = mw_report_is_free(r, MW_COUPLED);
    const double none =
        (double)NAN; /* also: how many a knot takes at least is not known */
    const struct answer *const first = a;
    *a++ = number(mw_mesh_cores(l), "");
    *a++ = number((double)mw_sources_count(l), "");
    *a++ = number((double)r->hazards.n_markers, "");
    for (int m = 0; m < MW_N_MODELS; m++)
        *a++ = verdict(mw_report_is_free(r, (enum mw_mesh_model)m));
    *a++ = verdict(d->rma.waits.free);
    *a++ = is_free ? word("any number", none)
                   : number(ways ? none : (double)(p->min_inflight - 1), "");
    *a++ = number(!is_free ? none : ways ? k->max_rank : p->max_rank, "");
    *a++ = yes(r->n_writers == 0);
    *a++ = number(r->hazards.n_two_classes, "");
    *a++ = yes(r->budget.fits);
    *a++ = number((double)r->budget.buckets, "");
    *a++ = number((double)r->budget.bytes_used, " B");
    *a++ = number((double)d->rma_store, " B");
    *a++ = number(ways ? none : d->bound.bound * 1e-9, " GB/s");
    *a++ = word(d->bound.limit, none);
    a = answer_sim(&d->sim, a);
    a = answer_sim(&d->sim_rma, a);
    assert(a - first == N_ROWS);
    (void)first;
}

/* -1: the first side is better, 1: the second; 0: neither. */
static int who_is_better(const struct comparison *c, int row)
{
    const double a = c->answer[0][row].value, b = c->answer[1][row].value;
    const enum better better = question[row].better;
    if (better == NO_BETTER || isnan(a) || isnan(b) || a == b)
        return 0;
    return (a > b) == (better == MORE_IS_BETTER) ? -1 : 1;
}

/* ---- output ----------------------------------------------------------------------------- */

/* Without its folders: a ready layout's are long. */
static const char *short_title(const struct comparison *c, int side)
{
    const char *slash = strrchr(c->title[side], '/');
    return slash != NULL ? slash + 1 : c->title[side];
}

static void print_text(const struct comparison *c, FILE *out)
{
    char shown[N_SIDES][MW_SHOWN_ROOM];
    fprintf(out, "%-36s%-23s %s\n", "", mw_shown(short_title(c, 0), shown[0]),
            mw_shown(short_title(c, 1), shown[1]));
    for (int i = 0; i < N_ROWS; i++) {
        const int better = who_is_better(c, i);
        char first[ANSWER + 2];
        snprintf(first, sizeof first, "%s%s", c->answer[0][i].text,
                 better < 0 ? " *" : "");
        fprintf(out, "%-36s%-24s%s%s\n", question[i].title, first, c->answer[1][i].text,
                better > 0 ? " *" : "");
    }
}

/* A number, a word, or null. */
static json_t *answer_json(const struct answer *a)
{
    return a->text[0] >= '0' && a->text[0] <= '9' ? json_real(a->value)
           : a->text[0] == '-'                    ? json_null()
                                                  : json_string(a->text);
}

static int print_json(const struct comparison *c)
{
    static const char *const better[] = {"a", NULL, "b"};
    json_t *rows = json_array();
    for (int i = 0; i < N_ROWS; i++) {
        const char *who = better[who_is_better(c, i) + 1];
        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:o, s:o, s:o}", "key", question[i].key, "title",
                            question[i].title, "a", answer_json(&c->answer[0][i]), "b",
                            answer_json(&c->answer[1][i]), "better",
                            who == NULL ? json_null() : json_string(who)));
    }
    return mw_json_print(json_pack("{s:o, s:o, s:o}", "a", mw_json_bytes(c->title[0]),
                                   "b", mw_json_bytes(c->title[1]), "rows", rows));
}

static void put_cell(const char *tag, const char *more, const char *text, FILE *out)
{
    fprintf(out, "<%s%s>", tag, more);
    mw_escape_xml(text, out);
    fprintf(out, "</%s>", tag);
}

static int print_html(const void *what, FILE *out)
{
    const struct comparison *c = what;
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>Two mesh layouts</title>\n<style>\n"
          "body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: "
          "56rem; "
          "padding: 0 1rem; color: #1c1f24; background: #fff }\n"
          "table { border-collapse: collapse; width: 100% }\n"
          "th, td { text-align: left; padding: .35rem .75rem; border-bottom: 1px solid "
          "#d8dbe0; "
          "overflow-wrap: anywhere }\n"
          ".better { font-weight: 600; background: #e6f4ea }\n"
          ".better::after { content: \" (better)\"; font-weight: 400 }\n"
          "@media (prefers-color-scheme: dark) { body { color: #e6e8eb; background: "
          "#16181c }\n"
          "th, td { border-color: #3a3f47 } .better { background: #1f3a29 } }\n"
          "</style></head><body>\n<table>\n<thead><tr><td></td>",
          out);
    for (int i = 0; i < N_SIDES; i++)
        put_cell("th", " scope=\"col\"", short_title(c, i), out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < N_ROWS; i++) {
        const int better = who_is_better(c, i);
        fputs("<tr>", out);
        put_cell("th", " scope=\"row\"", question[i].title, out);
        put_cell("td", better < 0 ? " class=\"better\"" : "", c->answer[0][i].text, out);
        put_cell("td", better > 0 ? " class=\"better\"" : "", c->answer[1][i].text, out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n</body></html>\n", out);
    return MW_OK;
}

/* ---- the verb --------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option compare_options[] = {
    MW_OPTION_LAYOUT,
    {.name = "other", .kind = MW_OPT_TEXT, .value = "OTHER", .ready = true,
     .help = "The layout beside it; also the name of a ready one"},
    MW_OPTION_CYCLES("Cycles to run each at most"),
    MW_OPTION_SEED,
    MW_OPTIONS_DEPTH,
    {.name = "html", .kind = MW_OPT_TEXT, .value = "FILE", .section = "output",
     .help = "Write the table as a page of its own"},
    MW_OPTION_JSON,
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};
/* clang-format on */

static int compare_main(const struct mw_settings *s)
{
    static const char *const outputs[] = {"html", NULL};
    static const char *const operand[N_SIDES] = {"file", "other"};
    struct side *side = NULL;
    struct comparison c;
    const bool json = mw_setting_number(s, "json") != 0;
    bool is_free = true;
    int rc;
    MW_NEED(mw_layout_outputs(s, outputs, json));
    MW_NEED(mw_layout_inputs(s, "other"));
    MW_NEW(rc, side, "two layouts", N_SIDES);
    for (int i = 0; i < N_SIDES; i++) {
        c.title[i] = mw_layout_title(mw_setting_text(s, operand[i]));
        MW_TRY(rc, look_at(s, operand[i], &side[i]));
        answer_all(&side[i], c.answer[i]);
        is_free = is_free && mw_report_is_free(&side[i].report, MW_COUPLED);
    }
    MW_TRY(rc, mw_layout_write(s, "html", print_html, &c));
    if (json)
        MW_TRY(rc, print_json(&c));
    else
        print_text(&c, mw_layout_report_to(s, outputs));
    rc = is_free ? MW_OK : MW_LAYOUT_DEADLOCK;
end:
    for (int i = 0; side != NULL && i < N_SIDES; i++)
        side_fini(&side[i]);
    mw_free(side);
    return rc;
}

const struct mw_command mw_command_layout_compare = {
    .name = "layout compare",
    .summary = "two layouts side by side",
    .text = "Verdicts of all models, remote puts of SW26010-Pro among them, the budget "
            "of the local stores, and the throughput as modelled and simulated. A star "
            "marks the better one, where one is. Exit codes: 0 both are free, 1 one of "
            "them deadlocks (coupled), 2 bad input.",
    .example = "meshway layout compare paper.layout merged.layout",
    .example_does = "both are free; one is four times as fast",
    .operand = {"file", "other"},
    .n_required = 2,
    .main = compare_main,
    MW_LAYOUT_VERB(compare_options),
};
