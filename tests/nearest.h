/* nearest.h -- an algorithm for tests: every vertex hears from its neighbours how far they are, a
 * float, and keeps the nearest one. A record so carries a float and a vertex, which is all 64 bits
 * of a value.
 *
 *      tell   along each edge: (how far, who) of the one end, to the other
 *      hear   keeps the least
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NEAREST_H
#define NEAREST_H

#include "graph/graph.h"
#include "shuffle/job.h"

#include <string.h>

MW_BEGIN_DECLS

struct nearest_state {
    const struct mw_graph *g;
    uint64_t *best;  /* [n_places] how far and who; all ones: nobody */
    void *parent;    /* [n_places] */
    float *distance; /* [n_places] */
};

struct nearest_kernels {
    mw_kernel *tell, *hear;
};

/* Of some vertices below zero; so that numbers are in the order of floats, which negative ones are
 * not by themselves, the upper bit is changed, or all are. */
MW_FN float nearest_far(uint64_t v)
{
    const uint64_t mixed = (v + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 40;
    return ((float)mixed - 8000000.0F) / 1024.0F;
}

MW_FN uint64_t nearest_pack(uint64_t v)
{
    const float far = nearest_far(v);
    uint32_t bits;
    memcpy(&bits, &far, sizeof bits);
    bits ^= bits >> 31 ? UINT32_MAX : UINT32_C(1) << 31;
    return (uint64_t)bits << 32 | v;
}

MW_FN float nearest_unpack(uint64_t packed)
{
    uint32_t bits = (uint32_t)(packed >> 32);
    float far;
    bits ^= bits >> 31 ? UINT32_C(1) << 31 : UINT32_MAX;
    memcpy(&far, &bits, sizeof far);
    return far;
}

MW_END_DECLS
#endif
