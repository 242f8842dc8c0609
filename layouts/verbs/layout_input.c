/* layout_input.c -- see layout_input.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/layout_input.h"

#include "layouts/ways/lines.h"

#include "base/escape.h"
#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

int mw_layout_exit_code(int rc)
{
    if (rc == MW_ERR_USAGE || rc == MW_ERR_DATA || rc == MW_ERR_NOINPUT)
        return 2;
    return rc < MW_OK ? -rc : rc;
}

/* ---- input ------------------------------------------------------------------------------ */

/* Prints the recorded error as the file's, and clears it: it has been said. */
static int say(const char *file, int rc)
{
    char shown[MW_SHOWN_ROOM];
    fprintf(stderr, "%s: error: %s\n", mw_shown(file, shown), mw_error_text());
    mw_error_clear();
    return rc;
}

/* Of another text, if given, with the same lines. */
static int parse_layout(struct mw_layout_input *in, const char *small, size_t bytes)
{
    struct mw_diagnostics d = {0};
    const int rc = small != NULL ? mw_layout_parse(small, bytes, &in->layout, &d)
                                 : mw_layout_parse(in->text, in->bytes, &in->layout, &d);
    mw_diagnostics_show(&d, in->file, in->text, in->bytes, stderr);
    if (rc == MW_ERR_DATA && d.n_errors > 0)
        mw_error_clear();
    return rc;
}

static int parse_any(struct mw_layout_input *in, bool takes_large)
{
    char *small = NULL;
    size_t bytes = 0;
    int rc = takes_large ? mw_lines_shrink(in->text, in->bytes, &in->rows, &in->cols,
                                           &small, &bytes)
                         : MW_DONE;
    if (rc == MW_DONE)
        return parse_layout(in, NULL, 0);
    if (rc == MW_OK)
        rc = parse_layout(in, small, bytes);
    if (rc == MW_OK && !mw_lines_apply(in->layout))
        rc = mw_fail(
            MW_ERR_REFUSED,
            "%ux%u: beyond %dx%d only any core to any core is proved, by a clause "
            "row-to-col and a clause col-to-row, with FIFOs of depth 1 at least",
            in->rows, in->cols, MW_MESH_SIDE_MAX, MW_MESH_SIDE_MAX);
    free(small);
    return rc;
}

static int open_input(const char *file, bool takes_vectors, bool takes_large,
                      struct mw_layout_input *out)
{
    int rc;
    *out = (struct mw_layout_input){.file = file};
    MW_TRY(rc, mw_text_read(file, MW_LAYOUT_BYTES_MAX, &out->text, &out->bytes));
    out->is_vectors = mw_vectors_detect(out->text, out->bytes);
    if (!out->is_vectors) {
        MW_TRY(rc, parse_any(out, takes_large));
    } else if (!takes_vectors) {
        MW_TRY(rc, mw_fail(MW_ERR_DATA, "%s: vectors; this verb wants a layout", file));
    } else {
        rc = mw_vectors_parse(out->text, out->bytes, &out->vectors);
        if (rc == MW_ERR_DATA)
            rc = say(file, rc);
        MW_TRY(rc, rc);
    }
    return MW_OK;
end:
    mw_layout_input_fini(out);
    return rc;
}

int mw_layout_input_open(const char *file, bool takes_vectors,
                         struct mw_layout_input *out)
{
    return open_input(file, takes_vectors, false, out);
}

int mw_layout_input_open_large(const char *file, struct mw_layout_input *out)
{
    return open_input(file, true, true, out);
}

void mw_layout_input_fini(struct mw_layout_input *in)
{
    mw_free(in->text);
    mw_layout_free(in->layout);
    mw_vectors_fini(&in->vectors);
    in->text = NULL;
    in->layout = NULL;
}

/* ---- output ----------------------------------------------------------------------------- */

int mw_output_open(const char *name, bool force, struct mw_output *out)
{
    *out = (struct mw_output){.file = stdout, .standard = true};
    if (name == NULL || strcmp(name, "-") == 0)
        return MW_OK;
    out->standard = false;
    const int rc = mw_outfile_open(&out->own, name, force);
    out->file = out->own.stream;
    return rc;
}

int mw_output_close(struct mw_output *o, int rc)
{
    if (o->standard)
        return rc; /* main looks after standard output */
    if (rc < MW_OK)
        mw_outfile_abandon(&o->own);
    else
        MW_NEED(mw_outfile_commit(&o->own));
    return rc;
}
