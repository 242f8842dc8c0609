/* help_text.h -- the pieces of which --help, man pages and completions are made.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_HELP_TEXT_H
#define MW_HELP_TEXT_H

#include "cli/option.h"

#include <stdio.h>

MW_BEGIN_DECLS

struct mw_exit_code {
    int code;
    const char *meaning;
};
extern const struct mw_exit_code mw_exit_codes[]; /* ends with a meaning of NULL */

/* " [SCALE [EDGEFACTOR]]", from the table. */
void mw_help_operands(const struct mw_command *c, char *out, size_t room);

/* What an option does, with words, range and default. `c` NULL: it takes no comma list. */
void mw_help_option(const struct mw_command *c, const struct mw_option *o, char *out,
                    size_t room);

/* A row of a list of options, in columns: its form, and what it does. */
void mw_help_row(FILE *f, const char *form, const char *text);

MW_END_DECLS
#endif
