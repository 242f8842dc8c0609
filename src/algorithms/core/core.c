/* core.c -- core numbers: the largest k for which a vertex is in a subgraph where everyone has k neighbours
 * (Seidman 1983), by peeling in rounds.
 *
 *      for k = 1, 2, ...      who has k neighbours left or fewer is peeled: k is its number
 *          round              each one peeled tells its neighbours, who lose one each,
 *                             and who is down to k in the end is peeled in the next round
 *
 * The ranks of one host peel by a crew of its cores instead (core_crew.h), one rank on a GPU by one kernel.
 *
 * lost[] only grows, and a vertex is peeled once, so records may come late and in any order. A round is the
 * edges of those who were peeled, and a look at one bit a vertex. A new k is a look at all labels that come
 * before the last one left. Labels stand by falling degree and a number is no larger than a degree, so all
 * of these looks together are of O(m) labels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <meshway/algorithm.h>

#include "algorithms/core/core_state.h"

struct core_kernels {
    mw_kernel *tell, *hear, *begin, *trim, *mark, *list, *peel;
};

/* ---- elements: compiled for every kind of core, as C11 or C++17 ----------------------------- */

MW_FN bool core_is_low(const struct core *s, const struct mw_graph *g, uint64_t label)
{
    return mw_row_entries(s, g, label) - mw_load(s->lost, label, true) <= s->k;
}

/* Who loses the last one of several at a time sees that all are gone. */
MW_FN void core_lose(const struct core *s, const struct mw_graph *g, uint64_t label)
{
    mw_add(&s->lost[label], 1);
    if (core_is_low(s, g, label))
        (void)mw_take_bit(s->low, label);
}

MW_FN void core_hear(const struct core *s, const struct mw_graph *g,
                     const struct mw_visit *m)
{
    core_lose(s, g, m->child);
}

/* Who was peeled here has nothing to lose. */
MW_FN void core_tell(const struct core *s, const struct mw_graph *g, uint64_t i,
                     uint64_t k, struct mw_emitter *e)
{
    const uint64_t column = mw_row_column(g, s->listed.label[i], k);
    if (mw_column_owner(column, g->label_bits) == g->partition.rank &&
        mw_bit(s->peeled, mw_column_label(column, g->label_bits)))
        return;
    MW_TELL(core_hear, s, g, column, 1, e);
}

MW_FN void core_begin(const struct core *s, const struct mw_graph *g, uint64_t label)
{
    (void)g;
    s->lost[label] = 0;
    if (label % 64 == 0)
        s->low[label / 64] = s->peeled[label / 64] = 0;
}

/* Those that are left, from behind. */
MW_FN bool core_is_left(const struct core *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    return !mw_bit(s->peeled, s->n_left - 1 - i);
}

MW_FN void core_trimmed(const struct core *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    s->counts->n_left = s->n_left - i;
}

MW_FN uint64_t core_mark(const struct core *s, const struct mw_graph *g, uint64_t label)
{
    if (mw_bit(s->peeled, label) || !core_is_low(s, g, label))
        return 0;
    mw_set_bit(s->low, label);
    return 1;
}

MW_FN mw_word core_next(const struct core *s, const struct mw_graph *g, uint64_t w)
{
    (void)g;
    return mw_word_of(s->low, w) & ~mw_word_of(s->peeled, w);
}

MW_FN void core_peel(const struct core *s, const struct mw_graph *g, uint64_t i)
{
    const uint32_t label = s->listed.label[i];
    mw_set_bit(s->peeled, label);
    mw_set_number(s->number, g->place_of[label], s->k, g->wide);
}

MW_ACTIVE_ENTRIES(core_teller, core, core_tell)
MW_UPDATES(core_hearer, core, core_hear)
MW_EACH(core_beginner, core, g->n_labels, core_begin)
MW_FIRST(core_trimmer, core, s->n_left, core_is_left, core_trimmed)
MW_SUM(core_marker, core, s->n_left, core_mark, &s->counts->n_low)
MW_ACTIVE_BITS(core_lister, core, (s->n_left + 63) / 64, core_next, mw_row_entries)
MW_EACH(core_peeler, core, s->listed.counts->n, core_peel)
MW_KERNEL_TABLE(core_kernels, core_teller, core_hearer, core_beginner, core_trimmer,
                core_marker, core_lister, core_peeler)

#ifdef MW_STEPS /* ---- the rest: compiled once, as C ------------------------------------------ */
#include "algorithms/core/core_crew.h"

enum { BEGIN = 3, TRIM, MARK, LIST, PEEL, N_ROWS };
enum { FACT_DEGENERACY, FACT_ROUNDS, N_FACTS };

static const struct core_whole of_hosts = {.peel = core_crew_kernel};
#define NO_KINDS(ROW, arg)
MW_KERNELS_OVER(whole_kernels, core_whole, &of_hosts, &of_hosts, NO_KINDS)
static const struct mw_row whole_row = {
    .name = "peel all",
    .reads = "row, column",
    .writes = "lost, list, list_end, core numbers",
    .unit = "all cores at once; not every backend has it",
    .optional = true,
    .kernel = MW_ENTRY(core_whole, peel),
};

