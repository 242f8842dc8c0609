/* choices.c -- see choices.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of a list; 0: the option takes none, or is not set. */
static uint64_t words_of(const struct mw_settings *s, size_t i)
{
    uint64_t n = 1;
    if (!s->command->option[i].lists || s->value[i].text == NULL)
        return 0;
    for (const char *p = s->value[i].text; *p != '\0'; p++)
        n += *p == ',';
    return n;
}

uint64_t mw_choices_count(const struct mw_settings *s)
{
    uint64_t n = 1;
    for (size_t i = 0; i < s->command->n_options; i++)
        n *= mw_max(1, words_of(s, i));
    return n;
}

/* The word that choice `index` takes from option i's list. */
static const char *word_of(const struct mw_settings *s, size_t i, uint64_t index,
                           size_t *length)
{
    const char *word = s->value[i].text;
    for (size_t later = i + 1; later < s->command->n_options; later++)
        index /= mw_max(1, words_of(s, later));
    for (uint64_t skip = index % words_of(s, i); skip > 0; skip--)
        word += strcspn(word, ",") + 1;
    *length = strcspn(word, ",");
    return word;
}

int mw_choice(const struct mw_settings *s, uint64_t index, struct mw_settings *out)
{
    const struct mw_command *c = s->command;
    *out = *s;
    out->value = calloc(c->n_options, sizeof *out->value);
    if (out->value == NULL)
        return mw_fail(MW_ERR_NOMEM, "settings: %zu options", c->n_options);
    for (size_t i = 0; i < c->n_options; i++) {
        size_t length;
        out->value[i] = s->value[i];
        out->value[i].joined = NULL; /* `text` borrows */
        if (words_of(s, i) < 2)
            continue;
        const char *word = word_of(s, i, index, &length);
        char *alone = strndup(word, length);
        if (alone == NULL)
            return mw_fail(MW_ERR_NOMEM, "settings: a word of %zu bytes", length);
        out->value[i].text = out->value[i].joined = alone;
        out->value[i].number = mw_word_index(c->option[i].words, alone);
    }
    return mw_settings_check(out);
}

void mw_choice_name(const struct mw_settings *s, uint64_t index, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < s->command->n_options && used < room; i++) {
        size_t length;
        if (words_of(s, i) < 2)
            continue;
        const char *word = word_of(s, i, index, &length);
        used += (size_t)snprintf(out + used, room - used, "%s%.*s", used > 0 ? " " : "",
                                 (int)length, word);
    }
}

int mw_choices_refuse(const struct mw_settings *s)
{
    char name[64];
    for (size_t i = 0; i < s->command->n_options; i++)
        if (words_of(s, i) > 1)
            return mw_fail(
                MW_ERR_USAGE, "%s: %s takes one word, not the list '%s'",
                mw_setting_name(s, s->command->option[i].name, name, sizeof name),
                s->command->name, s->value[i].text);
    return MW_OK;
}
