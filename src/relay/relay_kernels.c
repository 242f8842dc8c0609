/* relay_kernels.c -- skeleton = kernel; there is no element to add, and nothing in it
 * depends on the short circuit: a record that has come this far is passed on. Compiled for
 * hosts and for meshes: MW_SKELETON names the header, MW_KERNELS the kernel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "relay/relay.h"

#include MW_SKELETON

void MW_KERNELS(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    MW_BY_RECORD(job, mw_run_relay, self, job);
}
