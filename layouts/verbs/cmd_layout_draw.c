/* cmd_layout_draw.c -- the verbs that show: map and export.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/json_field.h"
#include "layouts/verbs/layout_report.h"
#include "layouts/verbs/sim_setup.h"

#include "base/escape.h"
#include "base/mem.h"
#include "layouts/draw/draw.h"
#include "layouts/explore/explore.h"
#include "layouts/routes/rma.h"
#include "layouts/ways/knot.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what both show ----------------------------------------------------------------------- */

/* A picture and all it borrows. */
struct studio {
    struct mw_layout_input in;
    struct mw_proof proof[MW_N_MODELS];
    struct mw_rma rma; /* map --model rma: instead of these */
    struct mw_sim_result sim;
    struct mw_film *film;
    struct mw_exploration found; /* how the deadlock of the proof comes about */
    struct mw_picture picture;
};

enum {
    FRAMES = 200,
    STEPS_MAX = 20000 /* of a trace that is played; a longer one takes long to film */
};

static int film(struct studio *d, struct mw_sim_conf *conf)
{
    struct mw_sim_result again = {0};
    int rc;
    MW_TRY(rc, mw_film_new(d->in.layout, d->sim.cycles, FRAMES, &d->film));
    conf->observe = mw_film_observe;
    conf->observe_arg = d->film;
    MW_TRY(rc, mw_layout_sim(d->in.layout, conf, &again)); /* the same once more */
    mw_film_end(d->film);
    d->picture.film = d->film;
end:
    mw_sim_result_fini(&again);
    return rc;
}

static int simulate(const struct mw_settings *s, struct studio *d, bool filmed)
{
    struct mw_sim_conf conf;
    struct mw_puts puts = {NULL};
    int rc;
    MW_TRY(rc, mw_sim_configure(s, d->in.layout, &conf));
    MW_TRY(rc, mw_sim_puts(s, d->in.layout, mw_sim_rings(s), &conf, &puts));
    MW_TRY(rc, mw_layout_sim(puts.layout != NULL ? puts.layout : d->in.layout, &conf,
                             &d->sim));
    d->picture.sim = &d->sim;
    if (filmed)
        rc = film(d, &conf);
end:
    mw_puts_fini(&puts);
    return rc;
}

/* A trace of the cycle that the picture shows; of a layout that is free there is none. */
static int find_trace(struct studio *d)
{
    if (!d->picture.proof->free)
        MW_NEED(mw_witness_realise(d->in.layout, d->picture.proof, 0, &d->found));
    if (d->found.verdict == MW_EXPLORED_DEADLOCK && d->found.trace.n_steps <= STEPS_MAX) {
        d->picture.trace = &d->found.trace;
        d->picture.shortest = d->found.shortest;
    }
    return MW_OK;
}

static int open_studio(const struct mw_settings *s, struct studio *d)
{
    const int model = mw_layout_model(s);
    MW_NEED(mw_layout_input_open(mw_setting_text(s, "file"), false, &d->in));
    mw_layout_depths(s, d->in.layout);
    d->picture.layout = d->in.layout;
    d->picture.title =
        d->in.layout->name[0] != '\0' ? d->in.layout->name : mw_layout_title(d->in.file);
    if (mw_sim_by_puts(s)) {
        d->picture.puts = &d->rma;
        return mw_rma_prove(d->in.layout, MW_NETWORK_DEPTH, &d->rma);
    }
    for (int m = 0; m < MW_N_MODELS; m++) {
        MW_NEED(mw_any_proof_make(d->in.layout, (enum mw_mesh_model)m, &d->proof[m]));
        d->picture.others[m] = &d->proof[m];
    }
    d->picture.proof = &d->proof[model];
    return MW_OK;
}

static void close_studio(struct studio *d)
{
    mw_exploration_fini(&d->found);
    mw_film_free(d->film);
    mw_sim_result_fini(&d->sim);
    for (int m = 0; m < MW_N_MODELS; m++)
        mw_proof_fini(&d->proof[m]);
    mw_rma_fini(&d->rma);
    mw_layout_input_fini(&d->in);
}

