/* sssp.c -- see sssp.h. Searches are in sssp_rounds.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp.h"

#include "algorithms/sssp/sssp_crew.h"
#include "algorithms/sssp/sssp_rounds.h"
#include "algorithms/sssp/sssp_thin.h"
#include "algorithms/sssp/sssp_validate.h"
#include "devices/placed.h"
#include "shuffle/kernel_lists.h"
#include "traversal/rows.h"

#include <float.h>

enum { ROUND = 1 << SSSP_ROUND, LEAVES = 1 << SSSP_LEAVES }; /* exchanges, as bits */

static uint64_t relax_units(void *state)
{
    return ((const struct sssp_state *)state)->counts->n_units;
}

static uint64_t leaf_units(void *state)
{
    return ((const struct sssp_state *)state)->n_told;
}

/* ---- open and close ---------------------------------------------------------------------- */

#define BLOCK(of_kind, member, name, of, size)                                           \
    {                                                                                    \
        .what = name, .offset = offsetof(struct sssp_state, member), .kind = of_kind,    \
        .per = of, .bytes = size                                                         \
    }

/* clang-format off */
static const struct mw_block blocks[] = { /* values first */
    BLOCK(MW_OF_CORES, parent,   "parents",               MW_PER_PLACE, 0),
    BLOCK(MW_OF_CORES, distance, "distances",             MW_PER_PLACE, sizeof(float)),
    BLOCK(MW_OF_CORES, word,     "distances and parents", MW_PER_WORD_OF_HOST,  64 * sizeof(uint64_t)),
    BLOCK(MW_OF_CORES, near,     "vertices near",         MW_PER_WORD_OF_HOST,  sizeof(uint64_t)),
    BLOCK(MW_OF_CORES, far,      "vertices far",          MW_PER_WORD_OF_HOST,  sizeof(uint64_t)),
    BLOCK(MW_OF_CORES, name,     "vertices of nodes",     MW_PER_LABEL, sizeof(uint32_t)),
    BLOCK(MW_OF_CORES, hook,     "nodes of places",       MW_PER_PLACE, sizeof(struct sssp_hook)),
    BLOCK(MW_OF_CORES, list,     "vertices of a round",   MW_PER_LABEL, sizeof(uint32_t)),
    BLOCK(MW_OF_CORES, list_end, "entries of a round",    MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK(MW_OF_CORES, least,    "least distances",       MW_PER_RANK,  SSSP_LEASTS * sizeof(uint64_t)),
    BLOCK(MW_OF_CORES, rounds,   "counts of rounds",      MW_PER_RANK,  SSSP_ROUNDS_BYTES),
    BLOCK(MW_OF_CORES, told,     "told distances",        MW_PER_RANK,  sizeof(struct sssp_told)),
    BLOCK(MW_OF_CORES, sample,   "sample of weights",     MW_PER_RANK,  SSSP_SAMPLES * sizeof(float)),
    BLOCK(MW_OF_BOTH,  counts,   "path counts",           MW_PER_RANK,  sizeof(struct sssp_counts)),
};
/* clang-format on */

/* Of what is searched: of pruned rows one entry in eight, and one label in three where leaves look into their neighbours;
 * of rows by weight all entries and labels. And what is there while they are made. */
static void sizes(const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_sssp_rule *rule = shape->options;
    const bool alone = rule != NULL && rule->alone,
               prunes = rule == NULL || !rule->unpruned;
    const bool orders =
        !prunes && !alone && mw_host_reaches(world->backend) &&
        (double)shape->n_entries > SSSP_LONG_ROW * (double)shape->n_labels;
    const bool hooked =
        world->groups.n_ranks == 1 ||
        (world->n_hosts == 1 && mw_ranks_are_near(world->backend) && !alone);
    const uint64_t n = !prunes       ? shape->n_entries
                       : shape->thin ? shape->n_entries / 2
                                     : shape->n_entries / 8;
    const uint64_t n_nodes = hooked && prunes ? shape->n_labels / 3 : shape->n_labels;
    sssp_crew_sizes(shape, world, out);
    if (shape->directed || (!prunes && !orders))
        return;
    struct mw_size *const ways =
        mw_sizes_add(out, MW_BUILDING, "ways to a landmark",
                     world->groups.n_ranks * shape->n_places, sizeof(float));
    ways->copies = shape->thin;
    ways->of_host = ways->estimated = true;
    const struct {
        const char *what;
        uint64_t n, bytes;
    } row[] = {{"kept columns", n, mw_number_bytes(shape->wide)},
               {"kept weights", n, sizeof(float)},
               {"kept rows", n_nodes + 1, sizeof(uint64_t)},
               {"leaves told", n_nodes, sizeof(uint64_t)},
               {"ways to the landmark", prunes ? n_nodes : 0, sizeof(float)},
               {"heavy entries", orders ? n_nodes : 0, sizeof(uint64_t)},
               {"nodes that owe", orders ? n_nodes / 64 + 1 : 0, sizeof(uint64_t)},
               {"kept entries, as bits", shape->n_entries / 64 + 1, sizeof(uint64_t)}};
    for (uint32_t i = 0; i < sizeof row / sizeof *row; i++)
        mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, row[i].what, row[i].n,
                        row[i].bytes)
            ->estimated = true;
    const uint64_t n_columns = mw_columns_of(world->groups.n_ranks, shape->label_bits);
    struct mw_size *const window = mw_sizes_add(
        out, MW_SEARCHING, "distances from the landmark", n_columns, sizeof(float));
    window->of_host = window->estimated = true;
    struct mw_size *const there =
        mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, SSSP_LANDMARK_THERE,
                        world->apart ? n_columns : 0, sizeof(float));
    there->estimated = true;
}

