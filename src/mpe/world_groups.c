/* world_groups.c -- the shape of the route that a world's ranks take: groups of ranks that are near each
 * other, and no more connections than there may be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/world.h"

#include "base/mem.h"

#include <stdio.h>

const char *const mw_groups_by_names[MW_N_GROUPS_BY] = {"none", "given", "hosts",
                                                        "switches", "near-square"};

static struct mw_groups groups_of(uint32_t n_ranks, uint32_t width)
{
    return (struct mw_groups){n_ranks, width,
                              (uint32_t)((n_ranks + (uint64_t)width - 1) / width)};
}

/* N x M with N * M >= P, N groups of M, a multiple of `unit`: the smallest N + M, and among those
 * the widest groups, whose second hop stays inside a switch. */
static struct mw_groups near_square_of(uint32_t n_ranks, uint32_t unit)
{
    struct mw_groups best = groups_of(n_ranks, unit);
    for (uint64_t width = unit; width <= n_ranks; width += unit) {
        const struct mw_groups next = groups_of(n_ranks, (uint32_t)width);
        if (next.n_groups + width <= (uint64_t)best.n_groups + best.width)
            best = next;
    }
    return best;
}

static struct mw_groups near_square(uint32_t n_ranks)
{
    return near_square_of(n_ranks, 1);
}

uint32_t mw_world_peers(const struct mw_groups *g)
{
    const uint32_t most = g->n_ranks - 1;
    return g->width > 1 ? (uint32_t)mw_min(most, g->n_groups + g->width - 2) : most;
}

static bool may_have(const struct mw_world_conf *conf, uint32_t peers)
{
    return conf->connections == 0 || peers <= conf->connections;
}

/* MPI keeps memory for each rank that was ever sent to (the paper: 100 KB), so a route with
 * too many of them is refused before the first message. */
static int check_connections(const struct mw_world_conf *conf, const struct mw_groups *g)
{
    const uint32_t peers = mw_world_peers(g);
    const struct mw_groups near = near_square(g->n_ranks); /* no shape has fewer peers */
    const uint32_t least = mw_world_peers(&near);
    char route[64] = "direct routing", advice[96];
    if (may_have(conf, peers))
        return MW_OK;
    if (g->width > 1)
        snprintf(route, sizeof route, "relay %ux%u", g->n_groups, g->width);
    if (least > conf->connections)
        snprintf(advice, sizeof advice,
                 "no shape does with so few: %u is the least for %u ranks", least,
                 g->n_ranks);
    else
        snprintf(advice, sizeof advice,
                 "--routing relay --groups %ux%u to %u (N + M - 1 with itself)",
                 near.n_groups, near.width, least);
    return mw_fail(MW_ERR_REFUSED,
                   "--connections %u: %s makes a rank talk to %u others; %s",
                   conf->connections, route, peers, advice);
}

/* Groups of so many ranks, which are near each other. Where their number makes a rank
 * talk to more than twice as many as it has to, or to more than it may, groups are
 * several such units together. */
static struct mw_groups whole_units(const struct mw_world_conf *conf, uint32_t n_ranks,
                                    uint32_t unit)
{
    const struct mw_groups units = groups_of(n_ranks, unit), least = near_square(n_ranks);
    const uint32_t peers = mw_world_peers(&units);
    const bool few = peers <= UINT64_C(2) * mw_world_peers(&least);
    return few && may_have(conf, peers) ? units : near_square_of(n_ranks, unit);
}

/* A unit of one rank, or of all of them, says nothing. */
static bool is_unit(uint32_t width, uint32_t n_ranks)
{
    return width > 1 && width < n_ranks;
}

