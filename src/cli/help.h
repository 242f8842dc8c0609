/* help.h -- everything that is said about options, from the tables of option.h: help for
 * people at a terminal, a man page, shell completion, and --print-config. Commands come
 * as an array that ends with NULL.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_HELP_H
#define MW_HELP_H

#include "cli/option.h"

#include <stdio.h>

MW_BEGIN_DECLS

/* Whether only verbs of `c` do something: "layout". */
bool mw_command_is_group(const struct mw_command *c);

/* Whether `c` is a verb of `group` ("layout check" of "layout"); NULL: of any. */
bool mw_command_is_verb(const struct mw_command *c, const struct mw_command *group);

void mw_help_short(FILE *f, const struct mw_command *const *commands);
void mw_help_overview(FILE *f, const struct mw_command *const *commands);
/* `commands` is looked through for the verbs of `c`. */
void mw_help_command(FILE *f, const struct mw_command *c,
                     const struct mw_command *const *commands);

/* Names, one a line: what there are pages of. */
void mw_help_names(FILE *f, const struct mw_command *const *commands);

/* The page of the program; the page of one command or verb. */
void mw_help_man(FILE *f, const struct mw_command *const *commands, const char *version);
void mw_help_man_command(FILE *f, const struct mw_command *c,
                         const struct mw_command *const *commands, const char *version);

/* For "bash", "zsh" and "fish"; false: for no such shell. */
bool mw_help_completion(FILE *f, const struct mw_command *const *commands,
                        const char *shell);

/* Each option's value and where it came from. */
void mw_help_config(FILE *f, const struct mw_settings *s);

MW_END_DECLS
#endif
