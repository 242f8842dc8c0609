/* doubling.h -- the steps by which n of a kind hear of each other what each of them knows.
 *
 *      0 1 2 3 4 5 6        p = 4, the largest power of two
 *      before   4 -> 0, 5 -> 1, 6 -> 2       the rest gives its own away
 *      step 1   0 <-> 1, 2 <-> 3             both have what both had
 *      step 2   0 <-> 2, 1 <-> 3             ... all had
 *      after    0 -> 4, 1 -> 5, 2 -> 6       and gets all of it back
 *
 * log2(p) steps, and two where n is no power of two. All take part in all steps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DOUBLING_H
#define MW_DOUBLING_H

#include "mpe/comm.h"

MW_BEGIN_DECLS

/* One step: `to` gets what I have, and what `from` had comes; either may be MW_NO_HOST.
 * It joins what I have, or takes its place. A failure does not end the steps: others wait
 * for me. */
typedef int mw_doubling_swap(void *arg, uint32_t to, uint32_t from, bool joins);

static inline void mw_doubling_keep(int *rc, int next)
{
    if (*rc == MW_OK)
        *rc = next;
}

MW_NODISCARD static inline int mw_doubling(uint32_t n, uint32_t me,
                                           mw_doubling_swap *swap, void *arg)
{
    uint32_t p = 1;
    int rc = MW_OK;
    while (p <= n / 2)
        p *= 2;
    const uint32_t gives = me >= p ? me - p : MW_NO_HOST;
    const uint32_t takes = me < n - p ? me + p : MW_NO_HOST;
    if (p < n)
        mw_doubling_keep(&rc, swap(arg, gives, takes, true));
    for (uint32_t step = 1; step < p; step *= 2) {
        const uint32_t other = me < p ? me ^ step : MW_NO_HOST;
        mw_doubling_keep(&rc, swap(arg, other, other, true));
    }
    if (p < n)
        mw_doubling_keep(&rc, swap(arg, takes, gives, false));
    return rc;
}

MW_END_DECLS
#endif
