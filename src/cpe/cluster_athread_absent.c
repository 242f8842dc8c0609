/* cluster_athread_absent.c -- the entry of "athread" in a build for other machines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/cluster_backends.h"

const struct mw_backend mw_backend_athread = {
    .name = "athread",
    .disabled = "this build is not for a Sunway machine (docs/sunway.md)",
    .mesh = true,
};
