/* sweep.h -- the work of one sweep over a rank's own data, as its cores take it: stretches of
 * equal length, one after the other, to whoever asks next.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SWEEP_H
#define MW_SWEEP_H

#include "base/base.h"

MW_BEGIN_DECLS

/* On a line of its own: every core writes to it. */
struct mw_sweep {
    char before[MW_CACHE_LINE];
    uint64_t next;
    char behind[MW_CACHE_LINE - sizeof(uint64_t)];
};

/* The next `step` of n, or what is left of them; false: nothing is. */
bool mw_sweep_take(struct mw_sweep *s, uint64_t n, uint64_t step, uint64_t *first,
                   uint64_t *last);

MW_END_DECLS
#endif
