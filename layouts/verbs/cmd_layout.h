/* cmd_layout.h -- what the verbs of "layout" share: options that read the same everywhere,
 * and looking up their values.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CMD_LAYOUT_H
#define MW_CMD_LAYOUT_H

#include "cli/commands.h"
#include "layouts/verbs/layout_input.h"

#include "layouts/explore/explore.h"

#include <stdio.h>

MW_BEGIN_DECLS

/* One file for each kind of question. */
extern const struct mw_command mw_command_layout_check, mw_command_layout_explain;
extern const struct mw_command mw_command_layout_verify, mw_command_layout_budget;
extern const struct mw_command mw_command_layout_explore, mw_command_layout_replay;
extern const struct mw_command mw_command_layout_sim, mw_command_layout_sweep;
extern const struct mw_command mw_command_layout_curve;
extern const struct mw_command mw_command_layout_map, mw_command_layout_export;
extern const struct mw_command mw_command_layout_fmt, mw_command_layout_gen;
extern const struct mw_command mw_command_layout_compare;

/* clang-format off */
#define MW_OPTION_LAYOUT                                                                 \
    {.name = "file", .kind = MW_OPT_TEXT, .value = "FILE", .section = "layout",          \
     .ready = true,                                                                      \
     .help = "The layout; also the name of a ready one; - reads standard input"}

#define MW_OPTION_VECTOR                                                                 \
    {.name = "vector", .kind = MW_OPT_TEXT, .value = "NAME",                             \
     .help = "Of a file of vectors: those whose name begins so"}

#define MW_MODEL_WORDS "coupled|decoupled|link" /* as mw_mesh_model_names[] */
#define MW_OPTION_MODEL_OF(words_, fallback_, help_)                                     \
    {.name = "model", .letter = 'm', .kind = MW_OPT_WORD, .value = "MODEL",              \
     .words = words_, .fallback = fallback_, .help = help_}
#define MW_OPTION_MODEL(help_) MW_OPTION_MODEL_OF(MW_MODEL_WORDS, "coupled", help_)

#define MW_OPTION_FROM                                                                    \
    {.name = "from", .kind = MW_OPT_WORD, .value = "FORM", .words = "routes|aie|vtr",     \
     .help = "FILE is no layout: a list of routes (CSV, JSON), an AI Engine design, VTR's"}
/* Those of layouts, of remote puts, and of imported networks. */
#define MW_MODEL_WORDS_ALL MW_MODEL_WORDS "|rma|ends"

#define MW_OPTIONS_DEPTH                                                                 \
    {.name = "depth", .kind = MW_OPT_COUNT, .value = "N", .min = 0, .max = MW_FIFO_MAX,  \
     .help = "Depth of all receive FIFOs, in messages; default: the layout's"},          \
    {.name = "send", .kind = MW_OPT_COUNT, .value = "N", .min = 0, .max = MW_FIFO_MAX,   \
     .help = "Depth of the send buffer; default: the layout's"}

#define MW_OPTION_LIMIT(fallback_, help_)                                                \
    {.name = "limit", .kind = MW_OPT_COUNT, .value = "N", .fallback = fallback_,         \
     .min = 1, .max = UINT32_MAX - 1, .help = help_}

#define MW_OPTION_TRACE                                                                  \
    {.name = "trace", .kind = MW_OPT_TEXT, .value = "FILE", .section = "output",         \
     .help = "Write the steps that reach the deadlock, for 'layout replay'"}

#define MW_OPTION_OUTPUT(help_)                                                          \
    {.name = "output", .letter = 'o', .kind = MW_OPT_TEXT, .value = "FILE",              \
     .section = "output", .help = help_}

#define MW_OPTION_FORCE                                                                  \
    {.name = "force", .letter = 'f', .kind = MW_OPT_FLAG,                                \
     .help = "Overwrite files that exist"}

#define MW_OPTION_JSON                                                                   \
    {.name = "json", .kind = MW_OPT_FLAG, .help = "Print one JSON object instead of text"}
/* clang-format on */

/* A command of one file: fields that all verbs set alike. */
#define MW_LAYOUT_VERB(options_)                                                         \
    .option = options_, .n_options = sizeof(options_) / sizeof *(options_),              \
    .exit_code = mw_layout_exit_code

/* Of one that takes FILE and nothing else. */
#define MW_VERB_OF_FILE(main_, options_)                                                 \
    .operand = {"file"}, .n_required = 1, .main = main_, MW_LAYOUT_VERB(options_)

#define MW_VERB_CONFLICTS(conflicts_)                                                    \
    .conflict = conflicts_, .n_conflicts = sizeof(conflicts_) / sizeof *(conflicts_)

/* MW_OK, MW_LAYOUT_DEADLOCK or MW_LAYOUT_UNDECIDED. */
int mw_layout_verdict_code(enum mw_explore_verdict v);

/* The value of --model as a model; "all" is MW_N_MODELS. */
int mw_layout_model(const struct mw_settings *s);
/* MW_ERR_USAGE if it is a model of networks only. */
int mw_layout_model_check(const struct mw_settings *s) MW_NODISCARD;

/* --depth and --send over the layout's own. */
void mw_layout_depths(const struct mw_settings *s, struct mw_layout *l);

/* What an option names, written by print(what, FILE); nothing where it is not given. --force as
 * given; "-" is standard output. */
int mw_layout_write(const struct mw_settings *s, const char *option,
                    int (*print)(const void *what, FILE *out), const void *what)
    MW_NODISCARD;
/* --trace, if there is a deadlock; else says why nothing is written. */
int mw_layout_write_trace(const struct mw_settings *s, const struct mw_layout *l,
                          const struct mw_exploration *e, const char *why) MW_NODISCARD;

/* What a verb would ignore is refused instead: MW_ERR_USAGE if any of these options is on the
 * command line; the list ends in NULL. */
int mw_layout_refuse(const struct mw_settings *s, const char *const *option,
                     const char *why) MW_NODISCARD;
/* Before anything starts: MW_ERR_USAGE if two of these outputs go to one place, or one goes
 * where --json prints (`json`: it does); MW_ERR_CREATE if a file cannot be created, --force as
 * given. The list ends in NULL. */
int mw_layout_outputs(const struct mw_settings *s, const char *const *option, bool json)
    MW_NODISCARD;
/* Where a verb's report goes: to stderr if one of these outputs is standard output. */
FILE *mw_layout_report_to(const struct mw_settings *s, const char *const *option);
/* MW_ERR_USAGE if FILE and the other operand are both standard input. */
int mw_layout_inputs(const struct mw_settings *s, const char *other) MW_NODISCARD;
/* An output that was asked for and is not written: says so, and why. */
void mw_layout_not_written(const char *option, const char *why);

/* "-" as "standard input". */
const char *mw_layout_title(const char *file);

MW_END_DECLS
#endif
