/* sim_state.c -- builds the simulated mesh, and turns its sums into a result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/sim/sim_state.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

const char *const mw_core_state_names[MW_N_CORE_STATES] = {"idle", "busy", "blocked",
                                                           "dma", "ended"};

/* ---- building ------------------------------------------------------------------------------ */

static uint32_t ring_of(uint32_t depth)
{
    uint32_t room = 1;
    while (room < depth)
        room *= 2;
    return room;
}

static int build_fifos(struct sim *s)
{
    uint64_t at = 0;
    const uint32_t all = s->conf->rings * s->n; /* one FIFO holds what all rings may */
    const uint32_t depth[MW_N_CLASSES] = {all > 0 ? all : s->conf->fifo[MW_ROW],
                                          all > 0 ? 1 : s->conf->fifo[MW_COLUMN]};
    const uint32_t room[MW_N_CLASSES] = {ring_of(depth[MW_ROW]),
                                         ring_of(depth[MW_COLUMN])};
    const uint32_t n_more = MW_N_CLASSES * (s->l->n_channels - 1);
    MW_NEED_NEW(s->entries, "simulated FIFOs",
                (uint64_t)s->n * s->l->n_channels * (room[0] + room[1]));
    MW_NEED_NEW(s->more, "simulated FIFOs", (uint64_t)s->n * n_more);
    for (uint32_t v = 0; v < s->n; v++) {
        s->core[v].n_ports = (uint8_t)(MW_N_CLASSES + n_more);
        s->core[v].more = s->more + (size_t)v * n_more;
        for (uint32_t port = 0; port < MW_N_CLASSES + n_more; port++) {
            struct sim_fifo *f = sim_fifo(&s->core[v], port);
            f->entry = s->entries + at;
            f->mask = room[port % MW_N_CLASSES] - 1;
            f->depth = depth[port % MW_N_CLASSES];
            at += room[port % MW_N_CLASSES];
        }
    }
    return MW_OK;
}

static void build_core(struct sim *s, mw_core v)
{
    struct sim_core *c = &s->core[v];
    c->row = (uint8_t)mw_core_row(s->l, v);
    c->col = (uint8_t)mw_core_col(s->l, v);
    c->cost = (uint32_t)mw_max(1, mw_core_cost(s->l, v));
    c->state = MW_CORE_IDLE;
    c->source = mw_sim_traffic_is_source(s->traffic, v);
    c->supply = !c->source ? 0 : s->conf->supply != 0 ? s->conf->supply : UINT64_MAX;
    c->interval = (uint64_t)llround(ldexp(c->cost / s->conf->load, SIM_PACE_BITS));
    c->due = mw_sim_traffic_phase(s->conf->seed, v, c->interval);
    if (s->clock != NULL)
        mw_clock_init(&s->clock[v], s->conf->arrivals, s->conf->burst, s->conf->seed, v,
                      c->interval, (uint64_t)c->cost << SIM_PACE_BITS);
    if (s->conf->recording != NULL) {
        c->supply = s->traffic->source[v].n_records;
        c->due = sim_due_after(s, v, NULL, 0, 0);
    }
}

static void build_bucket(struct sim *s)
{
    struct sim_bucket *b = &s->bucket;
    const double rate = s->l->dma_bytes_per_s / s->l->clock_hz;
    b->rate = (int64_t)mw_max(1, (uint64_t)llround(ldexp(rate, SIM_BYTE_BITS)));
    b->level = b->capacity = SIM_BUCKET_CYCLES * b->rate;
    b->batch = (int64_t)s->l->batch_bytes << SIM_BYTE_BITS;
    s->batch = (uint32_t)mw_max(1, s->l->batch_bytes / mw_max(1, s->l->payload_bytes));
}

static int build_listed(struct sim *s)
{
    const struct mw_layout *l = s->l;
    MW_NEED_NEW(s->listed_last, "ends of listed flows", l->listed_first[l->n_listed]);
    for (uint64_t i = 0; i < l->n_listed; i++)
        s->listed_last[l->listed_first[i + 1] - 1] = 1;
    return MW_OK;
}

static void add_hop(struct sim *s, mw_core from, mw_core to, mw_channel channel)
{
    const enum mw_fifo_class class = sim_class(s, from, to);
    const uint32_t position = class == MW_ROW ? s->core[to].col : s->core[to].row;
    uint64_t *told = &s->stream[from].next[MW_N_CLASSES * channel + (uint32_t) class];
    if ((*told >> position & 1) != 0)
        return;
    *told |= UINT64_C(1) << position;
    s->stream[to].missing++;
}

