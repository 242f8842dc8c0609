/* cc.c -- see cc.h.
 *
 *      search   a breadth-first search: the component of its root
 *      begin    by place: parent -> comp; who is left, as a list. Not if all vertices are united
 *      rounds   look -> tell, ask -> look ... until nothing falls any more
 *
 * With one rank, and with several of one host that reach each other's memory, who is left is united edge by edge,
 * once, instead of rounds: cc_shared.h. Devices of several ranks do so, too, if the edges of who is left are few:
 * cc_told.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc.h"

#include "algorithms/bfs/bfs.h"
#include "algorithms/cc/cc_shared.h"
#include "algorithms/cc/cc_told.h"
#include "algorithms/cc/cc_validate.h"
#include "base/mem.h"
#include "devices/placed.h"
#include "shuffle/kernel_lists.h"

#include <string.h>

enum {
    /* A level of few vertices takes as long as so many entries of rows at most, in a core's part of the forest or in a
     * rank's rounds: a guess. */
    LEVEL_ENTRIES = 20000,
    /* A search that has not walked half of the entries by then is a grid's or the like, and a forest of cores costs less
     * than the rest of it: a guess. */
    LEVELS_ALWAYS = 32
};

enum { ROUND = 1, SIZES = 2 }; /* exchanges, as bits */
enum { SEARCH_STEP, ROUND_STEP };

struct mw_cc {
    struct cc_state s; /* first: what kernels get */
    struct mw_traversal *bfs;
    mw_vid root;     /* a vertex of the highest degree; none: there is no edge */
    bool searched;   /* this run has */
    uint64_t n_left; /* when rounds begin, or others do instead */
    struct cc_shared shared;
    struct cc_told told;
    bool united; /* this run is over, without rounds */
    uint32_t n_rounds;
    mw_vid largest;
};

/* ---- work of the sources ----------------------------------------------------------------- */

static uint64_t tell_units(void *state)
{
    const struct cc_state *s = state;
    return s->counts->n_units;
}

static uint64_t ask_units(void *state)
{
    return ((const struct cc_state *)state)->counts->n_left;
}

static uint64_t place_units(void *state)
{
    return ((const struct cc_state *)state)->g->n_places;
}

/* ---- open and close ---------------------------------------------------------------------- */

#define BLOCK(of_kind, member, name, of, size)                                           \
    {                                                                                    \
        .what = name, .offset = offsetof(struct cc_state, member), .kind = of_kind,      \
        .per = of, .bytes = size, .touched = of == MW_PER_LABEL ? 10 : 0                 \
    }

/* Few are left in graphs that a search takes. */
/* clang-format off */
static const struct mw_block blocks[] = {
    BLOCK(MW_OF_CORES, comp, "components", MW_PER_PLACE, 0),
    BLOCK(MW_OF_CORES, left, "vertices left", MW_PER_LABEL, sizeof(uint32_t)),
    BLOCK(MW_OF_CORES, left_end, "units of those left", MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK(MW_OF_CORES, was, "last components", MW_PER_LABEL, sizeof(mw_vid)),
    BLOCK(MW_OF_CORES, is, "told components", MW_PER_LABEL, sizeof(mw_vid)),
    BLOCK(MW_OF_BOTH, counts, "component counts", MW_PER_RANK, sizeof(struct cc_counts)),
};
/* clang-format on */

/* Outside the clock, for the facts. */
static void sizes_sizes(uint64_t n_places, bool apart, struct mw_sizes *out)
{
    const struct cc_state *s = NULL;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "sizes of components", n_places,
                    sizeof *s->size);
    mw_sizes_add(out, MW_SEARCHING, "sizes of components, for the host", n_places,
                 sizeof *s->size)
        ->copies = apart;
}

static bool stays(const void *options, const struct mw_backend *backend)
{
    return mw_algorithm_bfs.stays(options, backend);
}

static void sizes(const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_sizes *out)
{
    mw_traversal_sizes(&mw_algorithm_bfs, shape, world, out);
    out->no_records = false; /* sizes are counted by records */
    cc_shared_sizes(shape, world, out);
    cc_told_sizes(shape, world, out);
    sizes_sizes(shape->n_places, world->apart, out);
}