static void find_groups(const struct mw_world_conf *conf, uint32_t n_ranks,
                        const struct mw_near *near, struct mw_groups *out,
                        enum mw_groups_by *by)
{
    *by = is_unit(near->switch_ranks, n_ranks)                      ? MW_GROUPS_SWITCHES
          : near->n_hosts > 1 && is_unit(near->host_ranks, n_ranks) ? MW_GROUPS_HOSTS
                                                                    : MW_GROUPS_SQUARE;
    const uint32_t unit = *by == MW_GROUPS_SWITCHES ? near->switch_ranks
                          : *by == MW_GROUPS_HOSTS  ? near->host_ranks
                                                    : 1;
    *out = unit > 1 ? whole_units(conf, n_ranks, unit) : near_square(n_ranks);
    if (!may_have(conf, mw_world_peers(out))) {
        *by = MW_GROUPS_SQUARE; /* which has the fewest */
        *out = near_square(n_ranks);
    }
}

int mw_world_groups(const struct mw_world_conf *conf, uint32_t n_ranks,
                    const struct mw_near *near, struct mw_groups *out,
                    enum mw_groups_by *by)
{
    const uint32_t n = conf->groups_n, m = conf->groups_m, n_hosts = near->n_hosts;
    const bool relay = conf->routing == MW_ROUTING_RELAY ||
                       (conf->routing == MW_ROUTING_AUTO && (n_hosts > 1 || n > 0));

    *by = relay ? MW_GROUPS_GIVEN : MW_GROUPS_NONE;
    if (!relay) {
        *out = groups_of(n_ranks, 1);
    } else if (n == 0) {
        find_groups(conf, n_ranks, near, out, by);
    } else if (n == UINT32_MAX) {
        if (groups_of(n_ranks, near->host_ranks).n_groups != n_hosts)
            return mw_fail(MW_ERR_REFUSED,
                           "--groups node: hosts have different numbers of "
                           "ranks; give --groups NxM");
        *out = groups_of(n_ranks, near->host_ranks);
    } else {
        if (m == 0 || (uint64_t)n * m < n_ranks || (uint64_t)(n - 1) * m >= n_ranks) {
            const struct mw_groups fits = near_square(n_ranks);
            return mw_fail(
                MW_ERR_REFUSED,
                "--groups %ux%u: %u groups of up to %u ranks cannot hold %u ranks "
                "with only the last one short; %ux%u fits",
                n, m, n, m, n_ranks, fits.n_groups, fits.width);
        }
        *out = (struct mw_groups){n_ranks, m, n};
    }
    return check_connections(conf, out);
}

/* Ranks of every host if hosts can be groups: consecutive ranks, equally many on all
 * hosts but the last, which may have fewer. Otherwise more than there are. Local, and the
 * same on all ranks. */
static uint32_t ranks_per_host(const struct mw_comm *comm)
{
    uint32_t n = 0;
    while (n < comm->size && comm->host_of[n] == 0)
        n++;
    for (uint32_t r = 0; r < comm->size; r++)
        if (comm->host_of[r] != r / n)
            return comm->size + 1;
    return n;
}

/* Ranks of every switch if switches can be groups: as many consecutive ones as rank 0's has ranks
 * are on one switch, and on from there. 0: they are not, or it is not known of all. */
static uint32_t ranks_of_a_switch(const uint64_t *key, uint32_t n_ranks)
{
    uint32_t n = 0;
    while (n < n_ranks && key[n] == key[0])
        n++;
    for (uint32_t r = 0; r < n_ranks; r++)
        if (key[r] == 0 || key[r] != key[r / n * n])
            return 0;
    return n;
}

int mw_world_near(const struct mw_world_conf *conf, struct mw_comm *comm,
                  struct mw_near *out)
{
    int rc = MW_OK;
    uint64_t *key = NULL;
    *out = (struct mw_near){comm->n_hosts, ranks_per_host(comm), 0};
    if (comm->n_hosts == 1 || conf->groups_n != 0)
        return MW_OK;
    key = mw_alloc("switches of the ranks", comm->size, sizeof *key);
    MW_TRY(rc, mw_comm_agree(comm, key != NULL ? MW_OK : MW_ERR_NOMEM));
    MW_TRY(rc, mw_comm_gather(comm, &conf->near_switch, sizeof *key, key));
    out->switch_ranks = ranks_of_a_switch(key, comm->size);
end:
    mw_free(key);
    return rc;
}
