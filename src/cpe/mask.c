/* mask.c -- see mask.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "cpe/mask.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

void mw_mask_of_self(struct mw_mask *out)
{
    memset(out, 0, sizeof *out);
    if (sched_getaffinity(0, sizeof out->word, (cpu_set_t *)(void *)out->word) != 0 ||
        mw_mask_count(out) == 0) {
        memset(out, 0, sizeof *out);
        mw_mask_add(out, 0);
    }
}

int mw_mask_bind_self(const struct mw_mask *mask)
{
    if (sched_setaffinity(0, sizeof mask->word,
                          (const cpu_set_t *)(const void *)mask->word) == 0)
        return MW_OK;
    return mw_fail(MW_ERR_UNAVAILABLE, "binding a thread to %u processors: %s",
                   mw_mask_count(mask), strerror(errno));
}

int mw_mask_bind_self_to(int cpu)
{
    struct mw_mask one = {{0}};
    if (cpu < 0 || cpu >= MW_MASK_CPUS)
        return mw_fail(MW_ERR_UNAVAILABLE, "binding a thread to processor %d: not 0..%d",
                       cpu, MW_MASK_CPUS - 1);
    mw_mask_add(&one, (uint32_t)cpu);
    if (mw_mask_bind_self(&one) != MW_OK)
        return mw_fail(MW_ERR_UNAVAILABLE, "binding a thread to processor %d: %s", cpu,
                       strerror(errno));
    return MW_OK;
}

uint32_t mw_mask_count(const struct mw_mask *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < MW_MASK_WORDS; i++)
        n += (uint32_t)__builtin_popcountll(m->word[i]);
    return n;
}

void mw_mask_join(struct mw_mask *into, const struct mw_mask *from)
{
    for (uint32_t i = 0; i < MW_MASK_WORDS; i++)
        into->word[i] |= from->word[i];
}

bool mw_mask_equal(const struct mw_mask *a, const struct mw_mask *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool mw_mask_overlap(const struct mw_mask *a, const struct mw_mask *b)
{
    for (uint32_t i = 0; i < MW_MASK_WORDS; i++)
        if ((a->word[i] & b->word[i]) != 0)
            return true;
    return false;
}
