/* layout_absent.c -- "meshway layout" in a build without the layout tools (MW_WITH_LAYOUTS). A
 * run still reads and proves the layouts that it is given.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/commands.h"

static const struct mw_option options[] = {MW_OPTIONS_COMMON};

static const struct mw_command layout = {
    .name = "layout",
    .summary = "missing in this build: prove, explain and simulate mesh layouts",
    .text =
        "This build has no layout tools. Configure with -DMW_WITH_LAYOUTS=ON and build "
        "again. 'run --layout' needs none of them: it proves a layout itself.",
    .example = "cmake -B build -DMW_WITH_LAYOUTS=ON",
    .example_does = "configures a build that has the layout tools",
    MW_COMMAND_OPTIONS(options),
    .missing = "this build has no layout tools; configure with -DMW_WITH_LAYOUTS=ON",
};

const struct mw_command *const mw_layout_commands[] = {&layout, NULL};