/* Collective: the most levels of a search. */
static int levels_worth_it(struct mw_traversal *t, const struct cc_shared *c,
                           uint32_t *out)
{
    const uint64_t n_cores =
        cc_shared_is_of_cores(t, c) ? mw_world_idle_lanes(t->world) : 1;
    const uint64_t n_entries = t->graph->n_entries / t->world->comm->size / n_cores;
    uint64_t n = mw_min(LEVELS_ALWAYS + n_entries / LEVEL_ENTRIES, UINT32_MAX - 1);
    MW_NEED(mw_comm_min(t->world->comm, &n, 1));
    *out = (uint32_t)n;
    return MW_OK;
}

static int open_components(struct mw_traversal *t, const void *options)
{
    struct mw_cc *const c = t->state;
    int rc;
    rc = mw_traversal_beside(t, &mw_algorithm_bfs, options, &c->bfs);
    if (rc == MW_OK)
        rc = mw_placed_hub(t->world, t->graph, &c->root);
    if (rc == MW_OK)
        rc = cc_shared_open(t, &c->s, &c->shared);
    if (rc == MW_OK)
        rc = cc_told_open(t, &c->s, &c->told);
    uint32_t n_levels = 0;
    if (rc == MW_OK)
        rc = levels_worth_it(t, &c->shared, &n_levels);
    if (rc == MW_OK)
        mw_cc_search_at_most(t, n_levels);
    return rc;
}

static void cc_close(struct mw_traversal *t)
{
    struct mw_cc *c = t->state;
    if (c == NULL)
        return;
    cc_told_close(t, &c->told);
    cc_shared_close(t, &c->shared);
    mw_traversal_free(c->bfs);
}

void mw_cc_search_at_most(struct mw_traversal *t, uint32_t n_levels)
{
    struct mw_cc *c = t->state;
    const struct mw_goal goal = {
        .max_depth = n_levels,
        .target = MW_NO_VERTEX,
        .reached_only = true,
        .half_by = cc_shared_is_of_cores(t, &c->shared) ? LEVELS_ALWAYS : 0};
    mw_traversal_stop_at(c->bfs, &goal);
}

/* ---- steps ------------------------------------------------------------------------------- */

/* Nothing is reset before the clock starts: who times components elsewhere counts this, too. */
static int start(struct mw_traversal *t, mw_vid key)
{
    struct mw_cc *c = t->state;
    (void)key;
    c->searched = c->united = false;
    c->n_rounds = 0;
    mw_traversal_all_start(t);
    return MW_OK;
}

static int search(struct mw_traversal *t)
{
    struct mw_cc *c = t->state;
    MW_NEED(mw_traversal_reset(c->bfs));
    if (c->root != MW_NO_VERTEX)
        MW_NEED(mw_traversal_run(c->bfs, c->root));
    c->s.parent = mw_algorithm_bfs.value->at(c->bfs);
    c->s.reached_bit = mw_bfs_reached(c->bfs);
    c->s.cut =
        c->root != MW_NO_VERTEX && c->bfs->n_levels > mw_traversal_last_level(c->bfs);
    c->searched = true;
    return MW_OK;
}

/* The component of the search is called after the smallest vertex that it has reached, as
 * far as we know. */
static int begin(struct mw_traversal *t, struct cc_state *s)
{
    struct mw_cc *const c = t->state;
    const bool has_forest = cc_shared_begin(t, s, &c->shared);
    s->counts->n_left = 0;
    if (!s->of_all) {
        mw_traversal_sweep(t, CC_REACHED);
        s->reached = s->counts->reached;
        MW_NEED(mw_comm_min(t->world->comm, &s->reached, 1));
        mw_traversal_sweep(t, CC_BEGIN);
    }
    c->united = has_forest && !s->by_hosts;
    if (has_forest)
        return cc_shared_unite(t, s, &c->n_left);
    mw_traversal_sweep(t, CC_UNITS);
    c->n_left = s->counts->n_left;
    return cc_told_unite(t, s, &c->told, &c->united);
}