int sssp_mean_weight(struct mw_comm *comm, const float *sample, uint64_t n, double *mean,
                     uint64_t *most)
{
    const double unit = 1 << 20; /* sums are of whole numbers */
    uint64_t sum[2] = {0, 0};
    float greatest_here = 0; /* of weights that may be -0 */
    for (uint64_t i = 0; i < n; i++)
        greatest_here = sample[i] > greatest_here ? sample[i] : greatest_here;
    *most = mw_bits_of_float(greatest_here);
    MW_NEED(mw_comm_max(comm, most, 1));
    const double greatest = (double)mw_float_of_bits((uint32_t)*most);
    for (uint64_t i = 0; i < n && greatest > 0; i++) {
        sum[0] += (uint64_t)((double)sample[i] / greatest * unit);
        sum[1]++;
    }
    MW_NEED(mw_comm_sum(comm, sum, 2));
    *mean = sum[1] > 0 ? greatest * (double)sum[0] / unit / (double)sum[1] : 0;
    return MW_OK;
}

/* Collective: the mean weight, from a sample, and what is light. */
static int sample_weights(struct mw_traversal *t)
{
    struct mw_sssp *const c = t->state;
    struct mw_comm *const comm = t->world->comm;
    const uint64_t n = c->s.n_entries;
    uint64_t most;
    float mirror[SSSP_SAMPLES];
    c->s.sample_step = n / SSSP_SAMPLES + 1;
    c->s.n_samples = (n + c->s.sample_step - 1) / c->s.sample_step;
    mw_traversal_sweep(t, SSSP_SAMPLE);
    const float *const sample =
        mw_see(t->world, mirror, c->s.sample, c->s.n_samples * sizeof *sample);
    MW_NEED(sssp_mean_weight(comm, sample, c->s.n_samples, &c->s.mean, &most));
    if (t->graph->thin)
        c->s.mean = (double)t->graph->mean_weight;
    c->s.light = c->s.counts_hops ? mw_float_of_bits(MW_BITS_OF_INFINITY)
                                  : SSSP_LIGHT_WEIGHT * (float)c->s.mean;
    c->s.first_class = /* so that the last one has the greatest */
        (uint32_t)(mw_max(most >> SSSP_CLASS_SHIFT, SSSP_CLASSES - 1) -
                   (SSSP_CLASSES - 1));
    return MW_OK;
}

static double mean_row(const struct sssp_state *s, const struct mw_graph *g)
{
    return g->n_connected > 0 ? (double)s->n_left / (double)g->n_connected : 1;
}

bool sssp_rows_are_long(const struct sssp_state *s, const struct mw_graph *g)
{
    return mean_row(s, g) > SSSP_LONG_ROW;
}

