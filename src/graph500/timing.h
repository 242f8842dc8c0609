/* timing.h -- how long a run will take, from what it will count (forecast.h) and what that takes on the
 * machine (rates.h). Modelled, whatever the rates are.
 *
 *      level    work of cores, taken as dealt out evenly but for the records of the longest row
 *             + level_s, each hop of each exchange, each sum and set in its steps
 *             + messages at their ranks; bytes between hosts / link, after the work
 *
 * Records between hosts are fewer bytes where they are coded, for so much of a core; auto codes what is
 * sooner there for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TIMING_H
#define MW_TIMING_H

#include "graph500/forecast.h"
#include "graph500/rates.h"
#include "mpe/world.h"

MW_BEGIN_DECLS

/* Of so many searches those that are validated, if so many are asked for; 0: all. */
MW_FN uint32_t mw_n_validated(uint32_t asked, uint32_t n_searches)
{
    return asked > 0 && asked < n_searches ? asked : n_searches;
}

struct mw_timing_conf {
    struct mw_forecast_conf forecast; /* its classes are made here, from the following */
    uint64_t n_vertices, n_edges;     /* tuples */
    uint32_t scale;                   /* 0: no Kronecker graph */
    uint32_t n_roots;
    bool validate;
    uint32_t n_validated; /* of the roots; 0: all */
    enum mw_compress compress;
    const struct mw_rates *rates; /* borrowed */
};

/* Seconds of a level: of its cores, of its records, of links, and of steps that take time however
 * little there is. */
struct mw_level_time {
    double work_s, records_s, link_s, steps_s;
};

struct mw_timing {
    bool of_devices; /* then levels, counts and quartiles are not known */
    double generation_s, construction_s,
        validation_s;               /* generation: 0, not known, of a file */
    double construction_link_bytes; /* that leave a host, coded if they are */
    double search_s, first_quartile_s, third_quartile_s;
    double run_s;            /* all of it, with its roots */
    double n_edges_searched; /* of the search in the middle; as TEPS counts */
    double n_records, n_messages, n_bytes; /* of a search on average, all ranks */
    struct mw_forecast_shape shape;
    struct mw_rate_point rates;                     /* at this size */
    struct mw_forecast_search middle;               /* the search in the middle */
    struct mw_level_time level[MW_FORECAST_LEVELS]; /* of it */
};

/* Local: takes milliseconds. */
void mw_timing_make(const struct mw_timing_conf *conf, struct mw_timing *out);

/* Local: what the host's cores take to validate a tree, in seconds. */
double mw_timing_validation(const struct mw_timing_conf *conf);

/* Local: seconds of a level. */
struct mw_level_time mw_timing_level(const struct mw_timing_conf *conf,
                                     const struct mw_rate_point *rates,
                                     double n_connected,
                                     const struct mw_forecast_level *l);
/* Of so many bytes, those that a link carries: with headers. */
double mw_timing_link_bytes(double bytes);
double mw_level_seconds(const struct mw_level_time *t);

MW_END_DECLS
#endif
