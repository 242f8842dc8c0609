/* mesh_role.h -- what one core of a mesh does, as its kernel sees it: 128 bytes that a core
 * fetches at a kernel's start. Made by mesh_plan.c from a layout that has been proved.
 *
 * C99 plus base.h: slave compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MESH_ROLE_H
#define MW_MESH_ROLE_H

#include "base/base.h"

MW_BEGIN_DECLS

/* What a core does; one may do several. */
enum mw_core_duty { MW_PRODUCES = 1, MW_ROUTES = 2, MW_CONSUMES = 4 };

enum {
    MW_ROLE_CONSUMERS_MAX = 64,
    MW_ROLE_SUCCESSORS_MAX = 16, /* 7 in the row, 7 in the column */
    MW_ROLE_BYTES = 128,
    MW_ROLE_SLICE =
        512 /* numbers that one consumer owns in a row: a cache line of bits */
};

/* A hop: to core `to` of my row or my column. */
enum { MW_HOP_IN_COLUMN = 0x80, MW_HOP_TO = 0x3F, MW_HOP_HOME = 0xFF };

struct mw_mesh_role {
    uint8_t duty;     /* enum mw_core_duty */
    uint8_t markers;  /* end-of-stream markers to wait for */
    uint8_t producer; /* my number among the producers */
    uint8_t n_producers;
    uint8_t consumer; /* my number among the consumers */
    uint8_t n_consumers;
    uint8_t n_successors;
    uint8_t blocks; /* buckets are dealt in blocks, not round robin */
    uint16_t cost;  /* cycles of computing a message costs here: emulation only */
    uint8_t unused[22];
    uint8_t successor[MW_ROLE_SUCCESSORS_MAX]; /* hops: whom my own marker goes to */
    uint8_t hop[MW_ROLE_CONSUMERS_MAX]; /* where a message for that consumer goes next */
    uint8_t fill[16];
};
MW_STATIC_ASSERT(sizeof(struct mw_mesh_role) == MW_ROLE_BYTES, "one DMA");

/* The consumer of bucket b of n. */
MW_FN uint32_t mw_role_consumer(const struct mw_mesh_role *r, uint32_t b, uint32_t n)
{
    return r->blocks ? (uint32_t)((uint64_t)b * r->n_consumers / n) : b % r->n_consumers;
}

/* Bucket b of n among those of its consumer c: 0, 1, 2 ... */
MW_FN uint32_t mw_role_bin(const struct mw_mesh_role *r, uint32_t b, uint32_t c,
                           uint32_t n)
{
    return r->blocks ? b - (c * n + r->n_consumers - 1) / r->n_consumers
                     : b / r->n_consumers;
}

/* Buckets of n that a consumer owns, and the i-th of them. */
MW_FN uint32_t mw_role_first_bucket(const struct mw_mesh_role *r, uint32_t n)
{
    return r->blocks ? (r->consumer * n + r->n_consumers - 1) / r->n_consumers
                     : r->consumer;
}
MW_FN uint32_t mw_role_next_bucket(const struct mw_mesh_role *r, uint32_t b)
{
    return b + (r->blocks ? 1 : r->n_consumers);
}

MW_END_DECLS
#endif