/* ---- map -------------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option map_options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_MODEL_OF(MW_MODEL_WORDS "|rma", "coupled",
                       "The model whose cycle is drawn; rma: that, and the simulation, of remote puts"),
    MW_OPTIONS_SIM,
    {.name = "no-sim", .kind = MW_OPT_FLAG, .help = "Roles only, no simulation"},
    {.name = "svg", .kind = MW_OPT_TEXT, .value = "FILE", .section = "output",
     .help = "Draw into this file instead of on the terminal"},
    {.name = "color", .kind = MW_OPT_WORD, .value = "WHEN", .words = "auto|always|never",
     .fallback = "auto", .help = "Colours; auto: on a terminal, unless NO_COLOR is set"},
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict map_conflicts[] = {
    MW_CONFLICTS_SIM,
    MW_CONFLICTS_COMMON,
};
/* clang-format on */

static bool wants_colours(const struct mw_settings *s)
{
    const char *word = mw_setting_text(s, "color"), *no = getenv("NO_COLOR");
    if (strcmp(word, "auto") != 0)
        return strcmp(word, "always") == 0;
    return isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0');
}

static int print_svg(const void *picture, FILE *out)
{
    return mw_draw_svg(picture, out);
}

static int map_main(const struct mw_settings *s)
{
    static const char *const outputs[] = {"svg", NULL};
    struct studio d = {0};
    int rc;
    MW_TRY(rc, mw_layout_outputs(s, outputs, false));
    MW_TRY(rc, open_studio(s, &d));
    if (mw_setting_number(s, "no-sim") == 0)
        MW_TRY(rc, simulate(s, &d, false));
    rc = mw_setting_text(s, "svg") == NULL
             ? mw_draw_map(&d.picture, wants_colours(s), stdout)
             : mw_layout_write(s, "svg", print_svg, &d.picture);
end:
    close_studio(&d);
    return rc;
}

const struct mw_command mw_command_layout_map = {
    .name = "layout map",
    .summary = "heat map on the terminal: busy, blocked, idle per core",
    .text =
        "Simulates the layout and draws what each core did, with the arrows of the "
        "wait-for cycle if there is one; after a deadlock, how each stands in the end. "
        "Exit codes: 0 drawn, 2 bad input.",
    .example = "meshway layout map merged.layout",
    .example_does = "where a layout that is free loses its time",
    MW_VERB_CONFLICTS(map_conflicts),
    MW_VERB_OF_FILE(map_main, map_options),
};

/* ---- export ----------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option export_options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_MODEL("The model whose cycle is drawn"),
    MW_OPTIONS_SIM,
    {.name = "no-sim", .kind = MW_OPT_FLAG, .help = "The layout only, no simulation"},
    {.name = "dot", .kind = MW_OPT_TEXT, .value = "FILE", .section = "output (- is standard output)",
     .help = "Write the hops for Graphviz"},
    {.name = "svg", .kind = MW_OPT_TEXT, .value = "FILE", .help = "Write one picture"},
    {.name = "html", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Write one page that plays the run and the shortest trace; needs no network"},
    {.name = "promela", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Write a model for Spin (coupled)"},
    {.name = "spin-supply", .kind = MW_OPT_COUNT, .value = "N", .min = 1, .max = 1000000,
     .help = "All flows in that model, with N messages each; default: as many as the proof "
             "says can matter"},
    {.name = "json", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Write the flows as a file of one vector, with its verdicts"},
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict export_conflicts[] = {
    MW_CONFLICTS_SIM,
    MW_CONFLICTS_COMMON,
};
/* clang-format on */

enum { FLOWS_MAX = 1 << 20 }; /* of a vector file */

