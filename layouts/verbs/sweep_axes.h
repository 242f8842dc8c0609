/* sweep_axes.h -- what a sweep varies: axes, their values, and one point of their product.
 *
 *      --vary fifo=1..64*2 --vary roles=PPPPDUKK,PPDDUUKK --seeds 3
 *      axis 0: 1 2 4 8 16 32 64      axis 1: two words      14 points, 3 runs each
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SWEEP_AXES_H
#define MW_SWEEP_AXES_H

#include "layouts/sim/sim.h"

MW_BEGIN_DECLS

enum { MW_AXES_MAX = 8, MW_POINTS_MAX = 1000000, MW_AXIS_WORD = 72 };

struct mw_axis {
    char key[24]; /* "fifo", "cost.D", "roles" */
    uint32_t n;
    char (*value)[MW_AXIS_WORD]; /* [n], owned */
};

struct mw_axes {
    uint32_t n;
    struct mw_axis axis[MW_AXES_MAX];
    uint64_t n_points; /* the product; 1 without axes */
};

/* "fifo=1..4,8,roles=A,B": a piece with '=' begins an axis. Values are words, or ranges of
 * whole numbers a..b, a..b+step, a..b*factor; each is within the limits of what it sets. NULL:
 * no axes. MW_ERR_USAGE says what is wrong. */
int mw_axes_parse(const char *text, struct mw_axes *out) MW_NODISCARD;
void mw_axes_fini(struct mw_axes *a);

bool mw_axes_has(const struct mw_axes *a, const char *key);

/* Whether axis i is something that a layout meets and does not choose: the work (load,
 * hotspot, skew, supply), the machine (clock, dma, sat, latency, cost.LETTER) or the
 * measurement (cycles, warmup, detect). A layout is better than another where these are
 * the same. */
bool mw_axes_given(const struct mw_axes *a, uint32_t i);
bool mw_axes_comparable(const struct mw_axes *a, uint64_t x, uint64_t y);

/* The value of axis i at a point; the last axis varies fastest. */
const char *mw_axes_value(const struct mw_axes *a, uint64_t point, uint32_t i);

/* The layout of a point, as far as it is text: with its roles replaced if they vary.
 * MW_ERR_USAGE: it is none (the message says why and names the point). */
int mw_axes_layout(const struct mw_axes *a, uint64_t point, const char *text,
                   size_t bytes, struct mw_layout **out) MW_NODISCARD;
/* What else varies, over what both hold; the configuration then has the layout's depths.
 * MW_ERR_USAGE: two of the numbers do not go together. */
int mw_axes_apply(const struct mw_axes *a, uint64_t point, struct mw_layout *l,
                  struct mw_sim_conf *conf) MW_NODISCARD;

MW_END_DECLS
#endif
