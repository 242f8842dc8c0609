/* pagerank.c -- PageRank (Page, Brin and others, 1999), as GAP and LDBC Graphalytics define it:
 *
 *      rank(v) = (1 - d) / n  +  d / n * sum of rank(u) of loose u  +  d * sum of rank(u) / degree(u) of u -> v
 *
 * A loose vertex has no edge outwards: what it would give is spread over all, so ranks sum to 1. degree()
 * counts distinct edges outwards; the graph has merged duplicates and dropped self-loops. An iteration
 * makes new ranks of the last ones alone. It is the last if ranks have changed by less than the tolerance,
 * all changes added up, or if there have been as many as are wanted.
 *
 *      pull     each row adds up the shares of neighbours
 *      tell     the share along each edge to another rank: a record
 *      settle   sums become ranks, and ranks shares
 *
 * Where there is a table of the shares of all, by column (table.h), it is pulled from there, and ranks tell
 * nothing. Else a row pulls from neighbours that are here.
 *
 * Only labels are gone over: vertices without edges all have one rank, which is a number. A share is a
 * float, a sum a double. What ranks (of MPI) add up are whole numbers (mw_fixed_of()), so that the end does
 * not depend on how many cores and ranks there are, but for the order in which records come, and for pairs (below).
 *
 * With a tolerance, and without directions, ranks go beyond an iteration, by Chebyshev's semi-iteration (Golub and
 * Varga 1961; Young 1971): a change is `ahead` times that of an iteration, and (ahead - 1) times the last one. Ranks
 * and changes are in proportion to eigenvectors of a symmetric matrix then, whose other eigenvalues are at most the
 * damping; but for a few of them they are far less in graphs with short ways. So iterations are taken as if all were
 * within a radius of 0.35, and from the sixth one on within that of the damping, where convergence is sure.
 *
 * Two vertices that have each other alone are slow: what a pair lacks of its rank falls by the damping. So pairs
 * begin with the rank that they end with. Who has one edge looks at his neighbour's share to know: of one edge it is
 * a whole rank. Then all begin anew, for ranks sum to 1. Where ranks have no table they could not look, and do not.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <meshway/algorithm.h>

/* What sweeps find: by how much an iteration changes ranks here, and ranks of loose vertices, as fixed numbers; how
 * many vertices are of pairs. */
struct pagerank_counts {
    uint64_t changed, loose, paired;
};

struct pagerank {
    const struct mw_graph *g;
    float *rank;      /* [n_places] the answer, when all is done */
    double *at;       /* [n_labels] ranks */
    float *share;     /* [n_labels] that each edge outwards gets */
    const float *all; /* shares of all ranks, by column; NULL: there is no table */
    double *sum;      /* [n_labels] of shares, in this iteration */
    float *step;      /* [n_labels] the last change of each rank */
    struct pagerank_counts *counts;
    uint64_t n_entries, n_isolated; /* of this rank's rows; vertices of all ranks */
    double damping, tolerance;
    double base;  /* what every vertex gets in this iteration */
    double alone; /* the rank of a vertex without edges */
    /* A rank at first: a part for all, and one for each edge inwards. */
    double first, each;
    bool quick;           /* changes go beyond those of an iteration: */
    double radius, ahead; /* eigenvalues are taken to be less; how far changes go now */
    bool back;            /* the answer lacks the last change, which was little enough */
    double paired;        /* the rank that pairs begin with; 0: nobody looks for any */
    bool marked;          /* changes say who is of a pair, as all begin anew */
    double loose;         /* ranks of loose vertices, with those */
    double change;        /* of the last iteration */
    uint32_t most;        /* iterations */
};
struct pagerank_kernels {
    mw_kernel *tell, *hear, *begin, *pull, *settle, *loose, *pair, *answer;
};

/* ---- elements: compiled for every kind of core, as C11 or C++17 ----------------------------- */

MW_FN void pagerank_set(const struct pagerank *s, const struct mw_graph *g, uint64_t i,
                        double rank)
{
    const uint64_t degree = mw_row_entries(s, g, i);
    s->at[i] = rank;
    s->share[i] = degree > 0 ? (float)(rank / (double)degree) : 0;
}

MW_FN void pagerank_begin(const struct pagerank *s, const struct mw_graph *g, uint64_t i)
{
    const double n_edges = (double)(g->in_row[i + 1] - g->in_row[i]);
    const bool pair = s->marked && s->step[i] > 0;
    pagerank_set(s, g, i, pair ? s->paired : s->first + s->each * n_edges);
    s->step[i] = 0;
}

