/* device_timing.c -- see device_timing.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/device_timing.h"

#include <math.h>
#include <string.h>

/* Of a search of a Kronecker graph: starts, phases of two top-down levels and four or five bottom-up ones,
 * counted at SCALE 20 to 28. */
#define MEETINGS  10
#define UP_LEVELS 4
/* What a tuple of another device takes over one's own, while rows are built, and a vertex of another over
 * one's own, while trees are judged. Fitted to one, two and four H200. */
#define OTHERS_TUPLE  (1.0 / 3)
#define OTHERS_VERTEX 0.5
/* Bytes that others tell while rows are built: both words of each tuple, twice; columns and names. */
#define TUPLE_BYTES  16
#define VERTEX_BYTES 8

static double tuples_each(const struct mw_device_timing_conf *c)
{
    return (double)c->n_edges / c->n_devices;
}

/* Seconds in which `bytes` of all devices come to each of them; most of these by the link of its host where
 * there are several. */
static double carrying_s(const struct mw_device_timing_conf *c, double bytes,
                         double per_s)
{
    const double near = bytes * (1 - 1.0 / c->n_devices) / per_s;
    const double far = mw_timing_link_bytes(bytes * (1 - 1.0 / c->n_hosts));
    return fmax(near, far / c->rates->link_bytes_per_s);
}

static double meeting_s(const struct mw_device_timing_conf *c)
{
    const struct mw_device_rates *r = &c->rates->device;
    return c->n_devices == 1 ? 0
           : c->reach        ? r->meeting_s
                      : r->letter_s + ceil(log2(c->n_hosts)) * c->rates->link_latency_s;
}

double mw_device_search_bytes(const struct mw_device_timing_conf *c)
{
    struct mw_classes classes;
    mw_classes_kronecker(c->scale, (double)c->n_edges, &classes);
    return UP_LEVELS * classes.n_connected / 8;
}

/* What devices take for their searches beside what they tell each other: as long as one for as many tuples,
 * and no less than their share of what one takes for all. */
static double searching_s(const struct mw_device_timing_conf *c)
{
    struct mw_device_point one, all;
    mw_device_rates_at(&c->rates->device, tuples_each(c), &one);
    mw_device_rates_at(&c->rates->device, (double)c->n_edges, &all);
    return fmax(one.search_s, all.search_s / c->n_devices);
}

static double bytes_that_come(const struct mw_device_timing_conf *c)
{
    return mw_device_search_bytes(c) * (1 - 1.0 / c->n_devices);
}

void mw_device_rates_fit(const struct mw_device_timing_conf *small, double small_s,
                         const struct mw_device_timing_conf *large, double large_s,
                         struct mw_device_rates *rates)
{
    const double least = 0.05; /* of a search, that bytes must take to be seen */
    double *const meeting = small->reach ? &rates->meeting_s : &rates->letter_s;
    double *const bytes_per_s = small->reach ? &rates->reach_bitmap_bytes_per_s
                                             : &rates->letter_bitmap_bytes_per_s;
    const double few = bytes_that_come(small), many = bytes_that_come(large);
    const double told_few = small_s - searching_s(small),
                 told_many = large_s - searching_s(large);
    const double byte_s = (told_many - told_few) / (many - few);
    if (byte_s * many > least * large_s)
        *bytes_per_s = 1 / byte_s;
    *meeting = fmax(0, told_few - few / *bytes_per_s) / MEETINGS;
}

void mw_device_timing_make(const struct mw_device_timing_conf *c, struct mw_timing *out)
{
    const struct mw_device_rates *const r = &c->rates->device;
    struct mw_device_point one;
    const double others = c->n_devices - 1;
    memset(out, 0, sizeof *out);
    out->of_devices = true;
    mw_device_rates_at(r, tuples_each(c), &one);
    out->generation_s = one.generation_s;
    out->construction_s = one.construction_s * (1 + OTHERS_TUPLE * others) +
                          carrying_s(c,
                                     TUPLE_BYTES * (double)c->n_edges +
                                         VERTEX_BYTES * (double)c->n_vertices,
                                     r->bytes_per_s);
    out->search_s =
        searching_s(c) + MEETINGS * meeting_s(c) +
        carrying_s(c, mw_device_search_bytes(c),
                   c->reach ? r->reach_bitmap_bytes_per_s : r->letter_bitmap_bytes_per_s);
    out->first_quartile_s = out->third_quartile_s = out->search_s;
    out->n_edges_searched = (double)c->n_edges;
    if (c->validate && c->host_validation_s > 0)
        out->validation_s = c->host_validation_s;
    else if (c->validate)
        out->validation_s =
            one.validation_s * (1 + OTHERS_VERTEX * others) +
            carrying_s(c, (double)c->n_vertices * sizeof(uint32_t), r->bytes_per_s);
    out->run_s = out->generation_s + out->construction_s + c->n_roots * out->search_s +
                 mw_n_validated(c->n_validated, c->n_roots) * out->validation_s;
}
