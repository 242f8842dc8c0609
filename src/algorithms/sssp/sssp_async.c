/* sssp_async.c -- see sssp_async.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_async.h"

#include "algorithms/sssp/sssp.h"
#include "algorithms/sssp/sssp_rounds.h"
#include "algorithms/sssp/sssp_validate.h"
#include "shuffle/kernel_lists.h"

enum { PARENT, DISTANCE };

struct sssp_async_options {
    struct mw_sssp_rule rule; /* of the traversal beside */
    bool off;
};

static uint64_t priority(const struct mw_traversal *t, uint32_t label)
{
    const struct sssp_async *a = t->state;
    return MW_LOAD_RELAXED(&a->s->word[label]) >> 32;
}

/* Bits of distances rise with them. */
static uint64_t bucket_from(const struct sssp_async *a, uint64_t least)
{
    const float end = mw_float_of_bits((uint32_t)least) + a->width;
    return mw_max(mw_bits_of_float(end), least + 1);
}

static uint64_t end_of(const struct mw_traversal *t, uint64_t least)
{
    return bucket_from(t->state, least);
}

/* The traversal beside is asked for each rank by itself: nobody looks into another one's words, which may still fall. */
static struct mw_sssp_rule beside_rule(const struct sssp_async_options *options)
{
    struct mw_sssp_rule rule = {0};
    if (options != NULL)
        rule = options->rule;
    rule.alone = true;
    return rule;
}

static void sizes(const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_sssp_rule rule = beside_rule(shape->options);
    struct mw_algorithm_shape beside = *shape;
    beside.options = &rule;
    mw_traversal_sizes(&mw_algorithm_sssp, &beside, world, out);
}

static int open_paths(struct mw_traversal *t, const void *options)
{
    static const struct sssp_async_options usual;
    const struct sssp_async_options *o = options != NULL ? options : &usual;
    struct sssp_async *const a = t->state;
    uint64_t trait[2];
    a->off = o->off;
    const struct mw_sssp_rule rule = beside_rule(o);
    const int rc = mw_traversal_beside(t, &mw_algorithm_sssp, &rule, &a->buckets);
    if (rc != MW_OK)
        return rc;
    a->s = a->buckets->state;
    mw_algorithm_sssp.traits(a->buckets, trait);
    a->width = (float)mw_double_of_bits(trait[0]);
    a->work.priority = priority;
    a->work.end_of = o->off ? NULL : end_of;
    return MW_OK;
}

static void close_paths(struct mw_traversal *t)
{
    const struct sssp_async *a = t->state;
    if (a != NULL)
        mw_traversal_free(a->buckets);
}

static int reset(struct mw_traversal *t)
{
    struct sssp_async *const a = t->state;
    mw_worklist_reset(&a->work, t->graph, a->off ? UINT64_MAX : bucket_from(a, 0));
    a->work.row = a->s->rows.row;
    return mw_traversal_reset(a->buckets);
}

static int start(struct mw_traversal *t, mw_vid key)
{
    struct sssp_async *const a = t->state;
    struct sssp_state *const s = a->buckets->state;
    s->root = key;
    if (!mw_is_mine(&t->graph->partition, key, &s->root_place))
        s->root_place = SSSP_NO_PLACE;
    uint64_t word;
    const uint32_t node = sssp_first(s, t->graph, &word); /* mine: there are no peers */
    mw_traversal_sweep(a->buckets, SSSP_BEGIN);
    if (node != MW_NO_LABEL)
        mw_worklist_add(&a->work, node, word >> 32);
    t->now.n_active = t->now.n_active_edges = 1;
    return MW_OK;
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct sssp_async *const a = t->state;
    int rc = mw_worklist_step(t, 0, NULL, NULL);
    level->n_found = 0;
    if (rc == MW_OK && a->s->n_leaves > 0)
        rc =
            mw_comm_agree(t->world->comm, mw_traversal_exchange(a->buckets, SSSP_LEAVES));
    return rc;
}

static int finish(struct mw_traversal *t)
{
    return mw_algorithm_sssp.finish(((struct sssp_async *)t->state)->buckets);
}

