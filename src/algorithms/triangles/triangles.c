/* triangles.c -- triangles and local clustering coefficients: which of a vertex' neighbours are neighbours (LCC of LDBC
 * Graphalytics: Iosup et al., arXiv:2011.15028, section 2.3.5). docs/triangles.md says more.
 *
 *      begin     nothing is counted; how much of its row each vertex offers (triangles_state.h)
 *      round     of several ranks: each puts what it offers into its portion of a table: fill
 *      count     each vertex looks which entries that its neighbours offer are neighbours of its own: by marks, where
 *                cores are a host's (triangles_rows.c), or by searches in its row
 *      answer    coefficients
 *
 * Each triangle is found at each of its three vertices, by the edge opposite, so a vertex' count has one writer and
 * no record is sent. Labels fall by degree, so hubs offer little and those with few neighbours offer hubs: the order of
 * Schank and Wagner (2005) and of Latapy (2008).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <meshway/algorithm.h>

#include "algorithms/triangles/triangles_state.h"

struct triangles_kernels {
    mw_kernel *begin, *offer, *end, *fill, *count, *count_back, *add, *answer;
};

/* ---- elements: compiled for every kind of core, as C11 or C++17 ----------------------------- */

MW_FN void triangles_begin(const struct triangles *s, const struct mw_graph *g,
                           uint64_t place)
{
    (void)g;
    s->triangles[place] = 0;
    s->coefficient[place] = 0;
}

MW_FN void triangles_offer_row(const struct triangles *s, const struct mw_graph *g,
                               uint64_t i)
{
    const uint64_t n = g->row[i + 1] - g->row[i];
    const uint64_t own = triangles_order(i, g->partition.rank);
    s->n_offered[i] =
        g->directed ? n : triangles_find(g, g->column, g->row[i], n, own) - g->row[i];
}

MW_FN uint64_t triangles_offered(const struct triangles *s, const struct mw_graph *g,
                                 uint64_t i)
{
    (void)g;
    return s->n_offered[i];
}

MW_FN void triangles_set_end(const struct triangles *s, const struct mw_graph *g,
                             uint64_t i, uint64_t sum)
{
    (void)g;
    s->end[i] = sum;
}

/* Entries that labels before i offer. */
MW_FN uint64_t triangles_before(const struct triangles *s, uint64_t i)
{
    return i > 0 ? s->end[i - 1] : 0;
}

/* Behind the last label: what the portion begins with. */
MW_FN void triangles_fill(const struct triangles *s, const struct mw_graph *g, uint64_t i)
{
    const struct triangles_round *const r = &s->round;
    if (i == r->n) {
        mw_set_number(s->mine, TRIANGLES_FIRST, r->first, g->wide);
        mw_set_number(s->mine, TRIANGLES_N, r->n, g->wide);
        return;
    }
    const uint64_t label = r->first + i, skip = i > 0 ? 0 : r->skip,
                   begin = triangles_before(s, r->first) + r->skip;
    const uint64_t from = triangles_before(s, label) + skip - begin,
                   to = mw_min(s->end[label] - begin, r->n_entries);
    mw_set_number(s->mine, TRIANGLES_ENDS + i, to, g->wide);
    for (uint64_t k = from; k < to; k++)
        mw_set_number(s->mine, TRIANGLES_ENDS + r->n + k,
                      mw_row_column(g, label, skip + k - from), g->wide);
}

/* How many of those that a neighbour of label i offers are neighbours of i. Without directions they come
 * before it: they are among the `before` first ones of the row. */
MW_FN uint64_t triangles_search(const struct triangles *s, const struct mw_graph *g,
                                uint64_t i, mw_vid column, uint64_t before)
{
    const struct triangles_offer o = triangles_offer_of(s, g, column);
    uint64_t n = 0;
    if (!g->directed && before < o.n) { /* the shorter ones are looked up */
        for (uint64_t k = 0; k < before; k++)
            n += triangles_has(g, o.column, o.first, o.n, mw_row_column(g, i, k));
        return n;
    }
    for (uint64_t k = 0; k < o.n; k++) {
        const mw_vid c = mw_number(o.column, o.first + k, g->wide);
        n += triangles_has(g, g->column, g->row[i], before, c) ||
             (g->directed && triangles_has(g, g->in_column, g->in_row[i],
                                           g->in_row[i + 1] - g->in_row[i], c));
    }
    return n;
}

