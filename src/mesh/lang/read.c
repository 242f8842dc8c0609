/* read.c -- a layout from a file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/layout.h"

#include "base/mem.h"
#include "base/text.h"

int mw_layout_read(const char *path, struct mw_layout **out, struct mw_diagnostics *d)
{
    char *text;
    size_t bytes;
    *out = NULL;
    int rc = mw_text_read(path, MW_LAYOUT_BYTES_MAX, &text, &bytes);
    if (rc == MW_ERR_DATA)
        mw_diagnose(d, false, 1, 1, "the file has more than %d bytes",
                    MW_LAYOUT_BYTES_MAX);
    if (rc == MW_OK)
        rc = mw_layout_parse(text, bytes, out, d);
    mw_free(text);
    return rc;
}