/* Entry k of the edges inwards. */
MW_FN double pagerank_amount(const struct pagerank *s, const struct mw_graph *g,
                             uint64_t i, uint64_t k)
{
    const uint64_t column = mw_in_row_column(g, i, k);
    if (s->all != NULL)
        return (double)s->all[column];
    return mw_column_owner(column, g->label_bits) == g->partition.rank
               ? (double)s->share[mw_column_label(column, g->label_bits)]
               : 0;
}

MW_FN void pagerank_fetch(const struct pagerank *s, const struct mw_graph *g, uint64_t j)
{
    const uint64_t column = mw_number(g->in_column, j, g->wide);
    if (s->all != NULL)
        __builtin_prefetch(&s->all[column]);
    else if (mw_column_owner(column, g->label_bits) == g->partition.rank)
        __builtin_prefetch(&s->share[mw_column_label(column, g->label_bits)]);
}

/* Of two that have each other alone? At first a vertex gives `each` along each edge, and its part of `first`. The
 * answer stands in place of the change, until all begin anew. */
MW_FN uint64_t pagerank_pair(const struct pagerank *s, const struct mw_graph *g,
                             uint64_t i)
{
    const bool pair = g->in_row[i + 1] == g->in_row[i] + 1 &&
                      pagerank_amount(s, g, i, 0) > 0.75 * s->first + s->each;
    s->step[i] = pair ? 1 : 0;
    return pair ? 1 : 0;
}

/* Whether cores send records to their own rank or not, there are none here. */
MW_FN void pagerank_tell(const struct pagerank *s, const struct mw_graph *g, uint64_t i,
                         uint64_t k, struct mw_emitter *e)
{
    const uint64_t column = mw_row_column(g, i, k);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    if (owner != g->partition.rank)
        mw_emit(e, owner, mw_column_label(column, g->label_bits),
                mw_bits_of_float(s->share[i]));
}

MW_FN void pagerank_hear(const struct pagerank *s, const struct mw_graph *g,
                         const struct mw_visit *m)
{
    (void)g;
    mw_add_real(s->sum, m->child, (double)mw_float_of_bits((uint32_t)m->value), true);
}

/* Says by how much an iteration changes the rank. */
MW_FN uint64_t pagerank_settle(const struct pagerank *s, const struct mw_graph *g,
                               uint64_t i)
{
    const double was = s->at[i], change = s->base + s->damping * s->sum[i] - was;
    const double step = s->ahead * change + (s->ahead - 1) * (double)s->step[i];
    s->step[i] = (float)step;
    pagerank_set(s, g, i, was + (double)s->step[i]);
    return mw_fixed_of(change > 0 ? change : -change);
}

MW_FN uint64_t pagerank_loose(const struct pagerank *s, const struct mw_graph *g,
                              uint64_t i)
{
    return mw_row_entries(s, g, i) > 0 ? 0 : mw_fixed_of(s->at[i]);
}

MW_FN void pagerank_answer(const struct pagerank *s, const struct mw_graph *g,
                           uint64_t place)
{
    const uint32_t label = g->label_of[place];
    s->rank[place] = (float)(label == MW_NO_LABEL ? s->alone
                             : s->back            ? s->at[label] - (double)s->step[label]
                                                  : s->at[label]);
}

MW_ENTRIES(pagerank_teller, pagerank, s->g->row + 1, s->g->n_labels, mw_any,
           pagerank_tell)
MW_UPDATES(pagerank_hearer, pagerank, pagerank_hear)
MW_EACH(pagerank_beginner, pagerank, g->n_labels, pagerank_begin)
MW_ROW_SUMS(pagerank_puller, pagerank, g->in_row + 1, g->n_labels, pagerank_amount,
            pagerank_fetch, s->sum)
MW_SUM(pagerank_settler, pagerank, g->n_labels, pagerank_settle, &s->counts->changed)
MW_SUM(pagerank_looser, pagerank, g->n_labels, pagerank_loose, &s->counts->loose)
MW_SUM(pagerank_pairer, pagerank, g->n_labels, pagerank_pair, &s->counts->paired)
MW_EACH(pagerank_answerer, pagerank, g->n_places, pagerank_answer)
MW_KERNEL_TABLE(pagerank_kernels, pagerank_teller, pagerank_hearer, pagerank_beginner,
                pagerank_puller, pagerank_settler, pagerank_looser, pagerank_pairer,
                pagerank_answerer)

