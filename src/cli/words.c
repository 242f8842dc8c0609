/* words.c -- see words.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/words.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static bool is_of(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(word + 2, name, length) == 0 &&
           (word[2 + length] == '\0' || word[2 + length] == '=');
}

int mw_words_add(struct mw_words *w, const char *name, const char *value)
{
    const size_t room = strlen(name) + strlen(value) + 4;
    char *word = malloc(room);
    if (word == NULL)
        return mw_fail(MW_ERR_NOMEM, "--%s: a word of %zu bytes", name, room);
    snprintf(word, room, "--%s%s%s", name, *value != '\0' ? "=" : "", value);
    uint32_t at = 0;
    while (at < w->n && !is_of(w->word[at], name))
        at++;
    if (at < w->n)
        free(w->word[at]);
    w->n += at == w->n;
    w->word[at] = word;
    return MW_OK;
}

int mw_words_begin(struct mw_words *w, const struct mw_settings *s)
{
    *w = (struct mw_words){0};
    MW_NEED_NEW(w->word, "words of a command line", 2 * s->command->n_options + 2);
    MW_NEED(mw_words_add(w, s->command->name, ""));
    for (size_t i = 0; i < s->command->n_options; i++) {
        const struct mw_option *o = &s->command->option[i];
        const struct mw_setting *v = &s->value[i];
        if (v->origin == MW_FROM_COMMAND_LINE)
            MW_NEED(mw_words_add(w, o->name, o->kind == MW_OPT_FLAG ? "" : v->text));
    }
    return MW_OK;
}

int mw_words_parse(const struct mw_words *w, const struct mw_settings *s,
                   struct mw_settings *out)
{
    const int rc = mw_options_parse(s->command, (int)w->n, w->word, environ, out);
    out->argc = s->argc; /* as it was typed */
    out->argv = s->argv;
    return rc;
}

void mw_words_free(struct mw_words *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        free(w->word[i]);
    mw_free(w->word);
}
