/* cluster_serial.c -- a cluster of one core, the caller: every kernel is a call.
 *
 * The oracle that the other backends are compared with, and what the management
 * core runs next to a mesh. However many cores are asked for, it has one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "cpe/cluster_backends.h"
#include "cpe/mask.h"

struct mw_cluster {
    struct mw_mask before; /* where the caller could run before open() */
    bool bound;
};

static int serial_open(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    int rc;
    struct mw_cluster *c;
    MW_NEW(rc, c, "serial cluster", 1);
    mw_mask_of_self(&c->before);
    if (conf->cpu != NULL) {
        MW_TRY(rc, mw_mask_bind_self_to(conf->cpu[0]));
        c->bound = true;
    }
    *out = c;
    return MW_OK;
end:
    mw_free(c);
    return rc;
}

static void serial_run(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    struct mw_cpe self = {0, 1, 0};
    (void)c;
    kernel(&self, job);
}

static int serial_poll(struct mw_cluster *c)
{
    (void)c;
    return MW_OK;
}

static void serial_close(struct mw_cluster *c)
{
    if (c == NULL)
        return;
    if (c->bound && mw_mask_bind_self(&c->before) != MW_OK)
        mw_error_clear(); /* the processors went offline meanwhile */
    mw_free(c);
}

static uint32_t serial_n_cores(const struct mw_cluster *c)
{
    (void)c;
    return 1;
}

static uint32_t serial_n_team(const struct mw_cluster *c)
{
    (void)c;
    return 0;
}

const struct mw_backend mw_backend_serial = {
    .name = "serial",
    .one_thread = true,
    .kernels = "serial",
    .delegate = "serial",
    .priority = 0,
    .open = serial_open,
    .launch = serial_run,
    .poll = serial_poll,
    .run = serial_run,
    .close = serial_close,
    .n_cores = serial_n_cores,
    .n_team = serial_n_team,
};
