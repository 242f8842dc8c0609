/* toy.h -- the smallest algorithm that uses every module of the pipeline.
 *
 * Unit i of a rank makes FAN records, each to a rank drawn from (rank, unit, copy); the
 * receiver turns them round, and at home each copy must arrive exactly once, from the
 * rank it was sent to, with a value that both ends can compute.
 *
 *      generator --backward--> [relay] --> turner --forward--> [relay] --> counter
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOY_H
#define TOY_H

#include "cpe/cluster.h"

enum { TOY_FAN = 3, TOY_BITS = 12 };

struct toy {
    uint32_t rank, n_ranks;
    bool wide;
    uint64_t seed, n_units;     /* of this rank, in this level */
    uint64_t slow_ns;           /* that each turn takes */
    uint32_t *home;             /* [n_units * TOY_FAN] how often the copy has come home */
    uint64_t n_turned, n_wrong; /* atomics */
};

static inline uint64_t toy_mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 29;
}

/* Where copy c of a rank's goes. */
static inline uint32_t toy_owner(const struct toy *t, uint32_t rank, uint64_t copy)
{
    return (uint32_t)(toy_mix(t->seed ^ toy_mix((uint64_t)rank << 32 | copy)) %
                      t->n_ranks);
}

/* The value of a copy on the way out: its number, and where there is room a checksum. */
static inline uint64_t toy_value(const struct toy *t, uint32_t rank, uint64_t copy)
{
    return t->wide ? copy | toy_mix(rank + copy) << 32 : copy;
}

struct toy_kernels {
    mw_kernel *generate, *turn, *count;
};
extern const struct toy_kernels toy_serial, toy_host, toy_mesh;

#endif
