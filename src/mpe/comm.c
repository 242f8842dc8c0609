/* comm.c -- what every communicator does alike.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/comm.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 1024 };

const char *const mw_wait_names[MW_N_WAITS] = {"at work",
                                               "waits in a pipeline",
                                               "waits for a device",
                                               "waits in a barrier",
                                               "waits in a sum",
                                               "waits in a gather",
                                               "waits in a broadcast",
                                               "waits in an exchange",
                                               "waits in the set-up of memory"};

/* One number whose minimum is the worst status and, among equals, the lowest rank:
 *
 *      63           32 31          0
 *      | rc - INT32_MIN |   rank   |      all ones: nobody failed
 */
static uint64_t key_of(int rc, uint32_t rank)
{
    if (rc >= MW_OK)
        return UINT64_MAX;
    return (uint64_t)((int64_t)rc - INT32_MIN) << 32 | rank;
}

/* News (a positive rc) is not a failure and counts as MW_OK. The text travels with
 * the status it belongs to, so any rank can print it. */
int mw_comm_agree(struct mw_comm *c, int rc)
{
    char text[TEXT_BYTES] = "";
    uint64_t key = key_of(rc, c->rank);
    const int met = mw_comm_min(c, &key, 1);
    if (met != MW_OK)
        return rc < MW_OK ? rc : met;
    if (key == UINT64_MAX)
        return MW_OK;

    const uint32_t failed = (uint32_t)key;
    const int worst = (int)((int64_t)(key >> 32) + INT32_MIN);
    if (c->rank == failed)
        snprintf(text, sizeof text, "%s", mw_error_text());
    const int sent = mw_comm_broadcast(c, text, sizeof text, failed);
    if (sent != MW_OK || rc == worst)
        return worst; /* this rank's own text is about the same */
    return mw_fail(worst, "rank %u: %s", failed, text);
}

int mw_comm_hosts_alloc(struct mw_comm *c, const char *what, uint64_t bytes, void **out)
{
    void *p = NULL;
    const int here = mw_comm_host_alloc(c, what, bytes, &p);
    const int rc = mw_comm_agree(c, here);
    if (rc < MW_OK && here == MW_OK)
        mw_comm_host_free(c, p);
    *out = rc < MW_OK ? NULL : p;
    return rc;
}

int mw_comm_sum_or_fail(struct mw_comm *c, uint64_t *value, uint32_t n, int rc)
{
    uint64_t sum[MW_COMM_SUMS + 1];
    assert(n <= MW_COMM_SUMS);
    memcpy(sum, value, n * sizeof *sum);
    sum[n] = rc < MW_OK;
    const int met = mw_comm_sum(c, sum, n + 1);
    if (met != MW_OK)
        return rc < MW_OK ? rc : met;
    if (sum[n] > 0)
        return mw_comm_agree(c, rc);
    memcpy(value, sum, n * sizeof *sum);
    return MW_OK;
}