/* ---- results ----------------------------------------------------------------------------- */

static const void *parents(const struct mw_traversal *t)
{
    return mw_traversal_values(((const struct sssp_async *)t->state)->buckets, PARENT);
}

static const void *distances(const struct mw_traversal *t)
{
    return mw_traversal_values(((const struct sssp_async *)t->state)->buckets, DISTANCE);
}

static int claim(struct mw_traversal *t, struct mw_verdict *out)
{
    return mw_algorithm_sssp.claim(((struct sssp_async *)t->state)->buckets, out);
}

static void traits(const struct mw_traversal *t, uint64_t *trait)
{
    mw_algorithm_sssp.traits(((const struct sssp_async *)t->state)->buckets, trait);
}

/* ---- the algorithm ----------------------------------------------------------------------- */

#define KERNEL(member) MW_ENTRY(sssp_async_kernels, member)

/* clang-format off */
static const struct mw_block blocks[] = {MW_WORKLIST_BLOCKS(sssp_async, work)};

static const struct mw_row rows[] = {
    /* name                takes                      emits                      kernel          a source's work, and its most records a unit; exchanges */
    {"distance relaxer",  {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(relax),  mw_worklist_units, 1, .exchanges = 1},
    {"distance relay",    {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, 0,              NULL,  0, .exchanges = 1},
    {"distance settler",  {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(settle), NULL,  0, .exchanges = 1},
};

static const struct mw_value values[] = {
    [PARENT] = {.name = "parent", .type = MW_VALUE_VERTEX, .at = parents},
    [DISTANCE] = {.name = "distance", .type = MW_VALUE_REAL, .joined = MW_JOINED_MINIMUM, .at = distances},
};
static const struct mw_key key[] = {
    {.name = "delta", .kind = MW_KEY_REAL, .value = "X", .min = 0, .max = UINT32_MAX, MW_KEY_FIELD(struct sssp_async_options, rule.delta),
     .help = "Width of a bucket of distances; default: four mean weights / mean degree"},
    {.name = "prune", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|off", MW_KEY_FIELD(struct sssp_async_options, rule.unpruned),
     .help = "Construction leaves edges out that are longer than the way by a landmark; auto: where edges "
             "have no directions"},
    {.name = "priority", .kind = MW_KEY_WORD, .fallback = "soft", .words = "soft|off", MW_KEY_FIELD(struct sssp_async_options, off),
     .help = "Vertices of the least distances go first, on each rank by itself; off: as they come"},
};
/* clang-format on */
static const struct mw_keys keys = {.key = key,
                                    .n = sizeof key / sizeof *key,
                                    .options_bytes = sizeof(struct sssp_async_options)};

MW_KERNELS_OF(kernels, sssp_async_kernels, MW_KINDS_OF_HOSTS)
static const struct mw_counter trait_names[] = {
    {.name = "delta", .kind = MW_COUNT_REAL, .always = true},
    {.name = "n_entries_searched", .kind = MW_COUNT_SAME, .always = true}};

const struct mw_algorithm mw_algorithm_sssp_async = {
    .name = "sssp",
    .summary = "shortest paths without levels: parents and distances",
    .value = values,
    .n_values = sizeof values / sizeof *values,
    .weights = MW_WEIGHTS_MINIMUM,
    .keys = &keys,
    .keyed = true,
    .step_name = (const char *const[]){"without levels", NULL},
    .trait = trait_names,
    .n_traits = 2,
    .fact = mw_async_facts,
    .n_facts = MW_ASYNC_FACTS,
    .row = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .kernels = kernels,
    .value_bits = mw_word_value_bits,
    .state_bytes = sizeof(struct sssp_async),
    .block = blocks,
    .n_blocks = sizeof blocks / sizeof *blocks,
    .sizes = sizes,
    .open = open_paths,
    .close = close_paths,
    .reset = reset,
    .start = start,
    .step = step,
    .finish = finish,
    .claim = claim,
    .facts = mw_worklist_facts,
    .traits = traits,
    .check = &mw_check_sssp,
    .refill = mw_worklist_refill,
};