#ifdef MW_STEPS /* ---- the rest: compiled once, as C ------------------------------------------ */
#include "algorithms/pagerank/pagerank_async.h"

#include <math.h>

/* Radius of all changes but few, and how many iterations believe in it. */
#define NEAR_RADIUS 0.35
enum { NEAR_ITERATIONS = 5 };
enum { BEGIN = 3, PULL, SETTLE, LOOSE, PAIR, ANSWER, N_ROWS };
struct pagerank_options {
    double damping, tolerance;
    uint32_t iterations;
    bool no_table;
};
static const struct mw_tabled_block tabled = {
    "shares of all ranks", offsetof(struct pagerank, share),
    offsetof(struct pagerank, all), offsetof(struct pagerank_options, no_table)};

/* The part of a rank at first that each edge brings, if so many vertices of pairs have theirs already. */
static double each_of_others(const struct pagerank *s, const struct mw_graph *g,
                             uint64_t n_paired)
{
    const double rest = 1 - (double)g->n_vertices * s->first;
    return n_paired == g->n_entries ? 0
                                    : (rest - (double)n_paired * (s->paired - s->first)) /
                                          (double)(g->n_entries - n_paired);
}

/* Where a number of iterations is given, ranks are equal at first, as definitions have it. Else they begin
 * nearer to the end, and iterations are fewer: who has no edges with the rank that it ends with, if
 * nobody else is loose; the rest by edges inwards, to which ranks are in proportion where edges have no
 * directions and nothing is damped. */
static void choose_first(struct pagerank *s, const struct mw_graph *g)
{
    const double n = (double)g->n_vertices, d = s->damping;
    s->first = 1 / n;
    s->each = 0;
    if (s->tolerance > 0 && g->n_entries > 0) {
        s->first = (1 - d) / (n - d * (double)s->n_isolated);
        s->each = each_of_others(s, g, 0);
    }
}

static int open_ranks(struct mw_traversal *t, const void *options)
{
    struct pagerank *const s = t->state;
    const struct pagerank_options *const o = options;
    s->damping = o->damping;
    s->tolerance = o->tolerance;
    s->most = o->iterations;
    s->n_entries = mw_placed_entries(t->world, t->graph);
    s->n_isolated = t->graph->n_vertices - t->graph->n_connected;
    s->quick = !t->graph->directed && s->tolerance > 0 && s->damping < 1;
    return MW_OK;
}

/* Collective: what sweeps have found, of all ranks; `rc` is how this one's iteration ended. */
static int add_up(struct mw_traversal *t, int rc)
{
    struct pagerank *const s = t->state;
    uint64_t sum[2] = {s->counts->changed, 0};
    s->counts->loose = 0;
    if (t->graph->directed) { /* else who has an edge has one outwards */
        mw_traversal_sweep(t, LOOSE);
        sum[1] = s->counts->loose;
    }
    rc = mw_comm_sum_or_fail(t->world->comm, sum, 2, rc);
    if (rc == MW_OK)
        rc = mw_table_share(&t->table);
    s->change = mw_real_of_fixed(sum[0]);
    s->loose = mw_real_of_fixed(sum[1]) + (double)s->n_isolated * s->alone;
    return rc;
}

/* Pairs are looked for where the share of one edge is told from that of two, though it is a float. */
#define TOLD_APART 1e-3

/* Collective: pairs begin with the rank that they end with, and all others with the rest. */
static int begin_with_pairs(struct mw_traversal *t)
{
    struct pagerank *const s = t->state;
    uint64_t n_paired;
    int rc;
    MW_TRY(rc, mw_table_share(&t->table));
    s->counts->paired = 0;
    mw_traversal_sweep(t, PAIR);
    rc = mw_table_read(&t->table);
    n_paired = s->counts->paired;
    MW_TRY(rc, mw_comm_sum_or_fail(t->world->comm, &n_paired, 1, rc));
    s->marked = n_paired > 0;
    if (s->marked) {
        s->each = each_of_others(s, t->graph, n_paired);
        mw_traversal_sweep(t, BEGIN);
    }
end:
    return rc;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    struct pagerank *const s = t->state;
    int rc = MW_OK;
    (void)key;
    choose_first(s, t->graph);
    s->alone = s->first;
    s->paired = s->quick && s->all != NULL && s->first > TOLD_APART * s->each
                    ? s->first / (1 - s->damping)
                    : 0;
    s->marked = false;
    mw_traversal_sweep(t, BEGIN);
    mw_traversal_all_start(t);
    if (s->paired > 0)
        MW_TRY(rc, begin_with_pairs(t));
    s->counts->changed = 0;
    rc = add_up(t, MW_OK);
end:
    return rc;
}

