/* traversal.c -- the loop over steps.
 *
 *      start --> [ step, counted and timed ] until MW_DONE
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/traversal.h"

#include "base/clock.h"
#include "base/mem.h"
#include "devices/placed.h"
#include "shuffle/kernel_lists.h"
#include "traversal/blocks.h"

#include <math.h>
#include <string.h>

const char *const mw_spent_names[MW_SPENT_ROW] = {
    [MW_SPENT_MOVING] = "moving batches",
    [MW_SPENT_IDLE] = "waiting for batches",
    [MW_SPENT_TOGETHER] = "collectives",
    [MW_SPENT_REST] = "rest",
};

/* ---- New and free ----------------------------------------------------------------------- */

static struct mw_algorithm_shape shape_of(const struct mw_graph *g, const void *options)
{
    return (struct mw_algorithm_shape){.n_places = g->n_places,
                                       .n_labels = g->n_labels,
                                       .label_bits = g->label_bits,
                                       .place_bits = g->place_bits,
                                       .wide = g->wide,
                                       .directed = g->directed,
                                       .asks_names = mw_graph_asks_names(g),
                                       .delegates = mw_delegates_shape_of(g),
                                       .options = options};
}

static struct mw_record_bits bits_of(const struct mw_algorithm *a,
                                     const struct mw_algorithm_shape *s, uint32_t n_ranks)
{
    return (struct mw_record_bits){
        a->by_place ? s->place_bits : s->label_bits,
        a->value_bits != NULL ? a->value_bits(s, n_ranks) : s->place_bits, 0};
}

static uint32_t value_bytes(const struct mw_value *v, bool wide)
{
    return v->type == MW_VALUE_REAL
               ? sizeof(float)
               : (uint32_t)mw_number_bytes(mw_value_is_wide(v, wide));
}

static void mirror_sizes(const struct mw_algorithm *a, uint64_t n_places, bool wide,
                         struct mw_sizes *out)
{
    const struct mw_traversal *t = NULL;
    mw_sizes_add(out, MW_SEARCHING, "mirror", a->n_values, sizeof *t->mirror);
    for (uint32_t i = 0; i < a->n_values; i++)
        mw_sizes_add(out, MW_SEARCHING, "values, for the host", n_places,
                     value_bytes(&a->value[i], wide));
}

void mw_traversal_sizes(const struct mw_algorithm *algorithm,
                        const struct mw_algorithm_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    struct mw_rows rows;
    struct mw_sizes parts = {0};
    mw_sizes_add(out, MW_SEARCHING, "traversal", 1, sizeof(struct mw_traversal));
    if (world->apart)
        mirror_sizes(algorithm, shape->n_places, shape->wide, out);
    mw_blocks_sizes(algorithm, shape, world, out);
    if (algorithm->sizes != NULL)
        algorithm->sizes(shape, world, out);
    mw_rows_find(algorithm, shape, world, &rows);
    if (rows.modules.n > 0)
        mw_modules_sizes(rows.modules.row, rows.modules.n,
                         bits_of(algorithm, shape, world->groups.n_ranks), world,
                         MW_SEARCHING, &parts);
    mw_sizes_fold(out, MW_SEARCHING, "batches to search", &parts);
}

/* Algorithms ask when they open what there is. */
static int rows_init(struct mw_traversal *t, const void *options)
{
    const struct mw_algorithm_shape shape = shape_of(t->graph, options);
    struct mw_world_shape world;
    mw_world_shape_of(t->world, &world);
    mw_rows_find(t->algorithm, &shape, &world, &t->rows);
    return mw_rows_check(&t->rows, t->algorithm, t->world);
}

/* Collective, before the first run, when goals and levels that are kept are known: where
 * cores trade records themselves, and there will be any. */
static int trade_init(struct mw_traversal *t)
{
    const bool any = t->algorithm->silent == NULL || !t->algorithm->silent(t);
    struct mw_trade *trade;
    int rc;
    if (t->asked_trade || t->pipeline == NULL || t->world->comm->size == 1 ||
        mw_host_reaches(t->world->backend) || !any)
        return MW_OK;
    t->asked_trade = true;
    rc = mw_world_trade_records(t->world, &trade);
    if (rc == MW_OK)
        mw_pipeline_trades(t->pipeline, trade);
    return rc;
}

