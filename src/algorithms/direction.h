/* direction.h -- top-down or bottom-up? (Beamer, Asanovic, Patterson 2012.)
 *
 * Pure arithmetic on numbers that are the same on all ranks, so all decide alike.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DIRECTION_H
#define MW_DIRECTION_H

#include "base/base.h"

MW_BEGIN_DECLS

enum mw_direction { MW_TOP_DOWN, MW_BOTTOM_UP };
enum mw_direction_policy {
    MW_DIRECTION_AUTO,
    MW_DIRECTION_TOP_DOWN,
    MW_DIRECTION_BOTTOM_UP
};

struct mw_direction_rule {
    enum mw_direction_policy policy;
    double alpha, beta; /* 0: the measured defaults below */
};

/* The paper's (14 and 24), about; not swept here yet. */
#define MW_ALPHA 15.0
#define MW_BETA  24.0
/* A frontier with fewer edges than n / this is never worth a walk over bitmaps. */
#define MW_SMALL 256.0

struct mw_direction_input {
    uint64_t n_active;          /* vertices of the frontier */
    uint64_t n_active_edges;    /* edges out of them */
    uint64_t n_unvisited_edges; /* edges out of vertices not reached yet */
    uint64_t n_connected;       /* vertices that have an edge */
};

/* Top-down changes to bottom-up when the frontier's edges exceed the unvisited ones /
 * alpha; bottom-up changes back when they no longer do and the frontier is smaller than
 * n / beta. The second condition alone, as published, would walk the many edges of a last
 * large frontier to find the few vertices that are left. */
enum mw_direction mw_direction_choose(const struct mw_direction_rule *rule,
                                      enum mw_direction now,
                                      const struct mw_direction_input *in);

MW_END_DECLS
#endif
