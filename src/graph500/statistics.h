/* statistics.h -- the summary that Graph500 prescribes for times, edge counts and
 * rates.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_STATISTICS_H
#define MW_STATISTICS_H

#include "base/mem.h"

MW_BEGIN_DECLS

struct mw_statistics {
    double min, firstquartile, median, thirdquartile, max;
    double mean;   /* of rates: the harmonic mean */
    double stddev; /* of a sample (n - 1), 0 for n = 1; of rates: the harmonic one */
};

/* Of x[0 .. n - 1], n >= 1, in any order. */
int mw_statistics_of(const double *x, size_t n, struct mw_statistics *out) MW_NODISCARD;

/* The middle one of x[0 .. n - 1], which it sorts; 0 of none. */
double mw_middle_of(double *x, size_t n);

/* Of the rates n_edges[i] / time_s[i] (TEPS): the reciprocals of the statistics of
 * time_s[i] / n_edges[i]. The harmonic standard deviation is Norris's (1940). All are NaN
 * where some time is 0: a clock that stands still measures no rate. */
int mw_statistics_of_rates(const double *n_edges, const double *time_s, size_t n,
                           struct mw_statistics *out) MW_NODISCARD;

MW_END_DECLS
#endif
