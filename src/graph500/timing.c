/* timing.c -- see timing.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/timing.h"

#include "graph500/statistics.h"

#include <math.h>
#include <string.h>

/* Of a record as it travels over what it has in memory, packed: batches of two hosts at
 * SCALE 20, measured with bench/coding. Those of validation were not; they are questions
 * and answers as well. */
#define CODED_ENDS    (1 / 6.69)
#define CODED_ENTRIES (1 / 2.29)
#define CODED_FOUND   (1 / 2.55)
#define CODED_ASKED   (1 / 2.77)
/* What a link carries beside: headers of TCP, IP and Ethernet on 1448 bytes. */
#define LINK_BYTES (1 + 66.0 / 1448)
/* Of the validator: a tuple with an end on another host, which makes two records and an
 * answer, over one whose ends are here. Fitted to two hosts on two cores without a limit,
 * SCALE 20. */
#define FAR_TUPLE   6
#define FAR_RECORDS 3

static double n_cores(const struct mw_timing_conf *c)
{
    return (double)c->forecast.groups.n_ranks * c->forecast.n_lanes;
}

/* Steps of something that all ranks take part in. */
static double host_steps(const struct mw_timing_conf *c)
{
    return ceil(log2(ceil((double)c->forecast.groups.n_ranks / c->forecast.n_hosts)));
}

static double far_steps(const struct mw_timing_conf *c)
{
    return ceil(log2(c->forecast.n_hosts));
}

double mw_timing_link_bytes(double bytes)
{
    return bytes * LINK_BYTES;
}

double mw_level_seconds(const struct mw_level_time *t)
{
    return t->work_s + t->records_s + t->link_s + t->steps_s;
}

static double coded_by(const struct mw_forecast_level *l)
{
    return l->direction == MW_TOP_DOWN ? CODED_FOUND : CODED_ASKED;
}

struct carried {
    double bytes, s;
};

/* What `plain` bytes of records that a host sends to others are on their way, and the
 * seconds until they are there. Its ranks share the way out; each codes its own. */
static struct carried carry(const struct mw_timing_conf *c, double plain, double coded)
{
    const struct mw_rates *r = c->rates;
    const double byte_s = LINK_BYTES / r->link_bytes_per_s;
    const double n_ranks = ceil((double)c->forecast.groups.n_ranks / c->forecast.n_hosts);
    const struct carried as_is = {plain, plain * byte_s};
    const struct carried less = {plain * coded,
                                 plain * (coded * byte_s + r->code_s / n_ranks)};
    switch (c->compress) {
    case MW_COMPRESS_OFF:
        return as_is;
    case MW_COMPRESS_AUTO:
        return less.s < as_is.s ? less : as_is;
    default:
        return less;
    }
}

/* Of records that `n` have made, or their bytes, those of the one with the longest row: its share, and
 * of all others as much as everybody has. */
static double most_of(const struct mw_forecast_level *l, double all, double n)
{
    const double edges = l->n_active_edges - l->n_delegated_edges;
    const double longest = edges > 0 ? fmin(1, l->n_longest / edges) : 0;
    return all * (longest + (1 - longest) / n);
}

/* Between hosts everything takes steps: sets, sums, and the last message of each hop. */
static double steps_seconds(const struct mw_timing_conf *c,
                            const struct mw_forecast_level *l)
{
    const struct mw_rates *r = c->rates;
    const double hops = (c->forecast.groups.width > 1 ? 2 : 1) * l->n_exchanges;
    const double near = host_steps(c) * (l->n_sums + 2 * l->n_sets);
    const double far =
        c->forecast.n_hosts > 1 ? far_steps(c) * (l->n_sums + l->n_sets) + hops : 0;
    return r->level_s + hops * r->exchange_s + near * r->step_s + far * r->link_latency_s;
}

struct mw_level_time mw_timing_level(const struct mw_timing_conf *c,
                                     const struct mw_rate_point *rates,
                                     double n_connected,
                                     const struct mw_forecast_level *l)
{
    const struct mw_rates *r = c->rates;
    const double n_ranks = c->forecast.groups.n_ranks, n_hosts = c->forecast.n_hosts;
    const double messages_s = (l->n_messages - l->link_messages) * r->message_s +
                              l->link_messages * r->link_message_s;
    struct mw_level_time t = {.work_s = n_connected * rates->label_s};
    if (l->direction == MW_TOP_DOWN)
        t.work_s += l->n_active_edges * rates->edge_s;
    else
        t.work_s += (l->n_unvisited + l->n_follow_looks) * rates->row_s +
                    (l->heads ? (double)c->n_vertices * rates->place_s : 0);
    t.work_s /= n_cores(c);
    t.records_s =
        most_of(l, l->n_records, n_ranks) * rates->record_s / c->forecast.n_lanes +
        messages_s / n_ranks;
    t.steps_s = steps_seconds(c, l);
    if (n_hosts > 1) {
        const double told = l->set_bytes / n_hosts;
        t.work_s += (l->scanned_bytes / n_hosts + told) * r->set_s;
        const double heads = l->link_messages * MW_FORECAST_HEAD;
        const double most = most_of(l, l->link_bytes - heads, n_hosts) + heads / n_hosts;
        t.link_s =
            carry(c, most, coded_by(l)).s + told * LINK_BYTES / r->link_bytes_per_s;
    }
    return t;
}

/* Bytes of so many records to owners anywhere, those that leave a host. */
static double leaving(const struct mw_timing_conf *c, double n_records)
{
    const double n_hosts = c->forecast.n_hosts;
    return n_records * (c->forecast.wide ? 16 : 8) * (1 - 1 / n_hosts) / n_hosts;
}

