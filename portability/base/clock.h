/* clock.h -- seconds since some fixed moment; monotonic, never the wall clock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CLOCK_H
#define MW_CLOCK_H

#include "base/base.h"

#include <time.h>

static inline double mw_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How long somebody has waited, by what the process itself has lived through: between two looks
 * at most a second, so that a process that was stopped, or slept with its machine, is not blamed
 * for that time. Starts zeroed. */
struct mw_patience {
    double waited_s, looked;
};

static inline double mw_patience_look(struct mw_patience *p)
{
    const double now = mw_now();
    const double passed = p->looked > 0 ? now - p->looked : 0;
    p->waited_s += passed < 1 ? passed : 1;
    p->looked = now;
    return p->waited_s;
}

#endif
