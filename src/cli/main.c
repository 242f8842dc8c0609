/* main.c -- finds the command, answers questions that need no MPI, turns a status into
 * an exit code.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/room.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/run/properties.h"
#include "cli/session.h"
#include "cli/tools/python.h"
#include "cli/version.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const struct mw_command *const own_commands[] = {
    &mw_command_run,          &mw_command_gen,          &mw_command_convert,
    &mw_command_validate,     &mw_command_plan,         &mw_command_info,
    &mw_command_sweep,        &mw_command_sweep_weak,   &mw_command_sweep_strong,
    &mw_command_sweep_free,   &mw_command_sweep_run,    &mw_command_sweep_plan,
    &mw_command_sweep_resume, &mw_command_sweep_status, &mw_command_sweep_collect,
    &mw_command_report,       &mw_command_compare,      &mw_command_bench,
    &mw_command_bench_gap,    &mw_command_model,        NULL,
};

/* Those and the layout tools', and NULL. */
static const struct mw_command *commands[64];

static void register_commands(const struct mw_command *const *table)
{
    size_t n = 0;
    while (commands[n] != NULL)
        n++;
    for (; *table != NULL; table++) {
        assert(n + 1 < sizeof commands / sizeof *commands);
        commands[n++] = *table;
    }
}

