/* traffic.h -- who sends to whom: the stream of messages of every source of a layout.
 *
 * Each source draws from a generator of its own, seeded from the run's seed and the core's
 * number only. So the stream of a core does not depend on when it is asked, or after whom,
 * and two simulators that visit cores differently still meet the same messages.
 *
 * A message is a route and a tally. The route says how it goes on: for a routed flow the
 * number of its sink, for a listed one the place where it stands in listed_core. The tally
 * names the (source, sink) pair that it counts for when it is consumed.
 *
 * With followers, a broadcast of remote puts is the first of its flows, of two cores each. Who draws
 * it goes on to the next ones.
 *
 * Where messages have several ways, the route is a stage of ways/stages.h, of any flow. A broadcast
 * is drawn like a listed flow, and each of its last copies has a tally of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_TRAFFIC_H
#define MW_LAYOUT_TRAFFIC_H

#include "layouts/ways/stages.h"

MW_BEGIN_DECLS

enum {
    MW_PAIRS_MAX = 1 << 20 /* with more flows than this, one tally per source */
};

#define MW_ROUTE_LISTED UINT32_C(0x80000000) /* set: the rest is a place in listed_core */

struct mw_parcel {
    uint32_t route, tally;
    uint64_t created, injected; /* cycles; the simulator's, 0 when drawn */
};

struct mw_sim_conf;

struct mw_sim_traffic_record { /* of one source, in time order */
    uint64_t cycle;
    struct mw_parcel parcel;
};

struct mw_sim_traffic_source {
    uint64_t random;       /* state of its generator */
    uint32_t n_routed;     /* sinks that it sends to; 0: none */
    uint32_t fixed;        /* the only one of them; UINT32_MAX: there is a choice */
    uint32_t self;         /* its own number among the sinks, UINT32_MAX: no sink */
    uint32_t n_listed;     /* listed flows that start here */
    uint32_t first_listed; /* into listed_of */
    uint64_t first_pair;   /* with stages: the number of its first routed flow or pair */
    uint32_t first_tally;
    uint64_t record, n_records; /* its next one, and how many are left */
};

struct mw_sim_traffic {
    const struct mw_layout *layout;       /* borrowed */
    struct mw_sim_traffic_source *source; /* [cores], owned */
    /* [n_listed + n_broadcasts], owned: flows by first core, in file order, then broadcasts; and
     * by these numbers. */
    uint32_t *listed_of, *listed_tally;
    const uint32_t
        *followers;          /* the configuration's: of these, only the first is drawn */
    struct mw_stages stages; /* owned; of a layout with ways, as what follows by stage: */
    uint32_t *start;         /* [sources], owned: the first stage; NULL: no ways */
    uint32_t *copies;        /* owned: messages that arrive of one there */
    uint32_t *leaf_tally;    /* owned: of a last copy; UINT32_MAX: no broadcast's */
    bool by_pair;            /* tallies are pairs; else sources */
    uint32_t n_tallies;
    mw_core *tally_source, *tally_sink; /* [n_tallies], owned; source-major */
    /* Sinks that are not all alike: Vose's alias table, and the hot one. */
    bool uniform;
    uint32_t hot;       /* its number among the sinks */
    uint64_t hot_below; /* a draw below this goes there */
    uint64_t *keep;     /* [n_sinks], owned: a draw below this keeps k, */
    uint32_t *alias;    /* [n_sinks], owned: others take alias[k] */
    struct mw_sim_traffic_record *record; /* owned, by source; NULL: messages are drawn */
};

/* Of the configuration: the seed, and all that says who sends to whom. Local. Errors:
 * MW_ERR_NOMEM; MW_ERR_DATA when no flow starts anywhere, or none goes the way of
 * a record; MW_ERR_USAGE when the hot core is no sink, a number is out of its range or two of
 * these do not go together. */
int mw_sim_traffic_new(const struct mw_layout *l, const struct mw_sim_conf *conf,
                       struct mw_sim_traffic **out) MW_NODISCARD;
void mw_sim_traffic_free(struct mw_sim_traffic *t); /* NULL is legal */

/* A number in 0 .. below - 1 that is drawn once per core, apart from its stream. */
uint64_t mw_sim_traffic_phase(uint64_t seed, mw_core v, uint64_t below);

MW_FN bool mw_sim_traffic_is_source(const struct mw_sim_traffic *t, mw_core v)
{
    if (t->record != NULL)
        return t->source[v].n_records != 0;
    return t->source[v].n_routed + t->source[v].n_listed != 0;
}

/* The finaliser of splitmix64, a bijection (Steele, Lea, Flood 2014). */
MW_FN uint64_t mw_sim_traffic_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

MW_FN uint64_t mw_sim_traffic_random(struct mw_sim_traffic_source *s)
{
    return mw_sim_traffic_mix(s->random += UINT64_C(0x9e3779b97f4a7c15));
}

/* Messages that arrive of one that was drawn. */
MW_FN uint32_t mw_sim_traffic_copies(const struct mw_sim_traffic *t,
                                     const struct mw_parcel *p)
{
    if (MW_LIKELY(t->start == NULL && t->followers == NULL))
        return 1;
    if (t->start != NULL)
        return t->copies[p->route];
    return t->record != NULL ? 1 : 1 + t->followers[(p->route & ~MW_ROUTE_LISTED) / 2];
}

struct mw_parcel mw_sim_traffic_draw_any(struct mw_sim_traffic *t, mw_core v);

/* The next message of source v; its route is that at v. */
MW_FN struct mw_parcel mw_sim_traffic_draw(struct mw_sim_traffic *t, mw_core v)
{
    struct mw_sim_traffic_source *s = &t->source[v];
    struct mw_parcel p;
    uint32_t k;
    if (MW_UNLIKELY(!t->uniform || s->n_listed != 0))
        return mw_sim_traffic_draw_any(t, v);
    k = (uint32_t)mw_high_word(mw_sim_traffic_random(s), s->n_routed);
    p = (struct mw_parcel){.route = k + (k >= s->self),
                           .tally = t->by_pair ? s->first_tally + k : s->first_tally};
    return p;
}

MW_END_DECLS
#endif
