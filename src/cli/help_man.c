/* help_man.c -- man pages: one of the program, one of each command and verb. See help.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/help.h"
#include "cli/help_text.h"

#include <ctype.h>
#include <string.h>

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

/* "meshway-layout-check", with roff's hyphens. */
static void page_name(FILE *f, const struct mw_command *c, bool upper)
{
    fputs(upper ? "MESHWAY" : "meshway", f);
    fputs("\\-", f);
    for (const char *p = c->name; *p != '\0'; p++)
        if (*p == ' ' || *p == '-')
            fputs("\\-", f);
        else
            fputc(upper ? toupper((unsigned char)*p) : *p, f);
}

static void man_option(FILE *f, const struct mw_command *c, const struct mw_option *o)
{
    char text[768];
    mw_help_option(c, o, text, sizeof text);
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

static void man_keys(FILE *f, const struct mw_command *c)
{
    const char *of, *before = "";
    struct mw_option o;
    for (size_t i = 0; c->key != NULL && c->key(i, &of, &o); i++) {
        char text[768];
        if (strcmp(of, before) != 0)
            fprintf(f, ".SS Keys of %s%s\n", strcmp(of, "run") == 0 ? "a " : "algorithm ",
                    of);
        before = of;
        mw_help_option(NULL, &o, text, sizeof text);
        fputs(".TP\n.BR ", f);
        roff(f, o.name);
        fputs(" =\\fI", f);
        roff(f, o.value);
        fputs("\\fP\n", f);
        roff(f, text);
        fputs(".\n", f);
    }
}

/* What is listed on a page: the program's commands, or the verbs of one. */
static void list_commands(FILE *f, const struct mw_command *const *commands,
                          const struct mw_command *group)
{
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        if (group == NULL ? mw_command_is_verb(*c, NULL) : !mw_command_is_verb(*c, group))
            continue;
        fputs(".TP\n.BR ", f);
        page_name(f, *c, false);
        fputs(" (1)\n", f);
        roff(f, (*c)->summary);
        fputc('\n', f);
    }
}

static void man_environment(FILE *f)
{
    fputs(".SH ENVIRONMENT\n", f);
    roff(f, "Every long option can be given as MESHWAY_ and its name in upper case with "
            "underscores: MESHWAY_HANG_TIMEOUT=30 is --hang-timeout 30. The command line "
            "wins over the environment. --print-config shows each value and its origin.");
    fputc('\n', f);
}

static void man_exit_status(FILE *f)
{
    fputs(".SH EXIT STATUS\n", f);
    for (const struct mw_exit_code *e = mw_exit_codes; e->meaning != NULL; e++) {
        fprintf(f, ".TP\n.B %d\n", e->code);
        roff(f, e->meaning);
        fputc('\n', f);
    }
}

void mw_help_man_command(FILE *f, const struct mw_command *c,
                         const struct mw_command *const *commands, const char *version)
{
    char operands[64];
    mw_help_operands(c, operands, sizeof operands);
    fputs(".TH ", f);
    page_name(f, c, true);
    fprintf(f, " 1 \"\" \"meshway %s\" \"User Commands\"\n.SH NAME\n", version);
    page_name(f, c, false);
    fputs(" \\- ", f);
    roff(f, c->summary);
    fprintf(f, "\n.SH SYNOPSIS\n.B meshway %s\n", c->name);
    roff(f, mw_command_is_group(c) ? "VERB [operands]" : operands + (operands[0] == ' '));
    fputs(" [\\fIoptions\\fP]\n.SH DESCRIPTION\n", f);
    roff(f, c->text);
    fputc('\n', f);
    if (mw_command_is_group(c)) {
        fputs(".SH VERBS\n", f);
        list_commands(f, commands, c);
    }
    fputs(".SH OPTIONS\n", f);
    for (size_t i = 0; i < c->n_options; i++) {
        if (c->option[i].section != NULL) {
            fputs(".SS ", f);
            roff(f, c->option[i].section);
            fputc('\n', f);
        }
        man_option(f, c, &c->option[i]);
    }
    man_keys(f, c);
    fputs(".SH EXAMPLE\n.B ", f);
    roff(f, c->example);
    fputs("\n.PP\n", f);
    roff(f, c->example_does);
    fputc('\n', f);
    man_environment(f);
    if (c->exit_code == NULL)
        man_exit_status(f);
    fputs(".SH SEE ALSO\n.BR meshway (1)\n", f);
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
    list_commands(f, commands, NULL);
    fputs(".SH EXAMPLES\n", f);
    for (const struct mw_command *const *c = commands; *c != NULL; c++) {
        if (mw_command_is_verb(*c, NULL))
            continue;
        fputs(".TP\n.B ", f);
        roff(f, (*c)->example);
        fputc('\n', f);
        roff(f, (*c)->example_does);
        fputc('\n', f);
    }
    man_environment(f);
    man_exit_status(f);
}

void mw_help_names(FILE *f, const struct mw_command *const *commands)
{
    for (; *commands != NULL; commands++)
        fprintf(f, "%s\n", (*commands)->name);
}
