/* help_complete.c -- shells complete the words of the tables: bash, zsh, fish. See help.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/help.h"

#include <string.h>

/* --- bash ---------------------------------------------------------------------------- */

static bool takes_file(const struct mw_option *o)
{
    return o->kind == MW_OPT_TEXT && o->value != NULL && strcmp(o->value, "FILE") == 0;
}

/* With a blank between them. */
static void put_words(FILE *f, const char *words)
{
    for (; *words != '\0'; words++)
        fputc(*words == '|' ? ' ' : *words, f);
}

/* "run|gen|...": all commands but verbs. */
static void put_commands(FILE *f, const struct mw_command *const *commands)
{
    const char *between = "";
    for (; *commands != NULL; commands++)
        if (!mw_command_is_verb(*commands, NULL)) {
            fprintf(f, "%s%s", between, (*commands)->name);
            between = "|";
        }
}

/* "help alpha= beta= ...": what the value of an option with keys begins with. */
static void key_words(FILE *f, const struct mw_command *c)
{
    const char *of;
    struct mw_option o;
    fputs("help", f);
    for (size_t i = 0; c->key != NULL && c->key(i, &of, &o); i++)
        fprintf(f, " %s=", o.name);
}

static void bash_values(FILE *f, const struct mw_command *c)
{
    for (size_t i = 0; i < c->n_options; i++) {
        const struct mw_option *o = &c->option[i];
        if (o->kind == MW_OPT_WORD) {
            fprintf(f, "    \"%s:--%s\") words=\"", c->name, o->name);
            put_words(f, o->words);
            fprintf(f, "\" ;;\n");
        } else if (o->keys) {
            fprintf(f, "    \"%s:--%s\") words=\"", c->name, o->name);
            key_words(f, c);
            fprintf(f, "\"; compopt -o nospace ;;\n");
        } else if (takes_file(o)) {
            fprintf(f, "    \"%s:--%s\") files=yes ;;\n", c->name, o->name);
        } else if (o->kind != MW_OPT_FLAG) {
            fprintf(f, "    \"%s:--%s\") return ;;\n", c->name, o->name);
        }
    }
}

