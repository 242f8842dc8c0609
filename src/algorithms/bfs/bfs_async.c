/* bfs_async.c -- see bfs_async.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_async.h"

#include "algorithms/bfs/bfs_validate.h"
#include "shuffle/kernel_lists.h"

enum { WIDTH = 16 }; /* of 1, 4, 16 and 64 the best of a grid on 2 ranks */
enum { RELAXER, RELAY, SETTLER, FORGET, ANSWER, ENDS, N_ROWS };

struct bfs_async_options {
    bool off; /* priorities */
    uint64_t width;
};

static uint64_t priority(const struct mw_traversal *t, uint32_t label)
{
    return MW_LOAD_RELAXED(&((const struct bfs_async *)t->state)->word[label]) >> 32;
}

static uint64_t end_of(const struct mw_traversal *t, uint64_t least)
{
    return least + ((const struct bfs_async *)t->state)->width;
}

static int open_search(struct mw_traversal *t, const void *options)
{
    struct bfs_async *const s = t->state;
    const struct bfs_async_options *o = options;
    if (t->graph->n_vertices > MW_NARROW_VERTICES)
        return mw_fail(MW_ERR_REFUSED,
                       "search without levels: %llu vertices; a level and a parent share "
                       "a word, so there may be 2^32 - 1 at most",
                       (unsigned long long)t->graph->n_vertices);
    s->width = o != NULL && o->off ? 0 : o != NULL && o->width > 0 ? o->width : WIDTH;
    s->work.priority = priority;
    s->work.end_of = s->width > 0 ? end_of : NULL;
    return MW_OK;
}

static int reset(struct mw_traversal *t)
{
    struct bfs_async *const s = t->state;
    mw_worklist_reset(&s->work, t->graph, s->width > 0 ? s->width : UINT64_MAX);
    mw_traversal_sweep(t, FORGET);
    return MW_OK;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    struct bfs_async *const s = t->state;
    s->root = key;
    if (!mw_is_mine(&t->graph->partition, key, &s->root_place))
        s->root_place = UINT64_MAX;
    const uint32_t label =
        s->root_place != UINT64_MAX ? t->graph->label_of[s->root_place] : MW_NO_LABEL;
    if (label != MW_NO_LABEL)
        mw_worklist_lower(&s->work, s->word, label, key);
    t->now.n_active = t->now.n_active_edges = 1;
    return MW_OK;
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct bfs_async *const s = t->state;
    const int rc = mw_worklist_step(t, ANSWER, &s->counts->n_reached, &s->n_found);
    level->n_found = s->n_found;
    return rc;
}

/* Levels are not counted while they are found. */
static int claim(struct mw_traversal *t, struct mw_verdict *out)
{
    const struct bfs_async *const s = t->state;
    uint64_t most = 0;
    s->counts->n_ends = 0;
    mw_traversal_sweep(t, ENDS);
    uint64_t n_ends = s->counts->n_ends;
    for (uint64_t i = 0; i < t->graph->n_labels; i++)
        most = s->word[i] == BFS_NO_WORD ? most : mw_max(most, s->word[i] >> 32);
    MW_NEED(mw_comm_sum(t->world->comm, &n_ends, 1));
    MW_NEED(mw_comm_max(t->world->comm, &most, 1));
    *out = (struct mw_verdict){.n_reached = s->n_found,
                               .n_edges = t->graph->directed ? n_ends : n_ends / 2,
                               .n_levels = (uint32_t)most + 1};
    return MW_OK;
}

/* ---- the algorithm ----------------------------------------------------------------------- */

#define KERNEL(member) MW_ENTRY(bfs_async_kernels, member)

/* clang-format off */
static const struct mw_block blocks[] = { /* the value first */
    MW_WORKLIST_BLOCK(bfs_async, parent, "parents", MW_PER_PLACE, 0),
    MW_WORKLIST_BLOCK(bfs_async, word, "levels and parents", MW_PER_WORD, 64 * sizeof(uint64_t)),
    MW_WORKLIST_BLOCK(bfs_async, counts, "counts", MW_PER_RANK, sizeof(struct bfs_async_counts)),
    MW_WORKLIST_BLOCKS(bfs_async, work),
};

static const struct mw_row rows[] = {
    /* row        name              takes                      emits                      kernel           a source's work, and its most records a unit; exchanges */
    [RELAXER] = {"level relaxer",  {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(relax),   mw_worklist_units, 1, .exchanges = 1},
    [RELAY]   = {"level relay",    {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, 0,               NULL,  0, .exchanges = 1},
    [SETTLER] = {"level settler",  {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(settle),  NULL,  0, .exchanges = 1},
    [FORGET]  = {.name = "forget levels", .kernel = KERNEL(forget), .reads = "nothing", .writes = "word", .unit = "an equal share"},
    [ANSWER]  = {.name = "answer levels", .kernel = KERNEL(answer), .reads = "label_of, word", .writes = "parent; a sum", .unit = "an equal share"},
    [ENDS]    = {.name = "ends reached",  .kernel = KERNEL(ends),   .reads = "parent, degree", .writes = "a sum", .unit = "an equal share"},
};

static const struct mw_key key[] = {
    {.name = "priority", .kind = MW_KEY_WORD, .fallback = "soft", .words = "soft|off", MW_KEY_FIELD(struct bfs_async_options, off),
     .help = "Vertices of low levels go first, on each rank by itself; off: as they come"},
    {.name = "width", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = UINT32_MAX, MW_KEY_FIELD(struct bfs_async_options, width),
     .help = "Levels that go together; default: 16"},
};
/* clang-format on */

static const struct mw_keys keys = {.key = key,
                                    .n = sizeof key / sizeof *key,
                                    .options_bytes = sizeof(struct bfs_async_options)};

MW_KERNELS_OF(kernels, bfs_async_kernels, MW_KINDS_OF_HOSTS)

static const struct mw_value parent = {.name = "parent", .type = MW_VALUE_VERTEX};

const struct mw_algorithm mw_algorithm_bfs_async = {
    .name = "bfs",
    .summary = "breadth-first search without levels: parents",
    .value = &parent,
    .n_values = 1,
    .keyed = true,
    .keys = &keys,
    .step_name = (const char *const[]){"without levels", NULL},
    .fact = mw_async_facts,
    .n_facts = MW_ASYNC_FACTS,
    .row = rows,
    .n_rows = N_ROWS,
    .kernels = kernels,
    .sweeps = kernels,
    .value_bits = mw_word_value_bits,
    .state_bytes = sizeof(struct bfs_async),
    .block = blocks,
    .n_blocks = sizeof blocks / sizeof *blocks,
    .open = open_search,
    .reset = reset,
    .start = start,
    .step = step,
    .claim = claim,
    .facts = mw_worklist_facts,
    .check = &mw_check_bfs,
    .refill = mw_worklist_refill,
};
