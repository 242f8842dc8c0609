/* trade.c -- see mw_world_trade(): all ranks come to the same way, whatever one of them finds missing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/trade.h"

#include "base/log.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const mw_exchange_names[] = {"auto", "nccl", "mpi", NULL};

static const struct mw_trading *trading_of(const struct mw_world *w)
{
    const struct mw_memory *m = w->backend->memory;
    return m != NULL && !m->host_reaches ? m->trading : NULL;
}

/* As far as each rank knows it without the others, and the same at all. */
static const char *known_why_not(const struct mw_world *w)
{
    return w->comm->size == 1                    ? "there is one rank"
           : trading_of(w) == NULL               ? "the backend has no library for it"
           : w->conf.exchange == MW_EXCHANGE_MPI ? "exchange=mpi"
                                                 : NULL;
}

bool mw_trade_expected(const struct mw_world_shape *world)
{
    const struct mw_memory *m = world->backend->memory;
    return world->groups.n_ranks > 1 && m != NULL && !m->host_reaches &&
           m->trading != NULL && world->exchange != MW_EXCHANGE_MPI;
}

/* Collective: do any ranks have the same device? Those of several hosts may, where they are only taken for
 * such; and ranks of a process, of whom the first to join would keep the turn that the others need. */
static int share_devices(const struct mw_world *w, bool *share)
{
    const uint32_t n_ranks = w->comm->size;
    const uint64_t mine = mw_device_id(w->backend, w->backend->device_of(w->cluster[0]));
    uint64_t *all;
    int rc;
    all = mw_alloc("devices of all ranks", n_ranks, sizeof *all);
    MW_TRY(rc, mw_comm_agree(w->comm, all != NULL ? MW_OK : MW_ERR_NOMEM));
    MW_TRY(rc, mw_comm_gather(w->comm, &mine, sizeof mine, all));
    for (uint32_t i = 0; i < n_ranks; i++)
        for (uint32_t k = 0; k < i; k++)
            *share = *share || all[i] == all[k];
end:
    mw_free(all);
    return rc;
}

static void keep_why(struct mw_world *w, const char *text)
{
    snprintf(w->trade_why, sizeof w->trade_why, "%s", text);
}

/* Collective. Hosts that ranks are only taken for are hosts to the library too, which then goes between them as it
 * does between such. It reads that before it names a group. */
static int pretend_hosts(const struct mw_world *w)
{
    const struct mw_comm *const c = w->comm;
    uint64_t pretended = c->real_host_rank != c->host_rank;
    char name[32];
    const int rc = mw_comm_max(w->comm, &pretended, 1);
    snprintf(name, sizeof name, "meshway-host-%u", c->host);
    if (rc == MW_OK && pretended)
        setenv("NCCL_HOSTID", name, 0);
    return rc;
}

/* Collective. The first rank names the group, and says why if it cannot. */
static int open_group(struct mw_world *w)
{
    struct {
        int32_t rc;
        unsigned char name[MW_TRADE_NAME];
        char why[sizeof w->trade_why];
    } told = {.rc = MW_OK};
    const struct mw_trading *const trading = trading_of(w);
    int rc = trading->find();
    if (rc == MW_OK)
        rc = trading->make(w->comm->size, &w->trade);
    uint64_t all_can = rc >= MW_OK;
    keep_why(w, rc < MW_OK ? mw_error_text() : "another rank cannot");
    mw_error_clear();
    MW_NEED(mw_comm_min(w->comm, &all_can,
                        1)); /* else the others wait in join() for one who cannot come */
    if (!all_can) {
        mw_world_end_trade(w);
        return MW_OK;
    }
    if (w->comm->rank == 0) {
        told.rc = trading->name(told.name);
        if (told.rc < MW_OK)
            snprintf(told.why, sizeof told.why, "%s", mw_error_text());
    }
    MW_NEED(mw_comm_broadcast(w->comm, &told, sizeof told, 0));
    if (told.rc < MW_OK) {
        keep_why(w, told.why);
        mw_error_clear();
        mw_world_end_trade(w);
        return MW_OK;
    }
    rc = trading->join(w->trade, told.name, w->comm->rank);
    keep_why(w, rc < MW_OK ? mw_error_text() : "another rank cannot");
    mw_error_clear();
    all_can = rc >= MW_OK;
    MW_NEED(mw_comm_min(w->comm, &all_can, 1));
    if (all_can)
        keep_why(w, "");
    else
        mw_world_end_trade(w);
    return MW_OK;
}

/* Collective. */
static int open_trade(struct mw_world *w)
{
    const char *const why = known_why_not(w);
    bool share = false;
    if (why != NULL) {
        keep_why(w, why);
        return MW_OK;
    }
    MW_NEED(share_devices(w, &share));
    if (!share)
        MW_NEED(pretend_hosts(w));
    if (!share)
        return open_group(w);
    keep_why(w, "ranks share a device");
    return MW_OK;
}

int mw_world_trade(struct mw_world *w, struct mw_trade **out)
{
    int rc = MW_OK;
    *out = NULL;
    if (!w->trade_tried)
        rc = open_trade(w);
    w->trade_tried = true;
    *out = w->trade;
    return rc;
}

int mw_world_trade_records(struct mw_world *w, struct mw_trade **out)
{
    int rc = MW_OK;
    *out = NULL;
    if (w->groups.width == 1)
        rc = mw_world_trade(w, out);
    else if (!w->trade_tried || w->trade != NULL)
        keep_why(w, "records go by relays");
    w->records_by = *out != NULL ? mw_exchange_names[MW_EXCHANGE_NCCL]
                                 : mw_exchange_names[MW_EXCHANGE_MPI];
    if (rc == MW_OK && *out == NULL && w->conf.exchange == MW_EXCHANGE_NCCL)
        rc = mw_fail(MW_ERR_UNAVAILABLE, "exchange=nccl: %s", w->trade_why);
    return rc;
}

void mw_world_end_trade(struct mw_world *w)
{
    if (w->trade != NULL)
        trading_of(w)->close(w->trade);
    w->trade = NULL;
}
