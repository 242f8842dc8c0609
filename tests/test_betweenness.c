/* test_betweenness.c -- betweenness on every kind of core and route, against Brandes's algorithm with a
 * queue and a stack.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers_body.h"

struct between {
    struct answers answers; /* first */
    double *score;          /* [n] */
    char tune[80];
};

static void add_source(const struct sample *s, uint64_t source, bool gap, double *score)
{
    uint32_t *const level = malloc((s->n + 1) * sizeof *level);
    uint64_t *const queue = malloc((s->n + 1) * sizeof *queue), head = 0, tail = 0;
    double *const paths = calloc(s->n + 1, sizeof *paths), *const depend = calloc(
                                                               s->n + 1, sizeof *depend);
    MUST(level != NULL && queue != NULL && paths != NULL && depend != NULL);
    memset(level, 0xFF, s->n * sizeof *level);
    level[source] = 0;
    paths[source] = 1;
    queue[tail++] = source;
    while (head < tail) {
        const uint64_t u = queue[head++];
        for (uint64_t k = s->first[u]; k < s->first[u + 1]; k++) {
            const uint64_t v = s->neighbour[k];
            if (level[v] == NO_LEVEL) {
                level[v] = level[u] + 1;
                queue[tail++] = v;
            }
            paths[v] += level[v] == level[u] + 1 ? paths[u] : 0;
        }
    }
    while (tail-- > 0) {
        const uint64_t u = queue[tail];
        for (uint64_t k = s->first[u]; k < s->first[u + 1]; k++) {
            const uint64_t v = s->neighbour[k];
            if (level[v] == level[u] + 1)
                depend[u] += paths[u] / paths[v] * (1 + depend[v]);
        }
        score[u] += gap || u != source ? depend[u] : 0;
    }
    free(level);
    free(queue);
    free(paths);
    free(depend);
}

static void between_init(struct between *b, const struct sample *s, uint32_t n,
                         uint64_t seed, bool gap)
{
    uint64_t source[64];
    const uint32_t n_sources = draw_sources(s, n, seed, source);
    double most = 0;
    memset(b, 0, sizeof *b);
    b->score = calloc(s->n + 1, sizeof *b->score);
    MUST(b->score != NULL);
    for (uint32_t k = 0; k < n_sources; k++)
        add_source(s, source[k], gap, b->score);
    for (uint64_t v = 0; v < s->n; v++)
        most = b->score[v] > most ? b->score[v] : most;
    for (uint64_t v = 0; v < s->n && gap && most > 0; v++)
        b->score[v] /= most;
    snprintf(b->tune, sizeof b->tune, "sources=%u,seed=%u,score=%s,pull=%s", n,
             (unsigned)seed, gap ? "gap" : "brandes", seed % 3 == 0 ? "off" : "auto");
    b->answers = (struct answers){.sample = s,
                                  .algorithm = "betweenness",
                                  .tune = b->tune,
                                  .key = MW_NO_VERTEX,
                                  .value = {b->score}};
}

static void between_free(struct between *b)
{
    free(b->score);
}

static void must_score(struct sample *s, uint32_t n, uint64_t dice)
{
    struct between b;
    between_init(&b, s, n, dice % 7, dice % 2);
    must_answer_everywhere(&b.answers, dice);
    between_free(&b);
    sample_free(s);
}

START_TEST(every_shape_has_its_scores)
{
    struct sample s = sample_shape((enum shape)(_i / 2));
    if (_i % 2)
        sample_direct(&s);
    must_score(&s, 1 + (uint32_t)_i % 5, mixed((uint64_t)_i));
}
END_TEST

START_TEST(random_graphs_have_their_scores)
{
    uint64_t dice = mixed((uint64_t)_i + 31);
    struct sample s = sample_random((uint64_t)_i + 6000);
    if (drawn(&dice, 2))
        sample_direct(&s);
    must_score(&s, 1 + (uint32_t)drawn(&dice, 6), dice);
}
END_TEST

START_TEST(kronecker_graphs_have_their_scores)
{
    struct sample s = sample_kronecker(6 + (uint32_t)_i);
    must_score(&s, 4, (uint64_t)_i + 50);
}
END_TEST

/* Of a path from all vertices: v lies between each before it and each behind it, both ways. */
START_TEST(all_sources_are_the_exact_score)
{
    struct sample s = sample_shape(PATH);
    struct between b;
    s.n = 24;
    s.m = 23;
    free(s.first);
    free(s.neighbour);
    free(s.touching);
    sample_finish(&s);
    between_init(&b, &s, 64, 1, false);
    for (uint64_t v = 0; v < s.n; v++)
        ck_assert(fabs(b.score[v] - 2.0 * (double)v * (double)(s.n - 1 - v)) < 1e-9);
    must_answer_everywhere(&b.answers, 8);
    between_free(&b);
    sample_free(&s);
}
END_TEST

START_TEST(wrong_scores_are_noticed)
{
    struct sample s = _i % 2 ? sample_random((uint64_t)_i + 90) : sample_kronecker(6);
    struct between b;
    if (_i / 2 % 2)
        sample_direct(&s);
    between_init(&b, &s, 4, 1, true);
    b.answers.damages = true;
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks += 2)
        must_answer(&b.answers, n_ranks == 3 ? "openmp" : "serial", n_ranks,
                    1 + n_ranks / 2, 1, 0);
    between_free(&b);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("betweenness");
    TCase *t = tcase_create("betweenness");
    tcase_add_loop_test(t, every_shape_has_its_scores, 0, 2 * SHAPES);
    tcase_add_loop_test(t, random_graphs_have_their_scores, 0, how_many(24, 12, 6));
    tcase_add_loop_test(t, kronecker_graphs_have_their_scores, 0, how_many(3, 3, 1));
    tcase_add_test(t, all_sources_are_the_exact_score);
    tcase_add_loop_test(t, wrong_scores_are_noticed, 0, how_many(8, 8, 4));
    suite_add_tcase(s, t);
    return run_suite(s);
}