/* NULL: no memory, which is said. */
static json_t *flows_json(const struct mw_layout *l)
{
    mw_core *path = mw_alloc("a flow", l->longest, sizeof *path);
    mw_channel *channel = mw_alloc("a flow", l->longest, sizeof *channel);
    json_t *flows = path != NULL && channel != NULL ? json_array() : NULL;
    char name[MW_NODE_NAME];
    for (uint64_t f = 0; flows != NULL && f < l->n_flows; f++) {
        const uint32_t n = mw_layout_flow_in(l, f, path, channel);
        json_t *flow = json_array();
        for (uint32_t i = 0; i < n; i++) {
            if (i > 0 && channel[i - 1] != (i > 1 ? channel[i - 2] : 0))
                json_array_append_new(
                    flow, json_sprintf("class %s", l->channel_name[channel[i - 1]]));
            json_array_append_new(flow, json_string(mw_core_name(l, path[i], name)));
        }
        json_array_append_new(flows, flow);
    }
    MW_FREE_ALL(path, channel);
    return flows;
}

/* NULL where the layout has none. */
static json_t *classes_json(const struct mw_layout *l)
{
    json_t *classes = *l->channel_name[0] != '\0' ? json_array() : NULL;
    for (uint32_t k = 0; classes != NULL && k < l->n_channels; k++)
        json_array_append_new(classes, json_string(l->channel_name[k]));
    return classes;
}

/* Of several ways, which are no flows. NULL as above. */
static json_t *text_json(const struct mw_layout *l)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&text, &bytes);
    json_t *json = NULL;
    if (f != NULL) {
        mw_layout_print(l, f);
        json = fclose(f) == 0 ? json_stringn(text, bytes) : NULL;
    }
    if (json == NULL)
        (void)mw_fail(MW_ERR_NOMEM, "--json: no memory");
    free(text);
    return json;
}

static int print_vector(const struct studio *d, uint32_t rma_circle, FILE *out)
{
    const struct mw_layout *l = d->in.layout;
    const bool ways = mw_layout_has_ways(l);
    json_t *flows = ways ? text_json(l) : flows_json(l);
    if (flows == NULL)
        return MW_ERR_NOMEM;
    json_t *expect = json_object(), *witness = json_object();
    for (int m = 0; m < MW_N_MODELS; m++) {
        const struct mw_proof *p = &d->proof[m];
        json_object_set_new(expect, mw_vector_models[m],
                            json_string(p->free ? "pass" : "deadlock"));
        if (!p->free)
            json_object_set_new(witness, mw_vector_models[m],
                                mw_nodes_json(l, p->model, p->node, p->n_cycle));
    }
    json_t *root = json_pack(
        "{s:s, s:[{s:o, s:o, s:i, s:o, s:o*, s:o}], s:[]}", "format",
        "meshshuffle-vectors/1", "layouts", "name", mw_json_bytes(d->picture.title),
        "expect", expect, "rma", (int)rma_circle, "witness", witness, "classes",
        ways ? NULL : classes_json(l), ways ? "text" : "flows", flows, "scripts");
    if (root == NULL)
        return mw_fail(MW_ERR_NOMEM, "--json: no memory");
    json_dumpf(root, out, JSON_INDENT(1));
    fputc('\n', out);
    json_decref(root);
    return MW_OK;
}

static int export_vector(const struct studio *d, FILE *out)
{
    int rc;
    struct mw_rma r = {.n_circle = 0};
    if (d->in.layout->n_flows > FLOWS_MAX)
        return mw_fail(MW_ERR_REFUSED, "--json: more than %d flows", FLOWS_MAX);
    MW_TRY(rc, mw_rma_prove(d->in.layout, MW_NETWORK_DEPTH, &r));
    rc = print_vector(d, r.n_circle, out);
end:
    mw_rma_fini(&r);
    return rc;
}

enum export_format { DOT, SVG, HTML, PROMELA, JSON, N_EXPORTS };
static const char *const export_names[N_EXPORTS + 1] = {"dot",     "svg",  "html",
                                                        "promela", "json", NULL};

