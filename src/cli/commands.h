/* commands.h -- the sub-commands, one file and one table each, and the options that
 * several of them share, so that these read the same everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_COMMANDS_H
#define MW_COMMANDS_H

#include "cli/option.h"
#include "graph500/generator.h"

MW_BEGIN_DECLS

extern const struct mw_command mw_command_run;
extern const struct mw_command mw_command_gen;
extern const struct mw_command mw_command_convert;
extern const struct mw_command mw_command_validate;
extern const struct mw_command mw_command_plan;
extern const struct mw_command mw_command_info;
extern const struct mw_command mw_command_model;

/* In Python. */
extern const struct mw_command mw_command_sweep;
extern const struct mw_command mw_command_sweep_weak, mw_command_sweep_strong;
extern const struct mw_command mw_command_sweep_free, mw_command_sweep_run;
extern const struct mw_command mw_command_sweep_plan, mw_command_sweep_resume;
extern const struct mw_command mw_command_sweep_status, mw_command_sweep_collect;
extern const struct mw_command mw_command_report, mw_command_compare;
extern const struct mw_command mw_command_bench, mw_command_bench_gap;

/* "layout" and its verbs: layouts/verbs/, or layout_absent.c. Ends with NULL. */
extern const struct mw_command *const mw_layout_commands[];

enum { MW_EDGEFACTOR_MAX = 1 << 20 };

/* clang-format off */
#define MW_OPTIONS_COMMON                                                                \
    {.name = "quiet", .letter = 'q', .kind = MW_OPT_FLAG, .section = "general",          \
     .help = "Print results, warnings and errors only"},                                 \
    {.name = "verbose", .letter = 'v', .kind = MW_OPT_FLAG,                              \
     .help = "Say more about what is done"},                                             \
    {.name = "print-config", .kind = MW_OPT_FLAG,                                        \
     .help = "Print each option's value and where it comes from, and end"},              \
    {.name = "help", .letter = 'h', .kind = MW_OPT_FLAG, .asks = true,                   \
     .help = "Print this and end"},                                                      \
    {.name = "version", .letter = 'V', .kind = MW_OPT_FLAG, .asks = true,                \
     .help = "Print version, build and libraries (--version --json: as JSON) and end"}

#define MW_CONFLICTS_COMMON                                                              \
    {"quiet", "verbose", "one asks for less, the other for more"}

#define MW_OPTION_SCALE                                                                  \
    {.name = "scale", .letter = 's', .kind = MW_OPT_COUNT, .value = "SCALE", .min = 1,   \
     .max = MW_SCALE_MAX, .section = "graph",                                            \
     .limit = "vertex numbers have 64 bits, and edge counts need the bits above",        \
     .help = "Generate the Kronecker graph of 2^SCALE vertices"}

#define MW_OPTIONS_KRONECKER                                                             \
    {.name = "edgefactor", .letter = 'e', .kind = MW_OPT_COUNT, .value = "EDGEFACTOR",   \
     .fallback = "16", .min = 1, .max = MW_EDGEFACTOR_MAX,                               \
     .help = "Generate EDGEFACTOR edges per vertex"},                                    \
    {.name = "seed1", .kind = MW_OPT_COUNT, .value = "N", .fallback = "2", .min = 0,     \
     .max = INT64_MAX, .help = "First seed of the generator and of the roots"},     \
    {.name = "seed2", .kind = MW_OPT_COUNT, .value = "N", .fallback = "3", .min = 0,     \
     .max = INT64_MAX, .help = "Second seed"}
/* clang-format on */

MW_END_DECLS
#endif
