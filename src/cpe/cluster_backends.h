/* cluster_backends.h -- the instances behind the table in cluster.c. Each is defined
 * in every build: where its machine is absent, by a file that only says why.
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