/* Of iteration n, the first of which is 1. A begin within another radius is one anew. */
static double choose_ahead(struct pagerank *s, uint32_t n)
{
    if (!s->quick)
        return 1;
    if (n == 1 || n == NEAR_ITERATIONS + 1) {
        s->radius = n == 1 ? fmin(NEAR_RADIUS, s->damping) : s->damping;
        return 1;
    }
    const double part = s->radius * s->radius;
    return n == 2 || n == NEAR_ITERATIONS + 2 ? 2 / (2 - part)
                                              : 1 / (1 - part * s->ahead / 4);
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct pagerank *const s = t->state;
    const uint64_t n = t->graph->n_vertices;
    s->base = (1 - s->damping + s->damping * s->loose) / (double)n;
    mw_traversal_sweep(t, PULL);
    int rc = s->all != NULL ? mw_table_read(&t->table) : mw_traversal_exchange(t, 0);
    s->counts->changed = 0;
    s->ahead = choose_ahead(s, t->n_levels);
    mw_traversal_sweep(t, SETTLE);
    const double alone = s->alone;
    s->alone = s->base;
    rc = add_up(t, rc);
    s->change += (double)s->n_isolated * fabs(s->alone - alone);
    level->n_found = n;
    level->own[0] = mw_bits_of_double(s->change);
    if (s->change < s->tolerance || t->n_levels == s->most)
        t->now.n_active = t->now.n_active_edges = 0;
    return rc;
}

static int finish(struct mw_traversal *t)
{
    struct pagerank *const s = t->state;
    s->back = s->quick && s->change < s->tolerance;
    return MW_OK;
}

static int facts(struct mw_traversal *t, uint64_t *fact)
{
    const struct pagerank *const s = t->state;
    fact[0] = t->n_levels;
    fact[1] = mw_bits_of_double(s->change);
    return MW_OK;
}

static uint64_t entries(void *state)
{
    return ((const struct pagerank *)state)->n_entries;
}

static uint32_t exchanges(const struct mw_algorithm_shape *shape,
                          const struct mw_world_shape *world)
{
    return world->groups.n_ranks > 1 && !mw_block_is_tabled(&tabled, shape, world);
}

/* ---- the check: the same iterations once more, in doubles, along the tuples as read --------- */

/* Floats and their sums go wrong by some 1e-7 of each rank. */
#define RELATIVE 1e-5
#define ABSOLUTE 1e-15 /* fixed numbers end at 2^-61 */
#define ROUNDING PAGERANK_ROUNDING

int pagerank_iterate(const struct mw_expected *e, double damping, const uint64_t *x,
                     uint64_t *y, double *change)
{
    const struct mw_oracle_rows *const rows = &e->rows;
    uint64_t loose = 0;
    memset(y, 0, e->n * sizeof *y);
    for (uint64_t p = 0; p < rows->n; p++) {
        const double rank = mw_double_of_bits(x[mw_expected_vertex(rows, p)]);
        const uint64_t degree = rows->first[p + 1] - rows->first[p];
        loose += degree == 0 ? mw_fixed_of(rank) : 0;
        const uint64_t share = mw_fixed_of(damping * rank / (double)mw_max(degree, 1));
        for (uint64_t k = rows->first[p]; k < rows->first[p + 1]; k++)
            y[rows->to[k]] += share;
    }
    MW_NEED(mw_comm_sum(e->comm, y, (uint32_t)e->n));
    MW_NEED(mw_comm_sum(e->comm, &loose, 1));
    const double base = (1 - damping + damping * mw_real_of_fixed(loose)) / (double)e->n;
    *change = 0;
    for (uint64_t v = 0; v < e->n; v++) {
        const double is = base + mw_real_of_fixed(y[v]);
        *change += fabs(is - mw_double_of_bits(x[v]));
        y[v] = mw_bits_of_double(is);
    }
    return MW_OK;
}

