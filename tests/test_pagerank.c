/* test_pagerank.c -- PageRank on every shape, with directions and without, on every route and kind of
 * core, against its definition; and the check against faults.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers_body.h"

/* What is planted in an answer. */
enum fault { ONE_RANK, MOVED, TOO_EARLY, FAULTS };

struct ranking {
    struct answers answers;    /* first */
    double damping, tolerance; /* what its keys say */
    uint32_t most;
};

/* As in the definition: what each gives along its edges, or to all. */
static double iterate(const struct sample *s, double damping, const double *was,
                      double *is)
{
    double change = 0, loose = 0;
    for (uint64_t v = 0; v < s->n; v++)
        is[v] = (1 - damping) / (double)s->n;
    for (uint64_t u = 0; u < s->n; u++) {
        const double degree = (double)sample_degree(s, u);
        for (uint64_t k = s->first[u]; k < s->first[u + 1]; k++)
            is[s->neighbour[k]] += damping * was[u] / degree;
        loose += sample_degree(s, u) == 0 ? was[u] : 0;
    }
    for (uint64_t v = 0; v < s->n; v++) {
        is[v] += damping * loose / (double)s->n;
        change += fabs(is[v] - was[v]);
    }
    return change;
}

/* Do runs go beyond iterations? */
static bool is_quick(const struct ranking *r)
{
    return !r->answers.sample->directed && r->tolerance > 0 && r->damping < 1;
}

/* Do two have each other alone, of whom this is one? */
static bool is_of_a_pair(const struct sample *s, uint64_t v)
{
    return sample_degree(s, v) == 1 && sample_degree(s, s->neighbour[s->first[v]]) == 1;
}

/* Ranks at first; pairs may have the rank that they end with. */
static void begin(const struct ranking *r, bool pairs_have_theirs, double *is)
{
    const struct sample *const s = r->answers.sample;
    const double n = (double)s->n;
    double n_arcs = 0, n_alone = 0, n_paired = 0;
    memset(is, 0, s->n * sizeof *is);
    for (uint64_t k = 0; k < s->first[s->n]; k++)
        is[s->neighbour[k]]++;
    for (uint64_t v = 0; v < s->n; v++) {
        n_arcs += is[v];
        n_alone += sample_degree(s, v) == 0 && is[v] < 1;
        n_paired += pairs_have_theirs && is_of_a_pair(s, v);
    }
    const bool equal = !(r->tolerance > 0) || n_arcs < 1;
    const double first = equal ? 1 / n : (1 - r->damping) / (n - r->damping * n_alone);
    pairs_have_theirs = pairs_have_theirs && n_paired > 0 &&
                        first > 1e-3 * (1 - first * n) / n_arcs; /* for floats */
    n_paired = pairs_have_theirs ? n_paired : 0;
    const double paired = pairs_have_theirs ? first / (1 - r->damping) : 0;
    const double rest = 1 - first * (n - n_paired) - paired * n_paired;
    const double each = equal || n_arcs <= n_paired ? 0 : rest / (n_arcs - n_paired);
    for (uint64_t v = 0; v < s->n; v++)
        is[v] = pairs_have_theirs && is_of_a_pair(s, v) ? paired : first + each * is[v];
}

/* What part of an iteration's change iteration n makes: Chebyshev's polynomials by their recurrence. */
static double ahead_of(const struct ranking *r, uint32_t n)
{
    const uint32_t first = n > 5 ? 6 : 1;
    const double radius = first == 1 && r->damping > 0.35 ? 0.35 : r->damping;
    double before = 1, is = 1 / radius; /* T0 and T1 of 1 / radius */
    if (!is_quick(r) || n == first || radius <= 0)
        return 1;
    for (uint32_t i = first + 1; i < n; i++) {
        const double next = 2 / radius * is - before;
        before = is;
        is = next;
    }
    return 2 / radius * is / (2 / radius * is - before);
}

/* Are pairs looked for? Where each sees the shares of all. */
static bool pairs_are_sought(const struct ranking *r, const struct mw_traversal *t)
{
    return is_quick(r) && (t->world->comm->size == 1 || t->table.all != NULL);
}

