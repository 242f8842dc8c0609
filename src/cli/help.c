/* help.c -- see help.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/help.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { WIDTH = 80, OPTION_COLUMN = 28 };

struct exit_code {
    int code;
    const char *meaning;
};

static const struct exit_code exit_codes[] = {
    {0, "done; every result is validated, or stamped NOT VALIDATED"},
    {64, "usage: an option or argument is wrong"},
    {65, "an input is readable, but its content is wrong"},
    {66, "an input cannot be opened or read"},
    {69, "the build or the machine lacks what was asked for"},
    {70, "internal error, or no progress"},
    {71, "out of memory at run time"},
    {73, "an output cannot be created"},
    {74, "an output was not written completely"},
    {75, "interrupted; what is saved is whole; try again"},
    {76, "validation failed; no figures are printed"},
    {78, "refused beforehand: this cannot work"},
};

void mw_help_wrap(FILE *f, const char *text, int indent, int width)
{
    int column = indent;
    bool first = true;
    while (*text != '\0') {
        const int word = (int)strcspn(text, " ");
        if (!first && column + 1 + word > width) {
            fprintf(f, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        fprintf(f, "%s%.*s", first ? "" : " ", word, text);
        column += word + !first;
        first = false;
        text += word + (text[word] == ' ');
    }
    fputc('\n', f);
}

/* "[SCALE [EDGEFACTOR]]", from the table. */
static void operands_text(const struct mw_command *c, char *out, size_t room)
{
    size_t used = 0;
    int n = 0;
    out[0] = '\0';
    for (; n < MW_MAX_OPERANDS && c->operand[n] != NULL; n++)
        used += (size_t)snprintf(out + used, room - used, " %s%s",
                                 n >= c->n_required ? "[" : "",
                                 mw_option_find(c, c->operand[n])->value);
    for (; n > c->n_required; n--)
        used += (size_t)snprintf(out + used, room - used, "]");
}

/* What the table knows beyond the help sentence: words, range, default. */
static void facts_text(const struct mw_command *c, const struct mw_option *o, char *out,
                       size_t room)
{
    char words[160] = "";
    size_t n = 0;
    if (c->chooses && o->lists)
        n = (size_t)snprintf(words, sizeof words, "one or more of ");
    for (size_t i = 0; o->words != NULL && o->words[i] != '\0'; i++)
        n += (size_t)snprintf(words + n, sizeof words - n, "%s%c",
                              o->words[i] == '|' ? "," : "",
                              o->words[i] == '|' ? ' ' : o->words[i]);
    const bool ranged = o->kind == MW_OPT_COUNT && o->max < UINT32_MAX;
    if (ranged)
        snprintf(words, sizeof words, "%" PRIu64 "..%" PRIu64, o->min, o->max);
    const char *separator = words[0] != '\0' && o->fallback != NULL ? "; " : "";
    if (words[0] == '\0' && o->fallback == NULL)
        out[0] = '\0';
    else if (o->fallback != NULL)
        snprintf(out, room, " (%s%sdefault %s)", words, separator, o->fallback);
    else
        snprintf(out, room, " (%s)", words);
}

static void option_text(const struct mw_command *c, const struct mw_option *o, char *out,
                        size_t room)
{
    char facts[256];
    facts_text(c, o, facts, sizeof facts);
    snprintf(out, room, "%s%s", o->help, facts);
}

