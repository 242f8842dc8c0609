/* version.h -- what this program is and was built with; works before and without MPI.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_VERSION_H
#define MW_VERSION_H

#include "base/status.h"

#include <stdio.h>

MW_BEGIN_DECLS

const char *mw_version(void); /* "0.2.0" */
const char *mw_commit(void);  /* "1a2b3c4d5e6f", with "+" if files had been changed */
int mw_version_print(FILE *f, bool json) MW_NODISCARD;

MW_END_DECLS
#endif
