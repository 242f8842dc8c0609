/* placement_cores.c -- cores of a mask, blocks of them, threads on a block: no hwloc, no ranks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/placement.h"

#include "base/mem.h"

int mw_cores_of_mask(const struct mw_mask *mask, struct mw_cores *out)
{
    int rc;
    const uint32_t n = mw_mask_count(mask);
    *out = (struct mw_cores){0};
    MW_NEW(rc, out->cpu, "placement: processors", n);
    MW_NEW(rc, out->first, "placement: cores", (uint64_t)n + 1);
    for (uint32_t cpu = 0; cpu < MW_MASK_CPUS; cpu++)
        if (mw_mask_has(mask, cpu)) {
            out->cpu[out->n_cpus++] = (int)cpu;
            out->first[++out->n_cores] = out->n_cpus;
        }
    return MW_OK;
end:
    mw_cores_fini(out);
    return rc;
}

void mw_cores_fini(struct mw_cores *c)
{
    MW_FREE_ALL(c->cpu, c->first);
    *c = (struct mw_cores){0};
}

void mw_cores_block(uint32_t n_cores, uint32_t i, uint32_t n_ranks, uint32_t *from,
                    uint32_t *to)
{
    *from = (uint32_t)((uint64_t)n_cores * i / n_ranks);
    *to = (uint32_t)((uint64_t)n_cores * (i + 1) / n_ranks);
}

bool mw_cores_deal(const struct mw_cores *c, uint32_t from, uint32_t to,
                   uint32_t n_threads, int *cpu)
{
    uint32_t n = 0;
    bool more = true;
    for (uint32_t turn = 0; more && n < n_threads;
         turn++) { /* the turn-th of each core */
        more = false;
        for (uint32_t core = from; core < to && n < n_threads; core++)
            if (c->first[core] + turn < c->first[core + 1]) {
                cpu[n++] = c->cpu[c->first[core] + turn];
                more = true;
            }
    }
    return n == n_threads;
}
