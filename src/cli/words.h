/* words.h -- a command line made anew: what was typed, and words that a file adds to it.
 *
 *      mw_words_begin() --> mw_words_add(), ... --> mw_words_parse() --> settings
 *
 * The words are parsed like any other, so every check of options holds. What stood in the
 * environment is read again, and is no word here. All functions are local.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_WORDS_H
#define MW_WORDS_H

#include "cli/option.h"

MW_BEGIN_DECLS

struct mw_words {
    char **word; /* owned, with each of them */
    uint32_t n;
};

/* The command's name and what was typed. Room for each option once more. */
int mw_words_begin(struct mw_words *w, const struct mw_settings *s) MW_NODISCARD;
/* "--name=value"; an empty value: "--name", a flag. Takes the place of an earlier word of this name. */
int mw_words_add(struct mw_words *w, const char *name, const char *value) MW_NODISCARD;
/* *out borrows from the words and from `s`, and is freed by mw_settings_fini(). After an error
 * out->command may be NULL: then there is nothing to be freed. */
int mw_words_parse(const struct mw_words *w, const struct mw_settings *s,
                   struct mw_settings *out) MW_NODISCARD;
void mw_words_free(struct mw_words *w); /* also of a zeroed one */

MW_END_DECLS
#endif