/* Light graphs of high degree settle many vertices in little distance, so buckets are narrow there. Narrower still where
 * hubs have their whole rows in no order, which are relaxed again as often as a hub's distance falls; not on a device,
 * where a round costs more. */
void sssp_choose_delta(struct sssp_state *s, const struct mw_graph *g)
{
    const double degree = mean_row(s, g);
    const double spread = sssp_rows_are_long(s, g) && s->reaches ? 1 : MW_SSSP_SPREAD;
    const double delta = spread * s->mean / (degree > 1 ? degree : 1);
    if (!s->delta_given)
        s->delta = delta >= (double)FLT_MIN ? (float)delta : 1;
    s->light_class = sssp_class_of(s, s->delta);
}

static const struct sssp_sweeps of_hosts = {.crew = sssp_crew_kernel};
MW_KERNELS_OVER(sweeps, sssp_sweeps, &of_hosts, &of_hosts, MW_KINDS_WITHOUT_MESH)

/* Is a search one call of all cores? */
static bool runs_whole(const struct mw_traversal *t, const struct mw_sssp_rule *rule)
{
    const struct mw_backend *const backend = t->world->backend;
    return (rule == NULL || !rule->by_rounds) && t->world->comm->size == 1 &&
           !t->graph->wide &&
           mw_sweep_find(&mw_algorithm_sssp.row[SSSP_WHOLE], sweeps, backend).cores !=
               NULL;
}

/* Which ranks' words this rank reaches. */
static void find_peers(struct mw_traversal *t, bool alone)
{
    struct sssp_state *const s = &((struct mw_sssp *)t->state)->s;
    const struct mw_comm *const comm = t->world->comm;
    const uint32_t first = comm->rank - comm->host_rank, size = comm->host_size;
    s->stride = mw_block_stride(t->graph->label_bits);
    s->has_peers = size > 1 && mw_ranks_are_near(t->world->backend);
    s->host_rank = s->has_peers ? comm->host_rank : 0;
    bool all = s->has_peers && !alone && size * 64 * s->stride < UINT32_MAX;
    for (uint32_t i = 0; i < size && all; i++) /* in a row */
        all = first + i < comm->size && comm->host_of[first + i] == comm->host;
    s->first_peer = all ? first : comm->rank;
    s->n_peers = all ? size : 1;
}

/* Collective. */
static int make_crew(struct mw_traversal *t, const struct mw_sssp_rule *rule)
{
    const struct mw_algorithm_shape shape = {.options = rule,
                                             .label_bits = t->graph->label_bits};
    struct mw_world_shape world;
    struct mw_sizes sizes = {0};
    mw_world_shape_of(t->world, &world);
    sssp_crew_sizes(&shape, &world, &sizes);
    return sssp_crew_init(t, &sizes);
}

static int open_paths(struct mw_traversal *t, const void *options)
{
    struct mw_sssp *const c = t->state;
    const struct mw_graph *const g = c->s.g;
    const struct mw_sssp_rule *rule = options;
    if (!mw_graph_is_weighted(t->graph) && t->graph->n_entries > 0)
        return mw_fail(MW_ERR_REFUSED,
                       "shortest paths: the graph was built without weights");
    if (t->graph->n_vertices > MW_NARROW_VERTICES)
        return mw_fail(
            MW_ERR_REFUSED,
            "shortest paths: %llu vertices; a distance and a parent share a word, so "
            "there may be 2^32 - 1 at most",
            (unsigned long long)t->graph->n_vertices);
    c->s.n_left = sssp_n_of_list(t->graph);
    find_peers(t, rule != NULL && rule->alone);
    c->s.n_entries = mw_placed_entries(t->world, t->graph);
    c->s.rows = (struct sssp_rows){.n = g->n_labels,
                                   .n_entries = c->s.n_entries,
                                   .row = g->row,
                                   .column = g->column,
                                   .weight = g->weight};
    c->s.delta_given = rule != NULL && rule->delta > 0;
    c->runs_whole = runs_whole(t, rule);
    c->s.delta = c->s.delta_given ? rule->delta : 0;
    c->s.reaches = mw_host_reaches(t->world->backend);
    c->s.counts_hops = rule != NULL && rule->counts_hops;
    /* The way back by the landmark is as long; and columns of all ranks have a table as large. */
    c->orders = !t->graph->directed &&
                (!mw_graph_asks_names(t->graph) || t->world->comm->size == 1);
    c->prunes = c->orders && (rule == NULL || !rule->unpruned);
    c->orders =
        c->orders && c->s.reaches && !c->s.counts_hops && (rule == NULL || !rule->alone);
    c->can_pull = c->s.n_peers == t->world->comm->size;
    mw_traversal_sweep(t, SSSP_HOOK);
    MW_NEED(make_crew(t, options));
    MW_NEED(sample_weights(t));
    sssp_choose_delta(&c->s, t->graph);
    return MW_OK;
}

