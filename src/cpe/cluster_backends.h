/* cluster_backends.h -- the instances behind the table in cluster.c, which has those of this build
 * from kinds.h. Each is defined where its backend is built in.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CLUSTER_BACKENDS_H
#define MW_CLUSTER_BACKENDS_H

#include "cpe/cluster.h"

MW_BEGIN_DECLS

extern const struct mw_backend mw_backend_openmp;
extern const struct mw_backend mw_backend_serial;
extern const struct mw_backend mw_backend_athread;
extern const struct mw_backend mw_backend_kokkos;
/* As on a device, also where that is the host's cores: for tests. Only where Kokkos is built in. */
extern const struct mw_backend mw_backend_kokkos_device;
extern const struct mw_backend mw_backend_omptarget;

MW_END_DECLS
#endif