MW_FN void triangles_found(const struct triangles *s, const struct mw_graph *g,
                           uint64_t i, uint64_t n)
{
    if (n > 0)
        mw_add(&s->triangles[g->place_of[i]], n);
}

MW_FN void triangles_count(const struct triangles *s, const struct mw_graph *g,
                           uint64_t i, uint64_t k)
{
    const uint64_t before = g->directed ? g->row[i + 1] - g->row[i] : k;
    triangles_found(s, g, i, triangles_search(s, g, i, mw_row_column(g, i, k), before));
}

/* A neighbour both ways has been looked at. */
MW_FN void triangles_count_back(const struct triangles *s, const struct mw_graph *g,
                                uint64_t i, uint64_t k)
{
    const mw_vid column = mw_in_row_column(g, i, k);
    if (!triangles_is_out(g, i, column))
        triangles_found(s, g, i,
                        triangles_search(s, g, i, column, g->row[i + 1] - g->row[i]));
}

MW_FN uint64_t triangles_counted(const struct triangles *s, const struct mw_graph *g,
                                 uint64_t place)
{
    (void)g;
    return s->triangles[place];
}

/* Of d neighbours, an edge may lead to any of d - 1 others; without directions it is counted once. */
MW_FN void triangles_answer(const struct triangles *s, const struct mw_graph *g,
                            uint64_t i)
{
    const uint64_t place = g->place_of[i], n = s->triangles[place];
    uint64_t d = g->row[i + 1] - g->row[i];
    for (uint64_t k = 0; g->directed && k < g->in_row[i + 1] - g->in_row[i]; k++)
        d += !triangles_is_out(g, i, mw_in_row_column(g, i, k));
    if (n > 0)
        s->coefficient[place] = (float)((g->directed ? 1.0 : 2.0) * (double)n /
                                        ((double)d * (double)(d - 1)));
}

MW_EACH(triangles_beginner, triangles, g->n_places, triangles_begin)
MW_EACH(triangles_offerer, triangles, g->n_labels, triangles_offer_row)
MW_RUNNING(triangles_ender, triangles, s->g->n_labels, triangles_offered,
           triangles_set_end, s->total)
MW_EACH(triangles_filler, triangles, s->round.n + 1, triangles_fill)
MW_PAIRS(triangles_counter, triangles, s->g->row + 1, s->g->n_labels, s->n_out, mw_any,
         triangles_count)
MW_PAIRS(triangles_back_counter, triangles, s->g->in_row + 1, s->g->n_labels, s->n_in,
         mw_any, triangles_count_back)
MW_SUM(triangles_adder, triangles, g->n_places, triangles_counted, s->total)
MW_EACH(triangles_answerer, triangles, g->n_labels, triangles_answer)
MW_KERNEL_TABLE(triangles_kernels, triangles_beginner, triangles_offerer, triangles_ender,
                triangles_filler, triangles_counter, triangles_back_counter,
                triangles_adder, triangles_answerer)

#ifdef MW_STEPS /* ---- the rest: compiled once, as C ------------------------------------------ */
enum { BEGIN, OFFER, END, FILL, COUNT, COUNT_BACK, ADD, ANSWER, N_ROWS };
struct triangles_options {
    uint32_t room;
};

static const char table_name[] = "rows that ranks offer";

static const struct triangles_whole of_hosts = {.count = triangles_count_rows};
#define NO_KINDS(ROW, arg)
MW_KERNELS_OVER(whole_kernels, triangles_whole, &of_hosts, &of_hosts, NO_KINDS)
static const struct mw_row whole_row = {
    .name = "count by rows",
    .reads = "row, column, the table",
    .writes = "triangles",
    .unit = "a row, as they come; not every backend has it",
    .optional = true,
    .kernel = MW_ENTRY(triangles_whole, count),
};

static void sizes(const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_sizes *out)
{
    mw_table_sizes(table_name, shape->label_bits, TRIANGLES_LABEL_BYTES,
                   world->groups.n_ranks > 1, world, out);
    triangles_lanes_sizes(shape, world, out);
}