static int prepare(struct mw_traversal *t)
{
    struct mw_sssp *const c = t->state;
    const bool orders = c->orders && sssp_rows_are_long(&c->s, t->graph);
    if (c->prunes || orders)
        MW_NEED(sssp_prune(t, &c->s, c->prunes, orders));
    c->n_nodes = c->s.rows.n;
    return mw_comm_sum(t->world->comm, &c->n_nodes, 1);
}

/* Pruning asks for the graph's hub and for sums; all else is done by sweeps. */
static void sssp_close(struct mw_traversal *t)
{
    struct mw_sssp *const c = t->state;
    if (c == NULL)
        return;
    sssp_crew_fini(c);
    sssp_forget_pruned(t, &c->s);
}

/* ---- results ----------------------------------------------------------------------------- */

static int claim(struct mw_traversal *t, struct mw_verdict *out)
{
    struct sssp_counts *counts = ((struct mw_sssp *)t->state)->s.counts;
    uint64_t sum[2];
    counts->n_reached = counts->n_ends = 0;
    mw_traversal_sweep(t, SSSP_REACHED);
    mw_traversal_sweep(t, SSSP_ENDS);
    sum[0] = counts->n_reached;
    sum[1] = counts->n_ends;
    const int rc = mw_comm_sum(t->world->comm, sum, 2);
    *out = (struct mw_verdict){.n_reached = sum[0],
                               .n_edges = t->graph->directed ? sum[1] : sum[1] / 2};
    return rc;
}

static int facts(struct mw_traversal *t, uint64_t *fact)
{
    const struct mw_sssp *c = t->state;
    fact[MW_SSSP_BUCKETS] = c->n_buckets;
    fact[MW_SSSP_ROUNDS] = c->n_rounds;
    fact[MW_SSSP_RELAXED] = c->n_relaxed;
    fact[MW_SSSP_PULLED] = c->n_pulled;
    return mw_comm_sum(t->world->comm, &fact[MW_SSSP_RELAXED], 2);
}

static void traits(const struct mw_traversal *t, uint64_t *trait)
{
    const struct mw_sssp *c = t->state;
    trait[1] = c->s.n_left;
    trait[0] = mw_bits_of_double((double)c->s.delta);
}

/* ---- the algorithm ----------------------------------------------------------------------- */

#define KERNEL(member) MW_ENTRY(sssp_kernels, member)
#define SWEEP(member)  .kernel = MW_ENTRY(sssp_sweeps, member)
#define SHARE          .unit = "an equal share"

