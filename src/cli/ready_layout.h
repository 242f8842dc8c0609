/* ready_layout.h -- the layouts that come with the program, found wherever it is installed or
 * built.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_READY_LAYOUT_H
#define MW_READY_LAYOUT_H

#include "base/status.h"

MW_BEGIN_DECLS

/* Local. The folder of ready layouts, from malloc(), or NULL if there is none: beside the
 * program's own file, not at a place fixed when it was built, so that a tree may be moved. */
char *mw_ready_layouts_folder(void);

/* Local. What to open when the user says `name`: that file if it exists; otherwise the ready
 * layout that it names as "paper", "paper.layout" or "share/layouts/paper.layout", as the
 * documents do; otherwise `name`, whose opening then says what is wrong. From malloc(). */
int mw_ready_layout_find(const char *name, char **out) MW_NODISCARD;

MW_END_DECLS
#endif