/* Collective: how many vertices, of all ranks, have something to tell. `rc` is how this rank's
 * round ended: whoever left early would be waited for. */
static int count_tellers(struct mw_traversal *t, int rc)
{
    struct mw_cc *c = t->state;
    uint64_t sum[2] = {0, tell_units(c)};
    c->s.counts->n_fallen = 0;
    mw_traversal_sweep(t, CC_LOOK);
    sum[0] = c->s.counts->n_fallen;
    rc = mw_comm_sum_or_fail(t->world->comm, sum, 2, rc);
    t->now.n_active = sum[0];
    t->now.n_active_edges = sum[1];
    return rc;
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct mw_cc *c = t->state;
    int rc;
    if (!c->searched) {
        level->step = SEARCH_STEP;
        rc = search(t);
        if (rc == MW_OK)
            rc = begin(t, &c->s);
        if (rc != MW_OK)
            return rc;
    } else {
        level->step = ROUND_STEP;
        rc = mw_traversal_exchange(t, 0);
        if (c->s.by_hosts) { /* all ranks here have heard what they have */
            const int met = mw_comm_host_barrier(t->world->comm);
            rc = rc == MW_OK ? met : rc;
        }
        c->n_rounds++;
    }
    if (rc == MW_OK && c->united)
        t->now.n_active = t->now.n_active_edges = 0;
    else
        rc = count_tellers(t, rc);
    if (rc == MW_OK && c->s.by_hosts && t->now.n_active == 0)
        mw_traversal_sweep(t, CC_SETTLE);
    level->n_found = t->now.n_active;
    return rc;
}

/* ---- results ----------------------------------------------------------------------------- */

static const void *components(const struct mw_traversal *t)
{
    return ((const struct mw_cc *)t->state)->s.comp;
}