/* The hops of all flows; a route to one sink that meets an earlier one goes on like it. */
static int build_stream(struct sim *s)
{
    int rc = MW_OK;
    const struct mw_layout *l = s->l;
    uint32_t *met = NULL;
    if (s->conf->supply == 0)
        return MW_OK;
    MW_NEW(rc, s->stream, "end of stream", s->n);
    MW_NEW(rc, met, "cores met", s->n);
    for (uint32_t i = 0; s->stages != NULL && i < s->stages->n; i++) {
        const struct mw_stages *x = s->stages;
        const struct mw_stage *at = &x->stage[i];
        for (uint32_t t = x->first_target[at->first_way];
             t < x->first_target[at->first_way + at->n_ways]; t++)
            add_hop(s, at->core, x->stage[x->target[t].stage].core, x->target[t].channel);
    }
    for (uint32_t k = 0; s->stages == NULL && k < l->n_sinks; k++) {
        const mw_core *next = l->next + (size_t)k * s->n;
        for (uint32_t i = 0; i < l->n_sources; i++)
            for (mw_core v = l->source[i]; v != l->sink[k] && met[v] != k + 1;
                 v = next[v]) {
                met[v] = k + 1;
                add_hop(s, v, next[v], mw_next_channel(l, k, v));
            }
    }
    for (uint64_t i = 0; s->stages == NULL && i < l->n_listed; i++)
        for (uint64_t p = l->listed_first[i]; p + 1 < l->listed_first[i + 1]; p++)
            add_hop(s, l->listed_core[p], l->listed_core[p + 1],
                    l->listed_channel[p + 1]);
end:
    mw_free(met);
    return rc;
}

static int check_conf(const struct mw_sim_conf *conf)
{
    if (!(conf->load > 0 && conf->load <= 1))
        return mw_fail(MW_ERR_USAGE, "load %g, expected above 0 and up to 1", conf->load);
    if (conf->load < 1e-6)
        return mw_fail(MW_ERR_USAGE, "load %g, expected at least 1e-6", conf->load);
    if (!(conf->warmup >= 0 && conf->warmup < 1))
        return mw_fail(MW_ERR_USAGE, "warm-up %g, expected 0 and below 1", conf->warmup);
    if (!(conf->burst >= 1 && conf->burst <= 1e6))
        return mw_fail(MW_ERR_USAGE, "bursts of %g messages, expected 1 .. 1e6",
                       conf->burst);
    if (conf->recording != NULL &&
        (conf->load < 1 || conf->supply != 0 || conf->arrivals != MW_ARRIVALS_EVEN))
        return mw_fail(MW_ERR_USAGE,
                       "recorded traffic says itself what is sent and when: "
                       "no load, no supply, no arrivals");
    if (conf->rings > 0 && (conf->send > 0 || conf->supply > 0))
        return mw_fail(MW_ERR_USAGE, "remote puts: no send buffer, no supply");
    if (conf->followers != NULL && conf->rings == 0)
        return mw_fail(MW_ERR_USAGE, "followers: only of remote puts");
    for (int i = 0; i < MW_N_CLASSES; i++)
        if (conf->rings > MW_FIFO_MAX || conf->fifo[i] > MW_FIFO_MAX ||
            conf->send > MW_FIFO_MAX)
            return mw_fail(MW_ERR_USAGE, "depths %u, %u, send %u, expected at most %d",
                           conf->fifo[MW_ROW], conf->fifo[MW_COLUMN], conf->send,
                           MW_FIFO_MAX);
    if (conf->cycles == 0 || conf->cycles > UINT64_C(1) << 44)
        return mw_fail(MW_ERR_USAGE, "%llu cycles, expected 1 .. 2^44",
                       (unsigned long long)conf->cycles);
    return MW_OK;
}

void sim_free(struct sim *s)
{
    if (s == NULL)
        return;
    mw_sim_traffic_free(s->traffic);
    MW_FREE_ALL(s->wheel, s->core, s->listed_last, s->entries, s->more, s->sent,
                s->buffer, s->stream, s->tally, s->clock, s->ties, s->outstanding);
    mw_latency_meter_free(s->meter);
    mw_free(s);
}