static int open_triangles(struct mw_traversal *t, const void *options)
{
    struct triangles *const s = t->state;
    const struct triangles_options *const o = options;
    const struct mw_graph *const g = t->graph;
    const uint64_t bytes = mw_number_bytes(g->wide);
    s->n_out = mw_placed_entries(t->world, g);
    s->n_in = mw_placed_in_entries(t->world, g);
    s->room = mw_min(g->n_labels * (TRIANGLES_LABEL_BYTES / bytes), UINT32_MAX);
    if (o->room > 0)
        s->room = mw_min(s->room, o->room);
    MW_NEED(mw_comm_agree(t->world->comm, triangles_lanes_open(s, g, t->world)));
    if (t->world->comm->size == 1)
        return MW_OK;
    MW_NEED(mw_table_open(t->world, g, table_name, TRIANGLES_LABEL_BYTES, true, NULL,
                          &s->table));
    s->mine = s->table.mine;
    s->all = s->table.all;
    s->stride = s->table.portion / bytes;
    return MW_OK;
}

static void close_triangles(struct mw_traversal *t)
{
    struct triangles *const s = t->state;
    if (s == NULL)
        return;
    mw_table_close(&s->table);
    if (s->lanes != NULL)
        mw_free(s->lanes->marks);
}

static int start(struct mw_traversal *t, mw_vid key)
{
    struct triangles *const s = t->state;
    (void)key;
    mw_traversal_sweep(t, BEGIN);
    mw_traversal_sweep(t, OFFER);
    if (s->all != NULL)
        mw_traversal_sweep(t, END);
    s->round.next = s->round.next_skip = 0;
    mw_traversal_all_start(t);
    return MW_OK;
}

/* Local: counting by rows, where that can be. */
static struct mw_sweep_row find_whole(const struct mw_traversal *t)
{
    const struct mw_sweep_row none = {0};
    const struct mw_sweep_row row =
        mw_sweep_find(&whole_row, whole_kernels, t->world->backend);
    const bool can = row.cores == triangles_count_rows
                         ? ((const struct triangles *)t->state)->lanes->marks != NULL
                         : !t->graph->directed;
    return can ? row : none;
}

static void count(struct mw_traversal *t)
{
    struct triangles *const s = t->state;
    const struct mw_sweep_row whole = find_whole(t);
    if (whole.cores != NULL) {
        s->lanes->sweep.next = 0;
        mw_sweep_run(&whole, t->world, s);
        return;
    }
    mw_traversal_sweep(t, COUNT);
    if (t->graph->directed)
        mw_traversal_sweep(t, COUNT_BACK);
}

/* Local: entries that labels before i offer, wherever that stands. */
static uint64_t offered_before(const struct mw_traversal *t, uint64_t i)
{
    const struct triangles *const s = t->state;
    uint64_t copy;
    return i == 0
               ? 0
               : *(const uint64_t *)mw_see(t->world, &copy, s->end + i - 1, sizeof copy);
}

/* Local: the next round has as many labels as a portion has room for, and of one more what still fits. */
static void plan(struct mw_traversal *t)
{
    struct triangles *const s = t->state;
    struct triangles_round *const r = &s->round;
    r->first = r->next;
    r->skip = r->next_skip;
    const uint64_t begin = offered_before(t, r->first) + r->skip,
                   left = t->graph->n_labels - r->first;
    uint64_t low = 0, high = left, n_low = 0; /* labels that fit, and their entries */
    while (low < high) {
        const uint64_t n = high - (high - low) / 2;
        const uint64_t n_entries = offered_before(t, r->first + n) - begin;
        if (TRIANGLES_ENDS + n + n_entries <= s->room) {
            low = n;
            n_low = n_entries;
        } else {
            high = n - 1;
        }
    }
    const uint64_t used = TRIANGLES_ENDS + low + n_low;
    const uint64_t part = low < left && used + 1 < s->room ? s->room - used - 1 : 0;
    r->n = low + (part > 0);
    r->n_entries = n_low + part;
    r->next = r->first + low;
    r->next_skip = part + (low > 0 ? 0 : r->skip);
}

