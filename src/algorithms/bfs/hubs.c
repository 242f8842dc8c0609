/* hubs.c -- see hubs.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/hubs.h"

#include "base/mem.h"

#include <string.h>

/* ---- Set-up ---------------------------------------------------------------------------- */

void mw_hubs_sizes(uint32_t n_hubs, uint32_t n_ranks, uint32_t n_hosts,
                   uint32_t host_ranks, struct mw_sizes *out)
{
    const struct mw_hubs *h = NULL;
    const uint64_t n_words = mw_hubs_words(n_hubs);
    mw_sizes_add(out, MW_SEARCHING, "visited hubs", n_ranks * n_words, sizeof *h->visited)
        ->of_host = true;
    mw_sizes_add(out, MW_SEARCHING, "places of hubs", (uint64_t)n_ranks * n_hubs,
                 sizeof *h->place)
        ->of_host = true;
    mw_sizes_add(out, MW_SEARCHING, "news of hubs", n_ranks, sizeof *h->heard)->of_host =
        true;
    struct mw_size *told = mw_sizes_add(out, MW_SEARCHING, "visited hubs, told",
                                        host_ranks * n_words, sizeof *h->told);
    told->of_host = true;
    told->copies = n_hosts > 1;
}

/* Collective: a block of the table that the ranks of a host share. */
static int take_shared(struct mw_comm *comm, const struct mw_sizes *sizes,
                       const char *what, void **out)
{
    const struct mw_size *row = mw_sizes_find(sizes, what);
    return mw_comm_hosts_alloc(comm, row->what, row->n * row->bytes, out);
}

int mw_hubs_new(struct mw_comm *comm, uint32_t n_hubs, const uint32_t *place_of,
                uint32_t n_labels, struct mw_hubs **out)
{
    int rc = MW_OK;
    struct mw_hubs *h;
    struct mw_sizes sizes = {0};
    void *visited = NULL, *place = NULL, *heard = NULL;

    *out = NULL;
    mw_hubs_sizes(n_hubs, comm->size, comm->n_hosts, comm->host_size, &sizes);
    MW_NEW(rc, h, "hubs", 1);
    h->comm = comm;
    h->n_hubs = n_hubs;
    h->n_words = mw_hubs_words(n_hubs);
    h->n_here = (uint32_t)mw_min(n_hubs, n_labels);
    if (comm->host_rank == 0)
        MW_TAKE(rc, h->told, &sizes, "visited hubs, told");
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = take_shared(comm, &sizes, "visited hubs", &visited);
    if (rc == MW_OK)
        rc = take_shared(comm, &sizes, "places of hubs", &place);
    if (rc == MW_OK)
        rc = take_shared(comm, &sizes, "news of hubs", &heard);
    if (h != NULL) {
        h->visited = visited;
        h->place = place;
        h->heard = heard;
    }
    if (rc == MW_OK) {
        mw_hubs_reset(h);
        memcpy(h->place + (uint64_t)comm->rank * n_hubs, place_of,
               h->n_here * sizeof *place_of);
        rc = mw_comm_share(comm, place, n_hubs * sizeof *h->place);
    }
    if (rc != MW_OK) {
        mw_hubs_free(h);
        return rc;
    }
    *out = h;
    return MW_OK;
}

void mw_hubs_free(struct mw_hubs *h)
{
    if (h == NULL)
        return;
    mw_comm_host_free(h->comm, h->heard);
    mw_comm_host_free(h->comm, h->place);
    mw_comm_host_free(h->comm, h->visited);
    MW_FREE_ALL(h->told, h);
}

void mw_hubs_reset(struct mw_hubs *h)
{
    const struct mw_comm *c = h->comm;
    if (c->host_rank == 0)
        memset(h->visited, 0, (uint64_t)c->size * h->n_words * sizeof *h->visited);
    if (h->told != NULL)
        memset(h->told, 0, (uint64_t)c->host_size * h->n_words * sizeof *h->told);
}

/* ---- The exchange ------------------------------------------------------------------------ */

/* The hubs of word w that are in the prefix and that this rank has. */
static uint64_t valid(const struct mw_hubs *h, uint32_t n_prefix, uint32_t w)
{
    const uint64_t n = mw_min(n_prefix, h->n_here), first = UINT64_C(64) * w;
    if (first >= n)
        return 0;
    return n - first >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (n - first)) - 1;
}

/* Own hubs go into the window. Returns whether any is new there. */
static bool enter(struct mw_hubs *h, const uint64_t *own, uint32_t n_prefix)
{
    uint64_t *mine = h->visited + (uint64_t)h->comm->rank * h->n_words, news = 0;
    for (uint32_t w = 0; w < mw_hubs_words(n_prefix); w++) {
        const uint64_t here = valid(h, n_prefix, w);
        if (here == 0)
            break;
        news |= here & own[w] & ~mine[w];
        mine[w] |= here & own[w];
    }
    return news != 0;
}

int mw_hubs_exchange(struct mw_hubs *h, struct mw_set_share *share, const uint64_t *own,
                     uint32_t n_prefix, struct mw_hub_news *news)
{
    const struct mw_comm *comm = h->comm;
    const struct mw_portions portions = {.window = h->visited,
                                         .stride = h->n_words,
                                         .n_words = mw_hubs_words(n_prefix),
                                         .told = h->told,
                                         .heard = h->heard};
    const uint64_t sent = share->n_bytes;

    h->heard[comm->rank] = enter(h, own, n_prefix);
    const int rc = mw_set_share(share, &portions);
    *news = (struct mw_hub_news){.n_bytes = share->n_bytes - sent};
    for (uint32_t r = 0; r < comm->size; r++)
        news->n_flags += h->heard[r] == 0;
    return rc;
}
