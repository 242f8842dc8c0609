/* pagerank_async.c -- see pagerank_async.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/pagerank/pagerank_async.h"

#include "shuffle/kernel_lists.h"

#include <math.h>

enum { BEGIN = 3, ADD, ANSWER, N_ROWS };
struct pagerank_async_options {
    double damping, tolerance;
    bool off; /* priorities */
};

static uint64_t priority(const struct mw_traversal *t, uint32_t label)
{
    const struct pagerank_async *const s = t->state;
    return pagerank_priority(
        mw_double_of_bits(MW_LOAD_RELAXED((uint64_t *)s->left + label)));
}

static uint64_t end_of(const struct mw_traversal *t, uint64_t least)
{
    (void)t;
    return least + 1;
}

/* Ranks before they are scaled sum to what is known where edges have no directions, and never to less than
 * what all have at first. */
static int open_ranks(struct mw_traversal *t, const void *options)
{
    struct pagerank_async *const s = t->state;
    const struct pagerank_async_options *const o = options;
    const double n = (double)t->graph->n_vertices, d = o->damping;
    const double connected = t->graph->directed ? 0 : (double)t->graph->n_connected;
    if (!(o->tolerance > 0) || d >= 1)
        return mw_fail(MW_ERR_USAGE,
                       "pagerank without iterations: it ends by a tolerance, "
                       "and damping is below 1");
    s->damping = d;
    s->tolerance = o->tolerance;
    s->base = (1 - d) / n;
    s->least = s->tolerance / (2 * n) * (((1 - d) * (n - connected) + connected) / n);
    s->work.priority = priority;
    s->work.end_of = o->off ? NULL : end_of;
    return MW_OK;
}

static int reset(struct mw_traversal *t)
{
    struct pagerank_async *const s = t->state;
    mw_worklist_reset(&s->work, t->graph,
                      s->work.end_of == NULL ? UINT64_MAX
                                             : pagerank_priority(s->base) + 1);
    return MW_OK;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    (void)key;
    mw_traversal_sweep(t, BEGIN);
    mw_traversal_all_start(t);
    return MW_OK;
}

/* Who is listed passes on what it has now; what comes from now on makes it active again. */
static void refill(struct mw_traversal *t)
{
    struct pagerank_async *const s = t->state;
    mw_worklist_refill(t);
    for (uint64_t i = 0; i < s->work.n_listed; i++) {
        const uint32_t u = s->work.list[i];
        uint64_t *const left = (uint64_t *)s->left + u;
        uint64_t is = MW_LOAD_RELAXED(left);
        while (!MW_SWAP_ACQ_REL(left, &is, 0))
            ;
        const double x = mw_double_of_bits(is);
        s->at[u] += x;
        s->share[u] =
            (float)(s->damping * x / (double)(t->graph->row[u + 1] - t->graph->row[u]));
    }
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct pagerank_async *const s = t->state;
    uint64_t sum;
    const int rc = mw_worklist_step(t, ADD, s->sum, &sum);
    const double alone = (double)(t->graph->n_vertices - t->graph->n_connected) * s->base;
    s->scale = 1 / (mw_real_of_fixed(sum) + alone);
    mw_traversal_sweep(t, ANSWER);
    level->n_found = t->graph->n_vertices;
    return rc;
}

/* ---- the check ---------------------------------------------------------------------------- */

/* Ranks may be any that are as near to the end as those of iterations: an iteration along the tuples, in
 * doubles, changes them by less than the tolerance, and they sum to 1. */
static int expect_ranks(const struct mw_expected *e)
{
    const struct pagerank_async *const s = e->t->state;
    const struct mw_graph *const g = e->t->graph;
    double change = 0, sum = 0;
    int rc;
    for (uint64_t p = 0; p < g->n_places; p++)
        e->is[mw_vertex_at(g, g->comm->rank, p)] = mw_bits_of_double((double)s->rank[p]);
    MW_TRY(rc, mw_comm_sum(e->comm, e->is, (uint32_t)e->n));
    MW_TRY(rc, pagerank_iterate(e, s->damping, e->is, e->was, &change));
    for (uint64_t v = 0; v < e->n; v++)
        sum += mw_double_of_bits(e->is[v]);
    if (!(change <= s->tolerance + PAGERANK_ROUNDING))
        rc = mw_fail(
            MW_ERR_INVALID,
            "validation failed: rule 2, ranks would change by %g in an iteration, "
            "and the tolerance is %g",
            change, s->tolerance);
    else if (!(fabs(sum - 1) <= PAGERANK_ROUNDING))
        rc = mw_fail(MW_ERR_INVALID, "validation failed: rule 3, ranks sum to %.9g", sum);
end:
    return rc;
}