static void option_form(const struct mw_option *o, char *out, size_t room)
{
    char letter[8] = "    ";
    if (o->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(out, room, "%s--%s%s%s", letter, o->name, o->value != NULL ? " " : "",
             o->value != NULL ? o->value : "");
}

static void print_option(FILE *f, const struct mw_command *c, const struct mw_option *o)
{
    char form[96], text[512];
    option_form(o, form, sizeof form);
    option_text(c, o, text, sizeof text);
    if ((int)strlen(form) + 4 > OPTION_COLUMN)
        fprintf(f, "  %s\n%*s", form, OPTION_COLUMN, "");
    else
        fprintf(f, "  %-*s", OPTION_COLUMN - 2, form);
    mw_help_wrap(f, text, OPTION_COLUMN, WIDTH);
}

bool mw_command_is_verb(const struct mw_command *c, const struct mw_command *group)
{
    const char *blank = strchr(c->name, ' ');
    return blank != NULL &&
           (group == NULL || (strlen(group->name) == (size_t)(blank - c->name) &&
                              strncmp(c->name, group->name, strlen(group->name)) == 0));
}

void mw_help_short(FILE *f, const struct mw_command *const *commands)
{
    fprintf(f, "usage: meshway [COMMAND] [options] [operands]\n  commands:");
    for (; *commands != NULL; commands++)
        if (!mw_command_is_verb(*commands, NULL))
            fprintf(f, " %s", (*commands)->name);
    fprintf(f, "\n  first try: mpiexec -n 2 meshway run 20\n"
               "  more: meshway --help, meshway COMMAND --help\n");
}

void mw_help_overview(FILE *f, const struct mw_command *const *commands)
{
    fprintf(f, "usage: meshway [COMMAND] [options] [operands]\n\n");
    mw_help_wrap(f,
                 "Breadth-first search on very large graphs, over MPI, as the Graph500 "
                 "benchmark asks for it. Without COMMAND, 'run' is meant.",
                 0, WIDTH);
    fprintf(f, "\ncommands:\n");
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        if (mw_command_is_verb(*c, NULL))
            continue;
        fprintf(f, "  %-10s", (*c)->name);
        mw_help_wrap(f, (*c)->summary, 12, WIDTH);
    }
    fprintf(f, "\nexamples:\n");
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        if (mw_command_is_verb(*c, NULL))
            continue;
        fprintf(f, "  %s\n      ", (*c)->example);
        mw_help_wrap(f, (*c)->example_does, 6, WIDTH);
    }
    fprintf(f, "\n  -h, --help [COMMAND]      all options of a command\n"
               "  -V, --version [--json]    version, build and libraries\n\n");
    mw_help_wrap(f,
                 "Every long option can also be given as a variable: MESHWAY_SCALE=20 is "
                 "--scale 20. The command line wins.",
                 0, WIDTH);
    fprintf(f, "\nexit codes:\n");
    for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++)
        fprintf(f, "  %2d  %s\n", exit_codes[i].code, exit_codes[i].meaning);
}

void mw_help_command(FILE *f, const struct mw_command *c,
                     const struct mw_command *const *commands)
{
    char operands[64];
    operands_text(c, operands, sizeof operands);
    fprintf(f, "usage: meshway %s%s%s [options]\n\n", c->name, operands,
            c->main == NULL ? " VERB [operands]" : "");
    mw_help_wrap(f, c->text, 0, WIDTH);
    if (c->main == NULL)
        fprintf(f, "\nverbs:\n");
    for (; c->main == NULL && *commands != NULL; commands++)
        if (mw_command_is_verb(*commands, c)) {
            fprintf(f, "  %-10s", strchr((*commands)->name, ' ') + 1);
            mw_help_wrap(f, (*commands)->summary, 12, WIDTH);
        }
    for (size_t i = 0; i < c->n_options; i++) {
        if (c->option[i].section != NULL)
            fprintf(f, "\n%s:\n", c->option[i].section);
        print_option(f, c, &c->option[i]);
    }
    fprintf(f, "\nexample:\n  %s\n      ", c->example);
    mw_help_wrap(f, c->example_does, 6, WIDTH);
}

/* --- man page ------------------------------------------------------------------- */

/* roff's own characters made harmless. */
static void roff(FILE *f, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", f);
    for (; *text != '\0'; text++)
        if (*text == '-' || *text == '\\')
            fprintf(f, *text == '-' ? "\\-" : "\\e");
        else
            fputc(*text, f);
}

static void man_option(FILE *f, const struct mw_command *c, const struct mw_option *o)
{
    char text[512];
    option_text(c, o, text, sizeof text);
    fputs(".TP\n", f);
    if (o->letter != 0)
        fprintf(f, ".BR \\-%c \", \" ", o->letter);
    else
        fputs(".BR ", f);
    fputs("\\-\\-", f);
    roff(f, o->name);
    if (o->value != NULL) {
        fputs(" \" \\fI", f);
        roff(f, o->value);
        fputs("\\fP\"", f);
    }
    fputc('\n', f);
    roff(f, text);
    fputs(".\n", f);
}

static void man_command(FILE *f, const struct mw_command *c)
{
    char operands[64];
    operands_text(c, operands, sizeof operands);
    fprintf(f, ".SS \"meshway %s%s [options]\"\n", c->name, operands);
    roff(f, c->text);
    fputc('\n', f);
    for (size_t i = 0; i < c->n_options; i++)
        man_option(f, c, &c->option[i]);
    fputs(".PP\nExample:\n.PP\n.RS 4\n.B ", f);
    roff(f, c->example);
    fputs("\n.br\n", f);
    roff(f, c->example_does);
    fputs("\n.RE\n", f);
}

