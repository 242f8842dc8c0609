/* traffic.c -- the sources' streams: uniform, one hot sink, Zipf over the sinks, one sink each,
 * or as recorded.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/sim/traffic.h"

#include "base/mem.h"
#include "layouts/sim/sim.h"

#include <math.h>
#include <stdlib.h>

/* ---- what is listed: flows, then broadcasts -------------------------------------------- */

static uint64_t count_listed(const struct mw_layout *l)
{
    return l->n_listed + l->n_broadcasts;
}

/* The next that is drawn: the puts of one message are drawn once. */
static uint64_t next_listed(const struct mw_sim_traffic *t, uint64_t flow)
{
    return flow + 1 + (t->followers != NULL ? t->followers[flow] : 0);
}

/* Its number among the sources of stages.h. */
static uint64_t source_of(const struct mw_layout *l, uint64_t flow)
{
    return flow < l->n_listed
               ? l->n_routed + flow
               : mw_sources_count(l) - l->n_broadcasts + (flow - l->n_listed);
}

static mw_core first_core(const struct mw_layout *l, uint64_t flow)
{
    return flow < l->n_listed ? l->listed_core[l->listed_first[flow]]
                              : l->broadcast[flow - l->n_listed].core;
}

/* Of a flow. */
static mw_core last_core(const struct mw_layout *l, uint64_t flow)
{
    return l->listed_core[l->listed_first[flow + 1] - 1];
}

/* ---- drawing --------------------------------------------------------------------------- */

/* One of the sinks by its weight; the source's own number may come out. */
static uint32_t draw_sink(struct mw_sim_traffic *t, struct mw_sim_traffic_source *s)
{
    const uint32_t n_sinks = t->layout->n_sinks;
    if (t->hot_below != 0 && t->hot != s->self && mw_sim_traffic_random(s) < t->hot_below)
        return t->hot;
    const uint32_t k = (uint32_t)mw_high_word(mw_sim_traffic_random(s), n_sinks);
    if (t->keep == NULL || mw_sim_traffic_random(s) < t->keep[k])
        return k;
    return t->alias[k];
}

static struct mw_parcel parcel_to_sink(const struct mw_sim_traffic *t,
                                       const struct mw_sim_traffic_source *s, uint32_t k)
{
    const uint32_t other = k > s->self ? k - 1 : k;
    return (struct mw_parcel){.route =
                                  t->start == NULL ? k : t->start[s->first_pair + other],
                              .tally = s->first_tally + (t->by_pair ? other : 0)};
}

/* Of a listed flow, or of a broadcast. */
static struct mw_parcel parcel_of_flow(const struct mw_sim_traffic *t, uint32_t flow)
{
    const struct mw_layout *l = t->layout;
    return (struct mw_parcel){
        .route = t->start != NULL ? t->start[source_of(l, flow)]
                                  : MW_ROUTE_LISTED | (uint32_t)l->listed_first[flow],
        .tally = t->listed_tally[flow]};
}

/* No source sends to itself: it draws again, and after many times takes its neighbour (only
 * a skew that leaves it no other sink comes to that). */
static struct mw_parcel draw_routed(struct mw_sim_traffic *t,
                                    struct mw_sim_traffic_source *s)
{
    if (s->fixed != UINT32_MAX) {
        struct mw_parcel p = parcel_to_sink(t, s, s->fixed);
        p.tally = s->first_tally;
        return p;
    }
    uint32_t k = draw_sink(t, s);
    for (int i = 0; k == s->self && i < 64; i++)
        k = draw_sink(t, s);
    if (k == s->self)
        k = k == 0 ? 1 : k - 1;
    return parcel_to_sink(t, s, k);
}

struct mw_parcel mw_sim_traffic_draw_any(struct mw_sim_traffic *t, mw_core v)
{
    struct mw_sim_traffic_source *s = &t->source[v];
    if (t->record != NULL) {
        s->n_records--;
        return t->record[s->record++].parcel;
    }
    if (s->n_listed != 0) {
        const uint64_t n = (uint64_t)s->n_routed + s->n_listed;
        const uint64_t k = mw_high_word(mw_sim_traffic_random(s), n);
        if (k < s->n_listed)
            return parcel_of_flow(t, t->listed_of[s->first_listed + k]);
    }
    return draw_routed(t, s);
}

