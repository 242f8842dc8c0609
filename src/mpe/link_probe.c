/* link_probe.c -- what a byte costs between hosts, before any has been sent: see link.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/sizes.h"
#include "mpe/link.h"

#include <math.h>

/* A piece is more than what a link takes at once (a burst of 10 KB, a socket's first
 * window), and 21 ms of 100 Mbit. The first one finds connections that are not there
 * yet. */
enum { PIECE = 256 << 10, TIMES = 4 };

void mw_links_probe_sizes(uint32_t n_ranks, struct mw_sizes *out)
{
    mw_sizes_add(out, MW_COUNTING, "pieces that probe a link", 2 * PIECE, 1);
    mw_sizes_add(out, MW_COUNTING, "what pieces took", n_ranks, sizeof(double));
}

/* Collective: seconds of the best piece. */
static int time_pieces(struct mw_comm *comm, const char *out, char *in, double *best)
{
    int rc = MW_OK;
    *best = INFINITY;
    for (int i = 0; i < TIMES && rc == MW_OK; i++) {
        struct mw_swap x = {.to = (comm->host + 1) % comm->n_hosts,
                            .from = (comm->host + comm->n_hosts - 1) % comm->n_hosts,
                            .send = out,
                            .bytes = PIECE,
                            .recv = in,
                            .room = PIECE};
        const double start = mw_now();
        rc = mw_comm_swap(comm, &x);
        *best = fmin(*best, mw_now() - start);
    }
    return rc;
}

/* Local. */
static int take_pieces(uint32_t n_ranks, char **piece, double **all)
{
    struct mw_sizes sizes = {0};
    mw_links_probe_sizes(n_ranks, &sizes);
    MW_NEED_TAKE(*piece, &sizes, "pieces that probe a link");
    MW_NEED_TAKE(*all, &sizes, "what pieces took");
    return MW_OK;
}

int mw_links_probe(struct mw_links *links, struct mw_comm *comm)
{
    int rc;
    char *piece = NULL;
    double best, *all = NULL;
    if (comm->n_hosts == 1)
        return MW_OK;
    MW_TRY(rc, mw_comm_agree(comm, take_pieces(comm->size, &piece, &all)));
    MW_TRY(rc, time_pieces(comm, piece, piece + PIECE, &best));
    MW_TRY(rc, mw_comm_gather(comm, &best, sizeof best, all));
    /* Only the lowest rank of a host has sent; all of them will share the way out. */
    uint32_t lowest = 0;
    while (comm->host_of[lowest] != comm->host)
        lowest++;
    mw_links_expect(links, all[lowest] / PIECE * comm->host_size);
end:
    MW_FREE_ALL(all, piece);
    return rc;
}
