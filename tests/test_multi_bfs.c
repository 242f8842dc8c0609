/* test_multi_bfs.c -- searches from many sources at once, on every kind of core and route, against one
 * search from each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers_body.h"

enum { VALUES = 3 }; /* sum of distances, number of sources, eccentricity */

struct searches_at_once {
    struct answers answers; /* first */
    double *value[VALUES];  /* [n] */
    char tune[60];
};

static void searches_init(struct searches_at_once *q, const struct sample *s, uint32_t n,
                          uint64_t seed)
{
    uint64_t source[64];
    const uint32_t n_sources = draw_sources(s, n, seed, source);
    uint32_t *const level = malloc((s->n + 1) * sizeof *level);
    memset(q, 0, sizeof *q);
    MUST(level != NULL);
    for (int i = 0; i < VALUES; i++) {
        q->value[i] = malloc((s->n + 1) * sizeof *q->value[i]);
        MUST(q->value[i] != NULL);
        for (uint64_t v = 0; v < s->n; v++)
            q->value[i][v] = i < 2 ? 0 : (double)NAN;
    }
    for (uint32_t k = 0; k < n_sources; k++) {
        q->value[2][source[k]] = sample_levels(s, source[k], level) - 1;
        for (uint64_t v = 0; v < s->n; v++)
            if (level[v] != NO_LEVEL) {
                q->value[0][v] += level[v];
                q->value[1][v]++;
            }
    }
    free(level);
    snprintf(q->tune, sizeof q->tune, "sources=%u,seed=%u,pull=%s", n, (unsigned)seed,
             seed % 3 == 0 ? "off" : "auto");
    q->answers = (struct answers){.sample = s,
                                  .algorithm = "multi_bfs",
                                  .tune = q->tune,
                                  .key = MW_NO_VERTEX,
                                  .value = {q->value[0], q->value[1], q->value[2]}};
}

static void searches_free(struct searches_at_once *q)
{
    for (int i = 0; i < VALUES; i++)
        free(q->value[i]);
}

static void must_search(struct sample *s, uint32_t n, uint64_t dice)
{
    struct searches_at_once q;
    searches_init(&q, s, n, dice % 7);
    must_answer_everywhere(&q.answers, dice);
    searches_free(&q);
    sample_free(s);
}

START_TEST(every_shape_is_searched)
{
    struct sample s = sample_shape((enum shape)(_i / 2));
    if (_i % 2)
        sample_direct(&s);
    must_search(&s, 64, (uint64_t)_i);
}
END_TEST

START_TEST(random_graphs_are_searched)
{
    uint64_t dice = mixed((uint64_t)_i + 31);
    struct sample s = sample_random((uint64_t)_i + 6000);
    if (drawn(&dice, 2))
        sample_direct(&s);
    must_search(&s, 1 + (uint32_t)drawn(&dice, 64), dice);
}
END_TEST

START_TEST(kronecker_graphs_are_searched)
{
    struct sample s = sample_kronecker(6 + (uint32_t)_i);
    must_search(&s, 64, (uint64_t)_i + 50);
}
END_TEST

/* Of each kind of value. */
START_TEST(wrong_answers_are_noticed)
{
    struct sample s = _i % 2 ? sample_random((uint64_t)_i + 90) : sample_kronecker(6);
    struct searches_at_once q;
    if (_i / 2 % 2)
        sample_direct(&s);
    searches_init(&q, &s, 64, 1);
    q.answers.damages = true;
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks += 2)
        must_answer(&q.answers, n_ranks == 3 ? "openmp" : "serial", n_ranks,
                    1 + n_ranks / 2, 1, 0);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("multi_bfs");
    TCase *t = tcase_create("multi_bfs");
    tcase_add_loop_test(t, every_shape_is_searched, 0, 2 * SHAPES);
    tcase_add_loop_test(t, random_graphs_are_searched, 0, how_many(24, 24, 8));
    tcase_add_loop_test(t, kronecker_graphs_are_searched, 0, how_many(3, 3, 1));
    tcase_add_loop_test(t, wrong_answers_are_noticed, 0, how_many(8, 8, 4));
    suite_add_tcase(s, t);
    return run_suite(s);
}
