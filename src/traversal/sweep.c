/* sweep.c -- see sweep.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/sweep.h"

bool mw_sweep_take(struct mw_sweep *s, uint64_t n, uint64_t step, uint64_t *first,
                   uint64_t *last)
{
    *first = MW_ADD_RELAXED(&s->next, step);
    *last = mw_min(*first + step, n);
    return *first < n;
}
