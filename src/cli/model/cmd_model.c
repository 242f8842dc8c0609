/* cmd_model.c -- "meshway model": the paper's machine on paper, beside what was published.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/commands.h"
#include "cli/file_check.h"
#include "cli/model/model_plot.h"
#include "cli/model/model_print.h"
#include "cli/model/model_runs.h"
#include "cli/session.h"

#include "base/mem.h"
#include "io/outfile.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct mw_option options[] = {
    {.name = "figure", .kind = MW_OPT_WORD, .value = "N", .words = "all|3|5|11|12|none",
     .fallback = "all", .section = "what", .help = "Which of the paper's figures"},
    {.name = "parts", .kind = MW_OPT_FLAG,
     .help = "Where the time of a search goes, too"},
    {.name = "constants", .kind = MW_OPT_FLAG,
     .help = "Print the constants instead: value, unit, status, source"},
    {.name = "claims", .kind = MW_OPT_FLAG,
     .help = "Print the table of the paper's claims instead, with verdicts"},
    {.name = "runs", .kind = MW_OPT_TEXT, .value = "FILE", .repeats = true,
     .section = "messages",
     .help = "Scale the messages of this result of 'meshway run'; may be repeated"},
    {.name = "count-hubs", .kind = MW_OPT_FLAG,
     .help = "Generate the graph of --runs again and count what the paper's form with its "
             "hubs would send; it takes about 200 bytes per vertex"},
    {.name = "profile", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Scale this profile; default: the one that comes with the program"},
    {.name = "write-profile", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Write what is scaled, to be read by --profile"},
    {.name = "traffic", .kind = MW_OPT_WORD, .value = "WORD", .words = "auto|hubs|run|all",
     .fallback = "auto",
     .help = "hubs: as counted; run: as sent, bottom-up by bitmap; all: no hubs; auto: hubs "
             "where they are counted"},
    {.name = "node", .kind = MW_OPT_WORD, .value = "WORD", .words = "published|emulated",
     .fallback = "published",
     .help = "Rates of shuffles and of the MPE's records: the paper's, or the emulation's"},
    {.name = "json", .kind = MW_OPT_FLAG, .section = "output",
     .help = "Print one JSON object instead of text"},
    {.name = "csv", .kind = MW_OPT_FLAG, .help = "Print comma-separated lines"},
    {.name = "markdown", .kind = MW_OPT_FLAG,
     .help = "Print constants or claims as a Markdown table"},
    {.name = "svg", .kind = MW_OPT_TEXT, .value = "DIR",
     .help = "Draw figures into DIR/figure-N.svg, too; DIR is made where it is missing"},
    {.name = "force", .letter = 'f', .kind = MW_OPT_FLAG,
     .help = "Overwrite files that exist"},
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {
    {"constants", "claims", "one table at a time"},
    {"runs", "profile", "messages come from one of them"},
    {"constants", "node=emulated", "the table has the fixed ones"},
    {"count-hubs", "!runs", "it counts beside a run"},
    {"json", "csv", "one form at a time"},
    {"json", "markdown", "one form at a time"},
    {"csv", "markdown", "one form at a time"},
    MW_CONFLICTS_COMMON,
};
/* clang-format on */

static bool asked(const struct mw_settings *s, const char *name)
{
    return mw_setting_number(s, name) != 0;
}

/* ---- the model -------------------------------------------------------------------------- */

static int open_profile(const struct mw_settings *s, struct mw_profile *p)
{
    const char *runs = mw_setting_text(s, "runs"),
               *profile = mw_setting_text(s, "profile");
    if (runs != NULL)
        return mw_runs_open(runs, asked(s, "count-hubs"), p);
    return profile != NULL ? mw_profile_open(profile, p) : mw_profile_default(p);
}

static int choose_traffic(const struct mw_settings *s, struct mw_model *m)
{
    const uint64_t word = mw_setting_number(s, "traffic");
    if (word == 0)
        return MW_OK;
    m->traffic = (enum mw_traffic_kind)(word - 1);
    if (m->traffic == MW_TRAFFIC_HUBS && !m->profile->counted)
        return mw_fail(MW_ERR_USAGE, "--traffic hubs: this profile has no count of hubs; "
                                     "--runs with --count-hubs makes one");
    return MW_OK;
}

