/* data_folder.h -- what comes with the program, found wherever it is installed or built: beside the
 * program's own file, not at a place fixed when it was built, so that a tree may be moved.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DATA_FOLDER_H
#define MW_DATA_FOLDER_H

#include "base/base.h"

MW_BEGIN_DECLS

/* Local. The folder that is share/meshway/`installed` in an installation and `built` in a build
 * folder, from malloc(); NULL: there is none. */
char *mw_data_folder(const char *installed, const char *built);

/* Local. The program's own file, from malloc(); NULL: the system does not say. */
char *mw_own_file(void);

/* "ABC" from malloc(); NULL: no memory. */
char *mw_text_join(const char *a, const char *b, const char *c);

MW_END_DECLS
#endif