static int pipeline_init(struct mw_traversal *t, const void *options)
{
    const struct mw_graph *g = t->graph;
    const struct mw_algorithm_shape shape = shape_of(g, options);
    const bool by_place = t->algorithm->by_place;
    int rc = MW_OK;
    if (t->rows.modules.n > 0)
        rc = mw_modules_new(t->rows.modules.row, t->rows.modules.n, t->state,
                            bits_of(t->algorithm, &shape, g->comm->size), t->world,
                            &t->pipeline);
    if (rc == MW_OK && t->pipeline != NULL)
        mw_pipeline_bound(t->pipeline, by_place ? g->n_places : g->n_labels);
    return rc;
}

/* Local: the graph where its kernels reach it, and what else they alone do not do with. */
static int place(struct mw_traversal *t, const struct mw_traversal *beside)
{
    const struct mw_algorithm *a = t->algorithm;
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    t->lent = beside != NULL;
    if (t->lent)
        t->placed = beside->placed;
    else
        MW_TRY(rc, mw_graph_place(t->world, t->graph, &t->placed));
    if (mw_host_reaches(t->world->backend))
        return rc;
    mirror_sizes(a, t->graph->n_places, t->graph->wide, &sizes);
    MW_TAKE(rc, t->mirror, &sizes, "mirror");
    for (uint32_t i = 0; i < a->n_values && rc == MW_OK; i++) {
        t->mirror[i].value = mw_alloc("values, for the host", t->graph->n_places,
                                      value_bytes(&a->value[i], t->graph->wide));
        rc = t->mirror[i].value == NULL ? MW_ERR_NOMEM : MW_OK;
    }
end:
    return rc;
}

/* Collective. */
static int open_state(struct mw_traversal *t, const void *options)
{
    const struct mw_algorithm *const a = t->algorithm;
    int rc = MW_OK;
    if (a->state_bytes > 0)
        rc = mw_blocks_open(t, options);
    return rc == MW_OK && a->open != NULL ? a->open(t, options) : rc;
}

static int traversal_new(const struct mw_algorithm *algorithm, const void *options,
                         struct mw_world *world, const struct mw_graph *graph,
                         const struct mw_traversal *beside, struct mw_traversal **out)
{
    int rc = MW_OK;
    struct mw_traversal *t = NULL;

    *out = NULL;
    MW_TRY(rc, mw_algorithm_check(algorithm));
    MW_TRY(rc, mw_algorithm_takes(algorithm, graph->directed, graph->partition.bits > 0));
    if (algorithm->refill != NULL &&
        (world->backend->mesh || !mw_host_reaches(world->backend))) {
        rc = mw_fail(
            MW_ERR_UNAVAILABLE,
            "%s without levels runs on the cores of hosts, not on those of backend '%s'",
            algorithm->name, world->backend->name);
        goto end;
    }
    MW_NEW(rc, t, "traversal", 1);
    t->algorithm = algorithm;
    t->world = world;
    t->graph = graph;
    t->goal = (struct mw_goal){.max_depth = UINT32_MAX, .target = MW_NO_VERTEX};
    rc = place(t, beside);
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = rows_init(t, options);
    if (rc == MW_OK)
        rc = open_state(t, options);
    if (rc == MW_OK)
        rc = pipeline_init(t, options);
    const double start = mw_now();
    if (rc == MW_OK && algorithm->prepare != NULL)
        rc = mw_comm_agree(world->comm, algorithm->prepare(t));
    if (rc == MW_OK)
        t->prepare_s = mw_now() - start;
    if (rc != MW_OK) {
        mw_traversal_free(t);
        return rc;
    }
    *out = t;
    return MW_OK;
}

int mw_traversal_new(const struct mw_algorithm *algorithm, const void *options,
                     struct mw_world *world, const struct mw_graph *graph,
                     struct mw_traversal **out)
{
    return traversal_new(algorithm, options, world, graph, NULL, out);
}

