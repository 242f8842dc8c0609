/* choices.c -- see choices.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Choices that an option makes: the words of its list, or the product of the lists of its keys;
 * 0: it takes none, or is not set. */
static uint64_t words_of(const struct mw_settings *s, size_t i)
{
    const struct mw_option *o = &s->command->option[i];
    uint64_t n = 1, in_key = 1;
    if ((!o->lists && !o->keys) || s->value[i].text == NULL)
        return 0;
    for (const char *p = s->value[i].text; *p != '\0'; p++) {
        n += o->lists && *p == ',';
        in_key += o->keys && *p == '+';
        if (o->keys && *p == ',') {
            n *= in_key;
            in_key = 1;
        }
    }
    return n * in_key;
}

uint64_t mw_choices_count(const struct mw_settings *s)
{
    uint64_t n = 1;
    for (size_t i = 0; i < s->command->n_options; i++)
        n *= mw_max(1, words_of(s, i));
    return n;
}

/* The word that is number `index` in a list. */
static const char *word_at(const char *list, char between, uint64_t index, size_t *length)
{
    const char ends[] = {between, ',', '\0'};
    for (; index > 0; index--)
        list += strcspn(list, ends) + 1;
    *length = strcspn(list, ends);
    return list;
}

static uint64_t words_in_key(const char *value)
{
    uint64_t n = 1;
    for (; *value != '\0' && *value != ','; value++)
        n += *value == '+';
    return n;
}

/* "span=whole" of "span=whole+level": each key with the value that the choice takes, or, for a
 * name, only values of lists. The last key varies fastest. */
static size_t take_keys(const char *text, uint64_t index, bool name, char *out,
                        size_t room)
{
    uint64_t later = 1;
    size_t used = 0, length;
    out[0] = '\0';
    for (const char *p = text; *p != '\0'; p++)
        if (p == text || p[-1] == ',')
            later *= words_in_key(p);
    for (const char *p = text; *p != '\0' && used < room; p += *p == ',') {
        const uint64_t n = words_in_key(p);
        const size_t key = strcspn(p, "=,");
        const char *const value = p + key + (p[key] == '=');
        later /= n;
        const char *const word = word_at(value, '+', index / later % n, &length);
        const int shown = name ? 0 : (int)(value - p);
        if (!name || n > 1)
            used += (size_t)snprintf(out + used, room - used, "%s%.*s%.*s",
                                     used == 0 ? ""
                                     : name    ? " "
                                               : ",",
                                     shown, p, (int)length, word);
        p += strcspn(p, ",");
    }
    return used;
}

/* What choice `index` takes from option i: its text, or what tells it from others. */
static size_t take(const struct mw_settings *s, size_t i, uint64_t index, bool name,
                   char *out, size_t room)
{
    size_t length;
    for (size_t later = i + 1; later < s->command->n_options; later++)
        index /= mw_max(1, words_of(s, later));
    index %= words_of(s, i);
    if (s->command->option[i].keys)
        return take_keys(s->value[i].text, index, name, out, room);
    const char *const word = word_at(s->value[i].text, ',', index, &length);
    return (size_t)snprintf(out, room, "%.*s", (int)length, word);
}

int mw_choice(const struct mw_settings *s, uint64_t index, struct mw_settings *out)
{
    const struct mw_command *c = s->command;
    *out = *s;
    out->value = calloc(c->n_options, sizeof *out->value);
    if (out->value == NULL)
        return mw_fail(MW_ERR_NOMEM, "settings: %zu options", c->n_options);
    for (size_t i = 0; i < c->n_options; i++) {
        out->value[i] = s->value[i];
        out->value[i].joined = NULL; /* `text` borrows */
        if (words_of(s, i) < 2)
            continue;
        const size_t room = strlen(s->value[i].text) + 1;
        char *alone = malloc(room);
        if (alone == NULL)
            return mw_fail(MW_ERR_NOMEM, "settings: a word of %zu bytes", room);
        (void)take(s, i, index, false, alone, room);
        out->value[i].text = out->value[i].joined = alone;
        if (c->option[i].lists)
            out->value[i].number = mw_word_index(c->option[i].words, alone);
    }
    return mw_settings_check(out);
}

void mw_choice_name(const struct mw_settings *s, uint64_t index, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < s->command->n_options && used + 1 < room; i++) {
        if (words_of(s, i) < 2)
            continue;
        if (used > 0)
            out[used++] = ' ';
        used += take(s, i, index, true, out + used, room - used);
    }
}

int mw_choices_refuse(const struct mw_settings *s, const char *taken)
{
    for (size_t i = 0; i < s->command->n_options; i++)
        if (words_of(s, i) > 1 &&
            (taken == NULL || strcmp(s->command->option[i].name, taken) != 0))
            return mw_fail(MW_ERR_USAGE, "%s: %s takes one word, not the list '%s'",
                           mw_setting_name(s, s->command->option[i].name).text,
                           s->command->name, s->value[i].text);
    return MW_OK;
}
