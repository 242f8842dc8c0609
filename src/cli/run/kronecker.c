/* kronecker.c -- see kronecker.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/kronecker.h"

int mw_kronecker_size(const struct mw_settings *s, uint64_t *n_edges)
{
    const uint64_t scale = mw_setting_number(s, "scale");
    const uint64_t edgefactor = mw_setting_number(s, "edgefactor");
    if (edgefactor > (uint64_t)INT64_MAX >> scale)
        return mw_fail(
            MW_ERR_REFUSED,
            "SCALE %llu with edge factor %llu: %llu x 2^%llu edges do not fit a "
            "signed 64-bit count (2^63 - 1); the edge factor can be %llu at most",
            (unsigned long long)scale, (unsigned long long)edgefactor,
            (unsigned long long)edgefactor, (unsigned long long)scale,
            (unsigned long long)((uint64_t)INT64_MAX >> scale));
    *n_edges = edgefactor << scale;
    return MW_OK;
}
