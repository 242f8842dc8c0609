/* kernels.h -- the mesh kernels of this build: what athread_kernels.c can run by number, and
 * athread_tokens.c finds the number of.
 *
 * FUNCTION(f): a mw_kernel. TABLE(t, n): a constant struct of n pointers to kernels. A number
 * is a place in this list, so both files are built with the same one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ATHREAD_KERNELS_H
#define MW_ATHREAD_KERNELS_H

#include "algorithms/rooms.h"

#define MW_ROOM_TABLE(TABLE, name, mesh, n, what) TABLE(mesh##_mesh, n)

#define MW_ATHREAD_KERNELS(FUNCTION, TABLE)                                              \
    FUNCTION(mw_relay_on_mesh) MW_ROOMS(MW_ROOM_TABLE, MW_ROOM_TABLE, TABLE)

#endif