int mw_traversal_beside(const struct mw_traversal *t,
                        const struct mw_algorithm *algorithm, const void *options,
                        struct mw_traversal **out)
{
    return traversal_new(algorithm, options, t->world, t->graph, t, out);
}

void mw_traversal_free(struct mw_traversal *t)
{
    if (t == NULL)
        return;
    mw_pipeline_free(t->pipeline);
    if (t->algorithm->close != NULL)
        t->algorithm->close(t);
    mw_blocks_close(t);
    if (!t->lent)
        mw_graph_unplace(t->world, t->graph, t->placed);
    for (uint32_t i = 0; t->mirror != NULL && i < t->algorithm->n_values; i++)
        mw_free(t->mirror[i].value);
    mw_free(t->mirror);
    mw_unplace(t->world, MW_OF_BOTH, t->level_at);
    mw_unplace(t->world, MW_OF_BOTH, t->has_level);
    mw_free(t);
}

/* A value where the cores have it. */
const void *mw_traversal_values_there(const struct mw_traversal *t, uint32_t which)
{
    const struct mw_algorithm *const a = t->algorithm;
    return a->value[which].at != NULL
               ? a->value[which].at(t)
               : *(void **)((char *)t->state + a->block[which].offset);
}

int mw_traversal_claim(struct mw_traversal *t, struct mw_verdict *out)
{
    const struct mw_graph *const g = t->graph;
    uint64_t n_ends = g->n_ends;
    if (t->algorithm->claim != NULL)
        return t->algorithm->claim(t, out);
    const int rc = mw_comm_sum(g->comm, &n_ends, 1);
    *out = (struct mw_verdict){.n_reached = g->n_vertices, .n_edges = n_ends / 2};
    return rc;
}

/* ---- A run ------------------------------------------------------------------------------- */

int mw_traversal_reset(struct mw_traversal *t)
{
    if (t->level_at != NULL) {
        memset(t->level_at, 0xFF, t->graph->n_places * sizeof *t->level_at);
        memset(t->has_level, 0, (t->graph->n_labels / 64 + 1) * sizeof *t->has_level);
    }
    const int rc = trade_init(t);
    return rc == MW_OK && t->algorithm->reset != NULL ? t->algorithm->reset(t) : rc;
}

/* Those that were reached since the last one get this level. */
static void level_kernel(struct mw_cpe *self, void *job)
{
    const struct mw_traversal *t = ((struct mw_job *)job)->state;
    const struct mw_graph *g = t->placed;
    const uint64_t *visited = t->algorithm->visited(t);
    uint64_t from, to;
    mw_share(self, 0, ((uint64_t)g->n_labels + 63) / 64, &from, &to);
    for (uint64_t w = from; w < to; w++) {
        uint64_t bits = MW_LOAD_RELAXED(&visited[w]) & ~t->has_level[w];
        t->has_level[w] |= bits;
        for (; bits != 0; bits &= bits - 1)
            t->level_at[g->place_of[64 * w + (uint64_t)__builtin_ctzll(bits)]] =
                t->n_levels;
    }
}

static const struct mw_traversal_sweeps sweeps_host = {level_kernel};
MW_KERNELS_BESIDE(sweeps, mw_traversal_sweeps, &sweeps_host, MW_KINDS_OF_DEVICES)

const struct mw_row mw_traversal_row = {
    .name = "levels",
    .reads = "visited",
    .writes = "level of each vertex",
    .unit = "an equal share",
    .kernel = MW_ENTRY(mw_traversal_sweeps, levels),
};

static void note_levels(struct mw_traversal *t)
{
    const struct mw_sweep_row row =
        mw_sweep_find(&mw_traversal_row, sweeps, t->world->backend);
    if (t->level_at != NULL)
        mw_sweep_run(&row, t->world, t);
}