/* Collective: size[] is there, for kernels and in *seen for us. */
static int count_sizes(struct mw_traversal *t, struct cc_state *s, const uint64_t **seen,
                       uint64_t **mirror)
{
    struct mw_sizes sizes = {0};
    const uint64_t n = t->graph->n_places;
    int rc = MW_OK;
    sizes_sizes(n, !mw_host_reaches(t->world->backend), &sizes);
    MW_PLACE(rc, s->size, t->world, MW_OF_CORES, &sizes, "sizes of components");
    MW_TAKE(rc, *mirror, &sizes, "sizes of components, for the host");
end:
    rc = mw_comm_agree(t->world->comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_agree(t->world->comm, mw_traversal_exchange(t, 1));
    if (rc == MW_OK)
        *seen = mw_see(t->world, *mirror, s->size, n * sizeof **seen);
    return rc;
}

/* Collective. The search has reached n_searched here. */
static int sum_up(struct mw_cc *c, const uint64_t *size, uint64_t n_searched,
                  uint64_t *fact)
{
    const struct cc_state *s = &c->s;
    const struct mw_graph *g = s->g;
    uint64_t sum[3] = {0, n_searched, c->n_left}, most = g->n_vertices > g->n_connected;
    for (uint64_t p = 0; p < g->n_places; p++) {
        sum[0] += size[p] > 0;
        most = mw_max(most, size[p]);
    }
    MW_NEED(mw_comm_sum(g->comm, sum, 3));
    MW_NEED(mw_comm_max(g->comm, &most, 1));
    fact[MW_CC_ISOLATED] = g->n_vertices - g->n_connected;
    fact[MW_CC_COMPONENTS] = fact[MW_CC_ISOLATED] + sum[0];
    fact[MW_CC_LARGEST] = most;
    fact[MW_CC_SEARCHED] = sum[1];
    fact[MW_CC_LEFT] = sum[2];
    c->largest = MW_NO_VERTEX;
    for (uint64_t p = g->n_places; p-- > 0;)
        if (size[p] == most || (most == 1 && size[p] == 0))
            c->largest = mw_vertex_at(g, g->comm->rank, p);
    return mw_comm_min(g->comm, &c->largest, 1);
}

static int facts(struct mw_traversal *t, uint64_t *fact)
{
    struct mw_cc *c = t->state;
    const uint64_t *size;
    uint64_t *mirror = NULL, n_searched = 0;
    if (c->root != MW_NO_VERTEX) {
        c->s.counts->n_searched = 0;
        mw_traversal_sweep(t, CC_SEARCHED);
        n_searched = c->s.counts->n_searched;
    }
    int rc = count_sizes(t, &c->s, &size, &mirror);
    if (rc == MW_OK)
        rc = sum_up(c, size, n_searched, fact);
    fact[MW_CC_LEVELS] = c->root == MW_NO_VERTEX ? 0 : c->bfs->n_levels;
    fact[MW_CC_CUT] = c->s.cut;
    fact[MW_CC_ROUNDS] = c->n_rounds;
    mw_free(mirror);
    mw_unplace(t->world, MW_OF_CORES, c->s.size);
    c->s.size = NULL;
    return rc;
}

mw_vid mw_cc_largest(const struct mw_traversal *t)
{
    return ((const struct mw_cc *)t->state)->largest;
}

/* ---- the algorithm ----------------------------------------------------------------------- */

#define KERNEL(member) MW_ENTRY(cc_kernels, member)
#define SWEEP(member)  .kernel = MW_ENTRY(cc_sweeps, member)

/* clang-format off */
static const struct mw_row rows[] = {
    /* name              takes                       emits                       kernel          a source's work, and its most records a unit; exchanges */
    {"teller",          {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, MW_TO_FIRST},  KERNEL(tell),   tell_units,  1, .exchanges = ROUND},
    {"asker",           {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, MW_TO_FIRST}, KERNEL(ask),    ask_units,   1, .exchanges = ROUND},
    {"member",          {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, MW_TO_FIRST},  KERNEL(belong), place_units, 1, .exchanges = SIZES},
    {"question relay",  {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, 0,              NULL,        0, .exchanges = ROUND},
    {"representative",  {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, MW_TO_FIRST},  KERNEL(answer), NULL,        0, .exchanges = ROUND},
    {"component relay", {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  0,              NULL,        0, .exchanges = ROUND | SIZES},
    {"hearer",          {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(hear),  NULL,        0, .exchanges = ROUND},
    {"counter",         {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(count),  NULL,        0, .exchanges = SIZES},
    /* sweeps */
    [CC_REACHED]     = {.name = "reached",      SWEEP(reached),     .reads = "parent, or who was reached", .writes = "the smallest vertex that was reached", .unit = "one core", .few = true},
    [CC_SEARCHED]    = {.name = "searched",     SWEEP(searched),    .reads = "parent, or who was reached", .writes = "how many were reached", .unit = "an equal share"},
    [CC_BEGIN]       = {.name = "begin",        SWEEP(begin),       .reads = "parent, or who was reached", .writes = "comp; who is left, as a list", .unit = "an equal share"},
    [CC_UNITS]       = {.name = "units",        SWEEP(units),       .reads = "who is left, row", .writes = "units of each, is", .unit = "one core", .few = true},
    [CC_LOOK]        = {.name = "look",         SWEEP(look),        .reads = "comp of who is left, forest", .writes = "was, is, comp", .unit = "an equal share"},
    [CC_PLANT]       = {.name = "plant",        SWEEP(plant),       .reads = "who is left, or nothing", .writes = "forest", .unit = "an equal share", .optional = true},
    [CC_UNITE_STRETCHES] = {.name = "unite stretches", SWEEP(unite_stretches), .reads = "label_of, row", .writes = "forest; whose edges leave a stretch", .unit = "an equal share", .optional = true},
    [CC_UNITE_LEAVING]   = {.name = "unite leaving",   SWEEP(unite_leaving),   .reads = "row of those", .writes = "forest", .unit = "an equal share", .optional = true},
    [CC_REST]        = {.name = "rest",         SWEEP(rest),        .reads = "label_of, forest", .writes = "comp; who is left, as a list", .unit = "an equal share", .optional = true},
    [CC_UNITE]       = {.name = "unite",        SWEEP(unite),       .reads = "row of who is left", .writes = "forest", .unit = "an equal share", .optional = true},
    [CC_SETTLE]      = {.name = "settle",       SWEEP(settle),      .reads = "label_of or who is left, forest", .writes = "comp", .unit = "an equal share", .optional = true},
    [CC_UNITE_ROWS]  = {.name = "unite rows",   SWEEP(unite_rows),  .reads = "row", .writes = "forest", .unit = "rows with an equal share of the entries", .optional = true},
    [CC_BORDER]      = {.name = "border",       SWEEP(border),      .reads = "row", .writes = "who is left, as a list", .unit = "an equal share", .optional = true},
    [CC_TELL_EDGES]  = {.name = "tell edges",   SWEEP(tell_edges),  .reads = "row of who is left", .writes = "told", .unit = "an equal share", .optional = true},
    [CC_PLANT_TOLD]  = {.name = "plant told",   SWEEP(plant_told),  .reads = "a rank's told", .writes = "forest", .unit = "an equal share", .optional = true},
    [CC_UNITE_TOLD]  = {.name = "unite told",   SWEEP(unite_told),  .reads = "a rank's told", .writes = "forest", .unit = "an equal share", .optional = true},
};
/* clang-format on */
MW_STATIC_ASSERT(sizeof rows / sizeof *rows == CC_ROWS, "the numbers of sweeps above");

static const struct mw_counter fact_names[MW_CC_FACTS] = {
    [MW_CC_COMPONENTS] = {.name = "n_components", .kind = MW_COUNT_SAME, .always = true},
    [MW_CC_ISOLATED] = {.name = "n_isolated", .kind = MW_COUNT_SAME, .always = true},
    [MW_CC_LARGEST] = {.name = "n_largest", .kind = MW_COUNT_SAME, .always = true},
    [MW_CC_SEARCHED] = {.name = "n_searched", .kind = MW_COUNT_SAME, .always = true},
    [MW_CC_LEVELS] = {.name = "n_search_levels", .kind = MW_COUNT_SAME, .always = true},
    [MW_CC_CUT] = {.name = "search_cut", .kind = MW_COUNT_FLAG},
    [MW_CC_LEFT] = {.name = "n_left", .kind = MW_COUNT_SAME, .always = true},
    [MW_CC_ROUNDS] = {.name = "n_rounds", .kind = MW_COUNT_SAME, .always = true},
};

static const char *const step_name[] = {"search", "round", NULL};
static const struct mw_value component = {
    .name = "component", .type = MW_VALUE_VERTEX, .at = components};

MW_KERNELS_OF(kernels, cc_kernels, MW_KINDS_OF_CORE)
MW_KERNELS_OF(sweeps, cc_sweeps, MW_KINDS_WITHOUT_MESH)

const struct mw_algorithm mw_algorithm_cc = {
    .name = "cc",
    .summary = "connected components: the smallest vertex of each",
    .value = &component,
    .n_values = 1,
    .both_ways = true,
    .in_order = true, /* the smallest vertex of a component is taken for the first */
    .keys = &mw_bfs_keys,
    .step_name = step_name,
    .fact = fact_names,
    .n_facts = MW_CC_FACTS,
    .devices_pay = {UINT64_C(3) << 29, UINT64_MAX}, /* computed from what one takes */
    .row = rows,
    .n_rows = CC_ROWS,
    .kernels = kernels,
    .sweeps = sweeps,
    .by_place = true,
    .value_bits = mw_vertex_value_bits,
    .state_bytes = sizeof(struct mw_cc),
    .block = blocks,
    .n_blocks = sizeof blocks / sizeof *blocks,
    .sizes = sizes,
    .open = open_components,
    .stays = stays,
    .close = cc_close,
    .start = start,
    .step = step,
    .facts = facts,
    .check = &mw_check_cc,
    .async = &mw_algorithm_cc_async,
};
