/* help.c -- see help.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/help.h"

#include "base/escape.h"
#include "cli/help_text.h"
#include "cli/ready_layout.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, OPTION_COLUMN = 28 };

const struct mw_exit_code mw_exit_codes[] = {
    {0, "done; every result is validated, or stamped"},
    {1, "compare: something is slower; layout: a deadlock, or a check failed"},
    {2, "layout: an option or the input is wrong"},
    {3, "layout: not decided"},
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
    {130, "INT again ended it at once (TERM: 143); files are whole or not there"},
    {0, NULL},
};

/* `text` in lines of up to `width` columns, all but the first indented. */
static void wrap(FILE *f, const char *text, int indent, int width)
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
void mw_help_operands(const struct mw_command *c, char *out, size_t room)
{
    size_t used = 0;
    int n = 0;
    out[0] = '\0';
    if (c->first_else != NULL)
        used = (size_t)snprintf(out, room, " (%s | %s)",
                                mw_option_find(c, c->operand[n++])->value,
                                mw_option_find(c, c->first_else)->value);
    for (; n < MW_MAX_OPERANDS && c->operand[n] != NULL; n++)
        used += (size_t)snprintf(out + used, room - used, " %s%s%s",
                                 n >= c->n_required ? "[" : "",
                                 mw_option_find(c, c->operand[n])->value,
                                 mw_option_find(c, c->operand[n])->repeats ? "..." : "");
    for (; n > c->n_required; n--)
        used += (size_t)snprintf(out + used, room - used, "]");
    if (c->file_operand != NULL && used > 0)
        snprintf(out + used - 1, room - used + 1, " | %s]",
                 mw_option_find(c, c->file_operand)->value);
}

/* What the table knows beyond the help sentence: words, range, default. */
static void facts_text(const struct mw_command *c, const struct mw_option *o, char *out,
                       size_t room)
{
    char words[160] = "";
    size_t n = 0;
    if (c != NULL && c->chooses && o->lists)
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

void mw_help_option(const struct mw_command *c, const struct mw_option *o, char *out,
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

void mw_help_row(FILE *f, const char *form, const char *text)
{
    if ((int)strlen(form) + 4 > OPTION_COLUMN)
        fprintf(f, "  %s\n%*s", form, OPTION_COLUMN, "");
    else
        fprintf(f, "  %-*s", OPTION_COLUMN - 2, form);
    wrap(f, text, OPTION_COLUMN, WIDTH);
}

static void print_option(FILE *f, const struct mw_command *c, const struct mw_option *o)
{
    char form[96], text[512];
    option_form(o, form, sizeof form);
    mw_help_option(c, o, text, sizeof text);
    mw_help_row(f, form, text);
}

bool mw_command_is_group(const struct mw_command *c)
{
    return c->main == NULL && !c->foreign && c->missing == NULL;
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
    wrap(f,
         "Breadth-first search on very large graphs, over MPI, as the Graph500 "
         "benchmark asks for it. Without COMMAND, 'run' is meant.",
         0, WIDTH);
    fprintf(f, "\ncommands:\n");
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        if (mw_command_is_verb(*c, NULL))
            continue;
        fprintf(f, "  %-10s", (*c)->name);
        wrap(f, (*c)->summary, 12, WIDTH);
    }
    fprintf(f, "\nexamples:\n");
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        if (mw_command_is_verb(*c, NULL))
            continue;
        fprintf(f, "  %s\n      ", (*c)->example);
        wrap(f, (*c)->example_does, 6, WIDTH);
    }
    fprintf(f, "\n  -h, --help [COMMAND]      all options of a command\n"
               "  -V, --version [--json]    version, build and libraries\n\n");
    wrap(f,
         "Every long option can also be given as a variable: MESHWAY_SCALE=20 is "
         "--scale 20. The command line wins.",
         0, WIDTH);
    char *layouts = mw_ready_layouts_folder();
    if (layouts != NULL)
        fprintf(f, "\nready layouts, found by name:\n  %s\n", layouts);
    free(layouts);
    fprintf(f, "\nexit codes:\n");
    for (const struct mw_exit_code *e = mw_exit_codes; e->meaning != NULL; e++)
        fprintf(f, "  %3d  %s\n", e->code, e->meaning);
}

void mw_help_command(FILE *f, const struct mw_command *c,
                     const struct mw_command *const *commands)
{
    char operands[64];
    mw_help_operands(c, operands, sizeof operands);
    fprintf(f, "usage: meshway %s%s%s [options]\n\n", c->name, operands,
            mw_command_is_group(c) ? " VERB [operands]" : "");
    wrap(f, c->text, 0, WIDTH);
    if (mw_command_is_group(c))
        fprintf(f, "\nverbs:\n");
    for (; mw_command_is_group(c) && *commands != NULL; commands++)
        if (mw_command_is_verb(*commands, c)) {
            fprintf(f, "  %-10s", strchr((*commands)->name, ' ') + 1);
            wrap(f, (*commands)->summary, 12, WIDTH);
        }
    for (size_t i = 0; i < c->n_options; i++) {
        if (c->option[i].section != NULL)
            fprintf(f, "\n%s:\n", c->option[i].section);
        print_option(f, c, &c->option[i]);
    }
    fprintf(f, "\nexample:\n  %s\n      ", c->example);
    wrap(f, c->example_does, 6, WIDTH);
}

/* --- configuration ----------------------------------------------------------------- */

void mw_help_config(FILE *f, const struct mw_settings *s)
{
    for (size_t i = 0; i < s->command->n_options; i++) {
        const struct mw_option *o = &s->command->option[i];
        const struct mw_setting *v = &s->value[i];
        const char *value = v->text != NULL ? v->text : "(unset)";
        char variable[64], shown[4096];
        if (o->asks)
            continue;
        if (o->kind == MW_OPT_FLAG)
            value = v->number != 0 ? "yes" : "no";
        mw_escape(shown, sizeof shown, value);
        fprintf(f, "%-16s = %-24s # ", o->name, shown);
        mw_option_variable(o->name, variable, sizeof variable);
        if (v->origin == MW_FROM_ENVIRONMENT)
            fprintf(f, "environment, %s\n", variable);
        else
            fprintf(f, "%s\n",
                    v->origin == MW_FROM_COMMAND_LINE ? "command line" : "default");
    }
}