int mw_traversal_keep_levels(struct mw_traversal *t)
{
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    if (t->level_at != NULL)
        return MW_OK;
    if (t->algorithm->visited == NULL)
        return mw_fail(MW_ERR_USAGE, "%s has no levels", t->algorithm->name);
    mw_sizes_add_of(&sizes, MW_OF_BOTH, MW_SEARCHING, "levels of vertices",
                    t->graph->n_places, sizeof *t->level_at);
    mw_sizes_add_of(&sizes, MW_OF_BOTH, MW_SEARCHING, "vertices that have a level",
                    t->graph->n_labels / 64 + 1, sizeof *t->has_level);
    MW_PLACE(rc, t->level_at, t->world, MW_OF_BOTH, &sizes, "levels of vertices");
    MW_PLACE(rc, t->has_level, t->world, MW_OF_BOTH, &sizes,
             "vertices that have a level");
end:
    return mw_comm_agree(t->world->comm, rc);
}

uint32_t mw_traversal_level(const struct mw_traversal *t, uint64_t place)
{
    return t->level_at == NULL ? MW_NO_LEVEL : t->level_at[place];
}

static void add_jobs(struct mw_job_count *to, const struct mw_job_count *n)
{
    to->all += n->all;
    to->small += n->small;
    to->all_busy += n->all_busy;
    to->alone += n->alone;
    to->modelled_ns += n->modelled_ns;
}

/* What was sent since the last call. */
static void add_traffic(struct mw_traversal *t, struct mw_level *level)
{
    struct mw_traffic traffic;
    if (t->pipeline == NULL)
        return;
    mw_pipeline_traffic(t->pipeline, &traffic);
    level->n_records += traffic.records;
    level->n_batches += traffic.batches;
    level->n_bytes += traffic.bytes;
    level->n_coded += traffic.coded;
    level->saved_bytes += traffic.saved_bytes;
    level->coding_ns += (uint64_t)(1e9 * traffic.coding_s);
    for (uint32_t k = 0; k < MW_SIZE_CLASSES; k++)
        level->n_of_size[k] += traffic.size[k];
    add_jobs(&level->jobs, &traffic.jobs);
    double moving_s = traffic.run_s - traffic.waited_s;
    for (uint32_t i = 0; i < t->rows.modules.n; i++) {
        t->spent_s[MW_SPENT_ROW + t->rows.modules.row_of[i]] += traffic.spent_s[i];
        moving_s -= traffic.spent_s[i];
    }
    t->spent_s[MW_SPENT_IDLE] = traffic.waited_s;
    t->spent_s[MW_SPENT_MOVING] = moving_s;
}

/* This rank's of a step that took so long; what nobody has noted is the rest. */
static void add_spent(struct mw_traversal *t, struct mw_level *level)
{
    double rest_s = level->time_s;
    for (uint32_t i = 0; i < MW_SPENT_MAX; i++)
        if (i != MW_SPENT_REST)
            rest_s -= t->spent_s[i];
    t->spent_s[MW_SPENT_REST] = rest_s;
    for (uint32_t i = 0; i < MW_SPENT_MAX; i++)
        level->spent[i].mean = (float)(t->spent_s[i] > 0 ? t->spent_s[i] : 0);
}

int mw_traversal_begin(struct mw_traversal *t, mw_vid key)
{
    const struct mw_algorithm *a = t->algorithm;
    uint64_t place;
    if (a->keyed && key >= t->graph->n_vertices)
        return mw_fail(MW_ERR_USAGE, "root %llu: the vertices are 0 .. %llu",
                       (unsigned long long)key,
                       (unsigned long long)t->graph->n_vertices - 1);
    t->n_kept = t->n_levels = 0;
    t->found = t->is_slow = t->settled = false;
    t->n_walked = 0;
    const int rc = a->start(t, key);
    note_levels(t);
    if (rc == MW_OK && t->level_at != NULL &&
        mw_is_mine(&t->graph->partition, key, &place))
        t->level_at[place] = 0; /* an isolated root has no label */
    return rc;
}

