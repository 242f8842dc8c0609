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

static void sizes_of(uint64_t bytes, enum mw_when when, const struct mw_backend *backend,
                     uint32_t n_ranks, bool peers, struct mw_sizes *out)
{
    const bool near = mw_host_reaches(backend);
    struct mw_size *const window = mw_sizes_add(out, when, WINDOW, n_ranks, bytes);
    window->of_host = true;
    window->copies = !peers;
    mw_sizes_add_of(out, MW_OF_CORES, when, MINE, bytes, 1)->copies = peers || !near;
    mw_sizes_add_of(out, MW_OF_CORES, when, COPY, bytes, 1)->copies = !peers && !near;
}

void mw_parts_sizes(uint64_t bytes, enum mw_when when, const struct mw_world_shape *world,
                    struct mw_sizes *out)
{
    sizes_of(whole_lines(bytes), when, world->backend, world->groups.n_ranks,
             mw_peers_expected(world) == MW_PEERS_ALL, out);
}

/* Collective. */
static int open_by_hosts(struct mw_parts *p)
{
    struct mw_world *const w = p->world;
    struct mw_sizes sizes = {0};
    void *window = NULL;
    int rc;
    sizes_of(p->bytes, MW_SEARCHING, w->backend, w->comm->size, false, &sizes);
    MW_TRY(rc, mw_comm_hosts_alloc(w->comm, WINDOW, w->comm->size * p->bytes, &window));
    p->window = window;
    if (mw_host_reaches(w->backend)) {
        p->mine = p->window + w->comm->rank * p->bytes;
    } else {
        p->mine = mw_place(w, MW_OF_CORES, &sizes, MINE, 1);
        p->copy = mw_place(w, MW_OF_CORES, &sizes, COPY, 1);
        rc = p->mine != NULL && p->copy != NULL ? MW_OK : MW_ERR_NOMEM;
    }
    rc = mw_comm_agree(w->comm, rc);
end:
    return rc;
}

int mw_parts_open(struct mw_world *w, uint64_t bytes, struct mw_parts *out)
{
    int rc;
    memset(out, 0, sizeof *out);
    out->world = w;
    out->bytes = whole_lines(bytes);
    MW_TRY(rc, mw_peers_open(w, MINE, out->bytes, &out->peers));
    if (out->peers.opened)
        out->mine = out->peers.block[w->comm->rank];
    else
        rc = open_by_hosts(out);
end:
    if (rc != MW_OK)
        mw_parts_close(out);
    return rc;
}

void mw_parts_close(struct mw_parts *p)
{
    struct mw_world *const w = p->world;
    if (w == NULL)
        return;
    mw_peers_close(w, &p->peers);
    if (p->window != NULL && !mw_host_reaches(w->backend)) {
        mw_unplace(w, MW_OF_CORES, p->mine);
        mw_unplace(w, MW_OF_CORES, p->copy);
    }
    mw_comm_host_free(w->comm, p->window);
    memset(p, 0, sizeof *p);
}

int mw_parts_share(struct mw_parts *p, uint64_t from, uint64_t bytes)
{
    struct mw_world *const w = p->world;
    if (p->window == NULL)
        return mw_comm_host_barrier(w->comm);
    (void)mw_see(w, p->window + w->comm->rank * p->bytes + from, (char *)p->mine + from,
                 bytes);
    return mw_comm_share(w->comm, p->window, p->bytes);
}

const void *mw_parts_see(struct mw_parts *p, uint32_t rank, uint64_t from, uint64_t bytes)
{
    if (rank == p->world->comm->rank)
        return (const char *)p->mine + from;
    if (p->window == NULL)
        return (const char *)p->peers.block[rank] + from;
    const char *const at = p->window + rank * p->bytes + from;
    if (p->copy == NULL)
        return at;
    mw_put(p->world, p->copy, at, bytes);
    return p->copy;
}
