/* degrees.c -- see degrees.h. The program `meshway_degrees` has it in place of components.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "degrees.h"

#include "algorithms/algorithms.h"
#include "algorithms/bfs/bfs.h"
#include "traversal/traversal.h"

static const char *const steps[] = {"count", NULL};

static void sizes(const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_sizes *out)
{
    (void)shape, (void)world, (void)out;
}

static int open_state(struct mw_traversal *t, const void *options)
{
    (void)t, (void)options;
    return MW_OK;
}

static void close_state(struct mw_traversal *t)
{
    (void)t;
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
    level->n_found = t->now.n_active;
    t->now.n_active = 0;
    return MW_OK;
}

static const void *numbers(const struct mw_traversal *t)
{
    return t->graph->degree;
}

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
    .answer = "degree",
    .step_name = steps,
    .sizes = sizes,
    .open = open_state,
    .close = close_state,
    .reset = reset,
    .start = start,
    .step = step,
    .numbers = numbers,
    .claim = claim,
};

/* In place of those that there are: `--algorithm cc` is this one. */
const struct mw_algorithm *const mw_algorithms[] = {&mw_algorithm_bfs, &degrees, NULL};
