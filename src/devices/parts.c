/* parts.c -- see parts.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/parts.h"

#include "devices/placed.h"

#include <string.h>

static const char MINE[] = "what a rank tells all", COPY[] = "what another rank tells",
                  WINDOW[] = "what ranks tell, at the host";

static uint64_t whole_lines(uint64_t bytes)
{
    return mw_round_up(bytes, MW_CACHE_LINE);
}

/* Which way parts go. */
enum way { BY_PEERS, BY_TRADE, BY_HOSTS };

static enum way way_expected(const struct mw_world_shape *world)
{
    return mw_peers_expected(world) == MW_PEERS_ALL ? BY_PEERS
           : mw_trade_expected(world)               ? BY_TRADE
                                                    : BY_HOSTS;
}

bool mw_parts_expected(const struct mw_world_shape *world)
{
    return way_expected(world) != BY_HOSTS;
}

static void sizes_of(uint64_t bytes, enum mw_when when, const struct mw_backend *backend,
                     uint32_t n_ranks, enum way way, struct mw_sizes *out)
{
    const bool near = mw_host_reaches(backend);
    struct mw_size *const window = mw_sizes_add(out, when, WINDOW, n_ranks, bytes);
    window->of_host = true;
    window->copies = way == BY_HOSTS;
    mw_sizes_add_of(out, MW_OF_CORES, when, MINE, bytes, 1)->copies =
        way != BY_HOSTS || !near;
    mw_sizes_add_of(out, MW_OF_CORES, when, COPY, bytes, 1)->copies =
        way != BY_PEERS && !near;
}

void mw_parts_sizes(uint64_t bytes, enum mw_when when, const struct mw_world_shape *world,
                    struct mw_sizes *out)
{
    sizes_of(whole_lines(bytes), when, world->backend, world->groups.n_ranks,
             way_expected(world), out);
}

/* Local: mine, and room for another rank's, beside cores that the host does not reach. */
static int take_blocks(struct mw_parts *p, enum way way)
{
    struct mw_world *const w = p->world;
    struct mw_sizes sizes = {0};
    sizes_of(p->bytes, MW_SEARCHING, w->backend, w->comm->size, way, &sizes);
    p->mine = mw_place(w, MW_OF_CORES, &sizes, MINE, 1);
    p->copy = mw_place(w, MW_OF_CORES, &sizes, COPY, 1);
    return p->mine != NULL && p->copy != NULL ? MW_OK : MW_ERR_NOMEM;
}

/* Collective. */
static int open_by_hosts(struct mw_parts *p)
{
    struct mw_world *const w = p->world;
    void *window = NULL;
    int rc;
    MW_TRY(rc, mw_comm_hosts_alloc(w->comm, WINDOW, w->comm->size * p->bytes, &window));
    p->window = window;
    if (mw_host_reaches(w->backend))
        p->mine = p->window + w->comm->rank * p->bytes;
    else
        rc = take_blocks(p, BY_HOSTS);
    rc = mw_comm_agree(w->comm, rc);
end:
    return rc;
}

/* Collective: unless peers reach each other; *done: there is a library, and room. */
static int open_by_trade(struct mw_parts *p, bool *done)
{
    struct mw_world *const w = p->world;
    struct mw_world_shape shape;
    *done = false;
    mw_world_shape_of(w, &shape);
    if (!mw_trade_expected(&shape))
        return MW_OK;
    MW_NEED(mw_world_trade(w, &p->trade));
    if (p->trade == NULL)
        return MW_OK;
    *done = true;
    return mw_comm_agree(w->comm, take_blocks(p, BY_TRADE));
}

int mw_parts_open(struct mw_world *w, uint64_t bytes, struct mw_parts *out)
{
    bool done;
    int rc;
    memset(out, 0, sizeof *out);
    out->world = w;
    out->bytes = whole_lines(bytes);
    MW_TRY(rc, mw_peers_open(w, MINE, out->bytes, &out->peers));
    if (out->peers.opened) {
        out->mine = out->peers.block[w->comm->rank];
        return MW_OK;
    }
    MW_TRY(rc, open_by_trade(out, &done));
    if (!done)
        rc = open_by_hosts(out);
end:
    if (rc != MW_OK)
        mw_parts_close(out);
    return rc;
}

int mw_parts_try(struct mw_world *w, bool *out)
{
    struct mw_parts parts;
    const int rc = mw_parts_open(w, MW_CACHE_LINE, &parts);
    *out = rc == MW_OK && (parts.peers.opened || parts.trade != NULL);
    mw_parts_close(&parts);
    return rc;
}

void mw_parts_close(struct mw_parts *p)
{
    struct mw_world *const w = p->world;
    if (w == NULL)
        return;
    mw_peers_close(w, &p->peers);
    if ((p->window != NULL || p->trade != NULL) && !mw_host_reaches(w->backend)) {
        mw_unplace(w, MW_OF_CORES, p->mine);
        mw_unplace(w, MW_OF_CORES, p->copy);
    }
    mw_comm_host_free(w->comm, p->window);
    memset(p, 0, sizeof *p);
}

int mw_parts_share(struct mw_parts *p, uint64_t from, uint64_t bytes)
{
    struct mw_world *const w = p->world;
    p->from = from;
    p->shared = bytes;
    if (p->trade != NULL)
        return MW_OK; /* it goes when it is seen */
    if (p->window == NULL)
        return mw_comm_host_barrier(w->comm);
    (void)mw_see(w, p->window + w->comm->rank * p->bytes + from, (char *)p->mine + from,
                 bytes);
    return mw_comm_share(w->comm, p->window, p->bytes);
}

int mw_parts_see(struct mw_parts *p, uint32_t rank, uint64_t from, uint64_t bytes,
                 const void **out)
{
    struct mw_world *const w = p->world;
    const bool is_mine = rank == w->comm->rank;
    const void *const mine = (const char *)p->mine + from;
    if (p->trade != NULL) {
        *out = is_mine ? mine : (const char *)p->copy + from;
        return w->backend->memory->trading->tell(
            p->trade, rank, (char *)(is_mine ? p->mine : p->copy) + p->from, p->shared);
    }
    const char *const at =
        p->window == NULL ? p->peers.block[rank] : p->window + rank * p->bytes;
    *out = is_mine ? mine : p->window != NULL && p->copy != NULL ? p->copy : at + from;
    if (*out == p->copy)
        mw_put(w, p->copy, at + from, bytes);
    return MW_OK;
}
