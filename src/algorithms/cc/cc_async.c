/* cc_async.c -- see cc_async.h. There are no priorities: no vertex is known to be nearer to its answer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_async.h"

#include "algorithms/cc/cc.h"
#include "algorithms/cc/cc_validate.h"
#include "shuffle/kernel_lists.h"

enum { BEGIN = 3, ANSWER, N_ROWS };

static int reset(struct mw_traversal *t)
{
    mw_worklist_reset(&((struct cc_async *)t->state)->work, t->graph, UINT64_MAX);
    return MW_OK;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    (void)key;
    mw_traversal_sweep(t, BEGIN);
    mw_traversal_all_start(t);
    return MW_OK;
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct cc_async *const s = t->state;
    level->n_found = t->graph->n_vertices;
    return mw_worklist_step(t, ANSWER, s->n_least, &s->n_components);
}

static int facts(struct mw_traversal *t, uint64_t *fact)
{
    fact[MW_ASYNC_FACTS] = ((const struct cc_async *)t->state)->n_components;
    return mw_worklist_facts(t, fact);
}

/* ---- the algorithm ----------------------------------------------------------------------- */

#define KERNEL(member) MW_ENTRY(cc_async_kernels, member)

/* clang-format off */
static const struct mw_block blocks[] = { /* the value first */
    MW_WORKLIST_BLOCK(cc_async, comp, "components", MW_PER_PLACE, 0),
    MW_WORKLIST_BLOCK(cc_async, least, "least vertices", MW_PER_LABEL, sizeof(uint64_t)),
    MW_WORKLIST_BLOCK(cc_async, n_least, "counts", MW_PER_RANK, sizeof(uint64_t)),
    MW_WORKLIST_BLOCKS(cc_async, work),
};

static const struct mw_row rows[] = {
    /* name                 takes                      emits                      kernel          a source's work, and its most records a unit; exchanges */
    {"least teller",       {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(relax),  mw_worklist_units, 1, .exchanges = 1},
    {"least relay",        {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, 0,              NULL,  0, .exchanges = 1},
    {"least hearer",       {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(settle), NULL,  0, .exchanges = 1},
    [BEGIN]  = {.name = "begin alone",       .kernel = KERNEL(begin),  .reads = "place_of", .writes = "least, who is near", .unit = "an equal share"},
    [ANSWER] = {.name = "answer components", .kernel = KERNEL(answer), .reads = "label_of, least", .writes = "comp; a sum", .unit = "an equal share"},
};
/* clang-format on */

static const struct mw_counter fact_names[] = {
    {.name = "n_refills", .kind = MW_COUNT_SAME, .always = true},
    {.name = "n_parts", .kind = MW_COUNT_SAME, .always = true},
    {.name = "n_relaxed", .kind = MW_COUNT_SAME, .always = true},
    {.name = "n_components", .kind = MW_COUNT_SAME, .always = true}};

MW_KERNELS_OF(kernels, cc_async_kernels, MW_KINDS_OF_HOSTS)
static const struct mw_value component = {.name = "component", .type = MW_VALUE_VERTEX};

const struct mw_algorithm mw_algorithm_cc_async = {
    .name = "cc",
    .summary = "connected components without levels: the smallest vertex of each",
    .value = &component,
    .n_values = 1,
    .both_ways = true,
    .step_name = (const char *const[]){"without levels", NULL},
    .fact = fact_names,
    .n_facts = sizeof fact_names / sizeof *fact_names,
    .row = rows,
    .n_rows = N_ROWS,
    .kernels = kernels,
    .sweeps = kernels,
    .value_bits = mw_vertex_value_bits,
    .state_bytes = sizeof(struct cc_async),
    .block = blocks,
    .n_blocks = sizeof blocks / sizeof *blocks,
    .reset = reset,
    .start = start,
    .step = step,
    .facts = facts,
    .check = &mw_check_cc,
    .refill = mw_worklist_refill,
};