/* Ranks after so many iterations; where runs go beyond these, without a last change that is little. The changes of
 * the last one and of the one before. */
static double *expected(const struct ranking *r, const struct mw_traversal *t, uint32_t n,
                        double *change, double *before)
{
    const uint64_t n_vertices = r->answers.sample->n;
    double *is = calloc(n_vertices, sizeof *is), *was = calloc(n_vertices, sizeof *was);
    double *next = calloc(n_vertices, sizeof *next);
    MUST(is != NULL && was != NULL && next != NULL);
    *change = INFINITY;
    begin(r, pairs_are_sought(r, t), is);
    memcpy(was, is, n_vertices * sizeof *is);
    for (uint32_t i = 1; i <= n; i++) {
        *before = *change;
        *change = iterate(r->answers.sample, r->damping, is, next);
        if (i == n && is_quick(r) && *change < r->tolerance)
            break;
        const double ahead = ahead_of(r, i);
        for (uint64_t v = 0; v < n_vertices; v++) {
            const double last = was[v];
            was[v] = is[v];
            is[v] = ahead * (next[v] - last) + last;
        }
    }
    free(was);
    free(next);
    return is;
}

static int compare(const struct answers *x, struct mw_traversal *t)
{
    const struct ranking *const r = (const struct ranking *)x;
    uint64_t fact[MW_FACTS_MAX];
    double change, before = INFINITY;
    int rc = t->algorithm->facts(t, fact);
    if (rc != MW_OK)
        return rc;
    const uint32_t n = (uint32_t)fact[0];
    double *const is = expected(r, t, n, &change, &before);
    uint64_t n_wrong = 0;
    for (uint64_t p = 0; p < t->graph->n_places; p++) {
        const mw_vid v = mw_vertex_at(t->graph, t->graph->comm->rank, p);
        const double said = (double)mw_traversal_real(t, 0, p);
        n_wrong += !mw_value_agrees(t->algorithm->value, said, is[v]);
    }
    free(is);
    EXPECT(n_wrong == 0, "%s: %u ranks are wrong after %u iterations",
           r->answers.sample->name, (unsigned)n_wrong, (unsigned)n);
    EXPECT(n == t->n_levels && n <= r->most, "%u", (unsigned)n);
    EXPECT(fabs(mw_double_of_bits(fact[1]) - change) < 1e-5, "%s: change %g, not %g",
           x->sample->name, mw_double_of_bits(fact[1]), change);
    EXPECT(n == r->most || change < r->tolerance + 1e-6, "%s: %g after %u",
           r->answers.sample->name, change, (unsigned)n);
    EXPECT(n == 1 || before >= r->tolerance - 1e-6, "%s: %g before %u",
           r->answers.sample->name, before, (unsigned)n);
    return MW_OK;
}

/* False: it is none in this answer, the same at all ranks. */
static bool plant(enum fault fault, struct mw_traversal *t, const struct ranking *r)
{
    float *const rank = (float *)(uintptr_t)mw_traversal_values(t, 0);
    const uint64_t last = t->graph->n_places - 1;
    double change = 0, before, *is;
    if (fault != TOO_EARLY && t->graph->comm->rank == 0)
        rank[last / 2] = rank[last / 2] * 1.0001f + 1e-9f;
    if (fault == MOVED && t->graph->comm->rank == 0 &&
        last > 0) /* the sum is as it was */
        rank[last] = rank[last] * 0.9999f - 1e-9f;
    if (fault != TOO_EARLY)
        return true;
    free(expected(r, t, 2, &change, &before));
    t->n_levels = 1;
    is = expected(r, t, 1, &before, &before);
    for (uint64_t p = 0; p <= last && t->graph->n_places > 0; p++)
        rank[p] = (float)is[mw_vertex_at(t->graph, t->graph->comm->rank, p)];
    free(is);
    return change > r->tolerance + 1e-5 && r->most > 1;
}