/* ---- the algorithm ----------------------------------------------------------------------- */

#define KERNEL(member) MW_ENTRY(pagerank_async_kernels, member)

/* clang-format off */
static const struct mw_block blocks[] = { /* the value first */
    MW_WORKLIST_BLOCK(pagerank_async, rank, "ranks by place", MW_PER_PLACE, sizeof(float)),
    MW_WORKLIST_BLOCK(pagerank_async, at, "ranks", MW_PER_LABEL, sizeof(double)),
    MW_WORKLIST_BLOCK(pagerank_async, left, "residuals", MW_PER_LABEL, sizeof(double)),
    MW_WORKLIST_BLOCK(pagerank_async, share, "shares", MW_PER_LABEL, sizeof(float)),
    MW_WORKLIST_BLOCK(pagerank_async, sum, "sum of ranks", MW_PER_RANK, sizeof(uint64_t)),
    MW_WORKLIST_BLOCKS(pagerank_async, work),
};

static const struct mw_row rows[] = {
    /* name               takes                      emits                      kernel          a source's work, and its most records a unit; exchanges */
    {"residual teller",  {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(relax),  mw_worklist_units, 1, .exchanges = 1},
    {"residual relay",   {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, 0,              NULL,  0, .exchanges = 1},
    {"residual hearer",  {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(settle), NULL,  0, .exchanges = 1},
    [BEGIN]  = {.name = "begin residuals", .kernel = KERNEL(begin),  .reads = "nothing", .writes = "ranks, residuals, who is near", .unit = "an equal share"},
    [ADD]    = {.name = "add residuals",   .kernel = KERNEL(add),    .reads = "ranks, residuals", .writes = "ranks; a sum", .unit = "an equal share"},
    [ANSWER] = {.name = "scale ranks",     .kernel = KERNEL(answer), .reads = "ranks, label_of", .writes = "ranks by place", .unit = "an equal share"},
};

static const struct mw_key key[] = {
    {.name = "damping", .kind = MW_KEY_REAL, .value = "D", .min = 0, .max = 1, .fallback = "0.85", MW_KEY_FIELD(struct pagerank_async_options, damping),
     .help = "Part of its rank that a vertex gives along its edges; below 1"},
    {.name = "tolerance", .kind = MW_KEY_REAL, .value = "E", .min = 0, .max = 2, .fallback = "1e-4", MW_KEY_FIELD(struct pagerank_async_options, tolerance),
     .help = "Change of all ranks together that one iteration more would make, at most"},
    {.name = "priority", .kind = MW_KEY_WORD, .fallback = "soft", .words = "soft|off", MW_KEY_FIELD(struct pagerank_async_options, off),
     .help = "Vertices of the largest residuals go first, on each rank by itself; off: as they come"},
};
/* clang-format on */

static const struct mw_keys keys = {.key = key,
                                    .n = sizeof key / sizeof *key,
                                    .options_bytes =
                                        sizeof(struct pagerank_async_options)};
MW_KERNELS_OF(kernels, pagerank_async_kernels, MW_KINDS_OF_HOSTS)
static const struct mw_value rank = {
    .name = "rank", .type = MW_VALUE_REAL, .joined = MW_JOINED_SUM, .relative = 1e-5};
static const struct mw_check check = MW_CHECK_OF(expect_ranks, .with_rows = true);

const struct mw_algorithm mw_algorithm_pagerank_async = {
    .name = "pagerank",
    .summary = "PageRank without iterations: the share of a surfer's time",
    .value = &rank,
    .n_values = 1,
    .keys = &keys,
    .step_name = (const char *const[]){"without levels", NULL},
    .fact = mw_async_facts,
    .n_facts = MW_ASYNC_FACTS,
    .row = rows,
    .n_rows = N_ROWS,
    .kernels = kernels,
    .sweeps = kernels,
    .value_bits = mw_float_value_bits,
    .asks_names = true,
    .state_bytes = sizeof(struct pagerank_async),
    .block = blocks,
    .n_blocks = sizeof blocks / sizeof *blocks,
    .open = open_ranks,
    .reset = reset,
    .start = start,
    .step = step,
    .facts = mw_worklist_facts,
    .check = &check,
    .refill = refill,
};
