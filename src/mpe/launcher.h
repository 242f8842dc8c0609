/* launcher.h -- did the program that started us start more ranks than we can see?
 *
 * Under the mpiexec of another MPI, or of any in a build without one, every process
 * believes that it is alone and does the whole job. The launcher's variables tell.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAUNCHER_H
#define MW_LAUNCHER_H

#include "base/status.h"

MW_BEGIN_DECLS

/* Local. MW_ERR_UNAVAILABLE when n_ranks is 1 and a launcher says otherwise. */
int mw_launcher_check(uint32_t n_ranks) MW_NODISCARD;

MW_END_DECLS
#endif