uint64_t mw_sim_traffic_phase(uint64_t seed, mw_core v, uint64_t below)
{
    return mw_high_word(mw_sim_traffic_mix(mw_sim_traffic_mix(~seed) + v), below);
}

/* ---- who starts what --------------------------------------------------------------------- */

static void set_routed(struct mw_sim_traffic *t)
{
    const struct mw_layout *l = t->layout;
    for (uint32_t i = 0; i < l->n_sources; i++) {
        struct mw_sim_traffic_source *s = &t->source[l->source[i]];
        s->n_routed = (uint32_t)(l->source_first[i + 1] - l->source_first[i]);
        s->first_pair = l->source_first[i] + (l->adaptive.model != 0 ? l->n_flows : 0);
    }
    for (uint32_t k = 0; k < l->n_sinks; k++)
        t->source[l->sink[k]].self = k;
}

/* One sink for each source; whom the pattern sends to itself is none. */
static int set_pattern(struct mw_sim_traffic *t, const struct mw_sim_conf *conf)
{
    const struct mw_layout *l = t->layout;
    const enum mw_pattern pattern = conf->pattern;
    if (pattern == MW_PATTERN_UNIFORM)
        return MW_OK;
    if (conf->hotspot > 0 || conf->skew > 0)
        return mw_fail(MW_ERR_USAGE,
                       "pattern %s: each source has one sink, none is hot or popular",
                       mw_pattern_names[pattern]);
    MW_NEED(mw_pattern_check(pattern, l->n_sinks));
    for (uint32_t i = 0; i < l->n_sources; i++) {
        struct mw_sim_traffic_source *s = &t->source[l->source[i]];
        const uint64_t x = (uint64_t)i * l->n_sinks / l->n_sources;
        s->fixed = mw_pattern_sink(pattern, (uint32_t)x, l->n_sinks);
        s->n_routed = s->fixed != s->self;
    }
    t->uniform = false;
    return MW_OK;
}

/* Sorts the listed flows by their first core; stable, by counting. */
static void set_listed(struct mw_sim_traffic *t)
{
    const struct mw_layout *l = t->layout;
    uint32_t at = 0;
    for (uint64_t i = 0; i < count_listed(l); i = next_listed(t, i))
        t->source[first_core(l, i)].n_listed++;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        t->source[v].first_listed = at;
        at += t->source[v].n_listed;
        t->source[v].n_listed = 0;
    }
    for (uint64_t i = 0; i < count_listed(l); i = next_listed(t, i)) {
        struct mw_sim_traffic_source *s = &t->source[first_core(l, i)];
        t->listed_of[s->first_listed + s->n_listed++] = (uint32_t)i;
    }
}

/* ---- tallies ------------------------------------------------------------------------------- */

/* The pair of source and `sink`, which is new or not. */
static uint32_t number_sink(struct mw_sim_traffic *t, mw_core sink, uint32_t *number)
{
    if (number[sink] == UINT32_MAX) {
        number[sink] = t->n_tallies;
        t->tally_sink[t->n_tallies++] = sink;
    }
    return number[sink];
}

/* A broadcast's copies from that stage on, at most MW_LEGS_MAX deep. number NULL: one tally. */
static uint32_t number_copies(struct mw_sim_traffic *t, uint32_t stage, uint32_t *number)
{
    const struct mw_stages *s = &t->stages;
    const struct mw_stage *at = &s->stage[stage];
    uint32_t n = at->n_ways == 0;
    if (at->n_ways == 0)
        t->leaf_tally[stage] =
            number == NULL ? t->n_tallies : number_sink(t, at->core, number);
    for (uint32_t i = s->first_target[at->first_way];
         i < s->first_target[at->first_way + at->n_ways]; i++)
        n += number_copies(t, s->target[i].stage, number);
    t->copies[stage] = n;
    return n;
}

