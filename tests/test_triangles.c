/* test_triangles.c -- triangles and clustering coefficients on every kind of core and route, against counts of pairs
 * of neighbours, vertex by vertex.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers_body.h"

struct clustering {
    struct answers answers;          /* first */
    struct sample back;              /* directed: the edges turned round */
    double *triangles, *coefficient; /* [n] each */
    double sum;                      /* of the first */
    char tune[40];
};

static int compare_total(const struct answers *x, struct mw_traversal *t)
{
    const struct clustering *const c = (const struct clustering *)x;
    const double counted = x->sample->directed ? c->sum : c->sum / 3;
    uint64_t total;
    MW_NEED(t->algorithm->facts(t, &total));
    EXPECT((double)total == counted, "%s: %.9g triangles in all, not %.9g",
           x->sample->name, (double)total, counted);
    return MW_OK;
}

/* Pairs of v's neighbours, of which an edge leads from one to the other. O(d^2 log d). */
static void count_pairs(struct clustering *c, const struct sample *s, uint64_t v,
                        uint64_t *near)
{
    uint64_t d = 0, n = 0;
    for (uint64_t k = s->first[v]; k < s->first[v + 1]; k++)
        near[d++] = s->neighbour[k];
    for (uint64_t k = s->directed ? c->back.first[v] : 0;
         s->directed && k < c->back.first[v + 1]; k++)
        if (!sample_adjacent(s, v, c->back.neighbour[k]))
            near[d++] = c->back.neighbour[k];
    for (uint64_t i = 0; i < d; i++)
        for (uint64_t k = 0; k < d; k++)
            n += i != k && sample_adjacent(s, near[i], near[k]);
    c->triangles[v] = (double)(s->directed ? n : n / 2);
    c->coefficient[v] = n > 0 ? (double)n / (double)(d * (d - 1)) : 0;
    c->sum += c->triangles[v];
}

static void clustering_init(struct clustering *c, const struct sample *s, uint32_t room)
{
    uint64_t *const near = malloc(s->n * sizeof *near);
    memset(c, 0, sizeof *c);
    c->back = s->directed ? sample_reversed(s) : (struct sample){0};
    c->triangles = malloc(s->n * sizeof *c->triangles);
    c->coefficient = malloc(s->n * sizeof *c->coefficient);
    MUST(near != NULL && c->triangles != NULL && c->coefficient != NULL);
    for (uint64_t v = 0; v < s->n; v++)
        count_pairs(c, s, v, near);
    if (room > 0)
        snprintf(c->tune, sizeof c->tune, "room=%u", room);
    c->answers = (struct answers){.sample = s,
                                  .algorithm = "triangles",
                                  .tune = room > 0 ? c->tune : NULL,
                                  .key = MW_NO_VERTEX,
                                  .value = {c->triangles, c->coefficient},
                                  .compare = compare_total};
    free(near);
}

static void clustering_free(struct clustering *c)
{
    sample_free(&c->back);
    free(c->triangles);
    free(c->coefficient);
}

static void must_count(struct sample *s, uint32_t room, uint64_t dice)
{
    struct clustering c;
    clustering_init(&c, s, room);
    must_answer_everywhere(&c.answers, dice);
    clustering_free(&c);
    sample_free(s);
}

START_TEST(every_shape_has_its_triangles)
{
    struct sample s = sample_shape((enum shape)(_i / 2));
    if (_i % 2)
        sample_direct(&s);
    must_count(&s, 0, (uint64_t)_i);
}
END_TEST

/* Whatever ranks have room for, rows are shown as a whole or in parts. */
START_TEST(random_graphs_have_their_triangles)
{
    uint64_t dice = mixed((uint64_t)_i + 23);
    struct sample s = sample_random((uint64_t)_i + 7000);
    if (drawn(&dice, 2))
        sample_direct(&s);
    must_count(&s, drawn(&dice, 2) ? 0 : 16 + (uint32_t)drawn(&dice, 400), dice);
}
END_TEST

START_TEST(kronecker_graphs_have_their_triangles)
{
    struct sample s = sample_kronecker(6 + (uint32_t)_i / 2);
    if (_i % 2)
        sample_direct(&s);
    must_count(&s, _i < 2 ? 0 : 64, (uint64_t)_i + 60);
}
END_TEST