static const struct mw_command *find_command(const char *name)
{
    for (const struct mw_command **c = commands; *c != NULL; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

/* The command that the first words mean, and how many they are; NULL: none, or a verb is
 * missing or unknown. */
static const struct mw_command *read_command(int n, char **word, int *used)
{
    const struct mw_command *c = n > 0 ? find_command(word[0]) : NULL;
    char both[64];
    *used = 1;
    if (c == NULL || !mw_command_is_group(c))
        return c;
    snprintf(both, sizeof both, "%s %.40s", c->name, n > 1 ? word[1] : "");
    *used = 2;
    return find_command(both);
}

static int unknown_command(const char *name)
{
    struct mw_nearest near = {.given = name};
    for (const struct mw_command **c = commands; *c != NULL; c++)
        mw_nearest_offer(&near, (*c)->name);
    if (near.best != NULL)
        return mw_fail(MW_ERR_USAGE, "'%.60s' is not a command; did you mean '%s'?", name,
                       near.best);
    return mw_fail(MW_ERR_USAGE, "'%.60s' is not a command; 'meshway --help' lists them",
                   name);
}

static int unknown_verb(const struct mw_command *group, const char *verb)
{
    char both[64];
    struct mw_nearest near = {.given = both};
    if (verb == NULL)
        return mw_fail(MW_ERR_USAGE,
                       "%s: needs a verb, as in '%s'; 'meshway %s --help' lists them",
                       group->name, group->example, group->name);
    snprintf(both, sizeof both, "%s %.40s", group->name, verb);
    for (const struct mw_command **c = commands; *c != NULL; c++)
        if (mw_command_is_verb(*c, group))
            mw_nearest_offer(&near, (*c)->name);
    if (near.best != NULL)
        return mw_fail(MW_ERR_USAGE, "'%s' is not a command; did you mean '%s'?", both,
                       near.best);
    return mw_fail(MW_ERR_USAGE,
                   "'%s' is not a command; 'meshway %s --help' lists its verbs", both,
                   group->name);
}

static bool has_word(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

static void warn(const char *text)
{
    fprintf(stderr, "meshway: warning: %s\n", text);
}

/* Says what went wrong, once for all ranks, unless a session has done it. */
static int leave(const struct mw_command *c, int rc, bool speaks)
{
    if (rc >= MW_OK)
        rc = mw_session_flush() < MW_OK ? MW_ERR_IO : rc;
    if (rc < MW_OK && speaks && mw_error_text()[0] != '\0') {
        fprintf(stderr, "meshway: %s\n", mw_error_text());
        mw_session_advise(rc);
    }
    if (c != NULL && c->exit_code != NULL)
        return c->exit_code(rc);
    return rc < MW_OK ? -rc : 0;
}

/* A graph may be given by a file that says more of the settings. One rank alone may not be able to read
 * it, so all hear of that when they have met. */
static int call_main(const struct mw_settings *s)
{
    struct mw_words words = {0};
    struct mw_settings described;
    struct mw_settings typed = *s;
    typed.early = mw_properties_apply(s, &words, &described);
    const bool applies = typed.early == MW_OK && described.command != NULL;
    const int rc = s->command->main(applies ? &described : &typed);
    if (described.command != NULL)
        mw_settings_fini(&described);
    mw_words_free(&words);
    return rc;
}

/* `argv` starts at the command's name, or at the program's if "run" is only meant;
 * `all` is the command line as it was given. */
static int run_command(const struct mw_command *command, int argc, char **argv, int n_all,
                       char **all, bool speaks)
{
    struct mw_settings settings;
    int rc = mw_options_parse(command, argc, argv, environ, &settings);
    if (command->missing != NULL && rc <= MW_OK)
        rc = mw_fail(MW_ERR_UNAVAILABLE, "%s: %s", command->name, command->missing);
    settings.argc = n_all;
    settings.argv = all;
    if (rc >= MW_OK && rc != MW_WANTS_HELP && rc != MW_WANTS_VERSION && speaks)
        mw_options_check_environment(commands, environ, warn);
    if (rc == MW_WANTS_HELP) {
        if (speaks)
            mw_help_command(stdout, command, commands);
    } else if (rc == MW_WANTS_VERSION) {
        if (speaks)
            rc = mw_version_print(stdout, has_word(n_all, all, "--json"));
    } else if (rc == MW_WANTS_CONFIG) {
        if (speaks)
            mw_help_config(stdout, &settings);
    } else if (rc == MW_OK && mw_command_is_group(command)) {
        rc = unknown_verb(command, NULL);
    } else if (rc == MW_OK) {
        rc = call_main(&settings);
    }
    mw_settings_fini(&settings);
    const bool answered = rc == MW_WANTS_HELP || rc == MW_WANTS_CONFIG;
    return answered ? MW_OK : rc;
}

/* Questions to the program itself, before any command. MW_AGAIN: it was none. */
static int answer_question(int argc, char **argv, bool speaks)
{
    const char *word = argv[1];
    const bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
                      strcmp(word, "help") == 0;
    int used;
    const struct mw_command *c = read_command(argc - 2, argv + 2, &used);
    if (c == NULL && argc == 3)
        c = find_command(argv[2]);
    FILE *out = speaks ? stdout : fopen("/dev/null", "w");
    int rc = MW_OK;
    if (out == NULL)
        return MW_OK;
    if (help && c != NULL)
        mw_help_command(out, c, commands);
    else if (help && argc > 2)
        rc = unknown_command(argv[2]);
    else if (help)
        mw_help_overview(out, commands);
    else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        rc = mw_version_print(out, has_word(argc, argv, "--json"));
    else if (strcmp(word, "--man") == 0 && argc > 2)
        rc = c != NULL ? (mw_help_man_command(out, c, commands, mw_version()), MW_OK)
                       : unknown_command(argv[2]);
    else if (strcmp(word, "--man") == 0)
        mw_help_man(out, commands, mw_version());
    else if (strcmp(word, "--options") == 0)
        mw_option_tables_print(out, commands);
    else if (strcmp(word, "--commands") == 0)
        mw_help_names(out, commands);
    else if (strcmp(word, "--completion") == 0)
        rc = argc > 2 && mw_help_completion(out, commands, argv[2])
                 ? MW_OK
                 : mw_fail(MW_ERR_USAGE, "--completion: expected bash, zsh or fish");
    else
        rc = MW_AGAIN;
    if (out != stdout)
        fclose(out);
    return rc;
}

/* `word` starts at the command's name and ends with NULL. */
static int run_foreign(const struct mw_command *c, char **word, bool speaks)
{
    for (char **w = word + 1; *w != NULL && strcmp(*w, "--") != 0; w++)
        if (strcmp(*w, "--help") == 0 || strcmp(*w, "-h") == 0) {
            if (speaks)
                mw_help_command(stdout, c, commands);
            return MW_OK;
        }
    return mw_python_start(word);
}

int main(int argc, char **argv)
{
    const bool speaks = mw_session_alone();
    mw_room_share_heap();
    mw_launch_prepare();
    register_commands(own_commands);
    register_commands(mw_layout_commands);
    if (argc < 2) {
        if (speaks)
            mw_help_short(stderr, commands);
        return -MW_ERR_USAGE;
    }
    const struct mw_command *command = NULL;
    int rc = answer_question(argc, argv, speaks);
    if (rc == MW_AGAIN) {
        /* getopt permutes; provenance shows the command line as it was typed. */
        char **all = malloc(((size_t)argc + 1) * sizeof *all);
        const struct mw_command *group = find_command(argv[1]);
        const char first = argv[1][0];
        int used;
        if (all == NULL)
            return leave(NULL, mw_fail(MW_ERR_NOMEM, "command line: %d words", argc),
                         speaks);
        memcpy(all, argv, ((size_t)argc + 1) * sizeof *all);
        command = read_command(argc - 1, argv + 1, &used);
        if (command == NULL && group != NULL && argc > 2 && argv[2][0] == '-')
            command = group, used = 1; /* meshway layout --help */
        if (command != NULL && command->foreign) {
            rc = run_foreign(command, argv + 1, speaks);
        } else if (command != NULL) {
            rc = run_command(command, argc - used, argv + used, argc, all, speaks);
        } else if (group != NULL) {
            rc = unknown_verb(group, argv[2]);
            command = group;
        } else if (first == '-' || isdigit((unsigned char)first) ||
                   mw_word_is_file(argv[1])) {
            rc = run_command(&mw_command_run, argc, argv, argc, all, speaks);
        } else {
            rc = unknown_command(argv[1]);
        }
        free(all);
    }
    return leave(command, rc, speaks);
}