/* A source's pairs: its routed sinks in their order, then the last cores of its listed flows
 * that are not among them, in file order, then receivers of its broadcasts. `number`[core] is
 * scratch, all UINT32_MAX. */
static void number_pairs(struct mw_sim_traffic *t, mw_core v, uint32_t *number)
{
    const struct mw_layout *l = t->layout;
    struct mw_sim_traffic_source *s = &t->source[v];
    const uint32_t first = t->n_tallies;
    s->first_tally = first;
    for (uint32_t k = 0; s->n_routed != 0 && k < l->n_sinks; k++)
        if (k != s->self && (s->fixed == UINT32_MAX || k == s->fixed)) {
            number[l->sink[k]] = t->n_tallies;
            t->tally_sink[t->n_tallies++] = l->sink[k];
        }
    for (uint32_t i = 0; i < s->n_listed; i++) {
        const uint32_t flow = t->listed_of[s->first_listed + i];
        t->listed_tally[flow] = UINT32_MAX; /* of a broadcast: each copy has its own */
        if (flow >= l->n_listed)
            number_copies(t, t->start[source_of(l, flow)], number);
        for (uint64_t f = flow; flow < l->n_listed && f < next_listed(t, flow); f++)
            t->listed_tally[f] = number_sink(t, last_core(l, f), number);
    }
    for (uint32_t i = first; i < t->n_tallies; i++) {
        t->tally_source[i] = v;
        number[t->tally_sink[i]] = UINT32_MAX;
    }
}

/* One tally for all that v sends. */
static void number_source(struct mw_sim_traffic *t, mw_core v)
{
    struct mw_sim_traffic_source *s = &t->source[v];
    s->first_tally = t->n_tallies;
    for (uint32_t i = 0; i < s->n_listed; i++) {
        const uint32_t flow = t->listed_of[s->first_listed + i];
        for (uint64_t f = flow; f < next_listed(t, flow); f++)
            t->listed_tally[f] = t->n_tallies;
        if (flow >= t->layout->n_listed)
            number_copies(t, t->start[source_of(t->layout, flow)], NULL);
    }
    t->tally_source[t->n_tallies] = v;
    t->tally_sink[t->n_tallies++] = MW_NO_CORE;
}

static int set_tallies(struct mw_sim_traffic *t)
{
    int rc = MW_OK;
    const uint32_t n = mw_mesh_cores(t->layout);
    uint32_t *number = NULL;
    const uint64_t n_pairs =
        mw_sources_count(t->layout) + (uint64_t)t->layout->n_broadcasts * n;
    t->by_pair = n_pairs <= MW_PAIRS_MAX;
    const uint64_t room = t->by_pair ? n_pairs : n;
    MW_NEW(rc, number, "pair numbers", n);
    MW_NEW(rc, t->tally_source, "pairs", room);
    MW_NEW(rc, t->tally_sink, "pairs", room);
    for (uint32_t v = 0; v < n; v++)
        number[v] = UINT32_MAX;
    for (uint32_t v = 0; v < n; v++) {
        if (!mw_sim_traffic_is_source(t, (mw_core)v))
            continue;
        if (t->by_pair)
            number_pairs(t, (mw_core)v, number);
        else
            number_source(t, (mw_core)v);
    }
    if (t->n_tallies == 0)
        rc = mw_fail(MW_ERR_DATA, "the layout has no flow, hence no source");
end:
    mw_free(number);
    return rc;
}

/* ---- sinks that are not alike ---------------------------------------------------------------- */

/* Of 2^64 draws, the share x. */
static uint64_t draws_of(double x)
{
    return x >= 1 ? UINT64_MAX : (uint64_t)ldexp(x, 64);
}