static int judge(const struct answers *x, struct mw_traversal *t, void *check)
{
    const struct ranking *const r = (const struct ranking *)x;
    struct mw_verdict verdict;
    int rc = MW_OK;
    for (int f = 0; f < FAULTS && mw_host_reaches(t->world->backend); f++) {
        MW_TRY(rc, mw_traversal_reset(t));
        MW_TRY(rc, mw_traversal_run(t, MW_NO_VERTEX));
        if (!plant((enum fault)f, t, r))
            continue;
        rc = t->algorithm->check->run(check, t, MW_NO_VERTEX, &verdict);
        EXPECT(rc == MW_ERR_INVALID, "%s: fault %d is not seen", x->sample->name, f);
        EXPECT(f == TOO_EARLY || verdict.n_wrong[0] > 0, "%s: fault %d", x->sample->name,
               f);
        EXPECT(f != TOO_EARLY || strstr(mw_error_text(), "rule 2") != NULL, "%s: %s",
               x->sample->name, mw_error_text());
        mw_error_clear();
    }
    rc = MW_OK;
end:
    return rc;
}

static struct ranking ranking_of(const struct sample *s, uint64_t way)
{
    static const struct ranking ways[] = {
        {{.tune = NULL}, 0.85, 1e-4, 20},
        {{.tune = "tolerance=0,iterations=7,table=off"}, 0.85, 0, 7},
        {{.tune = "damping=0.5,tolerance=1e-5,iterations=100"}, 0.5, 1e-5, 100},
        {{.tune = "table=off,damping=1,tolerance=0.01,iterations=30"}, 1, 0.01, 30},
        {{.tune = "damping=0"}, 0, 1e-4, 20},
        {{.tune = "tolerance=1e-7,iterations=1"}, 0.85, 1e-7, 1},
        {{.tune = "tolerance=1e-7,iterations=8"}, 0.85, 1e-7, 8},
        {{.tune = "tolerance=1"}, 0.85, 1, 20},
        {{.tune = "tolerance=1e-5,table=off,iterations=30"}, 0.85, 1e-5, 30},
        {{.tune = "damping=0.99999999,iterations=9"}, 0.99999999, 1e-4, 9},
    };
    struct ranking r = ways[way % (sizeof ways / sizeof *ways)];
    r.answers.sample = s;
    r.answers.algorithm = "pagerank";
    r.answers.key = MW_NO_VERTEX;
    r.answers.compare = compare;
    r.answers.judge = judge;
    return r;
}

static void must_rank(const struct sample *s, uint64_t way, uint32_t n_ranks,
                      uint32_t width, uint32_t threads, uint64_t seed)
{
    struct ranking r = ranking_of(s, way);
    r.answers.shuffled = way % 3 == 1;
    r.answers.block_bits = way % 3 == 2 ? 2 : 0;
    must_answer(&r.answers, threads == 0 ? "serial" : "openmp", n_ranks, width,
                (uint32_t)mw_max(threads, 1), seed);
}

START_TEST(every_shape_has_its_ranks)
{
    struct sample s = sample_shape((enum shape)(_i / 2));
    if (_i % 2)
        sample_direct(&s);
    const uint32_t step = (uint32_t)how_many(1, 2, 3);
    for (uint32_t n = 1; n <= (UNDER_TSAN ? 4 : 7); n += step)
        must_rank(&s, n, n, 1 + n / 2 % n, n % 4, n);
    sample_free(&s);
}
END_TEST

START_TEST(random_graphs_have_their_ranks)
{
    uint64_t dice = mixed((uint64_t)_i + 777);
    struct sample s = sample_random((uint64_t)_i + 5000);
    if (_i % 2)
        sample_direct(&s);
    const uint32_t n = 1 + (uint32_t)drawn(&dice, 7);
    must_rank(&s, drawn(&dice, 10), n, 1 + (uint32_t)drawn(&dice, n),
              (uint32_t)drawn(&dice, 4), drawn(&dice, 3));
    sample_free(&s);
}
END_TEST

