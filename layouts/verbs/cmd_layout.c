/* cmd_layout.c -- "meshway layout": mesh layouts proved, explained, explored and simulated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/cmd_layout.h"

#include "cli/file_check.h"
#include "cli/session.h"

#include <string.h>

int mw_layout_verdict_code(enum mw_explore_verdict v)
{
    return v == MW_EXPLORED_FREE       ? MW_OK
           : v == MW_EXPLORED_DEADLOCK ? MW_LAYOUT_DEADLOCK
                                       : MW_LAYOUT_UNDECIDED;
}

int mw_layout_model(const struct mw_settings *s)
{
    const char *word = mw_setting_text(s, "model");
    int m = 0;
    while (m < MW_N_MODELS && strcmp(word, mw_mesh_model_names[m]) != 0)
        m++;
    return m;
}

int mw_layout_model_check(const struct mw_settings *s)
{
    return strcmp(mw_setting_text(s, "model"), "ends") != 0
               ? MW_OK
               : mw_fail(MW_ERR_USAGE, "--model ends: only with --from");
}

void mw_layout_depths(const struct mw_settings *s, struct mw_layout *l)
{
    if (mw_setting_text(s, "depth") != NULL)
        l->fifo[MW_ROW] = l->fifo[MW_COLUMN] = (uint32_t)mw_setting_number(s, "depth");
    if (mw_setting_text(s, "send") != NULL)
        l->send = (uint32_t)mw_setting_number(s, "send");
}

static bool is_on_command_line(const struct mw_settings *s, const char *option)
{
    const struct mw_setting *v = mw_setting_find(s, option);
    return v->origin == MW_FROM_COMMAND_LINE && v->text != NULL;
}

int mw_layout_refuse(const struct mw_settings *s, const char *const *option,
                     const char *why)
{
    for (; *option != NULL; option++)
        if (is_on_command_line(s, *option)) {
            const bool operand = mw_setting_find(s, *option)->operand;
            return mw_fail(MW_ERR_USAGE, "%s%s: %s", operand ? "" : "--",
                           operand ? mw_option_find(s->command, *option)->value : *option,
                           why);
        }
    return MW_OK;
}

static bool is_standard(const char *name)
{
    return strcmp(name, "-") == 0;
}

int mw_layout_outputs(const struct mw_settings *s, const char *const *option, bool json)
{
    const bool force = mw_setting_number(s, "force") != 0;
    for (uint32_t i = 0; option[i] != NULL; i++) {
        const char *name = mw_setting_text(s, option[i]);
        if (name == NULL)
            continue;
        if (json && is_standard(name))
            return mw_fail(MW_ERR_USAGE,
                           "--%s - and --json both write to standard output", option[i]);
        for (uint32_t j = 0; j < i; j++) {
            const char *other = mw_setting_text(s, option[j]);
            if (other != NULL && strcmp(name, other) == 0)
                return mw_fail(MW_ERR_USAGE, "--%s and --%s both write to %s", option[j],
                               option[i], is_standard(name) ? "standard output" : name);
            const char *const both[] = {other, name};
            MW_NEED(mw_outputs_differ(both, 2));
        }
        MW_NEED(mw_outputs_plain(&name, 1));
        MW_NEED(mw_outputs_spare(&name, 1, mw_setting_text(s, "file")));
        if (!is_standard(name))
            MW_NEED(mw_outfile_check(name, force));
    }
    return MW_OK;
}

FILE *mw_layout_report_to(const struct mw_settings *s, const char *const *option)
{
    for (; *option != NULL; option++)
        if (mw_setting_text(s, *option) != NULL &&
            is_standard(mw_setting_text(s, *option)))
            return stderr;
    return stdout;
}

int mw_layout_inputs(const struct mw_settings *s, const char *other)
{
    if (!is_standard(mw_setting_text(s, "file")) ||
        !is_standard(mw_setting_text(s, other)))
        return MW_OK;
    return mw_fail(MW_ERR_USAGE, "FILE and %s are both standard input",
                   mw_option_find(s->command, other)->value);
}

void mw_layout_not_written(const char *option, const char *why)
{
    fprintf(stderr, "meshway: --%s: nothing is written, %s\n", option, why);
}

const char *mw_layout_title(const char *file)
{
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

int mw_layout_write(const struct mw_settings *s, const char *option,
                    int (*print)(const void *what, FILE *out), const void *what)
{
    struct mw_output out;
    const char *name = mw_setting_text(s, option);
    if (name == NULL)
        return MW_OK;
    MW_NEED(mw_output_open(name, mw_setting_number(s, "force") != 0, &out));
    return mw_output_close(&out, print(what, out.file));
}

struct written_trace {
    const struct mw_layout *l;
    const struct mw_trace *t;
};

static int print_trace(const void *what, FILE *out)
{
    const struct written_trace *w = what;
    mw_trace_print(w->l, w->t, out);
    return MW_OK;
}

int mw_layout_write_trace(const struct mw_settings *s, const struct mw_layout *l,
                          const struct mw_exploration *e, const char *why)
{
    const struct written_trace w = {l, &e->trace};
    if (e->verdict == MW_EXPLORED_DEADLOCK)
        return mw_layout_write(s, "trace", print_trace, &w);
    if (mw_setting_text(s, "trace") != NULL)
        mw_layout_not_written("trace", why);
    return MW_OK;
}

static const struct mw_option options[] = {MW_OPTIONS_COMMON};

static const struct mw_command group = {
    .name = "layout",
    .summary = "prove, explain, explore and simulate mesh layouts",
    .text =
        "A layout says which cores of a row/column mesh produce, route and consume. "
        "These verbs prove that no deadlock can happen or show the shortest one, and "
        "simulate, sweep and draw. Exit codes are a checker's: 0 proved free, 1 deadlock "
        "(or a vector that disagrees), 2 usage or bad input, 3 undecided; above 64 as "
        "everywhere. The language and the theory: docs/mesh.md.",
    .example = "meshway layout check paper.layout",
    .example_does = "proves that the paper's 8x8 layout cannot deadlock",
    MW_LAYOUT_VERB(options),
};

const struct mw_command *const mw_layout_commands[] = {
    &group,
    &mw_command_layout_check,
    &mw_command_layout_explain,
    &mw_command_layout_verify,
    &mw_command_layout_budget,
    &mw_command_layout_explore,
    &mw_command_layout_replay,
    &mw_command_layout_sim,
    &mw_command_layout_sweep,
    &mw_command_layout_curve,
    &mw_command_layout_map,
    &mw_command_layout_export,
    &mw_command_layout_compare,
    &mw_command_layout_fmt,
    &mw_command_layout_gen,
    NULL,
};
