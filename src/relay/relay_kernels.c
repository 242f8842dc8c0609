/* relay_kernels.c -- skeleton = kernel; there is no element to add, and nothing in it
 * depends on the short circuit: a record that has come this far is passed on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "relay/relay.h"

#include "shuffle/skeleton_serial.h"

void mw_relay_pass_on(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    MW_BY_RECORD(job, mw_run_relay, self, job);
}