static int set_hot(struct mw_sim_traffic *t, const struct mw_sim_conf *conf)
{
    const struct mw_layout *l = t->layout;
    if (!(conf->hotspot >= 0 && conf->hotspot <= 1))
        return mw_fail(MW_ERR_USAGE, "hot spot: a share of %g, expected 0 .. 1",
                       conf->hotspot);
    if (conf->hotspot <= 0 || l->n_sinks == 0)
        return MW_OK;
    if (conf->hotspot_core != MW_NO_CORE)
        while (t->hot < l->n_sinks && l->sink[t->hot] != conf->hotspot_core)
            t->hot++;
    if (t->hot == l->n_sinks)
        return mw_fail(MW_ERR_USAGE, "hot spot: core %u,%u is no sink",
                       mw_core_row(l, conf->hotspot_core),
                       mw_core_col(l, conf->hotspot_core));
    t->hot_below = draws_of(conf->hotspot);
    t->uniform = false;
    return MW_OK;
}

/* Fills keep and alias from `weight`, whose mean is 1 and which it uses up; `queue` is
 * scratch: the small ones from the front, the large ones from the back. */
static void make_alias(struct mw_sim_traffic *t, double *weight, uint32_t *queue)
{
    const uint32_t n = t->layout->n_sinks;
    uint32_t n_small = 0, n_large = 0;
    for (uint32_t k = 0; k < n; k++) {
        t->keep[k] = UINT64_MAX;
        t->alias[k] = k;
        queue[weight[k] < 1 ? n_small++ : n - ++n_large] = k;
    }
    while (n_small != 0 && n_large != 0) {
        const uint32_t small = queue[--n_small], large = queue[n - n_large];
        t->keep[small] = draws_of(weight[small]);
        t->alias[small] = large;
        weight[large] -= 1 - weight[small];
        if (weight[large] < 1) {
            n_large--;
            queue[n_small++] = large;
        }
    }
}

static int set_skew(struct mw_sim_traffic *t, double skew)
{
    int rc = MW_OK;
    const uint32_t n = t->layout->n_sinks;
    double *weight = NULL, sum = 0;
    uint32_t *queue = NULL;
    if (!(skew >= 0 && skew <= 100))
        return mw_fail(MW_ERR_USAGE, "skew: an exponent of %g, expected 0 .. 100", skew);
    if (skew <= 0 || n == 0)
        return MW_OK;
    MW_NEW(rc, weight, "sink weights", n);
    MW_NEW(rc, queue, "sink weights", n);
    MW_NEW(rc, t->keep, "alias table", n);
    MW_NEW(rc, t->alias, "alias table", n);
    for (uint32_t k = 0; k < n; k++)
        sum += weight[k] = pow(k + 1, -skew);
    for (uint32_t k = 0; k < n; k++)
        weight[k] *= n / sum;
    make_alias(t, weight, queue);
    t->uniform = false;
end:
    MW_FREE_ALL(weight, queue);
    return rc;
}

/* ---- recorded ------------------------------------------------------------------------------ */

/* The flow of a message: a routed one, or the first listed one from there to there. With rings the
 * cores stand elsewhere than in the layout that the user knows, but have its numbers. */
static int find_parcel(const struct mw_sim_traffic *t, const struct mw_sim_conf *conf,
                       const struct mw_recorded *r, struct mw_parcel *out)
{
    const struct mw_layout *l = t->layout;
    const struct mw_sim_traffic_source *s = &t->source[r->source];
    char source[MW_NODE_NAME], sink[MW_NODE_NAME];
    for (uint32_t k = 0; s->n_routed != 0 && k < l->n_sinks; k++)
        if (l->sink[k] == r->sink && k != s->self) {
            *out = parcel_to_sink(t, s, k);
            return MW_OK;
        }
    for (uint32_t i = 0; i < s->n_listed; i++) {
        const uint32_t flow = t->listed_of[s->first_listed + i];
        if (flow >= l->n_listed || last_core(l, flow) != r->sink ||
            next_listed(t, flow) > flow + 1) /* a broadcast is none of its messages */
            continue;
        *out = parcel_of_flow(t, flow);
        return MW_OK;
    }
    if (conf->rings > 0)
        return mw_fail(MW_ERR_DATA, "recorded traffic: core number %u puts nothing to %u",
                       r->source, r->sink);
    return mw_fail(MW_ERR_DATA, "recorded traffic: no flow goes from %s to %s",
                   mw_core_name(l, r->source, source), mw_core_name(l, r->sink, sink));
}