int mw_traversal_advance(struct mw_traversal *t, struct mw_level *level)
{
    const double start = mw_now(), waited = mw_comm_waited(t->world->comm);
    memset(level, 0, sizeof *level);
    memset(t->spent_s, 0, sizeof t->spent_s);
    if (t->now.n_active == 0)
        return MW_DONE;
    level->n_active = t->now.n_active;
    level->n_active_edges = t->now.n_active_edges;
    mw_comm_level(t->world->comm, ++t->n_levels);
    t->n_walked += level->n_active_edges;
    t->is_slow = t->goal.half_by > 0 && t->n_levels == t->goal.half_by + 1 &&
                 2 * t->n_walked < t->graph->n_entries;
    if (t->found || t->n_levels > mw_traversal_last_level(t))
        return MW_DONE;
    const int rc = t->algorithm->step(t, level);
    if (rc != MW_OK)
        return rc;
    note_levels(t);
    add_traffic(t, level);
    if (level->time_s <= 0) /* else the step knows better */
        level->time_s = mw_now() - start;
    t->spent_s[MW_SPENT_TOGETHER] = mw_comm_waited(t->world->comm) - waited;
    add_spent(t, level);
    const double work_s =
        level->time_s - t->spent_s[MW_SPENT_IDLE] - t->spent_s[MW_SPENT_TOGETHER];
    level->longest_work_s = level->mean_work_s = work_s > 0 ? work_s : 0;
    return MW_OK;
}

/* Until all that cores were given to do is done: a copy waits for it. */
static void settle(struct mw_traversal *t)
{
    const struct mw_algorithm *a = t->algorithm;
    uint64_t last;
    if (t->mirror == NULL)
        return;
    for (uint32_t i = 0; i < a->n_values; i++)
        t->mirror[i].seen = false;
    if (t->graph->n_places > 0 && !t->settled)
        (void)mw_see(t->world, &last, mw_traversal_values_there(t, 0),
                     value_bytes(a->value, t->graph->wide));
}

/* Collective: what follows the last step, if anything does. */
static int finish(struct mw_traversal *t)
{
    const struct mw_algorithm *const a = t->algorithm;
    const int rc = a->finish != NULL ? a->finish(t) : MW_OK;
    if (a->answer > 0)
        mw_traversal_sweep(t, a->answer);
    return rc == MW_OK ? MW_DONE : rc;
}

int mw_traversal_run(struct mw_traversal *t, mw_vid key)
{
    const bool begun = mw_world_begin_time(t->world);
    struct mw_level level, *last = &level;
    int rc = mw_traversal_begin(t, key);
    while (rc == MW_OK && (rc = mw_traversal_advance(t, &level)) == MW_OK) {
        last = t->n_kept < MW_LEVELS_KEPT ? &t->level[t->n_kept++] : &level;
        *last = level;
    }
    if (rc == MW_DONE && (t->algorithm->finish != NULL || t->algorithm->answer > 0)) {
        rc = finish(t);
        add_traffic(t, last);
    }
    mw_comm_level(t->world->comm, 0);
    mw_world_end_time(t->world, begun);
    settle(t);
    return rc == MW_DONE ? MW_OK : rc;
}

int mw_traversal_exchange(struct mw_traversal *t, uint32_t exchange)
{
    return mw_pipeline_run(t->pipeline, t->rows.modules.exchange[exchange]);
}

static void refill(void *arg)
{
    struct mw_traversal *const t = arg;
    t->algorithm->refill(t);
}

int mw_traversal_exchange_async(struct mw_traversal *t, uint32_t exchange,
                                uint64_t *n_rounds)
{
    uint64_t n;
    const int rc = mw_pipeline_run_async(t->pipeline, t->rows.modules.exchange[exchange],
                                         refill, t, &n);
    *n_rounds += n;
    return rc;
}

void mw_traversal_sweep(struct mw_traversal *t, uint32_t row)
{
    const double start = mw_now();
    mw_sweep_run(&t->rows.sweep[row], t->world, t->state);
    t->spent_s[MW_SPENT_ROW + row] += mw_now() - start;
}

uint64_t mw_traversal_sweep_word(struct mw_traversal *t, uint32_t row, uint64_t *word,
                                 uint64_t at_first)
{
    uint64_t copy;
    mw_put(t->world, word, &at_first, sizeof at_first);
    mw_traversal_sweep(t, row);
    return *(const uint64_t *)mw_see(t->world, &copy, word, sizeof copy);
}

void mw_traversal_all_start(struct mw_traversal *t)
{
    t->now.n_active = t->graph->n_vertices;
    t->now.n_active_edges = t->graph->n_entries;
}