/* Collective: paired[v] becomes 1 of two that have each other alone, of n_edges[v] each. Says how many. */
static int find_pairs(const struct mw_expected *e, const uint64_t *n_edges,
                      uint64_t *paired, uint64_t *n_paired)
{
    const struct mw_oracle_rows *const rows = &e->rows;
    memset(paired, 0, e->n * sizeof *paired);
    for (uint64_t p = 0; p < rows->n; p++)
        if (rows->first[p + 1] == rows->first[p] + 1 &&
            n_edges[rows->to[rows->first[p]]] == 1)
            paired[mw_expected_vertex(rows, p)] = 1;
    MW_NEED(mw_comm_sum(e->comm, paired, (uint32_t)e->n));
    *n_paired = 0;
    for (uint64_t v = 0; v < e->n; v++)
        *n_paired += paired[v];
    return MW_OK;
}

/* The ranks at first, of which one thing matters: that they sum to 1. */
static int begin_again(const struct pagerank *s, const struct mw_expected *e)
{
    uint64_t *const x = e->is, *const paired = e->was;
    uint64_t n_paired = 0;
    double sum = 0, each = s->each;
    for (uint64_t k = 0; k < e->rows.first[e->rows.n]; k++)
        x[e->rows.to[k]]++;
    int rc = mw_comm_sum(e->comm, x, (uint32_t)e->n);
    memset(paired, 0, e->n * sizeof *paired);
    if (rc == MW_OK && s->paired > 0)
        rc = find_pairs(e, x, paired, &n_paired);
    if (n_paired > 0)
        each = each_of_others(s, e->t->graph, n_paired);
    for (uint64_t v = 0; v < e->n; v++) {
        const double rank = paired[v] != 0 ? s->paired : s->first + each * (double)x[v];
        sum += rank;
        x[v] = mw_bits_of_double(rank);
    }
    return rc != MW_OK || fabs(sum - 1) <= ROUNDING
               ? rc
               : mw_fail(MW_ERR_INVALID, "validation failed: rule 3, ranks sum to %.9g",
                         sum);
}

/* Of each of n ranks, all bits of doubles: from what it was, and is, goes as far beyond `next`, which an iteration
 * makes, as the run did. */
static void go_ahead(double ahead, uint64_t n, uint64_t *was, uint64_t *is,
                     const uint64_t *next)
{
    for (uint64_t v = 0; v < n; v++) {
        const double before = mw_double_of_bits(was[v]);
        was[v] = is[v];
        is[v] = mw_bits_of_double(ahead * (mw_double_of_bits(next[v]) - before) + before);
    }
}

/* Collective: in is[] the ranks that as many iterations make of those at first, without the last change where
 * the run has left that out; *change: what the last iteration would change. */
static int iterate_again(const struct pagerank *s, const struct mw_expected *e,
                         double *change)
{
    const uint32_t n_iterations = e->t->n_levels;
    struct pagerank again = *s;
    MW_NEED(begin_again(s, e));
    memcpy(e->was, e->is, e->n * sizeof *e->is);
    for (uint32_t i = 1; i <= n_iterations; i++) {
        MW_NEED(pagerank_iterate(e, s->damping, e->is, e->room, change));
        again.ahead = choose_ahead(&again, i);
        if (i < n_iterations || !s->back)
            go_ahead(again.ahead, e->n, e->was, e->is, e->room);
    }
    return MW_OK;
}

/* Rule 1 is that ranks are what as many iterations make of those at first. Rule 2: a run that ended by its
 * tolerance was right to; where changes are those of an iteration, the next one is smaller by the damping. Rule 3:
 * ranks sum to 1, for they did so at first. */
static int expect_ranks(const struct mw_expected *e)
{
    const struct pagerank *const s = e->t->state;
    double change = 0;
    int rc;
    MW_TRY(rc, iterate_again(s, e, &change));
    if (!s->quick)
        MW_TRY(rc, pagerank_iterate(e, s->damping, e->is, e->room, &change));
    if (e->t->n_levels < s->most &&
        change > (s->quick ? 1 : s->damping) * s->tolerance + ROUNDING)
        rc = mw_fail(
            MW_ERR_INVALID,
            "validation failed: rule 2, ranks would change by %g in iteration %u, "
            "and the tolerance is %g",
            change, e->t->n_levels + !s->quick, s->tolerance);
end:
    return rc;
}

static const struct mw_check check =
    MW_CHECK_OF(expect_ranks, .with_rows = true, .vertex_words = 1, .once = true);

