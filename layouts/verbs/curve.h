/* curve.h -- latency and throughput against load: what the runs gave, and how it is shown.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_CURVE_H
#define MW_LAYOUT_CURVE_H

#include "cli/model/model_plot.h"
#include "layouts/verbs/sim_setup.h"

MW_BEGIN_DECLS

enum {
    MW_CURVE_HALVINGS = 5,
    MW_CURVE_POINTS_MAX = MW_FIGURE_POINTS - MW_CURVE_HALVINGS,
    MW_CURVE_SEEDS_MAX = 100
};

struct mw_curve_run {
    struct mw_latency latency; /* its classes are gone */
    double offered, carried;   /* bytes/s */
    bool deadlock, stable;
};

struct mw_curve_point {
    double load, offered, carried; /* bytes/s: means of the runs */
    uint64_t n_deadlocks;
    bool stable;
    struct mw_delay created, injected; /* medians of the runs */
    struct mw_curve_run *run;          /* [seeds], part of curve.run */
};

struct mw_curve {
    const struct mw_settings *settings;
    const struct mw_layout *layout; /* that is run: the file's, or its remote puts */
    struct mw_sim_conf conf;
    uint64_t seeds, n_points;
    struct mw_curve_run
        *run; /* [MW_CURVE_POINTS_MAX + MW_CURVE_HALVINGS][seeds], owned */
    struct mw_curve_point
        point[MW_CURVE_POINTS_MAX + MW_CURVE_HALVINGS]; /* in the end by load */
    uint64_t first; /* of the points that are run now */
    /* Saturation: stable at the one and at all loads below, not at the other; 0: there is none. */
    double stable, unstable;
    double stable_bytes_per_s;
};

void mw_curve_print(const struct mw_curve *c, const char *title, FILE *out);
int mw_curve_print_json(const struct mw_curve *c, const char *title) MW_NODISCARD;
/* Of a struct mw_curve: a line per run; two figures. */
int mw_curve_print_csv(const void *curve, FILE *out) MW_NODISCARD;
int mw_curve_draw(const void *curve, FILE *out) MW_NODISCARD;

MW_END_DECLS
#endif