int sim_new(const struct mw_layout *l, const struct mw_sim_conf *conf, struct sim **out)
{
    int rc = MW_OK;
    struct sim *s = NULL;
    *out = NULL;
    MW_TRY(rc, check_conf(conf));
    MW_NEW(rc, s, "simulated mesh", 1);
    s->l = l;
    s->conf = conf;
    s->n = mw_mesh_cores(l);
    s->n_words = (s->n + 63) / 64;
    s->cols = l->cols;
    s->next = l->next;
    s->latency = conf->latency;
    s->send = conf->send;
    s->dma = conf->dma;
    s->paced = conf->load < 1 || conf->open || conf->arrivals != MW_ARRIVALS_EVEN ||
               conf->recording != NULL;
    s->counted_supply = conf->supply != 0 || conf->recording != NULL;
    s->from = (uint64_t)((double)conf->cycles * conf->warmup);
    s->window = conf->cycles - s->from;
    s->rendezvous =
        conf->rings == 0 && (conf->fifo[MW_ROW] == 0 || conf->fifo[MW_COLUMN] == 0);
    if (conf->rings > 0)
        MW_NEW(rc, s->outstanding, "rings", (uint64_t)s->n * s->n);
    MW_TRY(rc, mw_sim_traffic_new(l, conf, &s->traffic));
    MW_TRY(rc, sim_ways_new(s));
    MW_TRY(rc, mw_latency_meter_new(l, &s->meter));
    MW_NEW(rc, s->tally, "messages per pair", s->traffic->n_tallies);
    if (conf->arrivals != MW_ARRIVALS_EVEN)
        MW_NEW(rc, s->clock, "clocks of the sources", s->n);
    MW_NEW(rc, s->wheel, "timing wheel", (uint64_t)SIM_SLOTS * s->n_words);
    MW_NEW(rc, s->core, "simulated cores", s->n);
    MW_NEW(rc, s->sent, "send buffers", (uint64_t)s->n * conf->send);
    MW_NEW(rc, s->buffer, "send buffers", s->n);
    for (uint32_t v = 0; v < s->n; v++) {
        build_core(s, (mw_core)v);
        s->wheel[v / 64] |= UINT64_C(1) << v % 64; /* all have their turn in cycle 0 */
    }
    build_bucket(s);
    MW_TRY(rc, build_fifos(s));
    MW_TRY(rc, build_listed(s));
    MW_TRY(rc, build_stream(s));
    *out = s;
    return MW_OK;
end:
    sim_free(s);
    return rc;
}

bool sim_works(const struct sim *s)
{
    for (uint32_t v = 0; v < s->n; v++)
        if (s->core[v].state == MW_CORE_BUSY)
            return true;
    return false;
}

/* A source that is paced may be late by any number of messages. How many copies each is, its
 * stream says, which then goes back; recorded ones are no broadcasts. */
uint64_t sim_pending(const struct sim *s)
{
    const bool draws =
        (s->stages != NULL || s->conf->followers != NULL) && s->conf->recording == NULL;
    uint64_t n = 0;
    for (uint32_t v = 0; s->paced && v < s->n; v++) {
        struct mw_clock clock = s->clock != NULL ? s->clock[v] : (struct mw_clock){0};
        uint64_t due = s->core[v].due;
        const struct mw_sim_traffic_source kept = s->traffic->source[v];
        for (uint64_t left = s->core[v].supply, next = 1; left > 0; left--, next++) {
            const uint64_t created = sim_cycle_of(due);
            if (created >= s->from + s->window)
                break;
            uint32_t copies = 1;
            if (draws) {
                const struct mw_parcel p = mw_sim_traffic_draw(s->traffic, (mw_core)v);
                copies = mw_sim_traffic_copies(s->traffic, &p);
            }
            n += created >= s->from ? copies : 0;
            due =
                sim_due_after(s, (mw_core)v, s->clock != NULL ? &clock : NULL, due, next);
        }
        s->traffic->source[v] = kept;
    }
    return n;
}

/* ---- results --------------------------------------------------------------------------------- */

static void forget_arrivals(struct sim *s)
{
    memset(s->tally, 0, s->traffic->n_tallies * sizeof *s->tally);
    s->consumed = 0;
}

