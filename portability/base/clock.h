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

#endif
