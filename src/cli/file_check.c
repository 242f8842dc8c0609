/* file_check.c -- see file_check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/file_check.h"

#include "cli/run/graph_options.h"
#include "io/outfile.h"

#include <string.h>

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

static int compare(const char *a, const char *b)
{
    if (strcmp(a, b) == 0 && strcmp(a, "/dev/null") != 0)
        return mw_fail(MW_ERR_USAGE, "%s: is named for two outputs", a);
    if (!is_standard(a) && !is_standard(b) && mw_outfile_same(a, b))
        return mw_fail(MW_ERR_USAGE, "%s: is named for two outputs, it is also %s", a, b);
    return MW_OK;
}

int mw_outputs_differ(const char *const *output, size_t n_outputs)
{
    int rc = MW_OK;
    for (size_t i = 0; i < n_outputs; i++)
        for (size_t k = 0; output[i] != NULL && k < i && rc == MW_OK; k++)
            if (output[k] != NULL)
                rc = compare(output[k], output[i]);
    return rc;
}

int mw_outputs_spare(const char *const *output, size_t n_outputs, const char *input)
{
    if (input == NULL || is_standard(input))
        return MW_OK;
    for (size_t i = 0; i < n_outputs; i++)
        if (output[i] != NULL && !is_standard(output[i]) &&
            !mw_outfile_is_direct(output[i]) && mw_outfile_same(output[i], input))
            return mw_fail(MW_ERR_USAGE,
                           "%s: is the input %s, which this output would destroy; choose "
                           "another name",
                           output[i], input);
    return MW_OK;
}

int mw_outputs_plain(const char *const *output, size_t n_outputs)
{
    for (size_t i = 0; i < n_outputs; i++)
        if (output[i] != NULL && mw_packing_of_name(output[i]) != NULL)
            return mw_fail(MW_ERR_USAGE,
                           "%s: its name says %s, but only graphs are packed (meshway "
                           "convert, meshway gen); leave that ending away",
                           output[i], mw_packing_of_name(output[i]));
    return MW_OK;
}