/* A clique, in which a row is longer than the least room: one entry a round. */
START_TEST(rows_are_shown_in_parts)
{
    enum { SIZE = 9 };
    struct sample s = {.name = "clique", .n = SIZE + 2};
    for (uint64_t u = 0; u < SIZE; u++)
        for (uint64_t v = 0; v < u; v++)
            sample_edge(&s, u, v);
    sample_edge(&s, 0, SIZE);
    sample_finish(&s);
    struct clustering c;
    clustering_init(&c, &s, 4 + (uint32_t)_i);
    for (uint64_t v = 1; v < SIZE; v++)
        ck_assert_uint_eq((uint64_t)c.triangles[v], (SIZE - 1) * (SIZE - 2) / 2);
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks++)
        must_answer(&c.answers, n_ranks % 2 ? "openmp" : "serial", n_ranks,
                    1 + n_ranks / 3, 1 + n_ranks % 3, 0);
    clustering_free(&c);
    sample_free(&s);
}
END_TEST

/* Each vertex of a ring has edges to the next two. Labels of a rank are as many as a column has numbers for, one less or
 * one more: there is no column behind the last label of the last rank but the next one's first. */
START_TEST(ranks_have_as_many_labels_as_columns)
{
    enum { LABELS = 512 };
    const uint32_t n_ranks = 2 + (uint32_t)_i / 2 % 3;
    for (uint64_t each = LABELS - 1; each <= LABELS + 1; each++) {
        struct sample s = {.name = "ring", .n = n_ranks * each};
        for (uint64_t v = 0; v < s.n; v++) {
            sample_edge(&s, v, (v + 1) % s.n);
            sample_edge(&s, v, (v + 2) % s.n);
        }
        sample_finish(&s);
        if (_i % 2)
            sample_direct(&s);
        struct clustering c;
        clustering_init(&c, &s, _i < 6 ? 0 : 700);
        for (uint64_t v = 0; v < s.n; v++)
            ck_assert_uint_eq((uint64_t)c.triangles[v], 3);
        must_answer(&c.answers, "openmp", n_ranks, 1, 1 + n_ranks % 2, 0);
        must_answer(&c.answers, "serial", n_ranks, n_ranks, 1, 0);
        must_answer_by(&c.answers, &apart_backend, "apart", n_ranks, 1, 1, 0);
        clustering_free(&c);
        sample_free(&s);
    }
}
END_TEST

/* 0 <-> 1, 1 -> 2, 2 -> 0, 3 -> 0: of the pairs of 0's three neighbours one has an edge. */
START_TEST(a_neighbour_both_ways_is_one)
{
    struct sample s = {.name = "both ways", .n = 5};
    sample_edge(&s, 0, 1);
    sample_edge(&s, 1, 0);
    sample_edge(&s, 1, 2);
    sample_edge(&s, 2, 0);
    sample_edge(&s, 3, 0);
    sample_edge(&s, 3, 3);
    sample_finish(&s);
    sample_direct(&s);
    struct clustering c;
    clustering_init(&c, &s, 0);
    ck_assert_uint_eq((uint64_t)c.triangles[0], 1);
    ck_assert_double_eq_tol(c.coefficient[0], 1.0 / 6, 1e-12);
    ck_assert_uint_eq((uint64_t)c.triangles[2], 2);
    ck_assert_double_eq_tol(c.coefficient[2], 1, 1e-12);
    must_answer_everywhere(&c.answers, 4);
    clustering_free(&c);
    sample_free(&s);
}
END_TEST

START_TEST(wrong_triangles_are_noticed)
{
    struct sample s = _i % 2 ? sample_random((uint64_t)_i + 90) : sample_kronecker(6);
    if (_i / 2 % 2)
        sample_direct(&s);
    struct clustering c;
    clustering_init(&c, &s, 0);
    c.answers.damages = true;
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks += 2)
        must_answer(&c.answers, n_ranks == 3 ? "openmp" : "serial", n_ranks,
                    1 + n_ranks / 2, 1, 0);
    clustering_free(&c);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("triangles");
    TCase *t = tcase_create("triangles");
    tcase_add_loop_test(t, every_shape_has_its_triangles, 0, 2 * SHAPES);
    tcase_add_loop_test(t, random_graphs_have_their_triangles, 0, how_many(24, 24, 8));
    tcase_add_loop_test(t, kronecker_graphs_have_their_triangles, 0, how_many(6, 4, 2));
    tcase_add_loop_test(t, rows_are_shown_in_parts, 0, how_many(8, 4, 2));
    tcase_add_loop_test(t, ranks_have_as_many_labels_as_columns, 0, how_many(12, 12, 4));
    tcase_add_test(t, a_neighbour_both_ways_is_one);
    tcase_add_loop_test(t, wrong_triangles_are_noticed, 0, how_many(8, 8, 4));
    suite_add_tcase(s, t);
    return run_suite(s);
}
