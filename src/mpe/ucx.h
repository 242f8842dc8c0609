/* ucx.h -- what UCX, which carries MPICH's messages on Debian, needs before it starts and is told.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_UCX_H
#define MW_UCX_H

#include "base/status.h"

MW_BEGIN_DECLS

/* Local, no start needed: is it UCX that carries this MPI's messages? */
bool mw_ucx_carries(void);

/* Local, before MPI_Init(): MW_ERR_REFUSED if there is too little room for it to start,
 * in words that say what to do, for MPI_Init() itself would end the process. Else sets
 * variables of its, in this process's environment, which nobody has set. */
int mw_ucx_prepare(void) MW_NODISCARD;

MW_END_DECLS
#endif
