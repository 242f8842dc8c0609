/* statistics.c -- see statistics.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

static double stddev_of(const double *x, size_t n, double mean)
{
    if (n < 2)
        return 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sqrt(sum / (double)(n - 1));
}

/* Sorts x. A quantile is the mean of the two neighbours of its place, which may be
 * one and the same element; the third quartile is the first one seen from the end. */
static void summarize(double *x, size_t n, struct mw_statistics *out)
{
    qsort(x, n, sizeof *x, by_value);
    const size_t last = n - 1;
    out->min = x[0];
    out->firstquartile = (x[last / 4] + x[n / 4]) / 2;
    out->median = (x[last / 2] + x[n / 2]) / 2;
    out->thirdquartile = (x[last - last / 4] + x[last - n / 4]) / 2;
    out->max = x[last];
    out->mean = mean_of(x, n);
    out->stddev = stddev_of(x, n, out->mean);
}

double mw_middle_of(double *x, size_t n)
{
    qsort(x, n, sizeof *x, by_value);
    return n > 0 ? x[n / 2] : 0;
}

int mw_statistics_of(const double *x, size_t n, struct mw_statistics *out)
{
    assert(n > 0);
    double *sorted = mw_alloc("statistics", n, sizeof *sorted);
    if (sorted == NULL)
        return MW_ERR_NOMEM;
    for (size_t i = 0; i < n; i++)
        sorted[i] = x[i];
    summarize(sorted, n, out);
    mw_free(sorted);
    return MW_OK;
}

int mw_statistics_of_rates(const double *n_edges, const double *time_s, size_t n,
                           struct mw_statistics *out)
{
    assert(n > 0);
    for (size_t i = 0; i < n; i++)
        if (time_s[i] <= 0) {
            *out = (struct mw_statistics){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
            return MW_OK;
        }
    double *per_edge = mw_alloc("statistics", n, sizeof *per_edge);
    if (per_edge == NULL)
        return MW_ERR_NOMEM;
    for (size_t i = 0; i < n; i++)
        per_edge[i] = time_s[i] / n_edges[i];
    struct mw_statistics s;
    summarize(per_edge, n, &s);
    mw_free(per_edge);

    out->min = 1 / s.max;
    out->firstquartile = 1 / s.thirdquartile;
    out->median = 1 / s.median;
    out->thirdquartile = 1 / s.firstquartile;
    out->max = 1 / s.min;
    out->mean = 1 / s.mean;
    out->stddev = n < 2 ? 0 : s.stddev / (s.mean * s.mean * sqrt((double)(n - 1)));
    return MW_OK;
}