void mw_traversal_stop_at(struct mw_traversal *t, const struct mw_goal *goal)
{
    t->goal = *goal;
}

uint32_t mw_traversal_last_level(const struct mw_traversal *t)
{
    return t->found ? t->n_levels - 1 : t->is_slow ? t->goal.half_by : t->goal.max_depth;
}

uint32_t mw_traversal_next_question(const struct mw_traversal *t)
{
    const struct mw_goal *const goal = &t->goal;
    return t->n_levels <= goal->half_by ? (uint32_t)mw_min(goal->half_by, goal->max_depth)
                                        : goal->max_depth;
}

/* ---- Results --------------------------------------------------------------------------- */

const char *const mw_value_types[] = {"vertex", "count", "real"};
const char *const mw_value_joins[] = {"minimum", "sum", "or"};

bool mw_value_agrees(const struct mw_value *v, double a, double b)
{
    const double most = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    if (v->type != MW_VALUE_REAL || !isfinite(a) || !isfinite(b))
        return a == b || (isnan(a) && isnan(b));
    return fabs(a - b) <= v->absolute + v->relative * most;
}

const void *mw_traversal_values(const struct mw_traversal *t, uint32_t which)
{
    const struct mw_graph *g = t->graph;
    const struct mw_value *const v = &t->algorithm->value[which];
    if (t->mirror == NULL)
        return mw_traversal_values_there(t, which);
    struct mw_mirror *const m = &t->mirror[which];
    if (!m->seen)
        (void)mw_see(t->world, m->value, mw_traversal_values_there(t, which),
                     g->n_places * value_bytes(v, g->wide));
    m->seen = true;
    return m->value;
}

mw_vid mw_traversal_value(const struct mw_traversal *t, uint32_t which, uint64_t place)
{
    const bool wide = mw_value_is_wide(&t->algorithm->value[which], t->graph->wide);
    const uint64_t none = wide ? UINT64_MAX : UINT32_MAX;
    if (t->algorithm->value[which].type == MW_VALUE_REAL)
        return MW_NO_VERTEX;
    const uint64_t number = mw_number(mw_traversal_values(t, which), place, wide);
    return number == none ? MW_NO_VERTEX : number;
}

float mw_traversal_real(const struct mw_traversal *t, uint32_t which, uint64_t place)
{
    if (t->algorithm->value[which].type == MW_VALUE_REAL)
        return ((const float *)mw_traversal_values(t, which))[place];
    const mw_vid number = mw_traversal_value(t, which, place);
    return number == MW_NO_VERTEX ? NAN : (float)number;
}

const void *mw_traversal_numbers(const struct mw_traversal *t)
{
    return mw_traversal_values(t, 0);
}

mw_vid mw_traversal_number(const struct mw_traversal *t, uint64_t place)
{
    return mw_traversal_value(t, 0, place);
}

int mw_traversal_path(const struct mw_traversal *t, mw_vid v, uint32_t depth,
                      mw_vid *path)
{
    int rc = MW_OK;
    path[depth] = v;
    for (uint32_t i = depth; rc == MW_OK && i > 0; i--) {
        uint64_t place;
        path[i - 1] = 0;
        if (mw_is_mine(&t->graph->partition, path[i], &place))
            path[i - 1] = mw_traversal_number(t, place);
        rc = mw_comm_max(t->world->comm, &path[i - 1], 1);
    }
    return rc;
}

/* The counts of a level that are each rank's own; returns how many. */
enum { LEVEL_COUNTS = 11 + MW_SIZE_CLASSES + MW_COUNTERS_MAX };
static uint32_t counts_of(const struct mw_algorithm *a, struct mw_level *l,
                          uint64_t *count[LEVEL_COUNTS])
{
    uint64_t *const each[] = {&l->n_records,   &l->n_batches,        &l->n_bytes,
                              &l->jobs.all,    &l->jobs.small,       &l->jobs.all_busy,
                              &l->jobs.alone,  &l->jobs.modelled_ns, &l->n_coded,
                              &l->saved_bytes, &l->coding_ns};
    uint32_t n = sizeof each / sizeof *each;
    MW_STATIC_ASSERT(sizeof each / sizeof *each + MW_SIZE_CLASSES + MW_COUNTERS_MAX ==
                         LEVEL_COUNTS,
                     "all");
    memcpy(count, each, sizeof each);
    for (uint32_t i = 0; i < MW_SIZE_CLASSES; i++)
        count[n++] = &l->n_of_size[i];
    for (uint32_t i = 0; i < a->n_counters; i++)
        if (a->counter[i].kind == MW_COUNT_SUM)
            count[n++] = &l->own[i];
    return n;
}