void mw_help_man(FILE *f, const struct mw_command *const *commands, const char *version)
{
    fprintf(f, ".TH MESHWAY 1 \"\" \"meshway %s\" \"User Commands\"\n", version);
    fputs(".SH NAME\nmeshway \\- Graph500 breadth\\-first search over MPI\n", f);
    fputs(".SH SYNOPSIS\n.B meshway\n[\\fICOMMAND\\fP] [\\fIoptions\\fP] "
          "[\\fIoperands\\fP]\n.br\n.B mpiexec \\-n\n\\fIRANKS\\fP \\fBmeshway run\\fP "
          "\\fISCALE\\fP [\\fIEDGEFACTOR\\fP] [\\fIoptions\\fP]\n",
          f);
    fputs(".SH DESCRIPTION\n", f);
    roff(f, "Breadth-first search on very large graphs, over MPI, as the Graph500 "
            "benchmark asks for it. Without COMMAND, 'run' is meant.");
    fputs("\n.SH COMMANDS\n", f);
    for (; *commands != NULL; commands++)
        man_command(f, *commands);
    fputs(".SH ENVIRONMENT\n", f);
    roff(f, "Every long option can be given as MESHWAY_ and its name in upper case with "
            "underscores: MESHWAY_HANG_TIMEOUT=30 is --hang-timeout 30. The command line "
            "wins over the environment. --print-config shows each value and its origin.");
    fputs("\n.SH EXIT STATUS\n", f);
    for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++) {
        fprintf(f, ".TP\n.B %d\n", exit_codes[i].code);
        roff(f, exit_codes[i].meaning);
        fputc('\n', f);
    }
}

/* --- completion ------------------------------------------------------------------- */

static bool takes_file(const struct mw_option *o)
{
    return o->kind == MW_OPT_TEXT && o->value != NULL && strcmp(o->value, "FILE") == 0;
}

static void complete_values(FILE *f, const struct mw_command *c)
{
    for (size_t i = 0; i < c->n_options; i++) {
        const struct mw_option *o = &c->option[i];
        if (o->kind == MW_OPT_WORD) {
            fprintf(f, "    \"%s:--%s\") words=\"", c->name, o->name);
            for (const char *p = o->words; *p != '\0'; p++)
                fputc(*p == '|' ? ' ' : *p, f);
            fprintf(f, "\" ;;\n");
        } else if (takes_file(o)) {
            fprintf(f, "    \"%s:--%s\") files=yes ;;\n", c->name, o->name);
        } else if (o->kind != MW_OPT_FLAG) {
            fprintf(f, "    \"%s:--%s\") return ;;\n", c->name, o->name);
        }
    }
}

void mw_help_completion(FILE *f, const struct mw_command *const *commands)
{
    fputs("# bash completion for meshway, made by: meshway --completion bash\n"
          "_meshway()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=run words= files=\n"
          "    case ${COMP_WORDS[1]} in\n    ",
          f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++)
        if (!mw_command_is_verb(*c, NULL))
            fprintf(f, "%s%s", c == commands ? "" : "|", (*c)->name);
    fputs(") ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]} ;;\n    esac\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++)
        if ((*c)->main == NULL)
            fprintf(f,
                    "    [[ $command == %s ]] && ((COMP_CWORD > 2)) && command=\"%s "
                    "${COMP_WORDS[2]}\"\n",
                    (*c)->name, (*c)->name);
    fputs("    case $command:$prev in\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++)
        complete_values(f, *c);
    fputs("    *)\n        case $command in\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        fprintf(f, "        \"%s\") words=\"", (*c)->name);
        for (size_t i = 0; i < (*c)->n_options; i++)
            fprintf(f, "%s--%s", i == 0 ? "" : " ", (*c)->option[i].name);
        for (const struct mw_command *const *v = commands; *v != NULL; v++)
            if ((*c)->main == NULL && mw_command_is_verb(*v, *c))
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

/* --- configuration ----------------------------------------------------------------- */

void mw_help_config(FILE *f, const struct mw_settings *s)
{
    for (size_t i = 0; i < s->command->n_options; i++) {
        const struct mw_option *o = &s->command->option[i];
        const struct mw_setting *v = &s->value[i];
        const char *value = v->text != NULL ? v->text : "(unset)";
        char variable[64];
        if (o->asks)
            continue;
        if (o->kind == MW_OPT_FLAG)
            value = v->number != 0 ? "yes" : "no";
        fprintf(f, "%-16s = %-24s # ", o->name, value);
        mw_option_variable(o->name, variable, sizeof variable);
        if (v->origin == MW_FROM_ENVIRONMENT)
            fprintf(f, "environment, %s\n", variable);
        else
            fprintf(f, "%s\n",
                    v->origin == MW_FROM_COMMAND_LINE ? "command line" : "default");
    }
}