static bool wants_figure(const struct mw_settings *s, int number)
{
    const char *word = mw_setting_text(s, "figure");
    return strcmp(word, "all") == 0 || atoi(word) == number;
}

/* Figures go to standard output, each drawing and the profile to a file. */
static int refuse_stdout(const struct mw_settings *s)
{
    const char *const profile = mw_setting_text(s, "write-profile");
    const char *const folder = mw_setting_text(s, "svg");
    if (profile != NULL && strcmp(profile, "-") == 0)
        return mw_fail(MW_ERR_USAGE,
                       "--write-profile -: standard output has the figures; "
                       "give a file");
    if (folder != NULL && strcmp(folder, "-") == 0)
        return mw_fail(MW_ERR_USAGE,
                       "--svg -: is a folder, in which each figure has a file");
    return MW_OK;
}

/* ---- files ------------------------------------------------------------------------------ */

/* The profile that is written is none of the files that are read. */
static int spare_inputs(const struct mw_settings *s)
{
    int rc;
    char *runs = NULL, *rest = NULL;
    const char *const written = mw_setting_text(s, "write-profile");
    const char *const list = mw_setting_text(s, "runs");
    MW_TRY(rc, mw_outputs_plain(&written, 1));
    MW_TRY(rc, mw_outputs_spare(&written, 1, mw_setting_text(s, "profile")));
    if (list != NULL && (runs = strdup(list)) == NULL)
        return mw_fail(MW_ERR_NOMEM, "--runs: names of files");
    if (runs != NULL)
        for (char *f = strtok_r(runs, ",", &rest); f != NULL;
             f = strtok_r(NULL, ",", &rest))
            MW_TRY(rc, mw_outputs_spare(&written, 1, f));
end:
    free(runs);
    return rc;
}

static int write_profile(const struct mw_settings *s, const struct mw_profile *p)
{
    int rc;
    char *text = NULL;
    struct mw_outfile f = {0};
    const char *name = mw_setting_text(s, "write-profile");
    if (name == NULL)
        return MW_OK;
    MW_TRY(rc, mw_profile_write(p, &text));
    MW_TRY(rc, mw_outfile_open(&f, name, asked(s, "force")));
    fprintf(f.stream, "%s\n", text);
    MW_TRY(rc, mw_outfile_commit(&f));
end:
    free(text);
    return rc;
}

static int draw(const struct mw_settings *s, const struct mw_figure *f)
{
    int rc = MW_OK;
    char *name = NULL;
    struct mw_outfile file = {0};
    const char *folder = mw_setting_text(s, "svg");
    if (folder == NULL)
        return MW_OK;
    MW_TRY(rc, mw_outfile_folder(folder, 0777));
    const size_t room = strlen(folder) + 32;
    MW_NEW(rc, name, "file name", room);
    snprintf(name, room, "%s/figure-%d.svg", folder, f->number);
    MW_TRY(rc, mw_outfile_open(&file, name, asked(s, "force")));
    mw_plot_svg(f, file.stream);
    MW_TRY(rc, mw_outfile_commit(&file));
end:
    mw_free(name);
    return rc;
}

/* ---- output ----------------------------------------------------------------------------- */

static enum mw_style style_of(const struct mw_settings *s)
{
    return asked(s, "csv")        ? MW_STYLE_CSV
           : asked(s, "markdown") ? MW_STYLE_MARKDOWN
                                  : MW_STYLE_TEXT;
}

static int print_json(json_t *o)
{
    char *text = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    json_decref(o);
    if (text == NULL)
        return mw_fail(MW_ERR_NOMEM, "model: no memory for the JSON text");
    puts(text);
    free(text);
    return MW_OK;
}

