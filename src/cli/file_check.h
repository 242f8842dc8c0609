/* file_check.h -- the files of one command line: no output may be another one, nor an input.
 *
 * Files are compared, not names (outfile.h): "w.json" and "./w.json" are one, and so are hard
 * and symbolic links to it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FILE_CHECK_H
#define MW_FILE_CHECK_H

#include "base/status.h"

MW_BEGIN_DECLS

/* All: MW_ERR_USAGE with the names. NULL entries are none, "-" is standard input or output. */
int mw_outputs_differ(const char *const *output, size_t n_outputs) MW_NODISCARD;
int mw_outputs_spare(const char *const *output, size_t n_outputs, const char *input)
    MW_NODISCARD;
/* No name promises that it will be packed ("r.json.gz"). */
int mw_outputs_plain(const char *const *output, size_t n_outputs) MW_NODISCARD;

MW_END_DECLS
#endif
