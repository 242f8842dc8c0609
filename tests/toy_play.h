/* toy_play.h -- levels of the toy (toy.h) through a pipeline, on one rank of a world.
 *
 * Every level checks that each copy came home once, and whatever `after_level` looks at; at the
 * end the ranks that were ever sent to must be those of the route.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOY_PLAY_H
#define TOY_PLAY_H

#include "mpe/pipeline.h"
#include "ranks.h"
#include "relay/relay.h"
#include "shuffle/kernels.h"
#include "toy.h"

#include <string.h>

struct play {
    uint32_t n_levels, most_units; /* units are drawn; every other level may be empty */
    bool wide, empty_levels;
    struct mw_record_bits bits; /* of records; 0: TOY_BITS, and 32 or 64 */
    uint64_t seed, slow_ns;
    bool only_rank_0; /* has units */
    bool reaches;     /* the pipeline is told so, which is not true */
    mw_kernel *count; /* instead of the counter's on hosts; NULL: that */
    /* After each level, which has begun with before_level(); NULL: nothing. */
    void (*before_level)(void);
    int (*after_level)(const struct mw_world *w, const struct mw_traffic *t);
};

static inline uint64_t toy_units(void *state)
{
    return ((const struct toy *)state)->n_units;
}

static inline int check_copies(const struct toy *t)
{
    for (uint64_t i = 0; i < t->n_units * TOY_FAN; i++)
        EXPECT(t->home[i] == 1, "rank %u: copy %u came home %u times", t->rank,
               (unsigned)i, t->home[i]);
    EXPECT(t->n_wrong == 0, "rank %u: %u records are not what was sent", t->rank,
           (unsigned)t->n_wrong);
    return MW_OK;
}

static inline int check_level(struct toy *t, struct mw_comm *comm)
{
    uint64_t sum[2] = {t->n_units * TOY_FAN, t->n_turned};
    int rc = mw_comm_agree(comm, check_copies(t));
    if (rc == MW_OK)
        rc = mw_comm_sum(comm, sum, 2);
    if (rc == MW_OK)
        EXPECT(sum[0] == sum[1], "made %u, turned %u", (unsigned)sum[0],
               (unsigned)sum[1]);
    return rc;
}

/* Other ranks that the route leads to: a rank meets all of them, if only to close. */
static inline uint32_t peers_of(const struct mw_groups *g, uint32_t me)
{
    bool met[64] = {false};
    uint32_t n = 0;
    for (int hop = (int)mw_first_hop(g); hop <= MW_TO_OWNER; hop++)
        for (uint32_t k = 0; k < mw_port_buckets(g, me, (enum mw_hop)hop); k++)
            met[mw_port_peer(g, me, (enum mw_hop)hop, k)] = true;
    met[me] = false;
    for (uint32_t r = 0; r < g->n_ranks; r++)
        n += met[r];
    return n;
}

static const struct toy_kernels toy_none;
static const struct mw_kernel_table toy_tables[] = {
    {"serial", &toy_serial}, {"host", &toy_host}, {"mesh", &toy_mesh}, {NULL, &toy_none}};

static inline int play(struct mw_world *w, void *arg)
{
    const struct play *play = arg;
    const struct toy_kernels *k = mw_kernels_of_mpe(toy_tables, w->backend);
    const struct toy_kernels *cores = mw_kernels_of_cores(toy_tables, w->backend);
    mw_kernel *const relay = mw_relay_of_mpe(w->backend);
    mw_kernel *const relay_on_cores = mw_relay_of_cores(w->backend);
    const uint8_t first = (uint8_t)mw_first_hop(&w->groups);
    const struct mw_record_bits usual = {TOY_BITS, play->wide ? 64 : 32, 0};
    const struct mw_record_bits bits = play->bits.child > 0 ? play->bits : usual;
    struct toy t = {.rank = w->comm->rank,
                    .n_ranks = w->comm->size,
                    .wide = play->wide,
                    .slow_ns = play->slow_ns};
    mw_kernel *count = play->count != NULL ? play->count : k->count;
    struct mw_traffic traffic = {0};
    struct mw_pipeline *p = NULL;
    /* clang-format off */
    const struct mw_module table[] = {
        {"generator",      {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, first},       k->generate, toy_units, TOY_FAN, cores->generate},
        {"backward relay", {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, relay,       NULL,      0,       relay_on_cores},
        {"turner",         {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, first},        k->turn,     NULL,      0,       cores->turn},
        {"forward relay",  {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  relay,       NULL,      0,       relay_on_cores},
        {"counter",        {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   count,       NULL,      0,       cores == k ? count : cores->count},
    };
    /* clang-format on */
    int rc = MW_OK;

    MW_NEW(rc, t.home, "copies", (uint64_t)play->most_units * TOY_FAN + 1);
    MW_TRY(rc, mw_modules_new(table, 5, &t, bits, w, &p));
    mw_pipeline_bound(p, UINT64_C(1) << TOY_BITS);
    mw_pipeline_reaches(p, play->reaches);
    for (uint32_t level = 0; level < play->n_levels; level++) {
        t.seed = mixed(play->seed + level);
        t.n_units = mixed(t.seed + t.rank) % (play->most_units + 1);
        if ((play->only_rank_0 && t.rank > 0) || (play->empty_levels && level % 2 == 1))
            t.n_units = 0;
        memset(t.home, 0, play->most_units * TOY_FAN * sizeof *t.home);
        t.n_turned = t.n_wrong = 0;
        if (play->before_level != NULL)
            play->before_level();
        MW_TRY(rc, mw_comm_barrier(w->comm));
        /* One rank may have what it needs where another finds something wrong. */
        MW_TRY(rc, mw_comm_agree(w->comm, mw_pipeline_run(p, mw_modules_all(p))));
        MW_TRY(rc, check_level(&t, w->comm));
        mw_pipeline_traffic(p, &traffic);
        if (play->after_level != NULL)
            MW_TRY(rc, play->after_level(w, &traffic));
    }
    const struct mw_groups *g = &w->groups;
    const uint32_t by_paper = g->width > 1 ? g->n_groups + g->width - 2 : g->n_ranks - 1;
    if (rc == MW_OK && g->n_groups * g->width == g->n_ranks && traffic.peers != by_paper)
        rc = mw_fail(MW_ERR_INVALID, "%u peers, not N + M - 1 = %u with itself",
                     (unsigned)traffic.peers, by_paper + 1);
    if (traffic.peers != peers_of(&w->groups, t.rank))
        rc = mw_fail(MW_ERR_INVALID, "rank %u sent to %u ranks, the route has %u", t.rank,
                     (unsigned)traffic.peers, peers_of(&w->groups, t.rank));
end:
    mw_pipeline_free(p);
    mw_free(t.home);
    return rc;
}

#endif