/* Local: all rounds in one kernel, where there is one. */
static struct mw_sweep_row find_whole(const struct mw_traversal *t)
{
    const struct mw_graph *const g = t->graph;
    const struct mw_sweep_row none = {0};
    const struct mw_sweep_row row =
        mw_sweep_find(&whole_row, whole_kernels, t->world->backend);
    if (row.cores == core_crew_kernel)
        return ((const struct core *)t->state)->crew->host != NULL ? row : none;
    return t->world->comm->size > 1 || g->wide || g->n_labels < CORE_WHOLE_LABELS ? none
                                                                                  : row;
}

/* Collective: all rounds, which are told as one. */
static int peel_whole(struct mw_traversal *t, const struct mw_sweep_row *row,
                      struct mw_level *level)
{
    struct core *const s = t->state;
    const bool is_crews = row->cores == core_crew_kernel;
    if (is_crews)
        MW_NEED(core_crew_begin(t));
    mw_sweep_run(row, t->world, s);
    s->n_rounds = is_crews ? s->crew->host->n_rounds : s->counts->n_rounds;
    s->most = is_crews ? s->crew->host->most : s->counts->most;
    level->own[0] = s->most;
    t->now.n_active = t->now.n_active_edges = level->n_found = 0;
    return MW_OK;
}

/* Collective: who is peeled next, of all ranks; `rc` is how this one's round ended. */
static int list_next(struct mw_traversal *t, int rc)
{
    mw_active_list(t, LIST);
    return mw_active_sum(t, rc);
}

/* Collective: the next k that someone has. None is active if nobody is left. */
static int raise_k(struct mw_traversal *t)
{
    struct core *const s = t->state;
    uint64_t sum[2];
    int rc;
    do {
        s->k++;
        s->counts->n_low = s->counts->n_left = 0;
        mw_traversal_sweep(t, TRIM);
        s->n_left = s->counts->n_left;
        mw_traversal_sweep(t, MARK);
        sum[0] = s->counts->n_low;
        sum[1] = s->n_left;
        rc = mw_comm_sum_or_fail(t->world->comm, sum, 2, MW_OK);
    } while (rc == MW_OK && sum[0] == 0 && sum[1] > 0);
    return rc == MW_OK ? list_next(t, rc) : rc;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    struct core *const s = t->state;
    (void)key;
    s->n_left = t->graph->n_labels;
    t->now.n_active = t->graph->n_connected;
    s->k = s->most = s->n_rounds = 0;
    if (find_whole(t).cores != NULL)
        return MW_OK;
    mw_traversal_sweep(t, BEGIN);
    return raise_k(t);
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct core *const s = t->state;
    const struct mw_sweep_row whole = find_whole(t);
    if (whole.cores != NULL)
        return peel_whole(t, &whole, level);
    level->own[0] = s->most = s->k;
    s->n_rounds++;
    mw_traversal_sweep(t, PEEL);
    int rc = list_next(t, mw_traversal_exchange(t, 0));
    if (rc == MW_OK && t->now.n_active == 0)
        rc = raise_k(t);
    level->n_found = t->now.n_active;
    return rc;
}

static int facts(struct mw_traversal *t, uint64_t *fact)
{
    const struct core *const s = t->state;
    fact[FACT_DEGENERACY] = s->most;
    fact[FACT_ROUNDS] = s->n_rounds;
    return MW_OK;
}

/* ---- the check: the first rank peels one vertex after the other, along the tuples as read ---- */

static const char peeling[] = "peeling one by one";

/* Batagelj and Zaversnik (2003): vertices stand by degree, and one that loses a neighbour moves to the
 * front of those that have as many. degree[] becomes the numbers. */
struct peeling {
    uint64_t n, *degree, *order; /* of vertices; the caller's, as `to` is */
    uint64_t *at,
        *begin; /* where a vertex stands in order[], and the first of a degree */
    uint64_t *row, *row_end; /* of a vertex, in to[] */
    const mw_vid *to;
};

static void sort_by_degree(struct peeling *b)
{
    uint64_t before = 0;
    memset(b->begin, 0, (b->n + 1) * sizeof *b->begin);
    for (uint64_t v = 0; v < b->n; v++)
        b->begin[b->degree[v] + 1]++;
    for (uint64_t d = 0; d <= b->n; d++)
        b->begin[d] = before += b->begin[d];
    for (uint64_t v = 0; v < b->n; v++) {
        b->at[v] = b->begin[b->degree[v]]++;
        b->order[b->at[v]] = v;
    }
    memmove(b->begin + 1, b->begin, b->n * sizeof *b->begin);
    b->begin[0] = 0;
}

static void lose_one(struct peeling *b, mw_vid v)
{
    const uint64_t front = b->begin[b->degree[v]]++, other = b->order[front];
    b->order[b->at[v]] = other;
    b->at[other] = b->at[v];
    b->order[front] = v;
    b->at[v] = front;
    b->degree[v]--;
}