START_TEST(kronecker_graphs_have_their_ranks)
{
    struct sample s = sample_kronecker(5 + (uint32_t)_i);
    must_rank(&s, 0, 1 + (uint32_t)_i, 1 + (uint32_t)_i / 2, 2, 0);
    sample_free(&s);
}
END_TEST

START_TEST(every_backend_has_the_same_ranks)
{
    const uint64_t dice = mixed((uint64_t)_i);
    struct sample s = sample_random(dice);
    if (_i % 2)
        sample_direct(&s);
    struct ranking r = ranking_of(&s, dice);
    must_answer_everywhere(&r.answers, dice);
    sample_free(&s);
}
END_TEST

/* Pairs among others, of other sizes than two: ranks of all ways, on several ranks. */
START_TEST(pairs_have_their_rank_at_once)
{
    struct sample s = {.name = "pairs, a star, a path and a ring", .n = 40};
    for (uint64_t v = 0; v < 16; v += 2)
        sample_edge(&s, v + v / 2 % 2, v + 1 - v / 2 % 2);
    for (uint64_t v = 17; v < 21; v++)
        sample_edge(&s, 16, v);
    sample_edge(&s, 21, 22);
    sample_edge(&s, 22, 23);
    for (uint64_t v = 24; v < 36; v++)
        sample_edge(&s, v, v < 35 ? v + 1 : 24);
    sample_edge(&s, 24, 16);
    sample_finish(&s);
    must_rank(&s, (uint64_t)_i, 1 + (uint32_t)_i % 4, 1 + (uint32_t)_i % 2,
              (uint32_t)_i % 3, 0);
    sample_free(&s);
}
END_TEST

/* Nobody else has an edge. */
START_TEST(pairs_alone_have_their_rank)
{
    struct sample s = {.name = "pairs", .n = 21};
    for (uint64_t v = 0; v < 18; v += 2)
        sample_edge(&s, v, v + 1);
    sample_finish(&s);
    must_rank(&s, 0, 1 + (uint32_t)_i, 1, 1, 0);
    sample_free(&s);
}
END_TEST

/* What pairs take of the others leaves these a hundredth of their first shares: nothing is to be lost by that. */
START_TEST(many_pairs_leave_a_clique_its_rank)
{
    struct sample s = {.name = "a clique and pairs", .n = 60150};
    for (uint64_t v = 0; v < 150; v++)
        for (uint64_t u = 0; u < v; u++)
            sample_edge(&s, u, v);
    for (uint64_t v = 150; v < s.n; v += 2)
        sample_edge(&s, v, v + 1);
    sample_finish(&s);
    must_rank(&s, 0, 2, 1, 2, 0);
    sample_free(&s);
}
END_TEST

/* Two that have each other alone stand first by tuples. */
START_TEST(duplicates_do_not_matter)
{
    struct sample s = {.name = "a pair five times", .n = 5};
    for (int k = 0; k < 5; k++)
        sample_edge(&s, 0, 1);
    sample_edge(&s, 2, 3);
    sample_edge(&s, 3, 4);
    sample_finish(&s);
    must_rank(&s, 0, 1 + (uint32_t)_i, 1, 1, 0);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pagerank");
    TCase *t = tcase_create("pagerank");
    tcase_add_loop_test(t, every_shape_has_its_ranks, 0, 2 * SHAPES);
    tcase_add_loop_test(t, random_graphs_have_their_ranks, 0, how_many(60, 40, 5));
    tcase_add_loop_test(t, kronecker_graphs_have_their_ranks, 0, how_many(5, 4, 1));
    tcase_add_loop_test(t, every_backend_has_the_same_ranks, 0, how_many(8, 8, 2));
    tcase_add_loop_test(t, pairs_have_their_rank_at_once, 0, 20);
    tcase_add_loop_test(t, pairs_alone_have_their_rank, 0, 3);
    tcase_add_test(t, many_pairs_leave_a_clique_its_rank);
    tcase_add_loop_test(t, duplicates_do_not_matter, 0, 3);
    suite_add_tcase(s, t);
    return run_suite(s);
}
