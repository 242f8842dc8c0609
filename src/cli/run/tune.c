/* tune.c -- see tune.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/tune.h"

#include "algorithms/registry.h"
#include "cli/help_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- Tables ------------------------------------------------------------------------------- */

/* The keys of an algorithm come first, so a key of the run may not have the name of one. */
static void tables_of(const struct mw_algorithm *a, void *options,
                      struct mw_run_options *run, struct mw_keyed out[2])
{
    out[0] = (struct mw_keyed){a->keys, options};
    out[1] = (struct mw_keyed){&mw_run_keys, run};
}

static struct mw_option option_of(const struct mw_key *key)
{
    static const enum mw_option_kind kind[] = {
        [MW_KEY_WORD] = MW_OPT_WORD,   [MW_KEY_COUNT] = MW_OPT_COUNT,
        [MW_KEY_BYTES] = MW_OPT_BYTES, [MW_KEY_REAL] = MW_OPT_REAL,
        [MW_KEY_FORM] = MW_OPT_TEXT,
    };
    return (struct mw_option){.name = key->name,
                              .kind = kind[key->kind],
                              .value = key->value != NULL ? key->value : "WORD",
                              .words = key->words,
                              .min = key->min,
                              .max = key->max,
                              .fallback = key->fallback,
                              .lists = !key->one,
                              .help = key->help};
}

bool mw_tune_key(size_t i, const char **of, struct mw_option *out)
{
    const struct mw_keys *before = NULL, *keys = &mw_run_keys;
    uint32_t next = 0;
    *of = "run";
    while (i >= keys->n) {
        i -= keys->n;
        do { /* one that shares another's table has no keys of its own */
            const struct mw_algorithm *const a = mw_algorithm_at(next++);
            if (a == NULL)
                return false;
            before = keys;
            *of = a->name;
            keys = a->keys;
        } while (keys == NULL || keys == before);
    }
    *out = option_of(&keys->key[i]);
    return true;
}

static void list_keys(FILE *to, const char *of, const struct mw_keys *keys)
{
    fprintf(to, "keys of %s:\n", of);
    for (uint32_t i = 0; keys != NULL && i < keys->n; i++) {
        const struct mw_option o = option_of(&keys->key[i]);
        char form[96], text[768];
        snprintf(form, sizeof form, "%s=%s", o.name, o.value);
        mw_help_option(NULL, &o, text, sizeof text);
        mw_help_row(to, form, text);
    }
    if (keys == NULL)
        fprintf(to, "  none\n");
}

bool mw_tune_list(const struct mw_settings *s, const struct mw_algorithm *a, FILE *to)
{
    char name[96];
    const char *const text = mw_setting_text(s, "tune");
    if (text == NULL || strcmp(text, "help") != 0)
        return false;
    if (to == NULL)
        return true;
    snprintf(name, sizeof name, "algorithm %s", a->name);
    list_keys(to, name, a->keys);
    fputc('\n', to);
    list_keys(to, "a run", &mw_run_keys);
    return true;
}

/* ---- What was given ----------------------------------------------------------------------- */

static const struct mw_key *key_of(const struct mw_algorithm *a, const struct mw_tune *t)
{
    const struct mw_key *key = mw_key_find(a->keys, t->key, t->key_length);
    return key != NULL ? key : mw_key_find(&mw_run_keys, t->key, t->key_length);
}

/* Some value of a list A+B stands there twice. */
static bool repeats(const struct mw_tune *t)
{
    const char *const end = t->value + t->value_length;
    for (const char *a = t->value, *next; a < end; a = next) {
        const size_t n = strcspn(a, "+,");
        next = a + n + 1;
        for (const char *b = next; b < end; b += strcspn(b, "+,") + 1)
            if (strcspn(b, "+,") == n && memcmp(a, b, n) == 0)
                return true;
    }
    return false;
}

int mw_tune_check_lists(const struct mw_settings *s, const struct mw_algorithm *a)
{
    const struct mw_setting_text who = mw_setting_name(s, "tune");
    struct mw_tune t;
    const char *text = mw_setting_text(s, "tune");
    while (mw_tune_next(&text, &t)) {
        const struct mw_key *key = key_of(a, &t);
        if (key == NULL || t.value == NULL ||
            memchr(t.value, '+', t.value_length) == NULL)
            continue;
        if (key->one)
            return mw_fail(MW_ERR_USAGE,
                           "%s: %s takes one value: all ways of a run have one graph",
                           who.text, key->name);
        if (repeats(&t))
            return mw_fail(MW_ERR_USAGE, "%s: %s: '%.*s' names a value twice", who.text,
                           key->name, (int)t.value_length, t.value);
    }
    return MW_OK;
}

/* Does an option of the command line stand for a key of some algorithm? */
static bool is_key_of_any(const char *option)
{
    const struct mw_algorithm *a;
    for (uint32_t i = 0; (a = mw_algorithm_at(i)) != NULL; i++)
        if (mw_key_find(a->keys, option, strlen(option)) != NULL)
            return true;
    return false;
}

/* Several algorithms were asked for, of which each takes the keys that it has: the word is one of a
 * list (choices.h). */
static bool shares(const struct mw_settings *s)
{
    return mw_setting_text(s, "kernels") != NULL &&
           mw_setting_find(s, "kernels")->joined != NULL;
}

const char *mw_kernel_algorithm(const char *text)
{
    return text[0] == '2' ? "bfs" : "sssp";
}

static bool is_of_kernels(const struct mw_tune *t)
{
    const struct mw_algorithm *a;
    for (uint32_t i = 0; (a = mw_algorithm_at(i)) != NULL; i++)
        if ((strcmp(a->name, mw_kernel_algorithm("2")) == 0 ||
             strcmp(a->name, mw_kernel_algorithm("3")) == 0) &&
            mw_key_find(a->keys, t->key, t->key_length) != NULL)
            return true;
    return false;
}

