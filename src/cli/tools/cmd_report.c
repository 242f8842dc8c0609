/* cmd_report.c -- "meshway report" and "meshway compare": what campaigns say. What is done stands in
 * tools/meshway_sweep/; here is what is said about it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/commands.h"
#include "cli/tools/python.h"

static const struct mw_option report_options[] = {
    {.name = "campaign",
     .kind = MW_OPT_TEXT,
     .value = "DIR",
     .section = "campaign",
     .help = "The campaign's directory, one of result files, or a result file"},
    {.name = "table",
     .kind = MW_OPT_TEXT,
     .value = "HEADING",
     .help = "DIR is a page in Markdown: draw its table below HEADING as bars, an SVG"},
    {.name = "out",
     .letter = 'o',
     .kind = MW_OPT_TEXT,
     .value = "DIR",
     .section = "output",
     .help = "Where the page goes, default DIR/report; the picture, default PAGE.svg"},
    {.name = "published",
     .kind = MW_OPT_FLAG,
     .help = "Draw published Graph500 results as lines beside ours, labelled as such"},
    {.name = "force",
     .letter = 'f',
     .kind = MW_OPT_FLAG,
     .help = "Write into a directory that holds other things, too"},
    MW_OPTIONS_ASKED,
};

static const struct mw_option compare_options[] = {
    {.name = "before",
     .kind = MW_OPT_TEXT,
     .value = "A",
     .section = "campaigns",
     .help = "A campaign's directory, or a result file; with --history a folder of them"},
    {.name = "after",
     .kind = MW_OPT_TEXT,
     .value = "B",
     .help = "Another campaign's directory or result file, to compare A with"},
    {.name = "threshold",
     .kind = MW_OPT_REAL,
     .value = "SHARE",
     .fallback = "0.05",
     .max = 1,
     .section = "comparison",
     .help = "Less of a rate than this is no regression"},
    {.name = "floor",
     .kind = MW_OPT_REAL,
     .value = "SHARE",
     .fallback = "0.25",
     .max = 1,
     .help = "The same where a side has run only once: what runs differ by is not known"},
    {.name = "statistic",
     .kind = MW_OPT_WORD,
     .value = "WORD",
     .fallback = "harmonic-mean",
     .words = "harmonic-mean|median",
     .help = "What is compared of the rates of all searches"},
    {.name = "history",
     .kind = MW_OPT_FLAG,
     .section = "over time",
     .help = "Of all results in the folder A: rates by graph and shape, date and commit"},
    {.name = "html",
     .kind = MW_OPT_TEXT,
     .value = "FILE",
     .help = "Write that as a page, too; needs Jinja2"},
    {.name = "json", .kind = MW_OPT_FLAG, .section = "output", .help = "Print JSON"},
    MW_OPTIONS_ASKED,
};

const struct mw_command mw_command_report = {
    .name = "report",
    .summary = "a page with the figures of a campaign",
    .text = "Makes one page of a campaign (meshway sweep) or of result files: it needs "
            "no network "
            "and no script to be read. Needs Python 3.11 with Jinja2, and matplotlib for "
            "figures: without it the page has tables, and says so. Where python3 "
            "lacks one of them, /usr/bin/python3 is taken if it does not.",
    .example = "meshway report first",
    .example_does = "the page of the campaign in the directory 'first'",
    MW_COMMAND_OPTIONS(report_options),
    .operand = {"campaign"},
    .n_required = 1,
    .foreign = true,
};

const struct mw_command mw_command_compare = {
    .name = "compare",
    .summary = "what changed between two campaigns or results, or over time",
    .text = "Says whether two campaigns or result files can be compared, and what is "
            "different. With --history A is a folder of campaigns and result files, and "
            "their rates stand in the order of time. Needs Python 3.11.",
    .example = "meshway compare before after",
    .example_does = "code 1 if something has become slower than by chance",
    MW_COMMAND_OPTIONS(compare_options),
    .operand = {"before", "after"},
    .n_required = 1,
    .foreign = true,
};