/* The flows and the messages of the model are those of a trace into the deadlock. */
static int export_promela(const struct mw_settings *s, const struct studio *d, FILE *out)
{
    struct mw_exploration e = {.verdict = MW_EXPLORED_BOUNDED};
    struct mw_promela_conf conf = {.proof = &d->proof[MW_COUPLED],
                                   .supply =
                                       (uint32_t)mw_setting_number(s, "spin-supply")};
    uint64_t enough;
    int rc = MW_OK;
    if (!conf.proof->free)
        MW_TRY(rc, mw_witness_realise(d->in.layout, conf.proof, 0, &e));
    if (e.verdict == MW_EXPLORED_DEADLOCK)
        conf.realised = &e.trace;
    if (mw_layout_has_ways(d->in.layout)) {
        rc = conf.proof->free || conf.realised != NULL
                 ? mw_ways_promela(d->in.layout, conf.realised, out)
                 : mw_fail(MW_ERR_REFUSED,
                           "--promela: no trace into the deadlock was found");
        goto end;
    }
    MW_TRY(rc, mw_promela_supply(d->in.layout, &conf, &enough));
    if (conf.supply > 0 && conf.supply < enough)
        fprintf(stderr,
                "meshway: --spin-supply %u: the deadlock takes up to %" PRIu64
                " messages of one flow; with fewer Spin can miss it\n",
                conf.supply, enough);
    rc = mw_layout_promela(d->in.layout, &conf, out);
end:
    mw_exploration_fini(&e);
    return rc;
}

/* A page is called by its file's name: who opens it does not know where that lay. */
static int export_page(const struct studio *d, FILE *out)
{
    struct mw_picture page = d->picture;
    const char *slash = strrchr(page.title, '/');
    page.title = slash != NULL && slash[1] != '\0' ? slash + 1 : page.title;
    return mw_draw_html(&page, out);
}

struct export
{
    const struct mw_settings *s;
    const struct studio *d;
    enum export_format format;
};

static int export_one(const void *what, FILE *out)
{
    const struct export *x = what;
    switch (x->format) {
    case DOT:
        return mw_draw_dot(&x->d->picture, out);
    case SVG:
        return mw_draw_svg(&x->d->picture, out);
    case HTML:
        return export_page(x->d, out);
    case PROMELA:
        return export_promela(x->s, x->d, out);
    default:
        return export_vector(x->d, out);
    }
}

static int export_all(const struct mw_settings *s, const struct studio *d)
{
    int rc = MW_OK;
    for (int f = 0; f < N_EXPORTS && rc == MW_OK; f++) {
        const struct export x = {s, d, (enum export_format)f};
        rc = mw_layout_write(s, export_names[f], export_one, &x);
    }
    return rc;
}

static bool is_given(const struct mw_settings *s, enum export_format f)
{
    return mw_setting_text(s, export_names[f]) != NULL;
}

static int export_main(const struct mw_settings *s)
{
    struct studio d = {0};
    bool any = false;
    int rc;
    for (int f = 0; f < N_EXPORTS; f++)
        any = any || is_given(s, (enum export_format)f);
    if (!any)
        return mw_fail(
            MW_ERR_USAGE,
            "layout export: as what? --svg, --html, --dot, --promela or --json FILE");
    MW_TRY(rc, mw_layout_outputs(s, export_names, false));
    MW_TRY(rc, open_studio(s, &d));
    if (mw_setting_number(s, "no-sim") == 0 && (is_given(s, SVG) || is_given(s, HTML)))
        MW_TRY(rc, simulate(s, &d, is_given(s, HTML)));
    if (is_given(s, HTML))
        MW_TRY(rc, find_trace(&d));
    rc = export_all(s, &d);
end:
    close_studio(&d);
    return rc;
}

const struct mw_command mw_command_layout_export = {
    .name = "layout export",
    .summary = "DOT, SVG, an HTML page that plays, Promela, vectors",
    .text = "Writes the layout in other forms; several at once are fine. Exit codes: 0 "
            "written, 2 bad input.",
    .example = "meshway layout export paper.layout --html paper.html",
    .example_does = "one page to play with in a browser",
    MW_VERB_CONFLICTS(export_conflicts),
    MW_VERB_OF_FILE(export_main, export_options),
};
