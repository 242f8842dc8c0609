/* degrees.c -- see degrees.h. The program `meshway_degrees` has it in place of components.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "degrees.h"

#include "algorithms/algorithms.h"
#include "algorithms/bfs/bfs.h"
#include "base/mem.h"
#include "traversal/traversal.h"

#include <math.h>

static const char *const steps[] = {"count", NULL};

static void sizes(const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_sizes *out)
{
    (void)world;
    mw_sizes_add(out, MW_SEARCHING, "shares", shape->n_places, sizeof(float));
}

/* The state is the second value. */
static int open_state(struct mw_traversal *t, const void *options)
{
    (void)options;
    t->state = mw_alloc("shares", t->graph->n_places, sizeof(float));
    return mw_comm_agree(t->world->comm, t->state != NULL ? MW_OK : MW_ERR_NOMEM);
}

static void close_state(struct mw_traversal *t)
{
    mw_free(t->state);
}

static int reset(struct mw_traversal *t)
{
    (void)t;
    return MW_OK;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    (void)key;
    t->now.n_active = t->graph->n_vertices;
    return MW_OK;
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    float *const share = t->state;
    for (uint64_t p = 0; p < t->graph->n_places; p++)
        share[p] = t->graph->degree[p] > 0
                       ? (float)t->graph->degree[p] / (float)t->graph->n_vertices
                       : NAN;
    level->n_found = t->now.n_active;
    t->now.n_active = 0;
    return MW_OK;
}

static const void *degree_at(const struct mw_traversal *t)
{
    return t->graph->degree;
}

static const void *share_at(const struct mw_traversal *t)
{
    return t->state;
}

static const struct mw_value values[] = {
    {.name = "degree",
     .type = MW_VALUE_COUNT,
     .unit = "edges",
     .joined = MW_JOINED_SUM,
     .at = degree_at},
    {.name = "share",
     .type = MW_VALUE_REAL,
     .unit = "of the vertices",
     .joined = MW_JOINED_SUM,
     .relative = 1e-6,
     .at = share_at},
};

/* The ends of edges are not counted: that is left open, as an algorithm may. */
static int claim(struct mw_traversal *t, struct mw_verdict *out)
{
    *out = (struct mw_verdict){.n_reached = t->graph->n_vertices,
                               .n_edges = MW_COUNT_NONE,
                               .n_levels = t->n_levels};
    return MW_OK;
}

const struct mw_algorithm degrees = {
    .name = "degrees",
    .summary = "how many edges a vertex has",
    .value = values,
    .n_values = 2,
    .step_name = steps,
    .sizes = sizes,
    .open = open_state,
    .close = close_state,
    .reset = reset,
    .start = start,
    .step = step,
    .claim = claim,
};

/* In place of those that there are: `--algorithm degrees`. */
const struct mw_algorithm *const mw_algorithms[] = {&mw_algorithm_bfs, &degrees, NULL};
