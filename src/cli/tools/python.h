/* python.h -- commands that are written in Python: sweep, report, compare, bench. Their options stand in
 * tables here as all others do, which help, man pages and completions are made from; the package
 * tools/meshway_sweep parses by the same tables (mw_option_tables_print) and is started in place of
 * this program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PYTHON_H
#define MW_PYTHON_H

#include "cli/option.h"

#include <stdio.h>

MW_BEGIN_DECLS

/* clang-format off */
#define MW_OPTIONS_ASKED                                                                 \
    {.name = "quiet", .letter = 'q', .kind = MW_OPT_FLAG, .section = "general",          \
     .help = "Print results, warnings and errors only"},                                 \
    {.name = "help", .letter = 'h', .kind = MW_OPT_FLAG, .asks = true,                   \
     .help = "Print this and end"}

#define MW_OPTIONS_MPIEXEC                                                               \
    {.name = "mpiexec", .kind = MW_OPT_TEXT, .value = "FILE",                            \
     .help = "The mpiexec; default: the one of the MPI that meshway was built with"},    \
    {.name = "launcher-arg", .kind = MW_OPT_TEXT, .value = "WORD", .repeats = true,      \
     .help = "A word more for mpiexec or srun, such as -bind-to; may be repeated"}
/* clang-format on */

/* Local; never under mpiexec. `word` is the command line from the command's name on, and
 * ends with NULL. Returns only if it failed: MW_ERR_UNAVAILABLE where there is no Python,
 * with what to install. */
int mw_python_start(char *const *word) MW_NODISCARD;

/* For the package: a line of columns, separated by tabs, for each option of each command. The keys
 * of --tune are the table "run --tune". */
void mw_option_tables_print(FILE *f, const struct mw_command *const *commands);

MW_END_DECLS
#endif