static void complete_bash(FILE *f, const struct mw_command *const *commands)
{
    fputs("# bash completion for meshway, made by: meshway --completion bash\n"
          "_meshway()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=run words= files=\n"
          "    case ${COMP_WORDS[1]} in\n    ",
          f);
    put_commands(f, commands);
    fputs(") ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]} ;;\n    esac\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++)
        if (mw_command_is_group(*c))
            fprintf(f,
                    "    [[ $command == %s ]] && ((COMP_CWORD > 2)) && command=\"%s "
                    "${COMP_WORDS[2]}\"\n",
                    (*c)->name, (*c)->name);
    fputs("    case $command:$prev in\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++)
        bash_values(f, *c);
    fputs("    *)\n        case $command in\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        fprintf(f, "        \"%s\") words=\"", (*c)->name);
        for (size_t i = 0; i < (*c)->n_options; i++)
            fprintf(f, "%s--%s", i == 0 ? "" : " ", (*c)->option[i].name);
        for (const struct mw_command *const *v = commands; *v != NULL; v++)
            if (mw_command_is_group(*c) && mw_command_is_verb(*v, *c))
                fprintf(f, " %s", strchr((*v)->name, ' ') + 1);
        fprintf(f, "\" ;;\n");
    }
    fputs("        esac\n        if ((COMP_CWORD == 1)); then words=\"", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++)
        if (!mw_command_is_verb(*c, NULL))
            fprintf(f, "%s ", (*c)->name);
    fputs("$words\"; fi\n        [[ $cur == -* ]] || files=yes ;;\n"
          "    esac\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    if [[ $files ]]; then\n"
          "        compopt -o filenames\n"
          "        while IFS= read -r word; do COMPREPLY+=(\"$word\"); done "
          "< <(compgen -f -- \"$cur\")\n"
          "    fi\n}\ncomplete -F _meshway meshway\n",
          f);
}

/* --- zsh and fish ------------------------------------------------------------------- */

/* In single quotes; `before` stands in front of each character of `special`. */
static void quoted(FILE *f, const char *text, const char *special, const char *before)
{
    for (; *text != '\0'; text++) {
        if (strchr(special, *text) != NULL)
            fputs(before, f);
        fputc(*text, f);
    }
}

/* "a'b:c" is 'a'\''b\:c' there. */
static void zsh_pair(FILE *f, const char *dashes, const char *name, const char *help)
{
    fprintf(f, "'%s%s:", dashes, name);
    for (; *help != '\0'; help++)
        if (*help == '\'')
            fputs("'\\''", f);
        else
            quoted(f, (char[]){*help, '\0'}, ":\\", "\\");
    fputs("'", f);
}

static void zsh_values(FILE *f, const struct mw_command *c)
{
    for (size_t i = 0; i < c->n_options; i++) {
        const struct mw_option *o = &c->option[i];
        if (o->kind == MW_OPT_FLAG)
            continue;
        fprintf(f, "    \"%s:--%s\") ", c->name, o->name);
        if (o->kind == MW_OPT_WORD) {
            fputs("compadd -- ", f);
            put_words(f, o->words);
            fputs("; ", f);
        } else if (o->keys) {
            fputs("compadd -S '' -- ", f);
            key_words(f, c);
            fputs("; ", f);
        } else if (takes_file(o)) {
            fputs("_files; ", f);
        }
        fputs("return ;;\n", f);
    }
}

static void zsh_commands(FILE *f, const struct mw_command *const *commands,
                         const struct mw_command *group)
{
    fputs("(", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        const bool verb = mw_command_is_verb(*c, group);
        if (group == NULL ? verb : !verb)
            continue;
        fputs("\n        ", f);
        zsh_pair(f, "", group == NULL ? (*c)->name : strchr((*c)->name, ' ') + 1,
                 (*c)->summary);
    }
    fputs(")\n", f);
}

static void complete_zsh(FILE *f, const struct mw_command *const *commands)
{
    fputs("#compdef meshway\n# zsh completion for meshway, made by: meshway --completion "
          "zsh\n"
          "_meshway()\n{\n"
          "    local command=run prev=${words[CURRENT-1]} first=${words[2]}\n"
          "    local -a options names\n"
          "    case $first in\n    ",
          f);
    put_commands(f, commands);
    fputs(") (( CURRENT > 2 )) && command=$first ;;\n    esac\n", f);
    fputs("    names=", f);
    zsh_commands(f, commands, NULL);
    fputs("    (( CURRENT == 2 )) && _describe command names\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        if (!mw_command_is_group(*c))
            continue;
        fprintf(f, "    if [[ $command == %s ]]; then\n    names=", (*c)->name);
        zsh_commands(f, commands, *c);
        fprintf(f,
                "    (( CURRENT == 3 )) && { _describe verb names; return }\n"
                "    command=\"%s ${words[3]}\"\n    fi\n",
                (*c)->name);
    }
    fputs("    case \"$command:$prev\" in\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++)
        zsh_values(f, *c);
    fputs("    esac\n    case $command in\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        fprintf(f, "    \"%s\") options=(", (*c)->name);
        for (size_t i = 0; i < (*c)->n_options; i++) {
            fputs("\n        ", f);
            zsh_pair(f, "--", (*c)->option[i].name, (*c)->option[i].help);
        }
        fputs(") ;;\n", f);
    }
    fputs(
        "    esac\n"
        "    if [[ $PREFIX == -* ]]; then _describe -o option options; else _files; fi\n"
        "}\n"
        /* Sourced, it registers itself; found in $fpath, it is called. */
        "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _meshway \"$@\"; "
        "else compdef _meshway meshway; fi\n",
        f);
}

static void fish_option(FILE *f, const struct mw_command *c, const struct mw_option *o)
{
    fprintf(f, "complete -c meshway -n '__meshway_is %s' -l %s", c->name, o->name);
    if (o->letter != 0)
        fprintf(f, " -s %c", o->letter);
    if (o->kind == MW_OPT_WORD) {
        fputs(" -x -a '", f);
        put_words(f, o->words);
        fputs("'", f);
    } else if (o->keys) {
        fputs(" -x -a '", f);
        key_words(f, c);
        fputs("'", f);
    } else if (o->kind != MW_OPT_FLAG) {
        fputs(takes_file(o) ? " -r -F" : " -x", f);
    }
    fputs(" -d '", f);
    quoted(f, o->help, "'\\", "\\");
    fputs("'\n", f);
}

static void complete_fish(FILE *f, const struct mw_command *const *commands)
{
    fputs("# fish completion for meshway, made by: meshway --completion fish\n"
          "function __meshway_is # WORDS...: the command line goes on after these\n"
          "    set -l given (commandline -opc)\n"
          "    set -l n (count $argv)\n"
          "    test (count $given) -gt $n; or return 1\n"
          "    test $n -eq 0; and return\n"
          "    set -l first $given[2..(math $n + 1)]\n"
          "    test \"$first\" = \"$argv\"\n"
          "end\n"
          "function __meshway_ends # WORDS...: with nothing between them and the cursor\n"
          "    __meshway_is $argv; and test (count (commandline -opc)) -eq (math 1 + "
          "(count $argv))\n"
          "end\n",
          f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        const char *blank = strchr((*c)->name, ' ');
        const char *own = blank != NULL ? blank + 1 : (*c)->name;
        const int group = blank != NULL ? (int)(blank - (*c)->name) : 0;
        fprintf(f, "complete -c meshway -n '__meshway_ends %.*s' -a %s -d '", group,
                (*c)->name, own);
        quoted(f, (*c)->summary, "'\\", "\\");
        fputs("'\n", f);
        for (size_t i = 0; i < (*c)->n_options; i++)
            fish_option(f, *c, &(*c)->option[i]);
    }
}

/* --- all of them ---------------------------------------------------------------------- */

bool mw_help_completion(FILE *f, const struct mw_command *const *commands,
                        const char *shell)
{
    static const struct {
        const char *shell;
        void (*print)(FILE *f, const struct mw_command *const *commands);
    } known[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(shell, known[i].shell) == 0) {
            known[i].print(f, commands);
            return true;
        }
    return false;
}