void sim_start_counting(struct sim *s, uint64_t cycle)
{
    for (uint32_t v = 0; v < s->n; v++) {
        struct sim_core *c = &s->core[v];
        memset(c->cycles, 0, sizeof c->cycles);
        c->cycles[c->state] -= cycle;
        c->taken = c->given = 0;
        for (uint32_t port = 0; port < c->n_ports; port++) {
            struct sim_fifo *f = sim_fifo(c, port);
            f->fill_sum = 0 - f->count * cycle;
            f->fill_max = f->count;
        }
    }
    forget_arrivals(s);
}

static void report_core(const struct sim_core *c, uint64_t cycle, struct mw_sim_core *out)
{
    memcpy(out->cycles, c->cycles, sizeof out->cycles);
    out->cycles[c->state] += cycle;
    out->end = (enum mw_core_state)c->state;
    out->taken = c->taken;
    out->given = c->given;
    for (uint32_t port = 0; port < c->n_ports;
         port++) { /* of channels: together, the most */
        const struct sim_fifo *f = sim_fifo_of(c, port);
        const uint32_t class = port % MW_N_CLASSES;
        out->fill_sum[class] += f->fill_sum + f->count * cycle;
        out->fill_max[class] = (uint32_t)mw_max(out->fill_max[class], f->fill_max);
    }
}

struct shares {
    double least, most;
    uint64_t at_least, at_most; /* the first such */
};

/* The least and the most of n counts that add up to `sum`, against their mean. */
static struct shares shares_of(const uint64_t *count, uint64_t n, uint64_t sum)
{
    struct shares x = {0};
    for (uint64_t i = 1; i < n; i++) {
        if (count[i] < count[x.at_least])
            x.at_least = i;
        if (count[i] > count[x.at_most])
            x.at_most = i;
    }
    if (sum > 0) {
        x.least = (double)count[x.at_least] * (double)n / (double)sum;
        x.most = (double)count[x.at_most] * (double)n / (double)sum;
    }
    return x;
}

static int report_pairs(const struct sim *s, struct mw_sim_result *out)
{
    int rc = MW_OK;
    const struct mw_sim_traffic *t = s->traffic;
    uint32_t n_sources = 0;
    uint64_t *sum = NULL;
    mw_core *source = NULL;
    MW_NEW(rc, sum, "messages per source", t->n_tallies);
    MW_NEW(rc, source, "messages per source", t->n_tallies);
    for (uint32_t i = 0; i < t->n_tallies; i++) {
        n_sources += i == 0 || t->tally_source[i] != t->tally_source[i - 1];
        source[n_sources - 1] = t->tally_source[i];
        sum[n_sources - 1] += s->tally[i];
    }
    const struct shares per_source = shares_of(sum, n_sources, s->consumed);
    out->least_source = per_source.least;
    out->most_source = per_source.most;
    out->least_source_core = source[per_source.at_least];
    out->most_source_core = source[per_source.at_most];
    if (t->by_pair) {
        out->n_pairs = t->n_tallies;
        MW_NEW(rc, out->pair, "pairs", out->n_pairs);
        for (uint32_t i = 0; i < t->n_tallies; i++)
            out->pair[i] =
                (struct mw_sim_pair){t->tally_source[i], t->tally_sink[i], s->tally[i]};
        const struct shares per_pair = shares_of(s->tally, t->n_tallies, s->consumed);
        out->least_share = per_pair.least;
        out->most_share = per_pair.most;
    }
end:
    MW_FREE_ALL(sum, source);
    return rc;
}

int sim_report(struct sim *s, uint64_t counted_from, uint64_t cycle,
               struct mw_sim_result *out)
{
    const bool warming = counted_from == UINT64_MAX;
    if (warming)
        forget_arrivals(s);
    out->cycles = cycle;
    out->counted = warming ? 0 : cycle - counted_from;
    out->observed = warming ? cycle : out->counted;
    out->consumed = s->consumed;
    out->ended = s->stream != NULL && s->n_ended == s->n;
    if (out->counted != 0)
        out->bytes_per_s = (double)out->consumed * s->l->payload_bytes * s->l->clock_hz /
                           (double)out->counted;
    MW_NEED_NEW(out->core, "core statistics", s->n);
    for (uint32_t v = 0; v < s->n; v++)
        report_core(&s->core[v], cycle, &out->core[v]);
    return report_pairs(s, out);
}