enum { LEVELS_AT_A_TIME = 16 }; /* for the stack's sake */

static int add_up_levels(struct mw_traversal *t, struct mw_level *level, uint32_t n)
{
    uint64_t sum[LEVELS_AT_A_TIME * LEVEL_COUNTS], *count[LEVEL_COUNTS];
    uint32_t n_sums = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0, n_counts = counts_of(t->algorithm, &level[i], count);
             k < n_counts; k++)
            sum[n_sums++] = *count[k];
    const int rc = mw_comm_sum(t->world->comm, sum, n_sums);
    n_sums = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0, n_counts = counts_of(t->algorithm, &level[i], count);
             k < n_counts; k++)
            *count[k] = sum[n_sums++];
    return rc;
}

/* In whole nanoseconds, for that is what can be reduced. */
static int add_up_work(struct mw_comm *comm, struct mw_level *level, uint32_t n)
{
    uint64_t most[LEVELS_AT_A_TIME], sum[LEVELS_AT_A_TIME];
    for (uint32_t i = 0; i < n; i++)
        most[i] = sum[i] = (uint64_t)(1e9 * level[i].mean_work_s);
    MW_NEED(mw_comm_max(comm, most, n));
    MW_NEED(mw_comm_sum(comm, sum, n));
    for (uint32_t i = 0; i < n; i++) {
        level[i].longest_work_s = 1e-9 * (double)most[i];
        level[i].mean_work_s = 1e-9 * (double)sum[i] / comm->size;
    }
    return MW_OK;
}

/* The same of what each row and each kind of waiting took, a level at a time. */
static int add_up_spent(struct mw_comm *comm, struct mw_level *level, uint32_t n_rows)
{
    uint64_t least[MW_SPENT_MAX], most[MW_SPENT_MAX], sum[MW_SPENT_MAX];
    const uint32_t n = MW_SPENT_ROW + n_rows;
    for (uint32_t i = 0; i < n; i++)
        least[i] = most[i] = sum[i] = (uint64_t)(1e9 * (double)level->spent[i].mean);
    MW_NEED(mw_comm_min(comm, least, n));
    MW_NEED(mw_comm_max(comm, most, n));
    MW_NEED(mw_comm_sum(comm, sum, n));
    for (uint32_t i = 0; i < n; i++)
        level->spent[i] = (struct mw_spent){(float)(1e-9 * (double)least[i]),
                                            (float)(1e-9 * (double)sum[i] / comm->size),
                                            (float)(1e-9 * (double)most[i])};
    return MW_OK;
}

int mw_traversal_levels(struct mw_traversal *t, const struct mw_level **level,
                        uint32_t *n)
{
    int rc = MW_OK;
    if (t->algorithm->complete != NULL)
        rc = t->algorithm->complete(t);
    for (uint32_t i = 0; rc == MW_OK && i < t->n_kept; i += LEVELS_AT_A_TIME) {
        const uint32_t n_now = (uint32_t)mw_min(t->n_kept - i, LEVELS_AT_A_TIME);
        rc = add_up_levels(t, t->level + i, n_now);
        if (rc == MW_OK)
            rc = add_up_work(t->world->comm, t->level + i, n_now);
        for (uint32_t k = 0; rc == MW_OK && k < n_now; k++)
            rc = add_up_spent(t->world->comm, t->level + i + k, t->algorithm->n_rows);
    }
    *level = t->level;
    *n = t->n_kept;
    return rc;
}

uint64_t mw_traversal_n_peers(const struct mw_traversal *t)
{
    struct mw_traffic traffic = {0};
    if (t->pipeline != NULL)
        mw_pipeline_traffic(t->pipeline, &traffic);
    return traffic.peers;
}
