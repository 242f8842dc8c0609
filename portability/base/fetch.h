/* fetch.h -- a line of cache that this core will write soon.
 *
 * A line that another core has read last is asked for twice, if it is fetched as one that will be read: compilers make
 * that of __builtin_prefetch(p, 1), where not every processor of the kind that they compile for knows better.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FETCH_H
#define MW_FETCH_H

#include "base/base.h"

/* Nothing happens where there is no such line. */
MW_FN void mw_fetch_own(const void *p)
{
#if defined(__x86_64__) && !defined(__CUDACC__) && !defined(__HIPCC__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)p)); /* of old ones a no-op */
#else
    __builtin_prefetch(p, 1);
#endif
}

#endif
