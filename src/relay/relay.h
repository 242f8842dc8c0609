/* relay.h -- the kernel of the relay modules: re-bucket by column, send on.
 *
 * It looks at addresses only, so one kernel serves every algorithm; the second one is
 * for the clusters of a mesh.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RELAY_H
#define MW_RELAY_H

#include "cpe/cluster.h"

MW_BEGIN_DECLS

mw_kernel mw_relay_pass_on, mw_relay_on_mesh;

/* What a relay's row of a table holds: the management core's kernel and the clusters'. Local. */
mw_kernel *mw_relay_of_mpe(const struct mw_backend *backend);
mw_kernel *mw_relay_of_cores(const struct mw_backend *backend);

MW_END_DECLS
#endif
