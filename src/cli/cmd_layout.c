/* cmd_layout.c -- "meshway layout": mesh layouts proved, explained, explored and simulated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/cmd_layout.h"

#include "cli/session.h"

#include <string.h>

int mw_layout_model(const struct mw_settings *s)
{
    const char *word = mw_setting_text(s, "model");
    int m = 0;
    while (m < MW_N_MODELS && strcmp(word, mw_mesh_model_names[m]) != 0)
        m++;
    return m;
}

void mw_layout_depths(const struct mw_settings *s, struct mw_layout *l)
{
    if (mw_setting_text(s, "depth") != NULL)
        l->fifo[MW_ROW] = l->fifo[MW_COLUMN] = (uint32_t)mw_setting_number(s, "depth");
    if (mw_setting_text(s, "send") != NULL)
        l->send = (uint32_t)mw_setting_number(s, "send");
}

const char *mw_layout_title(const char *file)
{
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

int mw_layout_write_trace(const struct mw_settings *s, const struct mw_layout *l,
                          const struct mw_trace *t, const char *name)
{
    struct mw_output out;
    const int rc = mw_output_open(name, mw_setting_number(s, "force") != 0, &out);
    if (rc < MW_OK)
        return rc;
    mw_trace_print(l, t, out.file);
    return mw_output_close(&out, MW_OK);
}

static const struct mw_option options[] = {MW_OPTIONS_COMMON};

const struct mw_command mw_command_layout = {
    .name = "layout",
    .summary = "prove, explain, explore and simulate mesh layouts",
    .text =
        "A layout says which cores of a row/column mesh produce, route and consume. "
        "These "
        "verbs prove that no deadlock can happen or show the shortest one, and simulate, "
        "sweep and draw. Exit codes are a checker's: 0 proved free, 1 deadlock (or a "
        "vector "
        "that disagrees), 2 usage or bad input, 3 undecided; above 64 as everywhere. The "
        "language and the theory: docs/mesh.md.",
    .example = "meshway layout check share/layouts/paper.layout",
    .example_does = "proves that the paper's 8x8 layout cannot deadlock",
    MW_LAYOUT_VERB(options),
};
