/* peers.c -- see peers.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/peers.h"

#include <string.h>

const char *const mw_peers_why[MW_PEERS_REASONS] = {
    [MW_PEERS_ALL] = NULL,
    [MW_PEERS_ALONE] = "there is one rank",
    [MW_PEERS_SEVERAL_HOSTS] = "ranks are on several hosts",
    [MW_PEERS_MANY] = "there are more than 16 ranks",
    [MW_PEERS_NO_LENDING] = "this backend's devices do not reach each other's memory",
    [MW_PEERS_NOT_WANTED] = "the exchange is given",
    [MW_PEERS_SAME_DEVICE] = "ranks share a device",
    [MW_PEERS_NO_ROOM] = "a device has no room for what ranks would tell each other by",
    [MW_PEERS_OUT_OF_REACH] = "a device does not reach another one's memory",
};

static const struct mw_lending *lending_of(const struct mw_backend *backend)
{
    return backend->memory != NULL ? backend->memory->lending : NULL;
}

enum mw_peers_none mw_peers_expected(const struct mw_world_shape *world)
{
    const uint32_t n_ranks = world->groups.n_ranks;
    return n_ranks == 1                          ? MW_PEERS_ALONE
           : world->n_hosts > 1                  ? MW_PEERS_SEVERAL_HOSTS
           : n_ranks > MW_PEERS_MAX              ? MW_PEERS_MANY
           : !lending_of(world->backend)         ? MW_PEERS_NO_LENDING
           : world->exchange != MW_EXCHANGE_AUTO ? MW_PEERS_NOT_WANTED
                                                 : MW_PEERS_ALL;
}

static enum mw_peers_none reach_all(struct mw_world *w, const struct mw_lent *lent,
                                    struct mw_peers *p)
{
    const struct mw_lending *const l = lending_of(w->backend);
    const uint32_t me = w->comm->rank;
    for (uint32_t r = 0; r < w->comm->size; r++)
        if (r != me && lent[r].device == lent[me].device)
            return MW_PEERS_SAME_DEVICE;
    for (uint32_t r = 0; r < w->comm->size; r++) {
        if (r != me)
            p->block[r] = l->reach(w->cluster[0], &lent[r]);
        if (p->block[r] == NULL)
            return MW_PEERS_OUT_OF_REACH;
    }
    return MW_PEERS_ALL;
}

int mw_peers_open(struct mw_world *w, const char *what, uint64_t bytes,
                  struct mw_peers *out)
{
    struct mw_lent lent[MW_PEERS_MAX], *mine;
    struct mw_world_shape shape;
    uint64_t none;
    int rc = MW_OK;

    memset(out, 0, sizeof *out);
    mw_world_shape_of(w, &shape);
    out->none = mw_peers_expected(&shape);
    if (out->none != MW_PEERS_ALL)
        return MW_OK;
    out->opened = true;
    mine = &lent[w->comm->rank];
    memset(lent, 0, sizeof lent);
    out->block[w->comm->rank] =
        lending_of(w->backend)->lend(w->cluster[0], what, bytes, mine);
    none = out->block[w->comm->rank] == NULL ? MW_PEERS_NO_ROOM : MW_PEERS_ALL;
    mw_error_clear(); /* levels do without */
    MW_TRY(rc, mw_comm_max(w->comm, &none, 1));
    if (none == MW_PEERS_ALL) {
        const struct mw_lent own = *mine;
        MW_TRY(rc, mw_comm_gather(w->comm, &own, sizeof own, lent));
        none = (uint64_t)reach_all(w, lent, out);
        MW_TRY(rc, mw_comm_max(w->comm, &none, 1));
    }
    if (none == MW_PEERS_ALL)
        return MW_OK;
    out->none = (enum mw_peers_none)none;
end:
    mw_peers_close(w, out);
    return rc;
}

void mw_peers_close(struct mw_world *w, struct mw_peers *p)
{
    const struct mw_lending *const l = lending_of(w->backend);
    const uint32_t me = w->comm->rank;
    if (!p->opened)
        return;
    for (uint32_t r = 0; r < w->comm->size; r++) {
        if (r != me && p->block[r] != NULL)
            l->leave(w->cluster[0], p->block[r]);
        if (r != me)
            p->block[r] = NULL;
    }
    if (mw_comm_host_barrier(w->comm) == MW_OK && p->block[me] != NULL)
        l->take_back(w->cluster[0], p->block[me]);
    p->block[me] = NULL;
    p->opened = false;
}
