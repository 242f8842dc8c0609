/* timing.c -- see timing.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Records that a tuple's end makes while rows are built: it is counted, then put in its row. */
    BUILD_RECORDS = 2,
    VALIDATE_RECORDS = 2 /* of a tuple: to the owner of one end, on to the other's */
};

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

double mw_level_seconds(const struct mw_level_time *t)
{
    return t->work_s + t->records_s + t->link_s + t->steps_s;
}

struct mw_level_time mw_timing_level(const struct mw_timing_conf *c,
                                     const struct mw_rate_point *rates,
                                     double n_connected,
                                     const struct mw_forecast_level *l)
{
    const struct mw_rates *r = c->rates;
    const double n_ranks = c->forecast.groups.n_ranks, n_hosts = c->forecast.n_hosts;
    const double hops = c->forecast.groups.width > 1 ? 2 : 1;
    struct mw_level_time t = {.work_s = n_connected * rates->label_s};
    if (l->direction == MW_TOP_DOWN)
        t.work_s += l->n_active_edges * rates->edge_s;
    else
        t.work_s += l->n_unvisited * rates->row_s +
                    (l->heads ? (double)c->n_vertices * rates->place_s : 0);
    t.work_s /= n_cores(c);
    t.records_s = l->n_records * rates->record_s / n_cores(c) +
                  (n_ranks > 1 ? l->n_messages / n_ranks * r->message_s : 0);
    t.steps_s = r->level_s + host_steps(c) * r->step_s;
    if (n_hosts > 1) {
        /* Sets go in so many steps each, a sum there and back, an exchange once for each hop. */
        const double steps = far_steps(c) * (l->n_sets + 2) + hops * l->n_exchanges;
        t.link_s = (l->link_bytes + l->set_bytes) / n_hosts / r->link_bytes_per_s;
        t.steps_s += steps * r->link_latency_s;
    }
    return t;
}

/* Bytes that leave a host, of so many records to owners anywhere. */
static double leaving(const struct mw_timing_conf *c, double n_records)
{
    const double coded = c->forecast.coded > 0 ? c->forecast.coded : 1;
    const double n_hosts = c->forecast.n_hosts;
    return n_records * (c->forecast.wide ? 16 : 8) * coded * (1 - 1 / n_hosts) / n_hosts;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
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

static void add_counts(struct mw_timing *out, double share)
{
    for (uint32_t i = 0; i < out->middle.n_levels; i++) {
        const struct mw_forecast_level *l = &out->middle.level[i];
        out->n_records += share * l->n_records;
        out->n_messages += share * l->n_messages;
        out->n_bytes += share * (l->message_bytes + l->set_bytes);
    }
}

static void time_searches(const struct mw_timing_conf *c, struct mw_timing *out)
{
    enum { N = MW_FORECAST_SEARCHES };
    double seconds[N], sorted[N];
    uint32_t middle = 0;
    for (uint32_t i = 0; i < N; i++) {
        mw_forecast_search(&c->forecast, i, &out->middle, &out->shape);
        seconds[i] = sorted[i] = search_seconds(c, out, &out->middle);
        add_counts(out, 1.0 / N);
    }
    qsort(sorted, N, sizeof *sorted, compare);
    while (seconds[middle] != sorted[N / 2])
        middle++;
    mw_forecast_search(&c->forecast, middle, &out->middle, NULL);
    out->search_s = sorted[N / 2];
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
    c.forecast.classes = &classes;
    mw_rates_at(c.rates, (double)c.n_vertices / c.forecast.n_hosts, &out->rates);
    const double link = c.rates->link_bytes_per_s;
    if (c.scale > 0)
        out->generation_s = n_edges * out->rates.generate_s / n_cores(&c);
    out->construction_link_bytes = leaving(&c, 2 * n_edges * BUILD_RECORDS);
    out->construction_s = 2 * n_edges * out->rates.build_s / n_cores(&c) +
                          out->construction_link_bytes / link;
    if (c.validate)
        out->validation_s = n_edges * out->rates.validate_s / n_cores(&c) +
                            leaving(&c, n_edges * VALIDATE_RECORDS) / link;
    time_searches(&c, out);
    out->run_s = out->generation_s + out->construction_s +
                 c.n_roots * (out->search_s + out->validation_s);
}
