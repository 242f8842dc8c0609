/* calibrate.h -- measures the rates of a machine: by small runs of the benchmark itself, whose levels
 * say both what they counted and how long each kind of work took.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CALIBRATE_H
#define MW_CALIBRATE_H

#include "graph500/benchmark.h"
#include "graph500/rates.h"
#include "mpe/world.h"

MW_BEGIN_DECLS

/* Collective, on one host. A run of so many roots at this SCALE, every tree validated, on the ranks and
 * cores of the world: a point of *rates for that size, and what does not depend on it.
 * MW_ERR_UNAVAILABLE on a backend whose levels have no times of their own. Rank 0 has the result. */
int mw_calibrate(struct mw_world *world, uint32_t scale, uint32_t n_roots,
                 struct mw_rates *rates) MW_NODISCARD;

/* Of the graphs that rates are measured by. */
enum { MW_CALIBRATION_EDGEFACTOR = 16 };
/* Local: the run that they are measured by; every tree is validated. */
struct mw_benchmark_conf mw_calibration_run(uint32_t scale, uint32_t n_roots);

/* Collective, on several hosts: what lies between them, beside rates of one host that there are. The
 * rate of a link is left where it was given. */
int mw_calibrate_links(struct mw_world *world, bool rate_too, struct mw_rates *rates)
    MW_NODISCARD;

MW_END_DECLS
#endif
