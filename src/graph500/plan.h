/* plan.h -- what a run will need, before anything large is allocated.
 *
 * A row is a structure, its phase and its bytes per rank. What only the data can tell is estimated: for a Kronecker graph how
 * many vertices have an edge and how many tuples repeat; for a file nothing is assumed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PLAN_H
#define MW_PLAN_H

#include "algorithms/direction.h"
#include "mpe/world.h"

MW_BEGIN_DECLS

enum { MW_PLAN_ROWS = 32 };

struct mw_plan_conf {
    uint64_t n_vertices, n_edges; /* edges: tuples of the input */
    bool kronecker;               /* their estimates apply */
    uint32_t n_ranks, n_hosts;
    const struct mw_world_conf *world;
    uint32_t n_threads; /* per rank, as they will be; 0: world->n_threads, at least 1 */
    bool validate;
    const struct mw_direction_rule *direction; /* NULL: all automatic */
};

struct mw_plan_row {
    const char *name, *phase; /* "always", "construct", "search" */
    uint64_t bytes;           /* per rank; memory shared by a host is divided */
};

struct mw_plan {
    struct mw_groups groups;
    bool wide; /* 64-bit columns */
    uint32_t n_rows;
    struct mw_plan_row row[MW_PLAN_ROWS];
    uint64_t peak_bytes; /* per rank: always + the larger of the two phases */
};

/* Local. MW_ERR_REFUSED for a shape that cannot work. Sums saturate at UINT64_MAX. */
int mw_plan_make(const struct mw_plan_conf *conf, struct mw_plan *out) MW_NODISCARD;

MW_END_DECLS
#endif