/* Collective: what all ranks offer in this round is in the table. How many labels are left to be offered. */
static int share(struct mw_traversal *t, uint64_t *n_left)
{
    struct triangles *const s = t->state;
    plan(t);
    mw_traversal_sweep(t, FILL);
    *n_left = t->graph->n_labels - s->round.next;
    return mw_table_share(&s->table);
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct triangles *const s = t->state;
    uint64_t sum[2] = {0, 0};
    int rc = s->all != NULL ? share(t, &sum[0]) : MW_OK;
    if (rc == MW_OK) {
        count(t);
        rc = mw_table_read(&s->table);
    }
    sum[1] = mw_traversal_sweep_word(t, ADD, s->total, 0);
    rc = mw_comm_sum_or_fail(t->world->comm, sum, 2, rc);
    s->n_triangles = t->graph->directed ? sum[1] : sum[1] / 3;
    level->n_found = t->now.n_active = sum[0] > 0 ? t->graph->n_vertices : 0;
    return rc;
}

static int facts(struct mw_traversal *t, uint64_t *fact)
{
    fact[0] = ((const struct triangles *)t->state)->n_triangles;
    return MW_OK;
}

/* ---- the check: the first rank counts along the tuples as read --------------------------------- */

/* Rows of all vertices, and a mark for each. */
struct counting {
    const struct mw_expected *e;
    struct mw_gathered_rows out, in;
    uint64_t *n_low; /* entries of a row that count as offered, which are its first */
};

static uint64_t degree_of(const struct mw_gathered_rows *rows, mw_vid v)
{
    return rows->end[v] - rows->begin[v];
}

/* Without directions an edge is the one of its end with more neighbours, or else of the larger number. */
static bool is_low(const struct counting *c, mw_vid v, mw_vid of)
{
    const uint64_t a = degree_of(&c->out, v), b = degree_of(&c->out, of);
    return c->e->edges->directed || a > b || (a == b && v < of);
}

static void part_rows(struct counting *c)
{
    for (mw_vid v = 0; v < c->e->n; v++) {
        uint64_t low = c->out.begin[v];
        for (uint64_t k = low; k < c->out.end[v]; k++)
            if (is_low(c, c->out.to[k], v)) {
                const mw_vid other = c->out.to[low];
                c->out.to[low++] = c->out.to[k];
                c->out.to[k] = other;
            }
        c->n_low[v] = low - c->out.begin[v];
    }
}

/* The mark of a neighbour of v: 1 more, if only an edge inwards makes it one. */
static uint64_t mark_of(mw_vid v)
{
    return 2 * (v + 1);
}

/* Those who are offered by a neighbour u of v, and marked as v's. */
static uint64_t count_offered(const struct counting *c, mw_vid v, mw_vid u)
{
    const uint64_t begin = c->out.begin[u];
    uint64_t n = 0;
    for (uint64_t k = begin; k < begin + c->n_low[u]; k++)
        n += (c->e->was[c->out.to[k]] & ~UINT64_C(1)) == mark_of(v);
    return n;
}

static void count_at(const struct counting *c, mw_vid v)
{
    const struct mw_expected *const e = c->e;
    const struct mw_gathered_rows *const out = &c->out, *const in = &c->in;
    const bool directed = e->edges->directed;
    uint64_t d = degree_of(out, v), n = 0;
    for (uint64_t k = out->begin[v]; k < out->end[v]; k++)
        e->was[out->to[k]] = mark_of(v);
    for (uint64_t k = directed ? in->begin[v] : 0; directed && k < in->end[v]; k++)
        if (e->was[in->to[k]] != mark_of(v)) {
            e->was[in->to[k]] = mark_of(v) + 1;
            d++;
        }
    for (uint64_t k = out->begin[v]; k < out->end[v]; k++)
        n += count_offered(c, v, out->to[k]);
    for (uint64_t k = directed ? in->begin[v] : 0; directed && k < in->end[v]; k++)
        if (e->was[in->to[k]] == mark_of(v) + 1)
            n += count_offered(c, v, in->to[k]);
    e->is[v] = n;
    e->is[e->n + v] = mw_bits_of_double(
        n == 0 ? 0 : (directed ? 1.0 : 2.0) * (double)n / ((double)d * (double)(d - 1)));
}

static int expect_triangles(const struct mw_expected *e)
{
    struct counting c = {.e = e, .n_low = e->room};
    int rc;
    MW_TRY(rc, mw_expected_gather(e, &e->rows, &c.out));
    if (e->edges->directed)
        MW_TRY(rc, mw_expected_gather(e, &e->in_rows, &c.in));
    if (e->comm->rank == 0) {
        part_rows(&c);
        memset(e->was, 0, e->n * sizeof *e->was);
        for (mw_vid v = 0; v < e->n; v++)
            count_at(&c, v);
    }
    rc = mw_comm_broadcast(e->comm, e->is, 2 * e->n * sizeof *e->is, 0);
end:
    mw_gathered_free(&c.out);
    mw_gathered_free(&c.in);
    return rc;
}