/* clang-format off */
static const struct mw_row rows[] = {
    /* name            takes                      emits                      kernel           a source's work, and its most records a unit; exchanges */
    {"relaxer",       {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(relax),   relax_units, 1, .exchanges = ROUND},
    {"leaf teller",   {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell),    leaf_units,  1, .exchanges = LEAVES},
    {"path relay",    {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, 0,               NULL,        0, .exchanges = ROUND | LEAVES},
    {"settler",       {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(settle),  NULL,        0, .exchanges = ROUND | LEAVES},
    /* sweeps */
    [SSSP_FORGET]         = {.name = "forget paths",   SWEEP(forget),         .reads = "nothing", .writes = "word, near, far", SHARE},
    [SSSP_BEGIN]          = {.name = "begin at root",  SWEEP(begin),          .reads = "the root", .writes = "word, near", .unit = "one core", .few = true},
    [SSSP_LIST]           = {.name = "list near",      SWEEP(list),           .reads = "near, row", .writes = "list, list_end", .unit = "every n-th 4096 labels"},
    [SSSP_FORGET_NEAR]    = {.name = "forget near",    SWEEP(forget_near),    .reads = "near", .writes = "near, owing", SHARE},
    [SSSP_NEXT]           = {.name = "next bucket",    SWEEP(next),           .reads = "far, word", .writes = "far, near", SHARE},
    [SSSP_TELL]           = {.name = "tell least",     SWEEP(tell),           .reads = "least, word", .writes = "the least distance of those far, the landmark's distance", .unit = "one core", .few = true},
    [SSSP_BOUND]          = {.name = "bound",          SWEEP(bound),          .reads = "ways to the landmark, word", .writes = "word", SHARE},
    [SSSP_OWE]            = {.name = "owe",            SWEEP(owe),            .reads = "owing", .writes = "near, owing", SHARE},
    [SSSP_PULL]           = {.name = "pull",           SWEEP(pull),           .reads = "word, row, column, weight, names of nodes", .writes = "word, near, far, owing", .unit = "every n-th 4096 labels"},
    [SSSP_ANSWER]         = {.name = "answer",         SWEEP(answer),         .reads = "hook, word", .writes = "parent, distance", SHARE},
    [SSSP_REACHED]        = {.name = "count reached",  SWEEP(reached),        .reads = "distance", .writes = "a sum", SHARE},
    [SSSP_ENDS]           = {.name = "count ends",     SWEEP(ends),           .reads = "distance, degree", .writes = "a sum", SHARE},
    /* once */
    [SSSP_LANDMARK] = {.name = "landmark", SWEEP(landmark), .reads = "word", .writes = "distances from the landmark", SHARE},
    [SSSP_REACH]    = {.name = "reach rest", SWEEP(reach), .reads = "word, row, column, weight, distances from the landmark", .writes = "word", SHARE},
    [SSSP_PRUNE]    = {.name = "prune",    SWEEP(prune),    .reads = "row, column, weight, distances from the landmark", .writes = "kept entries, as bits", .unit = "an equal share of the entries"},
    [SSSP_LENGTHS]  = {.name = "kept lengths", SWEEP(lengths), .reads = "kept entries, as bits, row", .writes = "degrees left, list_end", SHARE},
    [SSSP_PART]     = {.name = "part leaves",  SWEEP(part),    .reads = "kept entries, as bits, degrees left", .writes = "word", SHARE},
    [SSSP_NUMBER]   = {.name = "number nodes", SWEEP(number),  .reads = "word", .writes = "list", .unit = "one core"},
    [SSSP_STARTS]   = {.name = "kept starts",  SWEEP(starts),  .reads = "word, list", .writes = "kept row", .unit = "one core"},
    [SSSP_TOLD]     = {.name = "sums of leaves told", SWEEP(told), .reads = "word, list", .writes = "leaves told", .unit = "one core"},
    [SSSP_KEEP]     = {.name = "keep",         SWEEP(keep),    .reads = "kept entries, as bits, degrees left, row, column, weight", .writes = "kept column, kept weight, ways to the landmark", SHARE},
    [SSSP_ORDER]    = {.name = "order by weight", SWEEP(order), .reads = "kept entries, as bits, degrees left, row, column, weight", .writes = "kept column, kept weight, heavy entries, ways to the landmark", .unit = "rows of about as many entries"},
    [SSSP_NODES]    = {.name = "tell nodes",   SWEEP(nodes),   .reads = "list", .writes = "nodes", SHARE},
    [SSSP_NAME]     = {.name = "name columns", SWEEP(name),    .reads = "kept column, nodes", .writes = "kept column", .unit = "an equal share of the entries"},
    [SSSP_HOOK]     = {.name = "hook places",  SWEEP(hook),    .reads = "label_of, list, nodes, kept entries, as bits, column, weight", .writes = "hook, name", SHARE},
    [SSSP_SAMPLE]   = {.name = "sample weights", SWEEP(sample), .reads = "weight", .writes = "a sample of weights", SHARE},
    [SSSP_WHOLE]    = {.name = "all rounds", SWEEP(whole), .reads = "the root, word, row, column, weight", .writes = "word, far, list, list_end, parent, distance", .unit = "all cores at once; not every backend has it", .optional = true},
    [SSSP_CREW]     = {.name = "crew", SWEEP(crew), .reads = "far, word, row, column, weight; items of this host's ranks", .writes = "word, near, far; items", .unit = "all cores at once; not every backend has it", .optional = true},
};
/* clang-format on */
MW_STATIC_ASSERT(sizeof rows / sizeof *rows == SSSP_N_ROWS,
                 "the numbers of sweeps above");

static const struct mw_counter fact_names[MW_SSSP_FACTS] = {
    [MW_SSSP_BUCKETS] = {.name = "n_buckets", .kind = MW_COUNT_SAME, .always = true},
    [MW_SSSP_ROUNDS] = {.name = "n_rounds", .kind = MW_COUNT_SAME, .always = true},
    [MW_SSSP_RELAXED] = {.name = "n_relaxed", .kind = MW_COUNT_SAME, .always = true},
    [MW_SSSP_PULLED] = {.name = "n_pulled", .kind = MW_COUNT_SAME},
};
static const struct mw_counter trait_names[] = {
    {.name = "delta", .kind = MW_COUNT_REAL, .always = true},
    {.name = "n_entries_searched", .kind = MW_COUNT_SAME, .always = true}};
static const char *const step_name[] = {[SSSP_RELAX_STEP] = "relax",
                                        [SSSP_LEAVES_STEP] = "leaves",
                                        [SSSP_PULL_STEP] = "pull",
                                        [SSSP_CREW_STEP] = "crew",
                                        NULL};

/* clang-format off */
static const struct mw_value values[] = {
    {.name = "parent", .type = MW_VALUE_VERTEX},
    {.name = "distance", .type = MW_VALUE_REAL, .joined = MW_JOINED_MINIMUM},
};
static const struct mw_key key[] = {
    {.name = "delta", .kind = MW_KEY_REAL, .value = "X", .min = 0, .max = UINT32_MAX, MW_KEY_FIELD(struct mw_sssp_rule, delta),
     .help = "Width of a bucket of distances; default: four mean weights / mean degree"},
    {.name = "prune", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|off", MW_KEY_FIELD(struct mw_sssp_rule, unpruned),
     .help = "Construction leaves edges out that are longer than the way by a landmark; auto: where edges "
             "have no directions"},
    {.name = "crew", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|off", MW_KEY_FIELD(struct mw_sssp_rule, no_crew),
     .help = "A host's cores make many small buckets at a call; off: these are rounds, too"},
    {.name = "span", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|level", MW_KEY_FIELD(struct mw_sssp_rule, by_rounds),
     .help = "What a device does at once: a whole search, where it can, or a round"},
};
/* clang-format on */
static const struct mw_keys keys = {.key = key,
                                    .n = sizeof key / sizeof *key,
                                    .options_bytes = sizeof(struct mw_sssp_rule)};

/* A word: a distance above a vertex. */
MW_KERNELS_OF(kernels, sssp_kernels, MW_KINDS_OF_CORE)

const struct mw_algorithm mw_algorithm_sssp = {
    .name = "sssp",
    .summary = "shortest paths from a root: parents and distances",
    .value = values,
    .n_values = sizeof values / sizeof *values,
    .weights = MW_WEIGHTS_MINIMUM,
    .keys = &keys,
    .keyed = true,
    .step_name = step_name,
    .trait = trait_names,
    .n_traits = 2,
    .fact = fact_names,
    .n_facts = MW_SSSP_FACTS,
    .devices_pay = {UINT64_MAX, UINT64_MAX},
    .row = rows,
    .n_rows = SSSP_N_ROWS,
    .kernels = kernels,
    .sweeps = sweeps,
    .value_bits = mw_word_value_bits,
    .state_bytes = sizeof(struct mw_sssp),
    .block = blocks,
    .n_blocks = sizeof blocks / sizeof *blocks,
    .sizes = sizes,
    .build = sssp_build,
    .thins = sssp_thins,
    .open = open_paths,
    .prepare = prepare,
    .stays = mw_always_stays,
    .close = sssp_close,
    .reset = sssp_reset,
    .start = sssp_start,
    .step = sssp_step,
    .finish = sssp_finish,
    .claim = claim,
    .facts = facts,
    .traits = traits,
    .check = &mw_check_sssp,
    .async = &mw_algorithm_sssp_async,
};
