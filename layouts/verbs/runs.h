/* runs.h -- many independent runs on all cores, for the verbs that simulate more than once.
 *
 * Every core of a cluster takes the next run until there is none; runs are numbered before
 * they start, so the output does not depend on who ran what.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_RUNS_H
#define MW_LAYOUT_RUNS_H

#include "layouts/verbs/cmd_layout.h"

MW_BEGIN_DECLS

/* clang-format off */
#define MW_OPTION_JOBS                                                                   \
    {.name = "jobs", .letter = 'j', .kind = MW_OPT_COUNT, .value = "N", .min = 1,        \
     .max = 1024, .help = "Runs at a time; default: one per core"}
/* clang-format on */

/* Calls one(arg, i) for every i below n, --jobs at a time, and draws a bar on a terminal. The
 * first that fails ends it, with its error. */
int mw_runs_all(const struct mw_settings *s, uint64_t n,
                int (*one)(void *arg, uint64_t i), void *arg) MW_NODISCARD;

MW_END_DECLS
#endif
