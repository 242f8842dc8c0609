/* help_text.h -- the pieces of which --help, man pages and completions are made.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_HELP_TEXT_H
#define MW_HELP_TEXT_H

#include "cli/option.h"

MW_BEGIN_DECLS

struct mw_exit_code {
    int code;
    const char *meaning;
};
extern const struct mw_exit_code mw_exit_codes[]; /* ends with a meaning of NULL */

/* " [SCALE [EDGEFACTOR]]", from the table. */
void mw_help_operands(const struct mw_command *c, char *out, size_t room);

/* What an option does, with words, range and default. */
void mw_help_option(const struct mw_command *c, const struct mw_option *o, char *out,
                    size_t room);

MW_END_DECLS
#endif
