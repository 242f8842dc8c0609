/* wait.h -- what a thread does between two looks at what it waits for, where threads outnumber
 * cores.
 *
 * It gives up its core for the usual, short wait, and then sleeps. To yield alone is not enough:
 * whoever yields stays runnable, and beside threads that do not yield each call may cost it a time
 * slice. A long wait has long naps, so that many idle ranks leave the cores to others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_WAIT_H
#define MW_WAIT_H

#include "base/clock.h"

#include <sched.h>

/* Starts zeroed, and again when what was waited for has come. */
struct mw_waiting {
    double since;
};

static inline void mw_wait_a_little(struct mw_waiting *w)
{
    /* 3 ms: searches of up to 7 ranks of one thread on two quiet cores are as fast as by yields alone,
     * those of 5 ranks of 5 threads ten times as fast; 100 ms lose half of that. */
    static const double yield_s = 3e-3, least_s = 20e-6, most_s = 1e-3, part = 1.0 / 64;
    const double now = mw_now();
    if (w->since <= 0)
        w->since = now;
    const double waited = now - w->since;
    if (waited < yield_s) {
        sched_yield();
        return;
    }
    const double nap = waited * part < least_s  ? least_s
                       : waited * part < most_s ? waited * part
                                                : most_s;
    const struct timespec time = {0, (long)(1e9 * nap)};
    nanosleep(&time, NULL);
}

#endif
