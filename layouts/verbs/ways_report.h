/* ways_report.h -- `check` and `explain` of a layout whose messages have several ways, or go several
 * ways at once (layouts/ways/): knots instead of cycles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_WAYS_REPORT_H
#define MW_LAYOUT_WAYS_REPORT_H

#include "layouts/explore/report.h"
#include "layouts/ways/knot.h"

#include <jansson.h>

MW_BEGIN_DECLS

struct mw_ways_report {
    const struct mw_layout *layout; /* borrowed */
    struct mw_report_conf conf;
    struct mw_stages stages;
    struct mw_knot knot[MW_N_MODELS];
    struct mw_exploration realised[MW_N_MODELS];
};

/* Local; frees itself on error. */
int mw_ways_report_make(const struct mw_layout *l, const struct mw_report_conf *conf,
                        struct mw_ways_report *out) MW_NODISCARD;
void mw_ways_report_fini(struct mw_ways_report *r);

enum mw_explore_verdict mw_ways_verdict(const struct mw_ways_report *r,
                                        enum mw_mesh_model m);
void mw_ways_report_print(const struct mw_ways_report *r, const char *file, FILE *out);
json_t *mw_ways_report_json(const struct mw_ways_report *r, const char *file);
void mw_ways_report_explain(const struct mw_ways_report *r, FILE *out);
/* The ranks of the deciding model, which is free. */
void mw_ways_certificate(const struct mw_ways_report *r, FILE *out);

MW_END_DECLS
#endif