/* clang-format off */
#define KERNEL(member) .kernel = MW_ENTRY(pagerank_kernels, member)
#define SHARE          .unit = "an equal share"
#define BLOCK(name, member, of, bytes) {name, offsetof(struct pagerank, member), MW_OF_CORES, of, bytes, 0}
static const struct mw_row rows[N_ROWS] = {
    {"share teller", {MW_FORWARD, MW_SOURCE}, {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell), entries, 1, .exchanges = 1},
    {"share relay",  {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, .exchanges = 1},
    {"share hearer", {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE}, KERNEL(hear), .exchanges = 1},
    [BEGIN]  = {"begin ranks", KERNEL(begin), .reads = "row", .writes = "ranks, shares, changes", SHARE},
    [PULL]   = {"pull", KERNEL(pull), .reads = "rows inwards, shares", .writes = "sums", .unit = "rows with an equal share of the entries"},
    [SETTLE] = {"settle ranks", KERNEL(settle), .reads = "sums, changes, row", .writes = "ranks, shares, changes; how much an iteration changes", SHARE},
    [PAIR]   = {"pairs", KERNEL(pair), .reads = "row inwards, shares", .writes = "changes; how many have each other alone", SHARE},
    [LOOSE]  = {"loose", KERNEL(loose), .reads = "ranks, row", .writes = "the sum of loose ranks", SHARE},
    [ANSWER] = {"answer ranks", KERNEL(answer), .reads = "ranks, changes, label_of", .writes = "ranks by place", SHARE}};
static const struct mw_block blocks[] = { /* the first is the answer */
    BLOCK("ranks by place", rank, MW_PER_PLACE, sizeof(float)), BLOCK("ranks", at, MW_PER_LABEL, sizeof(double)),
    BLOCK("shares", share, MW_PER_LABEL, sizeof(float)), BLOCK("sums of shares", sum, MW_PER_LABEL, sizeof(double)),
    BLOCK("changes of ranks", step, MW_PER_LABEL, sizeof(float)),
    {"rank counts", offsetof(struct pagerank, counts), MW_OF_BOTH, MW_PER_RANK, sizeof(struct pagerank_counts), 0}};
static const struct mw_key keys[] = {
    {.name = "damping", .kind = MW_KEY_REAL, .value = "D", .min = 0, .max = 1, .fallback = "0.85",
     .help = "Part of its rank that a vertex gives along its edges", MW_KEY_FIELD(struct pagerank_options, damping)},
    {.name = "tolerance", .kind = MW_KEY_REAL, .value = "E", .min = 0, .max = 2, .fallback = "1e-4",
     .help = "Change of all ranks together below which an iteration is the last; 0: none", MW_KEY_FIELD(struct pagerank_options, tolerance)},
    {.name = "iterations", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = UINT32_MAX, .fallback = "20",
     .help = "Iterations at most", MW_KEY_FIELD(struct pagerank_options, iterations)},
    {.name = "table", .kind = MW_KEY_WORD, .words = "auto|off", .fallback = "auto",
     .help = "A table of all shares on each host, where one of all names is; off: records", MW_KEY_FIELD(struct pagerank_options, no_table)}};
static const struct mw_counter change_of_level = {.name = "change", .kind = MW_COUNT_REAL},
    fact_names[] = {{.name = "n_iterations", .kind = MW_COUNT_SAME, .always = true}, {.name = "last_change", .kind = MW_COUNT_REAL}};
MW_ALGORITHM_OF(pagerank_kernels, .name = "pagerank", .summary = "PageRank: the share of a surfer's time", .n_values = 1,
    .value = &(const struct mw_value){.name = "rank", .type = MW_VALUE_REAL, .joined = MW_JOINED_SUM, .relative = RELATIVE, .absolute = ABSOLUTE},
    .keys = &(const struct mw_keys){.key = keys, .n = sizeof keys / sizeof *keys, .options_bytes = sizeof(struct pagerank_options)},
    .step_name = (const char *const[]){"iteration", NULL}, .counter = &change_of_level, .n_counters = 1, .fact = fact_names, .n_facts = 2,
    .row = rows, .n_rows = N_ROWS, .value_bits = mw_float_value_bits, .exchanges = exchanges,
    .state_bytes = sizeof(struct pagerank), .block = blocks, .n_blocks = 6, .tabled = &tabled, .open = open_ranks, .stays = mw_always_stays, .devices_pay = {1 << 24, 1 << 24}, .asks_names = true, .start = start, .step = step,
    .finish = finish, .answer = ANSWER, .facts = facts,
    .check = &check,
    .async = &mw_algorithm_pagerank_async)
#endif
