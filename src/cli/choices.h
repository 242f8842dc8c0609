/* choices.h -- several ways in one command line: "--engine mpe,cpe --routing direct,relay" is
 * four, of which each has settings of its own, as if it had been asked for alone. So is
 * "--tune span=whole+level,batch=16Ki+64Ki".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CHOICES_H
#define MW_CHOICES_H

#include "cli/option.h"

MW_BEGIN_DECLS

/* The product of the lists' lengths; 1 where there is none. */
uint64_t mw_choices_count(const struct mw_settings *s);

/* Number `index` of them, the last option varying fastest: settings without lists, checked for
 * conflicts, which borrow from `s` and are freed with mw_settings_fini(). */
int mw_choice(const struct mw_settings *s, uint64_t index, struct mw_settings *out)
    MW_NODISCARD;

/* What tells it from the others, the words of the lists: "mpe relay". */
void mw_choice_name(const struct mw_settings *s, uint64_t index, char *out, size_t room);

/* For commands whose options are shared with one that has choices: refuses lists, but of the option
 * `taken`, if that is not NULL. */
int mw_choices_refuse(const struct mw_settings *s, const char *taken) MW_NODISCARD;

MW_END_DECLS
#endif
