/* bfs_table.c -- BFS as harness and cores see it: its rows and who runs them, what it counts and
 * what its options come to, and what it claims. The steps are in bfs.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_search.h"

#include "algorithms/bfs/bfs_account.h"
#include "algorithms/bfs/bfs_few.h"
#include "algorithms/bfs/bfs_validate.h"
#include "algorithms/bfs/bfs_whole.h"
#include "shuffle/kernel_lists.h"

/* ---- Rows --------------------------------------------------------------------------------- */

#define KERNEL(member) MW_ENTRY(bfs_kernels, member)
#define SWEEP(member)  .kernel = MW_ENTRY(bfs_sweeps, member)
#define LABELS         .unit = "4096 labels"
#define ONE            .unit = "one core", .few = true
#define AT_ONCE        .unit = "all cores at once; not every backend has it", .optional = true
enum {
    FORWARD = 1 << BFS_FORWARD,
    QUESTIONS = 1 << BFS_QUESTIONS,
    NAMES = 1 << BFS_NAMES,
    FOLLOWED = 1 << BFS_FOLLOWED
};

/* clang-format off */
static const struct mw_row rows[] = {
    /* row                         name                 takes                       emits                       kernel            a source's work, and its most records a unit; exchanges */
    [BFS_FORWARD_GENERATOR]   = {"forward generator",  {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, MW_TO_FIRST},  KERNEL(generate), bfs_listed_units, 1, .exchanges = FORWARD},
    [BFS_BACKWARD_GENERATOR]  = {"backward generator", {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, MW_TO_FIRST}, KERNEL(ask),      bfs_listed_units, 1, .exchanges = QUESTIONS},
    [BFS_NAME_ASKER]          = {"name asker",         {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, MW_TO_FIRST}, KERNEL(ask_name), bfs_labels,      1, .exchanges = NAMES},
    [BFS_FOLLOW_TELLER]       = {"follow teller",      {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, MW_TO_FIRST},  KERNEL(tell_followers), bfs_follow_words, 1, .exchanges = FOLLOWED},
    [BFS_BACKWARD_RELAY]      = {"backward relay",     {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, 0,                NULL,             0, .exchanges = QUESTIONS | NAMES},
    [BFS_BACKWARD_HANDLER]    = {"backward handler",   {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, MW_TO_FIRST},  KERNEL(reply),    NULL,             0, .exchanges = QUESTIONS | NAMES},
    [BFS_FORWARD_RELAY]       = {"forward relay",      {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  0,                NULL,             0, .exchanges = FORWARD | QUESTIONS | NAMES | FOLLOWED},
    [BFS_FORWARD_HANDLER]     = {"forward handler",    {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(handle),   NULL,             0, .exchanges = FORWARD | QUESTIONS},
    [BFS_NAME_HANDLER]        = {"name handler",       {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(hear_name), NULL,            0, .exchanges = NAMES},
    [BFS_FOLLOWER]            = {"follower",           {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(follow),   NULL,             0, .exchanges = FOLLOWED},
    /* sweeps */
    [BFS_HEADS]   = {.name = "heads",   SWEEP(heads),   .reads = "waiting, known, head", .writes = "parent, waiting, marks", .unit = "4096 places"},
    [BFS_ROWS]    = {.name = "rows",    SWEEP(rows),    .reads = "marks, or all unvisited; known, row", .writes = "parent, bits, unnamed", LABELS},
    [BFS_LOOKUP]  = {.name = "lookup",  SWEEP(lookup),  .reads = "hubs, visited, row", .writes = "parent, bits, asking", LABELS},
    [BFS_ASKERS]  = {.name = "askers",  SWEEP(askers),  .reads = "asking, marks, row", .writes = "list", ONE},
    [BFS_JOIN]    = {.name = "join",    SWEEP(join),    .reads = "bits, marks", .writes = "bits, counts", LABELS},
    [BFS_REFRESH] = {.name = "refresh", SWEEP(refresh), .reads = "known, or visited", .writes = "seen", .unit = "all, for each core's own"},
    [BFS_ABSORB]  = {.name = "absorb",  SWEEP(absorb),  .reads = "hubs", .writes = "seen", .unit = "all, for each core's own"},
    [BFS_PIECES]  = {.name = "pieces",  SWEEP(pieces),  .reads = "active pieces, visited, seen", .writes = "parent, marks, lists of lanes", .unit = "an equal share of the entries"},
    [BFS_TELL]    = {.name = "tell",    SWEEP(tell),    .reads = "visited, bits, told", .writes = "told, news", ONE},
    [BFS_DROP]    = {.name = "drop",    SWEEP(drop),    .reads = "list", .writes = "list", ONE},
    [BFS_RESET]   = {.name = "reset",   SWEEP(reset),   .reads = "nothing", .writes = "parent, seen, known, told, unnamed, what followers were told", .unit = "an equal share"},
    [BFS_START]   = {.name = "start",   SWEEP(start),   .reads = "the root", .writes = "parent, list, visited", ONE},
    [BFS_PREPARE] = {.name = "prepare", SWEEP(prepare), .reads = "row, column", .writes = "what a whole search keeps on its device", AT_ONCE},
    [BFS_WHOLE]   = {.name = "whole",   SWEEP(whole),   .reads = "the root, row, label_of", .writes = "parent", AT_ONCE},
    [BFS_SLICES]  = {.name = "slices",  SWEEP(slices),  .reads = "list, row, or active pieces; visited", .writes = "parent, bits", .unit = "a slice of labels", .optional = true},
    [BFS_SAY]     = {.name = "say",     SWEEP(say),     .reads = "list, row", .writes = "parent, marks, lists of lanes; what all hear", ONE, .optional = true},
    [BFS_HEAR]    = {.name = "hear",    SWEEP(hear),    .reads = "what all hear", .writes = "parent, marks, lists of lanes; active pieces", ONE, .optional = true},
    [BFS_ALONE]   = {.name = "alone",   SWEEP(alone),   .reads = "list, row, visited", .writes = "parent, visited, list", ONE, .optional = true},
    [BFS_CREW]    = {.name = "crew",    SWEEP(crew),    .reads = "list, row, known, or visited, stamps; records of this host's ranks", .writes = "parent, known, or visited, stamps, seen; list; records", .unit = "all cores at once", .optional = true},
    [BFS_RECOUNT] = {.name = "recount", SWEEP(recount), .reads = "visited, row", .writes = "the edges of one level", AT_ONCE},
};
/* clang-format on */
MW_STATIC_ASSERT(sizeof rows / sizeof *rows == BFS_N_ROWS, "bfs_search.h numbers them");

MW_KERNELS_OF(kernels, bfs_kernels, MW_KINDS_COUNTED)
MW_KERNELS_OVER(sweeps, bfs_sweeps, &bfs_sweeps_serial, &bfs_sweeps_host,
                MW_KINDS_OF_DEVICES_COUNTED)

/* ---- What it counts, and what options come to -------------------------------------------- */

static const char *const form_name[] = {"auto", "messages", "bitmap", "mixed", NULL};
static const struct mw_counter counters[MW_BFS_COUNTERS] = {
    [MW_BFS_UNVISITED_EDGES] = {.name = "n_unvisited_edges",
                                .kind = MW_COUNT_SAME,
                                .always = true},
    [MW_BFS_FORM] = {.name = "form", .kind = MW_COUNT_WORD, .word = form_name},
    [MW_BFS_MESSAGES_S] = {.name = "messages_estimate_s", .kind = MW_COUNT_SECONDS},
    [MW_BFS_BITMAP_S] = {.name = "bitmap_estimate_s", .kind = MW_COUNT_SECONDS},
    [MW_BFS_MIXED_S] = {.name = "mixed_estimate_s", .kind = MW_COUNT_SECONDS},
    [MW_BFS_ROUNDS] = {.name = "n_rounds", .kind = MW_COUNT_SAME},
    [MW_BFS_QUESTIONS] = {.name = "n_questions", .kind = MW_COUNT_SUM},
    [MW_BFS_ANSWERS] = {.name = "n_answers", .kind = MW_COUNT_SUM},
    [MW_BFS_HUBS_EXCHANGED] = {.name = "hubs_exchanged", .kind = MW_COUNT_FLAG},
    [MW_BFS_HUB_FLAGS] = {.name = "n_hub_flags", .kind = MW_COUNT_SAME},
    [MW_BFS_HUB_BYTES] = {.name = "hub_bytes", .kind = MW_COUNT_SUM},
    [MW_BFS_DROPPED] = {.name = "n_dropped", .kind = MW_COUNT_SUM},
    [MW_BFS_DELEGATED_EDGES] = {.name = "n_delegated_edges", .kind = MW_COUNT_SUM},
    [MW_BFS_SLICED_EDGES] = {.name = "n_sliced_edges", .kind = MW_COUNT_SUM},
    [MW_BFS_DELEGATED_BYTES] = {.name = "delegated_bytes", .kind = MW_COUNT_SUM},
    [MW_BFS_TOLD] = {.name = "n_told", .kind = MW_COUNT_SUM},
    [MW_BFS_FOLLOW_WORDS] = {.name = "n_follow_words", .kind = MW_COUNT_SUM},
    [MW_BFS_FOLLOWED] = {.name = "n_followed", .kind = MW_COUNT_SUM},
    [MW_BFS_HOST_MESSAGES] = {.name = "host_messages", .kind = MW_COUNT_SUM},
};

/* As searches have it, not as it was asked for: what has no effect is none, or 0. */
enum {
    DIRECTION,
    PARTITION,
    SPAN,
    SPAN_WHY,
    ALPHA,
    BETA,
    FORM,
    HEADS,
    HUBS_TOP_DOWN,
    HUBS_BOTTOM_UP,
    FOLLOWS,
    ROWS_FROM,
    DELEGATED,
    ENTRIES,
    TRAITS
};
static const char *const policy_name[] = {"auto", "top-down", "bottom-up", NULL};
static const char *const partition_name[] = {"1.5d", "1d", NULL};
static const char *const span_name[] = {"whole", "level", NULL};
static const struct mw_counter trait[TRAITS] = {
    [DIRECTION] = {.name = "direction", .kind = MW_COUNT_WORD, .word = policy_name},
    [PARTITION] = {.name = "partition", .kind = MW_COUNT_WORD, .word = partition_name},
    [SPAN] = {.name = "span", .kind = MW_COUNT_WORD, .word = span_name},
    [SPAN_WHY] = {.name = "span_why", .kind = MW_COUNT_TEXT},
    [ALPHA] = {.name = "alpha", .kind = MW_COUNT_REAL},
    [BETA] = {.name = "beta", .kind = MW_COUNT_REAL},
    [FORM] = {.name = "bottom_up", .kind = MW_COUNT_WORD, .word = form_name},
    [HEADS] = {.name = "heads", .kind = MW_COUNT_TEXT},
    [HUBS_TOP_DOWN] = {.name = "hubs_top_down", .kind = MW_COUNT_SAME},
    [HUBS_BOTTOM_UP] = {.name = "hubs_bottom_up", .kind = MW_COUNT_SAME},
    [FOLLOWS] = {.name = "follow_words", .kind = MW_COUNT_SAME},
    [ROWS_FROM] = {.name = "delegated_rows_from", .kind = MW_COUNT_SAME},
    [DELEGATED] = {.name = "delegated_vertices", .kind = MW_COUNT_SAME},
    [ENTRIES] = {.name = "delegated_entries", .kind = MW_COUNT_SAME},
};

static void traits(const struct mw_traversal *t, uint64_t *is)
{
    const struct mw_bfs *b = t->state;
    const struct mw_direction_rule *rule = &b->rule;
    const bool turns = rule->policy == MW_DIRECTION_AUTO;
    const bool up = rule->policy != MW_DIRECTION_TOP_DOWN;
    const bool down = rule->policy != MW_DIRECTION_BOTTOM_UP;
    const char *const why = bfs_whole_why_not(b);
    const bool whole = why == NULL;
    for (uint32_t i = 0; i < TRAITS; i++)
        is[i] = MW_COUNT_NONE;
    is[DIRECTION] = rule->policy;
    is[PARTITION] =
        b->s.delegates.d != NULL || b->s.said != NULL ? MW_BY_CLASSES : MW_BY_OWNER;
    is[SPAN] = whole ? MW_SPAN_WHOLE : MW_SPAN_LEVEL;
    if (!whole)
        is[SPAN_WHY] = (uintptr_t)why;
    if (turns)
        is[ALPHA] = mw_bits_of_double(rule->alpha > 0 ? rule->alpha
                                      : whole         ? MW_ALPHA_WHOLE
                                                      : MW_ALPHA);
    if (turns && !whole)
        is[BETA] = mw_bits_of_double(rule->beta > 0 ? rule->beta : MW_BETA);
    if (up) {
        is[FORM] = b->means.form;
        is[HEADS] = (uintptr_t)b->heads_name;
    }
    is[HUBS_TOP_DOWN] = down ? b->means.hubs[MW_TOP_DOWN] : 0;
    is[HUBS_BOTTOM_UP] = up ? b->means.hubs[MW_BOTTOM_UP] : 0;
    is[FOLLOWS] = up ? b->s.follow.n_all_words : 0;
    const bool delegates = down && b->s.delegates.d != NULL;
    is[ROWS_FROM] = delegates ? t->graph->delegates->bound : 0;
    is[DELEGATED] = delegates ? t->graph->delegates->first[t->graph->comm->size] : 0;
    is[ENTRIES] = delegates ? t->graph->delegates->n_entries : 0;
}

/* ---- Results --------------------------------------------------------------------------- */

static const void *parents(const struct mw_traversal *t)
{
    const struct mw_bfs *b = t->state;
    return b->s.parent;
}

static const uint64_t *visited(const struct mw_traversal *t)
{
    const struct mw_bfs *b = t->state;
    return b->s.f.visited;
}

/* Half of the summed degrees of what was reached; of a directed graph all. Nothing where edges may
 * leave the tree, for the search ended early. */
static int claim_reached(struct mw_traversal *t, struct mw_verdict *out)
{
    const struct mw_graph *g = t->graph;
    const bool early = t->goal.max_depth != UINT32_MAX || t->goal.half_by > 0 ||
                       t->goal.target != MW_NO_VERTEX;
    struct bfs_account account;
    bfs_account_make(t, &account);
    uint64_t sum[2] = {account.n_reached, account.n_touching};
    const int rc = mw_comm_sum(g->comm, sum, 2);
    *out = (struct mw_verdict){.n_reached = sum[0],
                               .n_edges = g->directed ? sum[1]
                                          : early     ? MW_COUNT_NONE
                                                      : sum[1] / 2,
                               .n_levels = t->n_levels};
    return rc;
}

/* ---- The algorithm ----------------------------------------------------------------------- */

static bool silent(const struct mw_traversal *t)
{
    return bfs_whole_why_not(t->state) == NULL;
}

static const char *const step_name[] = {"top-down", "bottom-up", NULL};
static const struct mw_value parent = {
    .name = "parent", .type = MW_VALUE_VERTEX, .at = parents};

const struct mw_algorithm mw_algorithm_bfs = {
    .name = "bfs",
    .summary = "breadth-first search from each root: parents",
    .value = &parent,
    .n_values = 1,
    .keyed = true,
    .says_touches = true,
    .keys = &mw_bfs_keys,
    .step_name = step_name,
    .counter = counters,
    .n_counters = MW_BFS_COUNTERS,
    .trait = trait,
    .n_traits = TRAITS,
    .traits = traits,
    .row = rows,
    .n_rows = BFS_N_ROWS,
    .kernels = kernels,
    .sweeps = sweeps,
    .variant = bfs_variant,
    .exchanges = bfs_exchanges,
    .sizes = bfs_sizes,
    .open = bfs_open,
    .silent = silent,
    .close = bfs_close,
    .reset = bfs_reset,
    .start = bfs_start,
    .step = bfs_step,
    .finish = bfs_finish,
    .asks_names = true,
    .devices_pay = {UINT64_C(3) << 26, UINT64_C(1) << 31},
    .stays = bfs_stays,
    .visited = visited,
    .claim = claim_reached,
    .complete = bfs_whole_complete,
    .check = &mw_check_bfs,
    .async = &mw_algorithm_bfs_async,
};