static int show_claims(const struct mw_settings *s, const struct mw_model *m)
{
    int rc = MW_OK;
    struct mw_claims *c = NULL;
    MW_NEW(rc, c, "claims", 1);
    mw_claims_make(m, c);
    if (asked(s, "json")) {
        rc = print_json(json_pack("{s:o, s:o}", "profile", mw_model_profile_json(m),
                                  "claims", mw_claims_json(c)));
    } else {
        if (style_of(s) == MW_STYLE_TEXT)
            mw_print_profile(m, stdout);
        mw_print_claims(c, style_of(s), stdout);
    }
end:
    mw_free(c);
    return rc;
}

static void show_figure(const struct mw_settings *s, const struct mw_figure *f,
                        json_t *list)
{
    if (asked(s, "json")) {
        json_array_append_new(list, mw_figure_json(f));
    } else {
        mw_print_figure(f, style_of(s), stdout);
        if (style_of(s) == MW_STYLE_TEXT)
            putchar('\n');
    }
}

static int show_figures(const struct mw_settings *s, const struct mw_model *m)
{
    int rc = MW_OK;
    struct mw_figure *f = NULL;
    json_t *list = json_array();
    const bool json = asked(s, "json"), text = style_of(s) == MW_STYLE_TEXT;
    MW_NEW(rc, f, "figure", 1);
    if (!json && text) {
        mw_print_profile(m, stdout);
        putchar('\n');
    } else if (!json && strcmp(mw_setting_text(s, "figure"), "none") != 0) {
        puts("figure,series,status,x,y,low,high,note");
    }
    for (int i = 0; i < MW_N_FIGURES; i++) {
        if (!wants_figure(s, mw_figure_numbers[i]))
            continue;
        mw_figure_make(m, mw_figure_numbers[i], f);
        MW_TRY(rc, draw(s, f));
        show_figure(s, f, list);
    }
    if (json)
        rc = print_json(json_pack("{s:o, s:O, s:o}", "profile", mw_model_profile_json(m),
                                  "figures", list, "parts",
                                  asked(s, "parts") ? mw_parts_json(m) : json_null()));
    else if (asked(s, "parts"))
        mw_print_parts(m, style_of(s), stdout);
end:
    json_decref(list);
    mw_free(f);
    return rc;
}

static int show(const struct mw_settings *s, const struct mw_model *m)
{
    if (asked(s, "markdown") && !asked(s, "claims") && !asked(s, "constants"))
        return mw_fail(MW_ERR_USAGE, "--markdown: goes with --claims or --constants");
    if (asked(s, "claims"))
        return show_claims(s, m);
    if (!asked(s, "constants"))
        return show_figures(s, m);
    if (asked(s, "json"))
        return print_json(json_pack("{s:o}", "constants", mw_constants_json()));
    mw_print_constants(style_of(s), stdout);
    return MW_OK;
}

static int model_main(const struct mw_settings *s)
{
    int rc = MW_OK;
    struct mw_model m;
    struct mw_profile *p = NULL;
    if (!mw_session_alone())
        return MW_OK;
    MW_NEW(rc, p, "profile", 1);
    MW_TRY(rc, refuse_stdout(s));
    MW_TRY(rc, spare_inputs(s));
    MW_TRY(rc, open_profile(s, p));
    mw_model_init(&m, p);
    if (mw_setting_number(s, "node") != 0)
        mw_model_use_emulation(&m);
    MW_TRY(rc, choose_traffic(s, &m));
    MW_TRY(rc, write_profile(s, p));
    MW_TRY(rc, show(s, &m));
end:
    mw_free(p);
    return rc;
}

const struct mw_command mw_command_model = {
    .name = "model",
    .summary =
        "the paper's machine on paper: curves and claims beside what was published",
    .text =
        "Computes the paper's figures 3, 5, 11 and 12 from fixed constants and from the "
        "messages of real searches, scaled, and prints them beside the published "
        "numbers. "
        "Each number says whether it is published, measured, fitted or modelled; "
        "docs/model.md says what is left out.",
    .example = "meshway model --claims",
    .example_does = "each claim of the paper, what comes out here, and the verdict",
    MW_COMMAND_OPTIONS(options),
    MW_COMMAND_CONFLICTS(conflicts),
    .main = model_main,
};
