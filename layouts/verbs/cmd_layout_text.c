/* cmd_layout_text.c -- the verbs that write layout files: fmt and gen.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/cmd_layout.h"

/* ---- fmt -------------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option fmt_options[] = {
    MW_OPTION_LAYOUT,
    {.name = "canonical", .kind = MW_OPT_FLAG,
     .help = "Every statement once, in one order, defaults written out, no comments"},
    MW_OPTION_OUTPUT("Write here; default: standard output"),
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};
/* clang-format on */

static int fmt_main(const struct mw_settings *s)
{
    struct mw_layout_input in;
    struct mw_output out;
    int rc;
    MW_NEED(mw_layout_input_open(mw_setting_text(s, "file"), false, &in));
    MW_TRY(rc, mw_output_open(mw_setting_text(s, "output"),
                              mw_setting_number(s, "force") != 0, &out));
    if (mw_setting_number(s, "canonical") != 0)
        mw_layout_print(in.layout, out.file);
    else
        mw_layout_format(in.text, in.bytes, out.file);
    rc = mw_output_close(&out, MW_OK);
end:
    mw_layout_input_fini(&in);
    return rc;
}

const struct mw_command mw_command_layout_fmt = {
    .name = "layout fmt",
    .summary = "a layout file, neatly written",
    .text =
        "Writes the file with one blank between words; comments, order and blank lines "
        "stay. Parsing the output gives the same layout. Exit codes: 0 written, 2 bad "
        "input.",
    .example = "meshway layout fmt paper.layout --canonical",
    .example_does = "what the file means, with every default",
    MW_VERB_OF_FILE(fmt_main, fmt_options),
};

/* ---- gen -------------------------------------------------------------------------------- */

/* clang-format off */
static const struct mw_option gen_options[] = {
    {.name = "kind", .kind = MW_OPT_TEXT, .value = "KIND", .section = "layout",
     .help = "paper, one-router, star, ring, merged, xy, torus, torus-dateline, west-first, "
             "north-last, negative-first, odd-even or escape"},
    {.name = "rows", .kind = MW_OPT_COUNT, .value = "ROWS", .fallback = "8", .min = 1,
     .max = MW_MESH_GENERATED_MAX, .help = "Rows of the mesh"},
    {.name = "cols", .kind = MW_OPT_COUNT, .value = "COLS", .fallback = "8", .min = 1,
     .max = MW_MESH_GENERATED_MAX, .help = "Columns of the mesh"},
    MW_OPTION_OUTPUT("Write here; default: standard output"),
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};
/* clang-format on */

static int gen_main(const struct mw_settings *s)
{
    struct mw_output out;
    MW_NEED(mw_output_open(mw_setting_text(s, "output"),
                           mw_setting_number(s, "force") != 0, &out));
    return mw_output_close(
        &out, mw_layout_generate(mw_setting_text(s, "kind"),
                                 (uint32_t)mw_setting_number(s, "rows"),
                                 (uint32_t)mw_setting_number(s, "cols"), out.file));
}

const struct mw_command mw_command_layout_gen = {
    .name = "layout gen",
    .summary = "writes a ready layout of any size",
    .text = "Writes the text of a layout: the paper's, its variants and the classic "
            "mistakes. "
            "Exit codes: 0 written, 2 no such kind, or too small a mesh for it.",
    .example = "meshway layout gen paper 4 6 > small.layout",
    .example_does = "the paper's idea on 24 cores",
    .operand = {"kind", "rows", "cols"},
    .n_required = 1,
    .main = gen_main,
    MW_LAYOUT_VERB(gen_options),
};