/* Sorts the records by their source; stable, by counting. */
static int set_records(struct mw_sim_traffic *t, const struct mw_sim_conf *conf)
{
    uint64_t at = 0;
    const struct mw_recording *r = conf->recording;
    if (r == NULL)
        return MW_OK;
    if (conf->hotspot > 0 || conf->skew > 0 || conf->pattern != MW_PATTERN_UNIFORM)
        return mw_fail(MW_ERR_USAGE, "recorded traffic says itself who sends to whom");
    MW_NEED_NEW(t->record, "recorded traffic", r->n);
    for (uint64_t i = 0; i < r->n; i++)
        t->source[r->record[i].source].n_records++;
    for (uint32_t v = 0; v < mw_mesh_cores(t->layout); v++) {
        t->source[v].record = at;
        at += t->source[v].n_records;
        t->source[v].n_records = 0;
    }
    for (uint64_t i = 0; i < r->n; i++) {
        struct mw_sim_traffic_source *s = &t->source[r->record[i].source];
        struct mw_sim_traffic_record *to = &t->record[s->record + s->n_records++];
        to->cycle = r->record[i].cycle;
        MW_NEED(find_parcel(t, conf, &r->record[i], &to->parcel));
    }
    t->uniform = false;
    return MW_OK;
}

/* ---- stages -------------------------------------------------------------------------------- */

static int set_stages(struct mw_sim_traffic *t)
{
    const struct mw_layout *l = t->layout;
    if (!mw_layout_has_ways(l))
        return MW_OK;
    MW_NEED(mw_stages_make(l, NULL, 0, &t->stages));
    MW_NEED_NEW(t->copies, "stages", t->stages.n);
    MW_NEED_NEW(t->leaf_tally, "stages", t->stages.n);
    MW_NEED_NEW(t->start, "stages", mw_sources_count(l));
    for (uint32_t i = 0; i < t->stages.n_starts; i++)
        t->start[t->stages.source[i]] = t->stages.start[i];
    for (uint32_t i = 0; i < t->stages.n; i++) {
        t->copies[i] = 1;
        t->leaf_tally[i] = UINT32_MAX;
    }
    t->uniform = false;
    return MW_OK;
}

/* ---- life ---------------------------------------------------------------------------------- */

void mw_sim_traffic_free(struct mw_sim_traffic *t)
{
    if (t == NULL)
        return;
    MW_FREE_ALL(t->source, t->listed_of, t->listed_tally);
    mw_stages_fini(&t->stages);
    MW_FREE_ALL(t->start, t->copies, t->leaf_tally, t->tally_source, t->tally_sink,
                t->keep, t->alias, t->record, t);
}

int mw_sim_traffic_new(const struct mw_layout *l, const struct mw_sim_conf *conf,
                       struct mw_sim_traffic **out)
{
    int rc = MW_OK;
    struct mw_sim_traffic *t;
    *out = NULL;
    MW_NEW(rc, t, "traffic", 1);
    t->layout = l;
    t->followers = conf->followers;
    t->uniform = true;
    MW_NEW(rc, t->source, "traffic sources", mw_mesh_cores(l));
    MW_NEW(rc, t->listed_of, "listed flows by core", count_listed(l));
    MW_NEW(rc, t->listed_tally, "listed flows by core", count_listed(l));
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        t->source[v].random = mw_sim_traffic_mix(mw_sim_traffic_mix(conf->seed) + v);
        t->source[v].self = t->source[v].fixed = UINT32_MAX;
    }
    set_routed(t);
    set_listed(t);
    MW_TRY(rc, set_stages(t));
    MW_TRY(rc, set_pattern(t, conf));
    MW_TRY(rc, set_tallies(t));
    MW_TRY(rc, set_hot(t, conf));
    MW_TRY(rc, set_skew(t, conf->skew));
    MW_TRY(rc, set_records(t, conf));
    *out = t;
    return MW_OK;
end:
    mw_sim_traffic_free(t);
    return rc;
}