static const struct mw_check check = MW_CHECK_OF(
    expect_triangles, .n_expected = 2, .with_rows = true, .with_in_rows = true,
    .once = true, .vertex_words = 1, .more_sizes = mw_gathered_sizes);

/* ---- the algorithm ---------------------------------------------------------------------------- */

/* clang-format off */
#define KERNEL(member) .kernel = MW_ENTRY(triangles_kernels, member)
#define SHARE .unit = "an equal share"
static const struct mw_row rows[N_ROWS] = {
    [BEGIN]  = {"begin triangles", KERNEL(begin), .reads = "nothing", .writes = "triangles, coefficients", SHARE},
    [OFFER]  = {"offer rows", KERNEL(offer), .reads = "row, column", .writes = "entries that each offers", SHARE},
    [END]    = {"ends of offers", KERNEL(end), .reads = "entries that each offers", .writes = "their sums", .unit = "one core"},
    [FILL]   = {"fill the table", KERNEL(fill), .reads = "the round, row, column", .writes = "this rank's portion of the table", SHARE},
    [COUNT]  = {"count triangles", KERNEL(count), .reads = "row, column, the table", .writes = "triangles", .unit = "an equal share of the entries"},
    [COUNT_BACK] = {"count triangles backwards", KERNEL(count_back), .reads = "rows both ways, the table", .writes = "triangles", .unit = "an equal share of the entries inwards"},
    [ADD]    = {"add up triangles", KERNEL(add), .reads = "triangles", .writes = "their sum", SHARE},
    [ANSWER] = {"coefficients", KERNEL(answer), .reads = "row, triangles", .writes = "coefficients", SHARE}};

#define BLOCK(name, member, per, bytes) {name, offsetof(struct triangles, member), MW_OF_CORES, per, bytes, 0}
static const struct mw_block blocks[] = { /* the first two are the answers */
    BLOCK("triangles", triangles, MW_PER_PLACE, sizeof(uint64_t)),
    BLOCK("clustering coefficients", coefficient, MW_PER_PLACE, sizeof(float)),
    BLOCK("entries offered", n_offered, MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK("entries offered before", end, MW_PER_LABEL, sizeof(uint64_t)),
    {"sum of triangles", offsetof(struct triangles, total), MW_OF_BOTH, MW_PER_RANK, sizeof(uint64_t), 0},
    {"lanes of triangles", offsetof(struct triangles, lanes), MW_OF_HOST, MW_PER_RANK, sizeof(struct triangles_lanes), 0}};

static const struct mw_value values[] = {
    {.name = "triangles", .type = MW_VALUE_COUNT, .is_long = true, .joined = MW_JOINED_SUM},
    {.name = "coefficient", .type = MW_VALUE_REAL, .relative = 1e-6}};

static const struct mw_key keys[] = {
    {.name = "room", .kind = MW_KEY_COUNT, .value = "N", .min = 4, .max = UINT32_MAX,
     .help = "Numbers of its rows that each of several ranks shows to all at a time, in a table of one size; default: 8 for each of its vertices, or 4 where numbers are of 64 bits", MW_KEY_FIELD(struct triangles_options, room)}};

static const struct mw_counter fact_names[] = {{.name = "n_triangles", .kind = MW_COUNT_SAME, .always = true}};

MW_ALGORITHM_OF(triangles_kernels, .name = "triangles", .summary = "triangles and local clustering coefficients (LCC)", .n_values = 2,
    .value = values, .step_name = (const char *const[]){"round", NULL},
    .keys = &(const struct mw_keys){.key = keys, .n = 1, .options_bytes = sizeof(struct triangles_options)},
    .fact = fact_names, .n_facts = 1, .row = rows, .n_rows = N_ROWS, .stays = mw_always_stays, .state_bytes = sizeof(struct triangles),
    .block = blocks, .n_blocks = sizeof blocks / sizeof *blocks, .sizes = sizes, .open = open_triangles, .close = close_triangles,
    .start = start, .step = step, .answer = ANSWER, .facts = facts, .check = &check)
/* clang-format on */
#endif