static void peel_all(struct peeling *b)
{
    sort_by_degree(b);
    for (uint64_t i = 0; i < b->n; i++) {
        const mw_vid v = b->order[i];
        for (uint64_t k = b->row[v]; k < b->row_end[v]; k++)
            if (b->degree[b->to[k]] > b->degree[v])
                lose_one(b, b->to[k]);
    }
}

static int peel_rows(const struct mw_expected *e, const struct mw_gathered_rows *rows)
{
    uint64_t *const room = mw_alloc(peeling, 2 * e->n + 1, sizeof *room);
    if (room == NULL)
        return MW_ERR_NOMEM;
    for (mw_vid v = 0; v < e->n; v++)
        e->is[v] = rows->end[v] - rows->begin[v];
    struct peeling b = {e->n,        e->is,       e->was,    room,
                        room + e->n, rows->begin, rows->end, rows->to};
    peel_all(&b);
    mw_free(room);
    return MW_OK;
}

static int expect_numbers(const struct mw_expected *e)
{
    struct mw_gathered_rows rows;
    int rc = mw_expected_gather(e, &e->rows, &rows);
    if (rc == MW_OK && e->comm->rank == 0)
        rc = peel_rows(e, &rows);
    rc = mw_comm_agree(e->comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_broadcast(e->comm, e->is, e->n * sizeof *e->is, 0);
    mw_gathered_free(&rows);
    return rc;
}

static void check_sizes(const struct mw_check_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    mw_sizes_add(out, MW_SEARCHING, peeling, 2 * shape->n_vertices + 1, sizeof(uint64_t))
        ->estimated = true; /* the first rank has it, the plan is of the largest */
    mw_gathered_sizes(shape, world, out);
}

/* clang-format off */
#define KERNEL(member) .kernel = MW_ENTRY(core_kernels, member)
#define SHARE          .unit = "an equal share"
#define ONE_CORE       .unit = "one core"
#define BLOCK(name, member, of, bytes) {name, offsetof(struct core, member), MW_OF_CORES, of, bytes, 0}
static const struct mw_row rows_of_core[N_ROWS] = {
    {"peeled", {MW_FORWARD, MW_SOURCE}, {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell), mw_active_entries, 1, .exchanges = 1},
    {"loss relay", {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, .exchanges = 1},
    {"loser", {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE}, KERNEL(hear), .exchanges = 1},
    [BEGIN] = {"begin peeling", KERNEL(begin), .reads = "nothing", .writes = "lost, low, peeled", SHARE},
    [TRIM]  = {"trim", KERNEL(trim), .reads = "peeled, from behind", .writes = "the last label that is left", ONE_CORE},
    [MARK]  = {"mark", KERNEL(mark), .reads = "peeled, row, lost", .writes = "low", SHARE},
    [LIST]  = {"list low", KERNEL(list), .reads = "low, peeled, row", .writes = "list, list_end", .unit = "every n-th 4096 labels"},
    [PEEL]  = {"peel", KERNEL(peel), .reads = "list", .writes = "peeled, core numbers", SHARE}};
static const struct mw_block blocks[] = { /* the first is the answer */
    BLOCK("core numbers", number, MW_PER_PLACE, 0), BLOCK("lost neighbours", lost, MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK("low vertices", low, MW_PER_WORD, sizeof(uint64_t)), BLOCK("peeled vertices", peeled, MW_PER_WORD, sizeof(uint64_t)),
    MW_ACTIVE_BLOCKS(core, "list of peeled vertices", "ends of their rows", "counts of peeled vertices"),
    {"crew of core numbers", offsetof(struct core, crew), MW_OF_HOST, MW_PER_RANK, sizeof(struct core_crew), 0},
    {"core counts", offsetof(struct core, counts), MW_OF_BOTH, MW_PER_RANK, sizeof(struct core_counts), 0}};
static const struct mw_counter k_of_level = {.name = "k", .kind = MW_COUNT_SAME},
    fact_names[N_FACTS] = {[FACT_DEGENERACY] = {.name = "degeneracy", .kind = MW_COUNT_SAME, .always = true},
                           [FACT_ROUNDS] = {.name = "n_rounds", .kind = MW_COUNT_SAME, .always = true}};
MW_ALGORITHM_OF(core_kernels, .name = "core", .summary = "core numbers: the deepest k-core of each vertex", .n_values = 1, .stays = mw_always_stays, .devices_pay = {UINT64_MAX, UINT64_MAX}, .both_ways = true,
    .value = &(const struct mw_value){.name = "core", .type = MW_VALUE_COUNT}, .step_name = (const char *const[]){"round", NULL},
    .counter = &k_of_level, .n_counters = 1, .fact = fact_names, .n_facts = N_FACTS, .row = rows_of_core, .n_rows = N_ROWS, .value_bits = mw_vertex_value_bits,
    .state_bytes = sizeof(struct core), .block = blocks, .n_blocks = sizeof blocks / sizeof *blocks, .sizes = core_crew_sizes, .open = core_crew_open, .close = core_crew_close, .start = start, .step = step, .facts = facts,
    .check = &(const struct mw_check)MW_CHECK_OF(expect_numbers, .with_rows = true, .once = true, .more_sizes = check_sizes))
#endif
