/* lines_report.h -- `check` of a mesh beyond MW_MESH_SIDE_MAX, by its lines (layouts/ways/lines.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_LINES_REPORT_H
#define MW_LAYOUT_LINES_REPORT_H

#include "layouts/explore/report.h"
#include "layouts/ways/lines.h"

#include <jansson.h>

MW_BEGIN_DECLS

/* Of l's rules on rows x cols. Prints, or appends to `list` if that is not NULL; *is_free: by the
 * deciding model. */
int mw_lines_check(const struct mw_layout *l, uint32_t rows, uint32_t cols,
                   const struct mw_report_conf *conf, const char *file, FILE *out,
                   json_t *list, bool *is_free) MW_NODISCARD;

MW_END_DECLS
#endif