/* Columns and names of all vertices go round the hosts, where owners are not asked for them. */
static double tables_bytes(const struct mw_timing_conf *c)
{
    const double n_hosts = c->forecast.n_hosts, number = c->forecast.wide ? 8 : 4;
    return c->forecast.asks_names
               ? 0
               : 2 * (double)c->n_vertices * number * (1 - 1 / n_hosts);
}

/* A tuple's end is counted, then put in its row. */
static void time_construction(const struct mw_timing_conf *c, struct mw_timing *out)
{
    const double n_ends = 2 * (double)c->n_edges;
    const struct carried ends = carry(c, leaving(c, n_ends), CODED_ENDS);
    const struct carried entries = carry(c, leaving(c, n_ends), CODED_ENTRIES);
    const double tables = tables_bytes(c);
    out->construction_link_bytes = ends.bytes + entries.bytes + tables;
    out->construction_s = n_ends * out->rates.build_s / n_cores(c) + ends.s + entries.s +
                          tables * LINK_BYTES / c->rates->link_bytes_per_s;
}

static double validation_seconds(const struct mw_timing_conf *c,
                                 const struct mw_rate_point *rates)
{
    const double n_edges = (double)c->n_edges, n_hosts = c->forecast.n_hosts;
    const double here =
        1 / (n_hosts * n_hosts); /* tuples with both ends, and who has them */
    return n_edges * rates->validate_s * (here + (1 - here) * FAR_TUPLE) / n_cores(c) +
           carry(c, leaving(c, n_edges * FAR_RECORDS), CODED_ASKED).s;
}

static double search_seconds(const struct mw_timing_conf *c, const struct mw_timing *out,
                             const struct mw_forecast_search *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n_levels; i++) {
        const struct mw_level_time t = mw_timing_level(
            c, &out->rates, c->forecast.classes->n_connected, &s->level[i]);
        sum += mw_level_seconds(&t);
    }
    return sum;
}

static void add_counts(const struct mw_timing_conf *c, struct mw_timing *out,
                       double share)
{
    for (uint32_t i = 0; i < out->middle.n_levels; i++) {
        const struct mw_forecast_level *l = &out->middle.level[i];
        out->n_records += share * l->n_records;
        out->n_messages += share * l->n_messages;
        const double kept = carry(c, 1, coded_by(l)).bytes;
        out->n_bytes +=
            share * (l->message_bytes + l->set_bytes - (1 - kept) * l->link_bytes);
    }
}

struct pricing {
    const struct mw_timing_conf *conf;
    const struct mw_rate_point *rates;
};

static double price(const void *arg, const struct mw_forecast_level *l)
{
    const struct pricing *p = (const struct pricing *)arg;
    const struct mw_level_time t =
        mw_timing_level(p->conf, p->rates, p->conf->forecast.classes->n_connected, l);
    return mw_level_seconds(&t);
}

static void time_searches(const struct mw_timing_conf *c, struct mw_timing *out)
{
    enum { N = MW_FORECAST_SEARCHES };
    double seconds[N], sorted[N];
    uint32_t middle = 0;
    for (uint32_t i = 0; i < N; i++) {
        mw_forecast_search(&c->forecast, i, &out->middle, &out->shape);
        seconds[i] = sorted[i] = search_seconds(c, out, &out->middle);
        add_counts(c, out, 1.0 / N);
    }
    out->search_s = mw_middle_of(sorted, N);
    while (middle + 1 < N && seconds[middle] != out->search_s)
        middle++;
    mw_forecast_search(&c->forecast, middle, &out->middle, NULL);
    out->first_quartile_s = sorted[N / 4];
    out->third_quartile_s = sorted[3 * N / 4];
    for (uint32_t i = 0; i < out->middle.n_levels; i++)
        out->level[i] = mw_timing_level(c, &out->rates, c->forecast.classes->n_connected,
                                        &out->middle.level[i]);
    /* Of the tuples those that have both ends in the tree; of distinct edges a share of all. */
    const double kept = c->forecast.classes->n_entries / 2;
    out->n_edges_searched =
        kept > 0 ? (double)c->n_edges * fmin(1, out->middle.n_edges_reached / kept) : 0;
}

void mw_timing_make(const struct mw_timing_conf *conf, struct mw_timing *out)
{
    struct mw_classes classes;
    struct mw_timing_conf c = *conf;
    const double n_edges = (double)c.n_edges;
    memset(out, 0, sizeof *out);
    if (c.scale > 0)
        mw_classes_kronecker(c.scale, n_edges, &classes);
    else
        mw_classes_random((double)c.n_vertices, n_edges, &classes);
    const struct pricing pricing = {&c, &out->rates};
    c.forecast.classes = &classes;
    c.forecast.seconds = price;
    c.forecast.arg = &pricing;
    mw_rates_at(c.rates, (double)c.n_vertices / c.forecast.n_hosts, &out->rates);
    if (c.scale > 0)
        out->generation_s = n_edges * out->rates.generate_s / n_cores(&c);
    time_construction(&c, out);
    if (c.validate)
        out->validation_s = validation_seconds(&c, &out->rates);
    time_searches(&c, out);
    out->run_s = out->generation_s + out->construction_s + c.n_roots * out->search_s +
                 mw_n_validated(c.n_validated, c.n_roots) * out->validation_s;
}

double mw_timing_validation(const struct mw_timing_conf *conf)
{
    struct mw_rate_point rates;
    mw_rates_at(conf->rates, (double)conf->n_vertices / conf->forecast.n_hosts, &rates);
    return validation_seconds(conf, &rates);
}