/* Options that set keys, and then those of --tune. */
static int compose_text(const struct mw_tuning *t, const struct mw_settings *s, FILE *f)
{
    const char *const tune = mw_setting_text(s, "tune");
    struct mw_tune one;
    for (size_t i = 0; i < s->command->n_options; i++) {
        const char *const name = s->command->option[i].name;
        if (!mw_setting_given(s, name) || !is_key_of_any(name))
            continue;
        if (mw_key_find(t->algorithm->keys, name, strlen(name)) != NULL)
            fprintf(f, "%s=%s,", name, s->value[i].text);
        else if (!shares(s))
            return mw_fail(MW_ERR_USAGE, "--%s: algorithm %s has no such key", name,
                           t->algorithm->name);
    }
    if (!shares(s))
        fputs(tune != NULL ? tune : "", f);
    for (const char *rest = tune; shares(s) && mw_tune_next(&rest, &one);)
        if (key_of(t->algorithm, &one) != NULL || !is_of_kernels(&one))
            fprintf(f, "%.*s,", (int)(one.value + one.value_length - one.key), one.key);
    return MW_OK;
}

static int compose(struct mw_tuning *t, const struct mw_settings *s)
{
    size_t bytes;
    FILE *f = open_memstream(&t->text, &bytes);
    if (f == NULL)
        return mw_fail(MW_ERR_NOMEM, "no memory for the text of keys");
    const int rc = compose_text(t, s, f);
    const bool bad = ferror(f) != 0;
    return fclose(f) != 0 || bad ? mw_fail(MW_ERR_NOMEM, "no memory for the text of keys")
                                 : rc;
}

int mw_tuning_init(struct mw_tuning *t, const struct mw_settings *s,
                   const struct mw_algorithm *a)
{
    struct mw_keyed of[2];
    *t = (struct mw_tuning){.algorithm = a};
    MW_NEED(compose(t, s));
    if (a->keys != NULL) {
        t->options = malloc(a->keys->options_bytes);
        if (t->options == NULL)
            return mw_fail(MW_ERR_NOMEM, "options of %s: %zu bytes", a->name,
                           a->keys->options_bytes);
    }
    tables_of(a, t->options, &t->run, of);
    mw_keys_default(&of[0]);
    mw_keys_default(&of[1]);
    return mw_keys_read(mw_setting_name(s, "tune").text, t->text, of, 2);
}

void mw_tuning_fini(struct mw_tuning *t)
{
    free(t->text);
    free(t->options);
}

/* ---- What is said of it ------------------------------------------------------------------- */

/* Whether the key has an option of its own, which was given. */
static bool has_option(const struct mw_settings *s, const char *key)
{
    return mw_option_find(s->command, key) != NULL && mw_setting_given(s, key);
}

static json_t *value_json(const struct mw_key *key, const char *text)
{
    uint64_t number;
    double real;
    if (text == NULL)
        return json_null();
    if (key->kind == MW_KEY_REAL &&
        mw_parse_real("", text, -1e300, 1e300, &real) == MW_OK)
        return json_real(real);
    if ((key->kind == MW_KEY_COUNT || key->kind == MW_KEY_BYTES) &&
        mw_parse_bytes("", text, 0, INT64_MAX, &number) == MW_OK)
        return json_integer((json_int_t)number);
    return json_string(text);
}

static json_t *key_json(const struct mw_tuning *t, const struct mw_settings *s,
                        const struct mw_key *key)
{
    static const char *const origins[] = {"default", "environment", "command line"};
    struct mw_tune given;
    char text[128];
    const bool is_given = mw_tune_find(t->text, key->name, &given);
    const char *const option = has_option(s, key->name) ? key->name : "tune";
    const enum mw_origin origin =
        is_given ? mw_setting_find(s, option)->origin : MW_FROM_DEFAULT;
    if (is_given)
        snprintf(text, sizeof text, "%.*s", (int)given.value_length, given.value);
    return json_pack("{s:o, s:s}", "value",
                     value_json(key, is_given ? text : key->fallback), "origin",
                     origins[origin]);
}

json_t *mw_tuning_json(const struct mw_tuning *t, const struct mw_settings *s)
{
    struct mw_run_options run;
    struct mw_keyed of[2];
    json_t *o = json_object();
    tables_of(t->algorithm, t->options, &run, of);
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; of[k].keys != NULL && i < of[k].keys->n; i++)
            json_object_set_new(o, of[k].keys->key[i].name,
                                key_json(t, s, &of[k].keys->key[i]));
    return o;
}

void mw_tuning_idle(const struct mw_tuning *t, const struct mw_settings *s,
                    const struct mw_world *w,
                    void (*say)(void *arg, const char *option, const char *why),
                    void *arg)
{
    struct mw_tune given;
    struct mw_run_options run = t->run;
    struct mw_keyed of[2];
    tables_of(t->algorithm, t->options, &run, of);
    for (const char *rest = t->text; mw_tune_next(&rest, &given);) {
        char key[64], name[160];
        snprintf(key, sizeof key, "%.*s", (int)given.key_length, given.key);
        const char *why = mw_keys_idle(&of[0], w, t->text, key);
        if (why == NULL)
            why = mw_keys_idle(&of[1], w, t->text, key);
        const bool own = has_option(s, key);
        snprintf(name, sizeof name, "%s%s%s", mw_setting_name(s, own ? key : "tune").text,
                 own ? "" : " ", own ? "" : key);
        if (why != NULL)
            say(arg, name, why);
    }
}
