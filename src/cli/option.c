/* option.c -- see option.h. Values go through one function, set_value(), wherever they
 * come from; only the name in front of a message differs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/option.h"

#include "cli/ready_layout.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_NAME = MW_LONGEST_OPTION, FIRST_LONG = 256 };

/* --- names ------------------------------------------------------------------------ */

const struct mw_option *mw_option_find(const struct mw_command *c, const char *name)
{
    for (size_t i = 0; i < c->n_options; i++)
        if (strcmp(c->option[i].name, name) == 0)
            return &c->option[i];
    return NULL;
}

bool mw_option_key(const struct mw_command *c, const char *name, struct mw_option *out)
{
    const char *of;
    for (size_t i = 0; c->key != NULL && c->key(i, &of, out); i++)
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

const struct mw_setting *mw_setting_find(const struct mw_settings *s, const char *name)
{
    const struct mw_option *o = mw_option_find(s->command, name);
    assert(o != NULL);
    return &s->value[o - s->command->option];
}

const char *mw_setting_text(const struct mw_settings *s, const char *name)
{
    return mw_setting_find(s, name)->text;
}

uint64_t mw_setting_number(const struct mw_settings *s, const char *name)
{
    return mw_setting_find(s, name)->number;
}

double mw_setting_real(const struct mw_settings *s, const char *name)
{
    return mw_setting_find(s, name)->real;
}

struct mw_setting_text mw_setting_name(const struct mw_settings *s, const char *name)
{
    struct mw_setting_text out;
    const struct mw_setting *v = mw_setting_find(s, name);
    if (v->origin == MW_FROM_ENVIRONMENT)
        mw_option_variable(name, out.text, sizeof out.text);
    else if (v->operand)
        snprintf(out.text, sizeof out.text, "%s",
                 mw_option_find(s->command, name)->value);
    else
        snprintf(out.text, sizeof out.text, "--%s", name);
    return out;
}

bool mw_setting_given(const struct mw_settings *s, const char *name)
{
    return mw_setting_find(s, name)->origin != MW_FROM_DEFAULT;
}

/* --- values ----------------------------------------------------------------------- */

bool mw_word_is_file(const char *word)
{
    if (strcmp(word, "-") == 0)
        return true;
    if (word[strspn(word, "0123456789.eE+-")] ==
        '\0') /* 20, -3, 1e3; also nothing at all */
        return false;
    return access(word, F_OK) == 0 || strpbrk(word, "./") != NULL;
}

/* Each word once: twice the same variant would only look like two. */
static int set_words(const struct mw_option *o, const char *who, const char *text,
                     struct mw_setting *out)
{
    uint64_t seen = 0, first = 0;
    for (const char *p = text;; p++) {
        char word[LONGEST_NAME];
        const size_t n = strcspn(p, ",");
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        const int rc = mw_parse_word(who, word, o->words, &out->number);
        if (rc < MW_OK)
            return rc;
        if (seen >> out->number & 1)
            return mw_fail(MW_ERR_USAGE, "%s: '%s' names %s twice", who, text, word);
        first = seen == 0 ? out->number : first;
        seen |= UINT64_C(1) << out->number;
        p += n;
        if (*p == '\0')
            break;
    }
    out->number = first;
    return MW_OK;
}

static int set_flag(const char *who, const char *text, struct mw_setting *out)
{
    out->number = mw_word_index("1|yes|true|on", text) != SIZE_MAX;
    return out->number != 0 || *text == '\0' ||
                   mw_word_index("0|no|false|off", text) != SIZE_MAX
               ? MW_OK
               : mw_fail(MW_ERR_USAGE, "%s: '%s' is not an answer; expected yes or no",
                         who, text);
}

/* Adds to the comma list of an option that repeats; a stronger origin starts anew. */
static int set_joined(const struct mw_option *o, const char *text, enum mw_origin origin,
                      struct mw_setting *out)
{
    const bool adds = out->joined != NULL && out->origin == origin;
    const size_t room = (adds ? strlen(out->joined) + 1 : 0) + strlen(text) + 1;
    char *joined = malloc(room);
    if (joined == NULL)
        return mw_fail(MW_ERR_NOMEM, "--%s: %zu bytes", o->name, room);
    snprintf(joined, room, "%s%s%s", adds ? out->joined : "", adds ? "," : "", text);
    free(out->joined);
    out->text = out->joined = joined;
    return MW_OK;
}

static int set_ready(const char *text, struct mw_setting *out)
{
    char *path;
    const int rc = mw_ready_layout_find(text, &path);
    if (rc < MW_OK)
        return rc;
    free(out->joined);
    out->text = out->joined = path;
    return MW_OK;
}

static bool beyond_limit(const struct mw_option *o, const char *text)
{
    if (o->limit == NULL || *text == '\0' || text[strspn(text, "0123456789")] != '\0')
        return false;
    errno = 0;
    return strtoull(text, NULL, 10) > o->max || errno == ERANGE;
}

static int set_value(const struct mw_option *o, const char *who, const char *text,
                     enum mw_origin origin, struct mw_setting *out)
{
    int rc = MW_OK;
    if (beyond_limit(o, text))
        return mw_fail(MW_ERR_REFUSED, "%s: %s is beyond the limit of %" PRIu64 ": %s",
                       who, text, o->max, o->limit);
    switch (o->kind) {
    case MW_OPT_FLAG:
        rc = set_flag(who, text, out);
        break;
    case MW_OPT_COUNT:
        rc = mw_parse_count(who, text, o->min, o->max, &out->number);
        break;
    case MW_OPT_BYTES:
        rc = mw_parse_bytes(who, text, o->min, o->max, &out->number);
        break;
    case MW_OPT_REAL:
        rc = mw_parse_real(who, text, (double)o->min, (double)o->max, &out->real);
        break;
    case MW_OPT_WORD:
        if (o->paths)
            out->number = mw_word_index(o->words, text);
        else
            rc = o->lists ? set_words(o, who, text, out)
                          : mw_parse_word(who, text, o->words, &out->number);
        break;
    case MW_OPT_TEXT:
        if (*text == '\0')
            rc = mw_fail(MW_ERR_USAGE, "%s: is empty; expected %s", who, o->value);
        break;
    }
    if (rc < MW_OK)
        return rc;
    out->text = text;
    if (o->repeats)
        rc = set_joined(o, text, origin, out);
    else if (o->ready)
        rc = set_ready(text, out);
    out->origin = origin;
    return rc;
}

/* --- where values come from -------------------------------------------------------- */

static int read_defaults(const struct mw_command *c, struct mw_setting *value)
{
    int rc = MW_OK;
    for (size_t i = 0; i < c->n_options && rc == MW_OK; i++) {
        const struct mw_option *o = &c->option[i];
        if (o->fallback != NULL)
            rc = set_value(o, o->name, o->fallback, MW_FROM_DEFAULT, &value[i]);
    }
    return rc;
}

/* A variable that the command line outvotes is not looked at, be it right or wrong. */
static int read_environment(const struct mw_command *c, char **env,
                            struct mw_setting *value)
{
    int rc = MW_OK;
    for (size_t i = 0; i < c->n_options; i++) {
        char name[LONGEST_NAME];
        if (c->option[i].asks || value[i].origin == MW_FROM_COMMAND_LINE)
            continue;
        mw_option_variable(c->option[i].name, name, sizeof name);
        for (char **e = env; e != NULL && *e != NULL && rc == MW_OK; e++) {
            const char *text = mw_option_value_of(*e, name);
            if (text != NULL)
                rc = set_value(&c->option[i], name, text, MW_FROM_ENVIRONMENT, &value[i]);
        }
    }
    return rc;
}

/* What getopt could not use: `word` is the argument it stopped at. */
static int refuse(const struct mw_command *c, const char *word, int letter)
{
    if (letter != 0 && letter < FIRST_LONG) {
        const bool digit = isdigit(letter) != 0;
        return mw_fail(MW_ERR_USAGE, "-%c: unknown option%s", letter,
                       digit ? "; a negative operand goes after --" : "");
    }
    char name[LONGEST_NAME];
    struct mw_nearest near = {.given = name};
    const char *first = NULL, *second = NULL;
    struct mw_option key;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    if (mw_option_key(c, name, &key))
        return mw_fail(MW_ERR_USAGE, "--%s: now --tune %s=%s", name, name, key.value);
    for (size_t i = 0; i < c->n_options; i++) {
        const char *known = c->option[i].name;
        mw_nearest_offer(&near, known);
        if (strncmp(known, name, strlen(name)) == 0)
            *(first == NULL ? &first : &second) = known;
    }
    if (second != NULL)
        return mw_fail(MW_ERR_USAGE, "--%s: ambiguous option; did you mean --%s or --%s?",
                       name, first, second);
    if (near.best != NULL)
        return mw_fail(MW_ERR_USAGE, "--%s: unknown option; did you mean --%s?", name,
                       near.best);
    return mw_fail(MW_ERR_USAGE, "--%s: unknown option of '%s'", name, c->name);
}

static int take_option(const struct mw_option *o, const char *text,
                       struct mw_setting *value)
{
    char who[LONGEST_NAME + 3];
    snprintf(who, sizeof who, "--%s", o->name);
    if (o->asks)
        return strcmp(o->name, "help") == 0 ? MW_WANTS_HELP : MW_WANTS_VERSION;
    return set_value(o, who, text == NULL ? "yes" : text, MW_FROM_COMMAND_LINE, value);
}

/* The tables getopt wants, made from ours. */
struct getopt_tables {
    struct option *names;
    char *letters;
};

static int make_tables(const struct mw_command *c, struct getopt_tables *out)
{
    out->names = calloc(c->n_options + 1, sizeof *out->names);
    out->letters = calloc(2 * c->n_options + 2, 1);
    if (out->names == NULL || out->letters == NULL)
        return mw_fail(MW_ERR_NOMEM, "option tables of %zu entries", c->n_options);
    char *p = out->letters;
    *p++ = ':'; /* tell a missing value from an unknown option */
    for (size_t i = 0; i < c->n_options; i++) {
        const struct mw_option *o = &c->option[i];
        const bool flag = o->kind == MW_OPT_FLAG;
        out->names[i] = (struct option){.name = o->name,
                                        .has_arg = flag ? no_argument : required_argument,
                                        .val = FIRST_LONG + (int)i};
        if (o->letter != 0) {
            *p++ = o->letter;
            if (!flag)
                *p++ = ':';
        }
    }
    return MW_OK;
}

static size_t option_of_letter(const struct mw_command *c, int got)
{
    if (got >= FIRST_LONG)
        return (size_t)(got - FIRST_LONG);
    for (size_t i = 0; i < c->n_options; i++)
        if (c->option[i].letter == got)
            return i;
    return SIZE_MAX;
}

static int read_options(const struct mw_command *c, int argc, char **argv,
                        struct mw_setting *value)
{
    struct getopt_tables tables = {0};
    int rc = make_tables(c, &tables);
    optind = 0; /* glibc: forget an earlier parse completely */
    opterr = 0;
    while (rc == MW_OK) {
        const int got = getopt_long(argc, argv, tables.letters, tables.names, NULL);
        if (got == -1)
            break;
        const bool bad = got == '?' || got == ':';
        const size_t i = option_of_letter(c, bad ? optopt : got);
        const char *word =
            argv[optind - 1]; /* what getopt looked at, if it was long ... */
        if (got >= FIRST_LONG && optarg == word)
            word = argv[optind - 2]; /* ... and its value did not stand apart */
        if (got == ':')
            rc = mw_fail(MW_ERR_USAGE, "--%s: needs a value, %s", c->option[i].name,
                         c->option[i].value);
        else if (bad && optopt >= FIRST_LONG)
            rc = mw_fail(MW_ERR_USAGE, "--%s: takes no value", c->option[i].name);
        else if (bad)
            rc = refuse(c, word, optopt);
        else if (got >= FIRST_LONG && strcspn(word + 2, "=") != strlen(c->option[i].name))
            rc = refuse(c, word, 0); /* getopt takes unique prefixes; we do not */
        else
            rc = take_option(&c->option[i], optarg, &value[i]);
    }
    free(tables.names);
    free(tables.letters);
    return rc;
}

/* The name of the option that operand `index` sets. */
static const char *name_of_operand(const struct mw_command *c,
                                   const struct mw_setting *value, int index)
{
    if (index > 0 || c->first_by == NULL)
        return c->operand[index];
    const struct mw_option *by = mw_option_find(c, c->first_by);
    const bool usual = strcmp(value[by - c->option].text, by->fallback) == 0;
    return usual ? c->operand[0] : c->first_else;
}

/* Whether an option has said already what only some kinds have for their first operand. */
static bool has_first(const struct mw_command *c, const struct mw_setting *value)
{
    if (c->first_by == NULL || name_of_operand(c, value, 0) == c->operand[0])
        return false;
    const struct mw_option *o = mw_option_find(c, c->first_else);
    return value[o - c->option].origin == MW_FROM_COMMAND_LINE;
}

static int read_operands(const struct mw_command *c, int argc, char **argv,
                         struct mw_setting *value)
{
    for (int at = optind, index = has_first(c, value); at < argc; at++, index++) {
        if (index == MW_MAX_OPERANDS || c->operand[index] == NULL)
            return mw_fail(MW_ERR_USAGE, "%s: '%s' is one operand too many", c->name,
                           argv[at]);
        const bool is_file =
            index == 0 && c->file_operand != NULL && mw_word_is_file(argv[at]);
        const struct mw_option *o = mw_option_find(
            c, is_file ? c->file_operand : name_of_operand(c, value, index));
        assert(o != NULL);
        if (index == 0 && c->file_operand != NULL && !is_file &&
            isalpha((unsigned char)argv[at][0]))
            return mw_fail(MW_ERR_USAGE, "%s: '%s' is neither %s nor a file that is here",
                           c->name, argv[at], o->value);
        struct mw_setting *v = &value[o - c->option];
        if (v->origin == MW_FROM_COMMAND_LINE)
            return mw_fail(MW_ERR_USAGE, "%s is given twice: --%s %s and operand %s",
                           o->value, o->name, v->text, argv[at]);
        const int rc = set_value(o, o->value, argv[at], MW_FROM_COMMAND_LINE, v);
        if (rc < MW_OK)
            return rc;
        v->operand = true;
    }
    return MW_OK;
}

/* --- what may not stand together --------------------------------------------------- */

static int check_required(const struct mw_settings *s)
{
    const struct mw_command *c = s->command;
    for (int i = 0; i < c->n_required; i++) {
        const char *name = name_of_operand(c, s->value, i);
        if (mw_setting_text(s, name) == NULL)
            return mw_fail(MW_ERR_USAGE,
                           "%s: %s is missing; 'meshway %s --help' says more", c->name,
                           mw_option_find(c, name)->value, c->name);
    }
    return MW_OK;
}

/* One side of a conflict: is it so, and how to name it in the message. */
static bool side_holds(const struct mw_settings *s, const char *side, char *name,
                       size_t room)
{
    const size_t n = strcspn(side, "=");
    char plain[LONGEST_NAME];
    snprintf(plain, sizeof plain, "%.*s", (int)n, side);
    const struct mw_option *o = mw_option_find(s->command, plain);
    assert(o != NULL);
    const struct mw_setting *v = mw_setting_find(s, plain);
    snprintf(name, room, "%s", mw_setting_name(s, plain).text);
    if (name[0] == '-')
        snprintf(name, room, "--%s", side); /* with its word */
    if (v->origin == MW_FROM_DEFAULT || v->text == NULL)
        return false;
    if (side[n] == '=')
        return strcmp(v->text, side + n + 1) == 0;
    return o->kind != MW_OPT_FLAG || v->number != 0;
}

int mw_settings_check(const struct mw_settings *s)
{
    for (size_t i = 0; i < s->command->n_conflicts; i++) {
        const struct mw_conflict *k = &s->command->conflict[i];
        const bool needs = k->b[0] == '!';
        char a[2 * LONGEST_NAME], b[2 * LONGEST_NAME];
        const bool holds_a = side_holds(s, k->a, a, sizeof a);
        const bool holds_b = side_holds(s, k->b + needs, b, sizeof b);
        if (holds_a && needs && !holds_b)
            return mw_fail(MW_ERR_USAGE, "%s needs %s: %s", a, b, k->why);
        if (holds_a && !needs && holds_b)
            return mw_fail(MW_ERR_USAGE, "%s and %s exclude each other: %s", a, b,
                           k->why);
    }
    return MW_OK;
}

/* --- public ----------------------------------------------------------------------- */

int mw_options_parse(const struct mw_command *command, int argc, char **argv, char **env,
                     struct mw_settings *out)
{
    int rc;
    *out = (struct mw_settings){.command = command, .argc = argc, .argv = argv};
    out->value = calloc(command->n_options, sizeof *out->value);
    if (out->value == NULL)
        return mw_fail(MW_ERR_NOMEM, "settings: %zu options", command->n_options);
    if ((rc = read_defaults(command, out->value)) != MW_OK)
        return rc;
    /* The command line first, for its questions: --help must not trip over a variable. */
    if ((rc = read_options(command, argc, argv, out->value)) != MW_OK)
        return rc;
    if ((rc = read_operands(command, argc, argv, out->value)) != MW_OK)
        return rc;
    if ((rc = read_environment(command, env, out->value)) == MW_OK)
        rc = mw_settings_check(out);
    if (rc == MW_OK && mw_option_find(command, "print-config") != NULL &&
        mw_setting_number(out, "print-config") != 0)
        return MW_WANTS_CONFIG;
    return rc == MW_OK ? check_required(out) : rc;
}

void mw_settings_fini(struct mw_settings *s)
{
    for (size_t i = 0; s->value != NULL && i < s->command->n_options; i++)
        free(s->value[i].joined);
    free(s->value);
    s->value = NULL;
}
